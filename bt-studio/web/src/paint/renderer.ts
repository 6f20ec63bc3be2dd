// Paints a tree on a canvas: what is in view, in as much detail as its size allows.

import { attachedWords, headingOf } from "../i18n/kinds.ts";
import { type Drop, isColumn } from "../layout/drop.ts";
import { cutTo, HEAD, LINE, SYMBOL } from "../layout/face.ts";
import { type Layout, traceLink } from "../layout/place.ts";
import { isFolded, type Shown } from "../model/tree.ts";
import type { Card } from "../net/protocol.ts";
import type { Camera } from "./camera.ts";
import { type Changes, paintChanges } from "./changes.ts";
import { type Live, paintActiveLinks, paintLive, paintLiveBoxes } from "./live.ts";
import { fileColor, type Theme } from "./theme.ts";

/** What a card says beside its own words. */
export interface Marks {
  errors: ReadonlyMap<number, "error" | "warning">;
  found: ReadonlySet<number>;
  /** How many nodes each folded node hides. */
  hidden: (idx: number) => number;
  /** What a running game says of the nodes; none if none is attached. */
  live?: Live | null;
  /** What became of nodes between two versions. */
  changes?: Changes;
}

export interface Scene {
  layout: Layout;
  shown: Shown;
  selection: ReadonlySet<number>;
  focus: number | null;
  marks: Marks;
  hasFocus: boolean;
  /** Where what is dragged would be put. */
  drop: Drop | null;
  /** The node that has the sign by which it gets another child. */
  plus?: number | null;
  /** The rectangle that is being drawn to select, in the world. */
  band: { x: number; y: number; width: number; height: number } | null;
}

/** Below this a card is a coloured box; below the other it has its name alone, in letters that can be read. */
const BOXES = 0.3;
const HEADS = 0.6;
const ROUND = 0.6;
const RADIUS = 5;
/** Where texts begin on a card. */
const TEXT = SYMBOL + 5;

export function paint(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  width: number,
  height: number,
  ratio: number,
  theme: Theme,
): void {
  const { layout } = scene;
  const zoom = camera.zoom;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = theme.canvas;
  context.fillRect(0, 0, width, height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, camera.x * ratio, camera.y * ratio);

  const left = -camera.x / zoom;
  const top = -camera.y / zoom;
  const right = left + width / zoom;
  const bottom = top + height / zoom;
  const seen: number[] = [];
  for (let at = 0; at < layout.cards.length; at++) {
    const x = layout.x[at]!;
    const y = layout.y[at]!;
    const face = layout.faces[at]!;
    if (x < right && x + face.width > left && y < bottom && y + face.height > top) seen.push(at);
  }

  paintLinks(context, layout, theme, zoom, { left, top, right, bottom });
  const { live } = scene.marks;
  if (live) paintActiveLinks(context, layout, live, theme, zoom);
  if (zoom < BOXES) {
    paintBoxes(context, scene, seen, theme, zoom);
    if (live) paintLiveBoxes(context, layout, seen, live, theme, zoom);
  } else {
    paintCards(context, scene, seen, theme, zoom);
    if (live) paintLive(context, layout, seen, live, theme);
  }
  if (scene.marks.changes) paintChanges(context, layout, seen, scene.marks.changes, theme, zoom);
  if (scene.plus !== undefined && scene.plus !== null) paintPlus(context, layout, scene.plus, theme, zoom);
  if (scene.drop) paintDrop(context, layout, scene.drop, theme);
  if (scene.band) {
    const { x, y, width: wide, height: high } = scene.band;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1 / zoom;
    context.strokeRect(x, y, wide, high);
    context.globalAlpha = 0.12;
    context.fillStyle = theme.accent;
    context.fillRect(x, y, wide, high);
    context.globalAlpha = 1;
  }
}

