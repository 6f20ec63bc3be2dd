// A small picture of a tree: its nodes as boxes in the colours of their groups.

import { useEffect, useRef } from "react";
import { tidy } from "../layout/tidy.ts";
import { readTheme } from "../paint/theme.ts";
import { useUi } from "./app-context.ts";

const GROUPS: Record<string, string> = {
  r: "root",
  c: "composite",
  d: "decorator",
  a: "action",
  q: "condition",
  e: "event",
  t: "tree",
  x: "control",
  u: "unknown",
};

interface Boxes {
  parents: number[];
  groups: string[];
}

/** The nodes of a form as the server writes it: a letter for each, and what is below it in round brackets. */
export function readShape(shape: string): Boxes {
  const parents: number[] = [];
  const groups: string[] = [];
  const above: number[] = [];
  for (const letter of shape) {
    if (letter === "(") above.push(parents.length - 1);
    else if (letter === ")") above.pop();
    else {
      parents.push(above.at(-1) ?? -1);
      groups.push(GROUPS[letter] ?? "unknown");
    }
  }
  return { parents, groups };
}

const BOX = { width: 22, height: 9, across: 4, along: 12 };

export function Thumb({ shape, width, height }: { shape: string; width: number; height: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useUi((ui) => ui.theme);
  useEffect(() => {
    void theme;
    const element = canvas.current;
    if (!element) return;
    const paint = () => paintShape(element, shape, width, height);
    // After the page has taken its colours.
    const asked = requestAnimationFrame(paint);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", paint);
    return () => {
      cancelAnimationFrame(asked);
      dark.removeEventListener("change", paint);
    };
  }, [shape, width, height, theme]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; the name beside it says what it is
  return <canvas ref={canvas} className="thumb" width={width} height={height} aria-hidden="true" />;
}

function paintShape(canvas: HTMLCanvasElement, shape: string, width: number, height: number): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const { parents, groups } = readShape(shape);
  if (parents.length === 0) return;
  const count = parents.length;
  const { along: x, across: y } = tidy({
    parents: Int32Array.from(parents),
    across: new Float64Array(count).fill(BOX.height + BOX.across),
    along: new Float64Array(count).fill(BOX.width + BOX.along),
  });
  const wide = Math.max(...x) + BOX.width;
  const top = Math.min(...y);
  const high = Math.max(...y) - top + BOX.height;
  const scale = Math.min((width - 4) / wide, (height - 4) / high, 1);
  context.setTransform(
    ratio * scale,
    0,
    0,
    ratio * scale,
    ((width - wide * scale) / 2) * ratio,
    ((height - high * scale) / 2 - top * scale) * ratio,
  );
  const theme = readTheme(canvas);
  context.strokeStyle = theme.link;
  context.lineWidth = Math.max(1, 0.8 / scale);
  context.beginPath();
  for (let at = 1; at < count; at++) {
    const parent = parents[at]!;
    context.moveTo(x[parent]! + BOX.width, y[parent]! + BOX.height / 2);
    context.lineTo(x[at]!, y[at]! + BOX.height / 2);
  }
  context.stroke();
  groups.forEach((group, at) => {
    context.fillStyle = theme.group[group] ?? theme.group.unknown!;
    context.fillRect(x[at]!, y[at]!, BOX.width, BOX.height);
  });
}
