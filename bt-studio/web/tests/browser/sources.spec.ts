// Where a debugger gets what it shows: the original's logs and posts, two pages on one game, two agents, a game that comes back
// with other trees.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { attach, choose, type Game, startGame } from "./game.ts";
import { closeBrowser, ROOT, type Studio, start } from "./studio.ts";

let game: Game | undefined;
let studio: Studio | undefined;
afterEach(async () => {
  await studio?.close();
  await game?.end();
  studio = game = undefined;
});
afterAll(closeBrowser);

/** A log as the original's debugger writes it, of its own demo's trees. */
const LOG = {
  entity_id: "torch#7",
  debug_cmds: [
    [0, 0, 1_700_000_000_000, "snapshot", [["new_btree_1"], { hp: 10 }, [[0, 0]]]],
    [0, 1, 1_700_000_000_000, "enter", []],
    [0, 1, 1_700_000_000_000, "mutate", ["variable", ["set", ["hp", 9]]]],
    [0, 1, 1_700_000_000_010, "mutate", ["node_action", ["attack", [3]]]],
    [0, 1, 1_700_000_000_010, "leave", []],
    [0, 0, 1_700_000_000_500, "poll_begin", []],
    [0, 0, 1_700_000_000_500, "push_tree", ["test_event"]],
    [1, 0, 1_700_000_000_500, "node_enter", []],
    [1, 0, 1_700_000_000_500, "bb_set", ["hp", 8]],
  ],
};
const files = (folder: string) => cpSync(join(ROOT, "tests/data/mosaic/btree"), folder, { recursive: true });

const hp = (page: Page, value: number) =>
  page.locator('.memory [data-name="hp"] .value', { hasText: new RegExp(`^${value}$`) }).waitFor();

describe("the original's debugger", () => {
  it("has logs: one opens with its trees, its polls, and the keys of each moment", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bt-log-"));
    const log = join(folder, "torch.json");
    writeFileSync(log, JSON.stringify(LOG));
    studio = await start({ files, flags: ["--log", log] });
    const { page } = studio;
    await page.locator('.session[data-kind="log"]').waitFor();
    await choose(studio, "torch#7");
    await page.locator(".tab[data-active=true]", { hasText: "test_event" }).waitFor();
    await page.keyboard.press("Control+Shift+o");
    await page.locator('.outline .live-badge[data-active="true"]').first().waitFor();
    await hp(page, 8);
    await page.keyboard.press("Alt+PageUp");
    await page.locator(".past").waitFor();
    await hp(page, 9);
    await page.keyboard.press("Control+Alt+t");
    await page.locator(".log-row", { hasText: "poll 2" }).first().waitFor();
    await page.locator(".tools input").nth(0).fill("attack(3)");
    await page.locator('.log-row[data-kind="row"]', { hasText: "calls `attack(3)`" }).waitFor();
    // Nothing can be changed.
    expect(await page.locator(".edit-value").count()).toBe(0);
    expect(studio.complaints).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("takes posts: an agent comes with the first, and is followed as it continues", async () => {
    studio = await start({ files, flags: ["--listen", "0"] });
    const { page } = studio;
    const session = page.locator('.session[data-kind="listen"]', { hasText: "http://127.0.0.1" });
    const text = (await session.textContent()) ?? "";
    const address = /http:\/\/\S+/.exec(text)![0];
    const post = async (rows: unknown[]) => {
      const body = JSON.stringify({ entity_id: LOG.entity_id, cmds: rows });
      expect((await fetch(address, { method: "POST", body })).status).toBe(200);
    };
    await post(LOG.debug_cmds);
    await choose(studio, "torch#7");
    await hp(page, 8);
    await post([
      [0, 0, 1_700_000_001_000, "poll_begin", []],
      [1, 0, 1_700_000_001_000, "bb_set", ["hp", 77]],
    ]);
    await hp(page, 77);
    expect(studio.complaints).toEqual([]);
  });
});

describe("a running game", () => {
  it("is the same on two pages: stops, steps and forced nodes", async () => {
    game = await startGame();
    studio = await start({ env: game.env });
    const one = studio.page;
    await attach(studio);
    await choose(studio, "wolf#2");
    const two = await one.context().newPage();
    await two.goto(studio.url);
    const other = { ...studio, page: two };
    await two.locator('.session[data-state="attached"]').waitFor();
    await choose(other, "wolf#2");
    await one.bringToFront();
    await one.locator("canvas.canvas").focus();
    await one.keyboard.press("F6");
    for (const page of [one, two]) await page.locator(".stopped-at").waitFor({ timeout: 30_000 });
    await two.bringToFront();
    await two.locator("canvas.canvas").focus();
    await two.keyboard.press("Control+Alt+2");
    for (const page of [one, two])
      await page.locator('[data-part="forced"] li', { hasText: "forced: failure" }).waitFor();
    await two.keyboard.press("Control+Alt+9");
    await two.keyboard.press("F5");
    for (const page of [one, two]) {
      await page.locator(".stopped-at").waitFor({ state: "detached" });
      await page.locator('[data-part="forced"]').waitFor({ state: "detached" });
    }
    // What one page leaves, the other still follows.
    await two.close();
    const poll = async () => (await one.locator(".agent-head .hint").last().textContent()) ?? "";
    const before = await poll();
    await expect.poll(poll, { timeout: 20_000 }).not.toBe(before);
    expect(studio.complaints).toEqual([]);
  });

  it("has two agents side by side", async () => {
    game = await startGame();
    studio = await start({ env: game.env });
    const { page } = studio;
    await attach(studio);
    await choose(studio, "wolf#2");
    await page.keyboard.press("Control+Alt+Shift+V");
    await page.locator(".game-bottom button", { hasText: "Another agent" }).click();
    await page.locator(".picker").waitFor();
    await page.keyboard.type("wolf#4");
    await page.keyboard.press("Enter");
    await page.locator(".sides caption", { hasText: "difference" }).waitFor();
    const heads = await page.locator(".sides thead th").allTextContents();
    expect(heads.join()).toContain("wolf#4");
    expect(heads.join()).toContain("wolf#2");
    await page.locator('.sides tr[data-same="false"]').first().waitFor();
    expect(studio.complaints).toEqual([]);
  });

  it("that comes back with another text of a tree shows its own, and says so", async () => {
    game = await startGame();
    studio = await start({ env: game.env });
    const { page } = studio;
    await attach(studio);
    await choose(studio, "wolf#2");
    await game.kill();
    await page.locator('.session[data-state="lost"]').waitFor({ timeout: 20_000 });
    // The trees of the folder are others by now than those that the game is built of.
    for (const tree of ["patrol.json", "hunt.json", "flee.json"]) {
      const path = join(studio.folder, tree);
      writeFileSync(path, readFileSync(path, "utf8").replace('"comment": ""', '"comment": "another build"'));
    }
    await game.start();
    await page.locator('.session[data-state="attached"]').waitFor({ timeout: 30_000 });
    await choose(studio, "wolf#2");
    await page.locator(".game-banner", { hasText: "read-only" }).waitFor({ timeout: 30_000 });
    await page.locator(".agent .unknown").waitFor({ state: "detached" });
  });
});
