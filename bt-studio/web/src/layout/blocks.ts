// Cards that stand below each other as one block: so a picture gets narrower than its tree is deep or wide.

import type { Card } from "../net/protocol.ts";

export interface Blocks {
  /** The places of the cards of each block, from the top. A block comes before those below it. */
  members: number[][];
  /** The place of each block's parent in the list; -1 for the first. */
  parents: Int32Array;
}

/** Each card a block of its own. */
export function single(parents: Int32Array): Blocks {
  return { members: Array.from(parents, (_, at) => [at]), parents };
}

/** Where children stand at the right: a node and its only child are one block, and so on down the chain. */
export function chains(cards: readonly Card[], parents: Int32Array, isOnly: (at: number) => boolean): Blocks {
  return blocksOf(cards.length, parents, (at) => at > 0 && isOnly(at));
}

/** Where children stand below: leaves next to each other are one block. `isLeaf`: of a place. */
export function columns(
  cards: readonly Card[],
  parents: Int32Array,
  isLeaf: (at: number) => boolean,
): Blocks {
  // Leaves that are next to each other among their siblings are next to each other in preorder.
  const joins = (at: number) =>
    at > 1 && isLeaf(at) && isLeaf(at - 1) && parents[at] === parents[at - 1] && parents[at]! >= 0;
  return blocksOf(cards.length, parents, joins);
}

/** Blocks of places in a row. `joins`: whether a card is one of the block of the card before it. */
function blocksOf(count: number, parents: Int32Array, joins: (at: number) => boolean): Blocks {
  const members: number[][] = [];
  const own = new Int32Array(count);
  const above: number[] = [];
  for (let at = 0; at < count; at++) {
    if (joins(at)) members.at(-1)!.push(at);
    else {
      members.push([at]);
      above.push(parents[at]! < 0 ? -1 : own[parents[at]!]!);
    }
    own[at] = members.length - 1;
  }
  return { members, parents: Int32Array.from(above) };
}
