// The picture: all of a tree at once with letters that can be read, nothing over it, gaps that one can drop into.

import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Box, closeBrowser, focusedBox, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

async function shot({ page }: Studio, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** How large the smallest letters are, and how many cards are wholly in view. */
async function seen({ page }: Studio): Promise<{ letters: number; cards: number }> {
  await page.waitForTimeout(400);
  const canvas = page.locator("canvas.canvas");
  return {
    letters: Number(await canvas.getAttribute("data-letters")),
    cards: Number(await canvas.getAttribute("data-seen")),
  };
}

/** The place of a node's card. */
async function boxOf(studio: Studio, idx: number): Promise<Box> {
  await goTo(studio, idx);
  return focusedBox(studio);
}

describe("a tree of twenty nodes", () => {
  it("is opened as a whole, with letters of 11 pixels and more, in both layouts", async () => {
    const studio = await start();
    const { page } = studio;
    for (const tree of ["hunt.json", "patrol.json", "flee.json"]) {
      await open(studio, tree);
      const count = Number(/(\d+) nodes/.exec((await page.locator(".status").textContent())!)![1]);
      for (const layout of ["right", "down"]) {
        const { letters, cards } = await seen(studio);
        await shot(studio, `fit-${tree}-${layout}`);
        expect(letters, `${tree}, ${layout}`).toBeGreaterThanOrEqual(11);
        if (count <= 20) expect(cards, `${tree}, ${layout}`).toBe(count);
        await page.keyboard.press("T");
      }
    }
    await studio.close();
  });

  it("shows at least six cards in a window of 1024 pixels, with letters that can be read", async () => {
    const studio = await start({ width: 1024, height: 768 });
    const { page } = studio;
    await open(studio, "hunt.json");
    for (const layout of ["right", "down"]) {
      const { letters, cards } = await seen(studio);
      await shot(studio, `fit-1024-${layout}`);
      expect(letters, layout).toBeGreaterThanOrEqual(11);
      expect(cards, layout).toBeGreaterThanOrEqual(6);
      await page.keyboard.press("T");
    }
    // All of it at once, however small, is one key away.
    await page.keyboard.press("F");
    expect((await seen(studio)).cards).toBe(20);
    await studio.close();
  });
});

describe("the picture", () => {
  it("has nothing over it: neither the small map nor the hints", async () => {
    const studio = await start({ width: 1024, height: 768 });
    const { page } = studio;
    await open(studio, "auto_play.json");
    await page.locator(".minimap:not([hidden])").waitFor();
    const canvas = (await page.locator("canvas.canvas").boundingBox())!;
    for (const part of [".hints", ".minimap"]) {
      const box = (await page.locator(part).boundingBox())!;
      const isApart =
        box.x + box.width <= canvas.x ||
        box.x >= canvas.x + canvas.width ||
        box.y + box.height <= canvas.y ||
        box.y >= canvas.y + canvas.height;
      expect(isApart, part).toBe(true);
    }
    await shot(studio, "fit-map");
    // The map still leads there.
    const map = (await page.locator(".minimap").boundingBox())!;
    const before = await page.locator("canvas.canvas").getAttribute("data-focus");
    await page.mouse.click(map.x + map.width / 2, map.y + map.height - 12);
    await page.waitForTimeout(400);
    expect(await page.locator("canvas.canvas").getAttribute("data-focus")).not.toBe(before);
    // In another language, and back, one looks where one did.
    const there = await focusedBox(studio);
    for (const name of ["English", "中文"]) {
      await page.keyboard.press("Control+Alt+l");
      await page.locator(".status button", { hasText: name }).waitFor();
    }
    expect(await focusedBox(studio)).toEqual(there);
    await studio.close();
  });

  it("takes a node that is dropped into the gap between siblings, with a ghost and the keys for it", async () => {
    for (const layout of ["right", "down"]) {
      const studio = await start();
      const { page } = studio;
      await open(studio, "hunt.json");
      if (layout === "down") await page.keyboard.press("T");
      const [first, second] = [await boxOf(studio, 17), await boxOf(studio, 18)];
      const last = await boxOf(studio, 19);
      await page.mouse.move(last.x + 30, last.y + 10);
      await page.mouse.down();
      await page.mouse.move(last.x + 40, last.y + 30, { steps: 4 });
      await page.mouse.move(first.x + 40, (first.y + first.height + second.y) / 2, { steps: 4 });
      await page.locator("#ghost .ghost-card", { hasText: "patrol.json" }).waitFor();
      await page
        .locator("#ghost .ghost-place", { hasText: "in always_seq #1, behind set_key_value #17" })
        .waitFor();
      await page.locator("#ghost .ghost-keys", { hasText: "Alt+↑, Alt+↓ among the siblings" }).waitFor();
      await shot(studio, `drop-${layout}`);
      await page.mouse.up();
      await page.locator("[aria-label='not saved']").waitFor();
      await save(studio);
      const { nodes } = JSON.parse(studio.text("hunt.json")) as {
        nodes: { idx: number; children: number[] }[];
      };
      expect(nodes.find(({ idx }) => idx === 1)!.children).toEqual([2, 17, 19, 18]);
      await studio.close();
    }
  });
});
