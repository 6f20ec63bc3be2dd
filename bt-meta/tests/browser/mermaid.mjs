// Draws pictures of trees by Mermaid in Chromium, and looks where the nodes are. Argument: a folder with `pictures.json`,
// a list of `name`, `text`, `nodes` (how many) and `children` (the nodes below each node, in the file's order). A picture of
// each is left beside it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { launch } from "./chromium.mjs";

const [folder] = process.argv.slice(2);
const script = join(dirname(createRequire(import.meta.url).resolve("mermaid")), "mermaid.min.js");
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });

const draw = async (text) => {
  await page.goto("about:blank");
  await page.addScriptTag({ path: script });
  return page.evaluate(async (text) => {
    mermaid.initialize({ startOnLoad: false });
    const { svg } = await mermaid.render("picture", text);
    document.body.innerHTML = svg;
    const boxes = [...document.querySelectorAll("g.node")].map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const name = node.id.match(/-(t\d+n\d+)-/)[1];
      return [name, { left: x, right: x + width, top: y, bottom: y + height }];
    });
    return Object.fromEntries(boxes);
  }, text);
};

const pictures = JSON.parse(readFileSync(join(folder, "pictures.json"), "utf8"));
for (const { name, text, nodes, children } of pictures) {
  const boxes = await draw(text);
  await page.locator("svg").first().screenshot({ path: join(folder, `${name}.png`) });
  assert.equal(Object.keys(boxes).length, nodes, name);
  // Where a tree grows to, and where its siblings follow each other.
  const [from, to, before, after] = text.includes("\nflowchart TB\n")
    ? ["bottom", "top", "right", "left"]
    : ["right", "left", "bottom", "top"];
  for (const [parent, below] of Object.entries(children)) {
    for (const [at, child] of below.entries()) {
      assert(boxes[parent][from] < boxes[child][to], `${name}: ${child} is beside ${parent}, not below it`);
      if (at === 0) continue;
      const sibling = below[at - 1];
      assert(boxes[sibling][before] < boxes[child][after], `${name}: ${child} stands before ${sibling}`);
    }
  }
}
await browser.close();
console.log("done");
