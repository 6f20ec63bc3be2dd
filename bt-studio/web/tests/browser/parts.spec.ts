// A part becomes a tree and a tree a part, and names are changed where they can be.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  type: string;
  extra: Record<string, unknown>;
}

function nodes(studio: Studio, path: string): Node[] {
  return (JSON.parse(studio.text(path)) as { nodes: Node[] }).nodes;
}

async function errors({ page }: Studio): Promise<number> {
  await page.waitForTimeout(600);
  return page.locator(".status .count.error").count();
}

describe("extract", () => {
  it("leaves the guard that interrupts with the caller, and inline is its inverse before anything is saved", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 2);
    const guards = nodes(studio, "patrol.json")[2]?.extra.guards;
    await page.keyboard.press("Shift+E");
    await page.locator("dialog input[type=text]").first().fill("chase_it.json");
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "chase_it.json" }).waitFor();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await errors(studio)).toBe(0);
    await open(studio, "patrol.json");
    // The call is selected: it is known although its tree was never saved.
    const go = page.locator(".node .buttons button", { hasText: "Go into the called tree" });
    await go.waitFor();
    await page.keyboard.press("Shift+I");
    await page.locator(".node-head h2", { hasText: "sequence" }).waitFor();
    expect(await errors(studio)).toBe(0);
    await save(studio);
    const now = nodes(studio, "patrol.json").filter(({ type }) => type === "sequence");
    expect(now.map(({ extra }) => extra.guards)).toContainEqual(guards);
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });

  it("says why a call that does not come back cannot be put in place", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 19);
    await page.keyboard.press("Shift+I");
    await page.locator(".toast", { hasText: "does not come back" }).waitFor();
    await studio.close();
  });
});

describe("F2", () => {
  it("renames any name at the node: here a key, in all trees that have it", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "flee.json");
    await goTo(studio, 9);
    await page.keyboard.press("F2");
    const what = page.locator("#rename-what");
    await what.waitFor();
    await what.selectOption({ label: "key: threat" });
    await page.locator("#rename-to").fill("danger");
    await page.locator("footer .main").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await save(studio);
    for (const path of ["flee.json", "hunt.json", "patrol.json"]) {
      expect(studio.text(path)).not.toContain('"threat"');
    }
    expect(studio.text("hunt.json")).toContain('"danger"');
    expect(await errors(studio)).toBe(0);
    await studio.close();
  });

  it("renames the tree that a node calls, with its file and all that call it", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 4);
    await page.keyboard.press("F2");
    await page.locator("#rename-to").waitFor();
    expect(await page.locator("dialog").textContent()).toContain("flee.json");
    await page.locator("#rename-to").fill("run_away.json");
    await page.locator("footer .main").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await save(studio);
    expect(studio.text("hunt.json")).toContain('"run_away.json"');
    expect(studio.text("patrol.json")).not.toContain('"flee');
    expect(existsSync(join(studio.folder, "flee.json"))).toBe(false);
    expect(existsSync(join(studio.folder, "run_away.json"))).toBe(true);
    expect(await errors(studio)).toBe(0);
    await studio.close();
  });

  it("says of an event and of a property that they are in code", async () => {
    const studio = await start();
    const { page } = studio;
    const before = studio.text("patrol.json");
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    await page.keyboard.press("F2");
    await page.locator("#rename-what").selectOption({ label: "event: hurt" });
    await page.locator("dialog .warning", { hasText: "is in code" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("G");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("@health_share < 1");
    await page.keyboard.press("Enter");
    await page.locator("[data-expression] textarea").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("F2");
    await page.locator("dialog .warning", { hasText: "is in code" }).waitFor();
    expect(await page.locator("dialog").textContent()).toContain("health_share");
    expect(studio.text("patrol.json")).toBe(before);
    await studio.close();
  });

  it("renames the key of the field that one is in", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "flee.json");
    await goTo(studio, 9);
    await page.locator(".argument input[type=text]").first().focus();
    await page.keyboard.press("F2");
    await page.locator("dialog h2", { hasText: "key threat" }).waitFor();
    await studio.close();
  });

  it("says of an action that only code can rename it, and breaks no tree", async () => {
    const studio = await start();
    const { page } = studio;
    const before = studio.text("hunt.json");
    await open(studio, "hunt.json");
    await goTo(studio, 12);
    await page.keyboard.press("F2");
    await page.locator("dialog .warning", { hasText: "is in code" }).waitFor();
    await page.locator("#rename-to").fill("crush");
    await page.locator("footer .main").click();
    await page.locator("dialog .mistake", { hasText: "alias" }).waitFor();
    expect(studio.text("hunt.json")).toBe(before);
    // Another action of the agent's is a name that trees can have.
    await page.locator("#rename-to").fill("rest");
    await page.locator("footer .main").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await save(studio);
    expect(studio.text("hunt.json")).toContain('"rest"');
    await studio.close();
  });
});
