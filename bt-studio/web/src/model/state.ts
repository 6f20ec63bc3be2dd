// What the page knows: the project, the open documents, and what is selected in each.

import { createStore } from "zustand/vanilla";
import type { Card, Draft, Finding, Project, TreeEntry, UnsavedTree } from "../net/protocol.ts";
import type { Status } from "../net/socket.ts";
import { empty, type History, mark } from "./history.ts";

export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

/** An open document. Its path names it: one is open once. */
export interface Tab {
  path: string;
  /** What the server calls it. */
  doc: number;
  name: string;
  text: string;
  revision: number;
  hash: string;
  agent: string;
  /** Whether the text is a tree; while it is not, the cards are those of the last tree that it was. */
  isTree: boolean;
  cards: ReadonlyMap<number, Card>;
  root: number;
  findings: Finding[];
  history: History;
  /** The step after which it was saved; -1 if what is on disk is none of its states. */
  savedAt: number;
  isScript: boolean;
  /** The file may not be written. */
  isReadOnly: boolean;
  /** It is no document, but a tree as a game has it: it can be looked at alone. */
  game: { session: number; tree: string } | null;
  draft: Draft | null;
  /** The file on disk has changed since. */
  disk: { hash: string; exists: boolean } | null;
  selection: ReadonlySet<number>;
  /** The node that keys act on. */
  focus: number | null;
  /** Nodes that were made since it was saved: what they lack is still to do, and no error. */
  fresh: ReadonlySet<number>;
  /** Nodes that are folded in the file and shown all the same, such as one in which something was found. */
  revealed: ReadonlySet<number>;
  camera: Camera | null;
}

export interface State {
  status: Status;
  why: string;
  /** So many changes wait for the connection. */
  pending: number;
  project: Project | null;
  tabs: Tab[];
  active: string | null;
  /** Problems of trees that are not open, by path. */
  problems: Readonly<Record<string, Finding[]>>;
  /** Trees from which one went into a tree that they call, the first one first. */
  trail: { path: string; node: number }[];
}

export type Store = ReturnType<typeof createState>;

export function createState() {
  return createStore<State>(() => ({
    status: "connecting",
    why: "",
    pending: 0,
    project: null,
    tabs: [],
    active: null,
    problems: {},
    trail: [],
  }));
}

export const NEW_TAB = {
  findings: [],
  history: empty,
  savedAt: 0,
  game: null,
  draft: null,
  disk: null,
  selection: new Set<number>(),
  focus: null,
  fresh: new Set<number>(),
  revealed: new Set<number>(),
  camera: null,
} satisfies Partial<Tab>;

export function activeTab(state: State): Tab | undefined {
  return state.tabs.find((tab) => tab.path === state.active);
}

export function isChanged(tab: Tab): boolean {
  return tab.savedAt !== mark(tab.history);
}

export function patchTab(store: Store, path: string, patch: (tab: Tab) => Partial<Tab>): void {
  store.setState((state) => ({
    tabs: state.tabs.map((tab) => (tab.path === path ? { ...tab, ...patch(tab) } : tab)),
  }));
}

/** Drafts of new trees that were never saved, which are not open. */
export function unsavedOf({ project, tabs }: Pick<State, "project" | "tabs">): UnsavedTree[] {
  const known = new Set([...(project?.trees ?? []), ...tabs].map(({ path }) => path));
  return (project?.unsaved ?? []).filter(({ path }) => !known.has(path));
}

export function entryOf(state: State, path: string): TreeEntry | undefined {
  return state.project?.trees.find((tree) => tree.path === path);
}

export interface Counts {
  errors: number;
  warnings: number;
  /** What new nodes lack. */
  todo: number;
}

export function countsOf(findings: readonly Finding[]): Counts {
  let errors = 0;
  let todo = 0;
  for (const { level } of findings) {
    if (level === "error") errors++;
    else if (level === "todo") todo++;
  }
  return { errors, warnings: findings.length - errors - todo, todo };
}

/** The worst problem of each node of a document. */
export function marksOf(findings: readonly Finding[]): Map<number, "error" | "warning"> {
  const marks = new Map<number, "error" | "warning">();
  for (const { node, level } of findings) {
    if (node === null || node === undefined) continue;
    if (level === "error") marks.set(node, "error");
    else if (level === "todo") continue;
    else if (!marks.has(node)) marks.set(node, "warning");
  }
  return marks;
}
