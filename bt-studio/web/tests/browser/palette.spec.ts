// The list of nodes, the words of other engines, what is dragged, the toolbar, files in the list.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { type Box, closeBrowser, focusedBox, goTo, open, type Studio, save, start } from "./studio.ts";

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

async function shot({ page }: Studio, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** A new tree with the canvas in focus. */
async function make({ page }: Studio, name: string): Promise<void> {
  await page.keyboard.press("Control+Alt+n");
  await page.locator("dialog input").first().waitFor();
  await page.keyboard.type(name);
  await page.locator("#new-agent").selectOption("monster_agent");
  await page.keyboard.press("Enter");
  await page.locator("canvas.canvas:focus").waitFor();
}

/** The place of a node's card. */
async function boxOf(studio: Studio, idx: number): Promise<Box> {
  await goTo(studio, idx);
  return focusedBox(studio);
}

describe("the list of nodes", () => {
  it("shows kinds, actions by category, conditions and trees, each with its picture and what it does", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.keyboard.press("N");
    await page.locator("input[aria-controls=nodes-list]:focus").waitFor();
    const list = page.locator("#nodes-list");
    await list.locator("[role=option]").first().waitFor();
    // All of it can be reached by the wheel alone.
    for (let turn = 0; turn < 12; turn++) {
      await list.hover();
      await page.mouse.wheel(0, 3000);
      await page.waitForTimeout(40);
    }
    const titles = await list
      .locator("[role=group]")
      .evaluateAll((groups) => groups.map((group) => group.getAttribute("aria-label")));
    expect(titles).toContain("Composites");
    expect(titles).toContain("Actions · combat");
    expect(titles).toContain("Conditions · search");
    expect(titles).toContain("Trees");
    const bare = await list
      .locator("[role=option]")
      .evaluateAll((rows) =>
        rows.filter((row) => !row.querySelector(".symbol")?.textContent).map((row) => row.textContent),
      );
    expect(bare).toEqual([]);
    // Some of the rows stand for all of them: a busy machine takes its time for each.
    await page.locator("input[aria-controls=nodes-list]").fill("wait");
    expect(await violationsIn(page, { part: ".side" })).toEqual([]);
    await studio.close();
  });

  it("gives a node that is dragged into a gap its place there", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    const [first, second] = [await boxOf(studio, 17), await boxOf(studio, 18)];
    await page.keyboard.press("N");
    await page.locator("input[aria-controls=nodes-list]").fill("attack");
    const row = page.locator("#nodes-list [role=option]").first();
    await row.hover();
    await page.mouse.down();
    await page.mouse.move(first.x, first.y, { steps: 4 });
    const middle = { x: first.x + 40, y: (first.y + first.height + second.y) / 2 };
    await page.mouse.move(middle.x, middle.y, { steps: 3 });
    await page.locator("#ghost .ghost-place", { hasText: "behind set_key_value #17" }).waitFor();
    await page.locator("#ghost .ghost-keys", { hasText: "/ inserts" }).waitFor();
    await shot(studio, "drag-new");
    await page.mouse.up();
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    const nodes = nodesOf(studio, "hunt.json");
    const children = nodes.find(({ idx }) => idx === 1)!.children;
    expect(children.slice(0, 2)).toEqual([2, 17]);
    expect(nodes.find(({ idx }) => idx === children[2])!.extra.action_name).toBe("attack");
    expect(await page.locator("#ghost").isHidden()).toBe(true);
    await studio.close();
  });

  it("offers composites first below an empty parent", async () => {
    const studio = await start();
    const { page } = studio;
    await make(studio, "empty");
    await page.keyboard.press("/");
    const first = page.locator("#picker-list [role=group]").first();
    expect(await first.getAttribute("aria-label")).toBe("Composites");
    await shot(studio, "insert-empty");
    await page.keyboard.press("Enter");
    await page.locator(".status", { hasText: "2 nodes" }).waitFor();
    await studio.close();
  });
});

describe("words of other engines", () => {
  it("find our kinds", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 1);
    const found: Record<string, string> = {};
    for (const word of ["selector", "fallback", "inverter", "switch", "subtree", "succeeder", "选择"]) {
      await page.keyboard.press("/");
      await page.locator(".picker input:focus").waitFor();
      await page.keyboard.type(word);
      found[word] = (await page.locator("#picker-list [role=option] .name").first().textContent()) ?? "";
      await page.keyboard.press("Escape");
      await page.locator(".picker").waitFor({ state: "detached" });
    }
    expect(found).toEqual({
      selector: "Select",
      fallback: "Select",
      inverter: "Invert",
      switch: "Switch",
      subtree: "Sub-tree",
      succeeder: "Always success",
      选择: "Select",
    });
    for (const [word, name] of [
      ["task", "Action"],
      ["blackboard", "set_key_value"],
    ] as const) {
      await page.keyboard.press("/");
      await page.keyboard.type(word);
      await page.locator("#picker-list [role=option] .name", { hasText: name }).first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".picker").waitFor({ state: "detached" });
    }
    await studio.close();
  });

  it("are never taken as they are by Enter, but on purpose", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 1);
    await page.keyboard.press("/");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("quxquxqux");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(200);
    expect(await page.locator(".picker").count()).toBe(1);
    await page.locator(".status", { hasText: "20 nodes" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".status", { hasText: "21 nodes" }).waitFor();
    await studio.close();
  });
});

