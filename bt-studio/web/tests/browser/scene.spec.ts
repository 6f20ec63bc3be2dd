// The debugger in a real browser against the real scene of monsters, by keyboard and mouse.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { attach, choose, type Game, goToNode, startGame } from "./game.ts";
import { closeBrowser, open, type Studio, save, start } from "./studio.ts";

const WOLF = "wolf#2";
let game: Game;
let studio: Studio;

// One game and one page for all: each test leaves the agent running and what is now on the screen.
beforeAll(async () => {
  game = await startGame();
  studio = await start({ env: game.env });
}, 120_000);
afterAll(async () => {
  await studio?.close();
  await game?.end();
  await closeBrowser();
});
afterEach(async ({ task }) => {
  if (process.env.SHOTS) {
    const name = task.name.replaceAll(/\W+/g, "-").slice(0, 50);
    await studio.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
  }
  await studio.page.keyboard.press("Escape");
});

/** Stops the agent at its next node, and waits until it stands. */
async function stop(): Promise<void> {
  const { page } = studio;
  await page.keyboard.press("F6");
  await page.locator(".stopped-at").waitFor({ timeout: 30_000 });
}

const text = async (selector: string) => (await studio.page.locator(selector).first().textContent()) ?? "";

describe("a running game", () => {
  it("is attached to by the mouse from the empty page; Shift+F5 detaches", async () => {
    const { page } = studio;
    await page.locator(".start-games .choice", { hasText: "monster" }).click();
    await page.locator(".agent-row", { hasText: WOLF }).first().click();
    await page.locator(".agent-head h2", { hasText: WOLF }).waitFor();
    await page.locator(".game-bar .session", { hasText: "attached" }).waitFor();
    await page.keyboard.press("Shift+F5");
    await page.locator(".game-bar").waitFor({ state: "detached" });
  });

  it("is attached to by keyboard, and an agent followed: its tree opens, what is active is lit", async () => {
    const { page } = studio;
    await attach(studio);
    await choose(studio, WOLF);
    await page.locator(".tab[data-active=true]", { hasText: ".json" }).waitFor();
    await page.keyboard.press("Control+Shift+o");
    const badge = page.locator('.outline .live-badge[data-active="true"]').first();
    await badge.waitFor();
    expect(await badge.getAttribute("aria-label")).toContain("active");
    expect(await text(".explain")).toContain("runs; at");
    await page.locator(".log-row").first().waitFor();
    await page.locator('.memory [data-name="spot"]').waitFor();
    expect(studio.complaints).toEqual([]);
  });

  it("is there again after the page was loaded anew, with its agent", async () => {
    const { page } = studio;
    await page.reload();
    await page.locator(".agent-head h2", { hasText: WOLF }).waitFor();
    await page.locator('[data-part="why"]').waitFor();
  });

  it("lists its agents sorted by how long they wait, and filtered", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Shift+G");
    await page.locator(".agents-sort select").selectOption("waits");
    await page.locator(".agent-row .waits").first().waitFor();
    await page.locator(".agents input.filter").fill("wolf");
    await page.waitForFunction(
      "[...document.querySelectorAll('.agent-row .name')].every((name) => name.textContent.includes('wolf'))",
    );
    expect(await page.locator(".agent-row").count()).toBeGreaterThan(0);
    await page.locator(".agents input.filter").fill("nobody of this name");
    await page.locator(".agents .hint", { hasText: "No agent" }).waitFor();
    await page.locator(".agents input.filter").fill("");
    await page.locator("canvas.canvas").focus();
  });
});

