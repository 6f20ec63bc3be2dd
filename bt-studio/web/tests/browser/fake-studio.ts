// The real studio with a game that is not there: requests about games are answered by numbers. It is for pictures
// and for what a real game does not do on demand.

import type { Page } from "playwright-core";
import type { Methods } from "../../src/net/protocol.ts";
import type { FakeGame } from "../unit/fake-game.ts";
import { violationsIn } from "./axe.ts";
import { type Studio, start } from "./studio.ts";

/** Trees of a game: one as in the project, one with another text, one that the project has not. */
export const TREES = {
  "hunt.json": { hash: "a", path: "hunt.json", same: true },
  "flee.json": { hash: "b", path: "flee.json", same: false },
  "lost.json": { hash: "c" },
};

/** A studio that is attached to a made game and shows an agent of it. */
export async function startAttached(
  game: FakeGame,
  options: { dark?: boolean; width?: number } = {},
): Promise<Studio> {
  const studio = await start({ ...options, before: (page) => withGame(page, game) });
  const { page } = studio;
  await page.keyboard.press("Control+Alt+a");
  await page.locator("dialog .choice").first().click();
  await page.locator(".agents input.filter").fill("wolf#2");
  await page.locator(".agent-row .name", { hasText: "wolf#2" }).first().waitFor();
  await page.locator(".agents input.filter").press("Enter");
  await page.locator(".agent-head h2", { hasText: "wolf#2" }).waitFor();
  // On a telephone one part is shown at a time.
  if (options.width !== 390) await page.locator(".log-row").first().waitFor();
  return studio;
}

/** What axe finds in a part of the page. */
export function findings({ page }: Studio, part: string): Promise<string[]> {
  return violationsIn(page, { part });
}

/** Stands between the page and the server. It has to be there before the page is loaded. */
export async function withGame(page: Page, game: FakeGame): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    game.emit = (method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
    socket.onMessage((message) => {
      const { id, method, params } = JSON.parse(String(message)) as {
        id: number;
        method: keyof Methods;
        params: Methods[keyof Methods][0];
      };
      if (!game.knows(method)) {
        server.send(message);
        return;
      }
      game.call(method, params).then(
        (result) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, result })),
        (error: Error) =>
          socket.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 4, message: error.message } })),
      );
    });
  });
}
