// What a running game adds to the picture of a tree: what is active, how nodes ended, where an agent stops.

import { HEAD } from "../layout/face.ts";
import { type Layout, traceLink } from "../layout/place.ts";
import type { Theme } from "./theme.ts";

export type Ended = "success" | "failure" | "aborted" | "ended";
export type Forced = "success" | "failure" | "disabled";
/** What a breakpoint does: stops, stops if a condition holds, notes a text, nothing, or it is of another client. */
export type Dot = "stop" | "condition" | "log" | "off" | "other";
export type Change = "kept" | "adopted" | "aborted" | "entered";

export interface Live {
  active: ReadonlySet<number>;
  /** What stands beside a leaf that waits. */
  waits: ReadonlyMap<number, string>;
  /** How nodes ended last in the poll that is shown. */
  results: ReadonlyMap<number, Ended>;
  /** The node at which the agent is stopped. */
  stopped: number | null;
  dots: ReadonlyMap<number, Dot>;
  /** Nodes that do not do what the file says, and the words for it. */
  forced: ReadonlyMap<number, { how: Forced; text: string }>;
  /** How much of all time and how often nodes ran, and the words for it. */
  heat: ReadonlyMap<number, { share: number; text: string }>;
  /** What a reload did to nodes, and the words for it. */
  changes: ReadonlyMap<number, { how: Change; text: string }>;
  /** What scenarios show of nodes, and the words for it. */
  covered: ReadonlyMap<number, { how: "all" | "some" | "none"; text: string }>;
  /** A moment that is over is shown. */
  isPast: boolean;
}

const GUTTER = 16;
const DOT = 5.5;

/** The card in whose gutter, left of its head, a point lies. */
export function gutterAt(layout: Layout, x: number, y: number): number {
  for (let at = 0; at < layout.cards.length; at++) {
    const left = layout.x[at]!;
    const top = layout.y[at]!;
    if (x >= left - GUTTER && x < left - 1 && y >= top && y <= top + HEAD) return at;
  }
  return -1;
}

/** Below the cards: the way to what is active. */
export function paintActiveLinks(
  context: CanvasRenderingContext2D,
  layout: Layout,
  live: Live,
  theme: Theme,
  zoom: number,
): void {
  if (live.active.size === 0) return;
  context.strokeStyle = theme.active;
  context.lineWidth = Math.max(3, 2 / zoom);
  if (live.isPast) context.setLineDash([7, 4]);
  context.beginPath();
  for (const idx of live.active) {
    const at = layout.index.get(idx);
    if (at === undefined || at === 0) continue;
    const parent = layout.parents[at]!;
    if (parent < 0 || !live.active.has(layout.cards[parent]!.idx)) continue;
    traceLink(context, layout, at);
  }
  context.stroke();
  context.setLineDash([]);
}

/** Far away, where cards are boxes: rings. */
export function paintLiveBoxes(
  context: CanvasRenderingContext2D,
  layout: Layout,
  seen: readonly number[],
  live: Live,
  theme: Theme,
  zoom: number,
): void {
  const ring = (color: string, has: (idx: number) => boolean) => {
    context.strokeStyle = color;
    context.lineWidth = 3 / zoom;
    context.beginPath();
    for (const at of seen) {
      if (!has(layout.cards[at]!.idx)) continue;
      const face = layout.faces[at]!;
      const grow = 2 / zoom;
      context.rect(
        layout.x[at]! - grow,
        layout.y[at]! - grow,
        face.width + grow * 2,
        Math.max(face.height, 1 / zoom) + grow * 2,
      );
    }
    context.stroke();
  };
  if (live.heat.size > 0) {
    for (const at of seen) {
      const heat = live.heat.get(layout.cards[at]!.idx);
      if (!heat) continue;
      context.globalAlpha = Math.min(0.9, heat.share);
      context.fillStyle = theme.error;
      const face = layout.faces[at]!;
      context.fillRect(layout.x[at]!, layout.y[at]!, face.width, Math.max(face.height, 1 / zoom));
    }
    context.globalAlpha = 1;
  }
  ring(theme.active, (idx) => live.active.has(idx));
  ring(theme.forced, (idx) => live.forced.has(idx));
  if (live.dots.size > 0) ring(theme.breakpoint, (idx) => live.dots.has(idx));
  if (live.stopped !== null) ring(theme.stop, (idx) => idx === live.stopped);
}

/** Over the cards. Each says what it says by a sign and words, too. */
export function paintLive(
  context: CanvasRenderingContext2D,
  layout: Layout,
  seen: readonly number[],
  live: Live,
  theme: Theme,
): void {
  for (const at of seen) {
    const { idx } = layout.cards[at]!;
    const face = layout.faces[at]!;
    const x = layout.x[at]!;
    const y = layout.y[at]!;
    const forced = live.forced.get(idx);
    if (forced) paintHatch(context, x, y, face.width, face.height, theme);
    const heat = live.heat.get(idx);
    if (heat) {
      context.fillStyle = theme.error;
      context.fillRect(x, y + face.height - 3, Math.max(2, face.width * heat.share), 3);
    }
    if (live.active.has(idx)) paintRing(context, x, y, face.width, face.height, live.isPast, theme.active);
    if (live.stopped === idx) paintRing(context, x, y, face.width, face.height, false, theme.stop);
    const dot = live.dots.get(idx);
    if (dot) paintDot(context, dot, x - GUTTER / 2 - 1, y + HEAD / 2, theme);
    if (live.stopped === idx) paintArrow(context, x, y + HEAD / 2, theme);
    paintSign(context, live, idx, x, y, theme);
    paintPills(context, layout, at, live, theme);
  }
  context.textAlign = "left";
}

