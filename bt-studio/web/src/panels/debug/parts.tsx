// Small parts that the panels about games share.

import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { goToNode } from "../../commands/agent.ts";
import { isAvailable } from "../../commands/command.ts";
import { commandOf, run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { translated } from "../../i18n/said.ts";
import { playOf } from "../../model/game/plays.ts";
import { agentName, type GameState } from "../../model/game/state.ts";
import { inLine } from "../../model/game/times.ts";
import { useApp, useDocs } from "../app-context.ts";
import { useKeys } from "../Small.tsx";

export function useGame<T>(pick: (state: GameState) => T): T {
  return useStore(useApp().game.store, pick);
}

export function useAgentName(): string {
  return useGame(agentName);
}

/** A button of a command: a sign, or its name; the tooltip has the name and the key. */
export function Do(props: { id: string; sign?: string; main?: boolean; text?: boolean; label?: string }) {
  const { id, sign, main, text, label } = props;
  const app = useApp();
  useGame((state) => state);
  useDocs((state) => state);
  const key = useKeys(id);
  const command = commandOf(id);
  if (!command) return null;
  const name = t(`command.${id}`);
  const on = command.on?.(app);
  return (
    <button
      type="button"
      className={`do ${main ? "main" : ""}`}
      aria-label={sign && !text && !label ? name : undefined}
      aria-pressed={command.on ? on : undefined}
      disabled={!isAvailable(command, app)}
      data-tip={key ? `${name} (${key})` : name}
      data-command={id}
      onClick={() => run(id, app)}
    >
      {sign && <span aria-hidden="true">{sign}</span>}
      {(text || label || !sign) && <span>{label ?? name}</span>}
    </button>
  );
}

/** A node, as a way to it. */
export function NodeLink(props: { tree?: string | null; idx?: number | null; children?: ReactNode }) {
  const app = useApp();
  const { tree, idx } = props;
  if (!tree || typeof idx !== "number") return null;
  return (
    <button
      type="button"
      className="link"
      data-tip={t("game.go-to", { tree, idx })}
      onClick={() => void app.game.try(goToNode(app, tree, idx))}
    >
      {props.children ?? `${tree} #${idx}`}
    </button>
  );
}

const NODE = /([^\s:,`：，（]+): (?:node|节点) (\d+)(, line \d+)?/g;

/** A text of the runtime in the language of the page, in which nodes are ways to them. */
export function Words({ text: original }: { text: string }) {
  const own = translated(original);
  const text = own ?? original;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(NODE)) {
    parts.push(text.slice(from, found.index));
    parts.push(
      <NodeLink key={found.index} tree={found[1]} idx={Number(found[2])}>
        {found[0]}
      </NodeLink>,
    );
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return own === null ? <span lang="en">{parts}</span> : parts;
}

/** A part of a panel that can be folded; it stays as it is. */
export function Part(props: {
  id: string;
  title: string;
  count?: number;
  extra?: ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(() => !closed.has(props.id));
  const section = useRef<HTMLElement>(null);
  // What stands below moves no more than once while the pointer is in the panel: a part that is open gets no smaller.
  useLayoutEffect(() => {
    const element = section.current;
    if (!element) return;
    const isPointedAt = element.closest(".beside-scroll")?.matches(":hover") ?? false;
    element.style.minHeight = isOpen && isPointedAt ? `${element.offsetHeight}px` : "";
  });
  return (
    <section className="game-part" data-part={props.id} ref={section}>
      <header>
        <button
          type="button"
          className="folder"
          aria-expanded={isOpen}
          onClick={() => {
            if (isOpen) closed.add(props.id);
            else closed.delete(props.id);
            setOpen(!isOpen);
          }}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {props.title}
          {props.count !== undefined && <span className="count"> {props.count}</span>}
        </button>
        {props.extra}
      </header>
      {isOpen && props.children}
    </section>
  );
}

const closed = new Set<string>();

/** A value in one line; the tooltip has all of it. */
export function Value({ of }: { of: unknown }) {
  const short = inLine(of, 60);
  const long = inLine(of, 2000);
  return (
    <code className="value" data-tip={long === short ? undefined : long}>
      {short}
    </code>
  );
}

/** The frame of a panel at the bottom, with ways to those beside it. */
export function Bottom(props: { id: string; label: string; tools?: ReactNode; children: ReactNode }) {
  const app = useApp();
  const hasReport = useGame((state) => state.reloaded !== null);
  const isPlay = useGame((state) => playOf(state) !== undefined);
  const parts = [
    ...(isPlay ? ["play"] : []),
    "log",
    "breakpoints",
    "profile",
    "sides",
    ...(hasReport ? ["reloaded"] : []),
  ];
  return (
    <section className="bottom game-bottom" aria-label={props.label}>
      <h2 className="unseen">{props.label}</h2>
      <header>
        <div className="switch" role="tablist" aria-label={t("game.panels")}>
          {parts.map((part) => (
            <button
              key={part}
              type="button"
              role="tab"
              aria-selected={part === props.id}
              onClick={() => {
                if (part !== props.id) run(`show-${part}`, app);
              }}
            >
              {t(`game.panel.${part}`)}
            </button>
          ))}
        </div>
        <span className="tools">{props.tools}</span>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => app.ui.setState({ bottom: null })}
        >
          ×
        </button>
      </header>
      {props.children}
    </section>
  );
}
