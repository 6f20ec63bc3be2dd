// Forms of the kinds that take expressions, of attachments just made, and of keys that arguments name.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

function extraOf(studio: Studio, path: string, idx: number): Record<string, unknown> {
  const { nodes } = JSON.parse(studio.text(path)) as {
    nodes: { idx: number; extra: Record<string, unknown> }[];
  };
  return nodes.find((node) => node.idx === idx)!.extra;
}

interface Made {
  type: string;
  children?: number[];
  extra?: object;
}

/** A tree of these nodes, numbered in their order. */
function treeOf(nodes: readonly Made[]): string {
  const parents = new Map(
    nodes.flatMap(({ children = [] }, parent) => children.map((child) => [child, parent])),
  );
  return JSON.stringify({
    nodes: nodes.map(({ type, children = [], extra = {} }, idx) => ({
      idx,
      type,
      children,
      extra,
      ...(parents.has(idx) && { parent: parents.get(idx) }),
    })),
  });
}

const wait = (seconds: number): Made => ({
  type: "action",
  extra: { action_name: "wait_for_seconds", action_args: [{ arg_type: "plain", arg_value: seconds }] },
});

/** A studio with a tree whose root declares a mode and health, at its second node. */
async function withTree(...nodes: Made[]): Promise<Studio> {
  const blackboard = { mode: { type: "string", initial: "calm" }, health: { type: "double", initial: 1 } };
  const root = { type: "root", children: [1], extra: { agent_name: "monster_agent", blackboard } };
  const way = { type: "string", initial: "north", scope: "tree" };
  const callee = { ...root, extra: { agent_name: "monster_agent", blackboard: { way } } };
  const studio = await start({
    files: (folder) => {
      writeFileSync(join(folder, "forms.json"), treeOf([root, ...nodes]));
      writeFileSync(join(folder, "give.json"), treeOf([callee, wait(1)]));
    },
  });
  await open(studio, "forms.json");
  await goTo(studio, 1);
  return studio;
}

const errors = (studio: Studio) => studio.page.locator(".inspector [data-level=error], .inspector .mistake");

describe("a switch", () => {
  it("has a field for what it compares, and one for the case of each child, called as the child", async () => {
    const studio = await withTree({ type: "switch", children: [2, 3], extra: { on: "" } }, wait(1), wait(2));
    const { page } = studio;
    const on = page
      .locator("[data-expression]", { has: page.locator("label", { hasText: /^Value/ }) })
      .locator("textarea");
    await on.fill("$mo");
    await page.locator("[role=option]", { hasText: "$mode" }).click();
    expect(await on.inputValue()).toBe("$mode");
    const cases = page.locator("fieldset", { hasText: "Cases" });
    for (const word of ["calm", "alert"]) {
      await cases.locator("button", { hasText: "Add" }).click();
      const field = cases.locator(".item textarea, .item input").last();
      await expect.poll(() => cases.locator(".item").count()).toBe(word === "calm" ? 1 : 2);
      await field.fill(word);
      await page.locator("canvas.canvas").focus();
    }
    expect(await cases.locator(".item label").first().textContent()).toContain("wait_for_seconds");
    expect(await violationsIn(page, { part: ".inspector" })).toEqual([]);
    await save(studio);
    expect(extraOf(studio, "forms.json", 1)).toEqual({ on: "$mode", cases: ["calm", "alert"] });
    expect(await errors(studio).count()).toBe(0);
    await studio.close();
  });
});

describe("a utility", () => {
  it("has a field for the score of each child, which says what is wrong with it", async () => {
    const scores = ["1", "1"];
    const studio = await withTree({ type: "utility", children: [2, 3], extra: { scores } }, wait(1), wait(2));
    const { page } = studio;
    const fields = page.locator("fieldset", { hasText: "Scores" }).locator("[data-expression] textarea");
    expect(await fields.count()).toBe(2);
    await fields.nth(0).fill("1 - $health");
    await fields.nth(1).fill("$mode");
    await page.locator("canvas.canvas").focus();
    await page.locator("[data-expression] .mistake").first().waitFor();
    await fields.nth(1).fill("0.5");
    await page.locator("canvas.canvas").focus();
    await page.locator("[data-expression] .mistake").waitFor({ state: "detached" });
    await save(studio);
    expect(extraOf(studio, "forms.json", 1)).toEqual({ scores: ["1 - $health", "0.5"] });
    await studio.close();
  });
});

