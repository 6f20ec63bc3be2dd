// Twenty games with one mistake each: how many clicks and keys it takes from opening the page to the sentence that
// names the mistake. The chapter has the table, in the order of `examples/planted.rs`.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { goToNode } from "./game.ts";
import { buildPlanted, PLANTED, type Planted, startPlanted } from "./planted.ts";
import { closeBrowser, focusedBox, ROOT, type Studio } from "./studio.ts";

const CHAPTER = join(ROOT, "docs/src/studio-debugger.md");

interface Row {
  mistake: string;
  clicks: number;
  says: string;
}

/** The chapter's table. */
function rows(): Row[] {
  const lines = readFileSync(CHAPTER, "utf8").split("\n");
  const from = lines.findIndex((line) => line.startsWith("| what is wrong | clicks |"));
  const to = lines.indexOf("", from);
  return lines.slice(from + 2, to).map((line) => {
    const cells = line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
    return { mistake: cells[0]!, clicks: Number(cells[1]), says: cells[4]! };
  });
}

/** A way to the sentence: each step is a click or a key. */
type Way = (hand: Hand) => Promise<void>;

/** Counts what a person does. */
class Hand {
  clicks = 0;
  constructor(
    readonly studio: Studio,
    readonly page: Page,
  ) {}

  async click(what: Locator): Promise<void> {
    this.clicks++;
    // The pointer comes into the panel first, as a hand brings it.
    const panel = this.page.locator(".beside-scroll");
    if ((await panel.locator(what).count()) > 0) await panel.hover({ position: { x: 8, y: 8 } });
    await what.click();
  }

  async press(keys: string): Promise<void> {
    this.clicks++;
    await this.page.keyboard.press(keys);
  }

  /** A click on a card. Where it is needs no click: it is seen. */
  async card(idx: number): Promise<void> {
    await goToNode(this.studio, idx);
    const { x, y, width, height } = await focusedBox(this.studio);
    this.clicks++;
    await this.page.mouse.click(x + width / 2, y + height / 2);
  }
}

const why = (idx: number): Way => {
  return async (hand) => {
    await hand.card(idx);
    await hand.press("Control+Alt+q");
  };
};

const end = (result: string): Way => {
  return (hand) =>
    hand.click(hand.page.locator(`.ends li[data-result="${result}"] button`, { hasText: "why?" }).first());
};

/** What is done where the panel of the agent does not have the sentence at once. */
const WAYS: Record<string, Way> = {
  "children are in the wrong order": why(5),
  "a weight is 0": why(2),
  "`keep_place` skips a child": why(3),
  "a deadline is too short": end("failure"),
  "a parallel ends too early": end("aborted"),
  "an action fails with a reason": end("failure"),
  "another tree uses another key name": (hand) => hand.click(hand.page.locator(".status button").first()),
  "a service overwrites the key": (hand) =>
    hand.click(hand.page.locator('.memory [data-name="distance"] .name')),
};

/** What the page shows in place of the sentence, where it has a list: the value, and who wrote it. */
const LISTED: Record<string, string> = {
  "a service overwrites the key": "99 main.json #3 set_key_value",
};

/** Whether a text has a sentence, in which `…` is whatever stands there. */
function says(text: string, sentence: string): boolean {
  const escaped = sentence.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // A message and its help stand in lines of their own.
  return new RegExp(escaped.replaceAll("…", ".*?").replaceAll(": ", "[: ]+")).test(
    text.replaceAll(/\s+/g, " "),
  );
}

let planted: Planted | null = null;
afterEach(async () => {
  await planted?.end();
  planted = null;
});

const measured: (Row & { took: number })[] = [];
afterAll(async () => {
  await closeBrowser();
  console.log(measured.map(({ mistake, clicks, took }) => `${took} of ${clicks}  ${mistake}`).join("\n"));
});

describe("a game with a mistake", () => {
  const table = rows();

  it("is in the table, and all of the table is planted", () => {
    buildPlanted();
    const planted = execFileSync(PLANTED).toString().trim().split("\n");
    expect(table.map(({ mistake }) => mistake)).toEqual(planted);
    expect(table).toHaveLength(20);
  });

  for (const row of table) {
    it(`says so: ${row.mistake}`, async () => {
      planted = await startPlanted(row.mistake);
      const { studio } = planted;
      const hand = new Hand(studio, studio.page);
      await WAYS[row.mistake]?.(hand);
      const seen = studio.page.locator(".beside, .bottom");
      await expect
        .poll(async () => says((await seen.allInnerTexts()).join(" "), LISTED[row.mistake] ?? row.says), {
          timeout: 15_000,
        })
        .toBe(true)
        .catch(async (error: Error) => {
          throw new Error(`${error.message}\n${(await seen.allInnerTexts()).join("\n")}`);
        });
      measured.push({ ...row, took: hand.clicks });
      expect(hand.clicks).toBeLessThanOrEqual(row.clicks);
    });
  }
});
