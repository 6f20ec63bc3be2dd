// What a person has to know of the active document before going on.

import { useState } from "react";
import { run } from "../commands/table.ts";
import { t } from "../i18n/index.ts";
import { patchTab } from "../model/state.ts";
import { useApp, useDocs, useTab } from "./app-context.ts";
import { GameBanner } from "./debug/Banner.tsx";

export function Banners() {
  const app = useApp();
  const tab = useTab();
  const status = useDocs((state) => state.status);
  const why = useDocs((state) => state.why);
  const pending = useDocs((state) => state.pending);
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false);
  return (
    <div className="banners" aria-live="polite">
      {status === "stalled" && <p className="banner warning">{t("status.stalled")}</p>}
      {status === "lost" && <p className="banner warning">{t("status.lost")}</p>}
      {status === "refused" && <Admission why={why} />}
      {pending > 0 && <p className="banner info">{t("status.pending", { count: pending })}</p>}
      {tab && isReadOnly && !tab.game && <p className="banner info">{t("status.mode-read-only")}</p>}
      {tab?.isReadOnly && !isReadOnly && !tab.game && (
        <p className="banner info" data-read-only="true">
          <span>{t("status.file-read-only", { path: tab.path })}</span>
          <button type="button" onClick={() => run("save-as", app)}>
            {t("command.save-as")}
          </button>
        </p>
      )}
      <GameBanner />
      {tab?.disk && (
        <p className="banner warning">
          <span>{t(tab.disk.exists ? "conflict.banner" : "conflict.gone")}</span>
          {tab.disk.exists && (
            <button type="button" onClick={() => run("reload", app)}>
              {t("conflict.reload")}
            </button>
          )}
          {tab.disk.exists && (
            <button type="button" onClick={() => run("compare", app)}>
              {t("conflict.compare")}
            </button>
          )}
        </p>
      )}
      {tab?.draft && (
        <p className="banner info">
          <span>{t("draft.banner", { when: new Date(tab.draft.when).toLocaleString() })}</span>
          <button type="button" onClick={() => void app.session.restoreDraft(tab.path)}>
            {t("draft.restore")}
          </button>
          <button
            type="button"
            onClick={() => patchTab(app.session.store, tab.path, () => ({ draft: null }))}
          >
            {t("draft.discard")}
          </button>
        </p>
      )}
      {tab?.isScript && (
        <p className="banner info">
          <span>{t("status.script")}</span>
          <button type="button" onClick={() => run("save-as", app)}>
            {t("command.save-as")}
          </button>
        </p>
      )}
      {tab && !tab.isTree && !tab.game && tab.cards.size > 0 && (
        <p className="banner warning">{t("status.no-tree")}</p>
      )}
    </div>
  );
}

/** A server that was started anew has a new token: its link, or the token alone, is pasted here. */
function Admission({ why }: { why: string }) {
  const app = useApp();
  const [link, setLink] = useState("");
  return (
    <form
      className="banner error"
      onSubmit={(event) => {
        event.preventDefault();
        app.session.admit(link);
        setLink("");
      }}
    >
      <span>
        {t("status.refused", { why })} {t("status.token")}
      </span>
      <label>
        {t("status.link")}{" "}
        <input
          id="admission"
          value={link}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setLink(event.target.value)}
        />
      </label>
      <button type="submit" disabled={link.trim() === ""}>
        {t("status.connect")}
      </button>
    </form>
  );
}
