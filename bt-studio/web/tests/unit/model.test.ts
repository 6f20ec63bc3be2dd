import { describe, expect, it } from "vitest";
import { rank, score } from "../../src/model/fuzzy.ts";
import { asJson, at, Exact, mistakeIn, read, write } from "../../src/model/json.ts";
import {
  areInRow,
  canMove,
  kindsAround,
  kindsFor,
  kindsOf,
  requiredOf,
  roomIn,
} from "../../src/model/kinds.ts";
import { choicesOf, firstValue, formOf, resolve } from "../../src/model/schema.ts";
import { below, hiddenBelow, neighbour, pathTo, tops, visible } from "../../src/model/tree.ts";
import { card, kind, treeOf } from "./trees.ts";

const KINDS = [
  kind("root", 1, 1),
  kind("sequence", 1, null),
  kind("if_else", 2, 3),
  kind("negative", 1, 1),
  kind("action", 0, 0),
  kind("timeout", 1, 1, {
    required: ["seconds"],
    properties: { seconds: { type: "number", exclusiveMinimum: 0 } },
  }),
];

describe("tree", () => {
  const tree = treeOf(13, 3);

  it("goes to neighbours by arrows, over to cousins where siblings end", () => {
    const go = (idx: number, way: "up" | "down" | "in" | "out") =>
      neighbour(tree, tree.cards.get(idx)!, way)?.idx;
    expect(go(0, "in")).toBe(1);
    expect(go(1, "down")).toBe(2);
    expect(go(2, "up")).toBe(1);
    expect(go(6, "down")).toBe(7);
    expect(go(4, "out")).toBe(1);
    expect(go(0, "out")).toBeUndefined();
  });

  it("knows what is below, above and on top of a selection", () => {
    expect(below(tree.cards, 1).map(({ idx }) => idx)).toEqual([1, 4, 5, 6]);
    expect(pathTo(tree.cards, 5).map(({ idx }) => idx)).toEqual([0, 1, 5]);
    expect(tops(tree.cards, 0, new Set([5, 1, 3])).map(({ idx }) => idx)).toEqual([1, 3]);
    expect(hiddenBelow(tree.cards, 1)).toBe(3);
    expect(visible(tree)).toHaveLength(13);
  });

  it("ends on cards that go in circles", () => {
    const cards = new Map([
      [0, card(0, 1, [1])],
      [1, card(1, 0, [0])],
    ]);
    expect(below(cards, 0)).toHaveLength(2);
    expect(pathTo(cards, 0)).toHaveLength(2);
  });
});

describe("kinds", () => {
  const kinds = kindsOf(KINDS);

  it("limit the children of a node; an unknown kind has no limit", () => {
    expect(roomIn(kinds, card(0, null, [1], "root"))).toBe(0);
    expect(roomIn(kinds, card(0, null, [], "action"))).toBe(0);
    expect(roomIn(kinds, card(0, null, [1, 2], "if_else"))).toBe(1);
    expect(roomIn(kinds, card(0, null, [1, 2], "strange"))).toBe(Number.POSITIVE_INFINITY);
  });

  it("are offered only where the children fit", () => {
    const names = kindsFor(KINDS, card(1, 0, [2, 3], "sequence")).map(({ name }) => name);
    expect(names).toEqual(["if_else"]);
    expect(kindsAround(KINDS, 2).map(({ name }) => name)).toEqual(["sequence", "if_else"]);
  });

  it("refuse a move into the node's own branch, and one too many", () => {
    const { cards } = treeOf(13, 3);
    const node = (idx: number) => cards.get(idx)!;
    expect(canMove(kinds, cards, [node(1)], node(4))).toBe(false);
    expect(canMove(kinds, cards, [node(0)], node(1))).toBe(false);
    expect(canMove(kinds, cards, [node(4)], node(2))).toBe(true);
    expect(canMove(kinds, cards, [node(4)], { ...node(2), kind: "if_else" })).toBe(false);
    expect(canMove(kinds, cards, [node(7)], { ...node(2), kind: "if_else" })).toBe(true);
  });

  it("say what a new node must have", () => {
    expect(requiredOf(KINDS[5]!, [])).toEqual({ seconds: 1 });
  });

  it("know siblings that stand next to each other", () => {
    const { cards } = treeOf(13, 3);
    expect(areInRow(cards, [cards.get(1)!, cards.get(2)!])).toBe(true);
    expect(areInRow(cards, [cards.get(1)!, cards.get(3)!])).toBe(false);
    expect(areInRow(cards, [cards.get(0)!])).toBe(false);
  });
});

