// What changes around an open tree: the agents, other trees, and what is written beside it.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, save, start } from "./studio.ts";

afterAll(closeBrowser);

describe("a catalogue that changes while trees are open", () => {
  it("makes problems of calls that are gone, offers what is new, and all is well when it is back", async () => {
    const studio = await start();
    const { page } = studio;
    const before = readFileSync(studio.catalogue, "utf8");
    await open(studio, "hunt.json");
    const text = studio.text("hunt.json");
    writeFileSync(studio.catalogue, before.replaceAll('"attack"', '"strike"'));
    const problems = page.locator(".status .count.error");
    await problems.waitFor({ timeout: 60_000 });
    await page.keyboard.press("E");
    await page.locator(".node .problem-list", { hasText: "attack" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("strike");
    await page.locator(".picker [role=option] .name", { hasText: /^strike$/ }).waitFor();
    await page.keyboard.press("Escape");
    // One that cannot be read is said, and the one before stays.
    writeFileSync(studio.catalogue, "{");
    await page.locator(".toast[data-level=error]").waitFor({ timeout: 60_000 });
    await page.locator(".toast[data-level=error] .close").click();
    writeFileSync(studio.catalogue, before);
    await problems.waitFor({ state: "detached", timeout: 60_000 });
    expect(studio.text("hunt.json")).toBe(text);
    expect(await page.locator("[aria-label='not saved']").count()).toBe(0);
    await studio.close();
  });
});

describe("a called tree", () => {
  it("can be gone into once its file is there", async () => {
    let flee = "";
    const studio = await start({
      files: (folder) => {
        flee = readFileSync(join(folder, "flee.json"), "utf8");
        rmSync(join(folder, "flee.json"));
      },
    });
    const { page } = studio;
    await open(studio, "hunt.json");
    const caller = (
      JSON.parse(studio.text("hunt.json")) as { nodes: { idx: number; extra?: object }[] }
    ).nodes.find(({ extra }) => JSON.stringify(extra).includes("flee.json"))!.idx;
    await goTo(studio, caller);
    const button = page.locator(".node .buttons button", { hasText: "Go into the called tree" });
    expect(await button.count()).toBe(0);
    writeFileSync(join(studio.folder, "flee.json"), flee);
    await button.waitFor();
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("O");
    await page.locator(".tab[data-active=true] [data-tip='flee.json']").waitFor();
    await studio.close();
  });
});

describe("usages", () => {
  it("are looked for again after an edit", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 12);
    await page.keyboard.press("U");
    const places = page.locator(".bottom .problem");
    await places.first().waitFor();
    const count = await places.count();
    await page.keyboard.press("Control+d");
    await page.locator(".bottom .problem").nth(count).waitFor();
    expect(await places.count()).toBe(count + 1);
    await page.keyboard.press("Control+z");
    await places.nth(count).waitFor({ state: "detached" });
    await studio.close();
  });
});

describe("pictures", () => {
  it("are written beside the tree on save, as SVG and as PNG, if wanted", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    const svg = join(studio.folder, "patrol.svg");
    const png = join(studio.folder, "patrol.png");
    const change = async () => {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("Shift+Space");
      await page.locator("[aria-label='not saved']").waitFor();
      await save(studio);
    };
    await change();
    expect(existsSync(svg) || existsSync(png)).toBe(false);
    // None, SVG, PNG, both.
    for (let times = 0; times < 3; times++) await page.keyboard.press("Control+Alt+p");
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("*");
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg xmlns=.*<\/svg>\n$/s);
    const bytes = readFileSync(png);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(200);
    await studio.close();
  });
});
