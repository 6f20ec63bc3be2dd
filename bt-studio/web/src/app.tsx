// The page: which panel stands where.

import { Component, type ReactNode, useEffect, useLayoutEffect } from "react";
import { type Command, isAvailable, type Scope } from "./commands/command.ts";
import { paste } from "./commands/edit.ts";
import { commandFor, isMac, namesOf } from "./commands/keys.ts";
import { COMMANDS } from "./commands/table.ts";
import { t } from "./i18n/index.ts";
import { keepSteps } from "./model/kept.ts";
import { isChanged } from "./model/state.ts";
import { AppContext, useApp, useDocs, useLanguage, useTab, useUi } from "./panels/app-context.ts";
import { Banners } from "./panels/Banners.tsx";
import { Canvas, hideTip, showTip } from "./panels/Canvas.tsx";
import { Dialogs } from "./panels/Dialogs.tsx";
import { Bar } from "./panels/debug/Bar.tsx";
import { Breakpoints } from "./panels/debug/Breakpoints.tsx";
import { LogPanel } from "./panels/debug/LogPanel.tsx";
import { Play } from "./panels/debug/Play.tsx";
import { Profile } from "./panels/debug/Profile.tsx";
import { useGame } from "./panels/debug/parts.tsx";
import { Reloaded } from "./panels/debug/Reloaded.tsx";
import { Right } from "./panels/debug/Right.tsx";
import { Scenarios } from "./panels/debug/Scenarios.tsx";
import { Sides } from "./panels/debug/Sides.tsx";
import { Find } from "./panels/Find.tsx";
import { MenuBar, PopupMenu } from "./panels/Menu.tsx";
import { PickerBox } from "./panels/Picker.tsx";
import { Problems } from "./panels/Problems.tsx";
import { Raw } from "./panels/Raw.tsx";
import { Side } from "./panels/Side.tsx";
import { Crumbs, Hints, StatusBar, Toasts } from "./panels/Small.tsx";
import { Start } from "./panels/Start.tsx";
import { Tabs } from "./panels/Tabs.tsx";
import { Toolbar } from "./panels/Toolbar.tsx";
import type { Parts } from "./start.ts";

export function App({ context, stage }: Parts) {
  return (
    <AppContext.Provider value={context}>
      <Guard>
        <Shortcuts />
        <Page stage={stage} />
      </Guard>
    </AppContext.Provider>
  );
}

interface Guarded {
  children: ReactNode;
  /** What it is about: of something else it is tried again. */
  of?: string;
}

/** What shows if a panel fails: the page never goes blank, and the server has the drafts. */
class Guard extends Component<Guarded, { problem: string | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate(before: Guarded): void {
    if (this.state.problem !== null && before.of !== this.props.of) this.setState({ problem: null });
  }

  override render(): ReactNode {
    if (this.state.problem === null) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h2>{t("status.broken")}</h2>
        <p>{this.state.problem}</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            {t("status.again")}
          </button>
        </p>
      </div>
    );
  }
}

function Page({ stage }: { stage: Parts["stage"] }) {
  const language = useLanguage();
  const theme = useUi((ui) => ui.theme);
  const bottom = useUi((ui) => ui.bottom);
  const left = useUi((ui) => ui.left);
  const right = useUi((ui) => ui.right);
  const raw = useUi((ui) => ui.raw);
  const tab = useTab();
  const hasGame = useGame((state) => state.sessions.length > 0);
  const title = useDocs((state) => state.project?.title ?? "");
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false);

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  // Before the canvas reads the colours of the style sheet.
  useLayoutEffect(() => {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    const put = () => {
      const isDark = theme === "auto" ? system.matches : theme === "dark";
      document.documentElement.dataset.theme = isDark ? "dark" : "light";
    };
    put();
    system.addEventListener("change", put);
    return () => system.removeEventListener("change", put);
  }, [theme]);
  useEffect(() => {
    const mark = tab && isChanged(tab) ? "*" : "";
    document.title = tab ? `${mark}${tab.path} · bt-studio` : "bt-studio";
  }, [tab]);

  return (
    <div className="page" key={language}>
      <header className="top">
        <MenuBar />
        <PopupMenu />
        <Toolbar />
        <h1 className="title" data-tip={title}>
          {title}
          {isReadOnly ? ` (${t("status.read-only")})` : ""}
        </h1>
      </header>
      <nav aria-label={t("tabs.label")}>
        <Tabs />
      </nav>
      <Bar />
      <main className="middle" data-left={left !== null} data-right={right}>
        {left && <Side which={left} />}
        <section className="centre" aria-label={tab?.path ?? "bt-studio"}>
          <Banners />
          <Toasts />
          {tab ? (
            <>
              <Crumbs tab={tab} />
              <div className="picture">
                {tab.cards.size === 0 ? (
                  <div className="no-picture">{t("status.no-tree")}</div>
                ) : (
                  <Canvas tab={tab} stage={stage} />
                )}
                {(raw || tab.isScript || tab.cards.size === 0) && <Raw tab={tab} key={tab.path} />}
              </div>
              <Hints />
            </>
          ) : (
            <Start />
          )}
          {bottom === "problems" && <Problems />}
          {bottom === "find" && <Find />}
          {bottom === "scenarios" && <Scenarios />}
          {bottom === "play" && hasGame && <Play />}
          {bottom === "log" && hasGame && <LogPanel />}
          {bottom === "breakpoints" && <Breakpoints />}
          {bottom === "profile" && hasGame && <Profile />}
          {bottom === "sides" && hasGame && <Sides />}
          {bottom === "reloaded" && hasGame && <Reloaded />}
        </section>
        {right && (
          <Guard of={`${tab?.path}:${tab?.focus}:${tab?.revision}`}>
            <Right tab={tab} />
          </Guard>
        )}
        <div id="tip" role="tooltip" hidden />
      </main>
      <StatusBar />
      <PickerBox />
      <Dialogs />
      <div id="ghost" aria-hidden="true" hidden />
    </div>
  );
}

