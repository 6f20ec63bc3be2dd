// What a reload did: which nodes stayed, and which were aborted and entered; or what is wrong with the tree.

import { t } from "../../i18n/index.ts";
import { isTranslated, kindName } from "../../i18n/kinds.ts";
import type { NodeCount } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Original, ProblemText } from "../Problems.tsx";
import { ServerText } from "../ServerText.tsx";
import { Bottom, NodeLink, useGame } from "./parts.tsx";

export function Reloaded() {
  const { game, ui } = useApp();
  const report = useGame((state) => state.reloaded);
  if (!report) return null;
  const isRefused = report.problems.length > 0 || Boolean(report.why);
  return (
    <Bottom
      id="reloaded"
      label={t("reloaded.title")}
      tools={
        <button
          type="button"
          className="small"
          onClick={() => {
            game.store.setState({ reloaded: null });
            ui.setState({ bottom: "log" });
          }}
        >
          {t("reloaded.clear")}
        </button>
      }
    >
      <div className="scroll" role="status">
        <h3 className={isRefused ? "mistake" : ""}>
          {isRefused
            ? `✕ ${t("reloaded.refused", { tree: report.tree })}`
            : `✓ ${t("reloaded.done", { tree: report.tree, moved: report.moved, waiting: report.waiting, stayed: report.stayed })}`}
        </h3>
        {report.why && (
          <p>
            <ServerText text={report.why} />
          </p>
        )}
        {report.waiting > 0 && <p className="hint">{t("reloaded.waiting-why", { count: report.waiting })}</p>}
        {report.stayed > 0 && <p className="hint">{t("reloaded.stayed-why", { count: report.stayed })}</p>}
        <ul className="problem-list">
          {report.problems.map((problem, at) => (
            <li key={at}>
              <span className="mistake">✕ {problem.code}</span>{" "}
              <NodeLink tree={problem.file} idx={problem.node} /> <ProblemText of={problem} />
              {problem.help && !isTranslated(problem) && <span className="help"> {problem.help}</span>}
              <Original of={problem} />
            </li>
          ))}
        </ul>
        {report.lost.length > 0 && (
          <>
            <h3>{t("reloaded.lost")}</h3>
            <ul>
              {report.lost.map((text, at) => (
                <li key={at}>
                  ▲ <ServerText text={text} />
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="reloaded-lists">
          {(["aborted", "entered", "adopted", "kept"] as const).map((how) => (
            <Nodes key={how} title={t(`reloaded.${how}`)} nodes={report[how]} />
          ))}
        </div>
      </div>
    </Bottom>
  );
}

function Nodes({ title, nodes }: { title: string; nodes: NodeCount[] }) {
  return (
    <section>
      <h3>
        {title} <span className="count">{nodes.length}</span>
      </h3>
      <ul>
        {nodes.slice(0, 200).map((node) => (
          <li key={`${node.tree} ${node.idx}`}>
            <NodeLink tree={node.tree} idx={node.idx} /> {kindName(node.type)}{" "}
            <span className="count">{t("agents.count", { count: node.agents })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
