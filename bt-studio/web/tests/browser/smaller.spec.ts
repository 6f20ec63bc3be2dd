// Small things that one meets all day: what is cut, found, coloured, chosen and undone; menus, tooltips and letters at twice their size.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { violationsIn } from "./axe.ts";
import { startAttached, TREES } from "./fake-studio.ts";
import { choose } from "./game.ts";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  type: string;
  color: number;
  children: number[];
  comment: string;
  extra: Record<string, unknown>;
}

function nodesOf(studio: Studio, path: string): Node[] {
  return (JSON.parse(studio.text(path)) as { nodes: Node[] }).nodes;
}

function numbers(nodes: readonly Node[]): number[] {
  return nodes.map(({ idx }) => idx).sort((one, other) => one - other);
}

const shot = async ({ page }: Studio, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
};

describe("nodes that are cut and pasted", () => {
  it("keep their numbers in their own tree, and get new ones where these are taken", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    const before = nodesOf(studio, "hunt.json");
    const branch = before.find(({ idx, children }) => idx > 1 && children.length > 0)!;
    await goTo(studio, branch.idx);
    await page.keyboard.press("Control+x");
    await page.locator(".status", { hasText: "Cut" }).waitFor();
    await goTo(studio, 1);
    await page.keyboard.press("Control+v");
    await page.locator(".status", { hasText: "Paste" }).waitFor();
    await page.locator(".status", { hasText: `${before.length} nodes` }).waitFor();
    await save(studio);
    const after = nodesOf(studio, "hunt.json");
    expect(numbers(after)).toEqual(numbers(before));
    expect(after.find(({ idx }) => idx === 1)!.children.at(-1)).toBe(branch.idx);
    // Once more: now they are copies.
    await goTo(studio, 1);
    await page.keyboard.press("Control+v");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    const twice = numbers(nodesOf(studio, "hunt.json"));
    expect(new Set(twice).size).toBe(twice.length);
    expect(twice.length).toBeGreaterThan(before.length);
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});

describe("the comment", () => {
  it("is gone on with at its end", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    for (const text of ["First.", " Second."]) {
      await page.keyboard.press("M");
      await page.locator("[data-comment] textarea:focus").waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press("Control+Enter");
      await page.locator("canvas.canvas:focus").waitFor();
    }
    const old = nodesOf(studio, "patrol.json").find(({ idx }) => idx === 1)!.comment;
    await save(studio);
    const now = nodesOf(studio, "patrol.json").find(({ idx }) => idx === 1)!.comment;
    expect(now).toBe(`${old}First. Second.`);
    await studio.close();
  });
});

describe("the history", () => {
  it("is there after the page was loaded anew, of what was saved and of what was not", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    const first = studio.text("patrol.json");
    const undo = page.locator(".status button", { hasText: "↶" });
    await goTo(studio, 1);
    await page.keyboard.press("Control+d");
    await undo.waitFor();
    await save(studio);
    await page.keyboard.press("Shift+Space");
    await page.locator("[aria-label='not saved']").waitFor();
    // What is not saved is kept as a draft a moment later.
    await page.waitForTimeout(1500);
    await page.reload();
    await page.locator(".tab[data-active=true] [data-tip='patrol.json']").waitFor();
    await undo.waitFor();
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await undo.waitFor({ state: "detached" });
    await save(studio);
    expect(studio.text("patrol.json")).toBe(first);
    await studio.close();
  });
});

describe("find", () => {
  it("shows what is found while one types, and its results are one stop of Tab", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.keyboard.press("Control+f");
    const field = page.locator(".find-form input[type=search]");
    await page.locator(".find-form input[type=search]:focus").waitFor();
    await page.keyboard.type("prey");
    const results = page.locator(".bottom .problem");
    await results.nth(1).waitFor();
    const count = await results.count();
    // The field keeps the focus: one goes on typing.
    await page.keyboard.type("_that_is_nowhere");
    await page.locator(".bottom .hint", { hasText: "prey_that_is_nowhere" }).waitFor();
    expect(await results.count()).toBe(0);
    expect(await field.inputValue()).toBe("prey_that_is_nowhere");
    await field.fill("prey");
    await results.nth(count - 1).waitFor();
    await shot(studio, "find");
    // Half of an expression is no error that stays.
    await page.locator(".find-form label", { hasText: "expression" }).click();
    await field.fill("prey(");
    await page.locator(".bottom .mistake").waitFor();
    await field.fill("pre(y)");
    await page.locator(".bottom .mistake").waitFor({ state: "detached" });
    await results.nth(1).waitFor();
    // Tab goes over the results in one step, arrows through them.
    expect(await page.locator(".bottom .problem[tabindex='0']").count()).toBe(1);
    await field.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.locator(".bottom li:nth-child(2) .problem[tabindex='0']:focus").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.locator(".bottom .problem:focus").count()).toBe(0);
    await page.keyboard.press("Shift+Tab");
    await page.locator(".bottom li:nth-child(2) .problem:focus").waitFor();
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});