describe("the sign at a card", () => {
  it("adds a child to it, and says the key", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    const card = await boxOf(studio, 3);
    await page.mouse.move(card.x + card.width - 20, card.y + 10);
    await page.mouse.move(card.x + card.width + 8, card.y + 11, { steps: 6 });
    const tip = page.locator("#tip", { hasText: "Add a child (A)" });
    await tip.waitFor();
    await shot(studio, "plus");
    await page.mouse.down();
    await page.mouse.up();
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("smash");
    await page.keyboard.press("Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    expect(nodesOf(studio, "hunt.json").find(({ idx }) => idx === 3)!.children).toHaveLength(3);
    await studio.close();
  });
});

describe("the toolbar", () => {
  it("undoes, redoes and saves, and goes through its buttons by arrows", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    const tool = (id: string) => page.locator(`.toolbar [data-command="${id}"]`);
    expect(await tool("undo").getAttribute("aria-disabled")).toBe("true");
    expect(await tool("continue").count()).toBe(0);
    await goTo(studio, 17);
    await page.keyboard.press("X");
    await page.locator(".status", { hasText: "19 nodes" }).waitFor();
    await tool("undo").click();
    await page.locator(".status", { hasText: "20 nodes" }).waitFor();
    await tool("redo").click();
    await page.locator(".status", { hasText: "19 nodes" }).waitFor();
    await tool("save").click();
    await page.locator("[aria-label='not saved']").waitFor({ state: "detached" });
    expect(nodesOf(studio, "hunt.json")).toHaveLength(19);
    await tool("save").focus();
    await page.keyboard.press("ArrowRight");
    expect(await tool("undo").evaluate((element) => element === document.activeElement)).toBe(true);
    await studio.close();
  });
});

describe("the first screen", () => {
  it("has New, and a picture of each tree that opens it", async () => {
    const studio = await start();
    const { page } = studio;
    await page.locator(".tree-card").first().waitFor();
    expect(await page.locator(".tree-card .thumb").count()).toBe(5);
    const isPainted = () =>
      page
        .locator(".tree-card .thumb")
        .first()
        .evaluate((element) => {
          const canvas = element as HTMLCanvasElement;
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value) => value > 0);
        });
    await expect.poll(isPainted).toBe(true);
    await page.locator(".start button", { hasText: "New tree" }).click();
    await page.locator("dialog", { hasText: "New tree" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".tree-card").nth(3).click();
    await page.locator(".tab[data-active=true] [data-tip='hunt.json']").waitFor();
    await studio.close();
  });
});

describe("files in the list", () => {
  it("are duplicated, renamed with those that name them, and deleted", async () => {
    const studio = await start();
    const { page } = studio;
    const row = (name: string) => page.locator(".tree-row", { hasText: name });
    const choose = async (name: string, command: string) => {
      await row(name).click({ button: "right" });
      await page.locator(".menu button", { hasText: command }).click();
      await page.locator("dialog[open]").waitFor();
    };
    await choose("flee.json", "Duplicate");
    await page.locator("dialog input").fill("town/away");
    await page.keyboard.press("Enter");
    await page.locator(".tab[data-active=true] [data-tip='town/away.json']").waitFor();
    expect(studio.text("town/away.json")).toBe(studio.text("flee.json"));

    await choose("flee.json", "Rename");
    await page.locator("dialog .hint", { hasText: "name it" }).waitFor();
    await shot(studio, "rename-file");
    await page.locator("dialog input").fill("run.json");
    await page.keyboard.press("Enter");
    await row("run.json").waitFor();
    expect(existsSync(join(studio.folder, "flee.json"))).toBe(false);
    expect(studio.text("hunt.json")).toContain('"run.json"');

    // By keyboard: the list's field, an arrow, the menu key.
    await page.keyboard.press("Control+Shift+e");
    await page.locator(".side .filter:focus").waitFor();
    await page.keyboard.type("away");
    await page.keyboard.press("Shift+F10");
    await page.locator(".menu").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.locator("dialog", { hasText: "Delete town/away.json?" }).waitFor();
    await shot(studio, "delete-file");
    await page.keyboard.press("Enter");
    await row("away.json").waitFor({ state: "detached" });
    expect(existsSync(join(studio.folder, "town/away.json"))).toBe(false);
    expect(await page.locator(".tab [data-tip='town/away.json']").count()).toBe(0);
    await studio.close();
  });
});
