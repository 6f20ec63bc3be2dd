// The node with the focus, as the game has it: whether it runs, how it ended, breakpoints, forced results.

import { gameNode } from "../../commands/debug.ts";
import { t } from "../../i18n/index.ts";
import { canChange, sessionOf } from "../../model/game/state.ts";
import { lasted } from "../../model/game/times.ts";
import type { Tab } from "../../model/state.ts";
import { useApp } from "../app-context.ts";
import { Do, Part, useGame, Words } from "./parts.tsx";

export function NodeInGame({ tab }: { tab: Tab }) {
  const app = useApp();
  const moment = useGame((state) => state.moment);
  const session = useGame(sessionOf);
  const agent = useGame((state) => state.agent);
  const can = useGame(canChange);
  void tab;
  const node = gameNode(app);
  if (!node || !session) return null;
  const isHere = (one: { tree: string; idx: number }) => one.tree === node.tree && one.idx === node.idx;
  const active = moment?.active.find(isHere);
  const result = moment?.results.find(isHere);
  const forced = session.forced.find((one) => one.agent === agent && isHere(one));
  return (
    <div className="node-in-game">
      <Part id="node-in-game" title={t("game.node")}>
        {active ? (
          <p>
            <strong>▶ {t("game.is-active")}</strong>{" "}
            {typeof active.since_ns === "number" &&
              moment &&
              t("game.for", { time: lasted(moment.ns - active.since_ns) })}
          </p>
        ) : (
          agent !== null && (
            <p className="hint">
              {t("game.is-not-active")} <Do id="cause" label={t("game.why-failed")} />
            </p>
          )
        )}
        {active?.waits && (
          <p className="hint">
            <Words text={active.waits} />
          </p>
        )}
        {result && <p>{t("game.ended-last", { how: t(`game.result.${result.result}`) })}</p>}
        {forced && <p className="forced-mark">⚠ {t(`game.forced.${forced.forced}`)}</p>}
        <div className="buttons">
          <Do id="breakpoint" sign="●" text />
          <Do id="edit-breakpoint" sign="…" />
          <Do id="run-to" sign="⇢" text />
        </div>
        {can && agent !== null && (
          <div className="buttons">
            <Do id="force-success" sign="✓" text />
            <Do id="force-failure" sign="✕" text />
            <Do id="force-disabled" sign="⊘" text />
            <Do id="force-none" sign="↺" text />
            <Do id="finish" sign="✓" text />
            <Do id="fail" sign="✕" text />
          </div>
        )}
      </Part>
    </div>
  );
}
