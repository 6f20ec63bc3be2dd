// What is shown beside the documents: panels, dialogs, settings.

import { createStore } from "zustand/vanilla";
import type { BreakpointSpec } from "../net/port.ts";
import type { FoundPlace, Renamed, Thing } from "../net/protocol.ts";
import type { OnDisk } from "./session.ts";

export type Theme = "auto" | "light" | "dark";
export type Language = "en" | "zh-CN";

export type Dialog =
  | { kind: "new" }
  | { kind: "save-as"; path: string }
  | { kind: "extract"; path: string; node: number }
  | { kind: "goto" }
  | { kind: "rename"; of: Thing; path: string; node: number }
  | { kind: "replace" }
  | { kind: "conflict"; path: string; onDisk: OnDisk }
  | { kind: "close"; paths: string[] }
  | { kind: "compare"; path: string }
  | { kind: "snippet"; path: string; nodes: number[] }
  | { kind: "fixes"; node: number | null }
  | { kind: "color" }
  | { kind: "rename-file"; path: string }
  | { kind: "duplicate-file"; path: string }
  | { kind: "delete-file"; path: string }
  | DebugDialog
  | { kind: "help" };

/** Dialogs about a running game. */
export type DebugDialog =
  | { kind: "attach"; listen: boolean }
  | { kind: "fire" }
  | { kind: "call" }
  | { kind: "set-key"; name: string; value: string }
  | { kind: "breakpoint"; spec: BreakpointSpec; agents: string | null }
  | { kind: "note"; no: number; text: string }
  | { kind: "record" }
  | { kind: "scenario" };

/** Something to choose from a list by typing. */
export interface Choice {
  id: string;
  name: string;
  /** What stands beside the name. */
  detail: string;
  /** Other texts by which it is found. */
  also: string;
  /** Words that mean it as its name does. */
  words?: readonly string[];
  /** How files spell it, if a person says it in another way. */
  code?: string;
  /** The title of the part of the list in which it stands. */
  section?: string;
  /** A sign and a group that colours it. */
  symbol?: string;
  group?: string;
  keys?: string;
}

export interface Picker {
  title: string;
  choices: Choice[];
  query: string;
  pick: (choice: Choice) => void;
  /** What is typed may be a choice of its own, which comes first. */
  made?: (text: string) => Choice | undefined;
  /** A name that is in no list may be taken as it was typed. */
  free?: (text: string) => void;
}

export interface MenuItem {
  command: string;
}

export interface Menu {
  x: number;
  y: number;
  /** Ids of commands; an empty one is a line between. */
  commands: string[];
  label: string;
}

export interface Toast {
  id: number;
  level: "info" | "error";
  text: string;
}

export interface Search {
  text: string;
  case: boolean;
  regex: boolean;
  /** The text that was looked for last, which may be another one than what is typed now. */
  asked: { text: string; case: boolean; regex: boolean } | null;
  /** What was found; null while nothing was looked for. */
  places: FoundPlace[] | null;
  unlisted: number;
  title: string;
  /** The places of a thing with a name, instead of a text. */
  usages: Thing | null;
}

export interface Settings {
  theme: Theme;
  language: Language;
  orientation: "right" | "down";
  left: "trees" | "nodes" | "keys" | "outline" | "agents" | null;
  right: boolean;
  /** What stands at the right while a game is attached. */
  beside: "node" | "agent";
  minimap: boolean;
  pictures: "none" | "svg" | "png" | "both";
  hints: boolean;
  keys: Record<string, string[]>;
  /** Expressions whose values are shown while a game is. */
  watches: string[];
}

/** Panels about a running game, at the bottom. */
export type GamePart = "play" | "log" | "breakpoints" | "profile" | "sides" | "reloaded";

export interface Ui extends Settings {
  bottom: "problems" | "find" | "scenarios" | GamePart | null;
  raw: boolean;
  /** Whether what is changed in one of several selected nodes is changed in those that are alike. */
  together: boolean;
  dialog: Dialog | null;
  picker: Picker | null;
  menu: Menu | null;
  toasts: Toast[];
  search: Search;
  preview: Renamed | null;
  /** The tree in the list that commands about files mean; none means the one that is shown. */
  listed: string | null;
  /** Counts up whenever a part of the page is to get the focus. */
  focus: { part: Focus; count: number };
}

