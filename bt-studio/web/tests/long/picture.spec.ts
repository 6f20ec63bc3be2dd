// The pictures of the studio in the book: `npm run test:long -- picture` writes them anew.

import { resolve } from "node:path";
import { afterAll, it } from "vitest";
import { attach, choose, goToNode, startGame } from "../browser/game.ts";
import { closeBrowser, goTo, open, type Studio, start } from "../browser/studio.ts";

afterAll(closeBrowser);

async function shoot({ page }: Studio, name: string): Promise<void> {
  await page.mouse.move(2, 2);
  await page.waitForTimeout(600);
  await page.screenshot({ path: resolve(import.meta.dirname, `../../../../docs/src/images/${name}.png`) });
}

it("writes the picture of the editor", async () => {
  const studio = await start({ width: 1080, height: 620 });
  const { page } = studio;
  await open(studio, "patrol.json");
  await page.locator(".hints button").click();
  await open(studio, "hunt.json");
  await goTo(studio, 16);
  await shoot(studio, "studio");
  await studio.close();
});

it("writes the pictures of the debugger", async () => {
  const game = await startGame(12, ["--speed", "1"]);
  const studio = await start({ env: game.env, width: 1280, height: 760 });
  const { page } = studio;
  await open(studio, "patrol.json");
  await page.locator(".hints button").click();
  await attach(studio);
  await choose(studio, "wolf#2");
  await page.locator(".log-row").first().waitFor();
  // It stands still: its route is gone. The node that fails comes into view.
  await page.locator(".explain .link", { hasText: "node 14" }).first().click();
  await page.waitForTimeout(1_500);
  await shoot(studio, "studio-why");
  await page.keyboard.press("Control+Alt+t");
  await page.keyboard.press("Alt+PageUp");
  await page.locator(".past").waitFor();
  await page.locator(".memory .name").first().click();
  await page.locator(".write-list li").first().waitFor();
  await shoot(studio, "studio-time");
  await page.keyboard.press("Alt+End");
  await goToNode(studio, 11);
  await page.keyboard.press("F9");
  await page.locator(".stopped-at").waitFor({ timeout: 60_000 });
  await page.keyboard.press("Control+Alt+b");
  await page.locator(".points td").first().waitFor();
  await shoot(studio, "studio-stop");
  await studio.close();
  await game.end();
});
