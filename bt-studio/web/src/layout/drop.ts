// Where something becomes a child that is dropped at a point: on a card, or in a gap between siblings.

import { cardAt, type Layout } from "./place.ts";

/** Of which node, and before which child. */
export interface Drop {
  parent: number;
  at: number;
}

/** So far beside the first and the last sibling one can drop. */
const BEYOND = 26;

/** Whether a card's siblings stand below each other, and not beside each other. */
export function isColumn(layout: Layout, at: number): boolean {
  return layout.orientation === "right" || layout.isStacked[at] === 1;
}

export function dropAt(layout: Layout, x: number, y: number): Drop | null {
  const under = cardAt(layout, x, y);
  return under < 0 ? inGap(layout, x, y) : onCard(layout, under, x, y);
}

/** The middle of a card takes children; its edges mean a place before or behind it. */
function onCard(layout: Layout, under: number, x: number, y: number): Drop {
  const card = layout.cards[under]!;
  const face = layout.faces[under]!;
  const parent = layout.parents[under]!;
  const part = isColumn(layout, under)
    ? (y - layout.y[under]!) / face.height
    : (x - layout.x[under]!) / face.width;
  if (parent >= 0 && (part < 0.3 || part > 0.7)) {
    const above = layout.cards[parent]!;
    const place = above.children.indexOf(card.idx);
    return { parent: above.idx, at: part < 0.5 ? place : place + 1 };
  }
  return { parent: card.idx, at: card.children.length };
}

/** The nearest gap: above, between or below siblings, where the point is beside their cards. */
function inGap(layout: Layout, x: number, y: number): Drop | null {
  let best: Drop | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  // Siblings come in their order.
  const seen = new Int32Array(layout.cards.length);
  for (let at = 1; at < layout.cards.length; at++) {
    const parent = layout.cards[layout.parents[at]!]!;
    const place = seen[layout.parents[at]!]!++;
    const next = layout.index.get(parent.children[place + 1] ?? -1);
    if (place === 0) look(at, -BEYOND, { parent: parent.idx, at: 0 });
    if (next === undefined) look(at, BEYOND, { parent: parent.idx, at: place + 1 });
    else between(at, next, { parent: parent.idx, at: place + 1 });
  }
  return best;

  /** A stretch before or behind a card. */
  function look(at: number, by: number, drop: Drop): void {
    const [low, high] = span(at);
    const from = by < 0 ? low + by : high;
    take(at, at, from, from + Math.abs(by), drop);
  }

  function between(one: number, other: number, drop: Drop): void {
    // From the end of a row to the column below it there is no gap.
    if (isColumn(layout, one) !== isColumn(layout, other)) {
      look(one, BEYOND, drop);
      look(other, -BEYOND, drop);
    } else take(one, other, span(one)[1], span(other)[0], drop);
  }

  function take(one: number, other: number, from: number, to: number, drop: Drop): void {
    const [along, across] = isColumn(layout, one) ? [y, x] : [x, y];
    if (along < from || along > to) return;
    const [left, right] = breadth(one, other);
    if (across < left - 12 || across > right + 12) return;
    const distance = Math.abs(along - (from + to) / 2);
    if (distance < nearest) {
      nearest = distance;
      best = drop;
    }
  }

  /** From where to where a card reaches among its siblings. */
  function span(at: number): [number, number] {
    const face = layout.faces[at]!;
    return isColumn(layout, at)
      ? [layout.y[at]!, layout.y[at]! + face.height]
      : [layout.x[at]!, layout.x[at]! + face.width];
  }

  function breadth(one: number, other: number): [number, number] {
    const sides = [one, other].map((at) => {
      const face = layout.faces[at]!;
      return isColumn(layout, at)
        ? [layout.x[at]!, layout.x[at]! + face.width]
        : [layout.y[at]!, layout.y[at]! + face.height];
    });
    return [Math.min(sides[0]![0]!, sides[1]![0]!), Math.max(sides[0]![1]!, sides[1]![1]!)];
  }
}
