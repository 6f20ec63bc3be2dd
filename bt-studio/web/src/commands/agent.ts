// Commands about the agent that is followed: what it does, and what is changed in it while the game runs.

import { t } from "../i18n/index.ts";
import { readExtra } from "../model/arguments.ts";
import { canChange, type GameState } from "../model/game/state.ts";
import { write } from "../model/json.ts";
import { pathTo } from "../model/tree.ts";
import { focusOn, toast } from "../model/ui.ts";
import type { NodeResult } from "../net/protocol.ts";
import { type Command, type Context, lookedAt, tabOf } from "./command.ts";
import { gameNode, hasAgent, hasSession } from "./debug.ts";

const canAct = ({ game }: Context) => game.state.agent !== null && canChange(game.state);
const canActHere = (context: Context) => canAct(context) && gameNode(context) !== undefined;

/** Whether the node is a leaf that waits now. */
export function isWaiting(state: GameState, node: { tree: string; idx: number }): boolean {
  const leaves = state.moment?.picture.leaves ?? [];
  return state.at === null && leaves.some((leaf) => leaf.tree === node.tree && leaf.idx === node.idx);
}

/** How the node with the focus is forced. */
function forcedHere(context: Context): string | undefined {
  const node = gameNode(context);
  const { agent } = context.game.state;
  return context.game.session?.forced.find(
    (one) => one.agent === agent && one.tree === node?.tree && one.idx === node.idx,
  )?.forced;
}

function force(id: string, key: string, forced: string | null): Command {
  return {
    id,
    group: "agent",
    keys: [key],
    scope: "page",
    when: (context) => canActHere(context) && (forced !== null || forcedHere(context) !== undefined),
    on: forced === null ? undefined : (context) => forcedHere(context) === forced,
    run: (context) =>
      context.game.change("agent.force", { agent: context.game.state.agent!, forced, ...gameNode(context)! }),
  };
}

function finish(id: string, key: string, success: boolean): Command {
  return {
    id,
    group: "agent",
    keys: [key],
    scope: "page",
    when: (context) => canActHere(context) && isWaiting(context.game.state, gameNode(context)!),
    run: (context) =>
      context.game.change("agent.finish", {
        agent: context.game.state.agent!,
        success,
        ...gameNode(context)!,
      }),
  };
}

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 4, 8, 16];

function speed(id: string, key: string, by: 1 | -1): Command {
  return {
    id,
    group: "agent",
    keys: [key],
    scope: "page",
    when: ({ game }) => canChange(game.state),
    run: ({ game }) => {
      const now = game.session?.speed ?? 1;
      const next = by > 0 ? SPEEDS.find((one) => one > now) : SPEEDS.findLast((one) => one < now && one > 0);
      if (next !== undefined) void game.change("game.speed", { speed: next });
    },
  };
}

/** Lets the agent run another tree of the game. */
function load({ game, ui }: Context): void {
  const agent = game.state.agent!;
  ui.setState({
    picker: {
      title: t("game.pick-tree"),
      query: "",
      choices: Object.keys(game.session?.trees ?? {}).map((name) => ({
        id: name,
        name,
        detail: game.session?.trees[name]?.path ?? "",
        also: "",
        symbol: "⧉",
        group: "tree",
      })),
      pick: ({ id }) => void game.change("agent.load", { agent, tree: id }),
    },
  });
}

/** Says why a node failed, was aborted or was not entered, and goes to where that came from. */
export async function cause(context: Context, ended: NodeResult | undefined): Promise<void> {
  const { game, ui } = context;
  // Of one that ended in this poll, what happened afterwards does not count.
  const asked = ended
    ? { at: ended.no, node: { tree: ended.tree, idx: ended.idx } }
    : { node: { ...gameNode(context)!, above: nodesAbove(context) } };
  const { row, because, text } = await game.cause(asked);
  const title = ended
    ? t("answer.why-failed", { tree: ended.tree, idx: ended.idx })
    : t("answer.why-not-active", gameNode(context)!);
  game.answer(title, [text, ...(ended ? [] : await rulesAbove(context))]);
  const found = because ?? row;
  if (!found) return;
  await goToNode(context, row?.tree, row?.idx);
  ui.setState({ bottom: "log" });
  await game.log.show(found.no);
}

