// The scenarios below the folders as they were played last: which failed and why, and what they show of the trees.

import { run } from "../../commands/table.ts";
import { t } from "../../i18n/index.ts";
import { useApp, useTab } from "../app-context.ts";
import { useGame } from "./parts.tsx";

export function Scenarios() {
  const app = useApp();
  const tab = useTab();
  const report = useGame((state) => state.scenarios);
  if (!report) return null;
  const failed = report.scenarios.filter(({ passed }) => !passed).length;
  const own = tab && report.trees[tab.path];
  return (
    <section className="bottom" aria-label={t("scenarios.title")}>
      <header>
        <h2>{t("scenarios.title")}</h2>
        <button type="button" onClick={() => run("run-scenarios", app)}>
          ↻ {t("scenarios.again")}
        </button>
        <button type="button" onClick={() => app.game.store.setState({ scenarios: null })}>
          {t("scenarios.clear")}
        </button>
        <button
          type="button"
          className="close"
          aria-label={t("dialog.close")}
          onClick={() => app.ui.setState({ bottom: null })}
        >
          ×
        </button>
      </header>
      <div className="scroll">
        <p role="status">
          {failed === 0
            ? `✓ ${t("scenarios.passed", { count: report.scenarios.length })}`
            : `✕ ${t("scenarios.failed", { failed, count: report.scenarios.length })}`}{" "}
          · {t("scenarios.covered", { seen: report.seen, all: report.all })}
          {own && ` · ${t("scenarios.covered-here", { seen: own.seen, all: own.all })}`}
        </p>
        <ul className="scenario-list">
          {[...report.scenarios]
            .sort((one, other) => Number(one.passed) - Number(other.passed))
            .map(({ path, passed, text, tree }) => (
              <li key={path}>
                <span className={passed ? "" : "mistake"}>
                  {passed ? "✓" : "✕"} {path}
                </span>{" "}
                {tree && (
                  <button
                    type="button"
                    className="link"
                    onClick={() => void app.game.try(app.session.open(tree))}
                  >
                    {tree}
                  </button>
                )}
                {!passed && <pre lang="en">{text}</pre>}
              </li>
            ))}
        </ul>
      </div>
    </section>
  );
}
