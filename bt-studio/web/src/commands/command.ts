// What a command is, and what many commands ask.

import type { Drop } from "../layout/drop.ts";
import type { Debugger } from "../model/game/debugger.ts";
import { type Kinds, kindsOf } from "../model/kinds.ts";
import type { Session } from "../model/session.ts";
import { activeTab, type Tab } from "../model/state.ts";
import { tops } from "../model/tree.ts";
import type { UiStore } from "../model/ui.ts";
import type { Card } from "../net/protocol.ts";

/** What commands ask of the canvas. */
export interface View {
  fit: () => void;
  zoom: (factor: number) => void;
  actual: () => void;
  /** Shows where something would be put that is held over a point of the page; null ends it. */
  over: (point: { x: number; y: number } | null, can: (drop: Drop) => boolean) => Drop | null;
  /** Where on the screen a node is. */
  pointOf: (idx: number) => { x: number; y: number } | null;
}

/** What a command sees and acts on. */
export interface Context {
  session: Session;
  /** Running games. */
  game: Debugger;
  ui: UiStore;
  view: View;
  /** The table of commands, for those that list them. */
  commands: readonly Command[];
}

export type Group = "file" | "edit" | "tree" | "view" | "debug" | "agent" | "help";

/** Where keys count: everywhere, or while that part of the page has the focus. */
export type Scope = "page" | "tree" | "time" | "log";

export interface Command {
  /** Its name; `command.ID` is its text. */
  id: string;
  group: Group;
  /** Keys such as `Mod+Shift+S`; Mod is Cmd on a Mac and Ctrl elsewhere. */
  keys: string[];
  /** In `tree`, keys count only while the canvas or the outline has the focus; in `time` the timeline, in `log` the log. */
  scope: Scope;
  /** A line stands above it in its menu. */
  line?: boolean;
  /** Whether it changes the document, so that it can be undone. */
  changes?: boolean;
  when?: (context: Context) => boolean;
  /** Whether it is a switch that is on. */
  on?: (context: Context) => boolean;
  run: (context: Context) => unknown;
}

export function isAvailable(command: Command, context: Context): boolean {
  return command.when?.(context) ?? true;
}

// What many commands ask.

export function tabOf({ session }: Context): Tab | undefined {
  return activeTab(session.state);
}

/** The active document: no tree as a game has it. */
export function fileOf(context: Context): Tab | undefined {
  const tab = tabOf(context);
  return tab?.game ? undefined : tab;
}

/** The active tree, if it can be changed. */
export function treeOf(context: Context): Tab | undefined {
  const tab = fileOf(context);
  return tab?.isTree && !tab.isScript ? tab : undefined;
}

/** The active tree, which may be one that can only be looked at, and its node with the focus. */
export function lookedAt(context: Context): { tab: Tab; card: Card } | undefined {
  const tab = tabOf(context);
  const card = tab && tab.focus !== null ? tab.cards.get(tab.focus) : undefined;
  return tab?.isTree && card ? { tab, card } : undefined;
}

/** The node that keys act on. */
export function focused(context: Context): Card | undefined {
  const tab = treeOf(context);
  return tab && tab.focus !== null ? tab.cards.get(tab.focus) : undefined;
}

export function hasFocus(context: Context): boolean {
  return focused(context) !== undefined;
}

export function kindsIn({ session }: Context): Kinds {
  return kindsOf(session.state.project?.kinds ?? []);
}

/** The selected nodes that are below no other selected node. */
export function chosen(tab: Tab): Card[] {
  return tops(tab.cards, tab.root, tab.selection);
}

export function isWritable({ session }: Context): boolean {
  return session.state.project?.read_only === false;
}
