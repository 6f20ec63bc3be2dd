import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.ts";
import { commandFor, namesOf, shownKey } from "../../src/commands/keys.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { en } from "../../src/i18n/en.ts";
import { zh } from "../../src/i18n/zh.ts";

function press(key: string, code: string, modifiers = "") {
  return {
    key,
    code,
    ctrlKey: modifiers.includes("c"),
    metaKey: modifiers.includes("m"),
    altKey: modifiers.includes("a"),
    shiftKey: modifiers.includes("s"),
  };
}

describe("keys", () => {
  it("have one name, whatever the letter's case and the keyboard", () => {
    expect(namesOf(press("Z", "KeyZ", "cs"), false)).toEqual(["Mod+Shift+Z"]);
    expect(namesOf(press("z", "KeyY", "c"), false)).toEqual(["Mod+Z"]);
    expect(namesOf(press("я", "KeyZ", "c"), false)).toEqual(["Mod+Z"]);
    expect(namesOf(press(" ", "Space"), false)).toEqual(["Space"]);
    expect(namesOf(press("?", "Slash", "s"), false)).toEqual(["Shift+?", "?"]);
    expect(namesOf(press("z", "KeyZ", "m"), true)).toEqual(["Mod+Z"]);
    expect(namesOf(press("z", "KeyZ", "c"), true)).toEqual([]);
  });

  it("mean a command of the tree only while the tree has the focus", () => {
    expect(commandFor(["A"], "tree", COMMANDS, {})?.id).toBe("add-child");
    expect(commandFor(["A"], "page", COMMANDS, {})).toBeUndefined();
    expect(commandFor(["Mod+S"], "page", COMMANDS, {})?.id).toBe("save");
    expect(commandFor(["Q"], "tree", COMMANDS, { "add-child": ["Q"] })?.id).toBe("add-child");
    expect(commandFor(["A"], "tree", COMMANDS, { "add-child": ["Q"] })).toBeUndefined();
  });

  it("are shown as people know them", () => {
    expect(shownKey("Mod+Shift+Z", false)).toBe("Ctrl+Shift+Z");
    expect(shownKey("Mod+Shift+Z", true)).toBe("⌘⇧Z");
    expect(shownKey("+", false)).toBe("+");
    expect(shownKey("Alt+ArrowUp", false)).toBe("Alt+↑");
  });
});

describe("the table of commands", () => {
  it("gives every command keys that no other has, and a text in both languages", () => {
    const taken = new Map<string, Command>();
    // Parts of the page have keys of their own; the page's own count in all of them.
    const areApart = (one: Command, other: Command) =>
      one.scope !== other.scope && one.scope !== "page" && other.scope !== "page";
    for (const command of COMMANDS) {
      expect(command.keys.length, command.id).toBeGreaterThan(0);
      for (const key of command.keys) {
        const other = taken.get(key);
        expect(other && !areApart(other, command) ? other.id : "", `${key} of ${command.id}`).toBe("");
        taken.set(key, command);
      }
      expect(en[`command.${command.id}` as keyof typeof en], command.id).toBeTruthy();
      expect(zh[`command.${command.id}` as keyof typeof en], command.id).toBeTruthy();
    }
  });

  it("uses no keys alone that browsers keep", () => {
    const kept = ["Mod+N", "Mod+T", "Mod+W"];
    for (const command of COMMANDS) {
      for (const key of command.keys) expect(kept).not.toContain(key);
    }
  });

  it("names gaps alike in both languages", () => {
    const gaps = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1]).sort();
    for (const key of Object.keys(en) as (keyof typeof en)[])
      expect(gaps(zh[key]), key).toEqual(gaps(en[key]));
  });
});
