// Where each card of a tree stands.

import { type Shown, visible } from "../model/tree.ts";
import type { Card } from "../net/protocol.ts";
import { type Face, faceOf, type Measure } from "./face.ts";
import { tidy } from "./tidy.ts";

export type Orientation = "right" | "down";

export interface Layout {
  orientation: Orientation;
  cards: Card[];
  faces: Face[];
  /** The place in the lists of a node. */
  index: Map<number, number>;
  parents: Int32Array;
  x: Float64Array;
  y: Float64Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const BETWEEN_SIBLINGS = 10;
const BETWEEN_LEVELS = 36;

const faces = new WeakMap<Card, Face>();

export function place(shown: Shown, measure: Measure, orientation: Orientation): Layout {
  const cards = visible(shown);
  const count = cards.length;
  const index = new Map<number, number>();
  const parents = new Int32Array(count).fill(-1);
  const across = new Float64Array(count);
  const along = new Float64Array(count);
  const shownFaces: Face[] = new Array(count);
  const isRight = orientation === "right";
  for (let at = 0; at < count; at++) {
    const card = cards[at]!;
    index.set(card.idx, at);
    if (at > 0) parents[at] = index.get(card.parent ?? -1) ?? 0;
    let face = faces.get(card);
    if (!face) {
      face = faceOf(card, measure);
      faces.set(card, face);
    }
    shownFaces[at] = face;
    across[at] = (isRight ? face.height : face.width) + BETWEEN_SIBLINGS;
    along[at] = (isRight ? face.width : face.height) + BETWEEN_LEVELS;
  }
  const places = tidy({ parents, across, along });
  const x = isRight ? places.along : places.across;
  const y = isRight ? places.across : places.along;
  let left = 0;
  let top = 0;
  let right = 0;
  let bottom = 0;
  for (let at = 0; at < count; at++) {
    const face = shownFaces[at]!;
    left = Math.min(left, x[at]!);
    top = Math.min(top, y[at]!);
    right = Math.max(right, x[at]! + face.width);
    bottom = Math.max(bottom, y[at]! + face.height);
  }
  return { orientation, cards, faces: shownFaces, index, parents, x, y, left, top, right, bottom };
}

/** The card at a point, if there is one. */
export function cardAt(layout: Layout, x: number, y: number): number {
  for (let at = 0; at < layout.cards.length; at++) {
    const face = layout.faces[at]!;
    const left = layout.x[at]!;
    const top = layout.y[at]!;
    if (x >= left && x <= left + face.width && y >= top && y <= top + face.height) return at;
  }
  return -1;
}

/** Where something that is dropped at a point becomes a child: of which node, and before which child. */
export interface Drop {
  parent: number;
  at: number;
}

/** The children of a node between which a point lies, or the node under the point. */
export function dropAt(layout: Layout, x: number, y: number): Drop | null {
  const under = cardAt(layout, x, y);
  if (under < 0) return null;
  const card = layout.cards[under]!;
  const face = layout.faces[under]!;
  const parent = layout.parents[under]!;
  const isRight = layout.orientation === "right";
  const part = isRight ? (y - layout.y[under]!) / face.height : (x - layout.x[under]!) / face.width;
  if (parent >= 0 && (part < 0.3 || part > 0.7)) {
    const above = layout.cards[parent]!;
    const place = above.children.indexOf(card.idx);
    return { parent: above.idx, at: part < 0.5 ? place : place + 1 };
  }
  return { parent: card.idx, at: card.children.length };
}
