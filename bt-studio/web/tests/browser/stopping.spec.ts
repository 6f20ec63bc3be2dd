// Stopping is safe: a breakpoint stops the agent that one follows and no other, and nobody stays stopped.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { startAttached, TREES } from "./fake-studio.ts";
import { attach, choose, type Game, goToNode, startGame } from "./game.ts";
import { closeBrowser, open, type Studio, start } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
let game: Game;
afterEach(async () => {
  await studio?.close();
  await game?.end();
});

async function begin(): Promise<void> {
  game = await startGame(12);
  studio = await start({ env: game.env });
  await attach(studio);
}

/** Waits until so many agents are stopped, by the list of all, which a busy machine brings late. */
async function stopped(is: (count: number) => boolean): Promise<void> {
  const { page } = studio;
  await page.keyboard.press("Control+Shift+G");
  await page.locator(".agents input.filter").fill("stopped");
  const isSo = async () => is(await page.locator(".agent-row .name").count());
  // It stays so: rows that are read again are missing for a moment.
  const staysSo = async () => {
    if (!(await isSo())) return false;
    await page.waitForTimeout(2500);
    return isSo();
  };
  await expect.poll(staysSo, { timeout: 60_000, interval: 250 }).toBe(true);
  await page.locator(".agents input.filter").fill("");
}

describe("a breakpoint", () => {
  it("that is set while one follows an agent stops that one alone, until it is for all", async () => {
    await begin();
    const { page } = studio;
    // What all agents do again and again.
    await page.locator(".agents input.filter").fill("auto_play.json");
    const first = page.locator(".agent-row .name").first();
    await first.waitFor();
    const name = (await first.textContent()) ?? "";
    await choose(studio, name);
    await open(studio, "auto_play.json");
    await goToNode(studio, 3);
    await page.keyboard.press("F9");
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points td", { hasText: name }).waitFor();
    await page.locator(".stopped").waitFor({ timeout: 60_000 });
    await stopped((count) => count === 1);
    // For all: the dialog says whom it is for.
    await page.locator(".points .acts button").first().click();
    const whom = page.locator("#point-for");
    expect(await whom.inputValue()).toBe("this");
    await whom.selectOption("all");
    await page.locator("dialog footer .main").click();
    await page.locator(".stopped-count").waitFor({ timeout: 60_000 });
    await stopped((count) => count > 1);
    // One key for everybody; the breakpoint is taken first, or they stop again.
    await page.keyboard.press("Control+Shift+F9");
    await page.keyboard.press("Control+F8");
    await page.locator(".stopped-count").waitFor({ state: "detached" });
    await stopped((count) => count === 0);
  });

  it("is for agents by name where one says so", async () => {
    await begin();
    const { page } = studio;
    await open(studio, "auto_play.json");
    await goToNode(studio, 3);
    await page.keyboard.press("Control+F9");
    await page.locator("#point-for").selectOption("named");
    await page.locator("#point-names").fill("nobody*");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points td", { hasText: "nobody*" }).waitFor();
    await stopped((count) => count === 0);
  });

  it("is left by an agent that dies: the list has those that still stand", async () => {
    const fake = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    const stop = (agent: string) => ({
      agent,
      number: 1,
      poll: 7,
      record: "node_enter",
      why: "breakpoint",
      waiting: [],
    });
    fake.session = { ...fake.session, stops: [stop("3"), stop("4")] };
    studio = await startAttached(fake);
    const count = studio.page.locator(".stopped-count");
    await count.filter({ hasText: "2" }).waitFor();
    fake.emit("game", { ...fake.session, stops: [stop("4")] });
    await count.filter({ hasText: "1" }).waitFor();
    fake.emit("game", { ...fake.session, stops: [] });
    await count.waitFor({ state: "detached" });
  });

  it("leaves nobody stopped when one detaches", async () => {
    await begin();
    const { page } = studio;
    await open(studio, "auto_play.json");
    await goToNode(studio, 1);
    await page.keyboard.press("F9");
    await page.locator(".stopped-count").waitFor({ timeout: 60_000 });
    // The breakpoint goes, and those that stand at it stay.
    await page.keyboard.press("F9");
    await page.waitForTimeout(500);
    await stopped((count) => count > 0);
    await page.keyboard.press("Shift+F5");
    await page.locator(".session").waitFor({ state: "detached" });
    await attach(studio);
    expect(await page.locator(".stopped-count").count()).toBe(0);
    await stopped((count) => count === 0);
  });
});

describe("notices", () => {
  it("go away by themselves, and cover neither the inspector nor the lists", async () => {
    game = await startGame(3);
    studio = await start({ env: game.env });
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.evaluate(() => document.querySelector("canvas")?.focus());
    await page.keyboard.press("Control+g");
    await page.keyboard.press("Escape");
    // A full root takes no child: a notice says so.
    await page.keyboard.press("Home");
    await page.keyboard.press("/");
    const toast = page.locator(".toast");
    await toast.waitFor();
    const box = (await toast.boundingBox())!;
    const inspector = (await page.locator(".inspector").boundingBox())!;
    const side = (await page.locator(".side").boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(inspector.x);
    expect(box.x).toBeGreaterThanOrEqual(side.x + side.width);
    await toast.waitFor({ state: "detached", timeout: 8000 });
  });
});
