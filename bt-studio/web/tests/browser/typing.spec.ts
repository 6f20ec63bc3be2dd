// Letters are commands with the canvas focused only: nobody deletes a node by typing its name.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  extra: { action_args?: { arg_type: string; arg_value: unknown }[] };
}

/** The nodes of a tree, which is saved if there is something to save. */
async function nodes(studio: Studio, path: string): Promise<Node[]> {
  await save(studio);
  return (JSON.parse(studio.text(path)) as { nodes: Node[] }).nodes;
}

/** Types as a person does who thinks between two letters: slower than a field waits. */
async function typeSlowly({ page }: Studio, text: string): Promise<void> {
  for (const letter of text) {
    await page.keyboard.type(letter);
    await page.waitForTimeout(500);
  }
}

describe("the inspector", () => {
  it("keeps the focus and the caret when a value becomes a key, however slowly one types", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 16);
    const argument = page.locator(".argument").nth(1);
    await argument.locator("select").first().selectOption("key");
    const field = argument.locator("input[type=text]");
    await field.focus();
    await typeSlowly(studio, "exit");
    expect(await field.inputValue()).toBe("exit");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    // The caret stays where one types, in the middle as well.
    await page.keyboard.press("ArrowLeft");
    await typeSlowly(studio, "ab");
    expect(await field.inputValue()).toBe("exiabt");
    const now = await nodes(studio, "hunt.json");
    expect(now).toHaveLength(20);
    expect(now[16]?.extra.action_args?.[1]).toEqual({ arg_type: "blackboard", arg_value: "exiabt" });
    await studio.close();
  });

  it("keeps a field that becomes another one by what is typed", async () => {
    const studio = await start({
      files: (folder) => {
        const path = join(folder, "hunt.json");
        writeFileSync(path, readFileSync(path, "utf8").replace('"seconds": 45', '"seconds": "long"'));
      },
    });
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 2);
    // What is no number is edited as JSON; once it is one, it is a number field.
    const field = page.locator(".node .part textarea.code").first();
    await field.focus();
    await field.press("Control+a");
    await typeSlowly(studio, "45");
    expect(await field.inputValue()).toBe("45");
    await page.keyboard.press("Tab");
    await page.locator(".node .part input[role=spinbutton]").first().waitFor();
    await save(studio);
    expect(studio.text("hunt.json")).toContain('"seconds": 45');
    await studio.close();
  });
});

describe("letters", () => {
  it("are no commands while nothing, a button or a field has the focus", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 16);
    const nobody = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await nobody();
    await page.keyboard.type("exit?");
    expect(await page.locator("dialog").count()).toBe(0);
    await page.locator(".node .buttons button").first().focus();
    await page.keyboard.type("xg");
    expect(await page.locator("dialog").count()).toBe(0);
    expect(await nodes(studio, "hunt.json")).toHaveLength(20);
    await page.locator("canvas.canvas").focus();
    await page.keyboard.type("x");
    await page.locator("[aria-label='not saved']").waitFor();
    await studio.close();
  });

  it("are commands at once when a tree was opened, by mouse as well", async () => {
    const studio = await start();
    const { page } = studio;
    await page.locator(".side .row", { hasText: "hunt.json" }).click();
    await page.locator("canvas.canvas:focus").waitFor();
    await page.keyboard.press("M");
    await page.locator("[data-comment] textarea:focus").waitFor();
    await studio.close();
  });
});