interface Window {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function paintLinks(
  context: CanvasRenderingContext2D,
  layout: Layout,
  theme: Theme,
  zoom: number,
  window: Window,
): void {
  context.strokeStyle = theme.link;
  context.lineWidth = Math.max(1.5, 1 / zoom);
  context.beginPath();
  for (let at = 1; at < layout.cards.length; at++) {
    const parent = layout.parents[at]!;
    const from = layout.faces[parent]!;
    const to = layout.faces[at]!;
    const x1 = layout.x[parent]!;
    const y1 = layout.y[parent]!;
    const x2 = layout.x[at]!;
    const y2 = layout.y[at]!;
    if (Math.max(x1 + from.width, x2 + to.width) < window.left || Math.min(x1, x2) > window.right) continue;
    if (Math.max(y1 + from.height, y2 + to.height) < window.top || Math.min(y1, y2) > window.bottom) continue;
    if (zoom < BOXES) {
      context.moveTo(x1 + from.width / 2, y1 + from.height / 2);
      context.lineTo(x2 + to.width / 2, y2 + to.height / 2);
    } else traceLink(context, layout, at);
  }
  context.stroke();
}

/** All boxes of a colour at once: there may be thousands. */
function paintBoxes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  seen: number[],
  theme: Theme,
  zoom: number,
): void {
  const { layout, selection, marks } = scene;
  const groups = new Map<string, number[]>();
  for (const at of seen) {
    const color = theme.group[layout.cards[at]!.group] ?? theme.group.unknown!;
    const list = groups.get(color);
    if (list) list.push(at);
    else groups.set(color, [at]);
  }
  const box = (at: number, grow: number) => {
    const face = layout.faces[at]!;
    context.rect(
      layout.x[at]! - grow,
      layout.y[at]! - grow,
      face.width + grow * 2,
      Math.max(face.height, 1 / zoom) + grow * 2,
    );
  };
  for (const [color, list] of groups) {
    context.fillStyle = color;
    context.beginPath();
    for (const at of list) box(at, 0);
    context.fill();
  }
  const ring = (color: string, pick: (idx: number) => boolean) => {
    context.strokeStyle = color;
    context.lineWidth = 2.5 / zoom;
    context.beginPath();
    for (const at of seen) if (pick(layout.cards[at]!.idx)) box(at, 2 / zoom);
    context.stroke();
  };
  if (marks.found.size > 0) ring(theme.found, (idx) => marks.found.has(idx));
  if (marks.errors.size > 0) {
    ring(theme.warning, (idx) => marks.errors.get(idx) === "warning");
    ring(theme.error, (idx) => marks.errors.get(idx) === "error");
  }
  if (selection.size > 0) ring(theme.accent, (idx) => selection.has(idx));
}

/** Cards pass by pass, not one by one: a canvas is slow to change its font and its colours. */
function paintCards(
  context: CanvasRenderingContext2D,
  scene: Scene,
  seen: number[],
  theme: Theme,
  zoom: number,
): void {
  const { layout } = scene;
  // Round corners cost more than they show on small cards.
  const radius = zoom < ROUND ? 0 : RADIUS;
  paintFrames(context, scene, seen, theme, radius);
  paintStrips(context, layout, seen, theme, radius);

  paintSymbols(context, layout, seen, theme);
  if (zoom < HEADS) paintNames(context, layout, seen, theme, zoom);
  else {
    paintHeads(context, layout, seen, theme);
    paintLines(context, layout, seen, theme);
  }
  paintMarks(context, scene, seen, theme);
}

function paintSymbols(context: CanvasRenderingContext2D, layout: Layout, seen: number[], theme: Theme): void {
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.fillStyle = theme.onGroup;
  // Two signs in a row are smaller, so that the strip has both.
  for (const [size, isWide] of [
    [13, false],
    [9.5, true],
  ] as const) {
    context.font = `600 ${size}px ${theme.font}`;
    for (const at of seen) {
      const { symbol } = layout.cards[at]!;
      if ([...symbol].length > 1 !== isWide) continue;
      context.fillText(symbol, layout.x[at]! + (SYMBOL - 2) / 2, layout.y[at]! + HEAD / 2 + 0.5);
    }
  }
  context.textAlign = "left";
}

