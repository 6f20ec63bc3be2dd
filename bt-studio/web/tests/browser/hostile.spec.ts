// Names, comments, colours, catalogues, logs and recordings that would run something if they could.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, it } from "vitest";
import { closeBrowser, goTo, open, ROOT, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

let studio: Studio | undefined;
const folders: string[] = [];
afterEach(async () => {
  await studio?.close();
  studio = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Each leaves a mark if something takes it for more than a text. */
const TEXTS = [
  '<img src=x onerror="ran(1)">',
  '"><svg onload=ran(2)>',
  "</script><script>ran(3)</script>",
  "javascript:ran(4)",
  "[click](javascript:ran(5))",
  "red;background:url(http://evil.example/x)",
  "{{constructor.constructor('ran(6)')()}} $t(command.save) %s",
  "\u202eevil\u2066",
];
const text = (at: number) => TEXTS[at % TEXTS.length]!;

/** Names that every object has. */
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

/** The same as JSON, where `__proto__` is a key as any other. */
const POLLUTED = '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}';

/** `odd`: with kinds and colours that are none, so that it is no tree. */
function tree(odd = false): string {
  const nodes = TEXTS.map((said, at) => {
    const name = NAMES[at % NAMES.length]!;
    const extra = {
      action_name: at % 2 === 0 ? said : name,
      action_args: [{ name: at % 3 === 0 ? said : name, type: "literal", value: said }],
      guards: [{ action_name: said, action_args: [], abort: said }],
      effects: { enter: [{ action_name: name, action_args: [] }], [said]: [] },
      polluted: "POLLUTED",
    };
    return {
      idx: at + 2,
      parent: 1,
      type: at === 5 ? said : at === 6 ? "constructor" : "action",
      children: [],
      comment: said,
      color: odd && at === 3 ? said : odd && at === 4 ? -1 : 0xff0000ff,
      extra,
      [name]: said,
    };
  });
  const blackboard = Object.fromEntries(
    [...TEXTS, ...NAMES.slice(1)].map((key) => [key, { type: key, initial: key }]),
  );
  const whole = {
    extra: { [text(0)]: text(1) },
    name: text(0),
    nodes: [
      {
        idx: 0,
        type: "root",
        children: [1],
        comment: text(0),
        color: 1,
        extra: { agent_name: "monster_agent", blackboard, events: "POLLUTED" },
      },
      {
        idx: 1,
        type: "sequence",
        parent: 0,
        children: nodes.map(({ idx }) => idx),
        comment: text(1),
        color: odd ? "POLLUTED" : 2,
        extra: {},
      },
      ...nodes,
    ],
  };
  return JSON.stringify(whole, null, 2).replaceAll('"POLLUTED"', POLLUTED);
}

/** The catalogue with other texts, and with methods and arguments of such names. */
function catalogue(): string {
  const all = JSON.parse(readFileSync(join(ROOT, "examples/monster/editor/agents.json"), "utf8"));
  let count = 0;
  const said = ["brief", "docs", "comment", "category", "display", "returns", "description", "unit"];
  const spoil = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (said.includes(key) && typeof one === "string")
        (value as Record<string, unknown>)[key] = text(count++);
      else spoil(one);
    }
  };
  spoil(all.agents);
  const agent = all.agents.find(({ name }: { name: string }) => name === "monster_agent");
  const attack = agent.actions.find(({ name }: { name: string }) => name === "attack");
  for (const name of ["constructor", "__proto__", "toString"]) {
    const args = NAMES.map((arg) => ({ ...attack.args[0], name: arg }));
    agent.actions.push({ ...attack, name, args, brief: text(0), file: text(3), exit: undefined });
  }
  return JSON.stringify(all);
}

const LOG = `{
  "entity_id": ${JSON.stringify(text(0))},
  "debug_cmds": [
    [0, 0, 1700000000000, "snapshot", [[${JSON.stringify(text(1))}], {"hp": 1, "__proto__": {"polluted": true}}, [[0, 0]]]],
    [0, 1, 1700000000010, "mutate", ["node_action", [${JSON.stringify(text(2))}, [${JSON.stringify(text(3))}]]]],
    [0, 0, 1700000000020, "poll_begin", []],
    [0, 0, 1700000000030, "push_tree", ["__proto__"]],
    [1, 0, 1700000000040, "node_enter", []],
    ${[...TEXTS, ...NAMES].map((key) => `[1, 0, 1700000000050, "bb_set", [${JSON.stringify(key)}, ${POLLUTED}]]`).join(",\n    ")}
  ]
}`;

/** A recording without records: its game, its agent and its trees have such names. */
function recording(): Buffer {
  const trees = Object.fromEntries([...TEXTS, "constructor"].map((name) => [name, name]));
  const about = {
    welcome: {
      version: 1,
      game: text(0),
      bt_live: text(1),
      crates: TEXTS,
      catalogue: text(2),
      trees,
      read_only: true,
      recording: true,
      speed: 1,
    },
    texts: trees,
    catalogue: { agents: text(0) },
  };
  const agent = { id: "7", name: text(0), tree: text(1), type: text(2) };
  const chunk = (letter: string, value: unknown) => {
    const json = Buffer.from(JSON.stringify(value));
    const head = Buffer.alloc(5);
    head.write(letter);
    head.writeUInt32LE(json.length, 1);
    return Buffer.concat([head, json]);
  };
  return Buffer.concat([Buffer.from("BTREC\x01\r\n", "latin1"), chunk("M", about), chunk("A", agent)]);
}

/** What ran, what the page's policy stopped, and whether objects have what they should not. */
const found = (page: Page) =>
  page.evaluate(`({
    ran: window.marks ?? "no marks",
    polluted: [({}).polluted, [].polluted, (() => {}).polluted].filter((it) => it !== undefined),
    elements: document.querySelectorAll("img, iframe, object, embed, svg[onload], script:not([src]), a[href^='javascript']").length,
  })`);

const WATCH = `
  window.marks = [];
  window.ran = (mark) => window.marks.push(mark);
  document.addEventListener("securitypolicyviolation", (event) => window.marks.push(event.violatedDirective + " " + event.blockedURI));
`;

/** A dialog, a panel or a picture may be open; nothing ran in it, and it ends with Escape. */
async function isQuiet(page: Page): Promise<void> {
  await page.waitForTimeout(150);
  expect(await found(page)).toEqual({ ran: [], polluted: [], elements: 0 });
}

it("runs nothing that trees, a catalogue, snippets and settings say, and still edits and saves", async () => {
  const own = mkdtempSync(join(tmpdir(), "bt-hostile-"));
  folders.push(own);
  writeFileSync(join(own, "agents.json"), catalogue());
  const snippets = `{"snippets": {${[...TEXTS, ...NAMES].map((name) => `${JSON.stringify(name)}: {"nodes": [{"idx": 1, "type": "action", "children": [], "comment": ${JSON.stringify(text(0))}, "extra": ${POLLUTED}}]}`).join(",")}}}`;
  studio = await start({
    files: (folder) => {
      writeFileSync(join(folder, "hostile.json"), tree());
      writeFileSync(join(folder, "a&b' onload=ran(9).json"), tree());
      writeFileSync(join(folder, "constructor.json"), tree());
      writeFileSync(join(folder, "__proto__.json"), tree());
      writeFileSync(join(folder, "odd.json"), tree(true));
      writeFileSync(join(folder, "broken.json"), `{"nodes": [${text(0)}]}`);
      writeFileSync(join(folder, ".bt-studio.json"), snippets);
    },
    catalogue: join(own, "agents.json"),
    before: async (page) => {
      await page.addInitScript(WATCH);
    },
  });
  const { page } = studio;
  for (const path of ["odd.json", "broken.json", "__proto__.json", "constructor.json", "hostile.json"]) {
    await page.keyboard.press("Control+o");
    await page.keyboard.type(path);
    await page.keyboard.press("Enter");
    await page.locator(`.tab[data-active=true] [data-tip="${path}"]`).waitFor();
    await isQuiet(page);
  }
  await page.locator("canvas.canvas").focus();
  for (let node = 0; node < TEXTS.length + 2; node++) {
    await goTo(studio, node);
    await isQuiet(page);
  }
  // What shows texts of trees, catalogue and snippets: pickers, palette, outline, problems, text, search, menus, help.
  for (const [keys, typed] of [
    ["/", "constructor"],
    ["/", "img"],
    ["Control+k", "img"],
    ["Control+k", "__proto__"],
    ["Control+f", "onerror"],
    ["Control+o", "proto"],
    ["c", "constructor"],
    ["g", "to"],
    ["Shift+F10", ""],
    ["u", ""],
    ["Control+Shift+o", ""],
    ["F4", ""],
    ["F4", ""],
    ["F1", ""],
    ["e", ""],
  ] as const) {
    await page.locator("canvas.canvas").focus();
    await page.keyboard.press(keys);
    if (typed) await page.keyboard.type(typed);
    await isQuiet(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  }
  // An action whose name and arguments all objects have is inserted.
  await open(studio, "hunt.json");
  await goTo(studio, 1);
  await page.keyboard.press("/");
  await page.keyboard.type("constructor");
  await page.keyboard.press("Enter");
  await isQuiet(page);
  await page.locator("canvas.canvas").focus();
  await save(studio);
  expect(studio.text("hunt.json")).toContain('"constructor"');
  expect(studio.complaints).toEqual([]);
  // The trap is armed: what takes a text for more is seen.
  await page.evaluate((said) => {
    (globalThis as unknown as { document: Element }).document
      .querySelector("body")
      ?.insertAdjacentHTML("beforeend", said);
  }, TEXTS[0]!);
  await page.waitForTimeout(150);
  expect(await found(page)).toMatchObject({ elements: 1, ran: [expect.stringContaining("script-src")] });
});

it("runs nothing that a log or a recording says, and still shows them", async () => {
  const own = mkdtempSync(join(tmpdir(), "bt-hostile-"));
  folders.push(own);
  const [log, fight] = [join(own, "log.json"), join(own, "fight.btrec")];
  writeFileSync(log, LOG);
  writeFileSync(fight, recording());
  studio = await start({
    flags: ["--log", log, "--recording", fight],
    before: async (page) => {
      await page.addInitScript(WATCH);
    },
  });
  const { page } = studio;
  await page.locator('.session[data-kind="log"]').waitFor();
  await isQuiet(page);
  await page.keyboard.press("Control+Shift+G");
  await page.locator(".agent-row .name").first().waitFor();
  await isQuiet(page);
  const names = await page.locator(".agent-row .name").allTextContents();
  expect(names.every((name) => name === text(0))).toBe(true);
  await page.locator(".agent-row .name").first().click();
  await page.locator(".agent-head h2").waitFor();
  await isQuiet(page);
  for (const keys of [
    "Alt+PageUp",
    "Alt+End",
    "Control+Alt+t",
    "Control+Alt+b",
    "Control+Alt+y",
    "Control+Alt+q",
    "Control+Alt+a",
  ]) {
    await page.keyboard.press(keys);
    await isQuiet(page);
    await page.keyboard.press("Escape");
  }
  await open(studio, "hunt.json");
  await isQuiet(page);
  expect(studio.complaints).toEqual([]);
});
