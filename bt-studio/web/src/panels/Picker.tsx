// A list from which one chooses by typing.

import { useEffect, useMemo, useRef, useState } from "react";
import { isMac } from "../commands/keys.ts";
import { t } from "../i18n/index.ts";
import { rank } from "../model/fuzzy.ts";
import type { Picker } from "../model/ui.ts";
import { useApp, useDocs, useUi } from "./app-context.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import { backToTree } from "./fields.tsx";

/** So many rows are shown at first; more come as one scrolls. */
const FIRST = 80;

export function PickerBox() {
  const picker = useUi((ui) => ui.picker);
  return picker && <Box picker={picker} key={picker.title} />;
}

function Box({ picker }: { picker: Picker }) {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  const [query, setQuery] = useState(picker.query);
  const [at, setAt] = useState(0);
  const [most, setMost] = useState(FIRST);
  const all = useMemo(() => {
    const made = query.trim() === "" ? undefined : picker.made?.(query.trim());
    return [...(made ? [made] : []), ...rank(query, picker.choices, picker.choices.length)];
  }, [query, picker]);
  const found = all.slice(0, most);
  const isUnknown = useDocs(
    ({ project }) => project?.building && (project.building.known_from ?? null) === null,
  );
  const isFree = picker.free && query.trim() !== "" && !all.some((choice) => choice.name === query.trim());

  useEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(`picker-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  function close(): void {
    app.ui.setState({ picker: null });
    dialog.current?.close();
    const had = before.current;
    if (had instanceof HTMLElement && had.isConnected && had !== document.body) had.focus();
    else backToTree();
  }

  function take(place: number): void {
    const choice = found[place];
    if (!choice) return;
    close();
    picker.pick(choice);
  }

  /** A name that is in no list is taken on purpose alone: it may be a slip. */
  function takeFree(): void {
    if (!isFree) return;
    close();
    picker.free?.(query.trim());
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined && all.length > 0) {
      const count = all.length;
      const next =
        Math.abs(step) === 1 ? (at + step + count) % count : Math.max(0, Math.min(count - 1, at + step));
      if (next >= most) setMost(next + FIRST);
      setAt(next);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) takeFree();
    else if (event.key === "Enter") take(at);
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as every dialog
    <dialog
      ref={dialog}
      className="picker"
      aria-label={picker.title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="picker-list"
        aria-activedescendant={found.length > 0 ? `picker-${at}` : undefined}
        aria-label={picker.title}
        placeholder={picker.title}
        value={query}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
          setMost(FIRST);
        }}
        onKeyDown={onKey}
      />
      <ChoiceList
        id="picker"
        label={picker.title}
        choices={found}
        isGrouped={query.trim() === ""}
        at={at}
        take={take}
        more={() => setMost((now) => Math.min(all.length, now + FIRST))}
      />
      {all.length === 0 && query !== "" && <p className="hint">{t("picker.none", { query })}</p>}
      {picker.free && isUnknown && <p className="hint">{t("building.names")}</p>}
      {isFree && (
        <p className="free">
          <button type="button" className="small" onClick={takeFree}>
            {t("picker.free", { query: query.trim() })}{" "}
            <kbd>{isMac(navigator.platform) ? "⌘⏎" : "Ctrl+Enter"}</kbd>
          </button>
        </p>
      )}
    </dialog>
  );
}
