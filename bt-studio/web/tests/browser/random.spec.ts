// Random commands by keyboard: the file stays a tree, and undoing all of them gives back its bytes.
// `STEPS=10000 npm run test:browser -- random` makes more of them; `SEED` repeats a run.

import { afterAll, describe, expect, it } from "vitest";
import { randoms } from "../unit/trees.ts";
import { closeBrowser, open, save, start } from "./studio.ts";

afterAll(closeBrowser);

const STEPS = Number(process.env.STEPS ?? 40);
const SEED = Number(process.env.SEED ?? 1);
const ROUND = 50;

const KEYS = [
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "Shift+ArrowDown", "Home"],
  ...["X", "Shift+X", "Control+d", "Alt+ArrowUp", "Alt+ArrowDown", "Alt+ArrowLeft", "Alt+ArrowRight"],
  ...["Space", "*", "Control+z", "Control+z", "Control+Shift+z", "Control+x", "Control+v", "Control+r"],
];
const CHOICES: [string, string][] = [
  ["A", "nop"],
  ["A", "sequence"],
  ["Shift+A", "probility"],
  ["P", "select"],
  ["C", "always_seq"],
  ["G", "is_alive"],
];

describe("random commands", () => {
  it(
    "keep the file a tree, and are all undone",
    async () => {
      const random = randoms(SEED);
      const studio = await start();
      const { page } = studio;
      // On a busy machine fifty edits in a row wait for each other.
      page.setDefaultTimeout(60_000);
      for (let done = 0; done < STEPS; done += ROUND) {
        const path = ["hunt.json", "auto_play.json", "account.json"][random(3)]!;
        await open(studio, path);
        const before = studio.text(path);
        const keys: string[] = [];
        for (let step = 0; step < ROUND; step++) {
          if (random(4) > 0) {
            const key = KEYS[random(KEYS.length)]!;
            keys.push(key);
            await page.keyboard.press(key);
          } else {
            const [key, text] = CHOICES[random(CHOICES.length)]!;
            keys.push(`${key} ${text}`);
            await page.keyboard.press(key);
            // A command that does not fit here opens nothing.
            const picker = page.locator(".picker");
            if (await picker.isVisible()) {
              await page.keyboard.type(text);
              await page.keyboard.press("Enter");
              // A list without that name, as of kinds that the node may become, stays open.
              if (await picker.isVisible()) await page.keyboard.press("Escape");
            }
          }
        }
        const said = `seed ${SEED}, steps ${done} on, ${path}: ${keys.join(", ")}`;
        await page.waitForTimeout(300);
        await save(studio);
        expect(() => JSON.parse(studio.text(path)), said).not.toThrow();
        expect(await page.locator(".canvas").isVisible(), said).toBe(true);
        await page.locator("canvas.canvas").focus();
        for (let times = 0; times < ROUND * 2; times++) await page.keyboard.press("Control+z");
        await page.waitForTimeout(500);
        await save(studio);
        expect(studio.text(path), said).toBe(before);
        const errors = await page.locator(".toast[data-level=error]").allTextContents();
        for (const error of errors) console.log(`refused: ${error}`);
        for (const close of await page.locator(".toast .close").all())
          await close.click().catch(() => undefined);
        await page.keyboard.press("Control+Alt+w");
        await page.locator(`.tab [data-tip="${path}"]`).waitFor({ state: "detached" });
      }
      expect(studio.complaints).toEqual([]);
      await studio.close();
    },
    120_000 + STEPS * 1000,
  );
});
