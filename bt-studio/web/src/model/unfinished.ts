// What is not finished yet and not wrong: a node that has just been made lacks what one is about to give it.

import type { Finding } from "../net/protocol.ts";

/** A required key, children, an argument or a name is missing. */
const MISSING = new Set(["BT0006", "BT0023", "BT0025", "BT0039"]);

/** Problems with those of new nodes that say that something is missing told as still to do. */
export function softened(findings: readonly Finding[], fresh: ReadonlySet<number>): Finding[] {
  return findings.map((finding) => {
    const isNew = finding.node !== null && finding.node !== undefined && fresh.has(finding.node);
    return isNew && finding.level === "error" && MISSING.has(finding.code)
      ? { ...finding, level: "todo" }
      : finding;
  });
}

/** After a save nothing is new. */
export function hardened(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => (finding.level === "todo" ? { ...finding, level: "error" } : finding));
}
