// What stands at the right: the node as its file has it, or the agent as its game has it.

import type { ReactNode } from "react";
import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import type { Tab } from "../../model/state.ts";
import { heading } from "../../model/tree.ts";
import { wordsOf } from "../../paint/renderer.ts";
import { useApp, useUi } from "../app-context.ts";
import { Inspector } from "../Inspector.tsx";
import { Agent } from "./Agent.tsx";
import { NodeInGame } from "./NodeInGame.tsx";
import { useGame } from "./parts.tsx";

export function Right({ tab }: { tab: Tab | undefined }) {
  const hasGame = useGame((state) => state.sessions.length > 0);
  const beside = useUi((ui) => ui.beside);
  if (!hasGame) return tab ? <Inspector tab={tab} /> : null;
  if (beside === "agent") {
    return (
      <Frame which="agent">
        <Agent />
      </Frame>
    );
  }
  return (
    <Frame which="node">
      {tab && <NodeInGame tab={tab} />}
      {tab && !tab.game ? <Inspector tab={tab} /> : tab && <Fixed tab={tab} />}
    </Frame>
  );
}

function Frame({ which, children }: { which: "node" | "agent"; children: ReactNode }) {
  const app = useApp();
  return (
    <aside className="inspector beside" aria-label={t(`beside.${which}`)}>
      <div className="beside-head">
        <div className="switch" role="tablist" aria-label={t("beside.label")}>
          {(["agent", "node"] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={one === which}
              onClick={() => app.ui.setState({ beside: one })}
            >
              {t(`beside.${one}`)}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => run("inspector", app)}
        >
          ×
        </button>
      </div>
      <div className="beside-scroll">{children}</div>
    </aside>
  );
}

/** A node of a tree that is no file: what its card says. */
function Fixed({ tab }: { tab: Tab }) {
  const card = tab.focus === null ? undefined : tab.cards.get(tab.focus);
  if (!card) return null;
  return (
    <div className="node">
      <div className="node-head">
        <span className="symbol" data-group={card.group} aria-hidden="true">
          {card.symbol}
        </span>
        <h2 data-tip={heading(card)}>{card.title}</h2>
        <span className="number">#{card.idx}</span>
      </div>
      <p className="fixed-words">{wordsOf(card)}</p>
      <p className="hint">{t("game.fixed-hint")}</p>
    </div>
  );
}
