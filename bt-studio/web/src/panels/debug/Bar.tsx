// The bar under the tabs while something is attached: what it is, how it stands, and how the agent steps.

import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { said } from "../../i18n/said.ts";
import { canChange, type GameSession, isLive, sessionOf, stopOf } from "../../model/game/state.ts";
import { seconds } from "../../model/game/times.ts";
import { useApp, useUi } from "../app-context.ts";
import { useKeys } from "../Small.tsx";
import { Do, NodeLink, useAgentName, useGame } from "./parts.tsx";

export function Bar() {
  const sessions = useGame((state) => state.sessions);
  useUi((ui) => ui.bottom);
  if (sessions.length === 0) return null;
  return (
    <section className="game-bar" aria-label={t("game.bar")}>
      <Sessions />
      <Agent />
      <span className="grow" />
      <Stopped />
      <Forced />
      <Speed />
    </section>
  );
}

const SIGNS = { attached: "●", lost: "⚠", ended: "■" } as const;

/** How a session stands, in words. */
export function stateOf(session: GameSession): string {
  const time = new Date(session.since).toLocaleTimeString();
  if (session.kind === "recording" || session.kind === "log") return t(`game.kind.${session.kind}`);
  if (session.state === "attached")
    return session.kind === "listen"
      ? t("game.state.listens", { address: session.address ?? "" })
      : t("game.state.attached");
  return t(`game.state.${session.state}`, { time });
}

function Sessions() {
  const app = useApp();
  const sessions = useGame((state) => state.sessions);
  const active = useGame((state) => state.session);
  return (
    <div className="sessions" role="status" aria-live="polite">
      {sessions.map((session) => (
        <button
          key={session.id}
          type="button"
          className="session"
          aria-pressed={session.id === active}
          data-state={session.state}
          data-kind={session.kind}
          data-tip={[
            session.title,
            stateOf(session),
            session.why && said(session.why),
            session.read_only ? t("game.read-only") : "",
          ]
            .filter(Boolean)
            .join("\n")}
          onClick={() => app.game.enter(session)}
        >
          <span aria-hidden="true">
            {session.kind === "recording" || session.kind === "log" ? "▤" : SIGNS[session.state]}
          </span>{" "}
          <strong>{session.title}</strong> {stateOf(session)}
          {session.read_only && session.kind === "game" ? ` · ${t("game.read-only")}` : ""}
        </button>
      ))}
    </div>
  );
}

function Agent() {
  const app = useApp();
  const name = useAgentName();
  const agent = useGame((state) => state.agent);
  const stop = useGame(stopOf);
  const at = useGame((state) => state.at);
  const moment = useGame((state) => state.moment);
  const isNow = useGame(isLive);
  const can = useGame(canChange);
  const isFile = useGame((state) => isOver(state));
  const hasSession = useGame((state) => state.session !== null);
  const live = useKeys("live");
  if (!hasSession) return null;
  if (agent === null) {
    return (
      <button type="button" className="main" onClick={() => run("show-agents", app)}>
        {t("game.choose")}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        className="agent-name"
        data-tip={t("command.show-agents")}
        onClick={() => run("show-agents", app)}
      >
        <strong>{name}</strong>
      </button>
      {stop && isNow ? (
        <span className="stopped">
          ➤ {t(`game.why.${stop.why}`)} <NodeLink tree={stop.tree} idx={stop.idx} />
        </span>
      ) : (
        at === null && <span className="agent-state">{agentState(moment?.picture.agent, isNow)}</span>
      )}
      {(can || isFile) && (
        <span className="steps" role="toolbar" aria-label={t("game.steps")}>
          {stop || isFile ? (
            <Do id="continue" sign="▶" label={t("command.continue")} main />
          ) : (
            <Do id="break" sign="‖" label={t("game.break")} />
          )}
          <Do id="step-over" sign="↷" />
          <Do id="step-into" sign="↓" />
          <Do id="step-out" sign="↑" />
          <Do id="step-poll" sign="⇥" />
        </span>
      )}
      <Do id="follow" sign="◎" />
      {at !== null && moment && (
        <span className="past" role="status">
          <span aria-hidden="true">◷</span>{" "}
          <strong>{t("game.past", { time: seconds(moment.ns), poll: moment.poll })}</strong>
          <button type="button" className="main small" onClick={() => run("live", app)}>
            {t(isFile ? "game.to-end" : "game.to-live")} {live && <kbd>{live}</kbd>}
          </button>
        </span>
      )}
    </>
  );
}

/** Whether what is shown has an end, and no now. */
function isOver(state: Parameters<typeof sessionOf>[0]): boolean {
  const kind = sessionOf(state)?.kind;
  return kind === "recording" || kind === "log";
}

export function agentState(agent: { running: boolean; paused: boolean } | undefined, isNow: boolean): string {
  if (!agent) return "";
  const word = agent.paused ? "paused" : agent.running ? "runs" : "idle";
  return t(isNow ? `game.agent.${word}` : `game.agent.${word}-then`);
}

/** Other agents that stand at breakpoints, perhaps unseen. */
function Stopped() {
  const app = useApp();
  const session = useGame(sessionOf);
  const agent = useGame((state) => state.agent);
  if (session?.state !== "attached") return null;
  const count = session.stops.filter((stop) => stop.agent !== agent).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="stopped-count"
      data-tip={t("command.continue-all")}
      onClick={() => run("continue-all", app)}
    >
      ➤ {t("game.stopped-count", { count })}
    </button>
  );
}

function Forced() {
  const app = useApp();
  const session = useGame(sessionOf);
  // What a game has forced that does not answer is not known.
  const count = session?.state === "attached" ? session.forced.length : 0;
  if (count === 0) return null;
  return (
    <button type="button" className="forced-count" onClick={() => run("show-agent", app)}>
      ⚠ {t("game.forced-count", { count })}
    </button>
  );
}

function Speed() {
  const speed = useGame((state) => sessionOf(state)?.speed ?? 1);
  const can = useGame(canChange);
  const isPlay = useGame((state) => sessionOf(state)?.play === true);
  if (!can || isPlay) return null;
  return (
    <span className="speed" role="toolbar" aria-label={t("game.speed-label")}>
      <Do id="slower" sign="−" />
      <span className={speed === 1 ? "" : "odd"}>{speed === 0 ? t("game.speed-zero") : `× ${speed}`}</span>
      <Do id="faster" sign="+" />
      <Do id="pause-game" sign="‖" label={t("game.pause")} />
    </span>
  );
}