/** What the nodes above say of which child they choose: weights, and places that are kept. */
async function rulesAbove(context: Context): Promise<string[]> {
  const { tab, card } = lookedAt(context)!;
  if (tab.game) return [];
  const path = pathTo(tab.cards, card.idx);
  const lines: string[] = [];
  for (const [at, above] of path.slice(0, -1).entries()) {
    const child = path[at + 1]!;
    const info = await context.session.server
      .call("node.info", { doc: tab.doc, node: above.idx })
      .catch(() => null);
    const extra = readExtra(info?.extra_raw);
    const place = above.children.indexOf(child.idx);
    const args = { parent: above.idx, child: child.idx };
    if (Array.isArray(extra.prob)) {
      const weights = extra.prob.map((one) => Number(write(one)));
      const sum = weights.reduce((all, one) => all + one, 0);
      const weight = weights[place] ?? 0;
      lines.push(t(weight === 0 ? "answer.weight-zero" : "answer.weight", { ...args, weight, sum }));
    }
    if (extra.keep_place === true) lines.push(t("answer.keeps-place", args));
  }
  return lines;
}

/** The nodes above the one with the focus, the nearest first. */
function nodesAbove(context: Context): { idx: number; children: number[] }[] {
  const { tab, card } = lookedAt(context)!;
  return pathTo(tab.cards, card.idx)
    .slice(0, -1)
    .map(({ idx, children }) => ({ idx, children }))
    .reverse();
}

/** How the node with the focus ended in the poll that is shown, if it did not succeed. */
function endedHere(context: Context): NodeResult | undefined {
  const node = gameNode(context);
  return context.game.state.moment?.results.find(
    ({ tree, idx, result }) => tree === node?.tree && idx === node.idx && result !== "success",
  );
}

/** Shows a node of a tree of the game. */
export async function goToNode(
  { game, session }: Context,
  tree: string | null | undefined,
  idx: number | null | undefined,
): Promise<void> {
  const attached = game.session;
  if (!attached || !tree) return;
  const tab = tabOf({ session } as Context);
  const isHere = tab && (tab.game?.tree ?? attached.trees[tree]?.path) === (tab.game ? tree : tab.path);
  if (!isHere) await game.show(tree);
  if (typeof idx === "number") session.select([idx]);
}

