// Commands about running games: attach, step, breakpoints, time.

import { agentName, canChange, type GameState, sessionOf, stopOf, treeNameOf } from "../model/game/state.ts";
import { focusOn, type GamePart, toast } from "../model/ui.ts";
import type { BreakpointSpec } from "../net/port.ts";
import type { StoredBreakpoint } from "../net/protocol.ts";
import { type Command, type Context, lookedAt, tabOf } from "./command.ts";

export const hasSession = ({ game }: Context) => game.session !== undefined;
export const hasAgent = ({ game }: Context) => game.state.agent !== null;
const canStep = ({ game }: Context) => game.state.agent !== null && canChange(game.state);
const hasStop = (context: Context) => canStep(context) && stopOf(context.game.state) !== undefined;
/** Whether one steps through what is recorded. */
const isRecorded = ({ game }: Context) =>
  game.state.agent !== null && !game.state.history?.live && game.isFile;

/** The node with the focus, as the game names it. */
export function nodeOf(context: Context): { tree: string; idx: number } | undefined {
  const seen = lookedAt(context);
  if (!seen) return undefined;
  return { tree: treeNameOf(context.game.session, seen.tab) ?? seen.tab.name, idx: seen.card.idx };
}

/** The node with the focus, if the game that is shown has it. */
export function gameNode(context: Context): { tree: string; idx: number } | undefined {
  const tab = tabOf(context);
  return tab && treeNameOf(context.game.session, tab) !== null ? nodeOf(context) : undefined;
}

function isAt(one: StoredBreakpoint, { tree, idx }: { tree: string; idx: number }): boolean {
  return one.spec.tree === tree && one.spec.idx === idx;
}

/** The breakpoints of the node with the focus. */
function pointsHere(context: Context): StoredBreakpoint[] {
  const node = nodeOf(context);
  return node ? context.game.state.breakpoints.filter((one) => isAt(one, node)) : [];
}

/** Sets a breakpoint on a node, or takes those that it has. While one follows an agent it is for that agent. */
export function toggleBreakpoint({ game }: Context, node: { tree: string; idx: number }): void {
  const all = game.state.breakpoints;
  const others = all.filter((one) => !isAt(one, node));
  const spec: BreakpointSpec = { on: "enter", ...node };
  const made: StoredBreakpoint = { enabled: true, spec, ...forFollowed(game.state) };
  void game.points.set(others.length < all.length ? others : [...all, made]);
}

/** Whom a new breakpoint is for: the agent that one follows, else all. */
export function forFollowed(state: GameState): { agents?: string } {
  const isGame = sessionOf(state)?.kind === "game" && state.agent !== null;
  const name = isGame ? agentName(state) : "";
  return name === "" ? {} : { agents: name };
}

/** Opens a panel at the bottom; closes it if it has the focus already. */
function panel(id: GamePart, key: string, when?: Command["when"]): Command {
  return {
    id: `show-${id}`,
    group: "debug",
    keys: [key],
    scope: "page",
    when,
    on: ({ ui }) => ui.getState().bottom === id,
    run: ({ ui, game }) => {
      if (ui.getState().bottom === id) {
        ui.setState({ bottom: null });
        focusOn(ui, "canvas");
        return;
      }
      ui.setState({ bottom: id });
      if (id === "breakpoints") void game.points.readOthers().catch(() => undefined);
      focusOn(ui, id === "breakpoints" ? "breakpoints" : "log");
    },
  };
}

function step(id: string, keys: string[], how: string): Command {
  return {
    id,
    group: "debug",
    keys,
    scope: "page",
    when: (context) => isRecorded(context) || (how === "continue" ? canStep(context) : hasStop(context)),
    run: ({ game }) => game.go(how),
  };
}

function moment(id: string, key: string, by: 1 | -1, what: "record" | "poll"): Command {
  return {
    id,
    group: "debug",
    keys: [key],
    scope: "page",
    when: hasAgent,
    run: ({ game }) => game.try(game.step(by, what)),
  };
}

