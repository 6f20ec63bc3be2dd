// What the runtime says of why an agent waits, in parts: the one that decides comes first.

import { inLine } from "./times.ts";

/** How a part begins. */
export type Kind = "waiting" | "failed" | "refused" | "forced" | "suspended" | "";

export interface Said {
  kind: Kind;
  /** Its first line. */
  head: string;
  /** What is below it, with how far each line is indented. */
  lines: { text: string; depth: number }[];
}

export interface Explained {
  /** How the tree stands. */
  state: string;
  /** What decides; none if nothing waits and nothing failed. */
  deciding: Said | null;
  others: Said[];
}

/** The same text with the values of properties: the runtime asks the agent for none, the page knows them. */
export function withProperties(text: string, properties: Readonly<Record<string, unknown>>): string {
  const shown = (name: string) =>
    Object.hasOwn(properties, name) ? inLine(properties[name], 60) : undefined;
  return text
    .replaceAll(/`@([^`]+)` is read of the agent/g, (whole, name: string) => {
      const value = shown(name);
      return value === undefined ? whole : `\`@${name}\` is ${value}`;
    })
    .replaceAll(/property `([^`]+)`(?! =)/g, (whole, name: string) => {
      const value = shown(name);
      return value === undefined ? whole : `${whole} = ${value}`;
    });
}

const KIND = /^(waiting|failed|refused|forced|suspended)/;
/** What is forced decides whatever else there is; a leaf that waits decides over what is refused meanwhile. */
const ORDER: Kind[] = ["forced", "waiting", "failed", "refused", "suspended", ""];

export function explained(text: string): Explained {
  const state: string[] = [];
  const parts: Said[] = [];
  for (const line of text.trimEnd().split("\n")) {
    // What is below a part is indented: it may begin with such a word, too.
    const kind = (KIND.exec(line)?.[1] ?? "") as Kind;
    const trimmed = line.trimStart();
    const last = parts.at(-1);
    if (kind !== "") parts.push({ kind, head: line, lines: [] });
    else if (last) last.lines.push({ text: trimmed, depth: line.length - trimmed.length });
    else state.push(trimmed);
  }
  const poll = pollOf(state.at(-1) ?? "");
  // What failed in an earlier poll, and did not run in this one, is not what decides.
  const rank = (part: Said) => {
    const last = part.kind === "failed" ? pollOf(part.head) : null;
    return last !== null && poll !== null && last < poll ? ORDER.length : ORDER.indexOf(part.kind);
  };
  const sorted = [...parts].sort((one, other) => rank(one) - rank(other));
  const [deciding = null, ...others] = sorted;
  return { state: state.join("; "), deciding, others };
}

/** The poll that a line ends with. */
function pollOf(line: string): number | null {
  const found = /in poll (\d+)\)?$/.exec(line);
  return found ? Number(found[1]) : null;
}

/** Whether a guard that does not hold decides: something else runs where another part is before it. */
export function isDecisive(of: Explained, part: Said): boolean {
  if (part === of.deciding) return true;
  return part.kind === of.deciding?.kind;
}