describe("an agent", () => {
  it("stops on request, steps, and continues: F6, F10, F11, F7, F5", async () => {
    const { page } = studio;
    await page.locator("canvas.canvas").focus();
    await stop();
    // Two places may read alike; each stop has a number of its own.
    const where = () => page.locator(".stopped-at").getAttribute("data-stop");
    let before = await where();
    for (const key of ["F10", "F11", "F10", "F7"]) {
      await page.keyboard.press(key);
      await expect.poll(where, { timeout: 30_000 }).not.toBe(before);
      before = await where();
    }
    await page.keyboard.press("F5");
    await page.locator(".stopped-at").waitFor({ state: "detached" });
  });

  it("stops at a breakpoint that was set by F9, with an arrow at the node; others run on", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 11);
    await page.keyboard.press("F9");
    // From the root on it comes there at once.
    await page.keyboard.press("Control+Alt+Shift+L");
    await page.locator("dialog input").fill("patrol.json");
    await page.keyboard.press("Enter");
    await page.locator(".stopped-at", { hasText: "breakpoint" }).waitFor({ timeout: 60_000 });
    expect(await text(".stopped-at")).toContain("patrol.json #11");
    const file = join(studio.folder, ".bt-studio.json");
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain('"idx": 11');
    // The canvas was led to where the agent stands.
    await goToNode(studio, 11);
    await page.keyboard.press("F9");
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain('"idx":');
    await page.keyboard.press("Control+F8");
    await page.locator(".stopped-at").waitFor({ state: "detached" });
    await page.locator(".stopped-count").waitFor({ state: "detached" });
  }, 90_000);

  it("gets breakpoints with conditions and notes, and the list has them all", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 11);
    await page.keyboard.press("Control+F9");
    await page.locator("#point-condition").fill("threat > 1000000");
    await page.locator("#point-note").fill("Never so.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points tr", { hasText: "threat > 1000000" }).waitFor();
    await page.locator('.points input[type="checkbox"]').click();
    await page.locator('.points tr[data-enabled="false"]').waitFor();
    await page.locator(".points .close").click();
    await page.locator(".points").waitFor({ state: "detached" });
  });

  it("gets another value for a key and a property in place, and the history has the write", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+k");
    await page.locator("#key-name").fill("studio_test");
    await page.locator("#key-value").fill("41");
    await page.keyboard.press("Enter");
    const line = page.locator('.memory [data-name="studio_test"]');
    await line.locator(".value", { hasText: /^41$/ }).waitFor({ timeout: 20_000 });
    await line.locator(".edit-value").click();
    await page.keyboard.type("42");
    await page.keyboard.press("Enter");
    await line.locator(".value", { hasText: /^42$/ }).first().waitFor({ timeout: 20_000 });
    await line.locator(".name").click();
    await line.locator(".write-list li", { hasText: "42" }).waitFor({ timeout: 20_000 });
    await line.locator(".write-list li", { hasText: "41" }).locator(".link").first().click();
    await page.locator(".past").waitFor();
    await line.locator(".memory-line .value", { hasText: /^41$/ }).waitFor();
    await page.keyboard.press("Alt+End");
    await page.locator(".past").waitFor({ state: "detached" });
    const property = page.locator('.memory [data-name="flee_below"]');
    await property.locator(".edit-value").click();
    await page.keyboard.type("0.125");
    await page.keyboard.press("Enter");
    await property.locator(".value", { hasText: "0.125" }).waitFor({ timeout: 20_000 });
  }, 90_000);

  it("does what is forced, which is seen from afar, listed, and released", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 10);
    await page.keyboard.press("Control+Alt+2");
    await page.locator(".forced-count", { hasText: "1 node forced" }).waitFor();
    await page.locator('[data-part="forced"] li', { hasText: "forced: failure" }).waitFor();
    await page.locator('[data-part="forced"] button', { hasText: "Release" }).click();
    await page.locator(".forced-count").waitFor({ state: "detached" });
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Control+Alt+3");
    await page.locator(".forced-count").waitFor();
    await page.keyboard.press("Control+Alt+9");
    await page.locator(".forced-count").waitFor({ state: "detached" });
  });

  it("takes an event and a call that are made in forms from the game's catalogue", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+f");
    await page.locator("#call-names option").first().waitFor({ state: "attached" });
    await page.locator("#call-name").fill("hurt");
    await page.locator('dialog input[role="spinbutton"]').first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator("dialog .done", { hasText: "hurt is fired" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Alt+c");
    await page.locator("#call-names option").first().waitFor({ state: "attached" });
    await page.locator("#call-name").fill("set_key_value");
    await page.locator("dialog .field input, dialog .field textarea").nth(1).fill("studio_called");
    await page.locator("dialog .field input, dialog .field textarea").nth(2).fill("7");
    await page.locator("dialog .main").click();
    await page.locator("dialog .done", { hasText: "success" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator('.memory [data-name="studio_called"] .value', { hasText: "7" }).waitFor();
  });

  it("lets a waiting leaf fail on demand", async () => {
    const { page } = studio;
    // The route is forgotten by now: with a new one it goes on, from the beginning.
    const begin = async () => {
      await page.keyboard.press("Control+Alt+Shift+Z");
      await page.keyboard.press("Control+Alt+k");
      await page.locator("#key-name").fill("route");
      await page.locator("#key-value").fill('[{"x": 28, "y": 8}, {"x": 26, "y": 4}]');
      await page.keyboard.press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
    };
    await begin();
    await page.locator(".leaves li").first().waitFor({ timeout: 30_000 });
    await page.keyboard.press("Control+Alt+t");
    await page.locator(".tools input").nth(0).fill("the host finished it with failure");
    // A leaf may end by itself just before it is pressed, and the wolf may do something else for long.
    let tries = 0;
    await expect
      .poll(
        async () => {
          tries += 1;
          if (tries % 10 === 0) await begin();
          const button = page.locator(".leaves button", { hasText: "Let fail" }).first();
          await button.click({ timeout: 500 }).catch(() => undefined);
          return page.locator(".log-row", { hasText: "finished it with failure" }).count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThan(0);
    await page.locator(".tools input").nth(0).fill("");
    await page.locator('.log-row[data-kind="poll"]').first().waitFor();
  });

  it("is paused, reset and slowed down with its game", async () => {
    const { page } = studio;
    await page.keyboard.press("Shift+F6");
    await page.locator(".speed", { hasText: "time stands still" }).waitFor();
    await page.keyboard.press("Shift+F6");
    await page.locator(".speed", { hasText: "× 1" }).waitFor();
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Alt+[");
    await page.locator(".speed", { hasText: "× 0.5" }).waitFor();
    await page.keyboard.press("Alt+]");
    await page.locator(".speed", { hasText: "× 1" }).waitFor();
    await page.keyboard.press("Control+Alt+Shift+P");
    await page.locator(".agent-state", { hasText: "paused" }).waitFor();
    await page.keyboard.press("Control+Alt+Shift+P");
    await page.locator(".agent-state", { hasText: "runs" }).waitFor();
  });
});

describe("time", () => {
  it("is held by Space, stepped by arrows, dragged by the mouse, and led back to now", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+t");
    await expect.poll(async () => page.locator(".log-row").count(), { timeout: 30_000 }).toBeGreaterThan(2);
    await page.locator(".strip:focus").waitFor();
    await page.keyboard.press("Space");
    await page.locator(".past").waitFor();
    const first = await text(".past strong");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => text(".past strong")).not.toBe(first);
    await page.keyboard.press("Space");
    await page.locator(".past").waitFor({ state: "detached" });
    const box = (await page.locator(".strip").boundingBox())!;
    await page.mouse.move(box.x + box.width - 20, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 40, { steps: 6 });
    await page.mouse.up();
    await page.locator(".past").waitFor();
    await page.keyboard.press("Alt+End");
    await page.locator(".past").waitFor({ state: "detached" });
  });

  it("has a log: polls open, rows filter, search and take comments, a double click shows the moment", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+t");
    await page.locator(".log-row").first().waitFor();
    await page.locator(".log").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.locator('.log-row[data-kind="row"]').first().waitFor();
    await page.locator('.log-row[data-kind="row"]').nth(1).dblclick();
    await page.locator(".past").waitFor();
    await page.locator('.log-row[data-shown="true"]').first().waitFor();
    await page.locator('.log-row[data-kind="row"]').nth(1).click({ button: "right" });
    await page.locator(".menu [role^=menuitem]", { hasText: "Comment" }).click();
    await page.locator("#note-text").fill("Look here.");
    await page.keyboard.press("Enter");
    await page.locator(".log-row .comment", { hasText: "Look here." }).first().waitFor();
    await page.locator(".tools input").nth(0).fill("node_that_is_not_there");
    await page.locator(".tools .count", { hasText: "0 rows" }).waitFor();
    await page.locator(".tools input").nth(0).fill("is entered");
    await page.locator('.log-row[data-kind="row"]', { hasText: "is entered" }).first().waitFor();
    await page.locator(".tools input").nth(0).fill("");
    await page.locator('.log-row[data-kind="poll"]').first().waitFor();
    await page.locator(".tools input").nth(2).fill("is entered");
    await page.keyboard.press("Enter");
    await page.locator('.log-row[aria-selected="true"]', { hasText: "is entered" }).waitFor();
    await page.keyboard.press("Alt+End");
    await page.locator(".past").waitFor({ state: "detached" });
    expect(studio.complaints).toEqual([]);
  }, 90_000);

  it("is saved as a recording, which opens beside the game and steps", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+t");
    await expect.poll(async () => page.locator(".log-row").count(), { timeout: 30_000 }).toBeGreaterThan(4);
    await page.keyboard.press("Control+Alt+Shift+S");
    await page.locator("#record-path").fill("wolf.btrec");
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "records saved" }).waitFor();
    await page.keyboard.press("Control+Alt+a");
    await page.locator("dialog .choice", { hasText: "wolf.btrec" }).click();
    await page.locator(".session", { hasText: "recording" }).waitFor();
    await page.locator(".agent-head .then").waitFor();
    await page.keyboard.press("Alt+PageUp");
    await page.locator(".past").waitFor();
    const before = await text(".past strong");
    await page.keyboard.press("Alt+PageUp");
    await expect.poll(() => text(".past strong")).not.toBe(before);
    await page.keyboard.press("Shift+F5");
    await page.locator(".agent-head h2", { hasText: WOLF }).waitFor();
    await page.locator(".past").waitFor({ state: "detached" });
  }, 90_000);

  it("compares a kept moment with now", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+v");
    await page.locator(".sides caption").waitFor();
    await page.keyboard.press("Control+Alt+k");
    await page.locator("#key-name").fill("studio_side");
    await page.locator("#key-value").fill("true");
    await page.keyboard.press("Enter");
    await page
      .locator('.sides tr[data-same="false"]', { hasText: "studio_side" })
      .waitFor({ timeout: 20_000 });
  });
});

