// The sidebar: all trees, or the outline of the active one.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { FILE_MENU } from "../commands/list.ts";
import { run } from "../commands/table.ts";
import { toggleFold } from "../commands/tree.ts";
import { t } from "../i18n/index.ts";
import { headingOf } from "../i18n/kinds.ts";
import { rank } from "../model/fuzzy.ts";
import { countsOf, marksOf, type Tab } from "../model/state.ts";
import { isFolded, parentOf, placeOf, visible } from "../model/tree.ts";
import { focusOn, type Settings, toast } from "../model/ui.ts";
import type { TreeEntry } from "../net/protocol.ts";
import { useApp, useDocs, useTab, useUi } from "./app-context.ts";
import { nodeMenu } from "./Canvas.tsx";
import { Agents } from "./debug/Agents.tsx";
import { Badge, useLive } from "./debug/live.tsx";
import { mapDock } from "./dock.ts";
import { KeysPanel } from "./KeysPanel.tsx";
import { NodePalette } from "./NodePalette.tsx";
import { Thumb } from "./Thumb.tsx";
import { Unsaved } from "./Unsaved.tsx";

export function Side({ which }: { which: NonNullable<Settings["left"]> }) {
  const app = useApp();
  const tab = useTab();
  return (
    <aside className="side" aria-label={t(`side.${which}`)}>
      <div className="switch" role="tablist" aria-label={t("command.sidebar")}>
        {PARTS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === which}
            onClick={() => app.ui.setState({ left: one })}
          >
            {t(`side.${one}`)}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="close"
        aria-label={t("dialog.close")}
        onClick={() => run("sidebar", app)}
      >
        ×
      </button>
      {which === "trees" && <Trees />}
      {which === "nodes" && <NodePalette />}
      {which === "keys" && <KeysPanel />}
      {which === "outline" && tab && <Outline tab={tab} />}
      {which === "agents" && <Agents />}
      <div className="map-dock" ref={(element) => mapDock.setState({ element })} />
    </aside>
  );
}

const PARTS = ["trees", "nodes", "keys", "outline", "agents"] as const;

const ROW = 26;
const TREE_ROW = 34;

