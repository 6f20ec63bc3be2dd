// From keys to commands.

import type { Command, Scope } from "./command.ts";

/** The least that is read of a keyboard event. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export function isMac(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** The names that a press goes by, such as `Mod+Shift+S`. A sign that needs Shift, as `?`, goes by itself, too. */
export function namesOf(press: KeyPress, mac: boolean): string[] {
  const mod = mac ? press.metaKey : press.ctrlKey;
  if (mac ? press.ctrlKey : press.metaKey) return [];
  let key = press.key === " " ? "Space" : press.key;
  const letter = /^Key([A-Z])$/.exec(press.code)?.[1];
  const digit = /^Digit([0-9])$/.exec(press.code)?.[1];
  // With Alt, and in scripts that are not Latin, the key's place says which letter it is.
  const byPlace = letter ?? digit;
  if (byPlace && (press.altKey || (mod && !/^[a-z0-9]$/i.test(key)))) key = byPlace;
  if (letter && !/^[\u0020-\u007e]$/.test(key) && key.length === 1) key = letter;
  if (/^[a-z]$/.test(key)) key = key.toUpperCase();
  const prefix = `${mod ? "Mod+" : ""}${press.altKey ? "Alt+" : ""}`;
  const names = [`${prefix}${press.shiftKey ? "Shift+" : ""}${key}`];
  const isSign = key.length === 1 && !/[A-Z0-9 ]/.test(key);
  if (press.shiftKey && isSign) names.push(prefix + key);
  return names;
}

/** The keys of a command: a person's own, or those of the table. */
export function keysOf(command: Command, own: Readonly<Record<string, string[]>>): string[] {
  return own[command.id] ?? command.keys;
}

/** Which command a press means in a part of the page. */
export function commandFor(
  names: readonly string[],
  part: Scope,
  commands: readonly Command[],
  own: Readonly<Record<string, string[]>>,
): Command | undefined {
  const name = new Set(names);
  return commands.find(
    (command) =>
      (command.scope === part || command.scope === "page") &&
      keysOf(command, own).some((key) => name.has(key)),
  );
}

const SIGNS: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Delete: "Del",
  Insert: "Ins",
};

/** Keys as people read them. */
export function shownKey(key: string, mac: boolean): string {
  const parts =
    key.endsWith("+") && key !== "+"
      ? [...key.slice(0, -2).split("+"), "+"]
      : key === "+"
        ? ["+"]
        : key.split("+");
  const shown = parts.filter(Boolean).map((part) => {
    if (part === "Mod") return mac ? "⌘" : "Ctrl";
    if (part === "Alt") return mac ? "⌥" : "Alt";
    if (part === "Shift") return mac ? "⇧" : "Shift";
    return SIGNS[part] ?? part;
  });
  return shown.join(mac ? "" : "+");
}
