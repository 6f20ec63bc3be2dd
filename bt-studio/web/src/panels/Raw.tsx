// The text of the file, beside the picture.

import { useEffect, useRef, useState } from "react";
import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import type { Tab } from "../model/state.ts";
import { useApp, useDocs, useUi } from "./app-context.ts";

/** How long one pauses before the text is read. */
const PAUSE = 250;

export function Raw({ tab }: { tab: Tab }) {
  const app = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const focus = useUi((ui) => ui.focus);
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false) || tab.game !== null;
  const [text, setText] = useState(tab.text);
  const pending = useRef(0);
  const known = useRef(tab.text);

  // What changed elsewhere shows here, unless one is typing.
  useEffect(() => {
    if (tab.text === known.current || pending.current !== 0) return;
    known.current = tab.text;
    setText(tab.text);
  }, [tab.text]);
  useEffect(() => {
    if (focus.part === "raw") area.current?.focus();
  }, [focus]);
  // The focused node's text is brought into view.
  useEffect(() => {
    const line = lineOf(known.current, tab.focus);
    const element = area.current;
    if (line === null || !element || document.activeElement === element) return;
    element.scrollTop = Math.max(0, line * 18 - 60);
  }, [tab.focus]);

  function send(next: string): void {
    known.current = next;
    pending.current = 0;
    void app.session.retype(tab.path, next, { key: "step.text" }, "text");
  }

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
      <textarea
        ref={area}
        value={text}
        readOnly={isReadOnly}
        spellCheck={false}
        wrap="off"
        aria-label={t("raw.title")}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          clearTimeout(pending.current);
          pending.current = window.setTimeout(() => send(next), PAUSE);
        }}
        onBlur={() => {
          if (pending.current === 0) return;
          clearTimeout(pending.current);
          send(text);
        }}
      />
    </section>
  );
}

/** The line of a node in the text, from 0. */
function lineOf(text: string, idx: number | null): number | null {
  if (idx === null) return null;
  const found = new RegExp(`"idx"\\s*:\\s*${idx}\\b`).exec(text);
  return found ? text.slice(0, found.index).split("\n").length - 1 : null;
}
