// Fields of forms. Each holds a JSON text, and gives another one.

import { useEffect, useId, useRef, useState } from "react";
import { t } from "../i18n/index.ts";
import { asJson, mistakeIn } from "../model/json.ts";
import type { Thing } from "../net/protocol.ts";

/** How long one pauses before what was typed is sent. */
const PAUSE = 300;

export interface FieldProps {
  label: string;
  /** How the file spells it, where a person says it in another way. */
  code?: string | undefined;
  /** The value as it is written; null if it is not there. */
  value: string | null;
  set: (json: string) => void;
  hint?: string;
  /** What takes effect where nothing is written. */
  fallback?: string;
  isReadOnly?: boolean;
  /** It gets the focus when one begins to edit the node. */
  isFirst?: boolean;
}

/** A text while it is typed: sent after a pause, at Enter, and when the field is left; Escape takes it back. */
export function useTyped(given: string, send: (text: string) => void) {
  const [text, setText] = useState(given);
  const [isTyping, setTyping] = useState(false);
  const timer = useRef(0);
  const sent = useRef(given);
  const latest = useRef({ text, send });
  latest.current = { text, send };

  // While one types, the answer to the letter before the last changes nothing.
  useEffect(() => {
    if (timer.current !== 0 || isTyping) return;
    sent.current = given;
    setText(given);
  }, [given, isTyping]);
  // A field that goes while one types in it sends what was typed.
  useEffect(
    () => () => {
      if (timer.current !== 0) {
        clearTimeout(timer.current);
        latest.current.send(latest.current.text);
      }
    },
    [],
  );

  function flush(next: string): void {
    clearTimeout(timer.current);
    timer.current = 0;
    if (next === sent.current) return;
    sent.current = next;
    send(next);
  }

  return {
    text,
    flush: () => flush(text),
    leave: () => {
      setTyping(false);
      flush(text);
    },
    type: (next: string, at_once = false) => {
      setTyping(true);
      setText(next);
      clearTimeout(timer.current);
      if (at_once) flush(next);
      else timer.current = window.setTimeout(() => flush(latest.current.text), PAUSE);
    },
    back: () => {
      clearTimeout(timer.current);
      timer.current = 0;
      setTyping(false);
      setText(sent.current);
    },
  };
}

/**
 * A part of the page stays what it is while one types in it: what a form is made of may change with what is typed,
 * and a field that another takes the place of loses the focus.
 */
export function useHeld<T>(now: T): { held: T; frame: React.RefObject<HTMLDivElement | null> } {
  const frame = useRef<HTMLDivElement>(null);
  const held = useRef(now);
  const [, look] = useState(0);
  const isIn = isTypedIn(frame.current);
  if (!isIn) held.current = now;
  useEffect(() => {
    const element = frame.current;
    // The next field has the focus a moment later.
    const left = () => setTimeout(() => look((count) => count + 1));
    element?.addEventListener("focusout", left);
    return () => element?.removeEventListener("focusout", left);
  }, []);
  return { held: held.current, frame };
}

function isTypedIn(element: HTMLElement | null): boolean {
  const active = document.activeElement;
  return Boolean(active?.matches("input, textarea") && element?.contains(active));
}

/** Gives the tree the focus again. */
export function backToTree(): void {
  document.querySelector<HTMLElement>("[data-scope=tree]")?.focus();
}

export function Label({ id, of }: { id: string; of: Pick<FieldProps, "label" | "code"> }) {
  return (
    <label htmlFor={id}>
      {of.label}
      {of.code && <code> {of.code}</code>}
    </label>
  );
}

export function Hint({ text, id }: { text: string; id: string }) {
  return text === "" ? null : (
    <span className="hint" id={id}>
      {text}
    </span>
  );
}

interface TextProps extends FieldProps {
  suggestions?: readonly string[] | undefined;
  isLong?: boolean;
  /** What its text is the name of, for who renames it. */
  thing?: Thing | undefined;
}

