// Where a recording continues to: the next record at which there is a breakpoint.

import type { StoredBreakpoint } from "../../net/protocol.ts";
import type { Server } from "../../net/socket.ts";

/** How many records of a node are read to find one at which there is a breakpoint. */
const MOST_TRIES = 200;

interface Who {
  session: number;
  agent: string;
}

/** The first record from a number on at which a breakpoint would stop; null if there is none. */
export async function nextStop(
  server: Pick<Server, "call">,
  who: Who,
  from: number,
  breakpoints: StoredBreakpoint[],
): Promise<number | null> {
  let next: number | null = null;
  for (const { enabled, spec } of breakpoints) {
    if (!enabled || !spec.tree || typeof spec.idx !== "number") continue;
    const found = await nextOf(server, who, from, spec.tree, spec.idx, spec.on);
    if (found !== null && (next === null || found < next)) next = found;
  }
  return next;
}

/** The next record of a node that a breakpoint on it would stop at. */
async function nextOf(
  server: Pick<Server, "call">,
  who: Who,
  from: number,
  tree: string,
  idx: number,
  on: string,
): Promise<number | null> {
  let at = from;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const text = `${tree}: node ${idx}`;
    const { row } = await server.call("game.find", { ...who, text, from: at, back: false });
    if (!row) return null;
    const result = (row.detail as { result?: string }).result ?? "";
    const isEnd = row.cmd === "node_leave" && (on === "exit" || result.startsWith(on));
    const isHit = on === "enter" ? row.cmd === "node_enter" : on === "guard" ? row.cmd === "guard" : isEnd;
    if (isHit && row.idx === idx && row.tree === tree) return row.no;
    at = row.no + 1;
  }
  return null;
}
