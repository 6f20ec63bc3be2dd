// What the kinds of nodes allow, from the server's table of them.

import type { Card, KindInfo } from "../net/protocol.ts";
import { below, type Cards, isAbove, parentOf } from "./tree.ts";

export type Kinds = ReadonlyMap<string, KindInfo>;

const maps = new WeakMap<readonly KindInfo[], Kinds>();

export function kindsOf(list: readonly KindInfo[]): Kinds {
  let kinds = maps.get(list);
  if (!kinds) {
    kinds = new Map(list.map((kind) => [kind.name, kind]));
    maps.set(list, kinds);
  }
  return kinds;
}

/** How many more children a node may have. A kind that nobody knows has no limit. */
export function roomIn(kinds: Kinds, card: Card): number {
  const kind = kinds.get(card.kind);
  if (!kind) return Number.POSITIVE_INFINITY;
  if (kind.leaf) return 0;
  return (kind.max_children ?? Number.POSITIVE_INFINITY) - card.children.length;
}

export function isRoot(card: Card): boolean {
  return card.parent === null || card.parent === undefined;
}

/** The kinds that a node can have below others: all but the root's. */
export function placeable(list: readonly KindInfo[]): KindInfo[] {
  return list.filter((kind) => kind.group !== "root");
}

/** The kinds that a node can become with the children that it has. */
export function kindsFor(list: readonly KindInfo[], card: Card): KindInfo[] {
  const count = card.children.length;
  return placeable(list).filter((kind) => {
    if (kind.name === card.kind) return false;
    if (kind.leaf) return count === 0;
    return kind.max_children === null || kind.max_children === undefined || count <= kind.max_children;
  });
}

/** The kinds that can hold this many nodes. */
export function kindsAround(list: readonly KindInfo[], count: number): KindInfo[] {
  return placeable(list).filter(
    (kind) =>
      !kind.leaf &&
      (kind.max_children === null || kind.max_children === undefined || count <= kind.max_children),
  );
}

/** Whether these nodes may become children of that one. */
export function canMove(kinds: Kinds, cards: Cards, nodes: readonly Card[], parent: Card): boolean {
  const arriving = nodes.filter((node) => node.parent !== parent.idx).length;
  return (
    nodes.length > 0 &&
    nodes.every((node) => !isRoot(node) && !isAbove(cards, node.idx, parent.idx)) &&
    arriving <= roomIn(kinds, parent)
  );
}

/** Whether nodes are siblings that stand next to each other. */
export function areInRow(cards: Cards, nodes: readonly Card[]): boolean {
  const parent = nodes[0] && parentOf(cards, nodes[0]);
  if (!parent) return false;
  const places = nodes.map((node) => parent.children.indexOf(node.idx)).sort((one, other) => one - other);
  return places.every((place, at) => place >= 0 && place === places[0]! + at);
}

/** Whether a node can be taken away while its children take its place. */
export function canDissolve(kinds: Kinds, cards: Cards, card: Card): boolean {
  const parent = parentOf(cards, card);
  return parent !== undefined && card.children.length - 1 <= roomIn(kinds, parent);
}

interface Schema {
  required?: string[];
  properties?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
  const?: unknown;
}

/** What a new node's `extra` must have: the required keys of its kind, but those that name what it calls. */
export function requiredOf(kind: KindInfo, named: readonly string[]): Record<string, unknown> {
  const schema = kind.schema as Schema;
  const extra: Record<string, unknown> = {};
  for (const key of schema.required ?? []) {
    if (!named.includes(key)) extra[key] = plainValue(schema.properties?.[key] ?? {});
  }
  return extra;
}

/** A plain value that a schema takes. */
export function plainValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const either = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (either && schema.type === undefined) return plainValue(either);
  switch (schema.type) {
    case "number":
    case "integer":
      return Math.max(
        schema.minimum ?? 1,
        schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1,
      );
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "";
  }
}

/** The keys by which the kinds name what they call. */
export const NAME_KEYS = ["action_name", "decorator_name", "composite_name", "event", "sub_tree_name"];

export function countBelow(cards: Cards, nodes: readonly Card[]): number {
  return nodes.reduce((sum, node) => sum + below(cards, node.idx).length, 0);
}
