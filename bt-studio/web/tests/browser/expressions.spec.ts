// Expressions: written, seen and repaired by a designer, in guards, checks and arguments.

import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  type: string;
  extra: Record<string, unknown>;
}

function extraOf(studio: Studio, path: string, idx: number): Record<string, unknown> {
  const { nodes } = JSON.parse(studio.text(path)) as { nodes: Node[] };
  return nodes.find((node) => node.idx === idx)!.extra;
}

async function shot({ page }: Studio, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** Types into the list that a key opens, and takes its first row. */
async function pick(page: Page, key: string, text: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator(".picker input:focus").waitFor();
  await page.keyboard.type(text);
  await page.locator("#picker-0").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".picker").waitFor({ state: "detached" });
}

const FIELD = "[data-expression] textarea";

async function accessible(page: Page): Promise<void> {
  expect(await violationsIn(page, { part: ".inspector" })).toEqual([]);
}

describe("a guard", () => {
  it("is typed as an expression, repaired where its mistake is marked, saved and undone", async () => {
    const studio = await start();
    const { page } = studio;
    const before = studio.text("hunt.json");
    await open(studio, "hunt.json");
    await goTo(studio, 1);
    await page.keyboard.press("G");
    await page.locator(".picker input:focus").waitFor();
    // Each category of conditions stands in the list once.
    const sections = await page.locator(".picker .section").allTextContents();
    expect(sections).toEqual([...new Set(sections)]);
    await page.keyboard.press("Escape");
    await pick(page, "G", "$prey = 1");
    await page.locator(`${FIELD}[aria-invalid=true]`).waitFor();
    expect(await page.locator("[data-expression] .in-text mark").textContent()).toBe("=");
    const mistake = page.locator("[data-expression] .mistake");
    expect(await mistake.textContent()).toContain("column 7: `=` is no operator; `==` compares");
    await shot(studio, "expression-mistake");
    await accessible(page);
    await page.locator(FIELD).fill("$prey == 1");
    await page.keyboard.press("Enter");
    await mistake.waitFor({ state: "detached" });
    await page.locator("canvas.canvas").focus();
    await save(studio);
    expect(extraOf(studio, "hunt.json", 1).guards).toEqual([{ if: "$prey == 1" }]);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await save(studio);
    expect(studio.text("hunt.json")).toBe(before);
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });

  it("that asks a condition is turned into the expression that calls it, and back", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 5);
    const guard = page.locator("fieldset", { hasText: "Guards" }).first();
    const asks = guard.locator(".field", { hasText: "Asks" }).locator("select");
    const condition = (extraOf(studio, "hunt.json", 5).guards as { condition_name: string }[])[0]!;
    expect(condition.condition_name).toBe("is_alive");
    await asks.selectOption({ label: "Expression" });
    await guard.locator(FIELD).waitFor();
    expect(await guard.locator(FIELD).inputValue()).toBe("is_alive($prey)");
    await guard.locator(FIELD).fill("is_alive($prey) && $prey != 7");
    await page.locator("canvas.canvas").focus();
    await save(studio);
    expect((extraOf(studio, "hunt.json", 5).guards as object[])[0]).toEqual({
      abort: "self",
      if: "is_alive($prey) && $prey != 7",
    });
    await asks.selectOption({ label: "Condition" });
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("is_moving");
    await page.keyboard.press("Enter");
    await guard.locator(".chooser", { hasText: "is_moving" }).waitFor();
    await page.locator("canvas.canvas").focus();
    await save(studio);
    expect((extraOf(studio, "hunt.json", 5).guards as object[])[0]).toEqual({
      abort: "self",
      condition_name: "is_moving",
      condition_args: [],
    });
    await studio.close();
  });

  it("by an expression of any form is written behind the first row of the list", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 1);
    await page.locator(".buttons button", { hasText: "Add guard" }).click();
    await page.locator(".picker .choice-row", { hasText: "Expression" }).first().click();
    await page.locator(".picker input[placeholder^='Type an expression']:focus").waitFor();
    await page.keyboard.type("sees_enemy()");
    await page.keyboard.press("Enter");
    await page.locator(FIELD).waitFor();
    expect(await page.locator(FIELD).inputValue()).toBe("sees_enemy()");
    await studio.close();
  });
});

