import { describe, expect, it } from "vitest";
import { dropAt } from "../../src/layout/drop.ts";
import { byLetters, DENSITIES, faceOf } from "../../src/layout/face.ts";
import { cardAt, place } from "../../src/layout/place.ts";
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

  it("lets no two cards overlap, in both layouts and at every density", () => {
    const tree = treeOf(60, 3);
    for (const orientation of ["right", "down"] as const) {
      for (let level = 0; level < DENSITIES.length; level++) {
        const { x, y, faces } = place(tree, measure, orientation, level);
        for (let one = 0; one < faces.length; one++) {
          for (let other = one + 1; other < faces.length; other++) {
            const isApart =
              x[one]! + faces[one]!.width <= x[other]! ||
              x[other]! + faces[other]!.width <= x[one]! ||
              y[one]! + faces[one]!.height <= y[other]! ||
              y[other]! + faces[other]!.height <= y[one]!;
            if (!isApart) expect.fail(`${orientation}, density ${level}: ${one} and ${other}`);
          }
        }
      }
    }
  });

  it("drops into the gap between siblings, before the first and behind the last", () => {
    const tree = treeOf(13, 3);
    for (const orientation of ["right", "down"] as const) {
      for (const level of [0, 4]) {
        const layout = place(tree, measure, orientation, level);
        const root = layout.cards[0]!;
        const [first, second] = root.children.map((idx) => layout.index.get(idx)!) as [number, number];
        const isColumn = orientation === "right";
        const near = (at: number) => {
          const { width, height } = layout.faces[at]!;
          return { low: isColumn ? layout.y[at]! : layout.x[at]!, size: isColumn ? height : width };
        };
        const point = (across: number) => {
          const along = (isColumn ? layout.x[first]! : layout.y[first]!) + 4;
          return isColumn ? ([along, across] as const) : ([across, along] as const);
        };
        const what = `${orientation}, density ${level}`;
        const gap = (near(first).low + near(first).size + near(second).low) / 2;
        expect(dropAt(layout, ...point(gap)), what).toEqual({ parent: root.idx, at: 1 });
        const before = near(first).low - 8;
        expect(dropAt(layout, ...point(before)), what).toEqual({ parent: root.idx, at: 0 });
      }
    }
  });
});

describe("a card", () => {
  const tree = treeOf(1, 1).cards.get(0)!;

  it("shows its guard and its keys whole, however narrow it is", () => {
    const attached = [
      { when: "if", what: "not is_far_from_home, aborts self" },
      { when: "key", what: "$prey: uint64 = 0" },
    ];
    for (const density of DENSITIES) {
      const face = faceOf({ ...tree, attached }, measure, density);
      const words = face.lines.map(({ text }) => text).join(" ");
      expect(words.replaceAll(/_ /g, "_")).toBe("if not is_far_from_home, aborts self key $prey: uint64 = 0");
      expect(face.width).toBeLessThanOrEqual(density.widest);
    }
  });

  it("wraps a long comment, and breaks no word that fits", () => {
    const face = faceOf({ ...tree, comment: "However the hunt ends, the prey is forgotten" }, measure);
    const comment = face.lines.filter(({ kind }) => kind === "comment");
    expect(comment).toHaveLength(2);
    const narrow = faceOf({ ...tree, title: "sequence" }, measure, DENSITIES.at(-1)!);
    expect(narrow.heads).toEqual(["sequence"]);
  });
});
