// Renaming and replacing in all trees, with a preview of what changes.

import { useEffect, useState } from "react";
import { t } from "../../i18n/index.ts";
import type { Label } from "../../model/history.ts";
import { inCode, isSame, thingsOf } from "../../model/things.ts";
import { toast } from "../../model/ui.ts";
import type { NodeInfo, Renamed, Thing } from "../../net/protocol.ts";
import { useApp } from "../app-context.ts";
import { Cancel, Frame } from "../Dialogs.tsx";
import { ServerText } from "../ServerText.tsx";

/** A change of many files: looked at first, then made. In open documents it becomes a step that can be undone. */
function useChange(call: (isPreview: boolean) => Promise<Renamed>, isReady: boolean, label: Label) {
  const app = useApp();
  const [preview, setPreview] = useState<Renamed | null>(null);
  const [wrong, setWrong] = useState("");

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
      setWrong((error as Error).message);
    }
  }

  const forget = () => {
    setPreview(null);
    setWrong("");
  };
  return { preview, wrong, forget, ask, submit: () => ask(preview === null) };
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

export function RenameDialog(props: { of: Thing; path: string; node: number }) {
  const app = useApp();
  const tab = app.session.tab(props.path);
  const card = tab?.cards.get(props.node);
  const doc = tab?.doc;
  const [info, setInfo] = useState<NodeInfo | null>(null);
  const [of, setOf] = useState(props.of);
  const [to, setTo] = useState(props.of.name);
  useEffect(() => {
    if (doc === undefined) return;
    app.session.server
      .call("node.info", { doc, node: props.node })
      .then(setInfo)
      .catch(() => undefined);
  }, [app, doc, props.node]);
  const kind = t(`rename.kind.${of.kind}`);
  const isReady = to.trim() !== "" && to !== of.name;
  const call = (preview: boolean) => app.session.server.call("rename", { of, to, preview });
  const change = useChange(call, isReady, { key: "step.rename", args: { name: to } });
  const known = tab && card && info ? thingsOf(tab, card, info) : [];
  const things = known.some((one) => isSame(one, of)) ? known : [of, ...known];
  const code = info ? inCode(of, info) : { isIn: false, origin: "" };

  function choose(at: number): void {
    const next = things[at];
    if (!next) return;
    setOf(next);
    setTo(next.name);
    change.forget();
  }

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
      {things.length > 1 && (
        <div className="field">
          <label htmlFor="rename-what">{t("rename.what")}</label>
          <select
            id="rename-what"
            value={things.findIndex((one) => isSame(one, of))}
            onChange={(event) => choose(Number(event.target.value))}
          >
            {things.map((one, at) => (
              <option key={`${one.kind} ${one.name}`} value={at}>
                {t(`rename.kind.${one.kind}`)}: {one.name}
              </option>
            ))}
          </select>
        </div>
      )}
      {of.kind === "key" && (
        <p className="hint">{t(of.path ? "rename.key-here" : "rename.key-everywhere")}</p>
      )}
      {code.isIn && (
        <p className="warning" role="status">
          ▲ {t("rename.code", { kind, name: of.name })} {code.origin && <code>{code.origin}</code>}
        </p>
      )}
      {change.wrong !== "" && (
        <p className="mistake">
          ✕ <ServerText text={change.wrong} />
        </p>
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
      {change.wrong !== "" && (
        <p className="mistake">
          ✕ <ServerText text={change.wrong} />
        </p>
      )}
      {change.preview && <Preview of={change.preview} />}
    </Frame>
  );
}
