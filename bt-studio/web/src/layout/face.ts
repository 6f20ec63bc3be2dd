// What stands on a card, and how much room it takes.

import { heading } from "../model/tree.ts";
import type { Card } from "../net/protocol.ts";

/** How wide a text is in a font of this weight. */
export type Measure = (text: string, strong: boolean) => number;

export interface Line {
  kind: "guard" | "attached" | "comment";
  text: string;
}

export interface Face {
  /** The first line: a call's name and arguments, and what else its kind takes. */
  head: string;
  number: string;
  lines: Line[];
  width: number;
  height: number;
  /** Some text does not fit. */
  isCut: boolean;
}

export const HEAD = 24;
export const LINE = 17;
export const PAD = 10;
export const SYMBOL = 22;
export const WIDEST = 420;
const COMMENT = 210;
const NARROWEST = 90;
const BOTTOM = 5;

/** What a person reads before a line that has no word of its own. */
function attachedLine(when: string, what: string): string {
  return `${when} ${what}`;
}

export function faceOf(card: Card, measure: Measure): Face {
  const head = heading(card);
  const number = `#${card.idx}`;
  const lines: Line[] = card.attached.map(({ when, what }) => ({
    kind: when.includes("if") ? "guard" : "attached",
    text: attachedLine(when, what),
  }));
  if (card.comment) lines.push({ kind: "comment", text: card.comment });
  let width = SYMBOL + measure(head, true) + 10 + measure(number, false);
  let isCut = false;
  for (const line of lines) {
    const needs = SYMBOL + measure(line.text, false);
    // A long comment makes no card wide: the tooltip has all of it.
    const most = line.kind === "comment" ? Math.max(width, COMMENT) : needs;
    isCut ||= needs > most || line.text.includes("\n");
    width = Math.max(width, Math.min(needs, most));
  }
  width = Math.ceil(width + PAD * 2);
  isCut ||= width > WIDEST;
  return {
    head,
    number,
    lines,
    width: Math.min(Math.max(width, NARROWEST), WIDEST),
    height: HEAD + lines.length * LINE + (lines.length > 0 ? BOTTOM : 0),
    isCut,
  };
}

/** Widths by adding up letters, each measured once: a tree of 10,000 nodes has too many texts to measure each. */
export function byLetters(measure: (letter: string, strong: boolean) => number): Measure {
  const known = [new Map<string, number>(), new Map<string, number>()] as const;
  return (text, strong) => {
    const widths = known[strong ? 1 : 0];
    let sum = 0;
    for (const letter of text) {
      let width = widths.get(letter);
      if (width === undefined) {
        width = measure(letter, strong);
        widths.set(letter, width);
      }
      sum += width;
    }
    return sum;
  };
}
