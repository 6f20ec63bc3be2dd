// What a tab of the browser keeps of its documents while its page is loaded anew: the steps that can be undone.

import type { History } from "./history.ts";
import type { Tab } from "./state.ts";

/** The steps of a document, and the text that they belong to. */
export interface KeptSteps {
  text: string;
  history: History;
  savedAt: number;
}

const STEPS = "bt-studio-steps:";
/** The browser keeps some megabytes for all of them: longer histories lose their first steps. */
const MOST_LETTERS = 500_000;

/** A text in few letters. Two texts of one document have the same by no accident that matters. */
export function sumOf(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return `${text.length}:${one >>> 0}:${other >>> 0}`;
}

export function keepSteps(storage: Storage, tabs: readonly Tab[]): void {
  for (const key of Object.keys(storage)) if (key.startsWith(STEPS)) storage.removeItem(key);
  for (const { path, text, history, savedAt, game } of tabs) {
    if (game || history.done.length + history.undone.length === 0) continue;
    const kept: KeptSteps = { text: sumOf(text), history, savedAt };
    let json = JSON.stringify(kept);
    while (json.length > MOST_LETTERS && kept.history.done.length > 0) {
      const half = Math.ceil(kept.history.done.length / 2);
      kept.history = { ...kept.history, done: kept.history.done.slice(half) };
      json = JSON.stringify(kept);
    }
    try {
      if (json.length <= MOST_LETTERS) storage.setItem(STEPS + path, json);
    } catch {
      // The browser keeps no more: then these cannot be undone on the new page.
    }
  }
}

/** What was kept of a document. */
export function keptSteps(storage: Storage, path: string): KeptSteps | null {
  try {
    return JSON.parse(storage.getItem(STEPS + path) ?? "null") as KeptSteps | null;
  } catch {
    return null;
  }
}