describe("menus", () => {
  it("are seen as a whole at 1024 pixels, with lines between what belongs together", async () => {
    const studio = await start({ width: 1024, height: 768 });
    const { page } = studio;
    await open(studio, "hunt.json");
    for (let place = 0; place < 7; place++) {
      const button = page.locator(".menubar button").nth(place);
      const name = (await button.textContent())!;
      await button.click();
      await page.locator(".menu").waitFor();
      await shot(studio, `menu-${place}`);
      const seen = await page.evaluate(() => {
        const menu = document.querySelector(".menu")!;
        const box = menu.getBoundingClientRect();
        const isIn = (element: Element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return (
            left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1
          );
        };
        const items = [...menu.querySelectorAll("[role^=menuitem]")];
        return {
          isInWindow: box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
          hidden: items.filter((item) => !isIn(item)).map((item) => item.textContent),
          count: items.length,
          lines: menu.querySelectorAll("hr").length,
        };
      });
      expect(seen.isInWindow, name).toBe(true);
      expect(seen.hidden, name).toEqual([]);
      if (seen.count > 8) expect(seen.lines, name).toBeGreaterThan(0);
      await page.keyboard.press("Escape");
    }
    await studio.close();
  });
});

describe("a tooltip", () => {
  it("stands inside a landmark", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.locator(".toolbar button").first().hover();
    await page.locator("#tip:not([hidden])").waitFor();
    expect(await violationsIn(page, { rules: ["region"] })).toEqual([]);
    await studio.close();
  });
});

describe("letters of twice their size", () => {
  it("leave the picture at least half of the window's width, and half of its height", async () => {
    const studio = await start({ width: 720, height: 450 });
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 10);
    const box = (await page.locator("canvas.canvas").boundingBox())!;
    await shot(studio, "half");
    expect(box.width).toBeGreaterThanOrEqual(360);
    expect(box.height).toBeGreaterThanOrEqual(225);
    await studio.close();
  });
});

describe("a colour", () => {
  it("is a field of the node, as text and as a colour to pick", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    const field = page.locator("[data-color] input[type=text]");
    await field.fill("#46a7");
    await page.locator("[data-color] .mistake").waitFor();
    await field.fill("#46a758");
    await field.press("Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    expect(await page.locator("[data-color] input[type=color]").inputValue()).toBe("#46a758");
    await save(studio);
    const colorOf = () => nodesOf(studio, "patrol.json").find(({ idx }) => idx === 1)!.color;
    expect(colorOf()).toBe(0x46a758ff);
    await field.fill("");
    await field.press("Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    expect(colorOf()).toBe(0xffffffff);
    await studio.close();
  });
});

describe("a choice", () => {
  it("has the comment of each that can be chosen", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    await page.keyboard.press("A");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("set_stance");
    await page.keyboard.press("Enter");
    const select = page.locator(".argument .field select").first();
    await select.waitFor();
    const options = await select.locator("option").allTextContents();
    expect(options).toContain("calm · Strolls, at half speed.");
    await select.selectOption('"calm"');
    await page.locator(".argument .hint", { hasText: "Strolls, at half speed." }).waitFor();
    await shot(studio, "choice");
    await studio.close();
  });
});

describe("a log whose end is idle", () => {
  it("opens at the last moment at which something ran", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bt-log-"));
    const log = join(folder, "torch.json");
    const at = (ms: number) => 1_700_000_000_000 + ms;
    writeFileSync(
      log,
      JSON.stringify({
        entity_id: "torch#7",
        debug_cmds: [
          [0, 0, at(0), "snapshot", [["hunt.json"], { hp: 10 }, []]],
          [0, 0, at(500), "poll_begin", []],
          [0, 0, at(500), "node_enter", []],
          [0, 1, at(500), "node_enter", []],
          [0, 1, at(500), "node_leave", [true]],
          [0, 0, at(500), "node_leave", [true]],
          [0, 0, at(900), "bb_set", ["hp", 3]],
        ],
      }),
    );
    const studio = await start({ flags: ["--log", log] });
    const { page } = studio;
    await choose(studio, "torch#7");
    await page.keyboard.press("Control+Shift+o");
    await page.locator('.outline .live-badge[data-active="true"]').first().waitFor();
    await page.locator('.memory [data-name="hp"] .value', { hasText: /^10$/ }).waitFor();
    // The end is a key away, and stays then.
    await page.keyboard.press("Alt+End");
    await page.locator('.memory [data-name="hp"] .value', { hasText: /^3$/ }).waitFor();
    expect(studio.complaints).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
    await studio.close();
  });
});

describe("a tree that was reloaded", () => {
  it("has agents that are still to move, and says why", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    const studio = await startAttached(game);
    const lists = { aborted: [], adopted: [], entered: [], kept: [], lost: [], problems: [] };
    game.emit("game.reloaded", { session: 1, tree: "hunt.json", moved: 3, waiting: 2, stayed: 0, ...lists });
    const report = studio.page.locator(".game-bottom");
    await report.locator("h3", { hasText: "still to move: 2" }).waitFor();
    await report.locator(".hint", { hasText: "at the beginning of its next poll" }).waitFor();
    await studio.close();
  });
});
