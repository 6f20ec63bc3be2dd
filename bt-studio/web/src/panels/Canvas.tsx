// The picture of the active tree.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { type Context, treeOf, type View } from "../commands/command.ts";
import { toggleBreakpoint } from "../commands/debug.ts";
import { pickChild } from "../commands/pickers.ts";
import { run } from "../commands/table.ts";
import { toggleFold } from "../commands/tree.ts";
import { t } from "../i18n/index.ts";
import { headingOf, problemWords, titleOf } from "../i18n/kinds.ts";
import type { Drop } from "../layout/drop.ts";
import { byLetters } from "../layout/face.ts";
import { type Layout, place } from "../layout/place.ts";
import { readExtra } from "../model/arguments.ts";
import { expressionsIn } from "../model/expression.ts";
import { treeNameOf } from "../model/game/state.ts";
import { valueLines } from "../model/game/values.ts";
import { canMove, kindsOf, roomIn } from "../model/kinds.ts";
import { marksOf, patchTab, type Tab } from "../model/state.ts";
import { hiddenBelow, parentOf, pathTo, placeOf, tops } from "../model/tree.ts";
import { focusOn } from "../model/ui.ts";
import type { Card } from "../net/protocol.ts";
import { levelFor } from "../paint/level.ts";
import { Minimap } from "../paint/minimap.ts";
import { wordsOf } from "../paint/renderer.ts";
import { Stage } from "../paint/stage.ts";
import { readTheme, type Theme } from "../paint/theme.ts";
import { useApp, useUi } from "./app-context.ts";
import { liveWords, useLive } from "./debug/live.tsx";
import { mapDock } from "./dock.ts";
import { dropWords, hideGhost, keysFor, showGhost } from "./ghost.ts";

const NODE_MENU = [
  "insert",
  "add-child",
  "add-sibling",
  "wrap",
  "kind",
  "",
  "content",
  "comment",
  "color",
  "add-guard",
  "add-effect",
  "add-service",
  "add-event",
  "",
  "cut",
  "copy",
  "paste",
  "duplicate",
  "delete",
  "dissolve",
  "",
  "move-up",
  "move-down",
  "move-out",
  "move-in",
  "collapse",
  "",
  "rename",
  "usages",
  "enter-tree",
  "extract",
  "inline",
  "save-snippet",
  "fix",
];

const GAME_MENU = [
  "breakpoint",
  "edit-breakpoint",
  "run-to",
  "cause",
  "",
  "force-success",
  "force-failure",
  "force-disabled",
  "force-none",
  "finish",
  "fail",
];

/** What one can do with a node. */
export function nodeMenu(app: Context): string[] {
  const isGame = app.game.state.sessions.length > 0;
  if (app.session.active?.game) return [...GAME_MENU, "", "copy", "collapse", "enter-tree"];
  return isGame ? [...GAME_MENU, "", ...NODE_MENU] : NODE_MENU;
}

const measuring = document.createElement("canvas").getContext("2d")!;
let font = "";
/** How wide texts are on the canvas. */
export const measure = byLetters((letter, strong) => {
  font ||= getComputedStyle(document.body).fontFamily;
  measuring.font = `${strong ? "600 13px" : "12px"} ${font}`;
  return measuring.measureText(letter).width;
});

/** The view of the tree that is shown, for commands. */
export function viewOf(stage: { current: Stage | null }): View {
  return {
    fit: () => stage.current?.fit(),
    zoom: (factor) => stage.current?.zoom(factor),
    actual: () => stage.current?.actual(),
    over: (point, can) => stage.current?.over(point, can) ?? null,
    pointOf: (idx) => {
      const box = stage.current?.canvas.getBoundingClientRect();
      const point = stage.current?.pointOf(idx);
      return box && point ? { x: box.left + point.x, y: box.top + point.y } : null;
    },
  };
}