function Trees() {
  const app = useApp();
  const project = useDocs((state) => state.project);
  const tabs = useDocs((state) => state.tabs);
  const active = useDocs((state) => state.active);
  const focus = useUi((ui) => ui.focus);
  const [filter, setFilter] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const scroll = useRef<HTMLDivElement>(null);

  const rows = useMemo(() => {
    const trees = (project?.trees ?? []).map((tree) => ({
      ...tree,
      name: tree.path,
      also: `${tree.agent ?? ""} ${tree.comment}`,
    }));
    return filter === "" ? trees : rank(filter, trees, 2000);
  }, [project?.trees, filter]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => TREE_ROW,
    overscan: 20,
  });

  useEffect(() => {
    if (focus.part === "trees") input.current?.focus();
  }, [focus]);

  const open = (path: string) =>
    app.session
      .open(path)
      .then(() => focusOn(app.ui, "canvas"))
      .catch((error: Error) => toast(app.ui, "error", error.message));

  function menu(path: string, x: number, y: number): void {
    app.ui.setState({ listed: path, menu: { x, y, commands: FILE_MENU, label: t("list.menu", { path }) } });
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      const next = Math.max(0, Math.min(rows.length - 1, at + step));
      setAt(next);
      virtual.scrollToIndex(next);
    } else if (event.key === "Enter" && rows[at]) void open(rows[at].path);
    else if ((event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) && rows[at]) {
      const box = document.getElementById(`tree-${at}`)?.getBoundingClientRect();
      menu(rows[at].path, (box?.left ?? 0) + 40, box?.bottom ?? 0);
    } else return;
    event.preventDefault();
  }

  if (project && project.trees.length === 0) {
    return (
      <div className="pad">
        <p className="hint">{t("side.no-trees")}</p>
        <button type="button" onClick={() => run("new", app)}>
          {t("command.new")}
        </button>
        {active !== null && <Unsaved />}
      </div>
    );
  }
  return (
    <>
      <input
        ref={input}
        className="filter"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="tree-list"
        aria-activedescendant={rows[at] ? `tree-${at}` : undefined}
        aria-label={t("side.filter")}
        placeholder={t("side.filter")}
        value={filter}
        onChange={(event) => {
          setFilter(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div
        className="rows"
        ref={scroll}
        id="tree-list"
        role="listbox"
        aria-label={t("side.trees")}
        tabIndex={-1}
      >
        <div role="presentation" className="sized" ref={(element) => sized(element, virtual.getTotalSize())}>
          {virtual.getVirtualItems().map((item) => {
            const tree = rows[item.index]!;
            const tab = tabs.find((one) => one.path === tree.path);
            const counts = tab ? countsOf(tab.findings) : tree;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                key={tree.path}
                id={`tree-${item.index}`}
                role="option"
                tabIndex={-1}
                aria-selected={item.index === at}
                className="row tree-row"
                data-open={tree.path === active}
                data-tip={tipOf(tree)}
                ref={(element) => moved(element, item.start)}
                onClick={() => {
                  setAt(item.index);
                  void open(tree.path);
                }}
                onContextMenu={(event) => {
                  event.preventDefault();
                  setAt(item.index);
                  menu(tree.path, event.clientX, event.clientY);
                }}
              >
                <Thumb shape={tree.shape} width={44} height={28} />
                <span className="name">{tree.path}</span>
                {tree.changed_on_disk && <span className="badge">{t("side.disk")}</span>}
                <Counts errors={counts.errors} warnings={counts.warnings} />
                <span
                  className="more"
                  aria-hidden="true"
                  data-tip={t("list.more")}
                  onClick={(event) => {
                    event.stopPropagation();
                    menu(tree.path, event.clientX, event.clientY);
                  }}
                >
                  ⋯
                </span>
              </div>
            );
          })}
        </div>
      </div>
      {rows.length === 0 && <p className="hint pad">{t("side.empty")}</p>}
      {active !== null && <Unsaved />}
    </>
  );
}

function tipOf(tree: TreeEntry): string {
  return [tree.path, tree.agent, tree.comment].filter(Boolean).join("\n");
}

export function Counts({ errors, warnings }: { errors: number; warnings: number }) {
  return (
    <>
      {errors > 0 && (
        <span className="count error" role="img" aria-label={t("status.errors", { count: errors })}>
          ✕{errors}
        </span>
      )}
      {warnings > 0 && (
        <span className="count warning" role="img" aria-label={t("status.warnings", { count: warnings })}>
          ▲{warnings}
        </span>
      )}
    </>
  );
}

// Sizes and places go through the object model: the page's policy takes no style attributes.
function sized(element: HTMLElement | null, height: number): void {
  if (element) element.style.height = `${height}px`;
}

function moved(element: HTMLElement | null, start: number): void {
  if (element) element.style.transform = `translateY(${start}px)`;
}

/** The nodes as a tree of texts: the accessible model of the picture. */
function Outline({ tab }: { tab: Tab }) {
  const app = useApp();
  const focus = useUi((ui) => ui.focus);
  const scroll = useRef<HTMLDivElement>(null);
  const { cards, root, revealed } = tab;
  const rows = useMemo(() => visible({ cards, root, revealed }), [cards, root, revealed]);
  const places = useMemo(() => new Map(rows.map((card, at) => [card.idx, at])), [rows]);
  const marks = useMemo(() => marksOf(tab.findings), [tab.findings]);
  const depths = useMemo(() => {
    const found = new Map<number, number>();
    for (const card of rows) found.set(card.idx, (found.get(card.parent ?? -1) ?? 0) + 1);
    return found;
  }, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 20,
  });
  const at = places.get(tab.focus ?? root) ?? 0;
  const live = useLive(tab);

  useEffect(() => {
    if (focus.part === "outline") scroll.current?.focus();
  }, [focus]);
  useEffect(() => virtual.scrollToIndex(at), [at, virtual]);

  function onKey(event: React.KeyboardEvent): void {
    const card = rows[at];
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    let next: number | undefined;
    if (event.key === "ArrowDown") next = rows[at + 1]?.idx;
    else if (event.key === "ArrowUp") next = rows[at - 1]?.idx;
    else if (event.key === "Home") next = rows[0]?.idx;
    else if (event.key === "End") next = rows.at(-1)?.idx;
    else if (event.key === "ArrowRight") {
      if (isFolded(tab, card)) void toggleFold(app, card.idx);
      else next = card.children[0];
    } else if (event.key === "ArrowLeft") {
      if (card.children.length > 0 && !isFolded(tab, card) && card.idx !== root)
        void toggleFold(app, card.idx);
      else next = card.parent ?? undefined;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return;
    app.session.select(event.shiftKey ? [...tab.selection, next] : [next], next);
  }

  return (
    <div
      className="rows outline"
      ref={scroll}
      role="tree"
      aria-multiselectable="true"
      aria-label={t("side.outline")}
      aria-activedescendant={rows[at] ? `outline-${rows[at].idx}` : undefined}
      tabIndex={0}
      data-scope="tree"
      onKeyDown={onKey}
      onFocus={() => app.ui.setState({ focus: { part: "outline", count: 0 } })}
      onContextMenu={(event) => {
        event.preventDefault();
        app.ui.setState({
          menu: { x: event.clientX, y: event.clientY, commands: nodeMenu(app), label: t("menu.context") },
        });
      }}
    >
      <div role="presentation" className="sized" ref={(element) => sized(element, virtual.getTotalSize())}>
        {virtual.getVirtualItems().map((item) => {
          const card = rows[item.index]!;
          const depth = depths.get(card.idx) ?? 1;
          const parent = parentOf(cards, card);
          const mark = marks.get(card.idx);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
            <div
              key={card.idx}
              id={`outline-${card.idx}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={depth}
              aria-setsize={parent?.children.length ?? 1}
              aria-posinset={parent ? placeOf(cards, card) + 1 : 1}
              aria-expanded={card.children.length > 0 ? !isFolded(tab, card) : undefined}
              aria-selected={tab.selection.has(card.idx)}
              className="row"
              data-focus={card.idx === tab.focus}
              data-disabled={card.left_out}
              data-tip={headingOf(card)}
              ref={(element) => {
                moved(element, item.start);
                if (element) element.style.paddingLeft = `${4 + (depth - 1) * 14}px`;
              }}
              onClick={(event) => {
                const adding = event.ctrlKey || event.metaKey || event.shiftKey;
                app.session.select(adding ? [...tab.selection, card.idx] : [card.idx], card.idx);
              }}
              onDoubleClick={() => run("content", app)}
            >
              <span
                className="fold"
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation();
                  void toggleFold(app, card.idx);
                }}
              >
                {card.children.length === 0 ? "" : isFolded(tab, card) ? "▸" : "▾"}
              </span>
              <span className="symbol" data-group={card.group} aria-hidden="true">
                {card.symbol}
              </span>
              <span className="name">{headingOf(card)}</span>
              {live && <Badge of={live} idx={card.idx} />}
              {mark && (
                <span className={`count ${mark}`} role="img" aria-label={t(`problems.level.${mark}`)}>
                  {mark === "error" ? "✕" : "▲"}
                </span>
              )}
              <span className="number">#{card.idx}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
