// What it takes to give an argument another value, in one node or in several that are alike.

import type { ArgumentInfo, ArgumentMode, CallInfo, Edit } from "../net/protocol.ts";
import { isObject, type Json, read, step, at as valueAt } from "./json.ts";

/** An argument of a call of a node. */
export interface ArgumentPlace {
  node: number;
  call: CallInfo;
  argument: ArgumentInfo;
  /** Its place among the arguments of the method. */
  place: number;
  /** The list of arguments in the file. */
  items: Json[];
}

const TYPES: Record<ArgumentMode, string> = {
  literal: "plain",
  key: "blackboard",
  property: "property",
  expression: "expression",
};

export function isGiven({ at }: ArgumentInfo): boolean {
  return at !== undefined && at !== null;
}

/** The list of arguments of a call, as the node's `extra` has it. */
export function itemsIn(extra: Json | undefined, call: CallInfo): Json[] {
  const items = valueAt(extra, call.at.replace(/^\/extra/, "") + step(call.args_key));
  return Array.isArray(items) ? items : [];
}

/** Writes a value; an argument that is not given yet gets its place, or its name where others are left out. */
export function put(
  { node, call, argument, place, items }: ArgumentPlace,
  kind: ArgumentMode,
  value: string,
): Edit[] {
  const list = call.at + step(call.args_key);
  const type = JSON.stringify(TYPES[kind]);
  if (isGiven(argument)) {
    const item = list + step(argument.at!);
    const edits: Edit[] = [{ do: "set", node, at: `${item}/arg_value`, value }];
    if (kind !== argument.mode) edits.unshift({ do: "set", node, at: `${item}/arg_type`, value: type });
    return edits;
  }
  const isNext = items.length === place && items.every((item) => !(isObject(item) && "arg_name" in item));
  const named = isNext ? "" : `, "arg_name": ${JSON.stringify(argument.name)}`;
  return [
    { do: "set", node, at: `${list}/-`, value: `{"arg_type": ${type}, "arg_value": ${value}${named}}` },
  ];
}

/** Takes an argument away; those after it that go by their places get names. */
export function reset({ node, call, argument, items }: ArgumentPlace): Edit[] {
  if (!isGiven(argument)) return [];
  const list = call.at + step(call.args_key);
  const at = argument.at!;
  const edits: Edit[] = [];
  for (const other of call.arguments) {
    if (!isGiven(other) || other.at! <= at) continue;
    const item = items[other.at!];
    if (isObject(item) && !("arg_name" in item) && other.name !== "") {
      edits.push({
        do: "set",
        node,
        at: `${list}${step(other.at!)}/arg_name`,
        value: JSON.stringify(other.name),
      });
    }
  }
  return [...edits, { do: "unset", node, at: list + step(at) }];
}

/** The value that an argument has, as people read it; empty if it has none. */
export function shownArgument(argument: ArgumentInfo): string {
  if (argument.mode === "key") return `$${argument.key ?? ""}`;
  if (argument.mode === "expression") return argument.expression ?? "";
  if (argument.mode === "property") return `.${argument.property ?? ""}`;
  return argument.value ?? "";
}

/** The `extra` of a node. */
export function readExtra(raw: string | null | undefined): { [key: string]: Json } {
  try {
    const value = read(raw ?? "{}");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
