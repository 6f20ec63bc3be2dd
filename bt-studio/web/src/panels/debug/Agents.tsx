// All agents of a game: filtered, sorted, and one of them chosen.

import { useEffect, useRef } from "react";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { sessionOf } from "../../model/game/state.ts";
import { lasted } from "../../model/game/times.ts";
import type { AgentColumn, AgentRow } from "../../net/protocol.ts";
import { useApp, useUi } from "../app-context.ts";
import { stateOf } from "./Bar.tsx";
import { useGame } from "./parts.tsx";
import { Rows, type RowsHandle, stepped, useShown } from "./Rows.tsx";

const COLUMNS: AgentColumn[] = [
  "name",
  "state",
  "waits",
  "failures",
  "problems",
  "tree",
  "leaf",
  "agent_type",
];
const ROW = 40;

/** Signs of states: each is said in words, too. */
export const STATES: Record<string, string> = {
  runs: "▶",
  stopped: "➤",
  paused: "‖",
  idle: "○",
  unknown: "?",
};

export function Agents() {
  const app = useApp();
  const { game } = app;
  const session = useGame((state) => state.session);
  const agent = useGame((state) => state.agent);
  const table = useGame((state) => state.table);
  const attached = useGame(sessionOf);
  const focus = useUi((ui) => ui.focus);
  const input = useRef<HTMLInputElement>(null);
  const rows = useRef<RowsHandle>(null);
  useShown(rows, table.at);
  useEffect(() => {
    if (focus.part === "agents") input.current?.focus();
  }, [focus]);
  useEffect(() => {
    if (session !== null) game.agents.refresh();
  }, [game, session]);

  if (session === null) {
    return (
      <div className="pad">
        <p className="hint">{t("agents.no-session")}</p>
        <button type="button" onClick={() => run("attach", app)}>
          {t("command.attach")}
        </button>
      </div>
    );
  }
  const count = game.agents.total;
  const move = (at: number) => game.store.setState(({ table }) => ({ table: { ...table, at } }));
  const choose = (row: AgentRow | undefined) => {
    if (row) void game.try(game.choose(session, row.id));
  };
  const onKey = (event: React.KeyboardEvent) => {
    const inField = event.target === input.current;
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") choose(game.agents.get(table.at));
    else {
      const next =
        inField && (event.key === "Home" || event.key === "End") ? null : stepped(event, table.at, count);
      if (next === null) return;
      move(Math.max(0, next));
    }
    event.preventDefault();
    event.stopPropagation();
  };
  // Asked for here, so that it is known which rows are in view.
  if (count === 0) game.agents.get(0);
  return (
    <div className="agents" data-state={attached?.state}>
      {attached && attached.state !== "attached" && (
        <p className="unknown">
          ⚠ {stateOf(attached)}. {t("agents.then")}
        </p>
      )}
      <input
        ref={input}
        className="filter"
        type="search"
        aria-label={t("agents.filter")}
        placeholder={t("agents.filter")}
        value={table.filter}
        onChange={(event) => game.filterAgents(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="agents-sort">
        <label>
          {t("agents.sort")}{" "}
          <select value={table.sort} onChange={(event) => game.sort(event.target.value as AgentColumn)}>
            {COLUMNS.map((column) => (
              <option key={column} value={column}>
                {t(`agents.column.${column}`)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="small"
          aria-label={t(table.descending ? "agents.descending" : "agents.ascending")}
          data-tip={t(table.descending ? "agents.descending" : "agents.ascending")}
          onClick={() => game.sort(table.sort)}
        >
          {table.descending ? "↓" : "↑"}
        </button>
        <span className="count">{t("agents.count", { count })}</span>
      </div>
      <Rows
        ref={rows}
        className="agent-rows"
        label={t("side.agents")}
        role="listbox"
        count={count}
        height={ROW}
        active={table.at}
        activeId={count > 0 ? `agent-${table.at}` : undefined}
        scope="agents"
        onKeyDown={onKey}
        row={(at) => {
          const row = game.agents.get(at);
          return (
            <One
              row={row}
              at={at}
              isActive={at === table.at}
              isShown={row?.id === agent}
              choose={() => {
                move(at);
                choose(row);
              }}
            />
          );
        }}
      />
      {count === 0 && <p className="hint pad">{t("agents.none")}</p>}
    </div>
  );
}

function One(props: {
  row: AgentRow | undefined;
  at: number;
  isActive: boolean;
  isShown: boolean;
  choose: () => void;
}) {
  const { row, at } = props;
  if (!row)
    return <div className="agent-row" id={`agent-${at}`} role="option" aria-selected={false} tabIndex={-1} />;
  const state = t(`agents.state.${row.state}`, { defaultValue: row.state });
  const waits = row.leaf ? lasted(row.leaf.for_ns) : "";
  const fails = row.fails_for_ns ?? null;
  const leaf = row.leaf ? `${row.leaf.name || row.leaf.type} #${row.leaf.idx}` : "";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={`agent-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={props.isShown}
      className="agent-row"
      data-active={props.isActive}
      data-state={row.state}
      data-tip={[`${row.name} · ${row.agent_type} · ${state}`, `${row.tree} ${leaf}`].join("\n")}
      onClick={props.choose}
    >
      <span className="first">
        <span className="state" role="img" aria-label={state}>
          {STATES[row.state] ?? "·"}
        </span>
        <span className="name">{row.name || row.id}</span>
        {row.forced > 0 && (
          <span className="forced-mark" role="img" aria-label={t("game.forced-count", { count: row.forced })}>
            ⚠
          </span>
        )}
        {(row.failures ?? 0) > 0 && (
          <span
            className="count error"
            role="img"
            aria-label={t("agents.failures", { count: row.failures ?? 0 })}
          >
            ✕{row.failures}
          </span>
        )}
        {row.problems > 0 && (
          <span
            className="count warning"
            role="img"
            aria-label={t("agents.problems", { count: row.problems })}
          >
            ▲{row.problems}
          </span>
        )}
        {fails !== null ? (
          <span className="waits fails">✕ {t("agents.fails", { time: lasted(fails) })}</span>
        ) : (
          waits && <span className="waits">◷ {waits}</span>
        )}
      </span>
      <span className="second">
        {row.tree}
        {leaf && ` · ${leaf}`}
        {row.leaves > 1 && ` +${row.leaves - 1}`}
      </span>
    </div>
  );
}
