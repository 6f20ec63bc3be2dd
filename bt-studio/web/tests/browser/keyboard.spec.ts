// By keyboard alone: from the first screen to a saved tree of sentries, and through the debugger.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { attach, choose, type Game, goToNode, startGame } from "./game.ts";
import { closeBrowser, insert, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

let game: Game;
let studio: Studio;
afterEach(async () => {
  await studio?.close();
  await game?.end();
});

interface Tree {
  nodes: { type: string; extra: { action_name?: string; guards?: { condition_name?: string }[] } }[];
}

describe("the keyboard alone", () => {
  it("makes a tree of sentries on the canvas, saves it, and goes through the debugger", async () => {
    game = await startGame();
    studio = await start({ env: game.env });
    const { page } = studio;
    // Whatever moves or presses a mouse makes the test fail.
    await page.evaluate(() => {
      for (const kind of ["mousedown", "touchstart"])
        document.addEventListener(kind, () => document.body.setAttribute("data-pointed", kind), true);
    });

    await page.keyboard.press("Control+Alt+n");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("sentry");
    await page.keyboard.press("Tab");
    await page.locator("#new-agent:focus").waitFor();
    await page.keyboard.type("monster");
    await page.keyboard.press("Enter");
    await page.locator(".tab[data-active=true] [data-tip='sentry.json']").waitFor();
    await page.locator("canvas.canvas").focus();
    await insert(studio, "select", 2);
    await insert(studio, "sequence", 3);
    await insert(studio, "rest", 4);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("G");
    await page.locator(".picker").waitFor();
    await page.keyboard.type("$threat > 0");
    await page.keyboard.press("Enter");
    await page.locator(".inspector", { hasText: "$threat > 0" }).waitFor();
    await page.locator("canvas.canvas").focus();
    await save(studio);
    const { nodes } = JSON.parse(studio.text("sentry.json")) as Tree;
    expect(nodes.map(({ type }) => type)).toEqual(["root", "select", "sequence", "action"]);
    expect(JSON.stringify(nodes[2])).toContain("$threat > 0");
    // Nothing is lost by undo and redo.
    const saved = studio.text("sentry.json");
    for (let at = 0; at < 4; at++) await page.keyboard.press("Control+z");
    for (let at = 0; at < 4; at++) await page.keyboard.press("Control+y");
    await page.locator(".tab[data-active=true] [aria-label='not saved']").waitFor({ state: "detached" });
    expect(studio.text("sentry.json")).toBe(saved);

    await attach(studio);
    await choose(studio, "wolf#2");
    await open(studio, "patrol.json");
    await goToNode(studio, 16);
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points tr", { hasText: "patrol.json" }).first().waitFor();
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("F9");
    await page.keyboard.press("F6");
    const stop = page.locator(".stopped-at");
    await stop.waitFor();
    const before = await stop.getAttribute("data-stop");
    await page.keyboard.press("F10");
    await expect.poll(() => stop.getAttribute("data-stop")).not.toBe(before);
    await page.keyboard.press("F5");
    await stop.waitFor({ state: "detached" });
    await page.keyboard.press("Alt+PageUp");
    await page.locator(".past").waitFor();
    await page.keyboard.press("Alt+End");
    await page.locator(".past").waitFor({ state: "detached" });
    await goToNode(studio, 2);
    await page.keyboard.press("Control+Alt+q");
    await page.locator('[data-part="answer"] p').first().waitFor();
    await page.keyboard.press("Control+Alt+k");
    await page.locator("#key-name:focus").waitFor();
    await page.keyboard.type("sentry");
    await page.keyboard.press("Tab");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.locator('.memory [data-name="sentry"] .value', { hasText: "7" }).waitFor();
    await page.keyboard.press("Shift+F5");
    await page.locator(".game-bar").waitFor({ state: "detached" });
    expect(await page.locator("body[data-pointed]").count()).toBe(0);
    expect(studio.complaints).toEqual([]);
  });
});