function paintRing(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  isDashed: boolean,
  color: string,
): void {
  context.strokeStyle = color;
  context.lineWidth = 3;
  if (isDashed) context.setLineDash([7, 4]);
  context.beginPath();
  context.roundRect(x - 1, y - 1, width + 2, height + 2, 6);
  context.stroke();
  context.setLineDash([]);
}

function paintHatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  theme: Theme,
): void {
  context.save();
  context.beginPath();
  context.roundRect(x, y, width, height, 5);
  context.clip();
  context.strokeStyle = theme.forced;
  context.globalAlpha = 0.35;
  context.lineWidth = 4;
  context.beginPath();
  for (let place = -height; place < width; place += 14) {
    context.moveTo(x + place, y + height);
    context.lineTo(x + place + height, y);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = theme.forced;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x, y, width, height, 5);
  context.stroke();
}

/** A shape of its own for each way of stopping. */
function paintDot(context: CanvasRenderingContext2D, dot: Dot, x: number, y: number, theme: Theme): void {
  context.fillStyle = theme.breakpoint;
  context.strokeStyle = theme.breakpoint;
  context.lineWidth = 1.8;
  context.beginPath();
  if (dot === "log") {
    context.moveTo(x, y - DOT - 1);
    context.lineTo(x + DOT + 1, y);
    context.lineTo(x, y + DOT + 1);
    context.lineTo(x - DOT - 1, y);
    context.closePath();
    context.fill();
    return;
  }
  context.arc(x, y, DOT, 0, Math.PI * 2);
  if (dot === "off" || dot === "other") context.stroke();
  else context.fill();
  if (dot === "condition" || dot === "other") {
    context.fillStyle = dot === "condition" ? theme.onSign : theme.breakpoint;
    context.font = `700 9px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(dot === "condition" ? "?" : "·", x, y + 0.5);
  }
}

function paintArrow(context: CanvasRenderingContext2D, x: number, y: number, theme: Theme): void {
  context.fillStyle = theme.stop;
  context.strokeStyle = theme.card;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x - 22, y - 4);
  context.lineTo(x - 11, y - 4);
  context.lineTo(x - 11, y - 9);
  context.lineTo(x - 1, y);
  context.lineTo(x - 11, y + 9);
  context.lineTo(x - 11, y + 4);
  context.lineTo(x - 22, y + 4);
  context.closePath();
  context.fill();
  context.stroke();
}

const SIGNS: Record<Ended, string> = { success: "✓", failure: "✕", aborted: "⊘", ended: "∎" };

/** The sign at the corner: active, or how it ended. */
function paintSign(
  context: CanvasRenderingContext2D,
  live: Live,
  idx: number,
  x: number,
  y: number,
  theme: Theme,
): void {
  const isActive = live.active.has(idx);
  const ended = live.results.get(idx);
  if (!isActive && !ended) return;
  const color = isActive
    ? theme.active
    : ended === "success"
      ? theme.group.action!
      : ended === "failure"
        ? theme.error
        : theme.weak;
  context.fillStyle = color;
  context.strokeStyle = theme.card;
  context.lineWidth = 1.5;
  context.beginPath();
  if (isActive) context.arc(x + 1, y + 1, 8, 0, Math.PI * 2);
  else context.roundRect(x - 7, y - 7, 15, 15, 4);
  context.fill();
  context.stroke();
  context.fillStyle = theme.onSign;
  context.font = `700 10px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(isActive ? "▶" : SIGNS[ended!], x + (isActive ? 2 : 0.5), y + 1.5);
}

/** Words beside the card: since when it waits, that it is forced, how hot it is, what a reload did. */
function paintPills(
  context: CanvasRenderingContext2D,
  layout: Layout,
  at: number,
  live: Live,
  theme: Theme,
): void {
  const { idx } = layout.cards[at]!;
  const face = layout.faces[at]!;
  const texts: { text: string; color: string }[] = [];
  const waits = live.waits.get(idx);
  if (waits !== undefined) texts.push({ text: `◷ ${waits}`, color: theme.active });
  const forced = live.forced.get(idx);
  if (forced) texts.push({ text: `⚠ ${forced.text}`, color: theme.forced });
  const change = live.changes.get(idx);
  if (change) texts.push({ text: `↻ ${change.text}`, color: theme.accent });
  const covered = live.covered.get(idx);
  if (covered) {
    const color = { all: theme.active, some: theme.warning, none: theme.error }[covered.how];
    texts.push({ text: covered.text, color });
  }
  const heat = live.heat.get(idx);
  if (heat) texts.push({ text: heat.text, color: theme.error });
  if (texts.length === 0) return;
  context.font = `600 11px ${theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const isRight = layout.orientation === "right";
  const isLeaf = layout.cards[at]!.children.length === 0;
  // A leaf has room behind it; what has children is said on its upper edge.
  let x = isRight && isLeaf ? layout.x[at]! + face.width + 6 : layout.x[at]! + 14;
  const y = isRight && isLeaf ? layout.y[at]! + HEAD / 2 : layout.y[at]! - 5;
  for (const { text, color } of texts) {
    const wide = context.measureText(text).width + 12;
    context.beginPath();
    context.roundRect(x, y - 8, wide, 16, 8);
    context.fillStyle = color;
    context.fill();
    context.fillStyle = theme.onSign;
    context.fillText(text, x + 6, y + 0.5);
    x += wide + 4;
  }
}
