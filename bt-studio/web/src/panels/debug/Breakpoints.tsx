// All breakpoints: those of the project, and those of other clients of the game.

import { useEffect, useRef } from "react";
import { forFollowed } from "../../commands/debug.ts";
import { t } from "../../i18n/index.ts";
import type { BreakpointSpec } from "../../net/port.ts";
import { useApp, useUi } from "../app-context.ts";
import { Bottom, Do, NodeLink, useGame } from "./parts.tsx";

export function Breakpoints() {
  const { game, ui } = useApp();
  const points = useGame((state) => state.breakpoints);
  const others = useGame((state) => state.others);
  const refused = useGame((state) => state.refused);
  const session = useGame((state) => state.session);
  const focus = useUi((state) => state.focus);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void session;
    void game.points.readOthers().catch(() => undefined);
  }, [game, session]);
  useEffect(() => {
    if (focus.part === "breakpoints" && focus.count > 0)
      list.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [focus]);
  const edit = (spec: BreakpointSpec, agents: string | null) =>
    ui.setState({ dialog: { kind: "breakpoint", spec, agents } });
  return (
    <Bottom
      id="breakpoints"
      label={t("points.title")}
      tools={
        <>
          <button
            type="button"
            className="small"
            onClick={() => edit({ on: "key", name: "" }, forFollowed(game.state).agents ?? null)}
          >
            + {t("points.add")}
          </button>
          <Do id="stop-all" text />
          <Do id="clear-breakpoints" text />
        </>
      }
    >
      <div className="scroll" ref={list}>
        {refused !== "" && <p className="mistake">✕ {refused}</p>}
        {points.length === 0 && <p className="hint">{t("points.none")}</p>}
        {points.length > 0 && (
          <table className="points">
            <thead>
              <tr>
                <th>{t("points.on-off")}</th>
                <th>{t("points.where")}</th>
                <th>{t("points.agents")}</th>
                <th>{t("points.condition")}</th>
                <th>{t("points.hits")}</th>
                <th>{t("points.log")}</th>
                <th>{t("points.note")}</th>
                <th>
                  <span className="unseen">{t("points.acts")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map((point, at) => (
                <tr key={at} data-enabled={point.enabled}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={t("points.enabled", { what: pointText(point.spec) })}
                      checked={point.enabled}
                      onChange={(event) =>
                        void game.points.set(
                          points.map((one) =>
                            one === point ? { ...one, enabled: event.target.checked } : one,
                          ),
                        )
                      }
                    />
                  </td>
                  <td>
                    <Where spec={point.spec} />
                  </td>
                  <td>{point.agents ?? t("points.for.all")}</td>
                  <td>
                    <code>{point.spec.condition}</code>
                  </td>
                  <td>
                    <code>{point.spec.hits}</code>
                  </td>
                  <td>{point.spec.log}</td>
                  <td>{point.note}</td>
                  <td className="acts">
                    <button
                      type="button"
                      className="small"
                      onClick={() => edit(point.spec, point.agents ?? null)}
                    >
                      {t("points.edit")}
                    </button>
                    <button
                      type="button"
                      className="close"
                      aria-label={`${t("inspector.remove")}: ${pointText(point.spec)}`}
                      data-tip={t("inspector.remove")}
                      onClick={() => void game.points.set(points.filter((one) => one !== point))}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {others.length > 0 && (
          <>
            <h3>{t("points.others")}</h3>
            <ul>
              {others.map((other) => (
                <li key={other.id}>
                  ○ <Where spec={other.spec} />{" "}
                  {[other.spec.condition, other.spec.hits, other.spec.log].filter(Boolean).join(" · ")}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Bottom>
  );
}

function Where({ spec }: { spec: BreakpointSpec }) {
  return (
    <>
      {t(`points.on.${spec.on}`)}{" "}
      {spec.tree ? <NodeLink tree={spec.tree} idx={spec.idx} /> : <code>{spec.name}</code>}
      {spec.on === "guard" &&
        typeof spec.holds === "boolean" &&
        ` (${t(spec.holds ? "points.holds" : "points.holds-not")})`}
    </>
  );
}

/** Where a breakpoint is, in words. */
export function pointText(spec: BreakpointSpec): string {
  return `${t(`points.on.${spec.on}`)} ${spec.tree ? `${spec.tree} #${spec.idx}` : (spec.name ?? "")}`;
}