describe("fuzzy", () => {
  it("puts exact names first, then beginnings, then words, then scattered letters", () => {
    const order = ["walk", "walk_to", "slow_walk", "cakewalk", "w_a_x_l_k"].map((text) =>
      score("walk", text),
    );
    expect([...order].sort((one, other) => other - one)).toEqual(order);
    expect(score("walk", "run")).toBe(0);
    // Scattered over a long name they are another word.
    expect(score("flee", "Failure a number of times")).toBe(0);
    expect(score("slct", "select")).toBeGreaterThan(0);
  });

  it("finds by other words, Chinese ones too", () => {
    const items = [
      { name: "buy_potions", also: "购买药水 Buy potions" },
      { name: "flee", also: "逃跑" },
    ];
    expect(rank("药水", items, 10).map(({ name }) => name)).toEqual(["buy_potions"]);
    expect(rank("", items, 1)).toHaveLength(1);
  });
});

describe("json", () => {
  it("keeps the text of numbers that JavaScript would change", () => {
    const text = '{"id": 18446744073709551615, "share": 1.0, "list": [1, 2.5], "none": null}';
    const value = read(text);
    expect(at(value, "/id")).toBeInstanceOf(Exact);
    expect(write(value)).toBe(text);
  });

  it("takes a word that is no JSON as a text, and nothing that is JSON by half", () => {
    expect(["gate", " the gate ", "7", "true", '"a"'].map(asJson)).toEqual([
      '"gate"',
      '"the gate"',
      "7",
      "true",
      '"a"',
    ]);
    expect(['"ga', "[1,", "{", "1,5", "-", "", " "].map(asJson)).toEqual(Array(7).fill(null));
  });

  it("says why a text is not JSON", () => {
    expect(mistakeIn("[1,")).not.toBeNull();
    expect(mistakeIn("[1]")).toBeNull();
  });
});

describe("schema", () => {
  const defs = { Mood: { oneOf: [{ const: "calm" }, { const: "angry" }] } };

  it("has a form for each sort of value", () => {
    expect(formOf({ type: "boolean" })).toBe("bool");
    expect(formOf({ type: "integer" })).toBe("integer");
    expect(formOf({ type: "array", items: { type: "string" } })).toBe("list");
    expect(formOf({ type: "object", additionalProperties: { type: "string" } })).toBe("map");
    expect(formOf({ type: ["string", "null"] })).toBe("json");
    expect(formOf({})).toBe("json");
    expect(choicesOf(resolve({ $ref: "#/$defs/Mood" }, defs))).toEqual(["calm", "angry"]);
  });

  it("gives a value to begin with that it takes", () => {
    expect(firstValue({ $ref: "#/$defs/Mood" }, defs)).toBe("calm");
    expect(firstValue({ type: "number", exclusiveMinimum: 0 }, defs)).toBe(1);
    expect(
      firstValue({ type: "object", properties: { x: { type: "number" } }, required: ["x"] }, defs),
    ).toEqual({ x: 0 });
  });

  it("ends on a reference to itself", () => {
    expect(resolve({ $ref: "#/$defs/A" }, { A: { $ref: "#/$defs/A" } })).toBeDefined();
  });
});
