import { describe, expect, it } from "vitest";
import { empty, mark, push, redone, type Step, undone } from "../../src/model/history.ts";
import { apply, between, invert } from "../../src/model/text.ts";
import type { Splice } from "../../src/net/protocol.ts";
import { randoms } from "./trees.ts";

function randomSplices(text: string, random: (below: number) => number): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  while (at < text.length && splices.length < 5) {
    const from = at + random(Math.max(1, text.length - at));
    const to = Math.min(text.length, from + random(6));
    splices.push({ from, to, text: "é😀xyz".slice(0, random(6)) });
    at = to + 1;
  }
  return splices;
}

describe("splices", () => {
  it("apply in one pass with places of the text before", () => {
    expect(
      apply("abcdef", [
        { from: 1, to: 2, text: "XX" },
        { from: 4, to: 4, text: "-" },
      ]),
    ).toBe("aXXcd-ef");
  });

  it("are taken back by their inverse, whatever they are", () => {
    const random = randoms(7);
    let text = "The quick brown fox jumps over the lazy dog 😀 twice.";
    for (let round = 0; round < 2000; round++) {
      const splices = randomSplices(text, random);
      const after = apply(text, splices);
      expect(apply(after, invert(text, splices))).toBe(text);
      text = after.length > 400 ? after.slice(0, 60) : after;
    }
  });

  it("between two texts are the shortest stretch that differs", () => {
    expect(between("one two", "one 2 two")).toEqual([{ from: 4, to: 4, text: "2 " }]);
    expect(between("aaa", "aa")).toEqual([{ from: 2, to: 3, text: "" }]);
    expect(between("same", "same")).toEqual([]);
  });
});

function stepOf(id: number, before: string, after: string, merge?: string, at = 0): Step {
  const forward = between(before, after);
  const label = { key: "step.text" };
  return { id, label, forward, backward: invert(before, forward), before: [], after: [], merge, at };
}

describe("history", () => {
  it("undoes to the first text and redoes to the last one", () => {
    const random = randoms(3);
    let history = empty;
    let text = "begin";
    const texts = [text];
    for (let id = 1; id <= 300; id++) {
      const next = apply(text, randomSplices(text, random)).slice(0, 200);
      history = push(history, stepOf(id, text, next), next);
      text = next;
      texts.push(text);
    }
    for (let at = 299; at >= 0; at--) {
      text = apply(text, history.done.at(-1)!.backward);
      history = undone(history);
      expect(text).toBe(texts[at]);
    }
    expect(mark(history)).toBe(0);
    for (let at = 1; at <= 300; at++) {
      text = apply(text, history.undone.at(-1)!.forward);
      history = redone(history);
      expect(text).toBe(texts[at]);
    }
  });

  it("makes one step of what is typed without a pause", () => {
    let history = push(empty, stepOf(1, "", "a", "field", 0), "a");
    history = push(history, stepOf(2, "a", "ab", "field", 500), "ab");
    expect(history.done).toHaveLength(1);
    expect(apply("ab", history.done[0]!.backward)).toBe("");
    history = push(history, stepOf(3, "ab", "abc", "field", 9000), "abc");
    expect(history.done).toHaveLength(2);
  });

  it("forgets what was undone when something new is done", () => {
    let history = push(empty, stepOf(1, "", "a"), "a");
    history = push(undone(history), stepOf(2, "", "b"), "b");
    expect(history.undone).toEqual([]);
  });
});
