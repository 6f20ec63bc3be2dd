// What the page knows of running games: it holds what is shown, and no records.

import { createStore } from "zustand/vanilla";
import type { AgentEntry, BreakpointEntry, ProfileTable, StopEntry } from "../../net/port.ts";
import type {
  AgentColumn,
  Bucket,
  GameFile,
  GameReloaded,
  Session as GameSession,
  History,
  Moment,
  NodeResult,
  PlayState,
  RunningGame,
  ScenarioReport,
  StoredBreakpoint,
} from "../../net/protocol.ts";
import type { Tab } from "../state.ts";

export type { GameSession };

/** An agent at a moment, or as it is now. */
export interface Side {
  session: number;
  agent: string;
  name: string;
  /** The number of a record; null for now. */
  at: number | null;
  moment: Moment | null;
}

export interface LogState {
  /** Texts of which rows must have one, and of which they must have none, with commas between. */
  include: string;
  exclude: string;
  /** The server's number of the filter; null if all rows are shown by their polls. */
  filter: number | null;
  /** Whether the filter has seen all records. */
  complete: boolean;
  /** Places of polls whose rows are shown, and how many rows each has. */
  open: ReadonlyMap<number, number>;
  /** The line that keys act on. */
  at: number;
  /** The newest rows stay in view. */
  tail: boolean;
  search: string;
  /** Counts up when rows have come. */
  version: number;
}

export interface Table {
  filter: string;
  sort: AgentColumn;
  descending: boolean;
  at: number;
  /** Counts up when rows have come. */
  version: number;
}

/** What a game says of an agent, whether or not records come. */
export interface Now {
  agent: AgentEntry;
  /** When, in nanoseconds of the game's clock. */
  ns: number;
  explain: string;
  diagnostics: string[];
}

/** An answer to a question about the agent. */
export interface Answer {
  title: string;
  lines: string[];
}

export interface GameState {
  running: RunningGame[];
  files: GameFile[];
  sessions: GameSession[];
  /** What the panels show. */
  session: number | null;
  agent: string | null;
  history: History | null;
  /** The record whose moment is shown; null: as it is now. */
  at: number | null;
  moment: Moment | null;
  /** What the game said last of the agent itself: records say nothing of one that stands still. */
  now: Now | null;
  /** Why there is no picture. */
  wrong: string;
  /** What was found out last, on request. */
  answer: Answer | null;
  /** The tree on the canvas follows the agent. */
  follows: boolean;
  breakpoints: StoredBreakpoint[];
  stopAll: boolean;
  /** What is wrong with the breakpoints. */
  refused: string;
  /** Those of other clients of the game. */
  others: BreakpointEntry[];
  /** The trees that are played, by their sessions. */
  plays: ReadonlyMap<number, PlayState>;
  /** What came of the scenarios that were played last. */
  scenarios: ScenarioReport | null;
  profiling: boolean;
  /** Only the agent that is shown is measured. */
  profileOne: boolean;
  profile: ProfileTable | null;
  reloaded: GameReloaded | null;
  /** What is compared with what is shown. */
  other: Side | null;
  log: LogState;
  table: Table;
  buckets: Bucket[];
  /** The polls that the timeline shows; null for all. */
  range: { from: number; to: number } | null;
}

export type GameStore = ReturnType<typeof createGameState>;

export const NEW_LOG: LogState = {
  include: "",
  exclude: "",
  filter: null,
  complete: true,
  open: new Map(),
  at: 0,
  tail: true,
  search: "",
  version: 0,
};

export function createGameState() {
  return createStore<GameState>(() => ({
    running: [],
    files: [],
    sessions: [],
    session: null,
    agent: null,
    history: null,
    at: null,
    moment: null,
    now: null,
    wrong: "",
    answer: null,
    follows: true,
    breakpoints: [],
    stopAll: false,
    refused: "",
    others: [],
    plays: new Map(),
    scenarios: null,
    profiling: false,
    profileOne: false,
    profile: null,
    reloaded: null,
    other: null,
    log: NEW_LOG,
    table: { filter: "", sort: "name", descending: false, at: 0, version: 0 },
    buckets: [],
    range: null,
  }));
}

/** A moment, with what the game has said since then: its own clock runs on while an agent stands still. */
export function withNow(moment: Moment, now: Now | null): Moment {
  if (!now || now.agent.id !== moment.picture.agent.id || now.ns < moment.ns) return moment;
  const { agent, explain, diagnostics, ns } = now;
  return { ...moment, ns, explain, picture: { ...moment.picture, agent, diagnostics } };
}

export function sessionOf(state: GameState, id = state.session): GameSession | undefined {
  return state.sessions.find((one) => one.id === id);
}

/** What people call the agent that is shown. */
export function agentName(state: GameState): string {
  const followed = sessionOf(state)?.followed.find((one) => one.agent === state.agent);
  return followed?.name ?? state.history?.name ?? state.agent ?? "";
}

/** Where the agent that is shown is stopped. */
export function stopOf(state: GameState): StopEntry | undefined {
  return sessionOf(state)?.stops.find((stop) => stop.agent === state.agent);
}

/** Whether what is shown is so now: no moment that is over, and the game is there to say so. */
export function isLive(state: GameState): boolean {
  const session = sessionOf(state);
  return (
    state.at === null &&
    session?.state === "attached" &&
    (session.kind === "game" || session.kind === "listen")
  );
}

/** Whether the game can be changed. */
export function canChange(state: GameState): boolean {
  const session = sessionOf(state);
  return session?.kind === "game" && session.state === "attached" && !session.read_only;
}

/** The tree of the game that a document is, if it is one. */
export function treeNameOf(
  session: GameSession | undefined,
  tab: Pick<Tab, "path" | "name" | "game">,
): string | null {
  if (!session) return null;
  if (tab.game) return tab.game.session === session.id ? tab.game.tree : null;
  const byPath = Object.entries(session.trees).find(([, tree]) => tree.path === tab.path);
  if (byPath) return byPath[0];
  return tab.name in session.trees ? tab.name : null;
}

/** The node by whose failure a tree failed that is not active any more: the first that failed in the poll. */
function failedAt({ active, results }: Moment): NodeResult | undefined {
  const inOrder = [...results].sort((one, other) => one.no - other.no);
  const isOver = active.length === 0 && inOrder.at(-1)?.result === "failure";
  return isOver ? inOrder.find(({ result }) => result === "failure") : undefined;
}

/**
 * Where the agent is: at its stop, else at the leaf that waits, else at the innermost node that is active, else at the
 * one that failed.
 */
export function placeOf(state: GameState): { tree: string; node: number | null; key: string } | null {
  const stop = state.at === null ? stopOf(state) : undefined;
  if (stop?.tree) return { tree: stop.tree, node: stop.idx ?? null, key: `${stop.tree} ${stop.number}` };
  const picture = state.moment?.picture;
  const leaf =
    picture?.leaves[0] ?? picture?.active.at(-1) ?? (state.moment ? failedAt(state.moment) : undefined);
  const tree = leaf?.tree ?? picture?.agent.tree;
  return tree ? { tree, node: leaf?.idx ?? null, key: tree } : null;
}