/** All lines of the heads. */
function paintHeads(context: CanvasRenderingContext2D, layout: Layout, seen: number[], theme: Theme): void {
  context.font = `600 13px ${theme.font}`;
  context.fillStyle = theme.text;
  for (const at of seen) {
    const y = layout.y[at]! + HEAD / 2 + 0.5;
    layout.faces[at]!.heads.forEach((head, place) => {
      context.fillText(head, layout.x[at]! + TEXT, y + place * LINE);
    });
  }
}

/** From afar: the name alone, as large as the card lets it be, and a sign of a guard. */
function paintNames(
  context: CanvasRenderingContext2D,
  layout: Layout,
  seen: number[],
  theme: Theme,
  zoom: number,
): void {
  const size = Math.min(HEAD - 4, Math.max(13, 11 / zoom));
  context.font = `600 ${size}px ${theme.font}`;
  context.fillStyle = theme.text;
  for (const at of seen) {
    const face = layout.faces[at]!;
    const room = face.width - TEXT - 4;
    const text = cutTo(headingOf(layout.cards[at]!), room, (part) => context.measureText(part).width);
    const y = layout.y[at]! + (face.lines.length > 0 ? Math.min(face.height, HEAD + LINE) : face.height) / 2;
    context.fillText(text, layout.x[at]! + TEXT, y);
  }
  context.fillStyle = theme.guard;
  for (const at of seen) {
    const face = layout.faces[at]!;
    if (!face.lines.some(({ kind }) => kind === "guard")) continue;
    context.fillRect(layout.x[at]! + SYMBOL, layout.y[at]! + face.height - 5, face.width - SYMBOL - 2, 4);
  }
}

function paintFrames(
  context: CanvasRenderingContext2D,
  scene: Scene,
  seen: number[],
  theme: Theme,
  radius: number,
): void {
  const { layout, marks, selection } = scene;
  const outline = (at: number, grow: number) => {
    const face = layout.faces[at]!;
    const x = layout.x[at]! - grow;
    const y = layout.y[at]! - grow;
    if (radius === 0) context.rect(x, y, face.width + grow * 2, face.height + grow * 2);
    else context.roundRect(x, y, face.width + grow * 2, face.height + grow * 2, radius + grow / 2);
  };
  const all = (pick: (card: Card) => boolean, grow = 0): boolean => {
    context.beginPath();
    let isAny = false;
    for (const at of seen) {
      if (!pick(layout.cards[at]!)) continue;
      outline(at, grow);
      isAny = true;
    }
    return isAny;
  };
  const isDashed = (card: Card) => card.left_out || card.unknown_kind;
  all(() => true);
  context.fillStyle = theme.card;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = theme.border;
  if (all((card) => !isDashed(card) && !marks.errors.has(card.idx))) context.stroke();
  context.setLineDash([4, 3]);
  if (all(isDashed)) context.stroke();
  context.setLineDash([]);
  for (const level of ["warning", "error"] as const) {
    context.strokeStyle = theme[level];
    if (marks.errors.size > 0 && all((card) => marks.errors.get(card.idx) === level)) context.stroke();
  }
  context.lineWidth = 3;
  context.strokeStyle = theme.found;
  if (marks.found.size > 0 && all((card) => marks.found.has(card.idx), 3)) context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = theme.accent;
  if (all((card) => selection.has(card.idx))) context.stroke();
}

