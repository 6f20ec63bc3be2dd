// Small parts: where one is, hints, what has happened, the line at the bottom.

import { useEffect, useRef } from "react";
import { isMac, keysOf, shownKey } from "../commands/keys.ts";
import { commandOf, run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { headingOf, titleOf } from "../i18n/kinds.ts";
import { countsOf, type Tab } from "../model/state.ts";
import { pathTo } from "../model/tree.ts";
import { dismiss } from "../model/ui.ts";
import type { Building } from "../net/protocol.ts";
import { useApp, useDocs, useTab, useUi } from "./app-context.ts";
import { ServerText } from "./ServerText.tsx";

export function useKeys(id: string): string {
  const own = useUi((ui) => ui.keys);
  const command = commandOf(id);
  const key = command && keysOf(command, own)[0];
  return key ? shownKey(key, isMac(navigator.platform)) : "";
}

/** The trees that one came through, then the nodes above the focused one. */
export function Crumbs({ tab }: { tab: Tab }) {
  const app = useApp();
  const trail = useDocs((state) => state.trail);
  const path = tab.focus === null ? [] : pathTo(tab.cards, tab.focus);
  const bar = useRef<HTMLElement>(null);
  // The end says most: it is what is seen of a way that is too long.
  useEffect(() => {
    if (bar.current) bar.current.scrollLeft = bar.current.scrollWidth;
  });
  return (
    <nav className="crumbs" ref={bar} aria-label={t("crumbs.label")}>
      <ol>
        {trail.map((step, place) => (
          <li key={`${step.path}:${place}`}>
            <button type="button" onClick={() => void app.session.leave(place)}>
              {step.path}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => app.session.select([tab.root])}>
            {tab.path}
          </button>
        </li>
        {path.slice(1).map((card) => (
          <li key={card.idx}>
            <button
              type="button"
              aria-current={card.idx === tab.focus ? "true" : undefined}
              data-tip={headingOf(card)}
              onClick={() => app.session.select([card.idx])}
            >
              <span aria-hidden="true">{card.symbol}</span> {titleOf(card)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function Hints() {
  const app = useApp();
  const isShown = useUi((ui) => ui.hints && ui.bottom === null && !ui.raw);
  const child = useKeys("insert");
  const content = useKeys("content");
  const palette = useKeys("palette");
  const fix = useKeys("fix");
  if (!isShown) return null;
  return (
    <aside className="hints" aria-label={t("hints.title")}>
      <h2>{t("hints.title")}</h2>
      <ul>
        <li>{t("hints.child", { keys: child })}</li>
        <li>{t("hints.arrows", { keys: content })}</li>
        <li>{t("hints.palette", { keys: palette })}</li>
        <li>{t("hints.problems", { keys: fix })}</li>
      </ul>
      <button type="button" onClick={() => app.ui.setState({ hints: false })}>
        {t("hints.close")}
      </button>
    </aside>
  );
}

export function Toasts() {
  const app = useApp();
  const toasts = useUi((ui) => ui.toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className="toast" data-level={toast.level}>
          <span aria-hidden="true">{toast.level === "error" ? "✕" : "✓"}</span>
          <span className="grow">
            {toast.level === "error" ? (
              <ServerText text={toast.text} lead={`${t("refused.lead")} `} />
            ) : (
              toast.text
            )}
          </span>
          <button
            type="button"
            className="close"
            aria-label={t("dialog.close")}
            onClick={() => dismiss(app.ui, toast.id)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

/** What is known while a package is built, and what cargo is at. */
function buildingText({ status, known_from }: Building): string {
  const known =
    known_from === undefined || known_from === null
      ? t("building.none")
      : t(known_from === "" ? "building.last" : "building.exported", { file: known_from });
  return [t("building"), status, known].filter(Boolean).join(" · ");
}

export function StatusBar() {
  const app = useApp();
  const tab = useTab();
  const theme = useUi((ui) => ui.theme);
  const pictures = useUi((ui) => ui.pictures);
  const status = useDocs((state) => state.status);
  const problem = useDocs((state) => state.project?.problem);
  const building = useDocs((state) => state.project?.building);
  const { errors, warnings, todo } = countsOf(tab?.findings ?? []);
  const undo = tab?.history.done.at(-1);
  return (
    <footer className="status">
      {status !== "open" && (
        <span className="count warning">{t(`status.${status === "refused" ? "lost" : status}`)}</span>
      )}
      {tab && (
        <>
          <button type="button" onClick={() => run("problems", app)}>
            <span className={errors > 0 ? "count error" : "count"}>
              ✕ {t("status.errors", { count: errors })}
            </span>{" "}
            <span className={warnings > 0 ? "count warning" : "count"}>
              ▲ {t("status.warnings", { count: warnings })}
            </span>
            {todo > 0 && <span className="count"> ○ {t("status.todo", { count: todo })}</span>}
          </button>
          <span>{t("status.nodes", { count: tab.cards.size })}</span>
          {tab.selection.size > 1 && <span>{t("status.selected", { count: tab.selection.size })}</span>}
          {tab.agent && <span>{tab.agent}</span>}
          {undo && (
            <button type="button" onClick={() => run("undo", app)}>
              ↶ {t(undo.label.key, undo.label.args)}
            </button>
          )}
        </>
      )}
      {building && (
        <span className="building cut" role="status" data-tip={buildingText(building)}>
          ◷ {buildingText(building)}
        </span>
      )}
      {problem && (
        <span className="count warning cut" data-tip={problem}>
          ▲ {problem}
        </span>
      )}
      <span className="grow" />
      {pictures !== "none" && <span>{t(`pictures.${pictures}`)}</span>}
      <button type="button" onClick={() => run("theme", app)}>
        ◐ {t(`theme.${theme}`)}
      </button>
      <button type="button" onClick={() => run("language", app)}>
        {t("command.language")}
      </button>
      <button type="button" onClick={() => run("help", app)}>
        ? {t("group.help")}
      </button>
    </footer>
  );
}