describe("a check", () => {
  it("is typed among the nodes; its names are offered, declared, found and renamed", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 3);
    await pick(page, "/", "$hp < 20");
    const title = page.locator(".node-head h2");
    await title.filter({ hasText: "$hp < 20" }).waitFor();
    await page.locator("button", { hasText: "+ key “hp”" }).click();
    await page.locator("button", { hasText: "+ key “hp”" }).waitFor({ state: "detached" });
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Enter");
    await page.locator(`${FIELD}:focus`).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type(" && $pr");
    await page.locator("[role=option]", { hasText: "$prey" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await accessible(page);
    await page.keyboard.press("Enter");
    await page.keyboard.type(" > 0 && sees_e");
    await shot(studio, "expression-offers");
    await page.locator("[role=option]", { hasText: "sees_enemy()" }).click();
    await title.filter({ hasText: "$hp < 20 && $prey > 0 && sees_enemy()" }).waitFor();
    // From the picture F2 renames the first name, in the field the one at the caret.
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("F2");
    await page.locator("#rename-to:focus").waitFor();
    expect(await page.locator("#rename-to").inputValue()).toBe("hp");
    await page.keyboard.type("hit points");
    await page.keyboard.press("Enter");
    await page.locator("dialog .preview li").first().waitFor();
    await page.keyboard.press("Enter");
    await title.filter({ hasText: "$'hit points' < 20" }).waitFor();
    await page.locator(FIELD).focus();
    await page.keyboard.press("End");
    for (let step = 0; step < "> 0 && sees_enemy()".length + 3; step++)
      await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F2");
    await page.locator("#rename-to:focus").waitFor();
    expect(await page.locator("#rename-to").inputValue()).toBe("prey");
    await page.keyboard.press("Escape");
    await page.locator("canvas.canvas").focus();
    await save(studio);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("' < 20");
    await page.locator(".bottom .hint, .bottom p", { hasText: "1 place" }).first().waitFor();
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});

describe("an argument", () => {
  it("is an expression in place of a value, of a call and of a called tree", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 16);
    const mode = page.locator(".argument").nth(1).locator("select");
    const value = JSON.stringify(extraOf(studio, "hunt.json", 16));
    expect(value).toContain("chase");
    await mode.selectOption("expression");
    await page.locator(FIELD).waitFor();
    expect(await page.locator(FIELD).inputValue()).toBe("1.2");
    await page.locator(FIELD).fill("1 + @health_share");
    await page.locator("canvas.canvas").focus();
    await goTo(studio, 4);
    const taken = page.locator(".argument", { hasText: "prey" }).first();
    await taken.locator("select").selectOption({ label: "Expression" });
    await taken.locator(FIELD).waitFor();
    expect(await taken.locator(FIELD).inputValue()).toBe("$prey");
    await taken.locator(FIELD).fill("$prey + true");
    await taken.locator(".mistake mark").waitFor();
    await taken.locator(FIELD).fill("$prey + 1");
    await taken.locator(".mistake").waitFor({ state: "detached" });
    await page.locator("canvas.canvas").focus();
    await save(studio);
    const args = extraOf(studio, "hunt.json", 4).args as Record<string, unknown>;
    expect(args.prey).toEqual({ arg_type: "expression", arg_value: "$prey + 1" });
    const given = extraOf(studio, "hunt.json", 16).action_args as object[];
    expect(given.at(-1)).toMatchObject({ arg_type: "expression", arg_value: "1 + @health_share" });
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});
