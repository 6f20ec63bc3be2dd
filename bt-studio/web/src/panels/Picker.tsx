// A list from which one chooses by typing.

import { useEffect, useMemo, useRef, useState } from "react";
import { t } from "../i18n/index.ts";
import { rank } from "../model/fuzzy.ts";
import type { Choice, Picker } from "../model/ui.ts";
import { useApp, useUi } from "./app-context.ts";
import { backToTree } from "./fields.tsx";

const MOST = 80;

export function PickerBox() {
  const picker = useUi((ui) => ui.picker);
  return picker && <Box picker={picker} key={picker.title} />;
}

function Box({ picker }: { picker: Picker }) {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  const [query, setQuery] = useState(picker.query);
  const [at, setAt] = useState(0);
  const found = useMemo(() => rank(query, picker.choices, MOST), [query, picker.choices]);
  const total = query.trim() === "" ? picker.choices.length : found.length;
  const free = picker.free && query.trim() !== "" && !found.some((choice) => choice.name === query.trim());
  const rows = found.length + (free ? 1 : 0);

  useEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, []);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
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
    const text = query.trim();
    if (!choice && !free) return;
    close();
    if (choice) picker.pick(choice);
    else picker.free?.(text);
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined && rows > 0) {
      const next =
        Math.abs(step) === 1 ? (at + step + rows) % rows : Math.max(0, Math.min(rows - 1, at + step));
      setAt(next);
    } else if (event.key === "Enter") take(at);
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
        aria-activedescendant={rows > 0 ? `picker-${at}` : undefined}
        aria-label={picker.title}
        placeholder={picker.title}
        value={query}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div id="picker-list" role="listbox" aria-label={picker.title} ref={list} tabIndex={-1}>
        {found.map((choice, place) => (
          <Row
            key={choice.id}
            choice={choice}
            place={place}
            isActive={place === at}
            take={() => take(place)}
          />
        ))}
        {free && (
          <div
            id={`picker-${found.length}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === found.length}
            onClick={() => take(found.length)}
            onKeyDown={onKey}
          >
            <span className="grow">{t("picker.free", { query: query.trim() })}</span>
          </div>
        )}
      </div>
      {rows === 0 && <p className="hint">{t("picker.none", { query })}</p>}
      {total > found.length && <p className="hint">{t("picker.more", { count: total - found.length })}</p>}
    </dialog>
  );
}

function Row(props: { choice: Choice; place: number; isActive: boolean; take: () => void }) {
  const { choice, place, isActive, take } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      id={`picker-${place}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={take}
      data-tip={choice.detail}
    >
      {choice.symbol !== undefined && (
        <span className="symbol" data-group={choice.group} aria-hidden="true">
          {choice.symbol}
        </span>
      )}
      <span className="name">{choice.name}</span>
      <span className="detail">{choice.detail}</span>
      {choice.keys && <kbd>{choice.keys}</kbd>}
    </div>
  );
}
