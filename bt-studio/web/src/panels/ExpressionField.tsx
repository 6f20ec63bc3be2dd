// The text of an expression, with what is wrong with it and where.

import { useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../i18n/index.ts";
import { isTranslated } from "../i18n/kinds.ts";
import {
  familyOf,
  type Named,
  nameAt,
  namesIn,
  type Offer,
  offered,
  partBefore,
  partOf,
  wantedAt,
  written,
} from "../model/expression.ts";
import { keyTypeOf, typeName, typeTip } from "../model/types.ts";
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
  /** The type of its value, if it has to be of one. */
  type?: string | undefined;
}

/** So many letters stand on a line of the field, about. */
const LINE = 34;
export function ExpressionField(props: Props) {
  const { target, example = t("inspector.expression-example"), type = "" } = props;
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
  // Where nothing is typed yet, names are offered on request.
  const [isAsked, ask] = useState(false);
  const tab = useTab();
  const names = namesIn(typed.text);
  const named = nameAt(typed.text, caret) ?? names[0];
  const thing = named && target.thing(named);
  const part =
    isIn && !props.isReadOnly
      ? (partBefore(typed.text, caret) ?? (isAsked ? { sign: "" as const, name: "", from: caret } : null))
      : null;
  const typeOf = ({ sign, name }: Named) => target.names(sign).find((one) => one.name === name)?.type ?? "";
  const wanted = (from: number, to: number) => wantedAt(typed.text, from, to, typeOf, familyOf(type));
  const offers = part ? offered(part, namesFor(part), wanted(part.from, caret)) : [];
  // What was wrong with another text is none of this one's.
  const problems = typed.text === given ? target.problemsAt(props.pointer) : [];
  const isWrong = problems.some(({ level }) => level === "error");
  const missing = names.filter(
    ({ sign, name }, place) =>
      sign === "$" &&
      target.isUndeclared(name) &&
      names.findIndex((one) => one.sign === sign && one.name === name) === place,
  );

  /** A name without a sign may be that of a key or a property as well. */
  function namesFor({ sign }: Named): readonly Offer[] {
    return sign === "" ? (["", "$", "@"] as const).flatMap(target.names) : target.names(sign);
  }

  // The caret is behind what was taken before the next key is pressed.
  useLayoutEffect(() => {
    if (goesTo.current === null) return;
    field.current?.setSelectionRange(goesTo.current, goesTo.current);
    goesTo.current = null;
  });

  function take(name: Named): void {
    if (!part) return;
    const text = shown(name);
    const end = part.from + text.length;
    typed.type(typed.text.slice(0, part.from) + text + typed.text.slice(caret));
    setCaret(end);
    setAt(-1);
    ask(false);
    goesTo.current = end;
  }

  function onKey(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.ctrlKey && event.key === " ") ask(true);
    else if (step !== undefined && offers.length > 0)
      setAt(Math.max(-1, Math.min(offers.length - 1, at + step)));
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
          ask(false);
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
          {offers.map((offer, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
            <div
              key={offer.sign + offer.name}
              id={`${id}-offer-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(offer)}
            >
              {shown(offer)}
              {offer.type !== "" && (
                <span className="type" data-tip={typeTip(offer.type)}>
                  {typeName(offer.type)}
                </span>
              )}
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
        missing.map(({ name, from, to }) => (
          <button
            type="button"
            className="small"
            key={name}
            onClick={() => target.declare(name, keyTypeOf(wanted(from, to)))}
          >
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

/** A name as it is taken; a condition or a query is called. */
function shown(named: Named): string {
  return named.sign === "" ? `${named.name}()` : written(named);
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
