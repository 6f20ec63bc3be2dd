// Commands that change nodes.

import { t } from "../i18n/index.ts";
import { areInRow, isRoot, kindsAround, kindsFor, roomIn } from "../model/kinds.ts";
import type { Tab } from "../model/state.ts";
import { thingOf, thingsOf } from "../model/things.ts";
import { isFolded, parentOf, placeOf } from "../model/tree.ts";
import { type Focus, focusOn, toast } from "../model/ui.ts";
import type { Card, Edit, Thing } from "../net/protocol.ts";
import {
  type Command,
  type Context,
  chosen,
  focused,
  hasFocus,
  isWritable,
  kindsIn,
  treeOf,
} from "./command.ts";
import { pickCalled, pickChild, pickItem, pickKind, pickSnippet, placeAtFocus } from "./pickers.ts";

function hasRoom(context: Context, card: Card | undefined): card is Card {
  return card !== undefined && roomIn(kindsIn(context), card) > 0;
}

function parentOfFocus(context: Context): Card | undefined {
  const card = focused(context);
  return card && parentOf(treeOf(context)!.cards, card);
}

/** Moves the selected siblings by one place. */
function shift(context: Context, by: number): Promise<unknown> {
  return context.session.edit(
    { key: by < 0 ? "step.up" : "step.down" },
    (tab) => {
      const cards = chosen(tab);
      const parent = cards[0] && parentOf(tab.cards, cards[0]);
      if (!parent || !areInRow(tab.cards, cards)) return null;
      const first = Math.min(...cards.map((card) => placeOf(tab.cards, card)));
      const at = first + by;
      if (at < 0 || at + cards.length > parent.children.length) return null;
      return [{ do: "move", nodes: cards.map((card) => card.idx), parent: parent.idx, at }];
    },
    (tab) => [...tab.selection],
  );
}

/** Moves the selected nodes out of their parent, to behind it. */
function outdent(context: Context): Promise<unknown> {
  return context.session.edit(
    { key: "step.move" },
    (tab) => {
      const cards = chosen(tab);
      const parent = cards[0] && parentOf(tab.cards, cards[0]);
      const above = parent && parentOf(tab.cards, parent);
      if (!above || roomIn(kindsIn(context), above) < cards.length) return null;
      const at = placeOf(tab.cards, parent) + 1;
      return [{ do: "move", nodes: cards.map((card) => card.idx), parent: above.idx, at }];
    },
    (tab) => [...tab.selection],
  );
}

/** The sibling before the selected nodes, if it takes them. */
function before(context: Context): Card | undefined {
  const tab = treeOf(context);
  const cards = tab ? chosen(tab) : [];
  const parent = cards[0] && parentOf(tab!.cards, cards[0]);
  if (!parent) return undefined;
  const place = Math.min(...cards.map((card) => placeOf(tab!.cards, card)));
  const sibling = tab!.cards.get(parent.children[place - 1] ?? -1);
  const kinds = kindsIn(context);
  return sibling && roomIn(kinds, sibling) >= cards.length ? sibling : undefined;
}

function fold(
  context: Context,
  pick: (card: Card) => boolean,
  folded: boolean,
  key: string,
): Promise<unknown> {
  return context.session.edit(
    { key },
    (tab) => {
      const edits: Edit[] = [];
      for (const card of tab.cards.values()) {
        if (card.children.length > 0 && card.collapsed !== folded && pick(card)) {
          edits.push({ do: "set", node: card.idx, at: "/is_collapsed", value: String(folded) });
        }
      }
      return edits;
    },
    (tab) => [...tab.selection],
  );
}

/** Folds or unfolds a node. One that is shown open only because something was found in it is folded again. */
export function toggleFold(context: Context, idx: number): Promise<unknown> | undefined {
  const tab = treeOf(context);
  const card = tab?.cards.get(idx);
  if (!tab || !card || card.children.length === 0) return undefined;
  if (card.collapsed && !isFolded(tab, card)) {
    context.session.hide(card.idx);
    return undefined;
  }
  return fold(
    context,
    (one) => one.idx === idx,
    !card.collapsed,
    card.collapsed ? "step.expand" : "step.collapse",
  );
}

