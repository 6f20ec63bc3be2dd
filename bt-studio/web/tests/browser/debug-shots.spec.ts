// Pictures of the debugger, to be looked at: SHOTS=folder says where to.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { TREES, withGame } from "./fake-studio.ts";
import { closeBrowser, open, type Studio, start } from "./studio.ts";

const TO = process.env.SHOTS;
afterAll(closeBrowser);

async function chooseWolf({ page }: Studio, name = "wolf#2"): Promise<void> {
  await page.keyboard.press("Control+Shift+G");
  await page.locator(".agents input.filter").fill(name);
  await page.locator(".agent-row .name").first().waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await page.locator(".agent-head h2").waitFor();
}

describe.runIf(TO)("pictures of the debugger", () => {
  for (const [name, dark, language] of [
    ["light", false, "en"],
    ["dark", true, "en"],
    ["chinese", false, "zh-CN"],
  ] as const) {
    it(name, async () => {
      const folder = join(TO!, name);
      mkdirSync(folder, { recursive: true });
      const game = new FakeGame(8000, 1000, TREES, [0, 1, 2, 5]);
      const studio = await start({ dark, language, before: (page) => withGame(page, game) });
      const { page } = studio;
      const shot = (title: string) => page.screenshot({ path: join(folder, `${title}.png`) });
      await page.waitForTimeout(400);
      await shot("01-start");
      await page.keyboard.press("Control+Alt+a");
      await page.locator("dialog[open]").waitFor();
      await page.waitForTimeout(200);
      await shot("02-attach");
      await page.locator("dialog .choice").first().click();
      await page.locator(".agent-row .name").first().waitFor();
      await page.waitForTimeout(300);
      await shot("03-agents");
      await chooseWolf(studio);
      await page.locator(".log-row").first().waitFor();
      await page.waitForTimeout(600);
      await shot("04-agent");
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("F9");
      await page.keyboard.press("F6");
      await page.locator(".stopped-at").waitFor();
      await page.waitForTimeout(300);
      await shot("05-stopped");
      await page.keyboard.press("F5");
      await page.keyboard.press("Control+g");
      await page.keyboard.type("3");
      await page.keyboard.press("Enter");
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("Control+Alt+3");
      await page.keyboard.press("Control+Alt+y");
      await page.locator(".profile td").first().waitFor();
      await page.waitForTimeout(300);
      await shot("06-profile-forced");
      await page.keyboard.press("Control+Alt+y");
      await page.keyboard.press("Control+F9");
      await page.locator("dialog[open]").waitFor();
      await shot("07-breakpoint");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Alt+b");
      await page.waitForTimeout(300);
      await shot("08-breakpoints");
      await page.keyboard.press("Control+Alt+j");
      await page.locator(".log-row").first().waitFor();
      await page.keyboard.press("Alt+PageUp");
      await page.keyboard.press("Alt+PageUp");
      await page.waitForTimeout(400);
      await page.keyboard.press("Control+Alt+v");
      await page.keyboard.press("Alt+End");
      await page.waitForTimeout(400);
      await shot("09-sides");
      await page.keyboard.press("Control+Alt+j");
      await page.keyboard.press("Alt+PageUp");
      await page.locator(".log").focus();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowDown");
      await page.waitForTimeout(300);
      await shot("10-past-log");
      await page.keyboard.press("Shift+F10");
      await page.locator(".menu").waitFor();
      await shot("11-row-menu");
      await page.keyboard.press("Escape");
      await page.locator(".memory .name").first().click();
      await page.locator(".write-list li").first().waitFor();
      await page.locator(".beside-scroll").evaluate((element) => element.scrollTo(0, 330));
      await page.waitForTimeout(200);
      await shot("12-writes");
      await page.keyboard.press("Control+Alt+f");
      await page.locator("dialog[open]").waitFor();
      await page.waitForTimeout(200);
      await page.locator("#call-name").fill("hurt");
      await page.waitForTimeout(200);
      await shot("13-fire");
      await page.keyboard.press("Escape");
      game.emit("game.reloaded", {
        session: 1,
        tree: "hunt.json",
        problems: [],
        moved: 12,
        waiting: 2,
        stayed: 0,
        kept: [{ tree: "hunt.json", idx: 1, type: "select", agents: 12 }],
        adopted: [],
        aborted: [{ tree: "hunt.json", idx: 5, type: "action", agents: 3 }],
        entered: [{ tree: "hunt.json", idx: 7, type: "action", agents: 3 }],
        lost: [],
      });
      await page.locator(".reloaded-lists").waitFor();
      await page.waitForTimeout(300);
      await shot("14-reloaded");
      game.change({ state: "lost", why: "the game does not answer", stops: [] });
      await page.waitForTimeout(300);
      await shot("15-lost");
      await page.locator(".game-bar .session").first().focus();
      await page.locator(".menubar button").nth(4).click();
      await page.waitForTimeout(200);
      await shot("16-menu");
      await page.keyboard.press("Escape");
      await open(studio, "flee.json");
      await page.waitForTimeout(300);
      await shot("17-other-tree");
      await studio.close();
    }, 120_000);
  }
});
