// New trees that were never saved: their drafts are opened as other trees are.

import { t } from "../i18n/index.ts";
import { unsavedOf } from "../model/state.ts";
import { focusOn } from "../model/ui.ts";
import { useApp, useDocs } from "./app-context.ts";

export function Unsaved() {
  const app = useApp();
  const project = useDocs((state) => state.project);
  const tabs = useDocs((state) => state.tabs);
  const all = unsavedOf({ project, tabs });
  if (all.length === 0) return null;
  return (
    <section className="unsaved" aria-label={t("unsaved.title")}>
      <h3>{t("unsaved.title")}</h3>
      <ul>
        {all.map(({ path, when }) => (
          <li key={path}>
            <button
              type="button"
              className="link"
              onClick={() =>
                void app.session
                  .open(path)
                  .then(() => focusOn(app.ui, "canvas"))
                  .catch((error: Error) => app.session.voice.say("error", error.message))
              }
            >
              {path}
            </button>{" "}
            <span className="hint">{new Date(when).toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