describe("a called tree", () => {
  it("has a field for each of its keys that a key of the caller takes when it has ended", async () => {
    const studio = await withTree({ type: "sub_tree", extra: { sub_tree_name: "give.json" } });
    const { page } = studio;
    const results = page.locator("fieldset", { hasText: "Results into keys" });
    await results.locator("input").first().fill("quarry");
    await results.locator("input").first().press("Enter");
    await page.locator("canvas.canvas").focus();
    await save(studio);
    expect(extraOf(studio, "forms.json", 1).results).toEqual({ way: "quarry" });
    await studio.close();
  });
});

/** Types into the list that a key opens, and takes its first row. */
async function pick({ page }: Studio, key: string, text: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator(".picker input:focus").waitFor();
  await page.keyboard.type(text);
  await page.locator("#picker-0").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".picker").waitFor({ state: "detached" });
}

describe("what was just attached", () => {
  it("is where Enter goes: to its argument, to its expression, or to the first field that it has", async () => {
    const studio = await withTree(wait(1));
    const { page } = studio;
    const focused = () =>
      page.evaluate(() => {
        const now = document.activeElement;
        const part = now?.closest("[data-at]")?.getAttribute("data-at") ?? "";
        const name = now?.closest(".argument")?.querySelector(".argument-name")?.textContent ?? now?.tagName;
        return `${part} ${name}`;
      });
    for (const [key, text, wanted] of [
      ["G", "can_see", "/extra/guards/0 target"],
      ["G", "$health < 1", "/extra/guards/1 TEXTAREA"],
      ["S", "set_stance", "/extra/services/0 stance"],
    ] as const) {
      await pick(studio, key, text);
      await page.locator(`[data-at="${wanted.split(" ")[0]}"]`).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(focused).toContain(wanted);
      await page.keyboard.press("Escape");
      await page.locator("canvas.canvas:focus").waitFor();
    }
    // After another change Enter goes to the node's own first field, as before.
    await page.keyboard.press("Control+z");
    await page.locator('[data-at="/extra/services/0"]').waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await expect.poll(focused).toContain(" duration");
    await studio.close();
  });
});

describe("a key that an argument names", () => {
  it("is declared as a text where the argument is one of some words", async () => {
    const studio = await withTree({
      type: "action",
      extra: {
        action_name: "set_stance",
        action_args: [{ arg_type: "blackboard", arg_value: "pose" }],
      },
    });
    const { page } = studio;
    await page.locator("button", { hasText: "+ key “pose”" }).click();
    await page.locator("button", { hasText: "+ key “pose”" }).waitFor({ state: "detached" });
    await save(studio);
    const declared = extraOf(studio, "forms.json", 0).blackboard as Record<string, unknown>;
    expect(declared.pose).toEqual({ type: "string" });
    expect(await page.locator(".status .count.error").count()).toBe(0);
    await studio.close();
  });
});

describe("names in an expression", () => {
  it("are offered with their types: those that fit come first, all of them on request", async () => {
    const studio = await withTree({ type: "check", extra: { if: "true" } });
    const { page } = studio;
    const field = page.locator("[data-expression] textarea");
    const offers = page.locator("[data-expression] [role=option]");
    await field.fill("$mode == $");
    // A text is compared with a text.
    await expect.poll(() => offers.first().textContent()).toContain("$mode");
    await field.fill("1 < $");
    await expect.poll(() => offers.first().textContent()).toContain("$health");
    expect(await offers.first().locator(".type").textContent()).toBe("number");
    // Without its sign a name is found as well.
    await field.fill("heal");
    await offers.filter({ hasText: "$health" }).click();
    expect(await field.inputValue()).toBe("$health");
    await field.fill("$health < ");
    await field.press("Control+Space");
    await offers.first().waitFor();
    const all = await offers.allTextContents();
    expect(all.some((text) => text.startsWith("@"))).toBe(true);
    expect(all.filter((text) => text.startsWith("$mode"))).toEqual([]);
    // A key that nobody declares gets the type that the expression takes it for.
    await field.fill("$rage > 3");
    await page.locator("canvas.canvas").focus();
    await page.locator("button", { hasText: "+ key “rage”" }).click();
    await page.locator("button", { hasText: "+ key “rage”" }).waitFor({ state: "detached" });
    await save(studio);
    const declared = extraOf(studio, "forms.json", 0).blackboard as Record<string, unknown>;
    expect(declared.rage).toEqual({ type: "double" });
    await studio.close();
  });
});
