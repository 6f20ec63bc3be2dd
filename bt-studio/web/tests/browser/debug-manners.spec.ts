// Manners of the debugger: what is over or unknown is said to be so; axe finds nothing. `debug` has axe for every state.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { findings, startAttached, TREES } from "./fake-studio.ts";
import { goToNode } from "./game.ts";
import { closeBrowser, focusedBox, type Studio } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
afterEach(() => studio?.close());

async function begin(game: FakeGame, options: Parameters<typeof startAttached>[1] = {}): Promise<void> {
  studio = await startAttached(game, options);
}

describe("axe", () => {
  it("finds nothing in the debugger", async () => {
    await begin(new FakeGame(8000, 40, TREES, [0, 1, 2, 5]), { dark: true });
    const { page } = studio;
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("F9");
    await page.keyboard.press("F6");
    await page.locator(".stopped-at").waitFor();
    await page.mouse.move(2, 2);
    expect(await findings(studio, "body")).toEqual([]);
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points td").first().waitFor();
    expect(await findings(studio, ".game-bottom")).toEqual([]);
    await page.keyboard.press("Control+F9");
    await page.locator("dialog[open]").waitFor();
    expect(await findings(studio, "dialog")).toEqual([]);
  });
});

describe("what is not so now", () => {
  it("is marked as past, on the canvas, in the bar and at the agent, and one key leads back", async () => {
    await begin(new FakeGame(8000, 10, TREES));
    const { page } = studio;
    expect(await page.locator(".past").count()).toBe(0);
    await page.keyboard.press("Alt+PageUp");
    await page.locator(".past", { hasText: "249.5 s, poll 999" }).waitFor();
    expect(await page.locator(".agent-head .then").textContent()).toContain("as it was at 249.5 s");
    expect(await page.locator('[data-part="why"] header').textContent()).toContain("Why it waited");
    expect(await page.locator('.memory [data-name="threat"] .value').textContent()).toBe("998");
    // Nothing can be changed in the past.
    expect(await page.locator(".edit-value").count()).toBe(0);
    await page.keyboard.press("Alt+End");
    await page.locator(".past").waitFor({ state: "detached" });
    await page.locator('.memory [data-name="threat"] .value', { hasText: "999" }).waitFor();
  });

  it("is said to be unknown while the game is lost, and nothing can be changed", async () => {
    const game = new FakeGame(8000, 10, TREES);
    await begin(game);
    const { page } = studio;
    game.change({ state: "lost", why: "it does not answer" });
    await page.locator('.session[data-state="lost"]', { hasText: "lost since" }).waitFor();
    expect(await page.locator(".agent .unknown").textContent()).toContain("not known");
    expect(await page.locator(".steps").count()).toBe(0);
    expect(await page.locator(".edit-value").count()).toBe(0);
    game.change({ state: "attached", why: undefined, restarts: 1 });
    await page.locator(".agent .unknown").waitFor({ state: "detached" });
    expect(await page.locator(".session").first().textContent()).toContain("attached");
  });

  it("is shown on a tree that is not the file's only with a banner that says so", async () => {
    const game = new FakeGame(8000, 10, {
      "hunt.json": { hash: "a", path: "hunt.json", same: false },
    });
    game.view = {
      name: "hunt.json",
      root: 0,
      agent: "monster_agent",
      cards: [0, 1, 2, 5].map((idx, at, all) => ({
        idx,
        parent: at === 0 ? null : all[at - 1],
        children: at === all.length - 1 ? [] : [all[at + 1]],
        kind: "sequence",
        group: "composite",
        symbol: "→",
        title: `of the game ${idx}`,
        arguments: "",
        parameters: "",
        attached: [],
        comment: "",
        collapsed: false,
        disabled: false,
        left_out: false,
        unknown_kind: false,
        pointer: "",
      })),
    };
    await begin(game);
    const { page } = studio;
    await page.locator(".game-banner", { hasText: "read-only" }).waitFor();
    await page.locator('.tab[data-active="true"]', { hasText: "monster: hunt.json" }).waitFor();
    // It cannot be edited, by keys or by menus.
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Delete");
    await page.keyboard.press("Shift+F10");
    await page.locator(".menu").waitFor();
    const names = await page.locator(".menu [role^=menuitem]").allTextContents();
    expect(names.join()).toContain("Breakpoint");
    expect(names.join()).not.toContain("Delete");
    await page.keyboard.press("Escape");
    await page.locator(".game-banner button").click();
    await page.locator('.tab[data-active="true"] [data-tip="hunt.json"]').waitFor();
    await page.locator(".game-banner", { hasText: "another text" }).waitFor();
    expect(studio.complaints).toEqual([]);
  });
});

describe("a node that is not active", () => {
  it("says why on request, by what is above it; one that ended says it of its end", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    await begin(game);
    const { page } = studio;
    const asked = () => game.calls.findLast(({ method }) => method === "game.cause")?.params;
    await goToNode(studio, 4);
    await page.keyboard.press("Control+Alt+q");
    await page.locator('[data-part="answer"]', { hasText: "node 5 failed" }).waitFor();
    expect(asked()).not.toHaveProperty("at");
    const { above } = asked()!.node as { above: { idx: number; children: number[] }[] };
    expect(above[0]!.children).toContain(4);
    expect(above.at(-1)).toEqual({ idx: 0, children: [1] });
    await page.locator('.ends li[data-result="failure"] button', { hasText: "why?" }).first().click();
    await expect.poll(asked).toHaveProperty("at");
    expect(studio.complaints).toEqual([]);
  });
});

describe("breakpoints", () => {
  it("are set and taken by a click left of a card, and F9 does the same", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 17]);
    await begin(game);
    const { page } = studio;
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("1");
    await page.waitForTimeout(200);
    // Left of its card the pointer says that there is something to press.
    const box = await focusedBox(studio);
    const [x, y] = [box.x - 4, box.y + 6];
    await page.mouse.move(x, y);
    const cursor = "document.querySelector('canvas.canvas').style.cursor";
    expect(await page.evaluate(cursor)).toBe("pointer");
    await page.mouse.click(x, y);
    await expect
      .poll(() => game.points.breakpoints.map(({ spec }) => spec))
      .toEqual([{ on: "enter", tree: "hunt.json", idx: 17 }]);
    await page.mouse.click(x, y);
    await expect.poll(() => game.points.breakpoints).toEqual([]);
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("F9");
    await expect.poll(() => game.points.breakpoints).toHaveLength(1);
    await page.keyboard.press("Shift+F9");
    await expect.poll(() => game.points.breakpoints[0]?.enabled).toBe(false);
    await page.keyboard.press("Control+Shift+F9");
    await expect.poll(() => game.points.breakpoints).toEqual([]);
  });
});
