// The agent that is followed: where it is, why it waits, what it knows, and how to change that.

import { useEffect, useId, useRef, useState } from "react";
import { cause } from "../../commands/agent.ts";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { said } from "../../i18n/said.ts";
import { canChange, isLive, sessionOf, stopOf } from "../../model/game/state.ts";
import { lasted, seconds } from "../../model/game/times.ts";
import { type Explained, explained, isDecisive, type Said, withProperties } from "../../model/game/why.ts";
import type { Moment } from "../../net/protocol.ts";
import { useApp, useUi } from "../app-context.ts";
import { ServerText } from "../ServerText.tsx";
import { agentState, stateOf } from "./Bar.tsx";
import { Memory } from "./Memory.tsx";
import { Do, NodeLink, Part, useAgentName, useGame, Words } from "./parts.tsx";
import { Watches } from "./Values.tsx";

export function Agent() {
  const app = useApp();
  const agent = useGame((state) => state.agent);
  const moment = useGame((state) => state.moment);
  const wrong = useGame((state) => state.wrong);
  const session = useGame(sessionOf);
  const isNow = useGame(isLive);
  const focus = useUi((ui) => ui.focus);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus.part === "agent" && focus.count > 0) frame.current?.focus();
  }, [focus]);

  if (agent === null || !session) {
    return (
      <div className="pad">
        <p className="hint">{t(session ? "game.choose-hint" : "agents.no-session")}</p>
        <button type="button" onClick={() => run(session ? "show-agents" : "attach", app)}>
          {t(session ? "game.choose" : "command.attach")}
        </button>
      </div>
    );
  }
  return (
    <div className="agent" tabIndex={-1} ref={frame}>
      <Head moment={moment} />
      {session.state !== "attached" && session.kind === "game" && (
        <p className="unknown" role="alert">
          ⚠ {stateOf(session)}
          {session.why ? `: ${said(session.why)}` : ""}. {t("game.unknown-now")}
        </p>
      )}
      {moment?.unknown && <p className="unknown">⚠ {t("game.unknown-then")}</p>}
      {wrong !== "" && (
        <p className="mistake pad">
          ✕ <ServerText text={wrong} />
        </p>
      )}
      {!moment && wrong === "" && <p className="hint pad">{t("game.reading")}</p>}
      {isNow && <Stop />}
      <Answer />
      {moment && (
        <>
          <Why moment={moment} />
          <Leaves moment={moment} />
          <Memory moment={moment} of="key" />
          <Memory moment={moment} of="property" />
          <Watches />
          <Ends moment={moment} />
          <Active moment={moment} />
          <Trees moment={moment} />
          <Forced />
          <Diagnostics moment={moment} />
          <Acts />
        </>
      )}
    </div>
  );
}

function Head({ moment }: { moment: Moment | null }) {
  const name = useAgentName();
  const isNow = useGame(isLive);
  const stop = useGame(stopOf);
  const agent = moment?.picture.agent;
  return (
    <header className="agent-head">
      <h2>{name}</h2>
      <p className="hint">
        {[agent?.agent_type, agent?.tree].filter(Boolean).join(" · ")}
        {agent && (
          <>
            {" · "}
            <strong>{stop && isNow ? t("game.agent.stopped") : agentState(agent, isNow)}</strong>
          </>
        )}
      </p>
      {moment && (
        <p className={isNow ? "hint" : "hint then"}>
          {t(isNow ? "game.as-of" : "game.as-of-then", {
            time: seconds(moment.ns),
            poll: moment.poll,
            no: moment.at,
          })}
        </p>
      )}
    </header>
  );
}

function Stop() {
  const stop = useGame(stopOf);
  const breakpoints = useGame((state) => state.breakpoints);
  if (!stop) return null;
  const note = breakpoints.find(({ spec }) => spec.tree === stop.tree && spec.idx === stop.idx)?.note;
  return (
    <Part id="stop" title={t("game.stopped")}>
      <p className="stopped-at" data-stop={stop.number}>
        ➤ {t(`game.why.${stop.why}`)} · {t(`game.record.${stop.record}`, { defaultValue: stop.record })}{" "}
        <NodeLink tree={stop.tree} idx={stop.idx} /> · {t("game.poll", { poll: stop.poll })}
      </p>
      {note && <p className="hint">{note}</p>}
      {stop.waiting.length > 0 && (
        <p className="warning">▲ {t("game.stop-waiting", { what: stop.waiting.join(", ") })}</p>
      )}
      <div className="buttons">
        <Do id="continue" sign="▶" text main />
        <Do id="step-over" sign="↷" text />
        <Do id="step-into" sign="↓" text />
        <Do id="step-out" sign="↑" text />
        <Do id="step-poll" sign="⇥" text />
        <Do id="step-record" sign="·" text />
        <Do id="run-to" sign="⇢" text />
      </div>
    </Part>
  );
}

