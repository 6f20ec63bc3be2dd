// How often nodes run and how long they take, of all agents; the hot ones are lit on the tree.

import { useState } from "react";
import { t } from "../../i18n/index.ts";
import type { ProfiledNode } from "../../net/port.ts";
import { useApp } from "../app-context.ts";
import { Bottom, Do, NodeLink, useGame } from "./parts.tsx";

const COLUMNS = ["ns", "entered", "succeeded", "failed", "aborted", "calls"] as const;
type Column = (typeof COLUMNS)[number];
const MOST = 400;

export function Profile() {
  const { game } = useApp();
  const profile = useGame((state) => state.profile);
  const profiling = useGame((state) => state.profiling);
  const one = useGame((state) => state.profileOne);
  const kind = useGame((state) => state.sessions.find((one) => one.id === state.session)?.kind);
  const [sort, setSort] = useState<Column>("ns");
  const nodes = sorted(profile?.nodes ?? [], sort);
  const all = nodes.reduce((sum, node) => sum + node.ns, 0);
  return (
    <Bottom
      id="profile"
      label={t("profile.title")}
      tools={
        <>
          {kind === "game" && !profiling && (
            <label className="check">
              <input
                type="checkbox"
                checked={one}
                onChange={(event) => game.store.setState({ profileOne: event.target.checked })}
              />
              {t("profile.one")}
            </label>
          )}
          {kind === "game" && <Do id="profiling" sign={profiling ? "■" : "●"} text />}
          {profile && (
            <>
              <span className="count">{t("profile.agents", { count: profile.agents })}</span>
              {!profiling && (
                <button type="button" className="small" onClick={() => game.profile.clear()}>
                  {t("profile.clear")}
                </button>
              )}
            </>
          )}
        </>
      }
    >
      <div className="scroll">
        {!profile && <p className="hint">{t(kind === "game" ? "profile.none" : "profile.no-game")}</p>}
        {profile && (
          <table className="profile">
            <thead>
              <tr>
                <th>{t("profile.node")}</th>
                {COLUMNS.map((column) => (
                  <th key={column} aria-sort={column === sort ? "descending" : undefined}>
                    <button type="button" className="link" onClick={() => setSort(column)}>
                      {t(`profile.${column}`)} {column === sort ? "↓" : ""}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {nodes.slice(0, MOST).map((node) => (
                <tr key={`${node.tree} ${node.idx}`}>
                  <td>
                    <NodeLink tree={node.tree} idx={node.idx} />
                  </td>
                  <td>
                    <meter
                      min={0}
                      max={100}
                      value={all > 0 ? (node.ns / all) * 100 : 0}
                      aria-label={t("profile.share")}
                    />{" "}
                    {all > 0 ? ((node.ns / all) * 100).toFixed(1) : "0"} % · {timeOf(node.ns)}
                  </td>
                  <td>{node.entered}</td>
                  <td>{node.succeeded}</td>
                  <td className={node.failed > 0 ? "count error" : ""}>{node.failed}</td>
                  <td>{node.aborted}</td>
                  <td>{node.calls}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Bottom>
  );
}

export function sorted(nodes: readonly ProfiledNode[], by: Column): ProfiledNode[] {
  return [...nodes].sort(
    (one, other) => other[by] - one[by] || (one.tree < other.tree ? -1 : 1) || one.idx - other.idx,
  );
}

function timeOf(ns: number): string {
  if (ns < 1e3) return `${ns} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(1)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
}
