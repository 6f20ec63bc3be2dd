// Pictures of states and dialogs, to be looked at: `SHOTS=FOLDER npm run browser -- shots`.

import { afterAll, describe, it } from "vitest";
import { closeBrowser, goTo, open, retype, start } from "./studio.ts";

const FOLDER = process.env.SHOTS;

describe.runIf(FOLDER)("pictures", () => {
  afterAll(closeBrowser);

  for (const dark of [false, true]) {
    it(`of the page, ${dark ? "dark" : "light"}`, async () => {
      const studio = await start({ dark });
      const { page } = studio;
      const name = dark ? "dark" : "light";
      const shot = (what: string) => page.screenshot({ path: `${FOLDER}/${name}-${what}.png` });
      await shot("empty");
      await open(studio, "hunt.json");
      await page.waitForTimeout(500);
      await shot("tree");
      await page.keyboard.press("F");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await page.waitForTimeout(400);
      await shot("node");
      await page.keyboard.press("Control+Shift+o");
      await page.waitForTimeout(300);
      await shot("outline");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("walk");
      await shot("palette");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+1");
      await page.keyboard.press("F1");
      await shot("help");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Alt+n");
      await shot("new");
      await page.keyboard.press("Escape");
      await page.keyboard.press("F4");
      await page.waitForTimeout(300);
      await shot("raw");
      await page.keyboard.press("F4");
      await page.keyboard.press("Control+Shift+m");
      await shot("problems");
      await page.keyboard.press("Control+f");
      await page.keyboard.type("walk");
      await page.keyboard.press("Enter");
      await page.waitForTimeout(400);
      await shot("find");
      await goTo(studio, 10);
      await shot("action");
      await page.keyboard.press("X");
      await goTo(studio, 2);
      await page.keyboard.press("C");
      await page.keyboard.type("delay");
      await page.keyboard.press("Enter");
      await page.waitForTimeout(300);
      await page.keyboard.press("Control+Alt+d");
      await page.waitForTimeout(600);
      await shot("compare");
      await page.keyboard.press("Escape");
      await goTo(studio, 12);
      await page.keyboard.press("F2");
      await page.keyboard.type("crush");
      await page.keyboard.press("Enter");
      await page.waitForTimeout(400);
      await shot("rename");
      await page.keyboard.press("Escape");
      await page.keyboard.press("K");
      await page.waitForTimeout(200);
      await shot("colour");
      await page.keyboard.press("Escape");
      await page.locator("canvas.canvas").focus();
      for (const [what, keys] of [
        ["replace", "Control+Shift+h"],
        ["goto", "Control+g"],
        ["extract", "Shift+E"],
        ["save-as", "Control+Shift+s"],
        ["snippet", "Shift+S"],
        ["insert", "/"],
        ["guard", "G"],
        ["kind", "C"],
        ["close", "Control+Alt+w"],
        ["context", "Shift+F10"],
      ] as const) {
        await page.keyboard.press(keys);
        await page.waitForTimeout(250);
        await shot(what);
        await page.keyboard.press("Escape");
        await page.waitForTimeout(100);
        await page.locator("canvas.canvas").focus();
      }
      await goTo(studio, 14);
      await page.keyboard.press("F4");
      await retype(studio, studio.text("hunt.json").replace('"chase"', '"chasse"'));
      await page.keyboard.press("F4");
      await page.locator(".status .count.error").waitFor();
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("E");
      await page.keyboard.press("Control+Shift+m");
      await page.waitForTimeout(300);
      await shot("mistake");
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("Control+.");
      await page.waitForTimeout(300);
      await shot("fixes");
      await page.keyboard.press("Escape");
      await page.locator(".menubar button").nth(2).click();
      await page.waitForTimeout(200);
      await shot("menu");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Alt+l");
      await page.waitForTimeout(300);
      await shot("chinese");
      console.log(studio.complaints);
      await studio.close();
    });
  }
});