/** A part of the page that can get the focus. */
export type Focus =
  | "canvas"
  | "outline"
  | "inspector"
  | "comment"
  | "find"
  | "trees"
  | "nodes"
  | "keys"
  | "raw"
  | "agents"
  | "agent"
  | `declaration:${string}`
  | `attached:${string}`
  | "watch"
  | "time"
  | "log"
  | "search"
  | "breakpoints";

export type UiStore = ReturnType<typeof createUi>;

const STORED = "bt-studio-settings";

const DEFAULTS: Settings = {
  theme: "auto",
  language: "en",
  orientation: "right",
  left: "trees",
  right: true,
  beside: "agent",
  minimap: true,
  pictures: "none",
  hints: true,
  keys: {},
  watches: [],
};

export function createUi(storage: Storage | null, language: string) {
  const stored = readSettings(storage);
  const first: Language = language.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  const store = createStore<Ui>(() => ({
    ...DEFAULTS,
    language: first,
    ...stored,
    bottom: null,
    raw: false,
    together: true,
    dialog: null,
    picker: null,
    menu: null,
    toasts: [],
    search: {
      text: "",
      case: false,
      regex: false,
      asked: null,
      places: null,
      unlisted: 0,
      title: "",
      usages: null,
    },
    preview: null,
    listed: null,
    focus: { part: "canvas", count: 0 },
  }));
  store.subscribe((ui) => {
    const settings: Partial<Record<keyof Settings, unknown>> = {};
    for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) settings[key] = ui[key];
    try {
      storage?.setItem(STORED, JSON.stringify(settings));
    } catch {
      // A browser that stores nothing: the settings hold until the page is closed.
    }
  });
  return store;
}

function readSettings(storage: Storage | null): Partial<Settings> {
  try {
    const settings: unknown = JSON.parse(storage?.getItem(STORED) ?? "{}");
    return typeof settings === "object" && settings !== null ? (settings as Partial<Settings>) : {};
  } catch {
    return {};
  }
}

let toasts = 0;

/** How long a notice is shown, in milliseconds. */
const TOASTED: Record<Toast["level"], number> = { info: 4000, error: 12_000 };

export function toast(ui: UiStore, level: Toast["level"], text: string): void {
  const id = ++toasts;
  ui.setState((state) => ({ toasts: [...state.toasts.slice(-3), { id, level, text }] }));
  setTimeout(() => dismiss(ui, id), TOASTED[level]);
}

export function dismiss(ui: UiStore, id: number): void {
  ui.setState((state) => ({ toasts: state.toasts.filter((one) => one.id !== id) }));
}

/** The parts that stand beside the picture, in the order in which one of them stays that were opened together. */
const BESIDE = ["bottom", "right", "left"] as const;

/**
 * On a telephone one part at a time stands below the picture: the one that was opened last. None does at first, for
 * the first screen has all trees.
 */
export function openOneAtATime(ui: UiStore, narrow: MediaQueryList): void {
  const isOpen = (state: Ui, part: (typeof BESIDE)[number]) => state[part] !== null && state[part] !== false;
  const close = (stays?: string) => {
    ui.setState(({ left, right, bottom }) => ({
      left: stays === "left" ? left : null,
      right: stays === "right" && right,
      bottom: stays === "bottom" ? bottom : null,
    }));
  };
  const put = (now: Ui, before?: Ui) => {
    const open = BESIDE.filter((part) => isOpen(now, part));
    // The text of the file needs that place as well.
    if (narrow.matches && now.raw && before && !before.raw && open.length > 0) close();
    else if (narrow.matches && open.length > 1)
      close(open.find((part) => before && now[part] !== before[part]) ?? open[0]);
  };
  if (narrow.matches) close();
  ui.subscribe(put);
  narrow.addEventListener("change", () => put(ui.getState()));
}

export function focusOn(ui: UiStore, part: Ui["focus"]["part"]): void {
  ui.setState((state) => ({ focus: { part, count: state.focus.count + 1 } }));
}
