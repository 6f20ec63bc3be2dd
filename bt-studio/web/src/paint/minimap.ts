// All of a tree in little, and which part of it is in view.

import type { Layout } from "../layout/place.ts";
import type { Camera } from "./camera.ts";
import type { Theme } from "./theme.ts";

/** As the style sheet has it; it may be hidden when it is drawn. */
const SIZE = { width: 180, height: 120 };

export class Minimap {
  private picture: HTMLCanvasElement = document.createElement("canvas");
  private layout: Layout | null = null;
  private scale = 1;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  show(layout: Layout, theme: Theme): void {
    this.layout = layout;
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = SIZE;
    this.canvas.width = this.picture.width = Math.round(width * ratio);
    this.canvas.height = this.picture.height = Math.round(height * ratio);
    const wide = layout.right - layout.left || 1;
    const high = layout.bottom - layout.top || 1;
    this.scale = Math.min((width - 8) / wide, (height - 8) / high, 0.25);
    const context = this.picture.getContext("2d");
    if (!context) return;
    context.fillStyle = theme.canvas;
    context.fillRect(0, 0, this.picture.width, this.picture.height);
    context.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, 4 * ratio, 4 * ratio);
    const least = 1 / this.scale;
    for (let at = 0; at < layout.cards.length; at++) {
      const face = layout.faces[at]!;
      context.fillStyle = theme.group[layout.cards[at]!.group] ?? theme.group.unknown!;
      context.fillRect(
        layout.x[at]! - layout.left,
        layout.y[at]! - layout.top,
        Math.max(face.width, least),
        Math.max(face.height, least),
      );
    }
  }

  /** Draws the part in view. Whether all of the tree is in view, so that nobody needs the map. */
  look(camera: Camera, width: number, height: number, theme: Theme): boolean {
    const { layout } = this;
    const context = this.canvas.getContext("2d");
    if (!layout || !context || this.picture.width === 0) return true;
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const left = -camera.x / camera.zoom - layout.left;
    const top = -camera.y / camera.zoom - layout.top;
    const wide = width / camera.zoom;
    const high = height / camera.zoom;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.strokeRect(4 + left * this.scale, 4 + top * this.scale, wide * this.scale, high * this.scale);
    return (
      left <= 0 &&
      top <= 0 &&
      left + wide >= layout.right - layout.left &&
      top + high >= layout.bottom - layout.top
    );
  }

  /** The point of the world under a point of the map. */
  worldAt(x: number, y: number): { x: number; y: number } {
    const { layout, scale } = this;
    return { x: (x - 4) / scale + (layout?.left ?? 0), y: (y - 4) / scale + (layout?.top ?? 0) };
  }
}
