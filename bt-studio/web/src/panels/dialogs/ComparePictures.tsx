// Two versions of a tree as pictures side by side, which move together.

import { useEffect, useMemo, useRef } from "react";
import { t } from "../../i18n/index.ts";
import { type Layout, place } from "../../layout/place.ts";
import { hiddenBelow, type Shown } from "../../model/tree.ts";
import type { NodeChange, NodeDiff, TreeDiff, View } from "../../net/protocol.ts";
import type { Camera } from "../../paint/camera.ts";
import type { Scene } from "../../paint/renderer.ts";
import { Stage } from "../../paint/stage.ts";
import { readTheme } from "../../paint/theme.ts";
import { measure } from "../Canvas.tsx";

type Which = "left" | "right";

interface Props {
  diff: TreeDiff;
  name: string;
  /** The node that is looked at in both, by its place in the comparison. */
  at: number;
  go: (at: number) => void;
}

interface Picture {
  layout: Layout;
  shown: Shown;
  changes: Map<number, NodeChange>;
}

/** All of a version: what is folded in the file is shown, for it may differ inside. */
function pictureOf(view: View, nodes: readonly NodeDiff[], which: Which): Picture {
  const cards = new Map(view.cards.map((card) => [card.idx, { ...card, collapsed: false }]));
  const shown = { cards, root: view.root, revealed: new Set<number>() };
  const changes = new Map<number, NodeChange>();
  for (const node of nodes) {
    const idx = node[which];
    if (idx !== undefined && idx !== null && node.change !== "same") changes.set(idx, node.change);
  }
  return { layout: place(shown, measure, "right"), shown, changes };
}

function sceneOf({ layout, shown, changes }: Picture, focus: number | null): Scene {
  return {
    layout,
    shown,
    selection: new Set(focus === null ? [] : [focus]),
    focus,
    marks: {
      errors: new Map(),
      found: new Set(),
      hidden: (idx) => hiddenBelow(shown.cards, idx),
      changes,
    },
    hasFocus: true,
    drop: null,
    band: null,
  };
}

export function ComparePictures({ diff, name, at, go }: Props) {
  const canvases = { left: useRef<HTMLCanvasElement>(null), right: useRef<HTMLCanvasElement>(null) };
  const stages = useRef<Record<Which, Stage> | null>(null);
  const cameras = useRef<Partial<Record<Which, Camera>>>({});
  /** Whether a picture moves by itself, and not by hand. */
  const isOwn = useRef(false);
  const pictures = useMemo(
    () => ({
      left: pictureOf(diff.left, diff.nodes, "left"),
      right: pictureOf(diff.right, diff.nodes, "right"),
    }),
    [diff],
  );
  const leftCanvas = canvases.left;
  const rightCanvas = canvases.right;

  useEffect(() => {
    const make = (which: Which, canvas: HTMLCanvasElement) => {
      const other: Which = which === "left" ? "right" : "left";
      const moved = (camera: Camera) => {
        const before = cameras.current[which];
        const beside = cameras.current[other];
        cameras.current[which] = camera;
        if (isOwn.current || !before || !beside || !stages.current) return;
        const factor = camera.zoom / before.zoom;
        const next = {
          x: (beside.x - before.x) * factor + camera.x,
          y: (beside.y - before.y) * factor + camera.y,
          zoom: beside.zoom * factor,
        };
        cameras.current[other] = next;
        stages.current[other].mirror(next);
      };
      const nothing = () => undefined;
      const stage = new Stage(canvas, {
        select: (idx) => go(diff.nodes.findIndex((node) => node[which] === idx)),
        moved,
        canDrop: () => false,
        band: nothing,
        open: nothing,
        fold: nothing,
        menu: nothing,
        drop: nothing,
        rest: nothing,
        hover: nothing,
        gutter: nothing,
      });
      stage.setTheme(readTheme(canvas));
      return stage;
    };
    cameras.current = {};
    const made = { left: make("left", leftCanvas.current!), right: make("right", rightCanvas.current!) };
    stages.current = made;
    return () => {
      made.left.destroy();
      made.right.destroy();
      stages.current = null;
    };
  }, [diff, go, leftCanvas, rightCanvas]);

  useEffect(() => {
    isOwn.current = true;
    for (const which of ["left", "right"] as const) {
      const idx = diff.nodes[at]?.[which] ?? null;
      stages.current?.[which].show(which, sceneOf(pictures[which], idx), null);
    }
    isOwn.current = false;
  }, [diff, pictures, at]);

  // The system may change its colours meanwhile.
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const read = () => {
      for (const stage of Object.values(stages.current ?? {})) stage.setTheme(readTheme(document.body));
    };
    dark.addEventListener("change", read);
    return () => dark.removeEventListener("change", read);
  }, []);

  const words = { left: t("compare.before", { what: name }), right: t("compare.after") };
  return (
    <div className="compare-pictures">
      {(["left", "right"] as const).map((which) => (
        <figure key={which}>
          <figcaption>{words[which]}</figcaption>
          <canvas ref={canvases[which]} role="img" aria-label={words[which]} />
        </figure>
      ))}
    </div>
  );
}
