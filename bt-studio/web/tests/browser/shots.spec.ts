// Pictures of states and dialogs, to be looked at: `SHOTS=FOLDER npm run browser -- shots`.

import { afterAll, describe, it } from "vitest";
import { closeBrowser, open, start } from "./studio.ts";

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
      console.log(studio.complaints);
      await studio.close();
    });
  }
});
