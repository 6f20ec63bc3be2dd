// Words and forms for designers: names as people say them, drop-downs, the keys of a tree, and all of it in Chinese.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { FakeGame } from "../unit/fake-game.ts";
import { violationsIn } from "./axe.ts";
import { startAttached, TREES } from "./fake-studio.ts";
import { attach, choose, goToNode, startGame } from "./game.ts";
import { closeBrowser, goTo, open, ROOT, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

interface Node {
  idx: number;
  type: string;
  children: number[];
  extra: Record<string, unknown>;
}

function nodesOf(studio: Studio, path: string): Node[] {
  return (JSON.parse(studio.text(path)) as { nodes: Node[] }).nodes;
}

function extraOf(studio: Studio, path: string, idx: number): Record<string, unknown> {
  return nodesOf(studio, path).find((node) => node.idx === idx)!.extra;
}

async function shot({ page }: Studio, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

async function settled({ page }: Studio): Promise<void> {
  await page.locator("[aria-label='not saved']").waitFor();
}

describe("the fields of a node", () => {
  it("have names as a person says them, the file's spelling beside them, and what holds where nothing is given", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 0);
    const field = (code: string) =>
      page.locator(".node .field", { has: page.locator("code", { hasText: new RegExp(`^\\s*${code}$`) }) });
    expect(await field("agent_name").locator("label").textContent()).toMatch(/^Runs as\s*agent_name$/);
    expect(await field("mode").locator("label").textContent()).toMatch(/^When it has ended\s*mode$/);
    expect(await field("mode").locator("select option").allTextContents()).toEqual([
      "default: begin again",
      "begin again",
      "stay ended",
    ]);
    // What a key is of is chosen, and its first value is of that.
    const type = page.locator(".nested .field", { hasText: "Type" }).locator("select");
    expect(await type.inputValue()).toBe('"uint64"');
    expect(await type.locator("option").allTextContents()).toContain("list of number");
    await type.selectOption('"bool"');
    await settled(studio);
    await page
      .locator(".nested .field", { hasText: "Initial value" })
      .locator("textarea, select")
      .first()
      .waitFor();
    await shot(studio, "words-root");
    expect(await page.locator(".node").textContent()).not.toContain("(not given)");
    await studio.close();
  });

  it("of a node that runs a tree have the tree, and each key that it takes", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 4);
    const chooser = page.locator(".node .chooser", { hasText: "flee.json" });
    await chooser.waitFor();
    const prey = page.locator(".argument", { has: page.locator(".argument-name", { hasText: /^prey$/ }) });
    expect(await prey.locator("select").first().inputValue()).toBe("");
    expect(await prey.locator("select option").first().textContent()).toBe("initial value 0");
    await shot(studio, "words-sub-tree");
    await prey.locator("select").first().selectOption('"plain"');
    await settled(studio);
    await prey.locator("input").first().fill("7");
    await prey.locator("input").first().press("Enter");
    await page.waitForTimeout(300);
    await save(studio);
    expect(extraOf(studio, "hunt.json", 4).args).toEqual({
      threat: { arg_type: "blackboard", arg_value: "prey" },
      prey: { arg_type: "plain", arg_value: 7 },
    });
    await chooser.click();
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("patrol");
    await page.keyboard.press("Enter");
    await page.locator(".node .chooser", { hasText: "patrol.json" }).waitFor();
    await studio.close();
  });

  it("offer to declare a key that nobody declares", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 10);
    const key = page.locator(".argument input[type=text]").first();
    await key.fill("victim");
    await key.press("Enter");
    await settled(studio);
    await page.locator("button", { hasText: "+ key “victim”" }).click();
    await page.locator("button", { hasText: "+ key “victim”" }).waitFor({ state: "detached" });
    await save(studio);
    const declared = extraOf(studio, "hunt.json", 0).blackboard as Record<string, unknown>;
    expect(declared.victim).toEqual({ type: "uint64" });
    await studio.close();
  });
});

