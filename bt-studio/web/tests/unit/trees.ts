// Trees for tests.

import type { Shown } from "../../src/model/tree.ts";
import type { Card, KindInfo } from "../../src/net/protocol.ts";

export function card(idx: number, parent: number | null, children: number[], kind = "sequence"): Card {
  return {
    idx,
    parent,
    children,
    kind,
    group: kind === "root" ? "root" : kind === "action" ? "action" : "composite",
    symbol: "→",
    title: kind,
    arguments: "",
    parameters: "",
    attached: [],
    comment: "",
    collapsed: false,
    disabled: false,
    left_out: false,
    unknown_kind: false,
    pointer: `/nodes/${idx}`,
  };
}

/** A tree of this many nodes, filled level by level. */
export function treeOf(count: number, fanOut: number): Shown {
  const cards = new Map<number, Card>();
  for (let idx = 0; idx < count; idx++) {
    const children: number[] = [];
    for (let child = idx * fanOut + 1; child <= idx * fanOut + fanOut && child < count; child++)
      children.push(child);
    const parent = idx === 0 ? null : Math.floor((idx - 1) / fanOut);
    cards.set(
      idx,
      card(idx, parent, children, idx === 0 ? "root" : children.length === 0 ? "action" : "sequence"),
    );
  }
  return { cards, root: 0, revealed: new Set() };
}

export function kind(name: string, min: number, max: number | null, schema: unknown = {}): KindInfo {
  return {
    name,
    group: name === "root" ? "root" : "composite",
    symbol: "",
    brief: "",
    min_children: min,
    max_children: max,
    schema,
    leaf: max === 0,
  };
}

/** A small generator with a seed, so that a failure can be repeated. */
export function randoms(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}
