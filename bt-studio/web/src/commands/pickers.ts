// Lists from which one chooses by typing.

import { t } from "../i18n/index.ts";
import { headingOf, kindDoes, kindName, kindWords, titleOf } from "../i18n/kinds.ts";
import { type Item, type Items, itemsOf } from "../model/catalogue.ts";
import { isExpression } from "../model/expression.ts";
import { rank } from "../model/fuzzy.ts";
import { NAME_KEYS, placeable, requiredOf, roomIn } from "../model/kinds.ts";
import type { Tab } from "../model/state.ts";
import { below, parentOf, placeOf } from "../model/tree.ts";
import { type Choice, focusOn, toast } from "../model/ui.ts";
import type { Edit, KindInfo } from "../net/protocol.ts";
import { type Context, isAvailable, kindsIn, tabOf, treeOf } from "./command.ts";
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
    section: t("side.trees"),
    symbol: "⧉",
    group: "tree",
  }));
}

/** Something that the agent of the tree has. */
export function pickItem(
  context: Context,
  list: keyof Items,
  use: (name: string) => void,
  takeExpression?: (text: string) => void,
): void {
  const items = itemsOf(context.session.state.project?.catalogue, treeOf(context)?.agent ?? "")[list];
  const choices = byCategory(
    items.map((item) => itemChoice("", "", "", item)).map(({ symbol: _, ...choice }) => choice),
  );
  context.ui.setState({
    picker: {
      title: t(`picker.${list}`),
      query: "",
      choices: [...(takeExpression ? [expressionChoice()] : []), ...choices],
      ...(takeExpression && { made: expressionIn }),
      pick: (choice) => {
        if (choice.id === TO_TYPE) typeExpression(context, takeExpression!);
        else if (choice.id === TYPED) takeExpression?.(choice.name);
        else use(choice.name);
      },
      free: use,
    },
  });
}

/** Ids that no method has. */
const TO_TYPE = "to type an expression";
const TYPED = "a typed expression";

/** The choice after which an expression is typed. */
function expressionChoice(): Choice {
  return {
    id: TO_TYPE,
    name: t("picker.expression"),
    detail: t("inspector.expression-hint", { example: t("inspector.expression-example") }),
    also: "expression",
  };
}

/** What is typed, if it is an expression. */
function expressionIn(text: string): Choice | undefined {
  return isExpression(text) ? typedChoice(text) : undefined;
}

function typedChoice(text: string): Choice {
  return { id: TYPED, name: text, detail: t("picker.expression"), also: "" };
}

