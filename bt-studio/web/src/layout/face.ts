// What stands on a card, and how much room it takes.

import { attachedWords, headingOf } from "../i18n/kinds.ts";
import type { Card } from "../net/protocol.ts";

/** How wide a text is in a font of this weight. */
export type Measure = (text: string, strong: boolean) => number;

export interface Line {
  kind: "guard" | "attached" | "comment";
  text: string;
}

export interface Face {
  /** The first lines: a call's name and arguments, and what else its kind takes. */
  heads: string[];
  number: string;
  lines: Line[];
  width: number;
  height: number;
  /** Some text does not fit. */
  isCut: boolean;
}

/** How narrow cards are, and how close to each other. */
export interface Density {
  /** The widest card. */
  widest: number;
  /** So many lines has the first part of a card, at most. */
  heads: number;
  /** So many lines has a comment, at most; none shows it in the tooltip alone. */
  comments: number;
  /** No comment makes a card wider than this. */
  comment: number;
  /** The room at the left and the right of the texts, with the strip of the symbol. */
  sides: number;
  /** Whether a number that does not fit beside the first line is left out: the tooltip has it. */
  isBare: boolean;
  siblings: number;
  levels: number;
  /** Chains of single children stand below each other, and so do leaves where the root is at the top. */
  isStacked: boolean;
}

/** From roomy to narrow. A tree is shown in the first of them in which all of it can be read at once. */
export const DENSITIES: readonly Density[] = [
  {
    widest: 420,
    heads: 1,
    comments: 2,
    comment: 240,
    sides: 42,
    isBare: false,
    siblings: 10,
    levels: 36,
    isStacked: false,
  },
  {
    widest: 250,
    heads: 2,
    comments: 2,
    comment: 200,
    sides: 42,
    isBare: false,
    siblings: 8,
    levels: 28,
    isStacked: false,
  },
  {
    widest: 200,
    heads: 3,
    comments: 2,
    comment: 190,
    sides: 38,
    isBare: false,
    siblings: 7,
    levels: 22,
    isStacked: true,
  },
  {
    widest: 150,
    heads: 3,
    comments: 1,
    comment: 150,
    sides: 36,
    isBare: true,
    siblings: 6,
    levels: 18,
    isStacked: true,
  },
  {
    widest: 122,
    heads: 4,
    comments: 0,
    comment: 122,
    sides: 35,
    isBare: true,
    siblings: 5,
    levels: 16,
    isStacked: true,
  },
];

export const HEAD = 24;
export const LINE = 17;
export const SYMBOL = 22;
const NARROWEST = 76;
const BOTTOM = 5;
/** No guard takes more lines. */
const MOST_LINES = 4;

export function faceOf(card: Card, measure: Measure, density: Density = DENSITIES[0]!): Face {
  const { widest, sides, comment: commentRoom } = density;
  let number = `#${card.idx}`;
  let beside = measure(number, false) + 10;
  const room = widest - sides;
  const strong = (text: string) => measure(text, true);
  const heads = wrap(
    joined(headingOf(card)),
    room,
    density.isBare ? room : room - beside,
    density.heads,
    strong,
  );
  if (density.isBare && strong(heads.lines[0]!) + beside > room) {
    number = "";
    beside = 0;
  }
  let width = Math.max(...heads.lines.map((line, at) => measure(line, true) + (at === 0 ? beside : 0)));
  let isCut = heads.isCut;
  const lines: Line[] = [];
  const add = (kind: Line["kind"], text: string, within: number, most: number) => {
    const wrapped = wrap(text, within, within, most, (part) => measure(part, false));
    isCut ||= wrapped.isCut;
    for (const line of wrapped.lines) {
      lines.push({ kind, text: line });
      width = Math.max(width, measure(line, false));
    }
  };
  for (const { when, what } of card.attached)
    add(when.includes("if") ? "guard" : "attached", attachedWords(when, what), room, MOST_LINES);
  if (card.comment) {
    // A long comment makes no card wide: the tooltip has all of it.
    const within = Math.min(Math.max(width, commentRoom - sides), room);
    if (density.comments > 0) add("comment", `“${card.comment}”`, within, density.comments);
    else isCut = true;
  }
  return {
    heads: heads.lines,
    number,
    lines,
    width: Math.min(Math.max(Math.ceil(width + sides), NARROWEST), widest),
    height: HEAD + (heads.lines.length - 1 + lines.length) * LINE + (lines.length > 0 ? BOTTOM : 0),
    isCut,
  };
}

/** A short value stays with its unit, and with the sign before it. */
function joined(heading: string): string {
  return heading
    .replaceAll(" · ", " ·\u00a0")
    .replaceAll(" : ", "\u00a0:\u00a0")
    .replaceAll(/(\d) s\b/g, "$1\u00a0s");
}

/** Breaks a text into lines that fit; what is more than the last of them is cut. */
export function wrap(
  text: string,
  room: number,
  firstRoom: number,
  most: number,
  measure: (text: string) => number,
): { lines: string[]; isCut: boolean } {
  const whole = text.replaceAll(/\s*\n\s*/g, " ");
  if (measure(whole) <= firstRoom) return { lines: [whole], isCut: false };
  const lines: string[] = [];
  let rest = whole;
  while (rest !== "") {
    const within = lines.length === 0 ? firstRoom : room;
    if (measure(rest) <= within) {
      lines.push(rest);
      return { lines, isCut: false };
    }
    if (lines.length === most - 1) {
      lines.push(cutTo(rest, within, measure));
      return { lines, isCut: true };
    }
    const end = breakOf(rest, fitting(rest, within, measure));
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return { lines, isCut: false };
}

/** How many letters of a text fit; one at least. */
function fitting(text: string, room: number, measure: (text: string) => number): number {
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(text.slice(0, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a line ends that has room for so many letters: behind a word, or a part of a name. */
function breakOf(text: string, room: number): number {
  for (const stops of [/[ ,(]/, /[_/-]/, /\./]) {
    for (let at = room; at > Math.min(3, room - 1); at--) {
      // A blank that does not fit is not shown.
      if (stops.test(text[at - 1]!) || text[at] === " ") return at;
    }
  }
  return room;
}

export function cutTo(text: string, room: number, measure: (text: string) => number): string {
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  if (measure(line) <= room + 1) return line;
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${line.slice(0, middle)}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${line.slice(0, low)}…`;
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
