// The main views of the page, in both themes, both languages and three sizes: axe finds nothing in them, nothing
// stands beside the page, and each is reached and left on a telephone as well.

import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { violationsIn } from "./axe.ts";
import { TREES, withGame } from "./fake-studio.ts";
import { attach, choose } from "./game.ts";
import { closeBrowser, goTo, open, type Studio, start } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio;
afterEach(() => studio?.close());

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 800],
] as const;

/** The views, each reached from the one before. */
const VIEWS: [name: string, show: (studio: Studio) => Promise<void>][] = [
  ["first", ({ page }) => page.locator(".tree-card").first().waitFor()],
  ["tree", (studio) => open(studio, "hunt.json")],
  [
    "inspector",
    async (studio) => {
      if ((await studio.page.locator(".inspector").count()) === 0)
        await studio.page.keyboard.press("Control+i");
      await goTo(studio, 10);
    },
  ],
  ["picker", (studio) => dialog(studio, "/")],
  ["problems", (studio) => panel(studio, "Control+Shift+m", ".bottom")],
  ["text", (studio) => panel(studio, "F4", ".raw .cm-line")],
  [
    "compare",
    async (studio) => {
      await panel(studio, "F4", "canvas.canvas");
      await studio.page.keyboard.press("X");
      await studio.page.locator(".tab [role=img]").waitFor();
      await dialog(studio, "Control+Alt+d");
    },
  ],
  ["blackboard", (studio) => panel(studio, "B", ".keys-panel .key")],
  ["help", (studio) => dialog(studio, "F1")],
  [
    "game",
    async (studio) => {
      await attach(studio);
      await choose(studio, "wolf#2");
    },
  ],
  [
    "stopped",
    async ({ page }) => {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("F6");
      await page.locator(".stopped-at").waitFor();
    },
  ],
  [
    "moment",
    async ({ page }) => {
      await page.keyboard.press("F5");
      await page.locator(".stopped-at").waitFor({ state: "detached" });
      await page.keyboard.press("Alt+PageUp");
      await page.locator(".past").waitFor();
      await page.keyboard.press("Control+Alt+t");
      await page.locator(".log-row").first().waitFor();
    },
  ],
];

async function panel({ page }: Studio, keys: string, part: string): Promise<void> {
  await page.locator("canvas.canvas").focus();
  await page.keyboard.press(keys);
  await page.locator(part).first().waitFor();
}

async function dialog(studio: Studio, keys: string): Promise<void> {
  await panel(studio, keys, "dialog[open]");
}

/** Shows each view in turn; what is open above the page is closed behind it. */
async function eachView(look: (view: string) => Promise<void>): Promise<void> {
  const { page } = studio;
  for (const [view, show] of VIEWS) {
    await show(studio);
    await look(view);
    if ((await page.locator("dialog[open]").count()) === 0) continue;
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
  }
}

async function begin(options: Parameters<typeof start>[0] = {}): Promise<void> {
  const game = new FakeGame(8000, 10, TREES, [0, 1, 2, 5]);
  studio = await start({ ...options, before: (page) => withGame(page, game) });
  await studio.page.emulateMedia({ reducedMotion: "reduce" });
}

async function shot(name: string): Promise<void> {
  if (process.env.SHOTS) await studio.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** What is beside the window, without a way to scroll to it. */
async function beside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [width, height] = [innerWidth, innerHeight];
    const { scrollWidth, scrollHeight } = document.documentElement;
    const found =
      scrollWidth > width || scrollHeight > height ? [`page: ${scrollWidth} x ${scrollHeight}`] : [];
    const canScroll = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflow) || canScroll(element.parentElement));
    for (const element of document.querySelectorAll("button, input, select, textarea, h2, canvas")) {
      const { left, right, bottom, width: wide } = element.getBoundingClientRect();
      if (wide < 2 || canScroll(element)) continue;
      if (left < 0 || right > width + 1 || bottom > height + 1) found.push(element.outerHTML.slice(0, 120));
    }
    return found;
  });
}

/** Whether the picture in a dialog is painted in dark colours. */
async function isDark(page: Page): Promise<boolean> {
  await page.waitForTimeout(200);
  return page.evaluate(() => {
    const read = document.createElement("canvas").getContext("2d");
    read?.drawImage(document.querySelector<HTMLCanvasElement>("dialog canvas")!, 0, 0);
    return (read?.getImageData(2, 2, 1, 1).data[0] ?? 0) < 128;
  });
}

describe("the main views", () => {
  for (const [width, height] of SIZES) {
    it(`pass axe and stay in a window of ${width} x ${height}, in both themes`, async () => {
      await begin({ width, height });
      const { page } = studio;
      const found: Record<string, string[]> = {};
      await eachView(async (view) => {
        await page.mouse.move(2, 2);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const name = `${view}-${width}-${colorScheme}`;
          await shot(name);
          if (view === "compare") expect(await isDark(page), name).toBe(colorScheme === "dark");
          // The themes differ in their colours alone.
          const rules = colorScheme === "dark" ? { rules: ["color-contrast"] } : {};
          const all = [...(await violationsIn(page, rules)), ...(await beside(page))];
          if (all.length > 0) found[name] = all;
        }
      });
      expect(found).toEqual({});
      expect(studio.complaints).toEqual([]);
    }, 300_000);
  }
});

describe("a telephone", () => {
  it("has every view in its width in Chinese as well", async () => {
    await begin({ width: 390, height: 800, language: "zh-CN" });
    const found: Record<string, string[]> = {};
    await eachView(async (view) => {
      await shot(`${view}-390-zh`);
      const all = await beside(studio.page);
      if (all.length > 0) found[view] = all;
    });
    expect(found).toEqual({});
  });

  it("shows one part at a time below the picture, by the buttons at the top", async () => {
    await begin({ width: 390, height: 800 });
    const { page } = studio;
    const button = (id: string) => page.locator(`.toolbar [data-command="${id}"]`);
    const parts = () => page.locator(".side, .inspector, .bottom").count();
    expect(await parts()).toBe(0);
    await page.locator(".tree-card strong", { hasText: /^hunt.json$/ }).click();
    await page.locator("canvas.canvas").waitFor();
    expect((await page.locator("canvas.canvas").boundingBox())!.height).toBeGreaterThan(500);
    for (const [id, part] of [
      ["inspector", ".inspector"],
      ["problems", ".bottom"],
      ["sidebar", ".side"],
      ["nodes", "#nodes-list"],
    ] as const) {
      await button(id).click();
      await page.locator(part).waitFor();
      expect(await parts(), id).toBe(1);
      expect((await page.locator("canvas.canvas").boundingBox())!.height, id).toBeGreaterThan(200);
    }
    await page.locator(".side > .close").click();
    await page.locator(".side").waitFor({ state: "detached" });
  });
});
