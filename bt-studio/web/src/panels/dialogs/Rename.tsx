// Renaming and replacing in all trees, with a preview of what changes.

import { useState } from "react";
import { t } from "../../i18n/index.ts";
import type { Label } from "../../model/history.ts";
import { toast } from "../../model/ui.ts";
import type { Renamed, Thing } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Cancel, Frame } from "../Dialogs.tsx";

/** What a change of many files gave: open documents get a step that can be undone. */
function done(app: ReturnType<typeof useApp>, renamed: Renamed, label: Label): void {
  for (const file of renamed.files) app.session.adopt(file, label);
  const count = renamed.files.length;
  toast(app.ui, "info", `${t(label.key, label.args)}: ${t("rename.files", { count })}`);
}

function Preview({ of }: { of: Renamed }) {
  if (of.files.length === 0) return <p className="hint">{t("rename.nothing")}</p>;
  return (
    <>
      <p>{t("rename.files", { count: of.files.length })}</p>
      <ul className="preview">
        {of.files.map((file) => (
          <li key={file.path}>
            <span className="code">{file.path}</span> {file.nodes.map((idx) => `#${idx}`).join(", ")}{" "}
            <span className="hint">
              {t(file.doc === undefined || file.doc === null ? "rename.disk" : "rename.open")}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function RenameDialog({ of }: { of: Thing }) {
  const app = useApp();
  const [to, setTo] = useState(of.name);
  const [preview, setPreview] = useState<Renamed | null>(null);
  const kind = t(`rename.kind.${of.kind}`);

  async function ask(isPreview: boolean): Promise<void> {
    if (to.trim() === "" || to === of.name) return;
    try {
      const renamed = await app.session.server.call("rename", { of, to, preview: isPreview });
      if (isPreview) {
        setPreview(renamed);
        return;
      }
      app.ui.setState({ dialog: null });
      done(app, renamed, { key: "step.rename", args: { name: to } });
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  return (
    <Frame
      title={t("rename.title", { kind, name: of.name })}
      submit={() => ask(preview === null)}
      buttons={
        <>
          <Cancel />
          <button type="button" onClick={() => void ask(true)}>
            {t("rename.preview")}
          </button>
          <button
            type="button"
            className="main"
            disabled={to.trim() === "" || to === of.name}
            onClick={() => void ask(false)}
          >
            {t("rename.apply")}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor="rename-to">{t("rename.to")}</label>
        <input
          id="rename-to"
          type="text"
          value={to}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setTo(event.target.value);
            setPreview(null);
          }}
        />
      </div>
      {["action", "condition", "decorator", "event", "property"].includes(of.kind) && (
        <p className="hint">{t("rename.note")}</p>
      )}
      {preview && <Preview of={preview} />}
    </Frame>
  );
}

export function ReplaceDialog() {
  const app = useApp();
  const last = app.ui.getState().search;
  const [text, setText] = useState(last.text);
  const [put, setPut] = useState("");
  const [matchCase, setCase] = useState(last.case);
  const [regex, setRegex] = useState(last.regex);
  const [preview, setPreview] = useState<Renamed | null>(null);

  async function ask(isPreview: boolean): Promise<void> {
    if (text === "") return;
    try {
      const params = { text, case: matchCase, regex, in: [], with: put, preview: isPreview };
      const renamed = await app.session.server.call("replace", params);
      if (isPreview) {
        setPreview(renamed);
        return;
      }
      app.ui.setState({ dialog: null });
      done(app, renamed, { key: "step.replace" });
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setPreview(null);
    };
  return (
    <Frame
      title={t("replace.title")}
      submit={() => ask(preview === null)}
      buttons={
        <>
          <Cancel />
          <button type="button" onClick={() => void ask(true)}>
            {t("rename.preview")}
          </button>
          <button type="button" className="main" disabled={text === ""} onClick={() => void ask(false)}>
            {t("replace.apply")}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor="replace-text">{t("find.text")}</label>
        <input
          id="replace-text"
          type="text"
          value={text}
          onChange={(event) => changed(setText)(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor="replace-with">{t("replace.with")}</label>
        <input
          id="replace-with"
          type="text"
          value={put}
          onChange={(event) => changed(setPut)(event.target.value)}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={matchCase}
          onChange={(event) => changed(setCase)(event.target.checked)}
        />
        {t("find.case")}
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={regex}
          onChange={(event) => changed(setRegex)(event.target.checked)}
        />
        {t("find.regex")}
      </label>
      {preview && <Preview of={preview} />}
    </Frame>
  );
}