export function Canvas({ tab, stage }: { tab: Tab; stage: { current: Stage | null } }) {
  const app = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const mapCanvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<Minimap | null>(null);
  const theme = useRef<Theme | null>(null);
  const layoutNow = useRef<Layout | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const [mapNeeded, setMapNeeded] = useState(false);
  const [themed, setThemed] = useState(0);
  const dock = useStore(mapDock, (state) => state.element);
  // How narrow the cards are is chosen when a tree is shown first, and when all of it is wanted.
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  const [fits, setFits] = useState(0);
  const levels = useRef(new Map<string, number>());
  const wantsFit = useRef(false);
  const hovered = useRef<number | null>(null);
  const orientation = useUi((ui) => ui.orientation);
  const chosenTheme = useUi((ui) => ui.theme);
  const showsMap = useUi((ui) => ui.minimap);
  const places = useUi((ui) => ui.search.places);
  const focus = useUi((ui) => ui.focus);

  const { cards, root, revealed } = tab;
  const levelKey = `${tab.path}:${orientation}`;
  useLayoutEffect(() => {
    const { clientWidth: width, clientHeight: height } = canvas.current!;
    if (width > 0) setRoom({ width, height });
  }, []);
  const layout = useMemo(() => {
    void fits;
    const start = performance.now();
    const shown = { cards, root, revealed };
    let level = levels.current.get(levelKey);
    if (level === undefined && room) {
      level = levelFor(shown, measure, orientation, room, wantsFit.current);
      levels.current.set(levelKey, level);
    }
    const placed = place(shown, measure, orientation, level);
    performance.measure("layout", { start });
    return placed;
  }, [cards, root, revealed, orientation, levelKey, room, fits]);
  const errors = useMemo(() => marksOf(tab.findings), [tab.findings]);
  const found = useMemo(
    () =>
      new Set(
        (places ?? []).flatMap(({ path, node }) =>
          path === tab.path && typeof node === "number" ? [node] : [],
        ),
      ),
    [places, tab.path],
  );
  layoutNow.current = layout;
  const live = useLive(tab);
  const liveNow = useRef(live);
  liveNow.current = live;

  useEffect(() => {
    const element = canvas.current!;
    const active = () => app.session.active;
    const acts = {
      select: (idx: number, adding: boolean) => {
        const now = active();
        if (!now) return;
        if (!adding) app.session.select([idx]);
        else if (now.selection.has(idx)) {
          app.session.select(
            [...now.selection].filter((one) => one !== idx),
            undefined,
          );
        } else app.session.select([...now.selection, idx]);
      },
      band: (nodes: number[]) => app.session.select(nodes),
      open: (idx: number) => {
        app.session.select([idx]);
        run("content", app);
      },
      fold: (idx: number) => void toggleFold(app, idx),
      menu: (x: number, y: number) =>
        app.ui.setState({ menu: { x, y, commands: nodeMenu(app), label: t("menu.context") } }),
      gutter: (idx: number) => {
        const now = active();
        if (!now) return;
        const tree = treeNameOf(app.game.session, now) ?? now.name;
        toggleBreakpoint(app, { tree, idx });
      },
      canDrop: (drop: Drop) => {
        const now = active();
        const parent = now?.cards.get(drop.parent);
        if (!now || !parent || now.game) return false;
        return canMove(
          kindsOf(app.session.state.project?.kinds ?? []),
          now.cards,
          tops(now.cards, now.root, now.selection),
          parent,
        );
      },
      drop: (drop: Drop) =>
        void app.session.edit(
          { key: "step.move" },
          (now) => {
            const nodes = tops(now.cards, now.root, now.selection);
            // The place counts without those that move.
            const parent = now.cards.get(drop.parent);
            const before =
              parent?.children.slice(0, drop.at).filter((idx) => now.selection.has(idx)).length ?? 0;
            return [
              { do: "move", nodes: nodes.map((card) => card.idx), parent: drop.parent, at: drop.at - before },
            ];
          },
          (now) => [...now.selection],
        ),
      rest: (camera: Tab["camera"]) => {
        const now = active();
        if (now && camera) patchTab(app.session.store, now.path, () => ({ camera }));
      },
      moved: (camera: NonNullable<Tab["camera"]>, width: number, height: number) => {
        if (map.current && theme.current) {
          const isAll = map.current.look(camera, width, height, theme.current);
          setMapNeeded(!isAll);
        }
      },
      hover: (card: Parameters<typeof wordsOf>[0] | null, x: number, y: number) => {
        if (!card) {
          hovered.current = null;
          hideTip();
          return;
        }
        const now = active();
        const problems = now?.findings.filter((finding) => finding.node === card.idx) ?? [];
        const at = layoutNow.current?.index.get(card.idx);
        const isCut = at !== undefined && layoutNow.current?.faces[at]?.isCut;
        const isSmall = (stage.current?.camera.zoom ?? 1) < 0.6;
        const isMovable = now !== undefined && now.game === null && parentOf(now.cards, card) !== undefined;
        const lines = [
          ...(isCut || isSmall ? [wordsOf(card)] : []),
          ...(liveNow.current ? liveWords(liveNow.current, card.idx) : []),
          ...problems.map(
            (finding) => `${t(`problems.level.${finding.level}`)} ${finding.code}: ${problemWords(finding)}`,
          ),
          ...(isMovable && !liveNow.current ? [moveKeys(app)] : []),
        ];
        showTip(lines.join("\n"), x, y);
        hovered.current = card.idx;
        if (!now || !liveNow.current) return;
        void valuesAt(app, now, card)
          .catch(() => [])
          .then((values) => {
            if (values.length > 0 && hovered.current === card.idx)
              showTip([...lines, ...values].join("\n"), x, y);
          });
      },
      edits: {
        hasRoom: (idx: number) => {
          const card = treeOf(app)?.cards.get(idx);
          const kinds = kindsOf(app.session.state.project?.kinds ?? []);
          return card !== undefined && !app.session.state.project?.read_only && roomIn(kinds, card) > 0;
        },
        plus: (idx: number) => {
          const card = treeOf(app)?.cards.get(idx);
          app.session.select([idx]);
          if (card) pickChild(app, { parent: idx, at: card.children.length });
        },
        overPlus: (x: number, y: number) =>
          showTip(
            t("card.plus", { keys: keysFor(app, "add-child"), sibling: keysFor(app, "add-sibling") }),
            x,
            y,
          ),
        drag: (over: { idx: number; drop: Drop | null; x: number; y: number } | null) => {
          const now = active();
          const card = over && now?.cards.get(over.idx);
          if (!over || !now || !card) {
            hideGhost();
            return;
          }
          const more = now.selection.size > 1 ? ` +${now.selection.size - 1}` : "";
          const carried = { symbol: card.symbol, group: card.group, name: `${titleOf(card)}${more}` };
          showGhost(carried, over.drop ? dropWords(now, over.drop) : "", moveKeys(app), over.x, over.y);
        },
      },
      refit: () => {
        const size = stage.current?.size;
        if (!size || size.width === 0) return;
        levels.current.clear();
        wantsFit.current = true;
        setRoom({ ...size });
        setFits((count) => count + 1);
      },
    };
    const made = new Stage(element, acts);
    stage.current = made;
    return () => {
      hideGhost();
      made.destroy();
      stage.current = null;
      hideTip();
    };
  }, [app, stage]);

  // Colours of the theme, which the system may change, too.
  useEffect(() => {
    const read = () => {
      void chosenTheme;
      theme.current = readTheme(canvas.current!);
      stage.current?.setTheme(theme.current);
      setThemed((count) => count + 1);
    };
    read();
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", read);
    return () => dark.removeEventListener("change", read);
  }, [chosenTheme, stage]);

  useEffect(() => {
    // Until the room is known the cards are not as narrow as they will be: where one looked before is elsewhere there.
    if (room === null && canvas.current!.clientWidth > 0) return;
    stage.current?.show(
      tab.path,
      {
        layout,
        shown: { cards, root, revealed },
        selection: tab.selection,
        focus: tab.focus,
        marks: { errors, found, hidden: (idx) => hiddenBelow(cards, idx), live },
        hasFocus,
        drop: null,
        band: null,
      },
      tab.camera,
    );
    if (wantsFit.current) {
      wantsFit.current = false;
      stage.current?.fitNow();
    }
  });

  useEffect(() => {
    map.current = dock && mapCanvas.current ? new Minimap(mapCanvas.current) : null;
  }, [dock]);

  useEffect(() => {
    void themed;
    if (!dock || !theme.current || !map.current || !showsMap) return;
    map.current.show(layout, theme.current);
    const view = stage.current;
    if (view) setMapNeeded(!map.current.look(view.camera, view.size.width, view.size.height, theme.current));
  }, [layout, showsMap, themed, stage, dock]);

  useEffect(() => {
    if (focus.part === "canvas" && focus.count > 0) canvas.current?.focus();
  }, [focus]);

  return (
    <div className="canvas-frame">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys are the application's; the outline has the nodes */}
      <canvas
        ref={canvas}
        className="canvas"
        tabIndex={0}
        role="application"
        aria-label={t("canvas.label", { name: tab.name })}
        data-scope="tree"
        onFocus={() => {
          setFocus(true);
          // What was to get the focus before is no longer wanted.
          app.ui.setState({ focus: { part: "canvas", count: 0 } });
        }}
        onBlur={() => setFocus(false)}
        onPointerDown={() => canvas.current?.focus()}
      />
      {dock &&
        createPortal(
          // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus, and says nothing that the outline does not
          <canvas
            ref={mapCanvas}
            className="minimap"
            hidden={!showsMap || !mapNeeded}
            aria-hidden="true"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              goTo(event);
            }}
            onPointerMove={(event) => {
              if (event.buttons === 1) goTo(event);
            }}
          />,
          dock,
        )}
      <Announcer tab={tab} />
    </div>
  );

  function goTo(event: React.PointerEvent<HTMLCanvasElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    const point = map.current?.worldAt(event.clientX - box.left, event.clientY - box.top);
    if (point) stage.current?.centreOn(point.x, point.y);
    focusOn(app.ui, "canvas");
  }
}

