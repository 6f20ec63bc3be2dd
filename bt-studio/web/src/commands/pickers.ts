// Lists from which one chooses by typing.

import { t } from "../i18n/index.ts";
import { type Item, type Items, itemsOf } from "../model/catalogue.ts";
import { NAME_KEYS, placeable, requiredOf } from "../model/kinds.ts";
import { below, heading } from "../model/tree.ts";
import { type Choice, focusOn, toast } from "../model/ui.ts";
import type { Edit, KindInfo } from "../net/protocol.ts";
import { type Context, isAvailable, tabOf, treeOf } from "./command.ts";
import { isMac, keysOf, shownKey } from "./keys.ts";

export function pickTree(context: Context): void {
  const { session, ui } = context;
  const open = (path: string) =>
    session.open(path).catch((error: Error) => {
      toast(ui, "error", error.message);
    });
  ui.setState({
    picker: {
      title: t("picker.tree"),
      query: "",
      choices: treeChoices(context),
      pick: ({ id }) => void open(id),
    },
  });
}

function treeChoices({ session }: Context): Choice[] {
  return (session.state.project?.trees ?? []).map((tree) => ({
    id: tree.path,
    name: tree.path,
    detail: [tree.agent, tree.comment].filter(Boolean).join(" · "),
    also: `${tree.agent ?? ""} ${tree.comment}`,
    symbol: "⧉",
    group: "tree",
  }));
}

/** Something that the agent of the tree has. */
export function pickItem(context: Context, list: keyof Items, use: (name: string) => void): void {
  const items = itemsOf(context.session.state.project?.catalogue, treeOf(context)?.agent ?? "")[list];
  context.ui.setState({
    picker: {
      title: t(`picker.${list}`),
      query: "",
      choices: items.map((item) => itemChoice("", "", "", item)).map(({ symbol: _, ...choice }) => choice),
      pick: ({ name }) => use(name),
      free: use,
    },
  });
}

/** A tree, by the name that others call it. */
export function pickCalled(context: Context, use: (name: string) => void): void {
  const trees = context.session.state.project?.trees ?? [];
  context.ui.setState({
    picker: {
      title: t("picker.called"),
      query: "",
      choices: trees.map((tree) => ({
        id: tree.path,
        name: tree.name,
        detail: tree.comment,
        also: tree.agent ?? "",
      })),
      pick: ({ name }) => use(name),
      free: use,
    },
  });
}

/** A node that may be made: of which kind, and what it calls. */
interface Made {
  kind: string;
  name?: string;
}

function kindChoice(kind: KindInfo): Choice {
  return {
    id: JSON.stringify({ kind: kind.name } satisfies Made),
    name: kind.name,
    detail: kind.brief,
    also: `${t(`kind.${kind.name}`, { defaultValue: "" })} ${kind.brief}`,
    symbol: kind.symbol,
    group: kind.group,
  };
}

function itemChoice(kind: string, symbol: string, group: string, item: Item): Choice {
  return {
    id: JSON.stringify({ kind, name: item.name } satisfies Made),
    name: item.name,
    detail: [item.display, item.brief, item.deprecated ? t("inspector.deprecated") : ""]
      .filter(Boolean)
      .join(" · "),
    also: `${item.display} ${item.brief} ${item.category} ${item.agent}`,
    symbol,
    group,
  };
}

/** Everything that can stand below a node: what the agent can do first, then the kinds and the trees. */
export function nodeChoices(context: Context): Choice[] {
  const project = context.session.state.project;
  const tab = treeOf(context);
  if (!project || !tab) return [];
  const items = itemsOf(project.catalogue, tab.agent);
  const symbol = (name: string) => project.kinds.find((kind) => kind.name === name)?.symbol ?? "";
  return [
    ...items.actions.map((item) => itemChoice("action", symbol("action"), "action", item)),
    ...items.conditions.map((item) => itemChoice("condition", symbol("condition"), "condition", item)),
    ...placeable(project.kinds).map(kindChoice),
    ...items.decorators.map((item) => itemChoice("decorator", symbol("decorator"), "decorator", item)),
    ...items.events.map((item) => itemChoice("wait_event", symbol("wait_event"), "event", item)),
    ...project.trees
      .filter((tree) => tree.path !== tab.path)
      .map((tree) => ({
        id: JSON.stringify({ kind: "sub_tree", name: tree.name } satisfies Made),
        name: tree.name,
        detail: tree.comment,
        also: tree.agent ?? "",
        symbol: symbol("sub_tree"),
        group: "tree",
      })),
  ];
}

