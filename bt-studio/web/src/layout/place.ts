// Where each card of a tree stands.

import { language } from "../i18n/index.ts";
import { type Shown, visible } from "../model/tree.ts";
import type { Card } from "../net/protocol.ts";
import { type Blocks, chains, columns, single } from "./blocks.ts";
import { DENSITIES, type Density, type Face, faceOf, HEAD, type Measure } from "./face.ts";
import { tidy } from "./tidy.ts";

export type Orientation = "right" | "down";

export interface Layout {
  orientation: Orientation;
  cards: Card[];
  faces: Face[];
  /** The place in the lists of a node. */
  index: Map<number, number>;
  parents: Int32Array;
  /** Whether a card stands below another of its block: its link comes from the left. */
  isStacked: Uint8Array;
  x: Float64Array;
  y: Float64Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How far the cards of a block stand to the right of what is above them. */
const INDENT = 14;

/** What is on a card depends on it, on how narrow cards are, and on the language. */
const faces = new Map<string, WeakMap<Card, Face>>();

function facesOf(level: number): WeakMap<Card, Face> {
  const key = `${level}:${language()}`;
  let known = faces.get(key);
  if (!known) {
    known = new WeakMap();
    faces.set(key, known);
  }
  return known;
}

/** `level`: of the densities. */
export function place(shown: Shown, measure: Measure, orientation: Orientation, level = 0): Layout {
  const density = DENSITIES[level] ?? DENSITIES[0]!;
  const known = facesOf(level);
  const cards = visible(shown);
  const count = cards.length;
  const index = new Map<number, number>();
  const parents = new Int32Array(count).fill(-1);
  const children = new Int32Array(count);
  const shownFaces: Face[] = new Array(count);
  for (let at = 0; at < count; at++) {
    const card = cards[at]!;
    index.set(card.idx, at);
    if (at > 0) {
      parents[at] = index.get(card.parent ?? -1) ?? 0;
      children[parents[at]!]!++;
    }
    let face = known.get(card);
    if (!face) {
      face = faceOf(card, measure, density);
      known.set(card, face);
    }
    shownFaces[at] = face;
  }
  const blocks = blocksOf(cards, parents, children, orientation, density);
  const { x, y, isStacked } = spread(blocks, shownFaces, orientation, density);
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
  return { orientation, cards, faces: shownFaces, index, parents, isStacked, x, y, left, top, right, bottom };
}

function blocksOf(
  cards: readonly Card[],
  parents: Int32Array,
  children: Int32Array,
  orientation: Orientation,
  { isStacked }: Density,
): Blocks {
  if (!isStacked) return single(parents);
  // What hides nodes is no leaf: its count stands below it.
  const isLeaf = (at: number) => children[at] === 0 && cards[at]!.children.length === 0;
  if (orientation === "down") return columns(cards, parents, isLeaf);
  return chains(cards, parents, (at) => children[parents[at]!] === 1);
}

function spread(blocks: Blocks, shown: readonly Face[], orientation: Orientation, density: Density) {
  const isRight = orientation === "right";
  const { members, parents } = blocks;
  const across = new Float64Array(members.length);
  const along = new Float64Array(members.length);
  // In a chain each card stands further right than the one above it; in a column all of them do.
  const indent = (block: readonly number[], place: number) =>
    block.length === 1 ? 0 : isRight ? place * INDENT : INDENT;
  members.forEach((block, at) => {
    let width = 0;
    let height = 0;
    block.forEach((member, place) => {
      width = Math.max(width, shown[member]!.width + indent(block, place));
      height += shown[member]!.height + (place > 0 ? density.siblings : 0);
    });
    across[at] = (isRight ? height : width) + density.siblings;
    along[at] = (isRight ? width : height) + density.levels;
  });
  const places = tidy({ parents, across, along });
  const x = new Float64Array(shown.length);
  const y = new Float64Array(shown.length);
  const isStacked = new Uint8Array(shown.length);
  members.forEach((block, at) => {
    const left = (isRight ? places.along : places.across)[at]!;
    let top = (isRight ? places.across : places.along)[at]!;
    block.forEach((member, place) => {
      x[member] = left + indent(block, place);
      y[member] = top;
      top += shown[member]!.height + density.siblings;
      // The first of a chain has its link from its parent; all of a column have it from the left.
      isStacked[member] = block.length > 1 && (!isRight || place > 0) ? 1 : 0;
    });
  });
  return { x, y, isStacked };
}

/** The way from a node to its child. */
export interface Link {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** The link goes down at this place, and then to the right. */
  trunk: number | null;
}

export function linkOf(layout: Layout, at: number): Link {
  const { x, y, faces: shown } = layout;
  const parent = layout.parents[at]!;
  const from = shown[parent]!;
  const to = shown[at]!;
  if (layout.isStacked[at] === 1) {
    const trunk = x[at]! - INDENT + 4;
    const isBelow = trunk >= x[parent]! && trunk <= x[parent]! + from.width;
    return {
      x1: isBelow ? trunk : x[parent]! + from.width / 2,
      y1: y[parent]! + from.height,
      x2: x[at]!,
      y2: y[at]! + HEAD / 2,
      trunk,
    };
  }
  if (layout.orientation === "right") {
    const y1 = y[parent]! + Math.min(from.height, HEAD) / 2;
    return { x1: x[parent]! + from.width, y1, x2: x[at]!, y2: y[at]! + HEAD / 2, trunk: null };
  }
  const y1 = y[parent]! + from.height;
  return { x1: x[parent]! + from.width / 2, y1, x2: x[at]! + to.width / 2, y2: y[at]!, trunk: null };
}

/** Adds a link to the path of a canvas. */
export function traceLink(context: CanvasRenderingContext2D, layout: Layout, at: number): void {
  const { x1, y1, x2, y2, trunk } = linkOf(layout, at);
  context.moveTo(x1, y1);
  if (trunk !== null) {
    const first = firstOfBlock(layout, at);
    const top = layout.y[first]!;
    if (trunk !== x1) context.bezierCurveTo(x1, (y1 + top) / 2, trunk, (y1 + top) / 2, trunk, top);
    context.lineTo(trunk, y2 - 5);
    context.quadraticCurveTo(trunk, y2, x2, y2);
  } else if (layout.orientation === "right") {
    const middle = (x1 + x2) / 2;
    context.bezierCurveTo(middle, y1, middle, y2, x2, y2);
  } else {
    const middle = (y1 + y2) / 2;
    context.bezierCurveTo(x1, middle, x2, middle, x2, y2);
  }
}

/** The first card of a column. */
function firstOfBlock(layout: Layout, at: number): number {
  let first = at;
  while (
    layout.isStacked[first - 1] === 1 &&
    layout.parents[first - 1] === layout.parents[at] &&
    layout.x[first - 1] === layout.x[at]
  )
    first--;
  return first;
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
