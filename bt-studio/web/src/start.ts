// Puts the parts together: connection, documents, what is shown, shortcuts.

import type { Context, View } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { t } from "./i18n/index.ts";
import { Debugger } from "./model/game/debugger.ts";
import { createGameState } from "./model/game/state.ts";
import { Session } from "./model/session.ts";
import { createState } from "./model/state.ts";
import { createUi, focusOn, openOneAtATime, toast } from "./model/ui.ts";
import { Server, type Socket, takeToken, tokenOf } from "./net/socket.ts";
import type { Stage } from "./paint/stage.ts";
import { viewOf } from "./panels/Canvas.tsx";
import { picturesOf } from "./panels/pictures.ts";

export interface Parts {
  context: Context;
  stage: { current: Stage | null };
}

/** A telephone, as the style sheets have it. */
const NARROW = "(max-width: 640px)";

export function makeApp(): Parts {
  const store = createState();
  const ui = createUi(localStorage, navigator.language);
  const narrow = matchMedia(NARROW);
  openOneAtATime(ui, narrow);
  const hadLink = location.hash.length > 1;
  const token = takeToken(location, history, sessionStorage);
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  const stage: { current: Stage | null } = { current: null };
  const view: View = viewOf(stage);
  let session: Session;
  const server = new Server(() => new WebSocket(address) as unknown as Socket, token, {
    opened: () =>
      void session
        .begin()
        .then(() => game.begin())
        .catch((error: Error) => toast(ui, "error", error.message)),
    status: (status, why) => store.setState({ status, why }),
    event: (name, params) => {
      if (!game.event(name, params)) session.event(name, params);
    },
  });
  session = new Session(store, server, {
    say: (level, text) => toast(ui, level, text),
    conflict: (path, onDisk) => ui.setState({ dialog: { kind: "conflict", path, onDisk } }),
    saved: (path) => toast(ui, "info", t("status.saved", { path })),
  });
  session.picture = (tab) => picturesOf(tab, ui.getState().pictures, ui.getState().orientation);
  const game = new Debugger(
    createGameState(),
    server,
    {
      say: (level, text) => toast(ui, level, text),
      tell: (key, args) => toast(ui, "info", t(key, args)),
      showTree: async (attached, tree, node, isOwn) => {
        const known = attached.trees[tree];
        if (known?.path && known.same !== false && !isOwn) await session.open(known.path);
        else {
          const found = await server.call("game.tree", { session: attached.id, name: tree });
          const place = { session: attached.id, tree };
          session.look(place, attached.title, found.text, found.view ?? null);
        }
        if (node !== null) session.select([node]);
      },
      chosen: (what) => {
        if (what === "session") {
          if (game.session?.kind === "game" && game.state.agent === null) {
            ui.setState({ left: "agents" });
            focusOn(ui, "agents");
          }
        } else if (narrow.matches) ui.setState({ right: true, beside: "agent", bottom: null });
        else ui.setState(({ bottom }) => ({ right: true, beside: "agent", bottom: bottom ?? "log" }));
      },
      answered: () => ui.setState({ right: true, beside: "agent" }),
      reloaded: () => ui.setState({ bottom: "reloaded" }),
      isBusy: () => {
        const { dialog, picker, menu } = ui.getState();
        const inForm = document.activeElement?.closest(".node, .raw, .memory input");
        return dialog !== null || picker !== null || menu !== null || Boolean(inForm);
      },
      sees: (what) => {
        const { left, bottom } = ui.getState();
        return what === "agents" ? left === "agents" : bottom === (what === "timeline" ? "log" : what);
      },
    },
    sessionStorage,
  );
  // The link of a server that was started anew, opened in this tab or in another of this browser, or pasted.
  const others = new BroadcastChannel("bt-studio");
  const admit = (text: string) => {
    const found = tokenOf(text);
    sessionStorage.setItem("bt-studio-token", found);
    server.admit(found);
  };
  others.onmessage = ({ data }) => admit(String(data));
  session.admit = (text) => {
    admit(text);
    others.postMessage(tokenOf(text));
  };
  window.addEventListener("hashchange", () => {
    if (location.hash.length > 1) session.admit(takeToken(location, history, sessionStorage));
  });
  if (hadLink) others.postMessage(token);
  server.connect();
  return { context: { session, game, ui, view, commands: COMMANDS }, stage };
}
