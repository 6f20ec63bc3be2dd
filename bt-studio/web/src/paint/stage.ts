// A canvas with a tree on it: paints it when something has changed, and says what the pointer does.

import { type Drop, dropAt } from "../layout/drop.ts";
import { SYMBOL } from "../layout/face.ts";
import { cardAt, type Layout } from "../layout/place.ts";
import { isFolded } from "../model/tree.ts";
import type { Card } from "../net/protocol.ts";
import { type Camera, centred, first, fitted, following, zoomed } from "./camera.ts";
import { gutterAt } from "./live.ts";
import { paint, plusOf, type Scene } from "./renderer.ts";
import type { Theme } from "./theme.ts";

export interface Acts {
  /** A node was pressed: alone, or added to the selection or taken from it. */
  select: (idx: number, adding: boolean) => void;
  band: (nodes: number[]) => void;
  open: (idx: number) => void;
  fold: (idx: number) => void;
  menu: (x: number, y: number) => void;
  canDrop: (drop: Drop) => boolean;
  drop: (drop: Drop) => void;
  /** The view stands still. */
  rest: (camera: Camera) => void;
  /** The view moves, many times a second. */
  moved: (camera: Camera, width: number, height: number) => void;
  hover: (card: Card | null, x: number, y: number) => void;
  /** The gutter of a card was pressed. */
  gutter: (idx: number) => void;
  /** What is only done with a tree that can be changed. */
  edits?: {
    hasRoom: (idx: number) => boolean;
    /** The sign was pressed by which a node gets another child. */
    plus: (idx: number) => void;
    overPlus: (x: number, y: number) => void;
    /** A node is dragged over this place of the page; none when it ends. */
    drag: (over: { idx: number; drop: Drop | null; x: number; y: number } | null) => void;
  };
  /** All of the tree is to be seen, in whatever form it can be read best. */
  refit?: () => void;
}

type Gesture =
  | { kind: "pan"; x: number; y: number; camera: Camera; moved: boolean }
  | { kind: "press"; x: number; y: number; idx: number; wasSelected: boolean }
  | { kind: "drag"; idx: number; drop: Drop | null }
  | { kind: "plus"; idx: number }
  | { kind: "band"; x: number; y: number }
  | { kind: "pinch"; camera: Camera; distance: number; x: number; y: number };

const SLOP = 4;
/** The smallest letters on a card, in the world; numbers are a bit smaller. */
const SMALLEST_LETTERS = 12;

