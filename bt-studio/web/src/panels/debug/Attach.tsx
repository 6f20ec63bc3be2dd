// What one can attach to: running games, recordings, logs, and the posts of the original's debugger.

import { useEffect, useRef, useState } from "react";
import { t } from "../../i18n/index.ts";
import { focusOn } from "../../model/ui.ts";
import type { AttachGame } from "../../net/protocol.ts";
import { useApp, useDocs } from "../app-context.ts";
import { Cancel, Frame } from "../Dialogs.tsx";
import { ServerText } from "../ServerText.tsx";
import { Ticks } from "../Ticks.tsx";
import { stateOf } from "./Bar.tsx";
import { useGame } from "./parts.tsx";

/** How often one looks for games that have begun, while one chooses. */
const LOOK = 2000;

export function AttachDialog({ listen }: { listen: boolean }) {
  const app = useApp();
  const [path, setPath] = useState("");
  const [port, setPort] = useState("3000");
  const [wrong, setWrong] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const hasGame = useGame((state) => state.running.length > 0);
  // Enter attaches to the game that runs, unless one types a path already.
  useEffect(() => {
    const { activeElement: now } = document;
    if (!listen && hasGame && now === file.current && file.current?.value === "")
      now?.closest("dialog")?.querySelector<HTMLElement>(".choice")?.focus();
  }, [listen, hasGame]);
  const isPort = /^\d{1,5}$/.test(port) && Number(port) < 65536;
  const attach = (to: AttachGame) =>
    app.game.attach(to).then(
      () => {
        app.ui.setState({ dialog: null });
        // The agents come next: what had the focus before gets it back otherwise.
        if (app.game.state.agent === null) focusOn(app.ui, "agents");
      },
      (error: Error) => setWrong(error.message),
    );
  const openFile = () => {
    if (path.trim() === "") return;
    const name = path.trim();
    void attach(name.endsWith(".json") ? { log: name } : { recording: name });
  };
  return (
    <Frame title={t("command.attach")} wide submit={openFile} buttons={<Cancel />}>
      {wrong !== "" && (
        <p className="mistake" role="alert">
          ✕ <ServerText text={wrong} />
        </p>
      )}
      <Games attach={attach} />
      <section className="attach-part">
        <h3>{t("attach.file")}</h3>
        <p className="hint">{t("attach.file-hint")}</p>
        <div className="add">
          <input
            ref={file}
            type="text"
            aria-label={t("attach.path")}
            placeholder={t("attach.path")}
            value={path}
            spellCheck={false}
            onChange={(event) => setPath(event.target.value)}
          />
          <button type="button" disabled={path.trim() === ""} onClick={openFile}>
            {t("attach.open")}
          </button>
        </div>
      </section>
      <section className="attach-part">
        <h3>{t("attach.listen")}</h3>
        <p className="hint">{t("attach.listen-hint")}</p>
        <div className="add">
          <input
            type="text"
            inputMode="numeric"
            aria-label={t("attach.port")}
            aria-invalid={!isPort}
            value={port}
            // biome-ignore lint/a11y/noAutofocus: one asked for this field
            autoFocus={listen}
            onChange={(event) => setPort(event.target.value)}
          />
          <button type="button" disabled={!isPort} onClick={() => void attach({ listen: Number(port) })}>
            {t("attach.begin")}
          </button>
        </div>
      </section>
    </Frame>
  );
}

/** The games that run, and the files that can be opened. */
export function Games({ attach }: { attach: (to: AttachGame) => unknown }) {
  const app = useApp();
  const running = useGame((state) => state.running);
  const files = useGame((state) => state.files);
  const sessions = useGame((state) => state.sessions);
  const isOpen = useDocs((state) => state.status === "open");
  useEffect(() => {
    if (!isOpen) return;
    const look = () => void app.game.list().catch(() => undefined);
    look();
    const timer = setInterval(look, LOOK);
    return () => clearInterval(timer);
  }, [app, isOpen]);
  return (
    <>
      <section className="attach-part">
        <h3>{t("attach.games")}</h3>
        {running.length === 0 && (
          <p className="hint">
            <Ticks text={t("attach.no-games")} />
          </p>
        )}
        <ul className="choices">
          {running.map((game) => {
            const session = sessions.find((one) => one.id === game.session);
            return (
              <li key={game.id}>
                <button type="button" className="choice" onClick={() => attach({ game: game.id })}>
                  <span aria-hidden="true">▶</span>
                  <strong>{game.game}</strong>
                  <span className="hint">{session ? stateOf(session) : game.id}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </section>
      {files.length > 0 && (
        <section className="attach-part">
          <h3>{t("attach.files")}</h3>
          <ul className="choices">
            {files.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  className="choice"
                  onClick={() => attach(file.kind === "log" ? { log: file.path } : { recording: file.path })}
                >
                  <span aria-hidden="true">▤</span>
                  <strong>{file.path}</strong>
                  <span className="hint">
                    {t(`game.kind.${file.kind}`)} · {sizeOf(file.bytes)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** On the empty page: games that one can look into at once. */
export function StartPanel() {
  const app = useApp();
  const running = useGame((state) => state.running);
  const files = useGame((state) => state.files);
  const isReady = useDocs((state) => state.project !== null);
  if (!isReady) return null;
  return (
    <div className="start-games" data-none={running.length + files.length === 0}>
      <Games attach={(to) => void app.game.try(app.game.attach(to))} />
    </div>
  );
}
