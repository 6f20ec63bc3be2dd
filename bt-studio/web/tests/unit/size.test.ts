// What the first screen loads: the page, its styles and the program it starts with, without what comes later.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../../dist");
const MOST = 300_000;

/** A file of the page and all that it names to be loaded at once. */
function atOnce(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(DIST, file), "utf8");
  const named = file.endsWith(".html")
    ? text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)
    : text.matchAll(/(?:^|[;}\n])(?:import|export)\b[^"'`();]*["'`]\.\/([^"'`]+)["'`]/g);
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
  for (const [, name] of named) atOnce(folder + name, seen);
  return seen;
}

it("the first screen is at most 300 kB when compressed", () => {
  const files = [...atOnce("index.html")];
  const sizes = files.map((file) => [file, gzipSync(readFileSync(join(DIST, file))).length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(files.some((file) => file.endsWith(".js"))).toBe(true);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  // The editor of texts is loaded when one opens a text.
  expect(files.filter((file) => file.includes("/editor-"))).toEqual([]);
  expect(total, sizes.join("\n")).toBeLessThanOrEqual(MOST);
});
