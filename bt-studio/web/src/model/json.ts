// JSON values as they are written: a number that JavaScript would change keeps its text.

export class Exact {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | number | string | Exact | Json[] | { [key: string]: Json };

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads a JSON text. It throws what `JSON.parse` throws. */
export function read(text: string): Json {
  // Not all browsers tell a reviver how a number is written: such numbers travel as marked texts.
  let mark = "#";
  while (text.includes(mark)) mark += "#";
  const marked = text.replace(STRING_OR_NUMBER, (token) => {
    const isChanged = !token.startsWith('"') && String(Number(token)) !== token;
    return isChanged ? `"${mark}${token}"` : token;
  });
  const keep = (_: string, value: unknown): unknown =>
    typeof value === "string" && value.startsWith(mark) ? new Exact(value.slice(mark.length)) : value;
  return JSON.parse(marked, keep) as Json;
}

/** What is typed, as JSON: a word that is none is a text. None of what begins as a number, a list, an object or a text. */
export function asJson(text: string): string | null {
  if (mistakeIn(text) === null) return text;
  return /^\s*([[{"\d-]|$)/.test(text) ? null : JSON.stringify(text.trim());
}

/** Why a text is not JSON; null if it is. */
export function mistakeIn(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

export function write(value: Json | undefined): string {
  if (value === undefined) return "null";
  if (value instanceof Exact) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${write(one)}`);
    return `{${entries.join(", ")}}`;
  }
  return JSON.stringify(value);
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

/** One step of a JSON pointer. */
export function step(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The value at a pointer. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  let now = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(now)) now = now[Number(key)];
    else if (isObject(now)) now = now[key];
    else return undefined;
  }
  return now;
}