describe("the keys of a tree", () => {
  it("are listed with types, values and uses, added and renamed", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.keyboard.press("B");
    await page.locator(".add-key input:focus").waitFor();
    const key = (name: string) =>
      page.locator(".key", { has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) });
    await key("prey").waitFor();
    expect(await key("prey").textContent()).toMatch(/whole number from 0 · agent/);
    expect(await key("prey").textContent()).toMatch(/initially\s*0/);
    expect(await key("prey").locator(".key-nodes").count()).toBe(2);
    await page.keyboard.type("mood");
    await page.locator(".add-key select").selectOption("string");
    await page.locator(".add-key button").click();
    await key("mood").waitFor();
    expect(await key("mood").textContent()).toMatch(/text · agent\s*no node uses it/);
    await shot(studio, "words-keys");
    expect(await violationsIn(page, { part: ".side" })).toEqual([]);
    await key("mood").locator("button", { hasText: "Rename" }).click();
    await page.locator("#rename-to").fill("temper");
    await page.locator("dialog .main").click();
    await key("temper").waitFor();
    await key("prey").locator(".key-nodes button", { hasText: "#10" }).click();
    await page.locator(".node-head .number", { hasText: "#10" }).waitFor();
    await save(studio);
    expect(extraOf(studio, "hunt.json", 0).blackboard).toHaveProperty("temper", { type: "string" });
    await studio.close();
  });

  it("show the values of the agent that one follows", async () => {
    const game = new FakeGame(200, 40, TREES, [0, 1, 2, 5]);
    const studio = await startAttached(game);
    const { page } = studio;
    await open(studio, "hunt.json");
    await page.keyboard.press("B");
    await page.locator(".key .key-live code").first().waitFor();
    await shot(studio, "words-live");
    await studio.close();
  });
});

describe("a new tree", () => {
  it("has no error before anything was done, and says what is still to do", async () => {
    const studio = await start();
    const { page } = studio;
    await page.keyboard.press("Control+Alt+n");
    await page.locator("dialog input").first().waitFor();
    await page.keyboard.type("fresh");
    await page.locator("#new-agent").selectOption("monster_agent");
    await page.keyboard.press("Enter");
    await page.locator("canvas.canvas:focus").waitFor();
    await page.locator(".status", { hasText: "1 thing to do" }).waitFor();
    await page.waitForTimeout(600);
    await shot(studio, "words-new");
    const red = page.locator(".count.error, .error-mark, [data-level=error]");
    expect(await red.count()).toBe(0);
    await page.keyboard.press("/");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("select");
    await page.keyboard.press("Enter");
    await page.locator(".status", { hasText: "2 nodes" }).waitFor();
    await page.waitForTimeout(600);
    expect(await red.count()).toBe(0);
    // What holds of the whole tree, such as that it never waits, is not said while a node of it is unfinished.
    await page.locator(".status .count.todo, .status", { hasText: "to do" }).first().waitFor();
    expect(await page.locator(".status .count.warning").count()).toBe(0);
    // Saved as it is, it is wrong.
    await page.keyboard.press("Control+s");
    await page.locator(".status .count.error").waitFor();
    await studio.close();
  });
});

