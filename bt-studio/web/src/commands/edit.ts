// Commands that change a document as a whole, its clipboard, and what is looked for.

import { canDissolve, isRoot } from "../model/kinds.ts";
import type { Tab } from "../model/state.ts";
import { parentOf, placeOf, visible } from "../model/tree.ts";
import { focusOn, toast } from "../model/ui.ts";
import { type Command, type Context, chosen, hasFocus, kindsIn, tabOf, treeOf } from "./command.ts";
import { placeAtFocus } from "./pickers.ts";

/** What was copied last, for browsers that do not let a page read the clipboard. */
let copied = "";
/** What was cut last, and from which document: there it keeps its numbers. */
let moved = { text: "", doc: -1 };

function movable(context: Context) {
  const tab = treeOf(context);
  return tab ? chosen(tab).filter((card) => !isRoot(card)) : [];
}

/** The same in a tree as it is when the turn comes, which may have changed since the key was pressed. */
function movableIn(tab: Tab): number[] {
  const cards = chosen(tab).filter((card) => !isRoot(card));
  return cards.map((card) => card.idx);
}

async function copy(context: Context): Promise<boolean> {
  const tab = treeOf(context);
  const nodes = movable(context).map((card) => card.idx);
  if (!tab || nodes.length === 0) return false;
  try {
    const { text } = await context.session.server.call("doc.fragment", { doc: tab.doc, nodes });
    copied = text;
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    return true;
  } catch (error) {
    toast(context.ui, "error", (error as Error).message);
    return false;
  }
}

/** Puts nodes into the tree: below the focused node, or after it if it takes no more. */
export async function paste(context: Context, given?: string): Promise<void> {
  const text = given ?? ((await navigator.clipboard?.readText().catch(() => "")) || copied);
  if (!text) return;
  const isMoved = text.replaceAll("\r\n", "\n") === moved.text;
  await context.session.edit({ key: "step.paste" }, (tab) => {
    const place = placeAtFocus(context, tab);
    return place && [{ do: "paste", ...place, text, keep: isMoved && tab.doc === moved.doc }];
  });
}

function remove(context: Context, key: string): Promise<unknown> {
  return context.session.edit(
    { key },
    (tab) => {
      const nodes = movableIn(tab);
      return nodes.length === 0 ? null : [{ do: "remove", nodes }];
    },
    afterRemoval(context),
  );
}

/** What is selected when the selected nodes are gone: a neighbour, or the parent. */
function afterRemoval(context: Context): () => number[] {
  const tab = treeOf(context);
  const [card] = tab ? chosen(tab) : [];
  const parent = tab && card ? parentOf(tab.cards, card) : undefined;
  if (!tab || !card || !parent) return () => [];
  const rest = parent.children.filter((idx) => !tab.selection.has(idx));
  const place = placeOf(tab.cards, card);
  const near = rest[Math.min(place, rest.length - 1)] ?? parent.idx;
  return () => [near];
}

export const editCommands: Command[] = [
  {
    id: "undo",
    group: "edit",
    keys: ["Mod+Z"],
    scope: "page",
    when: (context) => (tabOf(context)?.history.done.length ?? 0) > 0,
    run: ({ session }) => session.undo(),
  },
  {
    id: "redo",
    group: "edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    scope: "page",
    when: (context) => (tabOf(context)?.history.undone.length ?? 0) > 0,
    run: ({ session }) => session.redo(),
  },
  {
    id: "cut",
    line: true,
    group: "edit",
    keys: ["Mod+X"],
    scope: "tree",
    changes: true,
    when: (context) => movable(context).length > 0,
    run: async (context) => {
      const doc = treeOf(context)?.doc ?? -1;
      if (!(await copy(context))) return;
      moved = { text: copied, doc };
      await remove(context, "step.cut");
    },
  },
  {
    id: "copy",
    group: "edit",
    keys: ["Mod+C"],
    scope: "tree",
    when: (context) => movable(context).length > 0,
    run: copy,
  },
  {
    id: "paste",
    group: "edit",
    keys: ["Mod+V"],
    scope: "tree",
    changes: true,
    when: hasFocus,
    run: (context) => paste(context),
  },
  {
    id: "duplicate",
    group: "edit",
    keys: ["Mod+D"],
    scope: "tree",
    changes: true,
    when: (context) => movable(context).length > 0,
    run: ({ session }) =>
      session.edit({ key: "step.duplicate" }, (tab) => {
        const nodes = movableIn(tab);
        return nodes.length === 0 ? null : [{ do: "duplicate", nodes }];
      }),
  },
  {
    id: "delete",
    group: "edit",
    keys: ["Delete", "X", "Backspace"],
    scope: "tree",
    changes: true,
    when: (context) => movable(context).length > 0,
    run: (context) => remove(context, "step.delete"),
  },
  {
    id: "dissolve",
    group: "edit",
    keys: ["Shift+X"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const tab = treeOf(context);
      const kinds = kindsIn(context);
      const cards = movable(context).filter((card) => card.children.length > 0);
      return (
        tab !== undefined && cards.length > 0 && cards.every((card) => canDissolve(kinds, tab.cards, card))
      );
    },
    run: ({ session }) =>
      session.edit(
        { key: "step.dissolve" },
        (tab) => {
          const nodes = movableIn(tab);
          return nodes.length === 0 ? null : [{ do: "remove", nodes, keep_children: true }];
        },
        (tab) => [...tab.selection].filter((idx) => tab.cards.has(idx)),
      ),
  },
  {
    id: "select-all",
    line: true,
    group: "edit",
    keys: ["Mod+A"],
    scope: "tree",
    when: (context) => treeOf(context) !== undefined,
    run: (context) => {
      const tab = treeOf(context)!;
      context.session.select(
        visible(tab).map((card) => card.idx),
        tab.focus ?? undefined,
      );
    },
  },
  {
    id: "select-branch",
    group: "edit",
    keys: ["Mod+Shift+A"],
    scope: "tree",
    when: hasFocus,
    run: (context) => {
      const tab = treeOf(context)!;
      const branch = visible({ ...tab, root: tab.focus! });
      context.session.select(
        branch.map((card) => card.idx),
        tab.focus!,
      );
    },
  },
  {
    id: "find",
    line: true,
    group: "edit",
    keys: ["Mod+F", "Mod+Shift+F"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ ui }) => {
      ui.setState({ bottom: "find" });
      focusOn(ui, "find");
    },
  },
  {
    id: "replace",
    group: "edit",
    keys: ["Mod+Shift+H"],
    scope: "page",
    when: ({ session }) => session.state.project !== null,
    run: ({ ui }) => ui.setState({ dialog: { kind: "replace" } }),
  },
  {
    id: "goto",
    group: "edit",
    keys: ["Mod+G"],
    scope: "page",
    when: (context) => treeOf(context) !== undefined,
    run: ({ ui }) => ui.setState({ dialog: { kind: "goto" } }),
  },
];