function insertion(context: Context, made: Made, parent: number, at: number): Edit {
  const kind = context.session.state.project!.kinds.find((one) => one.name === made.kind);
  const extra = kind ? requiredOf(kind, NAME_KEYS) : {};
  return { do: "insert", parent, at, kind: made.kind, name: made.name ?? null, extra };
}

export function pickChild(context: Context, parent: number, at: number, query = ""): void {
  const { session, ui } = context;
  const insert = (made: Made) =>
    session.edit({ key: "step.insert", args: { name: made.name ?? made.kind } }, () => [
      insertion(context, made, parent, at),
    ]);
  ui.setState({
    picker: {
      title: t("picker.child"),
      query,
      choices: nodeChoices(context),
      pick: ({ id }) => {
        void insert(JSON.parse(id) as Made);
        focusOn(ui, ui.getState().focus.part === "outline" ? "outline" : "canvas");
      },
      free: (name) => void insert({ kind: "action", name }),
    },
  });
}

export function pickKind(
  context: Context,
  title: string,
  kinds: KindInfo[],
  use: (kind: string, extra: Record<string, unknown>) => unknown,
): void {
  context.ui.setState({
    picker: {
      title: t(title),
      query: "",
      choices: kinds.map(kindChoice),
      pick: ({ id }) => {
        const { kind } = JSON.parse(id) as Made;
        const info = kinds.find((one) => one.name === kind);
        use(kind, info ? requiredOf(info, NAME_KEYS) : {});
      },
    },
  });
}

/** The palette: commands, nodes of this tree, trees, and what can be inserted. */
export function pickAnything(context: Context): void {
  const { session, ui } = context;
  const mac = isMac(navigator.platform);
  const own = ui.getState().keys;
  const commands = context.commands
    .filter((command) => isAvailable(command, context))
    .map(
      (command): Choice => ({
        id: `command:${command.id}`,
        name: t(`command.${command.id}`),
        detail: t(`group.${command.group}`),
        also: command.id,
        keys: keysOf(command, own)[0] ? shownKey(keysOf(command, own)[0]!, mac) : "",
      }),
    );
  const tab = tabOf(context);
  const nodes = tab?.isTree
    ? below(tab.cards, tab.root).map(
        (card): Choice => ({
          id: `node:${card.idx}`,
          name: heading(card),
          detail: `#${card.idx}${card.comment ? ` · ${card.comment}` : ""}`,
          also: `#${card.idx} ${card.kind} ${card.comment} ${card.attached.map(({ what }) => what).join(" ")}`,
          symbol: card.symbol,
          group: card.group,
        }),
      )
    : [];
  const trees = treeChoices(context).map((choice) => ({ ...choice, id: `tree:${choice.id}` }));
  const items = tab?.isTree
    ? nodeChoices(context).map((choice) => ({
        ...choice,
        id: `insert:${choice.id}`,
        detail: `${t("picker.insert")} · ${choice.detail}`,
      }))
    : [];
  ui.setState({
    picker: {
      title: t("picker.anything"),
      query: "",
      choices: [...commands, ...trees, ...nodes, ...items],
      pick: ({ id }) => {
        const [kind, rest] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
        if (kind === "command") {
          const command = context.commands.find((one) => one.id === rest);
          if (command) void command.run(context);
        } else if (kind === "tree") {
          session.open(rest).catch((error: Error) => toast(ui, "error", error.message));
        } else if (kind === "node") {
          session.select([Number(rest)]);
          focusOn(ui, "canvas");
        } else {
          insertAtFocus(context, JSON.parse(rest) as Made);
        }
      },
    },
  });
}

/** Below the focused node, or after it if it takes no children. */
function insertAtFocus(context: Context, made: Made): void {
  void context.session.edit({ key: "step.insert", args: { name: made.name ?? made.kind } }, (tab) => {
    const card = tab.cards.get(tab.focus ?? tab.root);
    if (!card) return null;
    const kind = context.session.state.project!.kinds.find((one) => one.name === card.kind);
    const isFull = kind?.leaf || card.children.length >= (kind?.max_children ?? Number.POSITIVE_INFINITY);
    if (!isFull) return [insertion(context, made, card.idx, card.children.length)];
    const parent = card.parent === null || card.parent === undefined ? undefined : tab.cards.get(card.parent);
    return parent ? [insertion(context, made, parent.idx, parent.children.indexOf(card.idx) + 1)] : null;
  });
}
