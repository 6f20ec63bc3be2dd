// What a node is about, for commands that act on a name in all trees.

import type { Card, Thing } from "../net/protocol.ts";
import type { Tab } from "./state.ts";

const KINDS = ["action", "condition", "decorator"] as const;

/** What the node calls; of one that calls nothing, the tree that it is in. */
export function thingOf(tab: Tab, card: Card): Thing {
  const agent = tab.agent || null;
  const called = KINDS.find((kind) => kind === card.group && card.title !== card.kind);
  if (called) return { kind: called, name: card.title, agent };
  if (card.group === "event") return { kind: "event", name: card.title, agent };
  if (card.group === "tree" && card.title !== card.kind && !card.title.startsWith("$")) {
    return { kind: "tree", name: card.title };
  }
  return { kind: "tree", name: tab.name };
}
