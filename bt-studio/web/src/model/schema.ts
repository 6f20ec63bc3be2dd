// What of a JSON Schema a form needs.

import type { Json } from "./json.ts";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  title?: string;
  enum?: Json[];
  const?: Json;
  default?: Json;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Defs = Record<string, Schema>;

export function defsOf(catalogue: unknown): Defs {
  return (catalogue as { $defs?: Defs } | null)?.$defs ?? {};
}

const MOST_STEPS = 20;

/** The schema that a reference leads to, with what stands beside the reference. */
export function resolve(schema: Schema | boolean | null | undefined, defs: Defs): Schema {
  // Of an argument that no method has, nothing is known.
  let now: Schema = typeof schema === "object" && schema !== null ? schema : {};
  for (let steps = 0; now.$ref !== undefined && steps < MOST_STEPS; steps++) {
    const { $ref, ...rest } = now;
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    now = { ...(defs[name] ?? {}), ...rest };
  }
  if (now.allOf) {
    const { allOf, ...rest } = now;
    now = allOf.reduce<Schema>((all, one) => joined(all, resolve(one, defs)), rest);
  }
  return now;
}

function joined(one: Schema, other: Schema): Schema {
  return {
    ...other,
    ...one,
    properties: { ...other.properties, ...one.properties },
    required: [...(other.required ?? []), ...(one.required ?? [])],
  };
}

/** The name of the definition that a schema refers to. */
export function nameOf(schema: Schema | boolean | undefined): string {
  const ref = typeof schema === "object" ? schema.$ref : undefined;
  return ref ? ref.slice(ref.lastIndexOf("/") + 1) : "";
}

/** Of a number that a node may also read while it runs: the schema of the number itself. */
export function literalOf(schema: Schema): Schema | undefined {
  const { anyOf, ...rest } = schema;
  if (anyOf?.length !== 2 || nameOf(anyOf[1]) !== "node.argument") return undefined;
  return { ...rest, ...anyOf[0] };
}

export type Form = "bool" | "number" | "integer" | "text" | "choice" | "list" | "struct" | "map" | "json";

/** The only values that it takes, if they are few and plain. */
export function choicesOf(schema: Schema): Json[] | null {
  if (schema.enum) return schema.enum;
  const either = schema.oneOf ?? schema.anyOf;
  if (either && either.length > 0 && either.every((one) => one.const !== undefined)) {
    return either.map((one) => one.const!);
  }
  return null;
}

/** What the schema says of one of these values. */
export function choiceDoes(schema: Schema, value: Json): string {
  const either = schema.oneOf ?? schema.anyOf ?? [];
  return either.find((one) => one.const === value)?.description ?? "";
}

/** In which form a value is edited. What has no form of its own is edited as JSON. */
export function formOf(schema: Schema): Form {
  if (choicesOf(schema)) return "choice";
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== "null") : [schema.type];
  if (Array.isArray(schema.type) && (types.length !== 1 || schema.type.includes("null"))) return "json";
  switch (types[0]) {
    case "boolean":
      return "bool";
    case "number":
      return "number";
    case "integer":
      return "integer";
    case "string":
      return "text";
    case "array":
      return schema.items && schema.items !== true ? "list" : "json";
    case "object":
      if (schema.properties && Object.keys(schema.properties).length > 0) return "struct";
      return typeof schema.additionalProperties === "object" ? "map" : "json";
    default:
      return "json";
  }
}

/** The bounds of a number; null where there is none. */
export function boundsOf(schema: Schema): { min: number | null; max: number | null; above: boolean } {
  return {
    min: schema.minimum ?? schema.exclusiveMinimum ?? null,
    max: schema.maximum ?? schema.exclusiveMaximum ?? null,
    above: schema.minimum === undefined && schema.exclusiveMinimum !== undefined,
  };
}

/** A value to begin with. */
export function firstValue(schema: Schema | boolean | undefined, defs: Defs): Json {
  const resolved = resolve(schema, defs);
  const known = literalOf(resolved) ?? resolved;
  if (known.default !== undefined) return known.default;
  const choices = choicesOf(known);
  if (choices) return choices[0] ?? null;
  switch (formOf(known)) {
    case "bool":
      return false;
    case "number":
    case "integer": {
      const { min, above } = boundsOf(known);
      return min === null ? 0 : above ? min + 1 : min;
    }
    case "text":
      return "";
    case "list":
      return [];
    case "struct": {
      const value: Record<string, Json> = {};
      for (const key of known.required ?? []) value[key] = firstValue(known.properties?.[key], defs);
      return value;
    }
    case "map":
      return {};
    default:
      return known.type === "array" ? [] : known.type === "object" ? {} : known.type === "string" ? "" : null;
  }
}
