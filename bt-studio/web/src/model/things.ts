// What a node is about, for commands that act on a name in all trees.

import type { CallInfo, Card, KeyInfo, NodeInfo, Thing } from "../net/protocol.ts";
import { readExtra } from "./arguments.ts";
import { namesIn } from "./expression.ts";
import { isObject } from "./json.ts";
import type { Tab } from "./state.ts";

const KINDS = ["action", "condition", "decorator", "composite"] as const;

/** What the node calls; of one that calls nothing, the tree that it is in. */
export function thingOf(tab: Tab, card: Card): Thing {
  const agent = tab.agent || null;
  const called = KINDS.find((kind) => kind === card.kind && card.title !== card.kind);
  if (called) return { kind: called, name: card.title, agent };
  if (card.group === "event") return { kind: "event", name: card.title, agent };
  if (card.group === "tree" && card.title !== card.kind && !card.title.startsWith("$")) {
    return { kind: "tree", name: card.title };
  }
  return { kind: "tree", name: tab.name };
}

/** A key as it is named in all trees, or in this one alone where it is this one's. */
export function keyOf(tab: Tab, key: KeyInfo): Thing {
  const isOwn = key.scope === "tree" || key.scope === "node";
  return { kind: "key", name: key.name, agent: tab.agent || null, ...(isOwn && { path: tab.path }) };
}

/** All names that stand at a node, what it is about first, and the tree that it is in last. */
export function thingsOf(tab: Tab, card: Card, info: NodeInfo): Thing[] {
  const agent = tab.agent || null;
  // Of a check that is what its expression names.
  const things = card.kind === "check" ? [] : [thingOf(tab, card)];
  const calls = [...(info.call ? [info.call] : []), ...info.attached];
  for (const call of calls) {
    if (call.name) things.push({ kind: kindOf(call), name: call.name, agent });
    for (const { property } of call.arguments) {
      if (property) things.push({ kind: "property", name: property, agent });
    }
  }
  const own = card.kind === "check" ? card.title : undefined;
  const texts = calls.flatMap((call) => [call.expression, ...call.arguments.map((one) => one.expression)]);
  for (const { sign, name } of [own, ...texts].flatMap((text) => namesIn(text ?? ""))) {
    const key = sign === "$" ? info.keys.find((one) => one.name === name) : undefined;
    if (key) things.push(keyOf(tab, key));
    else if (sign !== "$") things.push({ kind: sign === "@" ? "property" : "condition", name, agent });
  }
  for (const key of info.keys) {
    const isHere =
      key.declared_by === card.idx || key.read_by.includes(card.idx) || key.written_by.includes(card.idx);
    if (isHere) things.push(keyOf(tab, key));
  }
  const { events } = readExtra(info.extra_raw);
  for (const event of Array.isArray(events) ? events : []) {
    if (!isObject(event)) continue;
    if (typeof event.event === "string") things.push({ kind: "event", name: event.event, agent });
    if (typeof event.tree === "string") things.push({ kind: "tree", name: event.tree });
  }
  things.push({ kind: "tree", name: tab.name });
  return things.filter((one, at) => things.findIndex((other) => isSame(one, other)) === at);
}

export function isSame(one: Thing, other: Thing): boolean {
  return one.kind === other.kind && one.name === other.name;
}

function kindOf({ caller }: CallInfo): Thing["kind"] {
  if (caller === "guard" || caller === "condition" || caller === "reset_if") return "condition";
  return caller === "decorator" || caller === "composite" ? caller : "action";
}

/** Whether code has a thing's name, which trees alone cannot change: with the place of it, if that is known. */
export function inCode(of: Thing, info: NodeInfo): { isIn: boolean; origin: string } {
  if (of.kind === "event") return { isIn: info.events.some(({ name }) => name === of.name), origin: "" };
  if (of.kind === "property")
    return { isIn: info.properties.some(({ name }) => name === of.name), origin: "" };
  const calls = [...(info.call ? [info.call] : []), ...info.attached];
  const call =
    of.kind === "key" || of.kind === "tree" ? undefined : calls.find(({ name }) => name === of.name);
  return { isIn: call?.known ?? false, origin: call?.origin ?? "" };
}