/** Whether what is pressed or pasted goes into a field; also into one that has a document of its own. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable=true]") !== null
  );
}

/** The part of the page whose keys count. */
function partOf(target: EventTarget | null): Scope {
  const part = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-scope]") : null;
  return (part?.dataset.scope ?? "page") as Scope;
}

/** Whether a press types something. */
function isLetter(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("dialog, [role=menu]") !== null;
}

/** Shortcuts, pasting, tooltips of cut texts, and the question before the page is left. */
function Shortcuts() {
  const context = useApp();
  useEffect(() => {
    const mac = isMac(navigator.platform);
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || isInDialog(event.target)) return;
      if (context.ui.getState().picker || context.ui.getState().dialog) return;
      const own = context.ui.getState().keys;
      const names = namesOf(event, mac);
      const part = partOf(event.target);
      // Letters are commands while the canvas or its like has the focus, and nowhere else: who types into
      // a field that is gone types into nothing.
      if (part === "page" && isLetter(event)) return;
      // A field keeps its own undo, copy and letters; what is typed with Ctrl or a function key is for the page.
      const command = commandFor(names, part, COMMANDS, own);
      if (!command) return;
      if (isTyping(event) && !belongsToPage(event, command.id, mac)) return;
      if (command.id === "paste" && names.includes("Mod+V")) return;
      const can = isAvailable(command, context);
      // Without a game, F5 and its like are the browser's.
      if (!can && isAboutGames(command) && context.game.state.sessions.length === 0) return;
      event.preventDefault();
      if (can) void command.run(context);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event) || isInDialog(event.target)) return;
      const text = event.clipboardData?.getData("text/plain");
      event.preventDefault();
      void paste(context, text || undefined);
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      const { tabs, pending } = context.session.state;
      if (pending > 0 || tabs.some(isChanged)) event.preventDefault();
    };
    const onHide = () => keepSteps(sessionStorage, context.session.state.tabs);
    const onOver = (event: Event) => {
      const element =
        event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]") : null;
      if (!element) {
        if (event.target instanceof Element && !event.target.closest("canvas")) hideTip();
        return;
      }
      const box = element.getBoundingClientRect();
      showTip(element.dataset.tip ?? "", box.left, box.bottom - 14);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("paste", onPaste);
    document.addEventListener("pointerover", onOver);
    document.addEventListener("focusin", onOver);
    window.addEventListener("beforeunload", onLeave);
    window.addEventListener("pagehide", onHide);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("paste", onPaste);
      document.removeEventListener("pointerover", onOver);
      document.removeEventListener("focusin", onOver);
      window.removeEventListener("beforeunload", onLeave);
      window.removeEventListener("pagehide", onHide);
    };
  }, [context]);
  return null;
}

function isAboutGames({ group }: Command): boolean {
  return group === "debug" || group === "agent";
}

const OF_FIELDS = new Set(["undo", "redo", "select-all", "cut", "copy", "paste", "find-next"]);

/** Whether a shortcut counts while one types in a field. */
function belongsToPage(event: KeyboardEvent, command: string, mac: boolean): boolean {
  if (OF_FIELDS.has(command)) return false;
  const mod = mac ? event.metaKey : event.ctrlKey;
  // Alt with a letter may be a letter of another alphabet.
  return mod || /^F\d+$/.test(event.key) || (event.altKey && event.key.length > 1);
}
