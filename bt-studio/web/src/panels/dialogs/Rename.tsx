// Renaming and replacing in all trees, with a preview of what changes.

import { useState } from "react";
import { t } from "../../i18n/index.ts";
import type { Label } from "../../model/history.ts";
import { toast } from "../../model/ui.ts";
import type { Renamed, Thing } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Cancel, Frame } from "../Dialogs.tsx";

/** A change of many files: looked at first, then made. In open documents it becomes a step that can be undone. */
function useChange(call: (isPreview: boolean) => Promise<Renamed>, isReady: boolean, label: Label) {
  const app = useApp();
  const [preview, setPreview] = useState<Renamed | null>(null);

  async function ask(isPreview: boolean): Promise<void> {
    if (!isReady) return;
    try {
      const renamed = await call(isPreview);
      if (isPreview) {
        setPreview(renamed);
        return;
      }
      app.ui.setState({ dialog: null });
      for (const file of renamed.files) app.session.adopt(file, label);
      const files = t("rename.files", { count: renamed.files.length });
      toast(app.ui, "info", `${t(label.key, label.args)}: ${files}`);
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  return { preview, forget: () => setPreview(null), ask, submit: () => ask(preview === null) };
}

function ChangeButtons(props: { ask: (isPreview: boolean) => Promise<void>; main: string; isOff: boolean }) {
  return (
    <>
      <Cancel />
      <button type="button" onClick={() => void props.ask(true)}>
        {t("rename.preview")}
      </button>
      <button type="button" className="main" disabled={props.isOff} onClick={() => void props.ask(false)}>
        {props.main}
      </button>
    </>
  );
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
  const kind = t(`rename.kind.${of.kind}`);
  const isReady = to.trim() !== "" && to !== of.name;
  const call = (preview: boolean) => app.session.server.call("rename", { of, to, preview });
  const change = useChange(call, isReady, { key: "step.rename", args: { name: to } });

  return (
    <Frame
      title={t("rename.title", { kind, name: of.name })}
      submit={change.submit}
      buttons={<ChangeButtons ask={change.ask} main={t("rename.apply")} isOff={!isReady} />}
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
            change.forget();
          }}
        />
      </div>
      {["action", "condition", "decorator", "event", "property"].includes(of.kind) && (
        <p className="hint">{t("rename.note")}</p>
      )}
      {change.preview && <Preview of={change.preview} />}
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
  const call = (preview: boolean) =>
    app.session.server.call("replace", { text, case: matchCase, regex, in: [], with: put, preview });
  const change = useChange(call, text !== "", { key: "step.replace" });

  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      change.forget();
    };
  return (
    <Frame
      title={t("replace.title")}
      submit={change.submit}
      buttons={<ChangeButtons ask={change.ask} main={t("replace.apply")} isOff={text === ""} />}
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
      {change.preview && <Preview of={change.preview} />}
    </Frame>
  );
}
