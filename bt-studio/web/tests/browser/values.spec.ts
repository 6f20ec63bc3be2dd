// What expressions come to in a game that is shown: in the tooltip of a node, below its field, and watched.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { goToNode } from "./game.ts";
import { type Planted, startPlanted } from "./planted.ts";
import { closeBrowser, focusedBox } from "./studio.ts";

afterAll(closeBrowser);

let planted: Planted | null = null;
afterEach(async () => {
  await planted?.end();
  planted = null;
});

/** A dog whose guard `near` takes the key `distance`, which holds 9: it never holds. */
async function atGuard(language?: string) {
  planted = await startPlanted("a guard never holds", language === undefined ? {} : { language });
  const { studio } = planted;
  const { page } = studio;
  const why = page.locator('[data-part="why"]');
  // What stands still for its guard.
  const refused = await why.locator('[data-kind="refused"]').textContent();
  return { studio, page, why, idx: Number(/(?:node|节点) (\d+)/.exec(refused ?? "")?.[1]) };
}

describe("the tooltip of a node", () => {
  it("has the value of each key and expression of it while the agent runs its tree", async () => {
    const { studio, page, idx } = await atGuard();
    await goToNode(studio, idx);
    const { x, y, width, height } = await focusedBox(studio);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.move(x + width / 2 + 2, y + height / 2);
    const tip = page.locator("#tip");
    await tip.filter({ hasText: "$distance = 9" }).waitFor();
    await page.mouse.move(2, 2);
    await tip.waitFor({ state: "hidden" });
  });
});

describe("a watched expression", () => {
  it("is typed, shows its value and its operands, is kept when the page is loaded anew, and goes", async () => {
    const { studio, page } = await atGuard();
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Control+Alt+Shift+e");
    const input = page.locator('[data-part="watch"] input');
    await page.locator('[data-part="watch"] input:focus').waitFor();
    await page.keyboard.type("$distance < 5 * 2");
    await page.keyboard.press("Enter");
    const watch = page.locator('[data-watch="$distance < 5 * 2"]');
    await watch.locator(".result", { hasText: "true" }).waitFor();
    expect(await watch.locator(".operands").textContent()).toMatch(/\$distance\s*= 9/);
    // What is wrong with one is said in its place, with the name that was meant.
    await input.focus();
    await page.keyboard.type("$distanse + 1");
    await page.keyboard.press("Enter");
    const wrong = page.locator('[data-watch="$distanse + 1"] .mistake');
    await wrong.filter({ hasText: "did you mean `distance`?" }).first().waitFor();
    expect(await violationsIn(page, { part: ".beside" })).toEqual([]);
    await page.reload();
    await watch.locator(".result", { hasText: "true" }).waitFor();
    await page.locator('[data-watch="$distanse + 1"] button.close').click();
    await page.locator('[data-watch="$distanse + 1"]').waitFor({ state: "detached" });
    expect(await page.locator("[data-watch]").count()).toBe(1);
    expect(studio.complaints).toEqual([]);
  });
});

describe("the field of an expression", () => {
  it("has its value below it, also while one types another one, and gives it to the list", async () => {
    const { studio, page, idx } = await atGuard();
    await goToNode(studio, idx);
    await page.keyboard.press("Enter");
    const guard = page.locator("fieldset[data-at='/extra/guards/0']");
    await guard
      .locator(".field", { hasText: "Asks" })
      .locator("select")
      .selectOption({ label: "Expression" });
    const field = guard.locator("[data-expression] textarea");
    await field.fill("$distance + 1");
    const live = guard.locator(".live-value");
    await live.locator(".result", { hasText: "= 10" }).waitFor();
    await field.fill("$distance > 3");
    await live.locator(".result", { hasText: "= true" }).waitFor();
    await live.locator(".operands", { hasText: "9" }).waitFor();
    await live.locator("button", { hasText: "Watch" }).click();
    await live.locator("button", { hasText: "Watch" }).waitFor({ state: "detached" });
  });
});

describe("why it waits, in Chinese", () => {
  it("says a guard with what it takes in Chinese", async () => {
    const { why } = await atGuard("zh-CN");
    await why.filter({ hasText: "守卫 `near`（键 `distance` = 9） 不成立" }).waitFor();
    expect(await why.locator("[lang=en]").count()).toBe(0);
    // A way to a node begins with its tree, and has nothing of the sentence before it.
    for (const link of await why.locator("button.link").allTextContents())
      expect(link).toMatch(/^main\.json/);
  });

  it("says that a key is not set in Chinese", async () => {
    planted = await startPlanted("a key is never set", { language: "zh-CN" });
    const why = planted.studio.page.locator('[data-part="why"]');
    await why.filter({ hasText: "守卫 `near`（键 `distance`（未设置）） 不成立" }).waitFor();
    expect(await why.locator("[lang=en]").count()).toBe(0);
  });
});