/** The strips in the colours of the groups, which carry the symbols, and the colours that people gave. */
function paintStrips(
  context: CanvasRenderingContext2D,
  layout: Layout,
  seen: number[],
  theme: Theme,
  radius: number,
): void {
  const groups = new Map<string, number[]>();
  for (const at of seen) {
    const { group } = layout.cards[at]!;
    const list = groups.get(group);
    if (list) list.push(at);
    else groups.set(group, [at]);
  }
  for (const [group, list] of groups) {
    context.fillStyle = theme.group[group] ?? theme.group.unknown!;
    context.beginPath();
    for (const at of list) {
      const { height } = layout.faces[at]!;
      if (radius === 0) context.rect(layout.x[at]!, layout.y[at]!, SYMBOL - 2, height);
      else context.roundRect(layout.x[at]!, layout.y[at]!, SYMBOL - 2, height, [radius, 0, 0, radius]);
    }
    context.fill();
  }
  for (const at of seen) {
    const own = fileColor(layout.cards[at]!.color);
    if (!own) continue;
    context.fillStyle = own;
    context.fillRect(layout.x[at]! + SYMBOL - 2, layout.y[at]! + 1, 3, layout.faces[at]!.height - 2);
  }
}

/** Numbers, guards, what else is attached, comments: each in its own letters. */
function paintLines(context: CanvasRenderingContext2D, layout: Layout, seen: number[], theme: Theme): void {
  context.font = `11px ${theme.font}`;
  context.fillStyle = theme.weak;
  context.textAlign = "right";
  for (const at of seen) {
    const face = layout.faces[at]!;
    context.fillText(face.number, layout.x[at]! + face.width - 6, layout.y[at]! + HEAD / 2 + 0.5);
  }
  context.textAlign = "left";
  for (const kind of ["guard", "attached", "comment"] as const) {
    context.font = `${kind === "comment" ? "italic " : ""}12px ${theme.font}`;
    context.fillStyle = kind === "guard" ? theme.guard : theme.weak;
    for (const at of seen) {
      const face = layout.faces[at]!;
      const top = layout.y[at]! + HEAD + LINE * (face.heads.length - 1);
      face.lines.forEach((line, place) => {
        if (line.kind !== kind) return;
        context.fillText(line.text, layout.x[at]! + TEXT, top + LINE * place + LINE / 2 - 2);
      });
    }
  }
}

/** What stands over the cards: problems, folds, the focus; and the grey over what is passed over. */
function paintMarks(context: CanvasRenderingContext2D, scene: Scene, seen: number[], theme: Theme): void {
  const { layout, marks } = scene;
  for (const at of seen) {
    const card = layout.cards[at]!;
    const face = layout.faces[at]!;
    const x = layout.x[at]!;
    const y = layout.y[at]!;
    if (card.left_out) {
      context.globalAlpha = 0.5;
      context.fillStyle = theme.canvas;
      context.fillRect(x, y, face.width, face.height);
      context.globalAlpha = 1;
    }
    const problem = marks.errors.get(card.idx);
    if (problem) paintProblem(context, problem, x + face.width, y, theme);
    if (isFolded(scene.shown, card)) paintFold(context, layout, at, marks.hidden(card.idx), theme);
    if (scene.focus !== card.idx || !scene.hasFocus) continue;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.setLineDash([2, 2]);
    context.beginPath();
    context.roundRect(x - 3.5, y - 3.5, face.width + 7, face.height + 7, RADIUS + 3);
    context.stroke();
    context.setLineDash([]);
  }
}

