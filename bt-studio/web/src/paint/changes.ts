// What became of each node between two versions, painted over its card: a frame, a tint and a sign.

import { HEAD } from "../layout/face.ts";
import type { Layout } from "../layout/place.ts";
import type { NodeChange } from "../net/protocol.ts";
import type { Theme } from "./theme.ts";

/** What became of the nodes that differ. */
export type Changes = ReadonlyMap<number, NodeChange>;

/** A sign for each, so that colour alone says nothing. */
export const SIGNS: Record<NodeChange, string> = {
  added: "+",
  removed: "−",
  moved: "↕",
  changed: "~",
  same: "",
};

function colorOf(change: NodeChange, theme: Theme): string {
  if (change === "added") return theme.group.action!;
  if (change === "removed") return theme.error;
  return change === "moved" ? theme.accent : theme.warning;
}

export function paintChanges(
  context: CanvasRenderingContext2D,
  layout: Layout,
  seen: readonly number[],
  changes: Changes,
  theme: Theme,
  zoom: number,
): void {
  for (const at of seen) {
    const change = changes.get(layout.cards[at]!.idx);
    if (!change || change === "same") continue;
    const { width, height } = layout.faces[at]!;
    const x = layout.x[at]!;
    const y = layout.y[at]!;
    const color = colorOf(change, theme);
    context.fillStyle = color;
    context.globalAlpha = 0.14;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    context.strokeStyle = color;
    context.lineWidth = Math.max(2, 2 / zoom);
    context.strokeRect(x - 1, y - 1, width + 2, height + 2);
    // The sign keeps its size on the screen, so that it is seen from afar.
    const size = Math.min(8 / Math.min(zoom, 1), HEAD);
    context.beginPath();
    context.arc(x, y, size, 0, Math.PI * 2);
    context.fill();
    context.fillStyle = theme.onSign;
    context.font = `700 ${size * 1.6}px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(SIGNS[change], x, y + size * 0.08);
    context.textAlign = "left";
  }
}