/** What the expressions of a node come to in the game that is shown. */
async function valuesAt(app: Context, tab: Tab, card: Card): Promise<string[]> {
  const info = await app.session.server.call("node.info", { doc: tab.doc, node: card.idx });
  const texts = expressionsIn(card.kind, readExtra(info.extra_raw));
  return valueLines(await app.game.values(texts, treeNameOf(app.game.session, tab)));
}

/** The keys that move a node as the pointer does. */
function moveKeys(app: Context): string {
  const [up, down, out, into] = ["move-up", "move-down", "move-out", "move-in"].map((id) => keysFor(app, id));
  return t("drop.keys-move", { up, down, out, in: into });
}

/** Says which node has the focus to who does not see it. */
function Announcer({ tab }: { tab: Tab }) {
  const card = tab.focus === null ? undefined : tab.cards.get(tab.focus);
  const parent = card && parentOf(tab.cards, card);
  const text = card
    ? t("status.at", {
        name: headingOf(card),
        idx: card.idx,
        place: parent ? placeOf(tab.cards, card) + 1 : 1,
        count: parent?.children.length ?? 1,
        level: pathTo(tab.cards, card.idx).length,
      })
    : "";
  return (
    <div className="unseen" aria-live="polite">
      {text}
    </div>
  );
}

let tipTimer = 0;

function tip(): HTMLElement | null {
  return document.getElementById("tip");
}

/** Shows a text beside the pointer when it has stood still for a moment. */
export function showTip(text: string, x: number, y: number): void {
  const element = tip();
  if (!element) return;
  if (text === "") {
    hideTip();
    return;
  }
  if (element.textContent === text && !element.hidden) return;
  clearTimeout(tipTimer);
  element.hidden = true;
  tipTimer = window.setTimeout(() => {
    element.textContent = text;
    element.hidden = false;
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(x + 12, window.innerWidth - box.width - 8))}px`;
    element.style.top = `${y + 18 + box.height > window.innerHeight ? Math.max(4, y - box.height - 8) : y + 18}px`;
  }, 350);
}

export function hideTip(): void {
  clearTimeout(tipTimer);
  const element = tip();
  if (element) element.hidden = true;
}