/** Why it waits, in the runtime's own words. */
function Why({ moment }: { moment: Moment }) {
  const isNow = useGame(isLive);
  if (!moment.explain) {
    return (
      <Part id="why" title={t("game.explain")}>
        <p className="hint">{t("game.no-explain")}</p>
      </Part>
    );
  }
  const all = explained(withProperties(moment.explain, moment.picture.properties));
  // What ended in this poll, the whole tree last.
  const last = moment.results.findLast(({ result }) => result !== "aborted");
  const isIdle = all.deciding === null && moment.active.every((node) => !node.waits);
  return (
    <Part id="why" title={t(isNow ? "game.explain" : "game.explain-then")}>
      <div className="explain">
        {isIdle && (
          <p data-kind="idle" className="idle">
            {t(last?.result === "success" ? "why.succeeds" : "why.nothing")}
          </p>
        )}
        {all.deciding && <SaidPart of={all} part={all.deciding} isOpen />}
        <p data-kind="" className="hint">
          <Words text={all.state} />
        </p>
        {all.others.map((part, at) => (
          <SaidPart key={`${part.head}:${at}`} of={all} part={part} isOpen={false} />
        ))}
      </div>
    </Part>
  );
}

/** A part of why it waits: its sentence, and all else of it folded unless it decides. */
function SaidPart({ of, part, isOpen }: { of: Explained; part: Said; isOpen: boolean }) {
  const [first, ...rest] = part.lines;
  const mark = part.kind === "refused" ? t(isDecisive(of, part) ? "why.decides" : "why.decides-not") : "";
  const isIn = (line: { text: string }) => line.text.startsWith("in ");
  // Where it is says less than why.
  const reason = first && isIn(first) ? rest.find((line) => !isIn(line)) : first;
  const below = part.lines.filter((line) => line !== reason);
  const [turned, turn] = useState<boolean | null>(null);
  const shows = turned ?? isOpen;
  const head = useId();
  // Sentences have links, which a `summary` must not have: what unfolds is a button of its own.
  return (
    <div className="why-part" data-kind={part.kind} data-decides={isDecisive(of, part)}>
      <div className="summary">
        {below.length > 0 && (
          <button
            type="button"
            className="turn"
            aria-expanded={shows}
            aria-labelledby={head}
            onClick={() => turn(!shows)}
          >
            {shows ? "▾" : "▸"}
          </button>
        )}
        <span className="head" id={head}>
          <Words text={part.head} />
        </span>
        {reason && (
          <span className="reason">
            <Words text={reason.text} />
          </span>
        )}
        {mark && <span className="decides">{mark}</span>}
      </div>
      {shows &&
        below.map((line, at) => (
          <p key={at} data-depth={line.depth}>
            <Words text={line.text} />
          </p>
        ))}
    </div>
  );
}

