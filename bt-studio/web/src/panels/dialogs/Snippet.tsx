// A name for nodes that are kept to be inserted again.

import { useState } from "react";
import { t } from "../../i18n/index.ts";
import { toast } from "../../model/ui.ts";
import { useApp, useDocs } from "../app-context.ts";
import { Buttons, Frame } from "../Dialogs.tsx";

const NONE: never[] = [];

export function SnippetDialog({ path, nodes }: { path: string; nodes: number[] }) {
  const app = useApp();
  const kept = useDocs((state) => state.project?.snippets ?? NONE);
  const [name, setName] = useState("");
  const isTaken = kept.some((snippet) => snippet.name === name.trim());

  async function save(): Promise<void> {
    const tab = app.session.tab(path);
    if (!tab || name.trim() === "") return;
    try {
      await app.session.settled(path);
      await app.session.server.call("snippet.save", { doc: tab.doc, nodes, name: name.trim() });
      app.ui.setState({ dialog: null });
      toast(app.ui, "info", t("snippet.saved", { name: name.trim() }));
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  return (
    <Frame
      title={t("snippet.title")}
      submit={save}
      buttons={<Buttons main={t("snippet.save")} isOff={name.trim() === ""} />}
    >
      <p className="hint">{t("snippet.why")}</p>
      <div className="field">
        <label htmlFor="snippet-name">{t("snippet.name")}</label>
        <input
          id="snippet-name"
          type="text"
          value={name}
          maxLength={100}
          autoComplete="off"
          aria-describedby="snippet-note"
          onChange={(event) => setName(event.target.value)}
        />
        <span className="warning" id="snippet-note">
          {isTaken ? `▲ ${t("snippet.taken")}` : ""}
        </span>
      </div>
    </Frame>
  );
}