/** Strings that are data: of agents' code and of trees. They stay in their own language. */
function dataOf(folder: string): RegExp {
  const found = new Set<string>(["trees", "cargo run -p monster -- --live", "mosaic_game"]);
  const gather = (value: unknown, key = ""): void => {
    if (key === "node_kinds" || key === "$defs" || key === "nodes_type") return;
    if (typeof value === "string") for (const line of value.split("\n")) found.add(line.trim());
    else if (Array.isArray(value)) for (const one of value) gather(one);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (key === "blackboard" || key === "args" || key === "properties") found.add(name);
        gather(one, name);
      }
  };
  gather(JSON.parse(readFileSync(join(ROOT, "examples/monster/editor/agents.json"), "utf8")));
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".json")) continue;
    found.add(name);
    gather(JSON.parse(readFileSync(join(folder, name), "utf8")));
  }
  // Code in a text stands apart.
  for (const text of [...found]) for (const part of text.split("`")) found.add(part.trim());
  const texts = [...found].filter((text) => text.length > 1).sort((one, other) => other.length - one.length);
  const plain = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![A-Za-z0-9_])(${plain.join("|")})(?![A-Za-z0-9_])`, "g");
}

/** What keys, formats and programs are called everywhere. */
const EVERYWHERE =
  /\b(Ctrl|Shift|Alt|Enter|Esc|Ins|Insert|Del|Delete|Space|Backspace|Home|End|PgUp|PgDn|PageUp|PageDown|F\d+|JSON|SVG|PNG|POST|UTF|CSV|URL|bt-studio|git|Git|cargo|BT\d{4}|[A-Z])\b/g;

/** All that a person reads or hears on the page, but for code, keys, and what says that it is English. */
async function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const skipped = "code, kbd, script, style, textarea, [lang=en], .type, .code, canvas.thumb";
    const texts: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const parent = walk.currentNode.parentElement;
      if (parent && !parent.closest(skipped)) texts.push(walk.currentNode.textContent ?? "");
    }
    for (const element of document.querySelectorAll("[aria-label], [data-tip], [placeholder], [title]")) {
      if (element.closest("[lang=en]")) continue;
      for (const name of ["aria-label", "data-tip", "placeholder", "title"]) {
        const text = element.getAttribute(name);
        // A tooltip may name the file's spelling on a line of its own.
        if (text) texts.push(...text.split("\n").filter((line) => !/^[a-z_0-9]+(<.*>)?$/.test(line)));
      }
    }
    return texts;
  });
}

/** Texts with English words in them. */
function english(texts: readonly string[], data: RegExp): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    // The other language is named in itself, and a colour by its digits.
    const rest = text
      .replace(/English$/, " ")
      .replace(/^#[0-9a-f]{6}$/, " ")
      .replaceAll(data, " ")
      .replaceAll(EVERYWHERE, " ");
    if (/[A-Za-z]{2,}/.test(rest)) found.add(`${text.trim()}   [${rest.trim()}]`);
  }
  return [...found];
}

describe("in Chinese", () => {
  it("no English is left on the page: kinds, settings, lists, dialogs and problems", async () => {
    const studio = await start({
      language: "zh-CN",
      files: (folder) => {
        const broken = JSON.parse(readFileSync(join(folder, "hunt.json"), "utf8")) as { nodes: Node[] };
        broken.nodes[16]!.extra = { action_name: "chasse", action_args: [] };
        broken.nodes[7]!.type = "seqence";
        broken.nodes[14]!.children = [];
        writeFileSync(join(folder, "wrong.json"), JSON.stringify(broken));
        // One node of each kind, with all that can be attached.
        const catalogue = JSON.parse(
          readFileSync(join(ROOT, "examples/monster/editor/agents.json"), "utf8"),
        ) as { node_kinds: { name: string; child_max?: number; params: { required?: string[] } }[] };
        const kinds = catalogue.node_kinds.filter(({ name }) => name !== "root");
        const nodes = kinds.map(({ name }, at) => ({
          idx: at + 2,
          type: name,
          parent: 1,
          children: [] as number[],
          comment: "",
          extra: {},
        }));
        const guards = [
          { condition_name: "is_alive", condition_args: [], abort: "lower", not: true },
          { if: "$prey = 1" },
        ];
        const attached = {
          guards,
          effects: { enter: [{ action_name: "nop", action_args: [] }] },
          services: [{ seconds: 1, action_name: "nop", action_args: [] }],
          events: [{ event: "hurt", tree: "flee.json" }],
          blackboard: { spare: { type: "double" } },
        };
        const root = { idx: 0, type: "root", children: [1], extra: { agent_name: "monster_agent" } };
        const all = {
          idx: 1,
          type: "select",
          parent: 0,
          children: nodes.map(({ idx }) => idx),
          comment: "",
          extra: attached,
        };
        writeFileSync(join(folder, "kinds.json"), JSON.stringify({ nodes: [root, all, ...nodes] }));
      },
    });
    const { page } = studio;
    const data = dataOf(studio.folder);
    const left: Record<string, string[]> = {};
    const look = async (what: string) => {
      const found = english(await wordsOn(page), data);
      if (found.length > 0) left[what] = found;
    };
    const openTree = async (name: string) => {
      await page.keyboard.press("Control+o");
      await page.locator(".picker input:focus").waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await page.locator(`.tab[data-active=true] [data-tip="${name}"]`).waitFor();
      await page.locator("canvas.canvas").focus();
    };
    await look("the first screen");
    await openTree("hunt.json");
    await look("a tree");
    for (const [what, key, part] of [
      ["nodes", "N", "#nodes-list"],
      ["keys", "B", ".keys-panel"],
      ["outline", "Control+Shift+o", ".outline"],
    ] as const) {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press(key);
      await page.locator(part).waitFor();
      await page.waitForTimeout(200);
      await look(what);
    }
    await openTree("kinds.json");
    const count = await page.evaluate(() => document.querySelectorAll(".outline [role=treeitem]").length);
    expect(count).toBeGreaterThan(20);
    await page.locator("canvas.canvas").focus();
    for (let idx = 0; idx < 42; idx++) {
      await goTo(studio, idx);
      await page.locator("[data-comment]").waitFor();
      await look(`node ${idx}`);
    }
    await openTree("wrong.json");
    await page.keyboard.press("Control+Shift+m");
    await page.locator(".bottom .problem").first().waitFor();
    await shot(studio, "chinese-problems");
    await look("problems");
    await goTo(studio, 16);
    await look("a wrong node");
    await page.keyboard.press("Control+Shift+m");
    for (const [what, keys] of [
      ["palette", "Control+k"],
      ["insert", "/"],
      ["change kind", "C"],
      ["help", "F1"],
      ["new", "Control+Alt+n"],
      ["save as", "Control+Shift+s"],
      ["rename", "F2"],
      ["rename a file", "Alt+F2"],
      ["fixes", "Control+."],
      ["colour", "K"],
      ["find", "Control+f"],
    ] as const) {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press(keys);
      await page.waitForTimeout(300);
      await look(what);
      await page.keyboard.press("Escape");
      await page.waitForTimeout(100);
    }
    for (let menu = 0; menu < 7; menu++) {
      await page.locator(".menubar button").nth(menu).click();
      await page.locator(".menu").waitFor();
      await look(`menu ${menu}`);
      await page.keyboard.press("Escape");
    }
    expect(left).toEqual({});
    await studio.close();
  }, 240_000);

  it("no English is left in the debugger: agent, log, panels, dialogs and what is refused", async () => {
    const game = await startGame(3);
    const studio = await start({ language: "zh-CN", env: game.env });
    const { page } = studio;
    const of = "wolf|goblin|bear|monster|Ann|btrec|bt_live|post|ai_debug|text|json|true|ns|ms|no_such_action";
    const data = new RegExp(`${dataOf(studio.folder).source}|\\b(${of})\\b`, "g");
    const left: Record<string, string[]> = {};
    const look = async (what: string) => {
      await page.waitForTimeout(200);
      await shot(studio, `chinese-${what.replaceAll(" ", "-")}`);
      const found = english(await wordsOn(page), data);
      if (found.length > 0) left[what] = found;
    };
    await page.keyboard.press("Control+Alt+a");
    await page.locator("dialog .choice").first().waitFor();
    await look("attach");
    await page.keyboard.press("Escape");
    await attach(studio);
    await look("agents");
    await choose(studio, "wolf#2");
    await page.locator(".log-row").first().waitFor();
    await look("agent and log");
    await page.locator(".log").focus();
    await page.keyboard.press("End");
    for (const key of ["ArrowRight", "ArrowUp", "ArrowRight"]) await page.keyboard.press(key);
    await page.locator('.log-row[data-kind="row"]').first().waitFor();
    await look("rows");
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press("F6");
    await page.locator(".stopped-at").waitFor({ timeout: 30_000 });
    await page.keyboard.press("Control+Alt+2");
    await page.locator(".forced-count").waitFor();
    await look("stopped and forced");
    await page.keyboard.press("Control+Alt+9");
    await page.keyboard.press("F5");
    await page.locator(".stopped-at").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Alt+q");
    await page.locator(".answer").waitFor();
    await look("answer");
    for (const [what, keys, part] of [
      ["breakpoints", "Control+Alt+b", ".points"],
      ["profile", "Control+Alt+y", ".profile"],
      ["sides", "Control+Alt+v", ".sides"],
    ] as const) {
      await page.locator("canvas.canvas").focus();
      if (what === "breakpoints") await page.keyboard.press("F9");
      await page.keyboard.press(keys);
      await page.locator(part).first().waitFor();
      await page.waitForTimeout(1200);
      await look(what);
      if (what === "breakpoints") await page.keyboard.press("Control+Shift+F9");
    }
    for (const [what, keys] of [
      ["breakpoint", "Control+F9"],
      ["fire", "Control+Alt+f"],
      ["call", "Control+Alt+c"],
      ["key", "Control+Alt+k"],
      ["record", "Control+Alt+Shift+s"],
    ] as const) {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("F5");
      await page.keyboard.press(keys);
      await page.locator("dialog[open]").waitFor();
      await look(what);
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    // A tree that the game refuses.
    await open(studio, "patrol.json");
    await goToNode(studio, 13);
    await page.keyboard.press("A");
    await page.locator(".picker input:focus").waitFor();
    await page.keyboard.type("no_such_action");
    await page.keyboard.press("Control+Enter");
    await page.locator(".tab[data-active=true] [role=img]").last().waitFor();
    await page.keyboard.press("Control+s");
    await page.locator(".game-bottom h3.mistake").waitFor({ timeout: 20_000 });
    await look("not reloaded");
    await game.kill();
    await page.locator('.session[data-state="lost"]').waitFor({ timeout: 20_000 });
    await look("lost");
    expect(left).toEqual({});
    await studio.close();
    await game.end();
  }, 240_000);

  it("problems have a title for every code", () => {
    const titles = readFileSync(join(import.meta.dirname, "../../src/i18n/kinds.zh.ts"), "utf8");
    const codes = [...readFileSync(join(ROOT, "docs/src/codes.md"), "utf8").matchAll(/^\| \[(BT\d{4})\]/gm)];
    const missing = codes.map(([, code]) => code!).filter((code) => !titles.includes(`"code.${code}"`));
    expect(codes.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it("no Chinese is among the English texts", () => {
    const folder = join(import.meta.dirname, "../../src/i18n");
    const names = readdirSync(folder).filter((name) => /(^|\.)en\.ts$/.test(name));
    expect(names).toContain("en.ts");
    for (const name of names) {
      const lines = readFileSync(join(folder, name), "utf8").split("\n");
      const found = lines.filter(
        (line) => /[\u4e00-\u9fff]/.test(line) && !line.includes('"command.language"'),
      );
      expect(found, name).toEqual([]);
    }
  });
});
