// Commands about what is shown.

import { type Direction, neighbour } from "../model/tree.ts";
import { focusOn } from "../model/ui.ts";
import { type Command, type Context, lookedAt, tabOf, treeOf } from "./command.ts";
import { pickAnything } from "./pickers.ts";

function walk(id: string, key: string, direction: (context: Context) => Direction): Command[] {
  const go = (context: Context, keep: boolean) => {
    const { tab, card } = lookedAt(context)!;
    const next = neighbour(tab, card, direction(context));
    if (!next) return;
    context.session.select(keep ? [...tab.selection, next.idx] : [next.idx], next.idx);
  };
  const when = (context: Context) => lookedAt(context) !== undefined;
  return [
    { id, group: "view", keys: [key], scope: "tree", when, run: (context) => go(context, false) },
    {
      id: `${id}-and-keep`,
      group: "view",
      keys: [`Shift+${key}`],
      scope: "tree",
      when,
      run: (context) => go(context, true),
    },
  ];
}

/** Arrows mean what they point at, however the tree is turned. */
function turned(right: Direction, down: Direction): (context: Context) => Direction {
  return ({ ui }) => (ui.getState().orientation === "right" ? right : down);
}

/** Goes through the problems of the tree. */
function problem(context: Context, by: number): void {
  const tab = treeOf(context)!;
  const nodes = [
    ...new Set(tab.findings.flatMap(({ node }) => (node === null || node === undefined ? [] : [node]))),
  ];
  const at = nodes.indexOf(tab.focus ?? -1);
  const next = nodes[(at + by + nodes.length) % nodes.length];
  if (next !== undefined) context.session.select([next]);
  context.ui.setState({ bottom: "problems" });
}

const hasNodeProblems = (context: Context) =>
  treeOf(context)?.findings.some(({ node }) => node !== null && node !== undefined) ?? false;

