// Trees built quickly: nodes inserted by typing, snippets, several nodes changed at once.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  type: string;
  children: number[];
  extra: Record<string, unknown>;
}

function nodesOf(studio: Studio, path: string): Node[] {
  return (JSON.parse(studio.text(path)) as { nodes: Node[] }).nodes;
}

async function settled({ page }: Studio): Promise<void> {
  await page.locator("[aria-label='not saved']").waitFor();
}

describe("a key and a few letters", () => {
  it("insert below the node, or behind it where it takes no children", async () => {
    const studio = await start();
    const { page } = studio;
    await page.keyboard.press("Control+Alt+n");
    await page.keyboard.type("quick");
    await page.locator("#new-agent").selectOption("monster_agent");
    await page.keyboard.press("Enter");
    await page.locator("canvas.canvas:focus").waitFor();
    const insert = async (text: string, count: number) => {
      await page.keyboard.press("/");
      await page.locator(".picker input:focus").waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.locator(".status", { hasText: `${count} nodes` }).waitFor();
      await page.locator("canvas.canvas:focus").waitFor();
    };
    await insert("select", 2);
    await insert("sequence", 3);
    await insert("should_flee", 4);
    await insert("flee.json", 5);
    await save(studio);
    const nodes = nodesOf(studio, "quick.json");
    expect(nodes.map(({ type }) => type)).toEqual(["root", "select", "sequence", "condition", "sub_tree"]);
    expect(nodes[2]!.children).toEqual([3, 4]);
    // Where neither takes one, nothing opens.
    await page.keyboard.press("Home");
    await page.keyboard.press("/");
    await page.locator(".toast", { hasText: "takes another child" }).waitFor();
    expect(await page.locator(".picker").count()).toBe(0);
    await studio.close();
  });
});

describe("a snippet", () => {
  it("is saved from the selection, inserted elsewhere, and removed", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 2);
    await page.keyboard.press("Shift+S");
    await page.locator("#snippet-name:focus").waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "snippet.png") });
    await page.keyboard.type("my chase");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
    const kept = readFileSync(join(studio.folder, ".bt-studio.json"), "utf8");
    const { snippets } = JSON.parse(kept) as { snippets: Record<string, { nodes: unknown[] }> };
    const count = snippets["my chase"]!.nodes.length;
    expect(count).toBeGreaterThan(1);

    await open(studio, "patrol.json");
    const before = nodesOf(studio, "patrol.json").length;
    await goTo(studio, 1);
    await page.keyboard.press("/");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("my chase");
    await page.keyboard.press("Enter");
    await settled(studio);
    await save(studio);
    expect(nodesOf(studio, "patrol.json").length).toBe(before + count);

    await page.keyboard.press("Control+Alt+Delete");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "Snippet removed" }).waitFor();
    expect(readFileSync(join(studio.folder, ".bt-studio.json"), "utf8")).not.toContain("my chase");
    await studio.close();
  });
});

describe("several selected nodes that are alike", () => {
  it("change one argument together, or not, as the switch says", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    const add = async (text: string) => {
      await page.keyboard.press("A");
      await page.locator(".picker input:focus").waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.locator(".picker").waitFor({ state: "detached" });
      await page.waitForTimeout(200);
      const idx = Number((await page.locator(".node-head .number").textContent())!.slice(1));
      await goTo(studio, 1);
      return idx;
    };
    const waits = [
      await add("wait_for_seconds"),
      await add("wait_for_seconds"),
      await add("wait_for_seconds"),
    ];
    const nop = await add("nop");
    await save(studio);
    const saved = studio.text("patrol.json");
    const given = () => {
      const nodes = nodesOf(studio, "patrol.json");
      const args = (idx: number) => nodes.find((node) => node.idx === idx)!.extra.action_args;
      return [...waits, nop].map((idx) => JSON.stringify(args(idx) ?? []));
    };
    const plain = (value: number) => `[{"arg_type":"plain","arg_value":${value}}]`;
    // The last four children are selected; the focus is on one that waits.
    await goTo(studio, nop);
    for (let times = 0; times < 3; times++) await page.keyboard.press("Shift+ArrowUp");
    await page.locator(".node .check", { hasText: "all 3 selected" }).waitFor();
    const field = page.locator(".argument input").first();
    await field.fill("7");
    await field.press("Enter");
    await settled(studio);
    await save(studio);
    expect(given()).toEqual([plain(7), plain(7), plain(7), "[]"]);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "several.png") });

    await page.locator(".node .check", { hasText: "all 3 selected" }).click();
    // What is typed into one field in a row is one step.
    await page.waitForTimeout(1600);
    await field.fill("9");
    await field.press("Enter");
    await settled(studio);
    await save(studio);
    expect(given().sort()).toEqual([plain(7), plain(7), plain(9), "[]"].sort());
    await page.locator(".node .check", { hasText: "all 3 selected" }).click();
    await page.locator(".argument .warning", { hasText: "elsewhere: 7" }).waitFor();

    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.waitForTimeout(400);
    await save(studio);
    expect(studio.text("patrol.json")).toBe(saved);
    await studio.close();
  });
});