export function TextField(props: TextProps) {
  const id = useId();
  const shown = props.value === null ? "" : textOf(props.value);
  const typed = useTyped(shown, (text) => props.set(JSON.stringify(text)));
  const common = {
    id,
    value: typed.text,
    readOnly: props.isReadOnly,
    "data-first": props.isFirst ? "" : undefined,
    "data-thing": props.thing && JSON.stringify(props.thing),
    placeholder: props.fallback,
    spellCheck: false,
    autoComplete: "off",
    "aria-describedby": props.hint ? `${id}-hint` : undefined,
    onBlur: typed.leave,
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (!props.isLong || event.ctrlKey || event.metaKey)) {
      typed.flush();
      if (props.isLong) backToTree();
    }
    if (event.key === "Escape") {
      typed.back();
      backToTree();
    }
  };
  return (
    <div className="field">
      <Label id={id} of={props} />
      {props.isLong ? (
        <textarea
          {...common}
          rows={Math.min(8, typed.text.split("\n").length + 1)}
          onChange={(event) => typed.type(event.target.value)}
          onKeyDown={onKey}
        />
      ) : (
        <input
          {...common}
          type="text"
          onFocus={(event) => event.target.select()}
          list={props.suggestions ? `${id}-list` : undefined}
          onChange={(event) => typed.type(event.target.value)}
          onKeyDown={onKey}
        />
      )}
      {props.suggestions && (
        <datalist id={`${id}-list`}>
          {props.suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <Hint text={props.hint ?? ""} id={`${id}-hint`} />
    </div>
  );
}

/** What a JSON text of a string says; any other value is shown as it is written. */
export function textOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : json;
  } catch {
    return json;
  }
}

