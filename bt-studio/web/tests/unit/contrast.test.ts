// Colours that stand on each other, on the page and on the canvas, which no checker of pages sees.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const sheet = readFileSync(join(import.meta.dirname, "../../src/styles/base.css"), "utf8");

/** The colours of a theme; the dark one has those of the light one that it does not change. */
function colors(theme: "light" | "dark"): Record<string, string> {
  const block = (start: string) => {
    const from = sheet.indexOf(start);
    return [...sheet.slice(from, sheet.indexOf("}", from)).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)];
  };
  const blocks = [block(":root {"), theme === "dark" ? block(':root[data-theme="dark"] {') : []];
  return Object.fromEntries(blocks.flat().map(([, name, value]) => [name!, value!]));
}

/** How light a colour is, from 0 to 1, as WCAG 2 counts it. */
function luminance(css: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(css.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** Words, and what they stand on. */
const WORDS: [words: string[], on: string[]][] = [
  [
    ["text", "weak", "accent", "error", "warning", "guard", "active"],
    ["panel", "canvas", "card", "raised"],
  ],
  [["text", "weak"], ["accent-weak"]],
  [["on-accent"], ["accent"]],
  [
    ["stop", "forced", "breakpoint", "found"],
    ["panel", "card"],
  ],
  [["on-sign"], ["active", "breakpoint", "forced", "error", "warning"]],
];

/** Signs and outlines that say something, and what they stand on. */
const SIGNS: [signs: string[], on: string[]][] = [
  [
    ["accent", "error", "warning", "found", "active", "stop", "breakpoint", "forced", "guard"],
    ["canvas", "card"],
  ],
];

describe.each(["light", "dark"] as const)("contrast, %s", (theme) => {
  const color = { ...colors(theme), white: "#ffffff" } as Record<string, string>;
  const groups = Object.keys(color).filter((name) => name.startsWith("group-"));
  const low = (pairs: [string[], string[]][], least: number) =>
    pairs.flatMap(([ones, others]) =>
      ones.flatMap((one) =>
        others.flatMap((other) => {
          const found = contrast(color[one]!, color[other]!);
          return found < least ? [`${one} on ${other}: ${found.toFixed(2)}`] : [];
        }),
      ),
    );

  it("of words is 4.5 at least", () => {
    expect(low(WORDS, 4.5)).toEqual([]);
  });

  it("of signs, outlines and the symbols of groups is 3 at least", () => {
    expect(groups.length).toBeGreaterThan(5);
    expect(low([...SIGNS, [["white"], groups]], 3)).toEqual([]);
  });
});
