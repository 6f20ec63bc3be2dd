// How narrow the cards of a tree are, so that all of it can be read at once.

import { DENSITIES, type Measure } from "../layout/face.ts";
import { type Orientation, place } from "../layout/place.ts";
import { type Shown, visible } from "../model/tree.ts";
import { COMFORTABLE, fitted } from "./camera.ts";

/** Larger trees are seen in parts, however narrow their cards. */
const MOST = 300;
/** In less width the parts have narrower cards. */
const WIDE = 700;

/**
 * The roomiest density in which all of the tree is in view with letters that can be read. If there is none, it is
 * seen in parts, unless `isWhole`.
 */
export function levelFor(
  shown: Shown,
  measure: Measure,
  orientation: Orientation,
  { width, height }: { width: number; height: number },
  isWhole: boolean,
): number {
  const inParts = width < WIDE ? 3 : 2;
  if (visible(shown).length > MOST) return inParts;
  let best = 0;
  let largest = 0;
  for (let level = 0; level < DENSITIES.length; level++) {
    const { zoom } = fitted(place(shown, measure, orientation, level), width, height);
    if (zoom >= COMFORTABLE) return level;
    if (zoom > largest) {
      best = level;
      largest = zoom;
    }
  }
  return isWhole ? best : inParts;
}