export const debugCommands: Command[] = [
  {
    id: "attach",
    group: "debug",
    keys: ["Mod+Alt+A"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ ui }) => ui.setState({ dialog: { kind: "attach", listen: false } }),
  },
  {
    id: "listen",
    group: "debug",
    keys: ["Mod+H"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ ui }) => ui.setState({ dialog: { kind: "attach", listen: true } }),
  },
  {
    id: "detach",
    group: "debug",
    keys: ["Shift+F5"],
    scope: "page",
    when: hasSession,
    run: ({ game }) => game.try(game.detach(game.session!.id)),
  },
  step("continue", ["F5", "F8"], "continue"),
  {
    id: "break",
    line: true,
    group: "debug",
    keys: ["F6"],
    scope: "page",
    when: (context) => canStep(context) && !hasStop(context),
    run: ({ game }) => game.change("agent.break", { agent: game.state.agent! }),
  },
  {
    id: "continue-all",
    group: "debug",
    keys: ["Mod+F8"],
    scope: "page",
    when: ({ game }) => canChange(game.state) && (game.session?.stops.length ?? 0) > 0,
    run: ({ game }) => game.try(game.goAll()),
  },
  step("step-over", ["F10", "."], "over"),
  step("step-into", ["F11"], "into"),
  step("step-out", ["Shift+F11"], "out"),
  step("step-record", ["Shift+F7"], "record"),
  step("step-poll", ["F7"], "poll"),
  {
    id: "run-to",
    group: "debug",
    keys: ["Mod+F10"],
    scope: "page",
    when: (context) => hasStop(context) && gameNode(context) !== undefined,
    run: (context) => context.game.go("to", gameNode(context)),
  },
  {
    id: "breakpoint",
    line: true,
    group: "debug",
    keys: ["F9"],
    scope: "page",
    when: (context) => lookedAt(context) !== undefined,
    on: (context) => pointsHere(context).length > 0,
    run: (context) => toggleBreakpoint(context, nodeOf(context)!),
  },
  {
    id: "edit-breakpoint",
    group: "debug",
    keys: ["Mod+F9"],
    scope: "page",
    when: (context) => lookedAt(context) !== undefined,
    run: (context) => {
      const point = pointsHere(context)[0];
      const spec = point?.spec ?? { on: "enter", ...nodeOf(context)! };
      const { agents = null } = point ?? forFollowed(context.game.state);
      context.ui.setState({ dialog: { kind: "breakpoint", spec, agents } });
    },
  },
  {
    id: "enable-breakpoint",
    group: "debug",
    keys: ["Shift+F9"],
    scope: "page",
    when: (context) => pointsHere(context).length > 0,
    run: (context) => {
      const node = nodeOf(context)!;
      const turn = (one: StoredBreakpoint) => (isAt(one, node) ? { ...one, enabled: !one.enabled } : one);
      void context.game.points.set(context.game.state.breakpoints.map(turn));
    },
  },
  {
    id: "clear-breakpoints",
    group: "debug",
    keys: ["Mod+Shift+F9"],
    scope: "page",
    when: ({ game }) => game.state.breakpoints.length > 0,
    run: ({ game }) => game.points.set([]),
  },
  {
    id: "stop-all",
    group: "debug",
    keys: ["Mod+Alt+F9"],
    scope: "page",
    on: ({ game }) => game.state.stopAll,
    run: ({ game }) => game.points.set(game.state.breakpoints, !game.state.stopAll),
  },
  moment("previous-poll", "Alt+PageUp", -1, "poll"),
  moment("next-poll", "Alt+PageDown", 1, "poll"),
  moment("previous-record", "Alt+Shift+PageUp", -1, "record"),
  moment("next-record", "Alt+Shift+PageDown", 1, "record"),
  {
    id: "live",
    line: true,
    group: "debug",
    keys: ["Alt+End"],
    scope: "page",
    when: (context) => hasAgent(context) && context.game.state.at !== null,
    run: ({ game }) => game.seek(null),
  },
  {
    id: "freeze",
    group: "debug",
    keys: ["Space"],
    scope: "time",
    when: hasAgent,
    on: ({ game }) => game.state.at !== null,
    run: ({ game }) => game.freeze(),
  },
  {
    id: "keep-side",
    line: true,
    group: "debug",
    keys: ["Mod+Alt+V"],
    scope: "page",
    when: hasAgent,
    run: ({ game, ui }) => {
      void game.try(game.sides.keep());
      ui.setState({ bottom: "sides" });
    },
  },
  {
    id: "follow",
    group: "debug",
    keys: ["Mod+Alt+Shift+F"],
    scope: "page",
    when: hasAgent,
    on: ({ game }) => game.state.follows,
    run: ({ game }) => game.follow(!game.state.follows),
  },
  {
    id: "show-agents",
    line: true,
    group: "debug",
    keys: ["Mod+Shift+G"],
    scope: "page",
    on: ({ ui }) => ui.getState().left === "agents",
    run: ({ ui }) => {
      ui.setState({ left: "agents" });
      focusOn(ui, "agents");
    },
  },
  {
    id: "show-agent",
    group: "debug",
    keys: ["Mod+Shift+I"],
    scope: "page",
    when: hasSession,
    on: ({ ui }) => ui.getState().right && ui.getState().beside === "agent",
    run: ({ ui }) => {
      ui.setState({ right: true, beside: "agent" });
      focusOn(ui, "agent");
    },
  },
  {
    id: "watch",
    group: "debug",
    keys: ["Mod+Alt+Shift+E"],
    scope: "page",
    when: hasAgent,
    run: ({ ui }) => {
      ui.setState({ right: true, beside: "agent" });
      focusOn(ui, "watch");
    },
  },
  {
    id: "show-time",
    group: "debug",
    keys: ["Mod+Alt+T"],
    scope: "page",
    when: hasAgent,
    run: ({ ui }) => {
      ui.setState({ bottom: "log" });
      focusOn(ui, "time");
    },
  },
  panel("play", "Mod+Alt+Shift+1", ({ game }) => game.plays.shown !== undefined),
  panel("log", "Mod+Alt+J", hasAgent),
  panel("breakpoints", "Mod+Alt+B"),
  panel("profile", "Mod+Alt+U", hasSession),
  panel("sides", "Mod+Alt+Shift+V", hasAgent),
  panel("reloaded", "Mod+Alt+Shift+R", ({ game }) => game.state.reloaded !== null),
  {
    id: "record",
    line: true,
    group: "debug",
    keys: ["Mod+Alt+Shift+S"],
    scope: "page",
    when: (context) => hasAgent(context) && context.session.state.project?.read_only === false,
    run: ({ ui }) => ui.setState({ dialog: { kind: "record" } }),
  },
];

/** What is said when nothing was found. */
export function notFound({ ui }: Context, text: string): void {
  toast(ui, "info", text);
}
