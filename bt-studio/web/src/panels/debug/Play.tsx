// A tree that is played without its game: what waits, what methods answer, values, events, and the time.

import { useEffect, useId, useState } from "react";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { playOf } from "../../model/game/plays.ts";
import type { PlayCard, PlayEvent, PlayMethod, PlayState, PlayValue } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Buttons, Frame } from "../Dialogs.tsx";
import { ServerText } from "../ServerText.tsx";
import { Bottom, Do, NodeLink, useGame, Words } from "./parts.tsx";

const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 100];

export function Play() {
  const play = useGame(playOf);
  if (!play) return null;
  return (
    <Bottom id="play" label={t("play.title")} tools={<Time of={play} />}>
      <div className="play scroll">
        {play.wrong && (
          <p className="mistake" role="alert">
            ✕ {t("play.wrong")} <ServerText text={play.wrong} />
          </p>
        )}
        <Cards of={play} />
        <section aria-label={t("play.answers")}>
          <h3>{t("play.answers")}</h3>
          {play.methods.length === 0 && <p className="hint">{t("play.no-answers")}</p>}
          <ul className="play-list">
            {play.methods.map((method) => (
              <li key={method.name}>
                <Method of={method} />
              </li>
            ))}
          </ul>
        </section>
        {play.properties.length > 0 && (
          <section aria-label={t("play.properties")}>
            <h3>{t("play.properties")}</h3>
            <ul className="play-list">
              {play.properties.map((property) => (
                <li key={property.name}>
                  <Property of={property} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {play.events.length > 0 && (
          <section aria-label={t("play.events")}>
            <h3>{t("play.events")}</h3>
            <ul className="play-list">
              {play.events.map((event) => (
                <li key={event.name}>
                  <Fire of={event} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {play.said.length > 0 && (
          <section aria-label={t("play.said")}>
            <h3>{t("play.said")}</h3>
            <ul className="play-said">
              {play.said.map((line, at) => (
                <li key={`${at} ${line}`}>
                  <Words text={line} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Bottom>
  );
}

function seconds(time: number): string {
  return `${Math.round(time * 1000) / 1000} s`;
}

function Time({ of: { now, over, waits, speed, cards } }: { of: PlayState }) {
  const { game } = useApp();
  const still = cards.length > 0 ? t("play.acts") : waits ? t("play.waits") : "";
  const state = over ? t(`play.over.${over}`) : still;
  return (
    <>
      <span className="steps" role="toolbar" aria-label={t("play.time")}>
        <Do id="play-step" sign="⇥" text />
        <Do id="play-run" sign="▶" text />
        <select
          aria-label={t("play.speed")}
          value={speed}
          onChange={(event) => {
            const { pace } = game.plays.shown!;
            const wanted = Number(event.target.value);
            void game.plays.do("play.pace", { pace: pace === "run" ? "run" : "pause", speed: wanted });
          }}
        >
          {(SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed]).map((one) => (
            <option key={one} value={one}>
              × {one}
            </option>
          ))}
        </select>
        <Do id="play-fast" sign="»" text />
        <Do id="play-again" sign="↻" text />
      </span>
      <strong className="play-now">{seconds(now)}</strong>
      <span role="status" className="play-state">
        {state}
      </span>
      <span className="grow" />
      <Do id="save-scenario" text />
      <Do id="detach" label={t("play.end")} />
    </>
  );
}

/** The actions that wait to be ended. */
function Cards({ of: { cards, now } }: { of: PlayState }) {
  return (
    <section aria-label={t("play.cards")} aria-live="polite">
      <h3>
        {t("play.cards")} <span className="count">{cards.length}</span>
      </h3>
      {cards.length === 0 && <p className="hint">{t("play.no-cards")}</p>}
      <ul className="play-cards">
        {cards.map((card) => (
          <li key={card.card}>
            <Waiting of={card} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting({ of: card, now }: { of: PlayCard; now: number }) {
  const { game } = useApp();
  const end = (success: boolean) => void game.plays.do("play.finish", { card: card.card, success });
  const args = card.args.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`).join(", ");
  return (
    <article className="play-card" data-card={card.name}>
      <p>
        <strong>{card.name}</strong>
        {args && <code>({args})</code>} <NodeLink tree={card.tree} idx={card.idx} />
      </p>
      <p className="hint">{t("play.since", { time: seconds(Math.max(0, now - card.since)) })}</p>
      <p className="play-ends">
        <button type="button" className="main" onClick={() => end(true)}>
          ✓ {t("play.succeeds")}
        </button>
        <button type="button" onClick={() => end(false)}>
          ✕ {t("play.fails")}
        </button>
      </p>
    </article>
  );
}

/** The answer of a method that stands: a switch, a choice, or a field. */
function Method({ of: method }: { of: PlayMethod }) {
  const { game } = useApp();
  const id = useId();
  const { name, answer, result, kind, brief } = method;
  const give = (line: string) => game.plays.do("play.answer", { method: name, answer: line });
  const label = (
    <label htmlFor={id} data-tip={brief || undefined}>
      {name} <span className="hint">{t(`play.kind.${kind}`)}</span>
    </label>
  );
  if (kind === "condition" && (answer === "success" || answer === "failure")) {
    const holds = answer === "success";
    return (
      <>
        {label}
        <button
          id={id}
          type="button"
          role="switch"
          className="play-switch"
          aria-checked={holds}
          onClick={() => void give(holds ? "failure" : "success")}
        >
          {t(holds ? "play.holds" : "play.holds-not")}
        </button>
      </>
    );
  }
  const choices = CHOICES[String(result)];
  if (choices?.includes(answer)) {
    return (
      <>
        {label}
        <span>
          <select id={id} value={answer} onChange={(event) => void give(event.target.value)}>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {t(`play.answer.${choice.replaceAll(" ", "-")}`)}
              </option>
            ))}
          </select>
        </span>
      </>
    );
  }
  return (
    <>
      {label}
      <Line id={id} value={answer} give={give} />
    </>
  );
}

const WAITING = ["wait", "success", "failure", "after 1s", "after 1s failure", "running"];

/** What is offered of each sort of result. Other answers are typed. */
const CHOICES: Record<string, readonly string[]> = {
  bool: ["success", "failure"],
  unit: ["success"],
  async: WAITING,
  status: WAITING,
  next: ["run", "success", "failure"],
};

/** A field that gives what was typed by Enter, or when the focus leaves it. */
function Line({ id, value, give }: { id: string; value: string; give: (text: string) => unknown }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const send = () => {
    if (text.trim() !== value) void give(text.trim());
  };
  return (
    <input
      id={id}
      type="text"
      className="code"
      value={text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) send();
      }}
    />
  );
}

function Property({ of: { name, value, type } }: { of: PlayValue }) {
  const { game } = useApp();
  const id = useId();
  const set = (next: unknown) => void game.plays.do("play.set", { name: `@${name}`, value: next });
  return (
    <>
      <label htmlFor={id}>
        @{name} <span className="hint">{type}</span>
      </label>
      {typeof value === "boolean" ? (
        <button
          id={id}
          type="button"
          role="switch"
          className="play-switch"
          aria-checked={value}
          onClick={() => set(!value)}
        >
          {String(value)}
        </button>
      ) : (
        <Line id={id} value={shown(value)} give={(text) => set(meant(text, value))} />
      )}
    </>
  );
}

/** A value as one types it: text needs no quotes where nothing else can be meant. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function meant(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An event, with its parameters as fields. */
function Fire({ of: { name, params } }: { of: PlayEvent }) {
  const { game } = useApp();
  const id = useId();
  const [values, setValues] = useState<Record<string, unknown>>({});
  const all = Object.fromEntries(params.map((param) => [param.name, values[param.name] ?? param.value]));
  return (
    <>
      <span className="play-params">
        {params.map((param) => (
          <span key={param.name}>
            <label htmlFor={`${id}${param.name}`}>{param.name}</label>
            <Line
              id={`${id}${param.name}`}
              value={shown(all[param.name])}
              give={(text) => setValues({ ...values, [param.name]: meant(text, param.value) })}
            />
          </span>
        ))}
      </span>
      <button type="button" onClick={() => void game.plays.do("play.fire", { event: name, params: all })}>
        ⚡ {name}
      </button>
    </>
  );
}

/** Saves the play as a scenario, which is shown before. */
export function ScenarioDialog() {
  const app = useApp();
  const { game, ui } = app;
  const path = useGame((state) => state.sessions.find((one) => one.id === state.session)?.title ?? "");
  const [to, setTo] = useState(`${path.replace(/\.(json|bt)$/, "")}.scenario.toml`);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    game.plays.scenario().then(setText, (error: Error) => setWrong(error.message));
  }, [game]);
  return (
    <Frame
      title={t("command.save-scenario")}
      wide
      submit={async () => {
        try {
          await game.plays.save(to.trim());
          ui.setState({ dialog: null });
          game.explain(t("play.saved", { path: to.trim() }));
          run("show-play", app);
        } catch (error) {
          setWrong((error as Error).message);
        }
      }}
      buttons={<Buttons main={t("record.save")} isOff={!to.trim().endsWith(".scenario.toml")} />}
    >
      <div className="field">
        <label htmlFor="scenario-path">{t("record.path")}</label>
        <input
          id="scenario-path"
          type="text"
          value={to}
          spellCheck={false}
          onChange={(event) => setTo(event.target.value)}
        />
        <p className="hint">{t("play.scenario-hint")}</p>
      </div>
      {wrong !== "" && (
        <p className="mistake" role="alert">
          ✕ <ServerText text={wrong} />
        </p>
      )}
      <textarea
        className="play-scenario code"
        aria-label={t("play.scenario")}
        readOnly
        rows={16}
        value={text}
      />
    </Frame>
  );
}