export const agentCommands: Command[] = [
  {
    id: "where",
    group: "agent",
    keys: ["Mod+Alt+G"],
    scope: "page",
    when: (context) => hasAgent(context) && context.game.state.moment !== null,
    run: ({ game }) => game.follow(true),
  },
  {
    id: "cause",
    group: "agent",
    keys: ["Mod+Alt+Q"],
    scope: "page",
    when: (context) => hasAgent(context) && gameNode(context) !== undefined,
    run: (context) => context.game.try(cause(context, endedHere(context))),
  },
  {
    id: "fire",
    line: true,
    group: "agent",
    keys: ["Mod+Alt+F"],
    scope: "page",
    when: canAct,
    run: ({ ui }) => ui.setState({ dialog: { kind: "fire" } }),
  },
  {
    id: "call",
    group: "agent",
    keys: ["Mod+Alt+C"],
    scope: "page",
    when: canAct,
    run: ({ ui }) => ui.setState({ dialog: { kind: "call" } }),
  },
  {
    id: "set-key",
    group: "agent",
    keys: ["Mod+Alt+K"],
    scope: "page",
    when: canAct,
    run: ({ ui }) => ui.setState({ dialog: { kind: "set-key", name: "", value: "" } }),
  },
  finish("finish", "Mod+Alt+Enter", true),
  finish("fail", "Mod+Alt+Shift+Enter", false),
  force("force-success", "Mod+Alt+1", "success"),
  force("force-failure", "Mod+Alt+2", "failure"),
  force("force-disabled", "Mod+Alt+3", "disabled"),
  force("force-none", "Mod+Alt+0", null),
  {
    id: "force-none-all",
    group: "agent",
    keys: ["Mod+Alt+9"],
    scope: "page",
    when: (context) => canChange(context.game.state) && (context.game.session?.forced.length ?? 0) > 0,
    run: async ({ game }) => {
      for (const { agent, tree, idx } of game.session?.forced ?? []) {
        if (!(await game.change("agent.force", { agent, tree, idx, forced: null }))) return;
      }
    },
  },
  {
    id: "pause-agent",
    line: true,
    group: "agent",
    keys: ["Mod+Alt+Shift+P"],
    scope: "page",
    when: canAct,
    on: ({ game }) => game.state.moment?.picture.agent.paused === true,
    run: ({ game }) => {
      const agent = game.state.agent!;
      return game.change(game.state.moment?.picture.agent.paused ? "agent.resume" : "agent.pause", { agent });
    },
  },
  {
    id: "start-agent",
    group: "agent",
    keys: ["Mod+Alt+Shift+G"],
    scope: "page",
    when: canAct,
    run: ({ game }) => game.change("agent.start", { agent: game.state.agent! }),
  },
  {
    id: "stop-agent",
    group: "agent",
    keys: ["Mod+Alt+Shift+X"],
    scope: "page",
    when: canAct,
    run: ({ game }) => game.change("agent.stop", { agent: game.state.agent! }),
  },
  {
    id: "reset-agent",
    group: "agent",
    keys: ["Mod+Alt+Shift+Z"],
    scope: "page",
    when: canAct,
    run: ({ game }) => game.change("agent.reset", { agent: game.state.agent! }),
  },
  { id: "load-tree", group: "agent", keys: ["Mod+Alt+Shift+L"], scope: "page", when: canAct, run: load },
  {
    id: "pause-game",
    line: true,
    group: "agent",
    keys: ["Shift+F6"],
    scope: "page",
    when: ({ game }) => canChange(game.state),
    on: ({ game }) => game.session?.speed === 0,
    run: ({ game }) => game.change("game.speed", { speed: game.session?.speed === 0 ? 1 : 0 }),
  },
  speed("slower", "Alt+[", -1),
  speed("faster", "Alt+]", 1),
  {
    id: "profiling",
    line: true,
    group: "agent",
    keys: ["Mod+Alt+Y"],
    scope: "page",
    when: hasSession,
    on: ({ game }) => game.state.profiling,
    run: ({ game, ui }) => {
      ui.setState({ bottom: "profile" });
      return game.try(game.state.profiling ? game.profile.stop() : game.profile.start());
    },
  },
  {
    id: "game-tree",
    group: "agent",
    keys: ["Mod+Alt+Shift+T"],
    scope: "page",
    when: (context) => {
      const seen = lookedAt(context);
      return hasSession(context) && seen !== undefined && !seen.tab.game && gameNode(context) !== undefined;
    },
    run: (context) => context.game.try(context.game.show(gameNode(context)!.tree, true)),
  },
  {
    id: "find-row",
    line: true,
    group: "agent",
    keys: ["F3"],
    scope: "page",
    when: hasAgent,
    run: (context) => find(context, false),
  },
  {
    id: "find-row-back",
    group: "agent",
    keys: ["Shift+F3"],
    scope: "page",
    when: hasAgent,
    run: (context) => find(context, true),
  },
];

async function find({ game, ui }: Context, back: boolean): Promise<void> {
  ui.setState({ bottom: "log" });
  if (game.state.log.search === "") {
    focusOn(ui, "search");
    return;
  }
  await game.try(
    game.log.find(back).then((found) => {
      if (!found) toast(ui, "info", t("log.not-found", { text: game.state.log.search }));
    }),
  );
}