export interface Bounds {
  min: string | null;
  max: string | null;
  unit: string;
  step: string;
  isWhole: boolean;
  /** The smallest value itself is not taken. */
  isAbove?: boolean;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const WHOLE = /^-?(0|[1-9]\d*)$/;

/** Why a text is not the number that is wanted; empty if it is. */
export function numberProblem(text: string, bounds: Bounds): string {
  const { min, max } = bounds;
  const range = rangeOf(bounds);
  if (!(bounds.isWhole ? WHOLE : NUMBER).test(text)) return range || (bounds.isWhole ? "0, 1, -5" : "0.5");
  const isBelow = min !== null && (bounds.isAbove ? !less(min, text) : less(text, min));
  const isAbove = max !== null && less(max, text);
  return isBelow || isAbove ? range : "";
}

/** Compares whole numbers exactly, however long they are. */
function less(one: string, other: string): boolean {
  if (WHOLE.test(one) && WHOLE.test(other)) return BigInt(one) < BigInt(other);
  return Number(one) < Number(other);
}

export function NumberField(props: FieldProps & { bounds: Bounds }) {
  const id = useId();
  const { bounds } = props;
  const typed = useTyped(props.value ?? "", (text) => {
    if (numberProblem(text, { ...bounds, min: null, max: null }) === "") props.set(text);
  });
  const problem = typed.text === "" ? "" : numberProblem(typed.text, bounds);
  const range = rangeOf(bounds);
  const step = (by: number) => {
    const now = typed.text === "" ? (bounds.min ?? "0") : typed.text;
    if (!NUMBER.test(now)) return;
    const next =
      WHOLE.test(now) && WHOLE.test(bounds.step)
        ? String(BigInt(now) + BigInt(by) * BigInt(bounds.step))
        : String(Number((Number(now) + by * Number(bounds.step)).toPrecision(12)));
    if (numberProblem(next, bounds) === "") typed.type(next, true);
  };
  return (
    <div className="field">
      <Label id={id} of={props} />
      <span className="with-unit">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          role="spinbutton"
          aria-valuenow={NUMBER.test(typed.text) ? Number(typed.text) : undefined}
          aria-valuemin={bounds.min === null ? undefined : Number(bounds.min)}
          aria-valuemax={bounds.max === null ? undefined : Number(bounds.max)}
          aria-valuetext={typed.text === "" ? (props.fallback ?? "") : `${typed.text} ${bounds.unit}`}
          aria-invalid={problem !== ""}
          aria-describedby={`${id}-hint`}
          value={typed.text}
          readOnly={props.isReadOnly}
          placeholder={props.fallback}
          autoComplete="off"
          data-first={props.isFirst ? "" : undefined}
          onChange={(event) => typed.type(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={typed.leave}
          onKeyDown={(event) => {
            if (event.key === "Enter") typed.flush();
            else if (event.key === "ArrowUp" && !props.isReadOnly) step(1);
            else if (event.key === "ArrowDown" && !props.isReadOnly) step(-1);
            else if (event.key === "Escape") {
              typed.back();
              backToTree();
            } else return;
            event.preventDefault();
          }}
        />
        {bounds.unit !== "" && <span className="unit">{bounds.unit}</span>}
      </span>
      {problem !== "" && <span className="mistake">✕ {problem}</span>}
      <Hint text={[range, props.hint].filter(Boolean).join(" · ")} id={`${id}-hint`} />
    </div>
  );
}

function rangeOf({ min, max, isAbove }: Bounds): string {
  if (min !== null && isAbove) {
    const above = t("inspector.above", { min });
    return max === null ? above : `${above}, ${t("inspector.up-to", { max })}`;
  }
  if (min !== null && max !== null) return t("inspector.range", { min, max });
  if (min !== null) return t("inspector.from", { min });
  if (max !== null) return t("inspector.up-to", { max });
  return "";
}

/** A JSON text to choose: what people read, and what it does, if that is known. */
export interface Choice {
  json: string;
  shown: string;
  does?: string;
}

export function ChoiceField(props: FieldProps & { choices: readonly Choice[] }) {
  const id = useId();
  const chosen = props.choices.find((choice) => choice.json === props.value);
  const isKnown = props.value !== null && chosen !== undefined;
  const hint = [chosen?.does, props.hint].filter(Boolean).join(" · ");
  return (
    <div className="field">
      <Label id={id} of={props} />
      <select
        id={id}
        value={props.value ?? ""}
        disabled={props.isReadOnly}
        data-first={props.isFirst ? "" : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => {
          if (event.target.value !== "") props.set(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") backToTree();
        }}
      >
        {props.value === null && <option value="">{props.fallback ?? t("inspector.choose")}</option>}
        {props.value !== null && !isKnown && (
          <option value={props.value}>{`${textOf(props.value)} ?`}</option>
        )}
        {props.choices.map((choice) => (
          <option key={choice.json} value={choice.json}>
            {choice.does ? `${choice.shown} · ${choice.does}` : choice.shown}
          </option>
        ))}
      </select>
      <Hint text={hint} id={`${id}-hint`} />
    </div>
  );
}

export function BoolField(props: FieldProps) {
  return (
    <ChoiceField
      {...props}
      choices={[
        { json: "true", shown: t("inspector.yes") },
        { json: "false", shown: t("inspector.no") },
      ]}
    />
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

interface ColorProps {
  label: string;
  /** As `#rrggbb`; null is none. */
  value: string | null;
  /** An empty text is none. */
  set: (css: string) => void;
  isReadOnly: boolean;
  /** Shows the colours to choose from. */
  choose: () => void;
}

export function ColorField(props: ColorProps) {
  const id = useId();
  const isColor = (text: string) => text === "" || COLOR.test(text);
  const typed = useTyped(props.value ?? "", (text) => {
    if (isColor(text)) props.set(text);
  });
  return (
    <div className="field" data-color="">
      <Label id={id} of={props} />
      <span className="with-unit">
        <input
          type="color"
          aria-label={t("color.own")}
          value={props.value ?? "#ffffff"}
          disabled={props.isReadOnly}
          onChange={(event) => typed.type(event.target.value)}
        />
        <input
          id={id}
          type="text"
          value={typed.text}
          readOnly={props.isReadOnly}
          placeholder={t("color.none")}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={!isColor(typed.text)}
          onFocus={(event) => event.target.select()}
          onChange={(event) => typed.type(event.target.value)}
          onBlur={typed.leave}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter") typed.flush();
            if (event.key === "Escape") {
              typed.back();
              backToTree();
            }
          }}
        />
        {!props.isReadOnly && (
          <button type="button" className="small" onClick={props.choose}>
            {t("inspector.choose")}
          </button>
        )}
      </span>
      {!isColor(typed.text) && <span className="mistake">✕ {t("color.text")}</span>}
    </div>
  );
}

/** Any value, as JSON. It is sent once it is JSON. */
export function JsonField(props: FieldProps) {
  const id = useId();
  const typed = useTyped(props.value ?? "", (text) => {
    if (mistakeIn(text) === null) props.set(text);
  });
  const mistake = typed.text === "" ? null : mistakeIn(typed.text);
  // A word may go on: it is a text when the field is left.
  const isTakenBack = useRef(false);
  const word = mistake === null ? null : asJson(typed.text);
  return (
    <div className="field">
      <Label id={id} of={props} />
      <textarea
        id={id}
        className="code"
        value={typed.text}
        rows={Math.min(10, Math.max(1, typed.text.split("\n").length))}
        readOnly={props.isReadOnly}
        placeholder={props.fallback ?? "JSON"}
        spellCheck={false}
        aria-invalid={mistake !== null && word === null}
        data-first={props.isFirst ? "" : undefined}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onChange={(event) => typed.type(event.target.value)}
        onBlur={() => {
          typed.leave();
          if (word !== null && !isTakenBack.current) props.set(word);
        }}
        onKeyDown={(event) => {
          isTakenBack.current = event.key === "Escape";
          if (isTakenBack.current) {
            typed.back();
            backToTree();
          }
        }}
      />
      {word !== null && <span className="hint">{t("memory.as-text", { text: word })}</span>}
      {mistake !== null && word === null && (
        <span className="mistake">✕ {t("inspector.invalid", { why: mistake })}</span>
      )}
      <Hint text={props.hint ?? ""} id={`${id}-hint`} />
    </div>
  );
}
