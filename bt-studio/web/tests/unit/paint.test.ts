import { describe, expect, it } from "vitest";
import { byLetters } from "../../src/layout/face.ts";
import { place } from "../../src/layout/place.ts";
import { paint, type Scene } from "../../src/paint/renderer.ts";
import type { Theme } from "../../src/paint/theme.ts";
import { treeOf } from "./trees.ts";

/** A canvas that only notes what is written on it, and measures letters as the layout does. */
function noted(): { context: CanvasRenderingContext2D; texts: { text: string; x: number; y: number }[] } {
  const texts: { text: string; x: number; y: number }[] = [];
  const known: Record<string, unknown> = {
    fillText: (text: string, x: number, y: number) => texts.push({ text, x, y }),
    measureText: (text: string) => ({ width: text.length * 7 }),
  };
  const context = new Proxy(known, {
    get: (target, key) => target[String(key)] ?? (() => undefined),
    set: () => true,
  });
  return { context: context as unknown as CanvasRenderingContext2D, texts };
}

const theme = new Proxy({}, { get: (_, key) => (key === "group" ? {} : "#888") }) as Theme;

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
});
