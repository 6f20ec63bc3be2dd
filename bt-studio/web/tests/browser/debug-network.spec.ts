// What stands between the page, the studio and the game: a server that does not answer, two pages, a narrow one.

import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { findings, startAttached, TREES } from "./fake-studio.ts";
import { closeBrowser, type Studio, start } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
afterEach(() => studio?.close());

it("says that the server does not answer, and that it does again", async () => {
  let isStalled = false;
  const held: (() => void)[] = [];
  studio = await start({
    before: (page) =>
      page.routeWebSocket(/\/ws$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (isStalled) held.push(() => socket.send(message));
          else socket.send(message);
        });
      }),
  });
  const { page } = studio;
  const banner = page.locator(".banner", { hasText: "does not answer" });
  expect(await banner.count()).toBe(0);
  isStalled = true;
  await banner.waitFor({ timeout: 60_000 });
  isStalled = false;
  for (const send of held) send();
  await banner.waitFor({ state: "detached", timeout: 60_000 });
  expect(studio.complaints).toEqual([]);
});

it("shows the debugger at 390 pixels: nothing stands beside the page, and all of it can be reached", async () => {
  studio = await startAttached(new FakeGame(8000, 40, TREES, [0, 1, 2, 5]), { width: 390 });
  const { page } = studio;
  const wide = async () => Number(await page.evaluate("document.documentElement.scrollWidth"));
  expect(await wide()).toBeLessThanOrEqual(390);
  const isInside = async (part: string) => {
    const box = await page.locator(part).first().boundingBox();
    expect(box, part).not.toBeNull();
    expect(box!.x, part).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width, part).toBeLessThanOrEqual(391);
  };
  for (const part of [".agent-head h2", ".game-bar .session"]) await isInside(part);
  await page.keyboard.press("Control+Alt+j");
  await page.locator(".log-row").first().waitFor();
  for (const part of [".log-row", ".strip"]) await isInside(part);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "narrow-log.png") });
  await page.locator("canvas.canvas").focus();
  await page.keyboard.press("F9");
  await page.keyboard.press("Control+Alt+b");
  await page.locator(".points td").first().waitFor();
  await isInside(".game-bottom .close");
  await page.keyboard.press("Control+Alt+y");
  await page.locator(".profile td").first().waitFor();
  expect(await wide()).toBeLessThanOrEqual(390);
  expect(await findings(studio, "body")).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "narrow-profile.png") });
});
