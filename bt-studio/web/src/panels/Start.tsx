// The first screen: what one can begin with, and a picture of each tree.

import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { countsOf } from "../model/state.ts";
import { focusOn, toast } from "../model/ui.ts";
import { useApp, useDocs } from "./app-context.ts";
import { StartPanel } from "./debug/Attach.tsx";
import { useKeys } from "./Small.tsx";
import { Thumb } from "./Thumb.tsx";
import { Unsaved } from "./Unsaved.tsx";

/** More trees are found by their names. */
const MOST = 60;

export function Start() {
  const app = useApp();
  const keys = useKeys("open");
  const project = useDocs((state) => state.project);
  const problems = useDocs((state) => state.problems);
  if (!project) {
    return (
      <div className="empty">
        <h2>{t("status.connecting")}</h2>
      </div>
    );
  }
  const open = (path: string) =>
    app.session
      .open(path)
      .then(() => focusOn(app.ui, "canvas"))
      .catch((error: Error) => toast(app.ui, "error", error.message));
  return (
    <div className="start">
      <h2>{t("empty.title")}</h2>
      <p className="hint">{t("empty.text", { keys })}</p>
      <div className="buttons">
        <button type="button" className="main" onClick={() => run("new", app)}>
          {t("command.new")}
        </button>
        <button type="button" onClick={() => run("open", app)}>
          {t("command.open")}
        </button>
      </div>
      <Unsaved />
      <ul className="tree-cards" aria-label={t("side.trees")}>
        {project.trees.slice(0, MOST).map((tree) => {
          const found = problems[tree.path];
          const errors = found ? countsOf(found).errors : tree.errors;
          return (
            <li key={tree.path}>
              <button type="button" className="tree-card" onClick={() => void open(tree.path)}>
                <Thumb shape={tree.shape} width={176} height={96} />
                <strong>{tree.path}</strong>
                {errors > 0 && <span className="count error">✕ {t("status.errors", { count: errors })}</span>}
                <span className="hint">{tree.comment || tree.agent}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {project.trees.length > MOST && (
        <p className="hint">{t("picker.more", { count: project.trees.length - MOST })}</p>
      )}
      <StartPanel />
    </div>
  );
}
