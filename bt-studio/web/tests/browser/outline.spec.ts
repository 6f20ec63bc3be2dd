// The tree of the book's page on tree files, built in the outline and the inspector by keyboard alone.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, type Studio, save, start } from "./studio.ts";

afterAll(closeBrowser);

const PAGE = resolve(import.meta.dirname, "../../../../docs/src/tree-files.md");

interface Node {
  idx: number;
  type: string;
  children: number[];
  parent?: number;
  comment?: string;
  extra: Record<string, unknown>;
}

/** The trees of the page, the sentry's first. */
function trees(): { name: string; nodes: Node[] }[] {
  const blocks = readFileSync(PAGE, "utf8").split("```json\n").slice(1, 4);
  return blocks.map((block) => JSON.parse(block.slice(0, block.indexOf("\n```"))));
}

/** The catalogue with an agent that can do what the page's sentry does. */
function catalogue(text: string): string {
  const { agents, ...rest } = JSON.parse(text);
  const base = agents.find((agent: { name: string }) => agent.name === "action_agent");
  const value = (name: string, type = "string") => ({
    name,
    type,
    comment: "",
    schema: { type: type === "string" ? "string" : "number" },
  });
  const item = (kind: string, name: string, ...args: object[]) => ({
    name,
    kind,
    args,
    brief: `What ${name} does.`,
    docs: "",
    crate: "sentry",
    file: "src/lib.rs",
    line: 1,
    result: kind === "condition" ? "bool" : "unit",
  });
  const sentry = {
    ...base,
    name: "sentry",
    full_name: "sentry",
    base: "action_agent",
    brief: "Guards a post.",
    crate: "sentry",
    file: "src/lib.rs",
    actions: [
      item("action", "look_around"),
      item("action", "shout", value("text")),
      item("action", "chase", value("target"), value("speed", "double"), value("reach", "double")),
      item("action", "strike", value("target")),
      item("action", "walk_to", value("place")),
    ],
    conditions: [item("condition", "is_enemy", value("name"))],
    decorators: [],
    events: [
      {
        ...item("event", "alarm"),
        args: undefined,
        kind: undefined,
        result: undefined,
        params: [value("place")],
      },
    ],
    properties: [
      {
        ...item("property", "run_speed"),
        ...value("run_speed", "double"),
        args: undefined,
        kind: undefined,
        result: undefined,
      },
    ],
  };
  return JSON.stringify({ ...rest, agents: [base, sentry] });
}

/** What counts of a node: an argument may go by its place, and a call without arguments may say so. */
function plain(nodes: Node[]): unknown {
  const known = nodes.map(({ idx, type, children, parent, comment, extra }) => {
    const said = JSON.stringify(extra ?? {});
    const same = said.replaceAll(',"arg_name":"target"', "").replaceAll('"action_args":[],', "");
    return { idx, type, children, parent, comment: comment ?? "", extra: JSON.parse(same) };
  });
  return known.sort((one, other) => one.idx - other.idx);
}

/** Moves the focus on by Tab until it is on what has the label, in a part with that heading if one is given. */
async function tabTo({ page }: Studio, label: string, part?: string): Promise<void> {
  for (let times = 0; times < 120; times++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.labels?.[0]?.textContent ?? element?.getAttribute("aria-label");
      const around = element?.closest("fieldset, .part, .argument");
      const heading = around?.querySelector("legend, h3, .argument-name");
      return { label: label ?? element?.textContent ?? "", part: heading?.textContent ?? "" };
    });
    if (at.label.trim() === label && (part === undefined || at.part.trim() === part)) return;
  }
  throw new Error(`Tab does not lead to ${label} ${part ?? ""}`);
}

