// Which part of the world is seen, and how large.

import type { Layout } from "../layout/place.ts";

export interface Camera {
  /** Where the world's origin is on the screen. */
  x: number;
  y: number;
  zoom: number;
}

export const SMALLEST = 0.02;
export const LARGEST = 3;
/** A tree is opened as a whole if its letters are as large as this lets them be. */
const READABLE = 0.85;
/** Its smallest letters have 11 pixels. */
export const COMFORTABLE = 0.92;

export function zoomed(camera: Camera, factor: number, x: number, y: number): Camera {
  const zoom = Math.min(LARGEST, Math.max(SMALLEST, camera.zoom * factor));
  const scale = zoom / camera.zoom;
  return { x: x - (x - camera.x) * scale, y: y - (y - camera.y) * scale, zoom };
}

/** All of the tree, but nothing larger than it is. */
export function fitted(layout: Layout, width: number, height: number): Camera {
  const margin = 24;
  const wide = layout.right - layout.left || 1;
  const high = layout.bottom - layout.top || 1;
  const fit = Math.min((width - margin * 2) / wide, (height - margin * 2) / high, 1);
  const zoom = Math.max(SMALLEST, fit);
  return {
    x: (width - wide * zoom) / 2 - layout.left * zoom,
    y: (height - high * zoom) / 2 - layout.top * zoom,
    zoom,
  };
}

/** What one sees first: all of it if that can be read, else the root and what stands beside it. */
export function first(layout: Layout, width: number, height: number): Camera {
  const all = fitted(layout, width, height);
  if (all.zoom >= READABLE) return all;
  const face = layout.faces[0];
  if (!face) return all;
  const zoom = COMFORTABLE;
  if (layout.orientation === "right") {
    return { x: 24, y: height / 2 - (layout.y[0]! + face.height / 2) * zoom, zoom };
  }
  return { x: width / 2 - (layout.x[0]! + face.width / 2) * zoom, y: 24, zoom };
}

/** The least move that brings a card into view. */
export function following(camera: Camera, layout: Layout, at: number, width: number, height: number): Camera {
  const face = layout.faces[at];
  if (!face) return camera;
  const margin = 24;
  const left = layout.x[at]! * camera.zoom + camera.x;
  const top = layout.y[at]! * camera.zoom + camera.y;
  const right = left + face.width * camera.zoom;
  const bottom = top + face.height * camera.zoom;
  let { x, y } = camera;
  if (right > width - margin) x -= right - (width - margin);
  if (left + (x - camera.x) < margin) x = camera.x + (margin - left);
  if (bottom > height - margin) y -= bottom - (height - margin);
  if (top + (y - camera.y) < margin) y = camera.y + (margin - top);
  return x === camera.x && y === camera.y ? camera : { ...camera, x, y };
}

export function centred(layout: Layout, at: number, zoom: number, width: number, height: number): Camera {
  const face = layout.faces[at];
  if (!face) return { x: 0, y: 0, zoom };
  return {
    x: width / 2 - (layout.x[at]! + face.width / 2) * zoom,
    y: height / 2 - (layout.y[at]! + face.height / 2) * zoom,
    zoom,
  };
}
