// Selected nodes that are alike: what is changed in the one with the focus can be changed in all of them.

import type { ArgumentInfo, CallInfo, Card, Edit, NodeInfo } from "../net/protocol.ts";
import { type ArgumentPlace, itemsIn, readExtra, shownArgument } from "./arguments.ts";
import { isObject, type Json, at as valueAt } from "./json.ts";
import type { Tab } from "./state.ts";

/** So many are changed together, at most: each is a request. */
export const MOST_ALIKE = 200;

/** Another node that changes together with the one with the focus. */
export interface Other {
  node: number;
  info: NodeInfo;
  extra: { [key: string]: Json };
}

export function otherOf(node: number, info: NodeInfo): Other {
  return { node, info, extra: readExtra(info.extra_raw) };
}

/** The other selected nodes of the same kind that call the same. */
export function alike(tab: Tab, card: Card): number[] {
  return [...tab.selection].filter((idx) => {
    const other = tab.cards.get(idx);
    return idx !== card.idx && other?.kind === card.kind && other.title === card.title;
  });
}

/** The same argument of the same call in another node, if it has that. */
export function argumentIn(
  { node, info, extra }: Other,
  call: CallInfo,
  argument: ArgumentInfo,
  place: number,
): ArgumentPlace | undefined {
  const calls = [...(info.call ? [info.call] : []), ...info.attached];
  const same = calls.find((one) => one.at === call.at && one.name === call.name);
  if (!same) return undefined;
  const at = argument.name === "" ? place : same.arguments.findIndex(({ name }) => name === argument.name);
  const found = same.arguments[at];
  return found && { node, call: same, argument: found, place: at, items: itemsIn(extra, same) };
}

/** The other values that an argument has among the nodes, as people read them. */
export function differing(
  others: readonly Other[],
  call: CallInfo,
  argument: ArgumentInfo,
  place: number,
): string[] {
  const own = shownArgument(argument);
  const values = others.map((other) => argumentIn(other, call, argument, place));
  const shown = values.map((found) => (found ? shownArgument(found.argument) : own));
  return [...new Set(shown)].filter((value) => value !== own);
}

/** Edits of a value in the nodes where its pointer means the same as in the one with the focus. */
export function everywhere(
  others: readonly Other[],
  own: Json,
  pointer: string,
  make: (node: number) => Edit,
): Edit[] {
  const isRemoval = make(0).do !== "set";
  const fitting = others.filter(({ extra }) => meansTheSame(own, extra, inExtra(pointer), isRemoval));
  return fitting.map(({ node }) => make(node));
}

function inExtra(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(2)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function meansTheSame(own: Json, other: Json, steps: string[], mustBe: boolean): boolean {
  let here: Json | undefined = own;
  let there: Json | undefined = other;
  for (const [at, one] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (Array.isArray(there)) {
      if (one === "-") return isLast && !mustBe;
      if (Number(one) >= there.length) return false;
      // An argument is the same one by its name.
      if (argumentName(here, one) !== argumentName(there, one)) return false;
    } else if (!isObject(there)) {
      return false;
    }
    const next: Json | undefined = valueAt(there, `/${escaped(one)}`);
    if (next === undefined) return isLast ? !mustBe : at === 0 && !mustBe && isObjectPath(own, steps);
    here = valueAt(here, `/${escaped(one)}`);
    there = next;
  }
  return true;
}

/** Whether a pointer goes through objects alone, which are made where they are missing. */
function isObjectPath(own: Json, steps: string[]): boolean {
  let here: Json | undefined = own;
  for (const one of steps.slice(0, -1)) {
    here = valueAt(here, `/${escaped(one)}`);
    if (here !== undefined && !isObject(here)) return false;
  }
  return true;
}

function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function argumentName(list: Json | undefined, at: string): Json | undefined {
  return valueAt(list, `/${escaped(at)}/arg_name`);
}
