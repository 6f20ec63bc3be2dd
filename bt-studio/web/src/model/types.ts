// The types that a key of the blackboard can have, for drop-downs and forms.

import { has, t } from "../i18n/index.ts";
import type { Family } from "./expression.ts";
import type { Json } from "./json.ts";
import { choicesOf, type Schema } from "./schema.ts";

/** Those that a person needs most, then the others. */
const PLAIN = ["bool", "int32", "double", "string", "uint64", "any_value"];
const OTHERS = ["int8", "int16", "int64", "uint8", "uint16", "uint32", "float"];

/** What to choose from: `used` are types that keys of the tree have. */
export function typeNames(used: readonly string[] = []): string[] {
  const lists = PLAIN.map((type) => `array<${type}>`);
  const maybe = PLAIN.slice(0, 5).map((type) => `optional<${type}>`);
  return [...new Set([...PLAIN, ...lists, ...maybe, "map<any_value>", ...OTHERS, ...used.filter(isType)])];
}

/** Whether a text is the name of a type. */
export function isType(name: string): boolean {
  const inner = /^(?:array|optional|map)<(.+)>$/.exec(name)?.[1];
  return inner !== undefined ? isType(inner) : PLAIN.includes(name) || OTHERS.includes(name);
}

/** A type as a person says it. */
export function typeName(type: string): string {
  const [, outer, inner] = /^(array|optional|map)<(.+)>$/.exec(type) ?? [];
  if (outer && inner) return t(`type.${outer}`, { of: typeName(inner) });
  return has(`type.${type}`) ? t(`type.${type}`) : type;
}

/** The same with the file's spelling on a line of its own. */
export function typeTip(type: string): string {
  const name = typeName(type);
  return name === type ? type : `${name}\n${type}`;
}

const WHOLE: Record<string, [number, number] | undefined> = {
  int8: [-128, 127],
  int16: [-32768, 32767],
  int32: [-2147483648, 2147483647],
  uint8: [0, 255],
  uint16: [0, 65535],
  uint32: [0, 4294967295],
};

/** The schema of the values of a type. */
export function schemaOfType(type: string): Schema {
  const [, outer, inner] = /^(array|optional|map)<(.+)>$/.exec(type) ?? [];
  if (outer === "array" && inner) return { type: "array", items: schemaOfType(inner) };
  if (outer === "map" && inner) return { type: "object", additionalProperties: schemaOfType(inner) };
  if (type === "bool") return { type: "boolean" };
  if (type === "string") return { type: "string" };
  if (type === "float" || type === "double") return { type: "number" };
  if (type === "uint64") return { type: "integer", minimum: 0 };
  if (type === "int64") return { type: "integer" };
  const range = WHOLE[type];
  return range ? { type: "integer", minimum: range[0], maximum: range[1] } : {};
}

/** The type of a key that holds what an argument takes; `choices`: its only values. */
export function typeOfArgument(type: string, schema: Schema, choices?: readonly Json[] | null): string {
  if (isType(type)) return type;
  const all = choices ?? choicesOf(schema);
  const are = (is: (value: Json) => boolean) => all !== null && all.length > 0 && all.every(is);
  if (are((value) => typeof value === "string") || schema.type === "string") return "string";
  if (are((value) => typeof value === "boolean") || schema.type === "boolean") return "bool";
  if (are((value) => Number.isInteger(value))) return "int32";
  return "any_value";
}

/** The type of a key whose values an expression takes for such ones. */
export function keyTypeOf(family: Family | null): string {
  if (family === "number") return "double";
  if (family === "text") return "string";
  return family === "bool" ? "bool" : "any_value";
}
