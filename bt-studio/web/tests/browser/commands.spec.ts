// Every command that changes a tree, by keyboard and by mouse, with undo and redo to the same bytes.

import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, commandOf } from "../../src/commands/table.ts";
import { en } from "../../src/i18n/en.ts";
import { closeBrowser, goTo, open, press, type Studio, save, start } from "./studio.ts";

const WAYS = ["keyboard", "mouse"] as const;

interface Case {
  id: string;
  /** The node that it is done to. */
  node: number;
  before?: (studio: Studio) => Promise<void>;
  /** What follows: a choice, a text. */
  after?: (studio: Studio, byMouse: boolean) => Promise<void>;
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
  { id: "insert", node: 17, after: pick("nop") },
  { id: "add-child", node: 1, after: pick("nop") },
  { id: "add-sibling", node: 17, after: pick("nop") },
  { id: "wrap", node: 17, after: pick("sequence") },
  { id: "kind", node: 7, after: pick("select") },
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
    after: async ({ page }) => {
      await page.locator("[data-comment] textarea:focus").waitFor();
      await page.keyboard.type("Why?");
      await page.keyboard.press("Control+Enter");
    },
  },
  {
    id: "color",
    node: 17,
    after: async ({ page }, byMouse) => {
      if (byMouse) await page.locator(".colors .color").nth(2).click();
      else {
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
      }
    },
  },
  { id: "add-guard", node: 7, after: pick("is_alive") },
  { id: "add-effect", node: 7, after: pick("nop") },
  { id: "add-service", node: 7, after: pick("nop") },
  {
    id: "add-event",
    node: 7,
    after: async (studio, byMouse) => {
      await pick("help_called")(studio, byMouse);
      await studio.page.locator(".picker [placeholder^='Choose the tree']").waitFor();
      await pick("flee")(studio, byMouse);
    },
  },
  {
    id: "rename",
    node: 12,
    after: async ({ page }, byMouse) => {
      await page.locator("#rename-to:focus").waitFor();
      // The name of another action of the agent: only code makes new ones.
      await page.keyboard.type(byMouse ? "rest" : "attack");
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
    after: async ({ page }, byMouse) => {
      await page.keyboard.type(byMouse ? "parts/mouse" : "parts/keyboard");
      await page.keyboard.press("Enter");
    },
  },
  { id: "inline", node: 19 },
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
  /** The tree as it is before each case, and the one of `inline`. */
  const texts = { plain: "", inlined: "" };
  const path = "case.json";
  beforeAll(async () => {
    const files = (folder: string) => {
      const text = readFileSync(join(folder, "hunt.json"), "utf8");
      // A call can be put in place if nothing is attached to it or handed over, and the tree declares no keys.
      const calm = {
        idx: 1,
        type: "action",
        parent: 0,
        children: [],
        extra: { action_name: "nop", action_args: [] },
      };
      const root = { idx: 0, type: "root", children: [1], extra: { agent_name: "monster_agent" } };
      writeFileSync(join(folder, "calm.json"), JSON.stringify({ name: "calm.json", nodes: [root, calm] }));
      texts.plain = text;
      writeFileSync(join(folder, path), text);
      texts.inlined = text.replace(/"mode": "transfer",\s*/, "").replace("patrol.json", "calm.json");
    };
    studio = await start({ files });
  });
  afterEach(async ({ task }) => {
    const { page } = studio;
    studio.complaints.length = 0;
    if (task.result?.state !== "fail") return;
    await page.screenshot({ path: join(tmpdir(), `bt-studio-${task.name.replaceAll(/\W+/g, "-")}.png`) });
    await page.reload();
    await page.waitForSelector(".side .row");
  });
  afterAll(async () => {
    await studio.close();
    await closeBrowser();
  });

  it("has a case here", () => {
    const cases = new Set(CASES.map(({ id }) => id));
    const missing = COMMANDS.filter(({ id, changes }) => changes && !cases.has(id) && !ELSEWHERE.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  for (const { id, node, before, after } of CASES) {
    for (const way of WAYS) {
      it(`is done, undone and redone: ${id} by ${way}`, async () => {
        const { page } = studio;
        // One tree for all cases: the server checks each tree anew after each edit.
        writeFileSync(join(studio.folder, path), id === "inline" ? texts.inlined : texts.plain);
        await open(studio, path);
        await goTo(studio, node);
        if (before) {
          await before(studio);
          await save(studio);
        }
        const first = studio.text(path);
        const command = commandOf(id)!;
        if (way === "keyboard") {
          await press(page, command.keys[0]!);
        } else {
          await page.locator(".menubar button", { hasText: en[`group.${command.group}`] }).click();
          await page
            .locator(".menu button", { hasText: en[`command.${id}` as keyof typeof en] })
            .first()
            .click();
        }
        await after?.(studio, way === "mouse");
        const unsaved = page.locator(".tab[data-active=true] [aria-label='not saved']");
        await unsaved.waitFor();
        await page.keyboard.press("Control+s");
        await unsaved.waitFor({ state: "detached" });
        const second = studio.text(path);
        expect(second, "the command changes the file").not.toBe(first);
        expect(() => JSON.parse(second)).not.toThrow();
        await page.locator("canvas.canvas").focus();
        await page.keyboard.press("Control+z");
        await unsaved.waitFor();
        await page.keyboard.press("Control+s");
        await unsaved.waitFor({ state: "detached" });
        expect(studio.text(path), "undo").toBe(first);
        await page.keyboard.press("Control+Shift+z");
        await unsaved.waitFor();
        await page.keyboard.press("Control+s");
        await unsaved.waitFor({ state: "detached" });
        expect(studio.text(path), "redo").toBe(second);
        expect(studio.complaints).toEqual([]);
        const errors = await page.locator(".toast[data-level=error]").allTextContents();
        expect(errors).toEqual([]);
        await page.keyboard.press("Control+Alt+w");
        await page.locator(`.tab [data-tip="${path}"]`).waitFor({ state: "detached" });
      });
    }
  }
});