/** A guard, effect or service: what it calls is chosen first, so that the file is never half-written. */
function attach(
  id: string,
  key: string,
  list: "conditions" | "actions",
  at: string,
  make: (name: string) => object,
  makeOf?: (expression: string) => object,
): Command {
  return {
    id,
    group: "tree",
    keys: [key],
    scope: "tree",
    changes: true,
    when: hasFocus,
    run: (context) => {
      const { idx } = focused(context)!;
      const add = (value: object) => void put(context, id, idx, at, value);
      pickItem(context, list, (name) => add(make(name)), makeOf && ((expression) => add(makeOf(expression))));
    },
  };
}

/** What was attached last, and in which text: there Enter goes to it first. */
let attached = { doc: -1, revision: -1, node: -1, list: "" };

async function put(context: Context, id: string, node: number, at: string, value: object): Promise<void> {
  const done = await context.session.edit(
    { key: `step.${id}` },
    () => [{ do: "set", node, at, value: JSON.stringify(value) }],
    () => [node],
  );
  showFields(context);
  if (done) {
    const { doc, revision } = done.tab;
    attached = { doc, revision, node, list: at.slice(0, at.lastIndexOf("/")) };
  }
}

/** Shows the fields of the node, also where an agent stands in their place. */
function showFields({ ui }: Context): void {
  ui.setState({ right: true, beside: "node" });
}

/** The part of the node's fields that one wants: what was just attached to it, else the first of all. */
function fieldsWanted(context: Context): Focus {
  const tab = treeOf(context);
  const { doc, revision, node, list } = attached;
  const isNew = tab?.doc === doc && tab.revision === revision && tab.focus === node;
  return isNew ? `attached:${list}` : "inspector";
}

/** What a node is about; of a check that is the first name in its expression, which the server knows. */
async function mainThing({ session }: Context, tab: Tab, card: Card): Promise<Thing> {
  if (card.kind !== "check") return thingOf(tab, card);
  const info = await session.server.call("node.info", { doc: tab.doc, node: card.idx });
  return thingsOf(tab, card, info)[0]!;
}

/** Gives the selected nodes a colour as a file has it. `merge`: what is chosen in a row is one step. */
export function colour(context: Context, color: number, merge?: string): Promise<unknown> {
  return context.session.edit(
    { key: "step.color" },
    (tab) =>
      chosen(tab).map(({ idx }): Edit => ({ do: "set", node: idx, at: "/color", value: String(color) })),
    (tab) => [...tab.selection],
    merge,
  );
}

