// What can be undone in one document.

import type { Splice } from "../net/protocol.ts";
import { apply, between } from "./text.ts";

/** A text of the page: a key of the dictionaries and what stands in its gaps. */
export interface Label {
  key: string;
  args?: Record<string, string | number>;
}

export interface Step {
  id: number;
  label: Label;
  forward: Splice[];
  backward: Splice[];
  /** What was selected before and after. */
  before: number[];
  after: number[];
  /** Steps in a row with the same word are one, such as letters typed into one field. */
  merge?: string | undefined;
  at: number;
}

export interface History {
  done: Step[];
  undone: Step[];
}

/** Steps are bounded by number and by the letters that they keep. */
export const MOST_STEPS = 1000;
const MOST_LETTERS = 20_000_000;
const MERGE_WITHIN = 1500;

export const empty: History = { done: [], undone: [] };

/** The history after a step. `text` is the document's after it. */
export function push(history: History, step: Step, text: string): History {
  const last = history.done.at(-1);
  if (last?.merge && last.merge === step.merge && step.at - last.at < MERGE_WITHIN) {
    const before = apply(apply(text, step.backward), last.backward);
    const merged: Step = {
      ...step,
      before: last.before,
      forward: between(before, text),
      backward: between(text, before),
    };
    return { done: [...history.done.slice(0, -1), merged], undone: [] };
  }
  const done = [...history.done, step];
  let letters = 0;
  let first = done.length;
  while (first > 0 && done.length - first < MOST_STEPS) {
    const one = done[first - 1]!;
    for (const splice of one.forward) letters += splice.text.length;
    for (const splice of one.backward) letters += splice.text.length;
    if (letters > MOST_LETTERS && first < done.length) break;
    first--;
  }
  return { done: done.slice(first), undone: [] };
}

export function undone(history: History): History {
  const step = history.done.at(-1);
  if (!step) return history;
  // What comes after an undone step is not part of it.
  const closed = { ...step, merge: undefined };
  return { done: history.done.slice(0, -1), undone: [...history.undone, closed] };
}

export function redone(history: History): History {
  const step = history.undone.at(-1);
  if (!step) return history;
  return { done: [...history.done, step], undone: history.undone.slice(0, -1) };
}

/** Which step the text stands after; 0 at the beginning. */
export function mark(history: History): number {
  return history.done.at(-1)?.id ?? 0;
}
