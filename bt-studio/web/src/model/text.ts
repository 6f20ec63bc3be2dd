// Texts and what changes them.

import type { Splice } from "../net/protocol.ts";

/** The text after the splices, whose places are those of the text before, in ascending order. */
export function apply(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** What takes the splices back: places are those of the text after them. `text` is the one before. */
export function invert(text: string, splices: readonly Splice[]): Splice[] {
  let shift = 0;
  return splices.map(({ from, to, text: put }) => {
    const start = from + shift;
    shift += put.length - (to - from);
    return { from: start, to: start + put.length, text: text.slice(from, to) };
  });
}

/** The one splice that makes the second text of the first, or none if they are equal. */
export function between(before: string, after: string): Splice[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  return [{ from: head, to: before.length - tail, text: after.slice(head, after.length - tail) }];
}
