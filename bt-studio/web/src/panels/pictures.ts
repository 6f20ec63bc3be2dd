// The picture that is saved beside a tree.

import { byLetters } from "../layout/face.ts";
import { type Orientation, place } from "../layout/place.ts";
import { marksOf, type Tab } from "../model/state.ts";
import { hiddenBelow } from "../model/tree.ts";
import type { Settings } from "../model/ui.ts";
import type { Picture } from "../net/protocol.ts";
import { paint } from "../paint/renderer.ts";
import { readTheme } from "../paint/theme.ts";

const MARGIN = 16;
/** Browsers draw no larger canvas than this. */
const MOST_PIXELS = 16_000;

export async function picturesOf(
  tab: Tab,
  which: Settings["pictures"],
  orientation: Orientation,
): Promise<Picture | undefined> {
  if (which === "none" || !tab.isTree) return undefined;
  const svg = which === "svg" || which === "both";
  if (which === "svg") return { svg };
  return { svg, png: await pngOf(tab, orientation) };
}

async function pngOf(tab: Tab, orientation: Orientation): Promise<string> {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const theme = readTheme(document.body);
  const measure = byLetters((letter, strong) => {
    context.font = `${strong ? "600 13px" : "12px"} ${theme.font}`;
    return context.measureText(letter).width;
  });
  const shown = { cards: tab.cards, root: tab.root, revealed: new Set<number>() };
  const layout = place(shown, measure, orientation);
  const width = layout.right - layout.left + MARGIN * 2;
  const height = layout.bottom - layout.top + MARGIN * 2;
  const zoom = Math.min(2, MOST_PIXELS / width, MOST_PIXELS / height);
  canvas.width = Math.ceil(width * zoom);
  canvas.height = Math.ceil(height * zoom);
  const camera = { x: (MARGIN - layout.left) * zoom, y: (MARGIN - layout.top) * zoom, zoom };
  const scene = {
    layout,
    shown,
    selection: new Set<number>(),
    focus: null,
    marks: {
      errors: marksOf([]),
      found: new Set<number>(),
      hidden: (idx: number) => hiddenBelow(tab.cards, idx),
    },
    hasFocus: false,
    drop: null,
    band: null,
  };
  paint(context, scene, camera, canvas.width, canvas.height, 1, theme);
  const url = canvas.toDataURL("image/png");
  return url.slice(url.indexOf(",") + 1);
}
