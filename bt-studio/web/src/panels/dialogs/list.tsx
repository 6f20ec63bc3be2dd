// Tree files renamed, copied and deleted.

import { useEffect, useId, useState } from "react";
import { t } from "../../i18n/index.ts";
import { said } from "../../i18n/said.ts";
import { focusOn, toast } from "../../model/ui.ts";
import type { FileChange } from "../../net/protocol.ts";
import { useApp, useDocs } from "../app-context.ts";
import { Buttons, Frame } from "../Dialogs.tsx";
import { ServerText } from "../ServerText.tsx";
import { pathProblem, withEnding } from "./files.tsx";

function PathField(props: { path: string; set: (path: string) => void; problem: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t("new.path")}</label>
      <input
        id={id}
        type="text"
        value={props.path}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={props.problem !== ""}
        aria-describedby={`${id}-problem`}
        onFocus={(event) => event.target.setSelectionRange(...stemOf(event.target.value))}
        onChange={(event) => props.set(event.target.value)}
      />
      <span className="mistake" id={`${id}-problem`}>
        {props.problem !== "" && `✕ ${props.problem}`}
      </span>
    </div>
  );
}

/** From where to where the file's own name is, without folders and ending. */
function stemOf(path: string): [number, number] {
  const end = path.lastIndexOf(".");
  return [path.lastIndexOf("/") + 1, end < 0 ? path.length : end];
}

function useTaken(): string[] {
  const trees = useDocs((state) => state.project?.trees);
  return (trees ?? []).map((tree) => tree.path);
}

/** The name of a file in other trees. */
function useName(path: string): string {
  const trees = useDocs((state) => state.project?.trees);
  return trees?.find((tree) => tree.path === path)?.name ?? path;
}

export function RenameFileDialog({ path }: { path: string }) {
  const app = useApp();
  const taken = useTaken();
  const name = useName(path);
  const [to, setTo] = useState(path);
  const [wrong, setWrong] = useState("");
  const [callers, setCallers] = useState<FileChange[] | null>(null);
  const problem = to === path ? "" : pathProblem(to, taken);
  const of = { kind: "tree" as const, name, path };

  // Who names it is the same whatever the new name is.
  useEffect(() => {
    const preview = {
      of: { kind: "tree" as const, name, path },
      to: path.replace(/(\.\w+)$/, "-$1"),
      preview: true,
    };
    app.session.server
      .call("rename", preview)
      .then(({ files }) => setCallers(files))
      .catch(() => setCallers([]));
  }, [app, name, path]);

  async function rename(): Promise<void> {
    const next = withEnding(to);
    if (problem !== "" || next === path) return;
    try {
      const renamed = await app.session.server.call("rename", { of, to: next, preview: false });
      for (const file of renamed.files) app.session.adopt(file, { key: "step.rename", args: { name: next } });
      app.session.moved(path, next);
      app.ui.setState({ dialog: null });
      toast(app.ui, "info", t("list.renamed", { from: path, to: next }));
    } catch (error) {
      setWrong((error as Error).message);
    }
  }

  return (
    <Frame
      title={t("list.rename", { path })}
      submit={rename}
      buttons={<Buttons main={t("rename.apply")} isOff={problem !== "" || to === path} />}
    >
      <PathField path={to} set={setTo} problem={problem || said(wrong)} />
      {callers && (
        <p className="hint">
          {callers.length === 0 ? t("list.nobody") : t("list.callers", { count: callers.length })}
          {callers.length > 0 && `: ${callers.map((file) => file.path).join(", ")}`}
        </p>
      )}
    </Frame>
  );
}

export function DuplicateFileDialog({ path }: { path: string }) {
  const app = useApp();
  const taken = useTaken();
  const [to, setTo] = useState(() => copyOf(path, taken));
  const [wrong, setWrong] = useState("");
  const problem = pathProblem(to, taken);

  async function copy(): Promise<void> {
    if (problem !== "") return;
    try {
      await app.session.server.call("tree.copy", { path, to: withEnding(to) });
      app.ui.setState({ dialog: null });
      await app.session.open(withEnding(to));
      focusOn(app.ui, "canvas");
    } catch (error) {
      setWrong((error as Error).message);
    }
  }

  return (
    <Frame
      title={t("list.duplicate", { path })}
      submit={copy}
      buttons={<Buttons main={t("list.duplicate-go")} isOff={problem !== ""} />}
    >
      <PathField path={to} set={setTo} problem={problem || said(wrong)} />
      <p className="hint">{t("list.duplicate-why")}</p>
    </Frame>
  );
}

/** A free name beside that of a file. */
function copyOf(path: string, taken: readonly string[]): string {
  const [, end] = stemOf(path);
  for (let number = 2; ; number++) {
    const next = `${path.slice(0, end)}-${number}${path.slice(end)}`;
    if (!taken.includes(next)) return next;
  }
}

export function DeleteFileDialog({ path }: { path: string }) {
  const app = useApp();
  const name = useName(path);
  const [callers, setCallers] = useState<string[] | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    app.session.server
      .call("usages", { of: { kind: "tree", name } })
      .then(({ places }) =>
        setCallers([...new Set(places.map((place) => place.path))].filter((one) => one !== path)),
      )
      .catch(() => setCallers([]));
  }, [app, name, path]);

  async function remove(): Promise<void> {
    try {
      await app.session.server.call("tree.remove", { path });
      await app.session.close(path);
      app.ui.setState({ dialog: null });
      toast(app.ui, "info", t("list.deleted", { path }));
    } catch (error) {
      setWrong((error as Error).message);
    }
  }

  return (
    <Frame
      title={t("list.delete", { path })}
      submit={remove}
      buttons={<Buttons main={t("list.delete-go")} isOff={false} />}
    >
      <p>{t("list.delete-why")}</p>
      {callers && callers.length > 0 && (
        <p className="warning">
          ▲ {t("list.callers", { count: callers.length })}: {callers.join(", ")}
        </p>
      )}
      {wrong !== "" && (
        <p className="mistake" role="alert">
          ✕ <ServerText text={wrong} />
        </p>
      )}
    </Frame>
  );
}
