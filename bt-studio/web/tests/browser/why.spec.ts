// Why does it stand still: the deciding sentence first, answers in the panel, what fails in every poll at the top.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { startAttached, TREES } from "./fake-studio.ts";
import { goToNode } from "./game.ts";
import { closeBrowser, type Studio } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
afterEach(() => studio?.close());

/** Whether the head of a part of the panel can be seen. */
function isInView(part: Element): boolean {
  const { top } = part.getBoundingClientRect();
  const panel = part.closest(".beside-scroll")!.getBoundingClientRect();
  return top >= panel.top - 1 && top < panel.bottom;
}

describe("why it waits", () => {
  it("begins with what decides, with all else in a line each", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    game.why = [
      "hunt.json runs; at 12 s",
      "refused: hunt.json: node 2 (timeout)",
      "  its guard `near` does not hold",
      "  last evaluated in poll 7",
      "waiting: hunt.json: node 5 (action `chase`)",
      "  since 3 s",
    ];
    studio = await startAttached(game);
    const parts = studio.page.locator('[data-part="why"] .why-part');
    await parts.nth(1).waitFor();
    expect(await parts.nth(0).getAttribute("data-kind")).toBe("waiting");
    // All of it is one line, so there is nothing to unfold.
    expect(await parts.nth(0).locator(".reason").textContent()).toContain("since 3 s");
    expect(await parts.nth(0).locator(".turn").count()).toBe(0);
    // The reason is seen without a click, and whether it decides.
    expect(await parts.nth(1).locator(".turn").getAttribute("aria-expanded")).toBe("false");
    expect(await parts.nth(1).locator(".summary").textContent()).toContain("`near` does not hold");
    expect(await parts.nth(1).locator(".decides").textContent()).toBe("does not decide now");
    await parts.nth(1).locator(".turn").click();
    await parts.nth(1).locator("p", { hasText: "poll 7" }).waitFor();
  });

  it("shows a long value whole: nothing of it is cut at the edge", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    game.why = [
      "hunt.json runs; at 12 s",
      "waiting: hunt.json: node 5 (action `chase`)",
      '  with key `spot` = {"x":21.011264647905847,"y":0.30937930912345678,"z":0.30937930912345678}',
      "  since 3 s",
    ];
    studio = await startAttached(game);
    const why = studio.page.locator('[data-part="why"]');
    await why.locator(".reason", { hasText: "spot" }).waitFor();
    const panel = studio.page.locator(".beside-scroll");
    const beyond = await panel.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(beyond).toBeLessThanOrEqual(0);
  });

  it("says that nothing waits where the tree succeeds in every poll", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    game.why = ["hunt.json runs; at 12 s"];
    game.isIdle = true;
    studio = await startAttached(game);
    await studio.page
      .locator('[data-part="why"] .idle', { hasText: "Nothing waits: the tree succeeds in every poll." })
      .waitFor();
  });
});

describe("an answer", () => {
  it("stands in the panel, with the weights above the node, and covers nothing", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    studio = await startAttached(game);
    const { page } = studio;
    await page.keyboard.press("Control+i");
    await goToNode(studio, 10);
    await page.keyboard.press("Control+Alt+q");
    const answer = page.locator('[data-part="answer"]');
    await answer.locator("p", { hasText: "node 5 failed" }).waitFor();
    await answer.locator("p", { hasText: "node 10 has 4 of 5" }).waitFor();
    expect(await page.locator(".toast").count()).toBe(0);
    await answer.locator(".close").click();
    await answer.waitFor({ state: "detached" });
    // It is seen wherever the panel stands.
    await page.locator(".beside-scroll").evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Control+Alt+q");
    await expect.poll(() => answer.evaluate(isInView)).toBe(true);
    await answer.locator(".close").click();
    await answer.waitFor({ state: "detached" });
  });
});

describe("the list of agents", () => {
  it("says of one that fails in every poll that it does, and for how long", async () => {
    const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
    game.failing.set("4", 12_000_000_000);
    studio = await startAttached(game);
    const { page } = studio;
    await page.locator(".agents input.filter").fill("wolf#4");
    await page.locator(".agent-row .fails", { hasText: "fails every poll, 12 s" }).waitFor();
  });
});
