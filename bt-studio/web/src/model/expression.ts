// Texts of expressions: what of them the page must know to offer, mark and write them.

import type { ArgumentInfo, CallInfo } from "../net/protocol.ts";
import { isObject, type Json } from "./json.ts";

/** Whether what is typed can only be an expression: it names a key or a property, or compares. */
export function isExpression(text: string): boolean {
  return /(^|[^\p{L}\p{N}_])[$@][\p{L}_'"]|[<>=]|&&|\|\|/u.test(text);
}

/** A name in an expression, with the sign that says of what; a condition has none. */
export interface Named {
  sign: "$" | "@" | "";
  name: string;
}

const NAMES = /([$@])(?:([\p{L}_][\p{L}\p{N}_]*)|'([^']*)'|"([^"]*)")|([\p{L}_][\p{L}\p{N}_]*)(?=\s*\()/gu;

const BUILT_IN = new Set(["min", "max", "abs", "clamp", "round", "floor", "ceil", "len", "has"]);

/** The names in a text, with their places. */
export function namesIn(text: string): (Named & { from: number; to: number })[] {
  const all = [...text.matchAll(NAMES)].map((found) => {
    const [whole, sign = "", plain, single, double, method] = found;
    const name = plain ?? single ?? double ?? method ?? "";
    return { sign: sign as Named["sign"], name, from: found.index, to: found.index + whole.length };
  });
  return all.filter(({ sign, name }) => sign !== "" || !BUILT_IN.has(name));
}

/** The name at a place of the text. */
export function nameAt(text: string, caret: number): Named | undefined {
  return namesIn(text).find(({ from, to }) => from <= caret && caret <= to);
}

/** The name that one types before a place, if one does: behind a sign, or a condition of some letters. */
export function partBefore(text: string, caret: number): (Named & { from: number }) | null {
  // In the middle of a word nothing is typed.
  if (/^[\p{L}\p{N}_(]/u.test(text.slice(caret))) return null;
  const before = text.slice(0, caret);
  const key = /([$@])([\p{L}\p{N}_]*)$/u.exec(before);
  if (key) return { sign: key[1] as Named["sign"], name: key[2]!, from: key.index };
  const method = /(?<![\p{L}\p{N}_$@.'"])[\p{L}_][\p{L}\p{N}_]+$/u.exec(before);
  return method && { sign: "", name: method[0], from: method.index };
}

/** A name that there is, and its type; empty if that is not known. */
export interface Offer extends Named {
  type: string;
}

/** What values are, as far as operators tell them apart. */
export type Family = "number" | "text" | "bool" | "other";

/** The family of a type's values; null of one that may be of any. */
export function familyOf(type: string): Family | null {
  const inner = /^optional<(.+)>$/.exec(type)?.[1];
  if (inner !== undefined) return familyOf(inner);
  if (/^(u?int\d+|float|double)$/.test(type)) return "number";
  if (type === "bool") return "bool";
  if (type === "string") return "text";
  return type === "" || type === "any_value" ? null : "other";
}

const TOKENS =
  /'[^']*'|"[^"]*"|[$@](?:[\p{L}_][\p{L}\p{N}_]*|'[^']*'|"[^"]*")|[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|[<>=!]=|&&|\|\||\?\?|\S/gu;
const OF_NUMBERS = new Set(["<", "<=", ">", ">=", "-", "*", "/", "%"]);
/** Both sides of these are of one type. */
const OF_ALIKE = new Set(["==", "!=", "??", "+", "<", "<=", ">", ">="]);
/** Behind these, and before the others, stands something that is true or false. */
const OPENS_BOOL = new Set([undefined, "(", "&&", "||", "!"]);
const CLOSES_BOOL = new Set(["&&", "||"]);

/**
 * What the value at a place has to be, by the operators around it; null if they do not say. `whole`: what the whole
 * expression has to be, where anything may be compared if that is a bool.
 */
export function wantedAt(
  text: string,
  from: number,
  to: number,
  typeOf: (named: Named) => string,
  whole: Family | null = null,
): Family | null {
  const before = text.slice(0, from).match(TOKENS) ?? [];
  const after = text.slice(to).match(TOKENS) ?? [];
  const last = before.at(-1);
  const next = after[0];
  if (last === "!") return "bool";
  const operand = OF_ALIKE.has(last ?? "") ? familyBefore(before.slice(0, -1), typeOf) : null;
  if (operand) return operand;
  if (OF_NUMBERS.has(last ?? "")) return "number";
  const other = OF_ALIKE.has(next ?? "") ? familyOfToken(after[1] ?? "", after[2], typeOf) : null;
  if (other) return other;
  if (OF_NUMBERS.has(next ?? "")) return "number";
  if (CLOSES_BOOL.has(next ?? "") && OPENS_BOOL.has(last)) return "bool";
  return last === undefined && next === undefined && whole !== "bool" ? whole : null;
}

/** The family of the value that these tokens end with. */
function familyBefore(tokens: readonly string[], typeOf: (named: Named) => string): Family | null {
  const last = tokens.at(-1) ?? "";
  if (last !== ")") return familyOfToken(last, undefined, typeOf);
  // A call: what stands before its parentheses.
  let depth = 0;
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at] === ")") depth++;
    if (tokens[at] === "(") depth--;
    if (depth === 0) return familyOfToken(tokens[at - 1] ?? "", "(", typeOf);
  }
  return null;
}

