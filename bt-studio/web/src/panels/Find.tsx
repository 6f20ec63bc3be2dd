// Something looked for in all trees, and where it was found.

import { useEffect, useRef, useState } from "react";
import type { Context } from "../commands/command.ts";
import { t } from "../i18n/index.ts";
import { focusOn, type Search, toast } from "../model/ui.ts";
import type { FoundPlace } from "../net/protocol.ts";
import { useApp, useDocs, useUi } from "./app-context.ts";
import { ServerText } from "./ServerText.tsx";

/** Where in its node something was found, such as `comment`. */
function withinNode(pointer: string): string {
  const parts = pointer.replace(/^\/nodes\/\d+/, "").replace(/^\/extra(?=\/)/, "");
  return parts.split("/").filter(Boolean).join(" › ");
}

/** How long one pauses before what was typed is looked for, in milliseconds, and how many letters it needs. */
const PAUSE = 200;
const LEAST = 2;
/** So many results are shown. */
const MOST = 1000;

/** Looks again for the text, or for what uses the thing, that was asked for last. */
async function look({ session, ui }: Context): Promise<void> {
  const { asked, usages: of } = ui.getState().search;
  if (!of && !asked) return;
  const found = of
    ? await session.server.call("usages", { of })
    : await session.server.call("find", { ...asked!, in: [] });
  const { search } = ui.getState();
  if (search.usages !== of || search.asked !== asked) return;
  const isSame = JSON.stringify(found.places) === JSON.stringify(search.places);
  if (!isSame) ui.setState({ search: { ...search, places: found.places, unlisted: found.unlisted } });
}

export function Find() {
  const app = useApp();
  const search = useUi((ui) => ui.search);
  const focus = useUi((ui) => ui.focus);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const set = (patch: Partial<Search>) => app.ui.setState((ui) => ({ search: { ...ui.search, ...patch } }));

  // What was found is looked for again a moment after something has changed.
  const state = useDocs((docs) => docs.tabs.map(({ doc, revision }) => `${doc}:${revision}`).join(" "));
  const trees = useDocs((docs) => docs.project?.trees);
  const isListed = search.places !== null;
  useEffect(() => {
    void state;
    void trees;
    if (!isListed) return;
    const timer = setTimeout(() => void look(app).catch(() => undefined), 300);
    return () => clearTimeout(timer);
  }, [app, state, trees, isListed]);

  useEffect(() => {
    if (focus.part === "find") {
      input.current?.focus();
      input.current?.select();
    }
  }, [focus]);

  // Only one of the results is a stop of Tab; arrows go through them.
  const [at, setAt] = useState(0);
  const [wrong, setWrong] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Looks for what is typed; `goes`: the first result gets the focus. */
  async function find(goes: boolean): Promise<void> {
    clearTimeout(timer.current);
    const { text, case: matchCase, regex } = app.ui.getState().search;
    if (text === "") return;
    set({ title: "", usages: null, asked: { text, case: matchCase, regex } });
    setAt(0);
    try {
      await look(app);
      setWrong("");
      if (goes) requestAnimationFrame(() => list.current?.querySelector("button")?.focus());
    } catch (error) {
      // What is typed may be half of an expression.
      setWrong((error as Error).message);
    }
  }

  /** What is looked for has changed: a moment later the results have, too. */
  function change(patch: Partial<Search>): void {
    set(patch);
    clearTimeout(timer.current);
    const { text } = app.ui.getState().search;
    if (text.length >= LEAST) timer.current = window.setTimeout(() => void find(false), PAUSE);
  }

  async function go(place: FoundPlace): Promise<void> {
    try {
      await app.session.open(place.path, place.node ?? undefined);
      focusOn(app.ui, "canvas");
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  function onKey(event: React.KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (now + step < 0) input.current?.focus();
    else buttons[Math.min(now + step, buttons.length - 1)]?.focus();
  }

  const count = search.places?.length ?? 0;
  return (
    <section className="bottom" aria-label={t("find.title")} onKeyDown={onKey}>
      <header>
        <form
          className="find-form"
          onSubmit={(event) => {
            event.preventDefault();
            void find(true);
          }}
        >
          <input
            ref={input}
            type="search"
            aria-label={t("find.text")}
            placeholder={t("find.text")}
            value={search.text}
            onChange={(event) => change({ text: event.target.value })}
          />
          <label>
            <input
              type="checkbox"
              checked={search.case}
              onChange={(event) => change({ case: event.target.checked })}
            />
            {t("find.case")}
          </label>
          <label>
            <input
              type="checkbox"
              checked={search.regex}
              onChange={(event) => change({ regex: event.target.checked })}
            />
            {t("find.regex")}
          </label>
          <button type="submit">{t("find.go")}</button>
        </form>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => {
            set({ places: null });
            app.ui.setState({ bottom: null });
            focusOn(app.ui, "canvas");
          }}
        >
          ×
        </button>
      </header>
      <div className="scroll">
        <p className="hint" aria-live="polite">
          {wrong !== "" && (
            <span className="mistake">
              ✕ <ServerText text={wrong} lead={`${t("refused.lead")} `} />{" "}
            </span>
          )}
          {search.places === null && t("find.hint")}
          {search.usages && `${t("find.usages", { name: search.title })}: `}
          {search.places !== null &&
            (count > 0
              ? t("find.found", { count })
              : t("find.none", { text: search.usages ? search.title : search.text }))}
          {search.unlisted > 0 && ` ${t("find.more", { count: search.unlisted })}`}
        </p>
        <ul className="problem-list" ref={list}>
          {(search.places ?? []).slice(0, MOST).map((place, number) => (
            <li key={`${place.path}:${place.pointer}:${number}`}>
              <button
                type="button"
                className="problem"
                tabIndex={number === Math.min(at, count - 1, MOST - 1) ? 0 : -1}
                onFocus={() => setAt(number)}
                onClick={() => void go(place)}
              >
                <span className="code">{place.path}</span>
                <span className="grow">{place.shown}</span>
                <span className="hint">{withinNode(place.pointer)}</span>
                <span className="where">
                  {place.node !== undefined && place.node !== null ? `#${place.node} ` : ""}
                  {t("problems.line", { line: place.line })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
