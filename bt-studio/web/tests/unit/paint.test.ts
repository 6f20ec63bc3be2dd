import { describe, expect, it } from "vitest";
import { byLetters } from "../../src/layout/face.ts";
import { place } from "../../src/layout/place.ts";
import { paint, type Scene } from "../../src/paint/renderer.ts";
import type { Theme } from "../../src/paint/theme.ts";
import { treeOf } from "./trees.ts";

interface Written {
  text: string;
  x: number;
  y: number;
  color: string;
}

/** A canvas that only notes what is written on it, and measures letters as the layout does. */
function noted(): { context: CanvasRenderingContext2D; texts: Written[] } {
  const texts: Written[] = [];
  const known: Record<string, unknown> = {
    fillText: (text: string, x: number, y: number) =>
      texts.push({ text, x, y, color: String(known.fillStyle) }),
    measureText: (text: string) => ({ width: text.length * 7 }),
  };
  const context = new Proxy(known, {
    get: (target, key) => target[String(key)] ?? (() => undefined),
    set: (target, key, value) => {
      target[String(key)] = value;
      return true;
    },
  });
  return { context: context as unknown as CanvasRenderingContext2D, texts };
}

/** Each colour by its name. */
const theme = new Proxy({}, { get: (_, key) => (key === "group" ? {} : String(key)) }) as Theme;

describe("paint", () => {
  it("leaves no card empty, from the smallest size at which cards are more than boxes", () => {
    const tree = treeOf(20, 3);
    const layout = place(
      tree,
      byLetters(() => 7),
      "right",
    );
    const scene: Scene = {
      layout,
      shown: tree,
      selection: new Set(),
      focus: null,
      marks: { errors: new Map(), found: new Set(), hidden: () => 0 },
      hasFocus: false,
      drop: null,
      band: null,
    };
    for (const zoom of [0.3, 0.4, 0.5, 0.6, 1]) {
      const { context, texts } = noted();
      const camera = { x: -layout.left * zoom, y: -layout.top * zoom, zoom };
      paint(context, scene, camera, 10_000, 10_000, 1, theme);
      const empty = layout.cards.filter((card, at) => {
        const face = layout.faces[at]!;
        const inside = texts.filter(
          ({ x, y }) =>
            x > layout.x[at]! &&
            x < layout.x[at]! + face.width &&
            y > layout.y[at]! &&
            y < layout.y[at]! + face.height,
        );
        return !inside.some(({ text }) => text.startsWith(card.title.slice(0, 3)));
      });
      expect(
        empty.map(({ idx }) => idx),
        `zoom ${zoom}`,
      ).toEqual([]);
    }
  });

  it("writes the sign of a problem in the colour that stands out from it", () => {
    const tree = treeOf(4, 3);
    const layout = place(
      tree,
      byLetters(() => 7),
      "right",
    );
    const { context, texts } = noted();
    const errors = new Map([
      [1, "error"],
      [2, "warning"],
    ] as const);
    const scene: Scene = {
      layout,
      shown: tree,
      selection: new Set(),
      focus: null,
      marks: { errors, found: new Set(), hidden: () => 0 },
      hasFocus: false,
      drop: null,
      band: null,
    };
    paint(context, scene, { x: 0, y: 0, zoom: 1 }, 10_000, 10_000, 1, theme);
    const signs = texts.filter(({ text }) => text === "✕" || text === "!");
    expect(signs.map(({ color }) => color)).toEqual(["onSign", "onSign"]);
  });
});