function familyOfToken(
  token: string,
  next: string | undefined,
  typeOf: (named: Named) => string,
): Family | null {
  if (/^\d/.test(token)) return "number";
  if (/^['"]/.test(token)) return "text";
  if (token === "true" || token === "false") return "bool";
  if (next === "(" && BUILT_IN.has(token)) return token === "has" ? "bool" : "number";
  const [named] = namesIn(next === "(" ? `${token}(` : token);
  return named ? familyOf(typeOf(named)) : null;
}

/** So many names are offered, at most. */
const MOST_OFFERED = 8;

/** The names that go on as one has begun to type, those that fit by their type first; none where one is typed to its end. */
export function offered(
  { sign, name }: Named,
  all: readonly Offer[],
  wanted: Family | null,
): readonly Offer[] {
  const letters = name.toLowerCase();
  const isTyped = (one: Offer) => one.sign === sign && one.name === name;
  if (name !== "" && all.some(isTyped)) return [];
  const worth = (one: Offer) => {
    const family = familyOf(one.type);
    const isOther = family !== null && wanted !== null && family !== wanted;
    return (isOther ? 2 : 0) + (one.name.toLowerCase().startsWith(letters) ? 0 : 1);
  };
  return all
    .filter((one) => one.name.toLowerCase().includes(letters))
    .sort((one, other) => worth(one) - worth(other))
    .slice(0, MOST_OFFERED);
}

/** A name as an expression has it: one that is no word is quoted. */
export function written({ sign, name }: Named): string {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return sign + name;
  return `${sign}'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The value of an argument as an expression gives it. `fallback`: the JSON where none is given. */
export function argumentAsExpression(argument: ArgumentInfo, fallback: string): string {
  if (argument.key) return written({ sign: "$", name: argument.key });
  if (argument.property) return written({ sign: "@", name: argument.property });
  return argument.expression ?? argument.value ?? fallback;
}

/** A call of a condition as an expression has it. */
export function callAsExpression(call: CallInfo): string {
  const given = call.arguments.filter(({ at }) => at !== undefined && at !== null);
  const inOrder = [...given].sort((one, other) => one.at! - other.at!);
  const isByPlace = inOrder.every((argument, place) => call.arguments[place] === argument);
  const texts = inOrder.map((argument) => {
    const value = argumentAsExpression(argument, "null");
    return isByPlace ? value : `${argument.name}: ${value}`;
  });
  return `${call.name}(${texts.join(", ")})`;
}

/** The part of a text that a message about it is of; none where the message names no column. */
export function partOf(text: string, message: string): { from: number; to: number; column: number } | null {
  const found = /(?:line (\d+), )?column (\d+)(?=: )/.exec(message);
  if (!found) return null;
  const line = Number(found[1] ?? 1);
  const column = Number(found[2]);
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const from = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  const part = /^(?:[$@]?[\p{L}\p{N}_]+|'[^']*'?|"[^"]*"?|[^\s\p{L}\p{N}_$@]+|.)?/u.exec(
    text.slice(from),
  )![0];
  return { from, to: from + part.length, column };
}

/** Keys of nodes whose values are expressions by themselves, by the node's kind. */
const BARE = new Map([
  ["switch", "on"],
  ["utility", "scores"],
  ["for_each", "in"],
]);

/** The expressions of a node in the order of its file, each once; keys and properties that it takes are some. */
export function expressionsIn(kind: string, extra: { [key: string]: Json }): string[] {
  const found = new Set<string>();
  const add = (value: Json | undefined) => {
    if (typeof value === "string") found.add(value);
    else if (Array.isArray(value)) for (const one of value) add(one);
    else if (isObject(value)) for (const one of Object.values(value)) add(one);
  };
  const look = (value: Json) => {
    if (Array.isArray(value)) for (const one of value) look(one);
    if (!isObject(value)) return;
    const { arg_type: type, arg_value: given } = value;
    if (type === "expression") add(given);
    else if (type === "blackboard" && typeof given === "string") add(written({ sign: "$", name: given }));
    else if (type === "property" && typeof given === "string") add(written({ sign: "@", name: given }));
    for (const [key, one] of Object.entries(value)) {
      if (key === "if" || key === "set") add(one);
      else look(one);
    }
  };
  add(extra[BARE.get(kind) ?? ""]);
  look(extra);
  return [...found];
}
