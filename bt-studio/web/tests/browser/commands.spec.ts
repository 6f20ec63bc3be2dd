// Every command that changes a tree, by keyboard and by mouse, with undo and redo to the same bytes.

import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS, commandOf } from "../../src/commands/table.ts";
import { en } from "../../src/i18n/en.ts";
import { closeBrowser, goTo, open, press, type Studio, save, start } from "./studio.ts";

interface Case {
  id: string;
  /** The node that it is done to. */
  node: number;
  before?: (studio: Studio) => Promise<void>;
  /** What follows: a choice, a text. */
  then?: (studio: Studio, byMouse: boolean) => Promise<void>;
  tree?: string;
}

/** Chooses from a list. */
function pick(text: string) {
  return async ({ page }: Studio, byMouse: boolean) => {
    await page.waitForSelector(".picker");
    await page.keyboard.type(text);
    if (byMouse) await page.locator(".picker [role=option]").first().click();
    else await page.keyboard.press("Enter");
  };
}

const CASES: Case[] = [
  { id: "cut", node: 17 },
  {
    id: "paste",
    node: 1,
    before: async (studio) => {
      await goTo(studio, 17);
      await studio.page.keyboard.press("Control+c");
      await studio.page.waitForTimeout(150);
      await goTo(studio, 1);
    },
  },
  { id: "duplicate", node: 17 },
  { id: "delete", node: 17 },
  { id: "dissolve", node: 2 },
  { id: "add-child", node: 1, then: pick("nop") },
  { id: "add-sibling", node: 17, then: pick("nop") },
  { id: "wrap", node: 17, then: pick("sequence") },
  { id: "kind", node: 7, then: pick("select") },
  { id: "move-up", node: 18 },
  { id: "move-down", node: 17 },
  { id: "move-out", node: 8 },
  { id: "move-in", node: 13 },
  { id: "collapse", node: 3 },
  { id: "collapse-all", node: 1 },
  {
    id: "expand-all",
    node: 1,
    before: async (studio) => {
      await goTo(studio, 3);
      await studio.page.keyboard.press("Space");
      await studio.page.waitForTimeout(150);
      await goTo(studio, 1);
    },
  },
  {
    id: "comment",
    node: 17,
    then: async ({ page }) => {
      await page.locator("[data-comment] textarea:focus").waitFor();
      await page.keyboard.type("Why?");
      await page.keyboard.press("Control+Enter");
    },
  },
  {
    id: "color",
    node: 17,
    then: async ({ page }, byMouse) => {
      if (byMouse) await page.locator(".colors .color").nth(2).click();
      else {
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
      }
    },
  },
  { id: "add-guard", node: 7 },
  { id: "add-effect", node: 7 },
  { id: "add-service", node: 7 },
  { id: "add-event", node: 7 },
  {
    id: "rename",
    node: 12,
    then: async ({ page }, byMouse) => {
      await page.locator("#rename-to:focus").waitFor();
      await page.keyboard.type("crush");
      if (byMouse) {
        await page.locator("footer .main").click();
      } else {
        await page.keyboard.press("Enter");
        await page.locator(".preview").waitFor();
        await page.keyboard.press("Enter");
      }
      await page.locator("dialog").waitFor({ state: "detached" });
    },
  },
  {
    id: "extract",
    node: 7,
    then: async ({ page }) => {
      await page.keyboard.type("parts/close_in");
      await page.keyboard.press("Enter");
    },
  },
  { id: "inline", node: 4 },
  {
    id: "renumber",
    node: 1,
    before: async (studio) => {
      await goTo(studio, 17);
      await studio.page.keyboard.press("X");
      await studio.page.waitForTimeout(150);
      await goTo(studio, 1);
    },
  },
];

/** Commands that other tests look at. */
const ELSEWHERE = new Set(["fix"]);

describe("a command that changes a tree", () => {
  let studio: Studio;
  beforeEach(async () => {
    studio = await start();
    await open(studio, "hunt.json");
  });
  afterEach(() => studio.close());
  afterAll(closeBrowser);

  it("has a case here", () => {
    const cases = new Set(CASES.map(({ id }) => id));
    const missing = COMMANDS.filter(({ id, changes }) => changes && !cases.has(id) && !ELSEWHERE.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  for (const { id, node, before, then } of CASES) {
    for (const way of ["keyboard", "mouse"] as const) {
      it(`is done, undone and redone: ${id} by ${way}`, async () => {
        const { page } = studio;
        await goTo(studio, node);
        await before?.(studio);
        await save(studio);
        const first = studio.text("hunt.json");
        const command = commandOf(id)!;
        if (way === "keyboard") {
          await press(page, command.keys[0]!);
        } else {
          await page.locator(".menubar button", { hasText: en[`group.${command.group}`] }).click();
          await page.locator(".menu button", { hasText: en[`command.${id}` as keyof typeof en] }).first().click();
        }
        await then?.(studio, way === "mouse");
        await page.locator(".tab[data-active=true] [aria-label='not saved']").waitFor();
        await save(studio);
        const second = studio.text("hunt.json");
        expect(second, "the command changes the file").not.toBe(first);
        expect(() => JSON.parse(second)).not.toThrow();
        await page.locator("canvas.canvas").focus();
        await page.keyboard.press("Control+z");
        await save(studio);
        expect(studio.text("hunt.json"), "undo").toBe(first);
        await page.keyboard.press("Control+Shift+z");
        await save(studio);
        expect(studio.text("hunt.json"), "redo").toBe(second);
        expect(studio.complaints).toEqual([]);
        const errors = await page.locator(".toast[data-level=error]").allTextContents();
        expect(errors).toEqual([]);
      });
    }
  }
});
