// The server ends and is started anew; files and folders that may not be written.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

/** The children of node 1 once node 17 has moved down. */
const MOVED = [2, 18, 17, 19];

/** Changes a node, and has the server end before the next change. */
async function changed(): Promise<Studio> {
  const studio = await start();
  const { page } = studio;
  await open(studio, "hunt.json");
  await goTo(studio, 17);
  await page.keyboard.press("Alt+ArrowDown");
  await page.locator("[aria-label='not saved']").waitFor();
  await studio.kill();
  await page.locator(".banner", { hasText: "connection to bt-studio is lost" }).waitFor();
  return studio;
}

describe("a server that is started anew on its port", () => {
  it("is found by the link that is pasted, and has what was done meanwhile", async () => {
    const studio = await changed();
    const { page } = studio;
    // What is shown of the node stays, and can be changed.
    await page.locator(".node [data-comment] textarea").fill("Written while nobody listened.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".banner", { hasText: "1 change waits" }).waitFor();
    const link = await studio.restart();
    await page.locator("#admission").fill(link);
    await page.keyboard.press("Enter");
    await page.locator("#admission").waitFor({ state: "detached" });
    await page.locator(".banner", { hasText: "waits" }).waitFor({ state: "detached" });
    await page.locator(".node .node-head .number", { hasText: "#17" }).waitFor();
    expect(await page.locator(".node [data-comment] textarea").inputValue()).toContain("nobody listened");
    await page.locator("canvas.canvas").focus();
    await save(studio);
    const { nodes } = JSON.parse(studio.text("hunt.json")) as {
      nodes: { idx: number; comment: string; children: number[] }[];
    };
    const node = (wanted: number) => nodes.find(({ idx }) => idx === wanted);
    expect(node(17)?.comment).toBe("Written while nobody listened.");
    expect(node(1)?.children).toEqual(MOVED);
    // Undo goes back over both.
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.locator("[aria-label='not saved']").waitFor();
    await studio.close();
  });

  it("is found when its link is opened in the tab, whose hash alone changes", async () => {
    const studio = await changed();
    const { page } = studio;
    const link = await studio.restart();
    await page.locator("#admission").waitFor();
    await page.evaluate((to) => {
      location.href = to;
    }, link);
    await page.locator("#admission").waitFor({ state: "detached" });
    expect(new URL(page.url()).hash).toBe("");
    await page.locator("[aria-label='not saved']").waitFor();
    await page.locator("canvas.canvas").focus();
    await save(studio);
    const { nodes } = JSON.parse(studio.text("hunt.json")) as { nodes: { children: number[] }[] };
    expect(nodes[1]?.children).toEqual(MOVED);
    // The page that is loaded anew knows the token, too.
    await page.reload();
    await page.locator(".tab [data-tip='hunt.json']").waitFor();
    await studio.close();
  });

  it("is found by a tab when its link is opened in another one", async () => {
    const studio = await changed();
    const { page } = studio;
    const link = await studio.restart();
    await page.locator("#admission").waitFor();
    const other = await page.context().newPage();
    await other.goto(link);
    await other.locator(".side .row").first().waitFor();
    await page.locator("#admission").waitFor({ state: "detached" });
    await page.locator("[aria-label='not saved']").waitFor();
    await studio.close();
  });
});

describe("what may not be written", () => {
  it("is said of a file before it is edited, and Ctrl+S says why not", async () => {
    const studio = await start({ files: (folder) => chmodSync(join(folder, "hunt.json"), 0o444) });
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.locator(".banner", { hasText: "read-only on the disk" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.locator(".toast[data-level=error]", { hasText: "read-only on the disk" }).waitFor();
    await open(studio, "patrol.json");
    await page.locator(".banner", { hasText: "read-only on the disk" }).waitFor({ state: "detached" });
    await studio.close();
  });

  it("is said of a folder that is open for reading, and Ctrl+S says why not", async () => {
    const studio = await start({ readOnly: true });
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.locator(".banner", { hasText: "--read-only" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.locator(".toast[data-level=error]", { hasText: "--read-only" }).waitFor();
    await studio.close();
  });
});
