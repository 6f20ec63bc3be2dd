// What is not finished yet and not wrong: a node that has just been made lacks what one is about to give it.

import type { Finding } from "../net/protocol.ts";

/** A required key, children, an argument or a name is missing. */
const MISSING = new Set(["BT0006", "BT0023", "BT0025", "BT0039"]);

/** What is said of a whole tree, and only once nothing of it is missing: that it never waits. */
const OF_THE_WHOLE = new Set(["BT0061"]);

/**
 * Problems with those of new nodes that say that something is missing told as still to do, and until that is done
 * without those of the tree as a whole.
 */
export function softened(findings: readonly Finding[], fresh: ReadonlySet<number>): Finding[] {
  const isToDo = ({ node, level, code }: Finding) =>
    node !== null && node !== undefined && fresh.has(node) && level === "error" && MISSING.has(code);
  const isUnfinished = findings.some(isToDo);
  return findings
    .filter(({ code }) => !isUnfinished || !OF_THE_WHOLE.has(code))
    .map((finding) => (isToDo(finding) ? { ...finding, level: "todo" } : finding));
}

/** After a save nothing is new. */
export function hardened(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => (finding.level === "todo" ? { ...finding, level: "error" } : finding));
}
