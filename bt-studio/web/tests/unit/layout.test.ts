import { describe, expect, it } from "vitest";
import { byLetters, faceOf } from "../../src/layout/face.ts";
import { cardAt, dropAt, place } from "../../src/layout/place.ts";
import { tidy } from "../../src/layout/tidy.ts";
import { randoms, treeOf } from "./trees.ts";

const measure = byLetters(() => 7);

describe("tidy", () => {
  it("lets no two boxes overlap, and keeps siblings in order, for random trees", () => {
    const random = randoms(11);
    for (let round = 0; round < 60; round++) {
      const count = 2 + random(120);
      const parents = new Int32Array(count).fill(-1);
      // A preorder: a node's parent is the node before it, or one above that.
      for (let at = 1; at < count; at++) {
        let parent = at - 1;
        for (let up = random(4); up > 0 && parents[parent]! >= 0; up--) parent = parents[parent]!;
        parents[at] = parent;
      }
      const across = Float64Array.from({ length: count }, () => 10 + random(60));
      const along = Float64Array.from({ length: count }, () => 20 + random(200));
      const places = tidy({ parents, across, along });
      for (let one = 0; one < count; one++) {
        for (let other = one + 1; other < count; other++) {
          const isApart =
            places.across[one]! + across[one]! <= places.across[other]! + 1e-6 ||
            places.across[other]! + across[other]! <= places.across[one]! + 1e-6 ||
            places.along[one]! + along[one]! <= places.along[other]! + 1e-6 ||
            places.along[other]! + along[other]! <= places.along[one]! + 1e-6;
          const isInOrder = parents[one] !== parents[other] || places.across[one]! < places.across[other]!;
          if (!isApart || !isInOrder) expect.fail(`round ${round}: ${one} and ${other}`);
        }
      }
    }
  });

  it("lays out a chain of 100,000 nodes without recursion", () => {
    const count = 100_000;
    const parents = Int32Array.from({ length: count }, (_, at) => at - 1);
    const sizes = new Float64Array(count).fill(10);
    const places = tidy({ parents, across: sizes, along: sizes });
    expect(places.along[count - 1]).toBe((count - 1) * 10);
  });

  it("lays out 10,000 nodes in a moment; the speed script has the figure", () => {
    const tree = treeOf(10_000, 5);
    place(tree, measure, "right");
    const times = [1, 2, 3].map(() => {
      const cards = new Map([...tree.cards].map(([idx, card]) => [idx, { ...card }]));
      const before = performance.now();
      place({ ...tree, cards }, measure, "right");
      return performance.now() - before;
    });
    expect(Math.min(...times)).toBeLessThan(1500);
  });
});

describe("place", () => {
  it("leaves out what a folded node hides", () => {
    const tree = treeOf(40, 3);
    const folded = new Map(tree.cards);
    folded.set(1, { ...tree.cards.get(1)!, collapsed: true });
    const layout = place({ ...tree, cards: folded }, measure, "right");
    expect(layout.cards.some((card) => card.parent === 1)).toBe(false);
    expect(place({ ...tree, cards: folded, revealed: new Set([1]) }, measure, "right").cards).toHaveLength(
      40,
    );
  });

  it("finds the card under a point, and where a drop would go", () => {
    const layout = place(treeOf(13, 3), measure, "right");
    const at = layout.index.get(2)!;
    const x = layout.x[at]! + 5;
    expect(layout.cards[cardAt(layout, x, layout.y[at]! + 2)]?.idx).toBe(2);
    expect(cardAt(layout, -500, -500)).toBe(-1);
    const parent = layout.cards[at]!.parent!;
    const siblings = layout.cards[layout.index.get(parent)!]!.children;
    expect(dropAt(layout, x, layout.y[at]! + 1)).toEqual({ parent, at: siblings.indexOf(2) });
    expect(dropAt(layout, x, layout.y[at]! + layout.faces[at]!.height / 2)?.parent).toBe(2);
  });

  it("says of a card that its words do not fit", () => {
    const card = { ...treeOf(1, 1).cards.get(0)!, title: "x".repeat(200) };
    expect(faceOf(card, measure).isCut).toBe(true);
  });
});