export class Stage {
  camera: Camera = { x: 0, y: 0, zoom: 1 };
  private scene: Scene | null = null;
  private theme: Theme | null = null;
  private context: CanvasRenderingContext2D;
  private width = 0;
  private height = 0;
  private asked = 0;
  private gesture: Gesture | null = null;
  private pointers = new Map<number, { x: number; y: number }>();
  private resting = 0;
  private observer: ResizeObserver;
  /** The document whose tree is shown. */
  private name = "";
  private wantsFirst = true;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly acts: Acts,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", this.cancel);
    canvas.addEventListener("pointerleave", () => {
      this.acts.hover(null, 0, 0);
      this.offer(null);
    });
    canvas.addEventListener("dblclick", this.double);
    canvas.addEventListener("wheel", this.wheel, { passive: false });
    canvas.addEventListener("contextmenu", this.menu);
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.asked);
  }

  /** Shows a tree. One that was shown before keeps its place on the screen as far as it can. */
  show(name: string, scene: Scene, camera: Camera | null): void {
    const before = this.scene;
    const isSame = name === this.name;
    this.name = name;
    this.scene = {
      ...scene,
      drop: before?.drop ?? null,
      band: before?.band ?? null,
      plus: isSame ? (before?.plus ?? null) : null,
    };
    if (!isSame) {
      this.wantsFirst = camera === null;
      if (camera) this.camera = camera;
      else this.start();
    } else if (before && before.layout !== scene.layout) {
      this.hold(before.layout, scene.layout, scene.focus);
    }
    const isOther = before?.focus !== scene.focus || before?.layout !== scene.layout;
    if (isSame && before && isOther) this.follow();
    if (isOther) this.report();
    this.ask();
  }

  /** Looks where another picture looks. */
  mirror(camera: Camera): void {
    this.camera = camera;
    this.ask();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.ask();
  }

  fit(): void {
    if (this.acts.refit) this.acts.refit();
    else this.fitNow();
  }

  /** The same in the form that it has now. */
  fitNow(): void {
    if (this.scene) this.look(fitted(this.scene.layout, this.width, this.height));
  }

  /** Shows where something from elsewhere would be put that is held over a place of the page. */
  over(point: { x: number; y: number } | null, can: (drop: Drop) => boolean): Drop | null {
    if (!this.scene) return null;
    const box = this.canvas.getBoundingClientRect();
    const isIn =
      point && point.x >= box.left && point.x < box.right && point.y >= box.top && point.y < box.bottom;
    const at = isIn ? this.world({ offsetX: point.x - box.left, offsetY: point.y - box.top }) : null;
    const drop = at && dropAt(this.scene.layout, at.x, at.y);
    this.scene = { ...this.scene, drop: drop && can(drop) ? drop : null, plus: null };
    this.ask();
    return this.scene.drop;
  }

  zoom(factor: number): void {
    const focus = this.focusPoint();
    this.look(zoomed(this.camera, factor, focus?.x ?? this.width / 2, focus?.y ?? this.height / 2));
  }

  actual(): void {
    const at = this.scene?.focus !== null ? this.scene?.layout.index.get(this.scene.focus) : undefined;
    if (at !== undefined && this.scene) {
      this.look(centred(this.scene.layout, at, 1, this.width, this.height));
    } else {
      this.zoom(1 / this.camera.zoom);
    }
  }

  /** Puts a point of the world in the middle. */
  centreOn(x: number, y: number): void {
    const { zoom } = this.camera;
    this.look({ x: this.width / 2 - x * zoom, y: this.height / 2 - y * zoom, zoom });
  }

  /** Where on the canvas a node is. */
  pointOf(idx: number): { x: number; y: number } | null {
    const layout = this.scene?.layout;
    const at = layout?.index.get(idx);
    if (!layout || at === undefined) return null;
    const face = layout.faces[at]!;
    return {
      x: (layout.x[at]! + Math.min(face.width / 2, 60)) * this.camera.zoom + this.camera.x,
      y: (layout.y[at]! + face.height / 2) * this.camera.zoom + this.camera.y,
    };
  }

  get size(): { width: number; height: number } {
    return { width: this.width, height: this.height };
  }

  private focusPoint(): { x: number; y: number } | null {
    const point = this.scene?.focus !== null && this.scene ? this.pointOf(this.scene.focus!) : null;
    if (!point || point.x < 0 || point.y < 0 || point.x > this.width || point.y > this.height) return null;
    return point;
  }

  private start(): void {
    if (!this.scene || this.width === 0) return;
    this.wantsFirst = false;
    this.look(first(this.scene.layout, this.width, this.height));
    // What is to be seen first need not be near the root.
    this.follow();
  }

  /** The node with the focus stays where it is when others make room or go. */
  private hold(before: Layout, after: Layout, focus: number | null): void {
    const old = before.index.get(focus ?? -1) ?? 0;
    const now = after.index.get(before.cards[old]?.idx ?? -1);
    if (now === undefined || before.orientation !== after.orientation) {
      if (before.orientation !== after.orientation) this.start();
      return;
    }
    const dx = after.x[now]! - before.x[old]!;
    const dy = after.y[now]! - before.y[old]!;
    if (dx === 0 && dy === 0) return;
    this.look({
      ...this.camera,
      x: this.camera.x - dx * this.camera.zoom,
      y: this.camera.y - dy * this.camera.zoom,
    });
  }

  private follow(): void {
    if (!this.scene || this.scene.focus === null || this.gesture) return;
    const at = this.scene.layout.index.get(this.scene.focus);
    if (at === undefined) return;
    const camera = following(this.camera, this.scene.layout, at, this.width, this.height);
    if (camera !== this.camera) this.look(camera);
  }

  private look(camera: Camera): void {
    this.camera = camera;
    this.acts.moved(camera, this.width, this.height);
    this.ask();
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.acts.rest(this.camera);
      this.report();
    }, 150);
  }

  /**
   * Says on the element how large the smallest letters are, in pixels, how many cards are in view, and where the card
   * with the focus is: left, top, width and height.
   */
  private report(): void {
    const { layout, focus } = this.scene ?? {};
    if (!layout) return;
    const { x, y, zoom } = this.camera;
    let seen = 0;
    for (let at = 0; at < layout.cards.length; at++) {
      const face = layout.faces[at]!;
      const left = layout.x[at]! * zoom + x;
      const top = layout.y[at]! * zoom + y;
      const isIn =
        left >= 0 &&
        top >= 0 &&
        left + face.width * zoom <= this.width &&
        top + face.height * zoom <= this.height;
      if (isIn) seen++;
      if (layout.cards[at]!.idx !== focus) continue;
      const box = [left, top, face.width * zoom, face.height * zoom];
      this.canvas.dataset.focus = box.map(Math.round).join(" ");
    }
    this.canvas.dataset.letters = (zoom * SMALLEST_LETTERS).toFixed(1);
    this.canvas.dataset.seen = String(seen);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const wasSeen = this.focusPoint() !== null;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    if (this.wantsFirst) this.start();
    else if (wasSeen) this.follow();
    this.acts.moved(this.camera, this.width, this.height);
    this.draw();
    this.report();
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  private draw(): void {
    if (!this.scene || !this.theme || this.width === 0) return;
    const ratio = this.canvas.width / this.width;
    paint(this.context, this.scene, this.camera, this.width, this.height, ratio, this.theme);
  }

  private world(event: { offsetX: number; offsetY: number }): { x: number; y: number } {
    const { x, y, zoom } = this.camera;
    return { x: (event.offsetX - x) / zoom, y: (event.offsetY - y) / zoom };
  }

  private at(event: { offsetX: number; offsetY: number }): number {
    if (!this.scene) return -1;
    const { x, y } = this.world(event);
    return cardAt(this.scene.layout, x, y);
  }

  /** Offers the sign for another child at the card under the pointer. Whether the pointer is on it. */
  private offerPlus(event: { offsetX: number; offsetY: number }): boolean {
    const { edits } = this.acts;
    if (!this.scene || !edits || this.camera.zoom < 0.3) return false;
    if (this.isOnPlus(event)) return true;
    const at = this.at(event);
    const idx = at < 0 ? null : this.scene.layout.cards[at]!.idx;
    // On the way from the card to its sign nothing changes.
    if (idx === null && this.isNearPlus(event, 3)) return false;
    const { shown } = this.scene;
    const card = idx === null ? undefined : shown.cards.get(idx);
    this.offer(card && !isFolded(shown, card) && edits.hasRoom(card.idx) ? card.idx : null);
    return false;
  }

  private offer(plus: number | null): void {
    if (!this.scene || this.scene.plus === plus) return;
    this.scene = { ...this.scene, plus };
    this.ask();
  }

  private isOnPlus(event: { offsetX: number; offsetY: number }): boolean {
    return this.isNearPlus(event, 1.1);
  }

  private isNearPlus(event: { offsetX: number; offsetY: number }, times: number): boolean {
    const plus = this.scene?.plus;
    const at = plus === undefined || plus === null ? undefined : this.scene?.layout.index.get(plus);
    if (at === undefined) return false;
    const sign = plusOf(this.scene!.layout, at, this.camera.zoom);
    const { x, y } = this.world(event);
    return Math.hypot(x - sign.x, y - sign.y) <= sign.radius * times;
  }

  /** The card in whose gutter the pointer is, where there are breakpoints. */
  private gutter(event: { offsetX: number; offsetY: number }): number {
    if (!this.scene?.marks.live) return -1;
    const { x, y } = this.world(event);
    return gutterAt(this.scene.layout, x, y);
  }

  private down = (event: PointerEvent): void => {
    if (!this.scene) return;
    this.acts.hover(null, 0, 0);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 2) {
      this.beginPinch();
      return;
    }
    const gutter = event.button === 0 ? this.gutter(event) : -1;
    if (gutter >= 0) {
      this.acts.gutter(this.scene.layout.cards[gutter]!.idx);
      return;
    }
    if (event.button === 0 && this.isOnPlus(event)) {
      this.gesture = { kind: "plus", idx: this.scene.plus! };
      return;
    }
    const at = event.button === 1 ? -1 : this.at(event);
    if (at >= 0 && event.button !== 1) {
      const { idx } = this.scene.layout.cards[at]!;
      const wasSelected = this.scene.selection.has(idx);
      const adding = event.shiftKey || event.ctrlKey || event.metaKey;
      if (adding || !wasSelected) this.acts.select(idx, adding);
      if (event.button === 0)
        this.gesture = { kind: "press", x: event.offsetX, y: event.offsetY, idx, wasSelected };
    } else if (event.shiftKey && event.button === 0) {
      const { x, y } = this.world(event);
      this.gesture = { kind: "band", x, y };
    } else if (event.button !== 2) {
      this.gesture = { kind: "pan", x: event.offsetX, y: event.offsetY, camera: this.camera, moved: false };
    }
  };

  private move = (event: PointerEvent): void => {
    if (!this.scene) return;
    if (this.pointers.has(event.pointerId)) {
      this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    }
    const gesture = this.gesture;
    if (!gesture) {
      const isPlus = this.offerPlus(event);
      this.canvas.style.cursor = isPlus || this.gutter(event) >= 0 ? "pointer" : "";
      if (isPlus) {
        this.acts.edits?.overPlus(event.clientX, event.clientY);
        return;
      }
      const at = this.at(event);
      this.acts.hover(at < 0 ? null : this.scene.layout.cards[at]!, event.clientX, event.clientY);
      return;
    }
    if (gesture.kind === "pinch") {
      this.pinch(gesture);
    } else if (gesture.kind === "pan") {
      const dx = event.offsetX - gesture.x;
      const dy = event.offsetY - gesture.y;
      gesture.moved ||= Math.hypot(dx, dy) > SLOP;
      this.look({ ...gesture.camera, x: gesture.camera.x + dx, y: gesture.camera.y + dy });
    } else if (gesture.kind === "press") {
      if (Math.hypot(event.offsetX - gesture.x, event.offsetY - gesture.y) > SLOP) {
        this.gesture = { kind: "drag", idx: gesture.idx, drop: null };
        this.offer(null);
      }
    } else if (gesture.kind === "plus") {
      // It is done when the pointer goes up, still on the sign.
    } else if (gesture.kind === "drag") {
      const { x, y } = this.world(event);
      const drop = dropAt(this.scene.layout, x, y);
      gesture.drop = drop && this.acts.canDrop(drop) ? drop : null;
      this.scene = { ...this.scene, drop: gesture.drop };
      this.canvas.style.cursor = gesture.drop ? "grabbing" : "no-drop";
      const { clientX, clientY } = event;
      this.acts.edits?.drag({ idx: gesture.idx, drop: gesture.drop, x: clientX, y: clientY });
      this.ask();
    } else {
      const { x, y } = this.world(event);
      const band = {
        x: Math.min(x, gesture.x),
        y: Math.min(y, gesture.y),
        width: Math.abs(x - gesture.x),
        height: Math.abs(y - gesture.y),
      };
      this.scene = { ...this.scene, band };
      this.ask();
    }
  };

  private up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    const gesture = this.gesture;
    if (!gesture || !this.scene) return;
    this.gesture = null;
    this.canvas.style.cursor = "";
    if (
      gesture.kind === "press" &&
      gesture.wasSelected &&
      !event.shiftKey &&
      !event.ctrlKey &&
      !event.metaKey
    ) {
      this.acts.select(gesture.idx, false);
    } else if (gesture.kind === "plus") {
      if (this.isOnPlus(event)) this.acts.edits?.plus(gesture.idx);
    } else if (gesture.kind === "drag" && gesture.drop) {
      this.acts.drop(gesture.drop);
    } else if (gesture.kind === "band") {
      this.acts.band(this.inBand());
    }
    this.clear();
  };

  private cancel = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.gesture = null;
    this.canvas.style.cursor = "";
    this.clear();
  };

  /** Ends a drag without dropping. Whether there was one. */
  escape(): boolean {
    const wasDragging = this.gesture !== null;
    this.gesture = null;
    this.clear();
    return wasDragging;
  }

  private clear(): void {
    this.acts.edits?.drag(null);
    if (this.scene) this.scene = { ...this.scene, drop: null, band: null };
    this.ask();
  }

  private inBand(): number[] {
    const band = this.scene?.band;
    const layout = this.scene?.layout;
    if (!band || !layout) return [];
    return layout.cards.flatMap((card, at) => {
      const face = layout.faces[at]!;
      const x = layout.x[at]!;
      const y = layout.y[at]!;
      const isIn =
        x < band.x + band.width &&
        x + face.width > band.x &&
        y < band.y + band.height &&
        y + face.height > band.y;
      return isIn ? [card.idx] : [];
    });
  }

  private double = (event: MouseEvent): void => {
    const at = this.at(event);
    if (at < 0 || !this.scene) return;
    const card = this.scene.layout.cards[at]!;
    const isOnSymbol = this.world(event).x < this.scene.layout.x[at]! + SYMBOL;
    if (isOnSymbol && card.children.length > 0) this.acts.fold(card.idx);
    else this.acts.open(card.idx);
  };

  private wheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.acts.hover(null, 0, 0);
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) {
      this.look({ ...this.camera, x: this.camera.x - (event.deltaX + event.deltaY) * lines });
      return;
    }
    // A pinch on a touchpad comes as a wheel with Ctrl, in smaller steps.
    const speed = event.ctrlKey ? 0.01 : 0.0015;
    this.look(zoomed(this.camera, Math.exp(-event.deltaY * lines * speed), event.offsetX, event.offsetY));
  };

  private menu = (event: MouseEvent): void => {
    event.preventDefault();
    const focus = this.focusPoint();
    const isKey = event.button !== 2;
    const box = this.canvas.getBoundingClientRect();
    if (isKey && focus) this.acts.menu(box.left + focus.x, box.top + focus.y);
    else this.acts.menu(event.clientX, event.clientY);
  };

  private beginPinch(): void {
    const [one, other] = [...this.pointers.values()];
    if (!one || !other) return;
    this.gesture = {
      kind: "pinch",
      camera: this.camera,
      distance: Math.hypot(one.x - other.x, one.y - other.y) || 1,
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
    };
  }

  private pinch(gesture: Extract<Gesture, { kind: "pinch" }>): void {
    const [one, other] = [...this.pointers.values()];
    if (!one || !other) return;
    const x = (one.x + other.x) / 2;
    const y = (one.y + other.y) / 2;
    const factor = Math.hypot(one.x - other.x, one.y - other.y) / gesture.distance;
    const camera = zoomed(gesture.camera, factor, gesture.x, gesture.y);
    this.look({ ...camera, x: camera.x + x - gesture.x, y: camera.y + y - gesture.y });
  }
}
