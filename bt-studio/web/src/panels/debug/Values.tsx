// What expressions come to at the moment that is shown: below their fields, and those that one watches.

import { useEffect, useMemo, useRef, useState } from "react";
import { t } from "../../i18n/index.ts";
import { Latest } from "../../model/game/latest.ts";
import { treeNameOf } from "../../model/game/state.ts";
import type { Tab } from "../../model/state.ts";
import { unwatched, watched } from "../../model/watches.ts";
import type { ValueOf } from "../../net/protocol.ts";
import { useApp, useUi } from "../app-context.ts";
import { ServerText } from "../ServerText.tsx";
import { Part, useGame, Value } from "./parts.tsx";

/** How often values are asked for, in milliseconds. */
const PAUSE = 100;

/** The values of texts at the moment that is shown; those of the moment before until they are known. */
function useValues(texts: readonly string[], tree: string | null): ReadonlyMap<string, ValueOf> {
  const { game } = useApp();
  const agent = useGame((state) => (state.moment ? `${state.session}:${state.agent}` : null));
  const at = useGame((state) => state.moment?.at);
  const [values, setValues] = useState<readonly ValueOf[]>([]);
  const wanted = useRef({ texts, tree });
  wanted.current = { texts, tree };
  const latest = useMemo(
    () =>
      new Latest(async () => setValues(await game.values(wanted.current.texts, wanted.current.tree)), PAUSE),
    [game],
  );
  const all = texts.join("\0");
  useEffect(() => {
    void [agent, at, all, tree];
    latest.ask();
  }, [latest, agent, at, all, tree]);
  return useMemo(() => new Map(values.map((value) => [value.text, value])), [values]);
}

/** What a text of a tree comes to while a game is shown that runs the tree, with each of its operands. */
export function LiveValue({ text, tab }: { text: string; tab: Tab | undefined }) {
  const app = useApp();
  const tree = useGame((state) => {
    const session = state.sessions.find((one) => one.id === state.session);
    return tab && state.moment ? treeNameOf(session, tab) : null;
  });
  const watches = useUi((ui) => ui.watches);
  const shown = text.trim();
  const values = useValues(tree === null || shown === "" ? [] : [shown], tree);
  const value = values.get(shown);
  if (tree === null || !value) return null;
  return (
    <div className="live-value" data-live="">
      <Result of={value} />
      <Operands of={value} />
      {!watches.includes(shown) && (
        <button
          type="button"
          className="small"
          onClick={() => app.ui.setState({ watches: watched(watches, shown) })}
        >
          {t("watch.this")}
        </button>
      )}
    </div>
  );
}

function Result({ of }: { of: ValueOf }) {
  const why = of.mistake;
  if (typeof why !== "string")
    return (
      <span className="result">
        = <Value of={of.value} />
      </span>
    );
  return (
    <span className="mistake">
      ✕ <ServerText text={why} />
    </span>
  );
}

/** What is put together in an expression, with its values. */
function Operands({ of: { operands = [] } }: { of: ValueOf }) {
  if (operands.length === 0) return null;
  return (
    <ul className="operands">
      {operands.map((operand) => (
        <li key={operand.text}>
          <code>{operand.text}</code> <Result of={operand} />
        </li>
      ))}
    </ul>
  );
}

/** Expressions that one watches; they are evaluated over each moment that is shown. */
export function Watches() {
  const app = useApp();
  const watches = useUi((ui) => ui.watches);
  const values = useValues(watches, null);
  const focus = useUi((ui) => ui.focus);
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus.part === "watch" && focus.count > 0) input.current?.focus();
  }, [focus]);
  const put = (next: string[]) => app.ui.setState({ watches: next });
  return (
    <Part id="watch" title={t("watch.title")} count={watches.length}>
      <ul className="watches">
        {watches.map((watch) => (
          <li key={watch} data-watch={watch}>
            <div className="memory-line">
              <code className="name">{watch}</code>
              {values.has(watch) && <Result of={values.get(watch)!} />}
              <button
                type="button"
                className="close"
                aria-label={t("watch.remove", { text: watch })}
                data-tip={t("watch.remove", { text: watch })}
                onClick={() => {
                  put(unwatched(watches, watch));
                  input.current?.focus();
                }}
              >
                ×
              </button>
            </div>
            {values.has(watch) && <Operands of={values.get(watch)!} />}
          </li>
        ))}
      </ul>
      <input
        ref={input}
        type="text"
        className="code"
        aria-label={t("watch.add")}
        placeholder={t("watch.example")}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.key !== "Enter" || text.trim() === "") return;
          put(watched(watches, text.trim()));
          setText("");
          event.preventDefault();
        }}
      />
    </Part>
  );
}
