// Pieces of work as people do them: ten keystrokes, fixing, drag, two clients, read-only.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

describe("a wrong node in a folder of 200 trees", () => {
  it("is found and fixed in ten keystrokes", async () => {
    const studio = await start({
      files: (folder) => {
        const text = readFileSync(join(folder, "patrol.json"), "utf8");
        for (let at = 0; at < 200; at++) writeFileSync(join(folder, `copy${at}.json`), text);
        writeFileSync(join(folder, "copy123.json"), text.replace(/"seconds": 12\b/, '"seconds": 1234'));
      },
    });
    const { page } = studio;
    expect(studio.text("copy123.json")).toContain("1234");
    let strokes = 0;
    const stroke = async (key: string) => {
      strokes++;
      await page.keyboard.press(key);
    };
    // A text typed into one field counts as one.
    const text = async (what: string) => {
      strokes++;
      await page.keyboard.type(what);
    };
    await stroke("Control+f");
    await page.locator(".find-form input[type=search]:focus").waitFor();
    await text("1234");
    await stroke("Enter");
    await page.locator(".bottom .problem:focus").waitFor();
    await stroke("Enter");
    await page.locator("canvas.canvas:focus").waitFor();
    await page.locator(".node [data-first]").waitFor();
    await stroke("Enter");
    await page.locator("[data-first]:focus").waitFor();
    await text("12");
    await stroke("Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    await stroke("Control+s");
    await page.locator("[aria-label='not saved']").waitFor({ state: "detached" });
    expect(studio.text("copy123.json")).toBe(studio.text("copy122.json"));
    expect(strokes).toBeLessThanOrEqual(10);
    await studio.close();
  });
});

describe("a problem with a fix", () => {
  it("shows on the node and in the list, and is fixed by a key and by a click, with undo", async () => {
    const studio = await start({
      files: (folder) => {
        const path = join(folder, "hunt.json");
        writeFileSync(
          path,
          readFileSync(path, "utf8").replace('"action_name": "smash"', '"action_name": "search_target"'),
        );
      },
    });
    const { page } = studio;
    const broken = studio.text("hunt.json");
    await open(studio, "hunt.json");
    await goTo(studio, 12);
    await page.locator(".node .problem-list [data-level]").first().waitFor();
    for (const way of ["key", "click"]) {
      if (way === "key") {
        await page.keyboard.press("Control+.");
        await page.locator("dialog .problem:focus").waitFor();
        await page.keyboard.press("Enter");
      } else {
        await page.locator(".node .problem-list button").click();
      }
      await page.locator(".node-head h2", { hasText: "find_target" }).waitFor();
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("Control+z");
      await page.locator(".node-head h2", { hasText: "search_target" }).waitFor();
    }
    await save(studio);
    expect(studio.text("hunt.json")).toBe(broken);
    await studio.close();
  });
});

describe("a node", () => {
  it("moves by dragging, to between siblings and into a parent that takes it", async () => {
    const studio = await start();
    const { page } = studio;
    const before = studio.text("hunt.json");
    await open(studio, "hunt.json");
    const canvas = page.locator("canvas.canvas");
    const frame = (await canvas.boundingBox())!;
    /** The place of a card on the screen, a bit inside of its upper left corner. */
    const cornerOf = async (idx: number) => {
      await goTo(studio, idx);
      await page.waitForTimeout(300);
      const [x, y] = (await canvas.getAttribute("data-focus"))!.split(" ").map(Number) as [number, number];
      return { x: frame.x + x + 30, y: frame.y + y + 3 };
    };
    const before17 = await cornerOf(17);
    const from = await cornerOf(18);
    await page.mouse.move(from.x, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y - 8, { steps: 3 });
    await page.mouse.move(before17.x, before17.y, { steps: 5 });
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "drag.png") });
    await page.mouse.up();
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    const children = (JSON.parse(studio.text("hunt.json")) as { nodes: { children: number[] }[] }).nodes[1]!
      .children;
    expect(children).not.toEqual([2, 17, 18, 19]);
    expect(children).toContain(18);
    await page.keyboard.press("Control+z");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    expect(studio.text("hunt.json")).toBe(before);
    await studio.close();
  });
});

describe("an argument", () => {
  async function given(studio: Studio): Promise<unknown> {
    await save(studio);
    const { nodes } = JSON.parse(studio.text("hunt.json")) as {
      nodes: { idx: number; extra: { action_args: unknown } }[];
    };
    return nodes.find(({ idx }) => idx === 18)?.extra.action_args;
  }

  it("changes its value, becomes a key, and goes back by undo", async () => {
    const studio = await start();
    const { page } = studio;
    const before = studio.text("hunt.json");
    await open(studio, "hunt.json");
    await goTo(studio, 18);
    await page.keyboard.press("Enter");
    await page.locator("[data-first]:focus").waitFor();
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    expect(JSON.stringify(await given(studio))).toBe(
      '[{"arg_type":"plain","arg_value":7},{"arg_type":"plain","arg_value":2}]',
    );
    await page.locator(".argument select").first().selectOption("key");
    await page.locator(".argument input[list]").first().fill("prey");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(400);
    expect(JSON.stringify(await given(studio))).toBe(
      '[{"arg_type":"blackboard","arg_value":"prey"},{"arg_type":"plain","arg_value":2}]',
    );
    await page.locator("canvas.canvas").focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press("Control+z");
    await page.waitForTimeout(500);
    await save(studio);
    expect(studio.text("hunt.json")).toBe(before);
    await studio.close();
  });
});

describe("the keyboard", () => {
  it("goes into a node and back, and then acts on the tree again", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 9);
    // The weights are what one goes to first: one for each child, by its name.
    await page.keyboard.press("Enter");
    await page.locator("[data-first]:focus").waitFor();
    expect(await page.locator("[data-first]:focus").inputValue()).toBe("4");
    await page.keyboard.press("Escape");
    await page.locator("canvas.canvas:focus").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator(".node-head .number", { hasText: /^#10$/ }).waitFor();
    await page.waitForTimeout(300);
    expect(await page.locator("canvas.canvas:focus").count()).toBe(1);
    await page.keyboard.press("G");
    await page.locator(".picker input:focus").waitFor();
    await studio.close();
  });
});

describe("a script", () => {
  it("shows its picture and its text, and is saved as a tree that can be edited", async () => {
    const script = "AGENT monster_agent\nSEQUENCE True\n    nop\n    nop\n";
    const studio = await start({ files: (folder) => writeFileSync(join(folder, "calm.bt"), script) });
    const { page } = studio;
    await open(studio, "calm.bt");
    await page.locator(".raw .cm-line", { hasText: "SEQUENCE" }).waitFor();
    await page.keyboard.press("Control+Shift+s");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tab [data-tip='calm.json']").waitFor();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(studio.text("calm.bt")).toBe(script);
    const { nodes } = JSON.parse(studio.text("calm.json")) as { nodes: unknown[] };
    expect(nodes).toHaveLength(4);
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("X");
    await page.locator("[aria-label='not saved']").waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "script.png") });
    await studio.close();
  });
});
