// How quick the page is with large trees: `npm run test:long -- speed`. It prints figures; `STRICT=1` also holds them to the goals.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, start } from "../browser/studio.ts";

afterAll(closeBrowser);

/** A tree of this many nodes: composites of four children, actions with arguments and guards at the ends. */
function bigTree(count: number): string {
  const nodes = [];
  for (let idx = 0; idx < count; idx++) {
    const children: number[] = [];
    const first = idx === 0 ? 1 : idx * 4 - 2;
    for (let child = first; child < first + (idx === 0 ? 1 : 4) && child < count; child++)
      children.push(child);
    const parent = idx === 0 ? undefined : idx === 1 ? 0 : Math.floor((idx + 2) / 4);
    const isLeaf = children.length === 0;
    const guards = [{ condition_name: "should_flee", condition_args: [] }];
    const leaf = {
      action_name: "wait_for_seconds",
      action_args: [{ arg_type: "plain", arg_value: idx % 9 }],
      ...(idx % 7 === 0 && { guards }),
    };
    nodes.push({
      children,
      color: 0xffffffff,
      comment: idx % 5 === 0 ? `Node number ${idx} waits for a while.` : "",
      extra: idx === 0 ? { agent_name: "monster_agent" } : isLeaf ? leaf : {},
      idx,
      is_collapsed: false,
      ...(parent !== undefined && { parent }),
      type: idx === 0 ? "root" : isLeaf ? "action" : ["sequence", "select"][idx % 2],
    });
  }
  return JSON.stringify({ extra: {}, name: "big.json", nodes }, null, 2);
}

/** Frames a second while something is done in every frame for two seconds. */
async function framesOf(page: Page, kind: "pan" | "zoom" | "drag"): Promise<number> {
  return page.evaluate(async (what) => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.canvas")!;
    const box = canvas.getBoundingClientRect();
    const at = (x: number, y: number) => ({
      clientX: box.left + x,
      clientY: box.top + y,
      bubbles: true,
      pointerId: 1,
    });
    const pointer = (name: string, x: number, y: number) =>
      canvas.dispatchEvent(new PointerEvent(name, { ...at(x, y), button: 0, buttons: 1 }));
    canvas.setPointerCapture = () => undefined;
    const press = what === "drag" ? { x: box.width / 2, y: box.height / 2 } : { x: 5, y: 5 };
    if (what !== "zoom") pointer("pointerdown", press.x, press.y);
    let frames = 0;
    const begin = performance.now();
    while (performance.now() - begin < 2000) {
      await new Promise((next) => requestAnimationFrame(next));
      frames++;
      const swing = Math.sin(frames / 12);
      if (what === "zoom") {
        const wheel = { ...at(box.width / 2, box.height / 2), deltaY: swing * 40, cancelable: true };
        canvas.dispatchEvent(new WheelEvent("wheel", wheel));
      } else {
        pointer("pointermove", press.x + swing * 200, press.y + swing * 120);
      }
    }
    const seconds = (performance.now() - begin) / 1000;
    if (what !== "zoom") pointer("pointercancel", press.x, press.y);
    return frames / seconds;
  }, kind);
}

describe("speed", () => {
  it("is what the book says", async () => {
    const figures: Record<string, number> = {};
    const studio = await start({
      files: (folder) => {
        writeFileSync(join(folder, "big.json"), bigTree(10_000));
        writeFileSync(join(folder, "half.json"), bigTree(5_000));
      },
    });
    const { page } = studio;
    figures["first paint, ms"] = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
    );
    let begin = Date.now();
    await open(studio, "hunt.json");
    figures["a tree of 20 nodes opened, ms (typing included)"] = Date.now() - begin;
    begin = Date.now();
    page.setDefaultTimeout(60_000);
    await page.evaluate(() => performance.clearMeasures());
    await open(studio, "big.json");
    figures["10,000 nodes opened, ms"] = Date.now() - begin;
    await page.waitForTimeout(1500);
    figures["10,000 nodes laid out, ms"] = await page.evaluate(() =>
      Math.max(...performance.getEntriesByName("layout").map((entry) => entry.duration)),
    );
    for (const [zoom, keys] of [
      ["near", []],
      ["middle", ["-", "-", "-", "-"]],
      ["all", ["F"]],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForTimeout(300);
      for (const kind of ["pan", "zoom", "drag"] as const) {
        if (kind === "zoom" || zoom !== "all")
          figures[`${kind}, ${zoom}: frames a second`] = await framesOf(page, kind);
        else figures[`${kind}, all: frames a second`] = await framesOf(page, kind);
      }
    }
    await open(studio, "half.json");
    await goTo(studio, 2000);
    await page.keyboard.press("M");
    await page.locator("[data-comment] textarea:focus").waitFor();
    const late: number[] = [];
    for (const letter of "It waits, and then it goes on with what it did.") {
      await page.evaluate(() => {
        (window as never as Record<string, unknown>).shown = new Promise((done) => {
          document.addEventListener(
            "keydown",
            () => {
              const pressed = performance.now();
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - pressed)));
            },
            { once: true, capture: true },
          );
        });
      });
      await page.keyboard.type(letter);
      late.push(
        await page.evaluate(
          () => (window as never as Record<string, Promise<number>>).shown as Promise<number>,
        ),
      );
    }
    late.sort((one, other) => one - other);
    figures["typing at 5,000 nodes, ms (median)"] = late[Math.floor(late.length / 2)]!;
    figures["typing at 5,000 nodes, ms (slowest)"] = late.at(-1)!;
    for (const [what, figure] of Object.entries(figures))
      console.log(`${figure.toFixed(1).padStart(9)}  ${what}`);
    await studio.close();
    if (!process.env.STRICT) return;
    expect(figures["first paint, ms"]).toBeLessThan(1000);
    expect(figures["10,000 nodes laid out, ms"]).toBeLessThan(150);
    expect(figures["typing at 5,000 nodes, ms (median)"]).toBeLessThan(50);
    for (const [what, figure] of Object.entries(figures)) {
      if (what.endsWith("frames a second")) expect(figure, what).toBeGreaterThan(50);
    }
  });
});
