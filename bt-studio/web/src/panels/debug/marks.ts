// What the picture of a tree shows of the game.

import { t } from "../../i18n/index.ts";
import { type GameState, isLive, sessionOf, stopOf, treeNameOf } from "../../model/game/state.ts";
import { lasted } from "../../model/game/times.ts";
import type { Tab } from "../../model/state.ts";
import type { BreakpointSpec, ProfiledNode } from "../../net/port.ts";
import type { Covered, GameReloaded, Moment, NodeCovered, ScenarioReport } from "../../net/protocol.ts";
import type { Change, Dot, Ended, Forced, Live } from "../../paint/live.ts";

/** On what breakpoints of a node are. */
const OF_NODES = new Set(["enter", "exit", "success", "failure", "abort", "guard"]);

export function isOfNode(spec: BreakpointSpec): boolean {
  return OF_NODES.has(spec.on);
}

/** How long something has lasted that began then, at the moment that is shown. */
export function since(moment: Moment, ns: number): string {
  return lasted(moment.ns - ns);
}

export function dotsOf(state: GameState, tree: string): Map<number, Dot> {
  const dots = new Map<number, Dot>();
  for (const { spec } of state.others) {
    if (spec.tree === tree && typeof spec.idx === "number" && isOfNode(spec)) dots.set(spec.idx, "other");
  }
  for (const { spec, enabled } of state.breakpoints) {
    if (spec.tree !== tree || typeof spec.idx !== "number" || !isOfNode(spec)) continue;
    const dot: Dot = !enabled ? "off" : spec.log ? "log" : spec.condition || spec.hits ? "condition" : "stop";
    // Of several on a node the one that does most is shown.
    const before = dots.get(spec.idx);
    if (!before || before === "other" || before === "off" || dot === "stop") dots.set(spec.idx, dot);
  }
  return dots;
}

/** What stands on the nodes of a tree; null where there is neither a game nor a breakpoint. */
export function liveOf(state: GameState, tab: Pick<Tab, "path" | "name" | "game">): Live | null {
  const session = sessionOf(state);
  const tree = treeNameOf(session, tab) ?? tab.name;
  const dots = dotsOf(state, tree);
  const isOfGame = session !== undefined && treeNameOf(session, tab) !== null;
  const covered = coveredOf(state.scenarios, tab.path);
  if (!isOfGame)
    return state.sessions.length > 0 || dots.size + covered.size > 0 ? { ...NOTHING, dots, covered } : null;
  const { moment } = state;
  const isNow = isLive(state);
  const active = new Set<number>();
  const waits = new Map<number, string>();
  const results = new Map<number, Ended>();
  if (moment && !moment.unknown) {
    const leaves = new Set(moment.picture.leaves.map((leaf) => `${leaf.tree} ${leaf.idx}`));
    for (const node of moment.active) {
      if (node.tree !== tree) continue;
      active.add(node.idx);
      const isLeaf = node.waits !== undefined || leaves.has(`${tree} ${node.idx}`);
      if (isLeaf)
        waits.set(
          node.idx,
          typeof node.since_ns === "number" ? since(moment, node.since_ns) : t("game.waits"),
        );
    }
    for (const node of moment.results) if (node.tree === tree) results.set(node.idx, node.result);
  }
  const stop = isNow ? stopOf(state) : undefined;
  return {
    active,
    waits,
    results,
    stopped: stop?.tree === tree && typeof stop.idx === "number" ? stop.idx : null,
    dots,
    // Of a moment that is over nobody knows them.
    forced: isNow ? forcedOf(state, tree) : NOTHING.forced,
    heat: state.profile ? heatOf(state.profile.nodes, tree) : NOTHING.heat,
    changes: state.reloaded ? changesOf(state.reloaded, tree) : NOTHING.changes,
    covered,
    isPast: !isNow,
  };
}

const NOTHING: Live = {
  active: new Set(),
  waits: new Map(),
  results: new Map(),
  stopped: null,
  dots: new Map(),
  forced: new Map(),
  heat: new Map(),
  changes: new Map(),
  covered: new Map(),
  isPast: false,
};

/** The nodes of the agent that is shown whose results are forced: known of now alone. */
function forcedOf(state: GameState, tree: string): Live["forced"] {
  const forced = new Map<number, { how: Forced; text: string }>();
  for (const node of sessionOf(state)?.forced ?? []) {
    if (node.tree !== tree || node.agent !== state.agent) continue;
    forced.set(node.idx, { how: node.forced as Forced, text: t(`game.forced.${node.forced}`) });
  }
  return forced;
}

/** What scenarios show of the nodes of a tree. */
function coveredOf(report: ScenarioReport | null, tree: string): Live["covered"] {
  const covered = new Map<number, { how: Covered; text: string }>();
  const nodes = Object.entries(report?.trees[tree]?.nodes ?? {}) as [string, NodeCovered][];
  for (const [idx, node] of nodes) {
    const missing = node.missing
      .map((name) => t(`scenarios.point.${name.replace(/ \d+ | /, "-")}`))
      .join(", ");
    const words = node.covered === "all" ? "✓" : t(`scenarios.${node.covered}`, { missing });
    covered.set(Number(idx), { how: node.covered, text: words });
  }
  return covered;
}

export function heatOf(nodes: readonly ProfiledNode[], tree: string): Live["heat"] {
  let all = 0;
  let most = 0;
  for (const node of nodes) {
    all += node.ns;
    most = Math.max(most, node.ns);
  }
  const heat = new Map<number, { share: number; text: string }>();
  for (const node of nodes) {
    if (node.tree !== tree || node.entered === 0) continue;
    const part = all > 0 ? Math.round((node.ns / all) * 100) : 0;
    const failed = node.failed > 0 ? ` · ✕ ${node.failed}` : "";
    heat.set(node.idx, {
      share: most > 0 ? node.ns / most : 0,
      text: `${part} % · ${node.entered}×${failed}`,
    });
  }
  return heat;
}

export function changesOf(reloaded: GameReloaded, tree: string): Live["changes"] {
  const changes = new Map<number, { how: Change; text: string }>();
  for (const how of ["kept", "aborted", "adopted", "entered"] as const) {
    for (const node of reloaded[how]) {
      if (node.tree !== tree) continue;
      changes.set(node.idx, { how, text: t(`game.change.${how}`, { count: node.agents }) });
    }
  }
  return changes;
}
