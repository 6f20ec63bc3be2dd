// Puts the parts together: connection, documents, what is shown, shortcuts.

import type { Context, View } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { t } from "./i18n/index.ts";
import { Session } from "./model/session.ts";
import { createState } from "./model/state.ts";
import { createUi, toast } from "./model/ui.ts";
import { Server, type Socket, takeToken } from "./net/socket.ts";
import type { Stage } from "./paint/stage.ts";
import { viewOf } from "./panels/Canvas.tsx";
import { picturesOf } from "./panels/pictures.ts";

export interface Parts {
  context: Context;
  stage: { current: Stage | null };
}

export function makeApp(): Parts {
  const store = createState();
  const ui = createUi(localStorage, navigator.language);
  const token = takeToken(location, history, sessionStorage);
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  const stage: { current: Stage | null } = { current: null };
  const view: View = viewOf(stage);
  let session: Session;
  const server = new Server(() => new WebSocket(address) as unknown as Socket, token, {
    opened: () => void session.begin().catch((error: Error) => toast(ui, "error", error.message)),
    status: (status, why) => store.setState({ status, why }),
    event: (name, params) => session.event(name, params),
  });
  session = new Session(store, server, {
    say: (level, text) => toast(ui, level, text),
    conflict: (path, onDisk) => ui.setState({ dialog: { kind: "conflict", path, onDisk } }),
    saved: (path) => toast(ui, "info", t("status.saved", { path })),
  });
  session.picture = (tab) => picturesOf(tab, ui.getState().pictures, ui.getState().orientation);
  server.connect();
  return { context: { session, ui, view, commands: COMMANDS }, stage };
}