/** A sign with a shape of its own for each level, so that colour alone says nothing. */
function paintProblem(
  context: CanvasRenderingContext2D,
  level: "error" | "warning",
  x: number,
  y: number,
  theme: Theme,
): void {
  context.fillStyle = theme[level];
  context.beginPath();
  if (level === "error") {
    context.arc(x, y, 8, 0, Math.PI * 2);
  } else {
    context.moveTo(x, y - 9);
    context.lineTo(x + 9, y + 7);
    context.lineTo(x - 9, y + 7);
    context.closePath();
  }
  context.fill();
  context.fillStyle = theme.onSign;
  context.font = `700 11px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(level === "error" ? "✕" : "!", x, y + (level === "error" ? 0.5 : 1.5));
  context.textAlign = "left";
}

function paintFold(
  context: CanvasRenderingContext2D,
  layout: Layout,
  at: number,
  hidden: number,
  theme: Theme,
): void {
  const face = layout.faces[at]!;
  const isRight = layout.orientation === "right";
  const text = `+${hidden}`;
  const wide = text.length * 7 + 10;
  const x = isRight ? layout.x[at]! + face.width + 4 : layout.x[at]! + (face.width - wide) / 2;
  const y = isRight ? layout.y[at]! + HEAD / 2 - 8 : layout.y[at]! + face.height + 4;
  context.beginPath();
  context.roundRect(x, y, wide, 16, 8);
  context.fillStyle = theme.card;
  context.fill();
  context.strokeStyle = theme.border;
  context.lineWidth = 1;
  context.stroke();
  context.font = `600 11px ${theme.font}`;
  context.fillStyle = theme.text;
  context.textAlign = "center";
  context.fillText(text, x + wide / 2, y + 8.5);
  context.textAlign = "left";
}

function paintDrop(
  context: CanvasRenderingContext2D,
  layout: Layout,
  drop: { parent: number; at: number },
  theme: Theme,
): void {
  const parent = layout.index.get(drop.parent);
  if (parent === undefined) return;
  const face = layout.faces[parent]!;
  context.strokeStyle = theme.accent;
  context.lineWidth = 3;
  context.beginPath();
  context.roundRect(
    layout.x[parent]! - 2,
    layout.y[parent]! - 2,
    face.width + 4,
    face.height + 4,
    RADIUS + 1,
  );
  context.stroke();
  const children = layout.cards[parent]!.children;
  const before = layout.index.get(children[drop.at] ?? -1);
  const after = layout.index.get(children[drop.at - 1] ?? -1);
  const near = before ?? after;
  if (near === undefined) return;
  const own = layout.faces[near]!;
  context.lineCap = "round";
  context.beginPath();
  if (isColumn(layout, near)) {
    const y = before !== undefined ? layout.y[near]! - 4 : layout.y[near]! + own.height + 4;
    context.moveTo(layout.x[near]!, y);
    context.lineTo(layout.x[near]! + own.width, y);
    context.moveTo(layout.x[near]! + 4, y);
    context.arc(layout.x[near]!, y, 4, 0, Math.PI * 2);
  } else {
    const x = before !== undefined ? layout.x[near]! - 4 : layout.x[near]! + own.width + 4;
    context.moveTo(x, layout.y[near]!);
    context.lineTo(x, layout.y[near]! + own.height);
    context.moveTo(x + 4, layout.y[near]!);
    context.arc(x, layout.y[near]!, 4, 0, Math.PI * 2);
  }
  context.stroke();
  context.lineCap = "butt";
}

/** How large the sign is on the screen by which a node gets another child. */
const PLUS = 9;

/** The middle of that sign: outside of the card, where its children are. */
export function plusOf(layout: Layout, at: number, zoom: number): { x: number; y: number; radius: number } {
  const face = layout.faces[at]!;
  const radius = PLUS / zoom;
  const [x, y] = [layout.x[at]!, layout.y[at]!];
  if (layout.orientation === "right") return { x: x + face.width + radius, y: y + HEAD / 2, radius };
  return { x: x + face.width / 2, y: y + face.height + radius, radius };
}

function paintPlus(
  context: CanvasRenderingContext2D,
  layout: Layout,
  idx: number,
  theme: Theme,
  zoom: number,
): void {
  const at = layout.index.get(idx);
  if (at === undefined) return;
  const { x, y, radius } = plusOf(layout, at, zoom);
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fillStyle = theme.accent;
  context.fill();
  context.strokeStyle = theme.card;
  context.lineWidth = radius / 5;
  context.beginPath();
  context.moveTo(x - radius / 2, y);
  context.lineTo(x + radius / 2, y);
  context.moveTo(x, y - radius / 2);
  context.lineTo(x, y + radius / 2);
  context.stroke();
}

/** All of a card's words, for a tooltip and for who does not see the canvas. */
export function wordsOf(card: Card): string {
  const lines = card.attached.map(({ when, what }) => attachedWords(when, what));
  return [headingOf(card), ...lines, card.comment].filter((line) => line !== "").join("\n");
}
