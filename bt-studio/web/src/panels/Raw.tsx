// The text of the file, beside the picture.

import { useEffect, useRef, useState } from "react";
import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import type { Tab } from "../model/state.ts";
import { useApp, useDocs, useUi } from "./app-context.ts";
import type { Source } from "./source/editor.ts";
import { lineOf } from "./source/text.ts";

/** How long one pauses before the text is read. */
const PAUSE = 250;

/** The editor is half of the page: it is fetched when the page is shown and nothing else is to be done. */
const editor = () => import("./source/editor.ts");
const whenIdle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 500));
whenIdle(() => void editor());

export function Raw({ tab }: { tab: Tab }) {
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const [source, setSource] = useState<Source | null>(null);
  const focus = useUi((ui) => ui.focus);
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false) || tab.game !== null;
  const pending = useRef(0);
  const now = useRef(tab);
  now.current = tab;

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for a file; what changes is given to it below
  useEffect(() => {
    let made: Source | null = null;
    let isGone = false;
    const send = () => {
      clearTimeout(pending.current);
      if (pending.current === 0 || !made) return;
      pending.current = 0;
      void app.session.retype(tab.path, made.text, { key: "step.text" }, "text");
    };
    app.session.typed.add(send);
    void editor().then(({ Source }) => {
      if (isGone || !host.current) return;
      made = new Source(host.current, {
        text: now.current.text,
        isScript: tab.isScript,
        isReadOnly,
        label: t("raw.title"),
        changed: () => {
          clearTimeout(pending.current);
          pending.current = window.setTimeout(send, PAUSE);
        },
        left: send,
      });
      setSource(made);
    });
    return () => {
      isGone = true;
      app.session.typed.delete(send);
      send();
      made?.destroy();
    };
  }, []);
  // What changed elsewhere shows here, unless one is typing.
  useEffect(() => {
    if (pending.current === 0) source?.show(tab.text);
  }, [source, tab.text]);
  useEffect(() => source?.lock(isReadOnly), [source, isReadOnly]);
  useEffect(() => source?.mark(tab.findings), [source, tab.findings]);
  // The focused node's text is brought into view; of a file that is no tree, the line that is wrong.
  useEffect(() => {
    if (!source || source.hasFocus) return;
    const { isTree, findings, text } = now.current;
    const wrong = isTree ? undefined : findings.find(({ line }) => typeof line === "number")?.line;
    if (typeof wrong === "number") source.look(wrong);
    else if (tab.focus !== null) source.look(lineOf(text, tab.focus) ?? 1);
  }, [source, tab.focus]);
  useEffect(() => {
    if (focus.part === "raw") source?.focus();
  }, [source, focus]);

  return (
    <section className="raw" aria-label={t("raw.title")}>
      <header>
        <h2>{t("raw.title")}</h2>
        <span className="hint grow">{t("raw.hint")}</span>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => run("raw", app)}
        >
          ×
        </button>
      </header>
      <div className="source" ref={host} data-ready={source !== null} />
    </section>
  );
}
