// The text of an expression, with what is wrong with it and where.

import { useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../i18n/index.ts";
import { isTranslated } from "../i18n/kinds.ts";
import { type Named, nameAt, namesIn, partBefore, partOf, written } from "../model/expression.ts";
import type { Finding } from "../net/protocol.ts";
import { useTab } from "./app-context.ts";
import { LiveValue } from "./debug/Values.tsx";
import { backToTree, type FieldProps, Hint, Label, textOf, useTyped } from "./fields.tsx";
import { ProblemText } from "./Problems.tsx";
import type { Target } from "./SchemaForm.tsx";

interface Props extends FieldProps {
  /** Where it is in the node. */
  pointer: string;
  target: Target;
  /** What it may look like. */
  example?: string | undefined;
}

/** So many letters stand on a line of the field, about. */
const LINE = 34;
/** So many names are offered, at most. */
const MOST_OFFERED = 8;

export function ExpressionField(props: Props) {
  const { target, example = t("inspector.expression-example") } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const goesTo = useRef<number | null>(null);
  const given = props.value === null ? "" : textOf(props.value);
  const typed = useTyped(given, (text) => {
    if (text !== "" || props.value !== null) props.set(JSON.stringify(text));
  });
  const [caret, setCaret] = useState(0);
  const [isIn, setIn] = useState(false);
  const [at, setAt] = useState(-1);
  const tab = useTab();
  const names = namesIn(typed.text);
  const named = nameAt(typed.text, caret) ?? names[0];
  const thing = named && target.thing(named);
  const part = isIn && !props.isReadOnly ? partBefore(typed.text, caret) : null;
  const offers = part ? offered(part, target.names(part.sign)).slice(0, MOST_OFFERED) : [];
  // What was wrong with another text is none of this one's.
  const problems = typed.text === given ? target.problemsAt(props.pointer) : [];
  const isWrong = problems.some(({ level }) => level === "error");
  const missing = names.filter(({ sign, name }) => sign === "$" && target.isUndeclared(name));

  // The caret is behind what was taken before the next key is pressed.
  useLayoutEffect(() => {
    if (goesTo.current === null) return;
    field.current?.setSelectionRange(goesTo.current, goesTo.current);
    goesTo.current = null;
  });

  function take(name: string): void {
    if (!part) return;
    const text = shown(part.sign, name);
    const end = part.from + text.length;
    typed.type(typed.text.slice(0, part.from) + text + typed.text.slice(caret));
    setCaret(end);
    setAt(-1);
    goesTo.current = end;
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offers.length > 0) setAt(Math.max(-1, Math.min(offers.length - 1, at + step)));
    else if (event.key === "Enter" && offers[at] !== undefined) take(offers[at]);
    else if (event.key === "Enter" && !event.shiftKey) typed.flush();
    else if (event.key === "Escape") {
      typed.back();
      backToTree();
    } else return;
    event.preventDefault();
  }

  return (
    <div className="field" data-expression="">
      <Label id={id} of={props} />
      <textarea
        ref={field}
        id={id}
        className="code"
        value={typed.text}
        rows={Math.min(8, Math.max(1, Math.ceil(typed.text.length / LINE)))}
        readOnly={props.isReadOnly}
        placeholder={props.fallback ?? example}
        spellCheck={false}
        autoComplete="off"
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? `${id}-offers` : undefined}
        aria-activedescendant={offers[at] === undefined ? undefined : `${id}-offer-${at}`}
        aria-invalid={isWrong}
        aria-describedby={`${id}-problems ${id}-hint`}
        data-first={props.isFirst ? "" : undefined}
        data-thing={thing && JSON.stringify(thing)}
        onChange={(event) => {
          typed.type(event.target.value);
          setCaret(event.target.selectionStart);
          setAt(-1);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onFocus={() => setIn(true)}
        onBlur={() => {
          setIn(false);
          typed.leave();
        }}
        onKeyDown={onKey}
      />
      {offers.length > 0 && (
        <div className="offers" id={`${id}-offers`} role="listbox" aria-label={t("inspector.offers")}>
          {offers.map((name, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
            <div
              key={name}
              id={`${id}-offer-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              {shown(part?.sign ?? "", name)}
            </div>
          ))}
        </div>
      )}
      <div id={`${id}-problems`}>
        {problems.map((finding, place) => (
          <Problem key={`${finding.code}:${place}`} of={finding} text={given} />
        ))}
      </div>
      <LiveValue text={typed.text} tab={tab} />
      {!props.isReadOnly &&
        typed.text === given &&
        [...new Set(missing.map(({ name }) => name))].map((name) => (
          <button type="button" className="small" key={name} onClick={() => target.declare(name)}>
            {t("inspector.add-key", { name })}
          </button>
        ))}
      <Hint
        text={[props.hint, t("inspector.expression-hint", { example })].filter(Boolean).join(" · ")}
        id={`${id}-hint`}
      />
    </div>
  );
}

/** A name as it is taken; a condition is called. */
function shown(sign: Named["sign"], name: string): string {
  return sign === "" ? `${name}()` : written({ sign, name });
}

/** The names that go on as one has begun to type; none where one is typed to its end. */
function offered({ name }: Named, names: readonly string[]): string[] {
  const letters = name.toLowerCase();
  if (names.includes(name)) return [];
  const fits = names.filter((one) => one.toLowerCase().includes(letters));
  const begins = (one: string) => (one.toLowerCase().startsWith(letters) ? 0 : 1);
  return fits.sort((one, other) => begins(one) - begins(other));
}

/** What is still to do is no mistake. */
const CLASSES: Record<string, string> = { error: "mistake", todo: "hint" };

function Problem({ of, text }: { of: Finding; text: string }) {
  const part = partOf(text, of.message);
  return (
    <div className={CLASSES[of.level] ?? "warning"}>
      {part && (
        <code className="in-text" aria-hidden="true">
          {text.slice(0, part.from)}
          <mark>{text.slice(part.from, part.to) || " "}</mark>
          {text.slice(part.to)}
        </code>
      )}
      <span>
        {of.level === "error" ? "✕" : of.level === "todo" ? "○" : "▲"}{" "}
        {part && isTranslated(of) && `${t("inspector.column", { column: part.column })} · `}
        <ProblemText of={of} />
        {of.help && !isTranslated(of) && `; ${of.help}`}
      </span>
    </div>
  );
}
