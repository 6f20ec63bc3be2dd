// A game of 1,000 agents for minutes: `MINUTES=10 npm run test:long -- thousand`, on a machine that does nothing else. It
// prints figures; `STRICT=1` also holds them to the goals.

import { readFileSync } from "node:fs";
import type { CDPSession } from "playwright-core";
import { afterAll, afterEach, expect, it } from "vitest";
import { attach, choose, type Game, startGame } from "../browser/game.ts";
import { closeBrowser, type Studio, start } from "../browser/studio.ts";

const MINUTES = Number(process.env.MINUTES ?? 1);
/** How often the game is measured with the studio and without it, and for how long, in seconds. */
const PAIRS = Number(process.env.PAIRS ?? 6);
const PART = Number(process.env.PART ?? 5);

let game: Game;
let studio: Studio;
afterEach(async () => {
  await studio?.close();
  await game?.end();
});
afterAll(closeBrowser);

const pause = (seconds: number) => new Promise((next) => setTimeout(next, seconds * 1000));
const middle = (all: number[]) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]!;

/** For how long the game's own thread had a processor so far, in nanoseconds. */
function worked(process: number): number {
  const [nanos] = readFileSync(`/proc/${process}/task/${process}/schedstat`, "utf8").split(" ");
  return Number(nanos);
}

/** Which part of the time the game's thread works. */
async function share(process: number): Promise<number> {
  const [begun, before] = [performance.now(), worked(process)];
  await pause(PART);
  return (worked(process) - before) / 1e6 / (performance.now() - begun);
}

/** What the page holds after everything that nobody needs is gone, in megabytes. */
async function heap(browser: CDPSession): Promise<number> {
  await browser.send("HeapProfiler.collectGarbage");
  const { usedSize } = await browser.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

/** How many frames a second the page draws, while it follows the agent. */
function frames({ page }: Studio): Promise<number> {
  return page.evaluate(async () => {
    const begin = performance.now();
    let frames = 0;
    while (performance.now() - begin < 3000) {
      await new Promise((next) => requestAnimationFrame(next));
      frames++;
    }
    return (frames * 1000) / (performance.now() - begin);
  });
}

it("stays quick and small beside a game of 1,000 agents", async () => {
  game = await startGame(1000);
  studio = await start({ env: game.env });
  const { page } = studio;
  page.setDefaultTimeout(30_000);
  const browser = await page.context().newCDPSession(page);
  const figures: [string, number][] = [];
  const say = (what: string, figure: number) => {
    figures.push([what, figure]);
    console.log(`${figure.toFixed(2).padStart(9)}  ${what}`);
  };

  await attach(studio);
  const { speeds, heaps } = { speeds: [] as number[], heaps: [] as number[] };
  await choose(studio, "wolf#2");
  await page.locator(".log-row").first().waitFor();
  const end = performance.now() + MINUTES * 60_000;
  // What is loaded only once is there after a fifth of the time: two minutes of ten.
  await pause(MINUTES * 12);
  heaps.push(await heap(browser));
  say("MB in the page after a fifth of the time", heaps[0]!);
  while (performance.now() < end) {
    speeds.push(await frames(studio));
    await pause(Math.min(20, MINUTES * 6));
  }
  heaps.push(await heap(browser));
  say("MB in the page at the end", heaps[1]!);
  say("frames a second (median)", middle(speeds));
  say("frames a second (fewest)", Math.min(...speeds));

  // The scene changes all the time: each time with the studio has one without beside it.
  const shares = { list: [] as number[], agent: [] as number[], without: [] as number[] };
  const measure = async (what: keyof typeof shares) => {
    await pause(1);
    shares[what].push(await share(game.process()));
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    await measure("list");
    await page.keyboard.press("Control+Shift+o");
    await page.locator(".outline").waitFor();
    await measure("agent");
    await page.keyboard.press("Shift+F5");
    await page.locator(".game-bar").waitFor({ state: "detached" });
    await measure("without");
    await attach(studio);
    await choose(studio, "wolf#2");
  }
  const more = (what: "list" | "agent") =>
    100 * middle(shares[what].map((share, at) => share - shares.without[at]!));
  say("% of the time the game's thread works without the studio (median)", 100 * middle(shares.without));
  say("% of the time more while an agent is followed (median of pairs)", more("agent"));
  say("% of the time more with the list of all agents, too (median of pairs)", more("list"));
  expect(studio.complaints).toEqual([]);
  expect(heaps[1]! - heaps[0]!).toBeLessThan(10);
  if (!process.env.STRICT) return;
  expect(middle(speeds)).toBeGreaterThan(30);
  expect(more("agent")).toBeLessThan(3);
  expect(more("list")).toBeLessThan(3);
});