export const viewCommands: Command[] = [
  {
    id: "palette",
    group: "view",
    keys: ["Mod+K", "Mod+Shift+P"],
    scope: "page",
    run: pickAnything,
  },
  ...walk("go-up", "ArrowUp", turned("up", "out")),
  ...walk("go-down", "ArrowDown", turned("down", "in")),
  ...walk("go-out", "ArrowLeft", turned("out", "up")),
  ...walk("go-in", "ArrowRight", turned("in", "down")),
  {
    id: "go-root",
    group: "view",
    keys: ["Home"],
    scope: "tree",
    when: (context) => lookedAt(context) !== undefined,
    run: (context) => context.session.select([lookedAt(context)!.tab.root]),
  },
  {
    id: "next-problem",
    line: true,
    group: "view",
    keys: ["E"],
    scope: "tree",
    when: hasNodeProblems,
    run: (context) => problem(context, 1),
  },
  {
    id: "previous-problem",
    group: "view",
    keys: ["Shift+F8"],
    scope: "tree",
    when: hasNodeProblems,
    run: (context) => problem(context, -1),
  },
  {
    id: "zoom-in",
    line: true,
    group: "view",
    keys: ["+", "="],
    scope: "tree",
    when: (context) => tabOf(context) !== undefined,
    run: ({ view }) => view.zoom(1.25),
  },
  {
    id: "zoom-out",
    group: "view",
    keys: ["-"],
    scope: "tree",
    when: (context) => tabOf(context) !== undefined,
    run: ({ view }) => view.zoom(0.8),
  },
  {
    id: "zoom-fit",
    group: "view",
    keys: ["F"],
    scope: "tree",
    when: (context) => tabOf(context) !== undefined,
    run: ({ view }) => view.fit(),
  },
  {
    id: "zoom-actual",
    group: "view",
    keys: ["1"],
    scope: "tree",
    when: (context) => tabOf(context) !== undefined,
    run: ({ view }) => view.actual(),
  },
  {
    id: "canvas",
    line: true,
    group: "view",
    keys: ["Mod+1"],
    scope: "page",
    run: ({ ui }) => focusOn(ui, "canvas"),
  },
  {
    id: "outline",
    group: "view",
    keys: ["Mod+Shift+O"],
    scope: "page",
    on: ({ ui }) => ui.getState().left === "outline",
    run: ({ ui }) => {
      ui.setState({ left: "outline" });
      focusOn(ui, "outline");
    },
  },
  {
    id: "nodes",
    group: "view",
    keys: ["N", "Mod+Alt+O"],
    scope: "page",
    on: ({ ui }) => ui.getState().left === "nodes",
    run: ({ ui }) => {
      const isOn = ui.getState().left === "nodes";
      ui.setState({ left: isOn ? "trees" : "nodes" });
      focusOn(ui, isOn ? "canvas" : "nodes");
    },
  },
  {
    id: "keys",
    group: "view",
    keys: ["B", "Mod+Alt+X"],
    scope: "tree",
    on: ({ ui }) => ui.getState().left === "keys",
    run: ({ ui }) => {
      const isOn = ui.getState().left === "keys";
      ui.setState({ left: isOn ? "trees" : "keys" });
      focusOn(ui, isOn ? "canvas" : "keys");
    },
  },
  {
    id: "sidebar",
    group: "view",
    keys: ["Mod+B"],
    scope: "page",
    on: ({ ui }) => ui.getState().left !== null,
    run: ({ ui }) => ui.setState(({ left }) => ({ left: left ? null : "trees" })),
  },
  {
    id: "inspector",
    group: "view",
    keys: ["Mod+I"],
    scope: "page",
    on: ({ ui }) => ui.getState().right,
    run: ({ ui }) => ui.setState(({ right }) => ({ right: !right })),
  },
  {
    id: "problems",
    group: "view",
    keys: ["Mod+Shift+M"],
    scope: "page",
    on: ({ ui }) => ui.getState().bottom === "problems",
    run: ({ ui }) => ui.setState(({ bottom }) => ({ bottom: bottom === "problems" ? null : "problems" })),
  },
  {
    id: "raw",
    group: "view",
    keys: ["F4"],
    scope: "page",
    on: ({ ui }) => ui.getState().raw,
    run: ({ ui }) => {
      ui.setState(({ raw }) => ({ raw: !raw }));
      focusOn(ui, ui.getState().raw ? "raw" : "canvas");
    },
  },
  {
    id: "minimap",
    group: "view",
    keys: ["Shift+M"],
    scope: "tree",
    on: ({ ui }) => ui.getState().minimap,
    run: ({ ui }) => ui.setState(({ minimap }) => ({ minimap: !minimap })),
  },
  {
    id: "orientation",
    line: true,
    group: "view",
    keys: ["T"],
    scope: "tree",
    on: ({ ui }) => ui.getState().orientation === "down",
    run: ({ ui }) =>
      ui.setState(({ orientation }) => ({ orientation: orientation === "right" ? "down" : "right" })),
  },
  {
    id: "theme",
    group: "view",
    keys: ["Shift+T"],
    scope: "tree",
    run: ({ ui }) =>
      ui.setState(({ theme }) => ({
        theme: theme === "auto" ? "dark" : theme === "dark" ? "light" : "auto",
      })),
  },
  {
    id: "language",
    group: "view",
    keys: ["Mod+Alt+L"],
    scope: "page",
    run: ({ ui }) => ui.setState(({ language }) => ({ language: language === "en" ? "zh-CN" : "en" })),
  },
  {
    id: "pictures",
    group: "view",
    keys: ["Mod+Alt+P"],
    scope: "page",
    on: ({ ui }) => ui.getState().pictures !== "none",
    run: ({ ui }) => {
      const next = { none: "svg", svg: "png", png: "both", both: "none" } as const;
      ui.setState(({ pictures }) => ({ pictures: next[pictures] }));
    },
  },
  {
    id: "help",
    group: "help",
    keys: ["F1", "?"],
    scope: "page",
    run: ({ ui }) => ui.setState({ dialog: { kind: "help" } }),
  },
  {
    id: "hints",
    group: "help",
    keys: ["Mod+Alt+H"],
    scope: "page",
    on: ({ ui }) => ui.getState().hints,
    run: ({ ui }) => ui.setState(({ hints }) => ({ hints: !hints })),
  },
];
