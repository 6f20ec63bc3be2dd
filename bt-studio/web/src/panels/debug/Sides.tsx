// Two agents, or two moments of one, side by side.

import { t } from "../../i18n/index.ts";
import type { GameState, Side } from "../../model/game/state.ts";
import { inLine, seconds } from "../../model/game/times.ts";
import type { Moment } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Bottom, Do, NodeLink, useAgentName, useGame, Value } from "./parts.tsx";

export function Sides() {
  const app = useApp();
  const { game } = app;
  const other = useGame((state) => state.other);
  const moment = useGame((state) => state.moment);
  const name = useAgentName();
  return (
    <Bottom
      id="sides"
      label={t("sides.title")}
      tools={
        <>
          <Do id="keep-side" text />
          <button type="button" className="small" onClick={() => pick(app)}>
            {t("sides.pick")}
          </button>
          {other && (
            <button type="button" className="small" onClick={() => game.sides.set(null)}>
              {t("sides.clear")}
            </button>
          )}
        </>
      }
    >
      <div className="scroll">
        {(!other?.moment || !moment) && <p className="hint">{t("sides.hint")}</p>}
        {other?.moment && moment && <Table other={other} left={other.moment} right={moment} name={name} />}
      </div>
    </Bottom>
  );
}

/** Another agent, as it is now. */
function pick({ game, ui }: ReturnType<typeof useApp>): void {
  const { session } = game.state;
  if (session === null) return;
  void game.try(
    game.sides.someAgents(session).then((rows) =>
      ui.setState({
        picker: {
          title: t("sides.pick"),
          query: "",
          choices: rows.map((row) => ({
            id: row.id,
            name: row.name || row.id,
            detail: `${row.agent_type} · ${row.tree}`,
            also: row.id,
          })),
          pick: ({ id, name }) => void game.try(game.sides.compareWith(session, id, name)),
        },
      }),
    ),
  );
}

function Table(props: { other: Side; left: Moment; right: Moment; name: string }) {
  const { other, left, right, name } = props;
  const at = useGame((state: GameState) => state.at);
  const active = differences(activeOf(left), activeOf(right));
  const keys = differences(left.picture.blackboard, right.picture.blackboard);
  const properties = differences(left.picture.properties, right.picture.properties);
  const count = [...active, ...keys, ...properties].filter((line) => !line.isSame).length;
  return (
    <table className="sides">
      <caption>{t("sides.count", { count })}</caption>
      <thead>
        <tr>
          <th>
            <span className="unseen">{t("sides.what")}</span>
          </th>
          <th>
            {other.name} · {seconds(left.ns)} · {t(other.at === null ? "sides.now" : "sides.then")}
          </th>
          <th>
            {name} · {seconds(right.ns)} · {t(at === null ? "sides.now" : "sides.then")}
          </th>
        </tr>
      </thead>
      <Body title={t("game.active")} lines={active} node />
      <Body title={t("memory.key")} lines={keys} />
      <Body title={t("memory.property")} lines={properties} />
    </table>
  );
}

function Body({ title, lines, node }: { title: string; lines: Line[]; node?: boolean }) {
  if (lines.length === 0) return null;
  const sorted = [...lines].sort((one, other) => Number(one.isSame) - Number(other.isSame));
  return (
    <tbody>
      <tr>
        <th colSpan={3} scope="rowgroup">
          {title}
        </th>
      </tr>
      {sorted.map((line) => {
        const [tree, idx] = line.name.split(" #");
        return (
          <tr key={line.name} data-same={line.isSame}>
            <th scope="row">
              {!line.isSame && (
                <span role="img" aria-label={t("sides.differs")}>
                  ≠{" "}
                </span>
              )}
              {node ? <NodeLink tree={tree} idx={Number(idx)} /> : line.name}
            </th>
            <td>{side(line.left, node)}</td>
            <td>{side(line.right, node)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

function side(value: unknown, node?: boolean) {
  if (value === undefined)
    return <span className="hint">{t(node ? "sides.not-active" : "sides.not-there")}</span>;
  return node ? `▶ ${String(value)}` : <Value of={value} />;
}

interface Line {
  name: string;
  left: unknown;
  right: unknown;
  isSame: boolean;
}

function activeOf(moment: Moment): Record<string, unknown> {
  const active: Record<string, unknown> = {};
  for (const node of moment.picture.active)
    active[`${node.tree} #${node.idx}`] = [node.type, node.name].filter(Boolean).join(" ");
  return active;
}

/** What is in either of two, by name. */
export function differences(left: Record<string, unknown>, right: Record<string, unknown>): Line[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.map((name) => ({
    name,
    left: left[name],
    right: right[name],
    isSame: inLine(left[name], 1e6) === inLine(right[name], 1e6),
  }));
}
