// Questions about a tree's nodes.

import type { Card } from "../net/protocol.ts";

export type Cards = ReadonlyMap<number, Card>;

/** The parts of a tab that say which nodes are shown. */
export interface Shown {
  cards: Cards;
  root: number;
  revealed: ReadonlySet<number>;
}

/** Whether its children are hidden. */
export function isFolded(shown: Shown, card: Card): boolean {
  return card.collapsed && card.children.length > 0 && !shown.revealed.has(card.idx);
}

/** All nodes that are shown, parents before children, in order. */
export function visible(shown: Shown): Card[] {
  return walk(shown.cards, shown.root, (card) => isFolded(shown, card));
}

/** A node and all below it. */
export function below(cards: Cards, idx: number): Card[] {
  return walk(cards, idx, () => false);
}

function walk(cards: Cards, from: number, stop: (card: Card) => boolean): Card[] {
  const out: Card[] = [];
  const stack = [from];
  const seen = new Set<number>();
  while (stack.length > 0) {
    const card = cards.get(stack.pop()!);
    if (!card || seen.has(card.idx)) continue;
    seen.add(card.idx);
    out.push(card);
    if (stop(card)) continue;
    for (let at = card.children.length - 1; at >= 0; at--) stack.push(card.children[at]!);
  }
  return out;
}

export function parentOf(cards: Cards, card: Card): Card | undefined {
  return card.parent === null || card.parent === undefined ? undefined : cards.get(card.parent);
}

/** Its place among its parent's children; -1 for the root. */
export function placeOf(cards: Cards, card: Card): number {
  return parentOf(cards, card)?.children.indexOf(card.idx) ?? -1;
}

/** The nodes above it, the root first, itself last. */
export function pathTo(cards: Cards, idx: number): Card[] {
  const path: Card[] = [];
  const seen = new Set<number>();
  let card = cards.get(idx);
  while (card && !seen.has(card.idx)) {
    seen.add(card.idx);
    path.push(card);
    card = parentOf(cards, card);
  }
  return path.reverse();
}

export function isAbove(cards: Cards, upper: number, lower: number): boolean {
  return pathTo(cards, lower).some((card) => card.idx === upper);
}

/** Those of the nodes that are below none of the others, in the tree's order. */
export function tops(cards: Cards, root: number, chosen: ReadonlySet<number>): Card[] {
  return walk(cards, root, (card) => chosen.has(card.idx)).filter((card) => chosen.has(card.idx));
}

/** How many nodes a folded node hides. */
export function hiddenBelow(cards: Cards, idx: number): number {
  return below(cards, idx).length - 1;
}

export type Direction = "up" | "down" | "in" | "out";

/** The node that is reached from this one by an arrow key. */
export function neighbour(shown: Shown, card: Card, direction: Direction): Card | undefined {
  const { cards } = shown;
  if (direction === "out") return parentOf(cards, card);
  if (direction === "in") {
    return isFolded(shown, card) ? undefined : cards.get(card.children[0] ?? -1);
  }
  const step = direction === "down" ? 1 : -1;
  const parent = parentOf(cards, card);
  const sibling = parent?.children[placeOf(cards, card) + step];
  if (sibling !== undefined) return cards.get(sibling);
  return cousin(shown, card, step);
}

/** The nearest node of the same depth in the tree's order. */
function cousin(shown: Shown, card: Card, step: number): Card | undefined {
  const depths = new Map<number, number>([[shown.root, 0]]);
  const level: Card[] = [];
  const depth = pathTo(shown.cards, card.idx).length - 1;
  for (const one of visible(shown)) {
    const own = depths.get(one.idx) ?? 0;
    for (const child of one.children) depths.set(child, own + 1);
    if (own === depth) level.push(one);
  }
  return level[level.findIndex((one) => one.idx === card.idx) + step];
}

/** The node's own words in one line. */
export function heading(card: Card): string {
  const call = card.arguments ? `${card.title}(${card.arguments})` : card.title;
  return card.parameters ? `${call} · ${card.parameters}` : call;
}