describe("the outline", () => {
  it("is enough to build the sentry's tree of the book by keyboard", async () => {
    const [sentry, ...others] = trees();
    const studio = await start({
      files: (folder) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
        for (const tree of others) writeFileSync(join(folder, tree.name), JSON.stringify(tree));
        const file = join(folder, "..", "agents.json");
        writeFileSync(file, catalogue(readFileSync(file, "utf8")));
      },
    });
    const { page } = studio;
    const keys = page.keyboard;
    const outline = page.locator(".outline:focus");
    const pause = () => page.waitForTimeout(350);
    /** Goes into the fields of the node, and comes back. */
    const fields = async (fill: () => Promise<void>) => {
      await keys.press("Enter");
      await page.locator(".inspector :focus").waitFor();
      await fill();
      await pause();
      await keys.press("Escape");
      await outline.waitFor();
    };
    const type = async (label: string, text: string, part?: string) => {
      await tabTo(studio, label, part);
      await keys.type(text);
      await pause();
    };
    const pick = async (key: string, ...names: string[]) => {
      await keys.press(key);
      for (const name of names) {
        await page.locator(".picker input:focus").waitFor();
        await keys.type(name);
        await keys.press("Enter");
        await pause();
      }
      await page.locator(".picker").waitFor({ state: "detached" });
      await outline.waitFor();
    };

    await keys.press("Control+Alt+n");
    await page.locator("dialog input:focus").waitFor();
    await keys.type("sentry");
    await tabTo(studio, "Agent that the tree is for");
    await keys.type("sentry");
    await keys.press("Enter");
    await page.locator(".tab[data-active=true] [data-tip='sentry.json']").waitFor();
    await keys.press("Control+Shift+o");
    await outline.waitFor();

    await fields(async () => {
      await type("When it has ended mode", "begin");
      for (const [key, initial] of [
        ["enemy", ""],
        ["home", "gate"],
        ["alarm_at", ""],
      ] as const) {
        await type("Name", key, "Declared keys");
        await keys.press("Enter");
        await pause();
        await keys.press("Escape");
        await outline.waitFor();
        await keys.press("Enter");
        await page.locator(".inspector :focus").waitFor();
        await type("Type", "text", key);
        await keys.press("Escape");
        await outline.waitFor();
        await keys.press("Enter");
        await page.locator(".inspector :focus").waitFor();
        await tabTo(studio, "Give a value", key);
        await keys.press("Enter");
        await keys.type(initial);
        await pause();
      }
    });
    await pick("/", "select");
    await keys.press("M");
    await page.locator("[data-comment] textarea:focus").waitFor();
    await keys.type("Fight, or else patrol.");
    await keys.press("Control+Enter");
    await outline.waitFor();
    await pick("S", "look_around");
    await pick("V", "alarm", "answer");
    await fields(async () => {
      await type("Seconds", "0.5", "Services");
      await type("Afterwards mode", "come", "Events 1");
      await type("Name", "place", "Parameters into keys params");
      await keys.press("Enter");
      await pause();
      await type("place", "alarm_at", "Parameters into keys params");
    });
    await pick("/", "sequence");
    await pick("G", "is_enemy");
    await pick("Shift+G", "shout");
    await fields(async () => {
      await type("Where name comes from", "Key", "name");
      await type("name", "enemy", "name");
      await type("Aborts abort", "what", "Guards");
      await type("text", "Halt!", "text");
    });
    await pick("/", "chase");
    await fields(async () => {
      // The first field has the focus: the way back to what is before it is short.
      await keys.press("Shift+Tab");
      await keys.press("Shift+Tab");
      await type("Where target comes from", "Key", "target");
      await type("target", "enemy", "target");
      await type("Where speed comes from", "Property", "speed");
      await type("speed", "run_speed", "speed");
      await type("reach", "1.5", "reach");
    });
    await pick("/", "strike");
    await fields(async () => {
      await keys.press("Shift+Tab");
      await keys.press("Shift+Tab");
      await type("Where target comes from", "Key", "target");
      await type("target", "enemy", "target");
    });
    await keys.press("ArrowLeft");
    await pick("Shift+A", "patrol.json");
    await fields(async () => {
      await type("Where post comes from", "Key", "post");
      await type("Key", "home", "post");
    });
    await save(studio);
    const { nodes } = JSON.parse(studio.text("sentry.json")) as { nodes: Node[] };
    expect(plain(nodes)).toEqual(plain(sentry!.nodes));
    await page.locator(".status", { hasText: "0 errors" }).waitFor();
    expect(studio.complaints).toEqual([]);
    await studio.close();
  }, 180_000);
});