describe("all agents", () => {
  it("are measured: the table and the tree have the hot nodes", async () => {
    const { page } = studio;
    await page.keyboard.press("Control+Alt+y");
    await page.locator(".profile td .link").first().waitFor({ timeout: 30_000 });
    await page.keyboard.press("Control+Alt+y");
    await page.locator(".profile td .link").first().click();
    await page.locator("canvas.canvas").waitFor();
  });
});

describe("a tree that is saved while the game runs it", () => {
  it("is reloaded there, and the report says what became of its nodes", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 23);
    await page.keyboard.press("Shift+Space");
    await page.locator("[aria-label='not saved']").waitFor();
    await page.locator(".game-banner", { hasText: "without your changes" }).waitFor();
    await save(studio);
    await page
      .locator(".game-bottom h3", { hasText: "patrol.json is reloaded" })
      .waitFor({ timeout: 20_000 });
    await page.locator(".game-banner").waitFor({ state: "detached" });
  });

  it("changes nothing there if the game refuses it, and the report says why", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 13);
    await page.keyboard.press("A");
    await page.locator(".picker").waitFor();
    await page.keyboard.type("no_such_action");
    await page.keyboard.press("Control+Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    await page.locator(".game-bottom h3", { hasText: "was not reloaded" }).waitFor({ timeout: 20_000 });
  });
});

describe("a game that dies", () => {
  it("is lost, what was shown stays and is said to be of then, and it is followed again when it is back", async () => {
    const { page } = studio;
    await open(studio, "patrol.json");
    await goToNode(studio, 14);
    await page.keyboard.press("Shift+F9");
    await page.keyboard.press("Control+F9");
    await page.locator("#point-condition").fill("threat > 1000000");
    await page.keyboard.press("Enter");
    await game.kill();
    await page.locator('.session[data-state="lost"]', { hasText: "lost since" }).waitFor({ timeout: 20_000 });
    await page.locator(".agent .unknown", { hasText: "not known" }).waitFor();
    await game.start();
    await page.locator('.session[data-state="attached"]').waitFor({ timeout: 30_000 });
    await page.locator(".agent-head h2", { hasText: WOLF }).waitFor();
    await page.locator(".agent .unknown").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Alt+b");
    await page.locator(".points tr", { hasText: "threat > 1000000" }).first().waitFor();
  }, 120_000);
});
