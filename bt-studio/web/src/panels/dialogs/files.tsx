// Dialogs about files.

import { useId, useState } from "react";
import { save } from "../../commands/file.ts";
import { t } from "../../i18n/index.ts";
import { briefOf } from "../../model/catalogue.ts";
import { agentsFor, usualAgent, usualFolder } from "../../model/new-tree.ts";
import type { OnDisk } from "../../model/session.ts";
import { isChanged } from "../../model/state.ts";
import { focusOn, toast } from "../../model/ui.ts";
import { useApp, useDocs, useTab } from "../app-context.ts";
import { Buttons, Cancel, Frame } from "../Dialogs.tsx";

/** Why a path cannot be the one of a new tree; empty if it can. */
export function pathProblem(path: string, taken: readonly string[]): string {
  const isPlain = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPlain || /[\\:*?"<>|]/.test(path)) return t("new.bad");
  return taken.includes(withEnding(path)) ? t("new.taken") : "";
}

/** The path with the ending that tree files have. */
export function withEnding(path: string): string {
  return /\.(json|bt)$/.test(path) ? path : `${path}.json`;
}

function PathField(props: { path: string; set: (path: string) => void; label: string; problem: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        value={props.path}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={props.path !== "" && props.problem !== ""}
        aria-describedby={`${id}-problem`}
        onChange={(event) => props.set(event.target.value)}
      />
      <span className="mistake" id={`${id}-problem`}>
        {props.path !== "" && props.problem !== "" ? `✕ ${props.problem}` : ""}
      </span>
    </div>
  );
}

function useTaken(): string[] {
  const trees = useDocs((state) => state.project?.trees);
  const tabs = useDocs((state) => state.tabs);
  return [...(trees ?? []).map((tree) => tree.path), ...tabs.map((tab) => tab.path)];
}

export function NewDialog() {
  const app = useApp();
  const project = useDocs((state) => state.project);
  const here = useTab();
  const taken = useTaken();
  const [path, setPath] = useState(project ? usualFolder(project) : "");
  const [agent, setAgent] = useState(here?.agent || (project && usualAgent(project)) || "");
  const agents = project ? agentsFor(project) : [];
  const [comment, setComment] = useState("");
  const problem = pathProblem(path, taken);

  async function make(): Promise<void> {
    if (problem !== "") return;
    try {
      await app.session.create(withEnding(path), agent, comment);
      app.ui.setState({ dialog: null });
      focusOn(app.ui, "canvas");
    } catch (error) {
      toast(app.ui, "error", (error as Error).message);
    }
  }

  return (
    <Frame
      title={t("new.title")}
      submit={make}
      buttons={<Buttons main={t("new.make")} isOff={problem !== ""} />}
    >
      <PathField path={path} set={setPath} label={t("new.path")} problem={problem} />
      <div className="field">
        <label htmlFor="new-agent">{t("new.agent")}</label>
        {agents.length > 0 ? (
          <select id="new-agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
            {agents.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          <input
            id="new-agent"
            type="text"
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          />
        )}
        <span className="hint">{briefOf(project?.catalogue, agent)}</span>
      </div>
      <div className="field">
        <label htmlFor="new-comment">{t("new.comment")}</label>
        <input
          id="new-comment"
          type="text"
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </div>
    </Frame>
  );
}

export function SaveAsDialog({ path: from }: { path: string }) {
  const app = useApp();
  const taken = useTaken();
  const [path, setPath] = useState(from.replace(/\.bt$/, ".json"));
  const problem = pathProblem(
    path,
    taken.filter((one) => one !== from),
  );
  return (
    <Frame
      title={t("save-as.title")}
      submit={async () => {
        if (problem === "" && (await app.session.save(from, { as: withEnding(path) }))) {
          app.ui.setState({ dialog: null });
        }
      }}
      buttons={<Buttons main={t("save-as.save")} isOff={problem !== ""} />}
    >
      <PathField path={path} set={setPath} label={t("new.path")} problem={problem} />
    </Frame>
  );
}

export function ExtractDialog({ path: from, node }: { path: string; node: number }) {
  const app = useApp();
  const taken = useTaken();
  const [path, setPath] = useState("");
  const problem = pathProblem(path, taken);
  return (
    <Frame
      title={t("extract.title")}
      submit={async () => {
        if (problem !== "") return;
        app.ui.setState({ dialog: null });
        const to = withEnding(path);
        await app.session.editIn(from, { key: "step.extract", args: { path: to } }, () => [
          { do: "extract", node, path: to },
        ]);
      }}
      buttons={<Buttons main={t("extract.make")} isOff={problem !== ""} />}
    >
      <p className="hint">{t("extract.why")}</p>
      <PathField path={path} set={setPath} label={t("new.path")} problem={problem} />
    </Frame>
  );
}

export function ConflictDialog({ path, onDisk }: { path: string; onDisk: OnDisk }) {
  const app = useApp();
  const close = () => app.ui.setState({ dialog: null });
  return (
    <Frame
      title={t("conflict.title", { path })}
      buttons={
        <>
          <Cancel />
          {onDisk.exists && (
            <button type="button" onClick={() => app.ui.setState({ dialog: { kind: "compare", path } })}>
              {t("conflict.compare")}
            </button>
          )}
          {onDisk.exists && (
            <button
              type="button"
              onClick={() => {
                close();
                void app.session.reload(path);
              }}
            >
              {t("conflict.reload")}
            </button>
          )}
          <button
            type="button"
            className="danger"
            onClick={() => {
              close();
              void app.session.save(path, { over: onDisk.exists ? onDisk.hash : "" });
            }}
          >
            {t(onDisk.exists ? "conflict.over" : "save-as.save")}
          </button>
        </>
      }
    >
      <p>{t(onDisk.exists ? "conflict.why" : "conflict.gone")}</p>
    </Frame>
  );
}

export function CloseDialog({ paths }: { paths: string[] }) {
  const app = useApp();
  const tabs = useDocs((state) => state.tabs);
  const changed = tabs.filter((tab) => paths.includes(tab.path) && isChanged(tab));
  const isReadOnly = useDocs((state) => state.project?.read_only ?? false);
  async function closeAll(saving: boolean): Promise<void> {
    app.ui.setState({ dialog: null });
    for (const path of paths) {
      const tab = app.session.tab(path);
      if (!tab) continue;
      if (saving && isChanged(tab) && !(await save(app, path))) continue;
      await app.session.close(path);
    }
  }
  return (
    <Frame
      title={t("close.title")}
      submit={() => closeAll(!isReadOnly)}
      buttons={
        <>
          <Cancel />
          <button type="button" className="danger" onClick={() => void closeAll(false)}>
            {t("close.discard")}
          </button>
          {!isReadOnly && (
            <button type="submit" className="main">
              {t("close.save")}
            </button>
          )}
        </>
      }
    >
      <p>{t("close.why")}</p>
      <ul>
        {changed.map((tab) => (
          <li key={tab.path}>{tab.path}</li>
        ))}
      </ul>
    </Frame>
  );
}
