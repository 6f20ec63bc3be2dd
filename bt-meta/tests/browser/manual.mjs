// Reads the manual as people do: wide and on a phone, light and dark. Arguments: its HTML, which has the actions of the
// example, and a folder for pictures of it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const [file, folder] = process.argv.slice(2);
const browser = await launch();

// Names that are broken over two lines though they fit on one.
const brokenNames = () => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  const range = document.createRange();
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (const { 0: name, index } of text.data.matchAll(/[A-Za-z_][A-Za-z_0-9]*/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + name.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(lines.map(({ top }) => Math.round(top))).size < 2) continue;
      let block = text.parentElement;
      while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
      const long = lines.reduce((sum, { width }) => sum + width, 0);
      if (long < block.clientWidth - 16) broken.push(name);
    }
  }
  return broken;
};

// The texts that are hard to read on their ground: less than 4.5 to 1.
const faintTexts = () => {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return numbers(color)[3] === 0 ? ground(element.parentElement) : color;
  };
  const faint = [];
  for (const element of document.querySelectorAll("a:not(.anchor, .skip), code, dt, dd, th, td, p, h2, h3, h4, h5, label")) {
    const [a, b] = [getComputedStyle(element).color, ground(element)].map(light);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${element.tagName} ${element.className} ${contrast.toFixed(1)}`);
  }
  return [...new Set(faint)];
};

const read = async (width, colorScheme) => {
  const name = `${width}-${colorScheme}`;
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  const shoot = (what) => page.screenshot({ path: join(folder, `${name}-${what}.png`) });
  const filter = page.locator("#filter");
  const look = () =>
    page.evaluate(() => {
      const current = document.querySelector(".item.current");
      const bar = document.querySelector(".filter").getBoundingClientRect();
      const phone = innerWidth <= 800;
      const { top, bottom } = current?.getBoundingClientRect() ?? {};
      return {
        current: current?.id,
        hits: [...document.querySelectorAll(".item:not([hidden])")].map(({ id }) => id),
        // Its first line is below the filter's bar and in the window.
        seen: current !== null && top >= (phone ? bar.bottom - 1 : 0) && top < innerHeight - 60 && bottom > 0,
        bar: bar.width,
        found: document.getElementById("found").textContent,
      };
    });
  const fits = async (what) => {
    const [page_, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert(page_ <= window_, `${name}: ${what}: the page is ${page_} wide`);
  };

  await shoot("top");
  await fits("at the beginning");
  assert.deepEqual(await page.evaluate(brokenNames), [], name);
  assert.deepEqual(await page.evaluate(faintTexts), [], name);
  const before = await look();
  assert.equal(before.current, undefined);

  // From the end of the page, the filter brings its first hit.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.keyboard.press("/");
  await page.keyboard.type("number");
  const number = await look();
  await shoot("filtered");
  await fits("filtered");
  assert(number.hits.length > 3 && number.hits.length < before.hits.length, number.found);
  assert.equal(number.current, number.hits[0], name);
  assert(number.seen, `${name}: the first hit is out of view`);
  assert.equal(number.bar, before.bar, `${name}: the filter moves what is beside it`);

  // The arrows go from hit to hit, and around.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const third = await look();
  assert.equal(third.current, number.hits[2], name);
  assert(third.seen, `${name}: the third hit is out of view`);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("ArrowUp");
  const last = await look();
  assert.equal(last.current, number.hits.at(-1), name);
  assert(last.seen, `${name}: the last hit is out of view`);

  // Enter opens it: all is there again, at the same place.
  await page.keyboard.press("Enter");
  const opened = await look();
  await shoot("opened");
  assert.equal(await filter.inputValue(), "");
  assert.equal(opened.hits.length, before.hits.length, name);
  assert.equal(opened.current, last.current, name);
  assert(opened.seen, `${name}: what was opened is out of view`);
  assert.equal(decodeURIComponent(new URL(page.url()).hash.slice(1)), last.current);
  assert.equal(await page.evaluate(() => document.activeElement.id), last.current);

  // Letters left out or swapped.
  for (const typed of ["chsae", "chs", "numbr_ad"]) {
    await filter.fill(typed);
    const near = await look();
    const wanted = typed.startsWith("ch") ? ".chase" : ".number_add";
    assert(near.hits.some((id) => id.endsWith(wanted)), `${name}: ${typed}: ${near.hits}`);
    assert.match(near.found, /like it$/);
    assert(near.seen, `${name}: ${typed}: the first hit is out of view`);
  }
  await filter.fill("no such thing");
  assert.equal((await look()).hits.length, 0);
  await fits("without hits");
  await page.keyboard.press("Escape");
  assert.equal((await look()).hits.length, before.hits.length);

  // The contents lead to a place that is seen.
  if (await page.locator("details:not([open]) summary").count()) await page.locator("summary").first().click();
  await fits("with its contents open");
  const link = page.locator('#list a[href$="chase"]').first();
  await link.click();
  await shoot("chase");
  const [top, bar] = await page.evaluate(() => {
    const [target, bar] = [":target", ".filter"].map((one) => document.querySelector(one).getBoundingClientRect());
    return [target.top, innerWidth <= 800 ? bar.bottom : 0];
  });
  assert(top >= bar && top < 844 - 60, `${name}: what the contents lead to is at ${top}, below ${bar}`);

  assert.deepEqual(wrong, [], name);
  await context.close();
};

for (const width of [1280, 390]) {
  for (const colorScheme of ["light", "dark"]) await read(width, colorScheme);
}
await browser.close();
console.log("done");
