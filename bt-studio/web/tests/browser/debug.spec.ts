// The debugger with much to show: axe in every state of it, and a million records.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { findings, startAttached, TREES } from "./fake-studio.ts";
import { closeBrowser, type Studio } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
afterEach(() => studio?.close());

async function begin(game: FakeGame, options: Parameters<typeof startAttached>[1] = {}): Promise<void> {
  studio = await startAttached(game, options);
}

describe("axe", () => {
  for (const dark of [false, true]) {
    it(`finds nothing in the debugger, ${dark ? "dark" : "light"}`, async () => {
      const game = new FakeGame(8000, 300, TREES, [0, 1, 2, 5]);
      await begin(game, { dark });
      const { page } = studio;
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme: dark ? "dark" : "light" });
      const found: Record<string, string[]> = {};
      const look = async (state: string, part = "body") => {
        await page.mouse.move(2, 2);
        await page.waitForTimeout(250);
        const problems = await findings(studio, part);
        if (problems.length > 0) found[state] = problems;
      };
      await look("agent and log");
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("F9");
      await page.keyboard.press("F6");
      await page.locator(".stopped-at").waitFor();
      await page.keyboard.press("Control+Alt+2");
      await look("stopped and forced", ".game-bar");
      await page.keyboard.press("F5");
      await page.locator(".memory .name").first().click();
      await page.locator(".write-list li").first().waitFor();
      await look("writes", ".beside");
      await page.keyboard.press("Control+Alt+y");
      await page.locator(".profile td").first().waitFor();
      await look("profile", ".game-bottom");
      await page.keyboard.press("Control+Alt+b");
      await page.locator(".points td").first().waitFor();
      await look("breakpoints", ".game-bottom");
      await page.keyboard.press("Alt+PageUp");
      await page.keyboard.press("Control+Alt+v");
      await page.locator(".sides").waitFor();
      await look("sides", ".game-bottom");
      await page.keyboard.press("Alt+End");
      await page.locator('[role="tab"]', { hasText: /^Node$/ }).click();
      await look("node", ".beside");
      await page.keyboard.press("Control+Shift+o");
      await page.locator(".outline .live-badge").first().waitFor();
      await look("outline", ".side");
      for (const [state, keys] of [
        ["attach", "Control+Alt+a"],
        ["breakpoint", "Control+F9"],
        ["fire", "Control+Alt+f"],
        ["call", "Control+Alt+c"],
        ["key", "Control+Alt+k"],
        ["record", "Control+Alt+Shift+s"],
      ] as const) {
        await page.locator("canvas.canvas").focus();
        await page.keyboard.press(keys);
        await page.locator("dialog[open]").waitFor();
        await look(state, "dialog");
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
      }
      game.emit("game.reloaded", {
        session: 1,
        tree: "hunt.json",
        problems: [{ code: "BT0034", file: "hunt.json", message: "no such action", node: 5 }],
        moved: 0,
        waiting: 0,
        stayed: 0,
        kept: [{ tree: "hunt.json", idx: 1, type: "select", agents: 3 }],
        adopted: [],
        aborted: [],
        entered: [],
        lost: ["a text"],
      });
      await page.locator(".reloaded-lists").waitFor();
      await look("reloaded", ".game-bottom");
      await page.keyboard.press("Control+Shift+g");
      game.change({ state: "lost", why: "it does not answer" });
      await page.locator('.session[data-state="lost"]').waitFor();
      await look("lost");
      expect(found).toEqual({});
      expect(studio.complaints).toEqual([]);
    }, 180_000);
  }
});

describe("a million records", () => {
  it("are scrolled, sought and searched, and the page stays small", async () => {
    const game = new FakeGame(1_000_000, 10, TREES);
    await begin(game);
    const { page } = studio;
    const log = page.locator(".log");
    await log.focus();
    await page.keyboard.press("Home");
    await page.locator(".log-row .text", { hasText: /^poll 1 / }).waitFor();
    await page.keyboard.press("End");
    await page.locator(".log-row .text", { hasText: "poll 125000 " }).waitFor();
    for (const part of [0.1, 0.5, 0.9, 0.3]) {
      await log.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), part);
      await page.waitForTimeout(100);
    }
    await page.locator(".log-row .text", { hasText: "poll 37" }).first().waitFor();
    expect(await page.locator(".log-row").count()).toBeLessThan(60);
    await page.keyboard.press("F3");
    await page.locator(".tools input").nth(2).fill("`threat` to 77777");
    await page.keyboard.press("Enter");
    const found = page.locator('.log-row[aria-selected="true"]', { hasText: "`threat` to 77777" });
    await found.waitFor();
    await found.dblclick();
    await page.locator(".past", { hasText: "poll 77778" }).waitFor();
    const heap = (await page.evaluate(
      "performance.memory ? performance.memory.usedJSHeapSize : 0",
    )) as number;
    expect(heap).toBeLessThan(120_000_000);
  });
});