/** What was found out when one asked: it stays until one asks again. */
function Answer() {
  const { game } = useApp();
  const answer = useGame((state) => state.answer);
  const text = useRef<HTMLDivElement>(null);
  // One who asked sees it, wherever the panel stood.
  useEffect(() => {
    if (answer) text.current?.closest("section")?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  if (!answer) return null;
  return (
    <Part
      id="answer"
      title={answer.title}
      extra={
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => game.store.setState({ answer: null })}
        >
          ×
        </button>
      }
    >
      <div className="explain answer" role="status" ref={text}>
        {answer.lines.map((line, at) => (
          <p key={at}>
            <Words text={line} />
          </p>
        ))}
      </div>
    </Part>
  );
}

function Leaves({ moment }: { moment: Moment }) {
  const { game } = useApp();
  const can = useGame((state) => canChange(state) && isLive(state));
  const agent = useGame((state) => state.agent);
  const leaves = moment.active.filter((node) => node.waits !== undefined && node.waits !== null);
  const finish = (tree: string, idx: number, success: boolean) =>
    void game.change("agent.finish", { agent: agent ?? "", tree, idx, success });
  return (
    <Part id="leaves" title={t("game.leaves")} count={leaves.length}>
      {leaves.length === 0 && <p className="hint">{t("game.no-leaves")}</p>}
      <ul className="leaves">
        {leaves.map((leaf) => (
          <li key={`${leaf.run} ${leaf.idx}`}>
            <p>
              <NodeLink tree={leaf.tree} idx={leaf.idx} />{" "}
              {typeof leaf.since_ns === "number" && (
                <span className="waits">◷ {t("game.for", { time: lasted(moment.ns - leaf.since_ns) })}</span>
              )}
            </p>
            <p className="hint">
              <Words text={leaf.waits ?? ""} />
            </p>
            {can && (
              <div className="buttons">
                <button type="button" className="small" onClick={() => finish(leaf.tree, leaf.idx, true)}>
                  ✓ {t("game.finish")}
                </button>
                <button type="button" className="small" onClick={() => finish(leaf.tree, leaf.idx, false)}>
                  ✕ {t("game.fail")}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const SIGNS = { success: "✓", failure: "✕", aborted: "⊘", ended: "∎" } as const;

/** How nodes ended in the poll that is shown, failures first. */
function Ends({ moment }: { moment: Moment }) {
  const app = useApp();
  const { game } = app;
  const isNow = useGame(isLive);
  const [held, hold] = useState<Moment | null>(null);
  // What one is about to press stays while the pointer is on it: a tree may end in each poll.
  const isHeld = isNow && held?.picture.agent.id === moment.picture.agent.id;
  const { results: all, poll } = isHeld && held ? held : moment;
  const order = { failure: 0, aborted: 1, ended: 2, success: 3 } as const;
  const results = [...all].sort((one, other) => order[one.result] - order[other.result] || one.no - other.no);
  return (
    <Part id="ends" title={t("game.ends", { poll })} count={results.length}>
      <ul
        className="ends"
        onPointerMove={() => {
          if (!isHeld && results.length > 0) hold(moment);
        }}
        onPointerLeave={() => hold(null)}
      >
        {results.slice(0, 60).map((node) => (
          <li key={`${node.run} ${node.tree} ${node.idx}`} data-result={node.result}>
            <span className="sign" role="img" aria-label={t(`game.result.${node.result}`)}>
              {SIGNS[node.result]}
            </span>
            <NodeLink tree={node.tree} idx={node.idx} /> {t(`game.result.${node.result}`)}
            {node.result !== "success" && node.result !== "ended" && (
              <button type="button" className="small" onClick={() => void game.try(cause(app, node))}>
                {t("game.why-failed")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {results.length > 60 && <p className="hint">{t("game.more", { count: results.length - 60 })}</p>}
    </Part>
  );
}

function Active({ moment }: { moment: Moment }) {
  const nodes = moment.active;
  const words = new Map(moment.picture.active.map((node) => [`${node.run} ${node.idx}`, node]));
  return (
    <Part id="active" title={t("game.active")} count={nodes.length}>
      <ul className="active-nodes">
        {nodes.slice(0, 100).map((node) => {
          const known = words.get(`${node.run} ${node.idx}`);
          return (
            <li key={`${node.run} ${node.idx}`}>
              <span aria-hidden="true">▶</span> <NodeLink tree={node.tree} idx={node.idx} />{" "}
              {known ? [known.type, known.name].filter(Boolean).join(" ") : ""}
              {typeof node.since_ns === "number" && (
                <span className="count"> {t("game.for", { time: lasted(moment.ns - node.since_ns) })}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

/** The trees that run, the agent's own first. */
function Trees({ moment }: { moment: Moment }) {
  const { game } = useApp();
  const names = [...new Set([moment.picture.agent.tree, ...moment.picture.trees])].filter(Boolean);
  return (
    <Part id="trees" title={t("game.trees")} count={names.length}>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button type="button" className="link" onClick={() => void game.try(game.show(name))}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** All nodes, of all agents, that do not do what their file says. */
function Forced() {
  const { game } = useApp();
  const session = useGame(sessionOf);
  const can = useGame(canChange);
  const forced = session?.forced ?? [];
  if (forced.length === 0) return null;
  const name = (id: string) => session?.followed.find((one) => one.agent === id)?.name ?? id;
  return (
    <Part id="forced" title={t("game.forced-title")} count={forced.length}>
      <ul className="forced-nodes">
        {forced.map((node) => (
          <li key={`${node.agent} ${node.tree} ${node.idx}`}>
            <span className="forced-mark">⚠ {t(`game.forced.${node.forced}`)}</span>{" "}
            <NodeLink tree={node.tree} idx={node.idx} /> {name(node.agent)}
            {can && (
              <button
                type="button"
                className="small"
                onClick={() =>
                  void game.change("agent.force", {
                    agent: node.agent,
                    tree: node.tree,
                    idx: node.idx,
                    forced: null,
                  })
                }
              >
                {t("game.release")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {can && forced.length > 1 && <Do id="force-none-all" />}
    </Part>
  );
}

function Diagnostics({ moment }: { moment: Moment }) {
  const { diagnostics } = moment.picture;
  if (diagnostics.length === 0) return null;
  // The newest first; what is the same is one line.
  const times = new Map<string, number>();
  for (const text of diagnostics.toReversed()) times.set(text, (times.get(text) ?? 0) + 1);
  return (
    <Part id="diagnostics" title={t("game.diagnostics")} count={diagnostics.length}>
      <ul className="diagnostics">
        {[...times].map(([text, count]) => (
          <li key={text}>
            ▲ <Words text={text} /> {count > 1 && <span className="count">× {count}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Acts() {
  const can = useGame(canChange);
  if (!can) return null;
  return (
    <Part id="acts" title={t("game.acts")}>
      <div className="buttons">
        <Do id="fire" />
        <Do id="call" />
        <Do id="load-tree" />
        <Do id="pause-agent" />
        <Do id="start-agent" />
        <Do id="stop-agent" />
        <Do id="reset-agent" />
      </div>
    </Part>
  );
}