export const treeCommands: Command[] = [
  {
    id: "insert",
    group: "tree",
    keys: ["/"],
    scope: "tree",
    changes: true,
    when: (context) => treeOf(context) !== undefined,
    run: (context) => {
      const place = placeAtFocus(context, treeOf(context)!);
      if (place) pickChild(context, place);
      else toast(context.ui, "info", t("picker.full"));
    },
  },
  {
    id: "add-child",
    group: "tree",
    keys: ["A", "Insert"],
    scope: "tree",
    changes: true,
    when: (context) => hasRoom(context, focused(context)),
    run: (context) => {
      const card = focused(context)!;
      pickChild(context, { parent: card.idx, at: card.children.length });
    },
  },
  {
    id: "add-sibling",
    group: "tree",
    keys: ["Shift+A", "Shift+Insert"],
    scope: "tree",
    changes: true,
    when: (context) => hasRoom(context, parentOfFocus(context)),
    run: (context) => {
      const card = focused(context)!;
      pickChild(context, { parent: card.parent!, at: placeOf(treeOf(context)!.cards, card) + 1 });
    },
  },
  {
    id: "wrap",
    group: "tree",
    keys: ["P"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const tab = treeOf(context);
      return tab !== undefined && areInRow(tab.cards, chosen(tab));
    },
    run: (context) => {
      const nodes = chosen(treeOf(context)!);
      const kinds = kindsAround(context.session.state.project!.kinds, nodes.length);
      pickKind(context, "picker.wrap", kinds, (kind, extra) =>
        context.session.edit({ key: "step.wrap", args: { kind } }, () => [
          { do: "wrap", nodes: nodes.map((card) => card.idx), kind, extra },
        ]),
      );
    },
  },
  {
    id: "kind",
    group: "tree",
    keys: ["C"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const card = focused(context);
      return card !== undefined && !isRoot(card);
    },
    run: (context) => {
      const card = focused(context)!;
      pickKind(context, "picker.kind", kindsFor(context.session.state.project!.kinds, card), (kind, extra) =>
        context.session.edit(
          { key: "step.kind", args: { kind } },
          () => [
            { do: "kind", node: card.idx, kind },
            ...Object.entries(extra).map(
              ([key, value]): Edit => ({
                do: "set",
                node: card.idx,
                at: `/extra/${key}`,
                value: JSON.stringify(value),
              }),
            ),
          ],
          () => [card.idx],
        ),
      );
    },
  },
  {
    id: "move-up",
    line: true,
    group: "tree",
    keys: ["Alt+ArrowUp", "Mod+ArrowUp"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const card = focused(context);
      return card !== undefined && placeOf(treeOf(context)!.cards, card) > 0;
    },
    run: (context) => shift(context, -1),
  },
  {
    id: "move-down",
    group: "tree",
    keys: ["Alt+ArrowDown", "Mod+ArrowDown"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const parent = parentOfFocus(context);
      return (
        parent !== undefined &&
        placeOf(treeOf(context)!.cards, focused(context)!) < parent.children.length - 1
      );
    },
    run: (context) => shift(context, 1),
  },
  {
    id: "move-out",
    group: "tree",
    keys: ["Alt+ArrowLeft"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const parent = parentOfFocus(context);
      return hasRoom(context, parent && parentOf(treeOf(context)!.cards, parent));
    },
    run: outdent,
  },
  {
    id: "move-in",
    group: "tree",
    keys: ["Alt+ArrowRight"],
    scope: "tree",
    changes: true,
    when: (context) => before(context) !== undefined,
    run: (context) => {
      const into = before(context)!;
      return context.session.edit(
        { key: "step.move" },
        (tab) => {
          const cards = chosen(tab);
          const fits =
            tab.cards.has(into.idx) && !cards.some((card) => isRoot(card) || card.idx === into.idx);
          return fits ? [{ do: "move", nodes: cards.map((card) => card.idx), parent: into.idx }] : null;
        },
        (tab) => [...tab.selection],
      );
    },
  },
  {
    id: "collapse",
    line: true,
    group: "tree",
    keys: ["Space"],
    scope: "tree",
    changes: true,
    when: (context) => (focused(context)?.children.length ?? 0) > 0,
    run: (context) => toggleFold(context, focused(context)!.idx),
  },
  {
    id: "collapse-all",
    group: "tree",
    keys: ["Shift+Space"],
    scope: "tree",
    changes: true,
    when: (context) => treeOf(context) !== undefined,
    run: (context) => fold(context, (card) => !isRoot(card), true, "step.collapse-all"),
  },
  {
    id: "expand-all",
    group: "tree",
    keys: ["Alt+Space", "*"],
    scope: "tree",
    changes: true,
    when: (context) => [...(treeOf(context)?.cards.values() ?? [])].some((card) => card.collapsed),
    run: (context) => fold(context, () => true, false, "step.expand-all"),
  },
  {
    id: "comment",
    line: true,
    group: "tree",
    keys: ["M"],
    scope: "tree",
    changes: true,
    when: hasFocus,
    run: (context) => {
      showFields(context);
      focusOn(context.ui, "comment");
    },
  },
  {
    id: "content",
    group: "tree",
    keys: ["Enter"],
    scope: "tree",
    when: hasFocus,
    run: (context) => {
      showFields(context);
      focusOn(context.ui, fieldsWanted(context));
    },
  },
  {
    id: "color",
    group: "tree",
    keys: ["K"],
    scope: "tree",
    changes: true,
    when: hasFocus,
    run: ({ ui }) => ui.setState({ dialog: { kind: "color" } }),
  },
  {
    ...attach(
      "add-guard",
      "G",
      "conditions",
      "/extra/guards/-",
      (name) => ({ condition_name: name, condition_args: [] }),
      (expression) => ({ if: expression }),
    ),
    line: true,
  },
  attach("add-effect", "Shift+G", "actions", "/extra/effects/enter/-", (name) => ({
    action_name: name,
    action_args: [],
  })),
  attach("add-service", "S", "actions", "/extra/services/-", (name) => ({
    seconds: 1,
    action_name: name,
    action_args: [],
  })),
  {
    id: "add-event",
    group: "tree",
    keys: ["V"],
    scope: "tree",
    changes: true,
    when: hasFocus,
    run: (context) => {
      const { idx } = focused(context)!;
      pickItem(context, "events", (event) =>
        pickCalled(
          context,
          (tree) => void put(context, "add-event", idx, "/extra/events/-", { event, tree }),
        ),
      );
    },
  },
  {
    id: "rename",
    line: true,
    group: "tree",
    keys: ["F2"],
    scope: "page",
    changes: true,
    when: hasFocus,
    run: async (context) => {
      const tab = treeOf(context)!;
      const card = focused(context)!;
      // In a field it is the name in it.
      const named = document.activeElement?.closest<HTMLElement>("[data-thing]")?.dataset.thing;
      const of = named ? (JSON.parse(named) as Thing) : await mainThing(context, tab, card);
      context.ui.setState({ dialog: { kind: "rename", of, path: tab.path, node: card.idx } });
    },
  },
  {
    id: "usages",
    group: "tree",
    keys: ["Shift+F2", "U"],
    scope: "tree",
    when: hasFocus,
    run: async (context) => {
      const of = await mainThing(context, treeOf(context)!, focused(context)!);
      try {
        const { places, unlisted } = await context.session.server.call("usages", { of });
        const search = { ...context.ui.getState().search, places, unlisted, title: of.name, usages: of };
        context.ui.setState({ bottom: "find", search });
      } catch (error) {
        toast(context.ui, "error", (error as Error).message);
      }
    },
  },
  {
    id: "enter-tree",
    line: true,
    group: "tree",
    keys: ["Mod+Enter", "O"],
    scope: "tree",
    when: (context) => Boolean(focused(context)?.calls),
    run: (context) => context.session.enter(focused(context)!.calls!, focused(context)!.idx),
  },
  {
    id: "leave-tree",
    group: "tree",
    keys: ["Mod+Backspace", "Shift+O"],
    scope: "tree",
    when: ({ session }) => session.state.trail.length > 0,
    run: ({ session }) => session.leave(session.state.trail.length - 1),
  },
  {
    id: "extract",
    group: "tree",
    keys: ["Shift+E"],
    scope: "tree",
    changes: true,
    when: (context) => {
      const card = focused(context);
      return card !== undefined && !isRoot(card);
    },
    run: (context) => {
      const { path } = treeOf(context)!;
      context.ui.setState({ dialog: { kind: "extract", path, node: focused(context)!.idx } });
    },
  },
  {
    id: "inline",
    group: "tree",
    keys: ["Shift+I"],
    scope: "tree",
    changes: true,
    when: (context) => Boolean(focused(context)?.calls),
    run: ({ session }) =>
      session.edit({ key: "step.inline" }, (tab) =>
        tab.focus === null ? null : [{ do: "inline", node: tab.focus }],
      ),
  },
  {
    id: "save-snippet",
    line: true,
    group: "tree",
    keys: ["Shift+S"],
    scope: "tree",
    when: (context) => {
      const tab = treeOf(context);
      return tab !== undefined && isWritable(context) && !chosen(tab).some(isRoot) && tab.selection.size > 0;
    },
    run: (context) => {
      const tab = treeOf(context)!;
      const nodes = chosen(tab).map((card) => card.idx);
      context.ui.setState({ dialog: { kind: "snippet", path: tab.path, nodes } });
    },
  },
  {
    id: "remove-snippet",
    group: "tree",
    keys: ["Mod+Alt+Delete"],
    scope: "tree",
    when: (context) => isWritable(context) && (context.session.state.project?.snippets.length ?? 0) > 0,
    run: pickSnippet,
  },
  {
    id: "renumber",
    line: true,
    group: "tree",
    keys: ["Mod+R"],
    scope: "tree",
    changes: true,
    when: (context) => treeOf(context) !== undefined,
    run: ({ session }) =>
      session.edit(
        { key: "step.renumber" },
        () => [{ do: "renumber" }],
        (tab) => [tab.root],
      ),
  },
  {
    id: "fix",
    group: "tree",
    keys: ["Mod+."],
    scope: "page",
    changes: true,
    when: (context) => treeOf(context)?.findings.some((finding) => finding.fix) ?? false,
    run: (context) => context.ui.setState({ dialog: { kind: "fixes", node: focused(context)?.idx ?? null } }),
  },
];