/** An expression, whatever is typed. */
function typeExpression(context: Context, use: (text: string) => void): void {
  context.ui.setState({
    picker: {
      title: t("picker.expression-title"),
      query: "",
      choices: [],
      made: typedChoice,
      pick: ({ name }) => use(name),
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

/** A node that may be made: of which kind, and what it calls; or nodes that are kept as a snippet. */
interface MadeNode {
  kind: string;
  name?: string;
  /** What a `check` evaluates. */
  expression?: string;
}

export type Made = MadeNode | { snippet: string };

/** Where new nodes come. */
interface Place {
  parent: number;
  at: number;
}

/** Below the focused node, or behind it if it takes no more; null if neither does. */
export function placeAtFocus(context: Context, tab: Tab): Place | null {
  const kinds = kindsIn(context);
  const card = tab.cards.get(tab.focus ?? tab.root);
  if (!card) return null;
  if (roomIn(kinds, card) > 0) return { parent: card.idx, at: card.children.length };
  const parent = parentOf(tab.cards, card);
  if (!parent || roomIn(kinds, parent) <= 0) return null;
  return { parent: parent.idx, at: placeOf(tab.cards, card) + 1 };
}

function kindChoice(kind: KindInfo): Choice {
  return {
    id: JSON.stringify({ kind: kind.name } satisfies MadeNode),
    name: kindName(kind.name),
    ...(kindName(kind.name).toLowerCase() !== kind.name && { code: kind.name }),
    detail: kindDoes(kind),
    also: `${kind.brief} ${kindDoes(kind)} ${t(`part.${kind.group}`)}`,
    words: kindWords(kind.name),
    section: t(`part.${kind.group}`),
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
    words: item.display ? [item.display] : [],
    section: [t(`part.${kind}`, { defaultValue: "" }), item.category].filter(Boolean).join(" · "),
    symbol,
    group,
  };
}

/** What agents have, category by category: first those of which the agent itself has something. */
function byCategory(choices: Choice[]): Choice[] {
  const sections = [...new Set(choices.map(({ section }) => section))];
  return sections.flatMap((section) => choices.filter((choice) => choice.section === section));
}

/** Kinds that do nothing without a name, which actions, conditions, events and trees bring with them. */
const BARE = new Set(["action", "condition", "wait_event", "sub_tree", "decorator", "composite"]);

/** Everything that can stand below a node. `isShaping`: composites and decorators come first, else what the agent can do. */
export function nodeChoices(context: Context, isShaping = false): Choice[] {
  const project = context.session.state.project;
  const tab = treeOf(context);
  if (!project || !tab) return [];
  const items = itemsOf(project.catalogue, tab.agent);
  const symbol = (name: string) => project.kinds.find((kind) => kind.name === name)?.symbol ?? "";
  const kinds = placeable(project.kinds);
  const own = kinds.filter(({ name }) => !BARE.has(name));
  const parts = (groups: readonly string[]) =>
    groups.flatMap((group) => own.filter((kind) => kind.group === group).map(kindChoice));
  const shapes = parts(["composite", "decorator"]);
  const calls = [
    ...byCategory(items.actions.map((item) => itemChoice("action", symbol("action"), "action", item))),
    ...byCategory(
      items.conditions.map((item) => itemChoice("condition", symbol("condition"), "condition", item)),
    ),
  ];
  const rest = own.filter(({ group }) => group !== "composite" && group !== "decorator");
  return [
    ...(isShaping ? [...shapes, ...calls] : [...calls, ...shapes]),
    ...items.decorators.map((item) => itemChoice("decorator", symbol("decorator"), "decorator", item)),
    ...items.composites.map((item) => itemChoice("composite", symbol("composite"), "composite", item)),
    ...items.events.map((item) => itemChoice("wait_event", symbol("wait_event"), "event", item)),
    ...project.trees
      .filter((tree) => tree.path !== tab.path)
      .map((tree) => ({
        id: JSON.stringify({ kind: "sub_tree", name: tree.name } satisfies Made),
        name: tree.name,
        detail: tree.comment,
        also: tree.agent ?? "",
        section: t("part.tree"),
        symbol: symbol("sub_tree"),
        group: "tree",
      })),
    ...snippetChoices(context),
    ...rest.map(kindChoice),
    ...kinds
      .filter(({ name }) => BARE.has(name))
      .map((kind) => ({ ...kindChoice(kind), section: t("part.bare") })),
  ];
}

/** Those that fit what is typed; an expression comes first as a node that evaluates it. */
export function nodesFor(context: Context, typed: string, choices: Choice[]): Choice[] {
  const made = checkOf(context, typed);
  return [...(made ? [made] : []), ...rank(typed, choices, choices.length)];
}

/** The node that evaluates what is typed, if that is an expression. */
function checkOf({ session }: Context, typed: string): Choice | undefined {
  const check = session.state.project?.kinds.find(({ name }) => name === "check");
  if (!check || !isExpression(typed)) return undefined;
  const id = JSON.stringify({ kind: check.name, expression: typed } satisfies MadeNode);
  return { ...kindChoice(check), id, name: typed };
}

function snippetChoices({ session }: Context): Choice[] {
  return (session.state.project?.snippets ?? []).map(({ name, nodes }) => ({
    id: JSON.stringify({ snippet: name } satisfies Made),
    name,
    detail: t("picker.snippet", { count: nodes }),
    also: "",
    section: t("part.snippet"),
    symbol: "❏",
    group: "tree",
  }));
}

/** Chooses a snippet that is removed. */
export function pickSnippet(context: Context): void {
  const { session, ui } = context;
  ui.setState({
    picker: {
      title: t("picker.remove-snippet"),
      query: "",
      choices: snippetChoices(context),
      pick: ({ name }) =>
        void session.server
          .call("snippet.remove", { name })
          .then(() => toast(ui, "info", t("snippet.removed", { name })))
          .catch((error: Error) => toast(ui, "error", error.message)),
    },
  });
}

function insertion(context: Context, made: Made, { parent, at }: Place): Edit {
  const snippets = context.session.state.project?.snippets ?? [];
  if ("snippet" in made) {
    const text = snippets.find(({ name }) => name === made.snippet)?.text ?? "";
    return { do: "paste", parent, at, text };
  }
  const kind = context.session.state.project!.kinds.find((one) => one.name === made.kind);
  const extra = {
    ...(kind && requiredOf(kind, NAME_KEYS)),
    ...(made.expression !== undefined && { if: made.expression }),
  };
  return { do: "insert", parent, at, kind: made.kind, name: made.name ?? null, extra };
}

function nameOf(made: Made): string {
  return "snippet" in made ? made.snippet : (made.name ?? made.expression ?? made.kind);
}

/** Makes a node in a place. */
export function insertAt(context: Context, made: Made, place: Place): Promise<unknown> {
  return context.session.edit({ key: "step.insert", args: { name: nameOf(made) } }, () => [
    insertion(context, made, place),
  ]);
}

/** Chooses what is put in a place. */
export function pickChild(context: Context, place: Place): void {
  const { ui } = context;
  const insert = (made: Made) => insertAt(context, made, place);
  const tab = treeOf(context);
  const parent = tab?.cards.get(place.parent);
  const behind = tab?.cards.get(parent?.children[place.at - 1] ?? -1);
  const title =
    parent && behind
      ? t("picker.behind", { name: titleOf(parent), sibling: titleOf(behind) })
      : t("picker.below", { name: parent ? titleOf(parent) : "" });
  ui.setState({
    picker: {
      title,
      query: "",
      // A parent without children gets a form first.
      choices: nodeChoices(context, parent?.children.length === 0),
      pick: ({ id }) => {
        void insert(JSON.parse(id) as Made);
        focusOn(ui, ui.getState().focus.part === "outline" ? "outline" : "canvas");
      },
      made: (typed) => checkOf(context, typed),
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
        const { kind } = JSON.parse(id) as MadeNode;
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
        also: `${command.id} ${t(`also.${command.id}`, { defaultValue: "" })}`,
        section: t(`group.${command.group}`),
        keys: keysOf(command, own)[0] ? shownKey(keysOf(command, own)[0]!, mac) : "",
      }),
    );
  const tab = tabOf(context);
  const nodes = tab?.isTree
    ? below(tab.cards, tab.root).map(
        (card): Choice => ({
          id: `node:${card.idx}`,
          name: headingOf(card),
          detail: `#${card.idx}${card.comment ? ` · ${card.comment}` : ""}`,
          also: `#${card.idx} ${card.kind} ${card.comment} ${card.attached.map(({ what }) => what).join(" ")}`,
          symbol: card.symbol,
          group: card.group,
          section: t("side.outline"),
        }),
      )
    : [];
  const trees = treeChoices(context).map((choice) => ({ ...choice, id: `tree:${choice.id}` }));
  const items = tab?.isTree
    ? nodeChoices(context).map((choice) => ({
        ...choice,
        id: `insert:${choice.id}`,
        detail: `${t("picker.insert")} · ${choice.detail}`,
        section: t("picker.insert"),
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

/** Makes a node below the focused one, or behind it. */
export function insertAtFocus(context: Context, made: Made): void {
  void context.session.edit({ key: "step.insert", args: { name: nameOf(made) } }, (tab) => {
    const place = placeAtFocus(context, tab);
    return place && [insertion(context, made, place)];
  });
}
