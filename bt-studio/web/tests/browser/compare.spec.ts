// Two versions of a tree side by side.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { closeBrowser, goTo, open, start } from "./studio.ts";

afterAll(closeBrowser);

describe("two versions of a tree", () => {
  it("stand side by side as pictures and node by node, against the disk and against git", async () => {
    const git = (folder: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: folder });
    const studio = await start({
      files: (folder) => {
        git(folder, "init", "--quiet");
        git(folder, "add", ".");
        git(folder, "commit", "--quiet", "-m", "The first version");
      },
    });
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 17);
    await page.keyboard.press("X");
    await goTo(studio, 18);
    await page.keyboard.press("Alt+ArrowDown");
    await goTo(studio, 1);
    await page.keyboard.press("A");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("nop");
    await page.keyboard.press("Enter");
    await page.locator(".picker").waitFor({ state: "detached" });
    await page.waitForTimeout(200);
    await page.keyboard.press("Control+Alt+d");
    const lines = page.locator(".compare-list button");
    await lines.first().waitFor();
    const texts = await lines.allTextContents();
    for (const word of ["removed", "added", "moved"])
      expect(
        texts.some((text) => text.includes(word)),
        `${word} in ${texts}`,
      ).toBe(true);
    const pictures = page.locator(".compare-pictures canvas");
    expect(await pictures.count()).toBe(2);
    await page.waitForTimeout(300);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "compare.png") });
    // A line leads to its node in the picture that has it: the picture looks another way then.
    const pixels = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>(".compare-pictures canvas")!.toDataURL());
    const first = await pixels();
    await lines.filter({ hasText: "added" }).click();
    await page.waitForTimeout(200);
    expect(await lines.filter({ hasText: "added" }).getAttribute("aria-pressed")).toBe("true");
    expect(await pixels()).not.toBe(first);
    // A click on a node is a choice of its line.
    const box = (await pictures.last().boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const before = await pixels();
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(200);
    expect(await pixels(), "both pictures zoom").not.toBe(before);

    await page.locator("#compare-with").selectOption({ index: 1 });
    await lines.first().waitFor();
    await page.locator(".compare-head input").check();
    await page.locator("table.compare tr[data-change=removed]").first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});
