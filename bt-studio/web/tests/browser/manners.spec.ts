// Manners: no findings of axe, a tree built in the outline alone, nothing run that a file says, small screens.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { closeBrowser, goTo, open, save, start } from "./studio.ts";

afterAll(closeBrowser);

describe("axe", () => {
  for (const dark of [false, true]) {
    it(`finds nothing, ${dark ? "dark" : "light"}`, async () => {
      const studio = await start({ dark });
      const { page } = studio;
      const found: Record<string, string[]> = {};
      const look = async (state: string) => {
        const problems = await violationsIn(page);
        if (problems.length > 0) found[state] = problems;
      };
      await look("empty");
      await open(studio, "hunt.json");
      await goTo(studio, 10);
      await look("tree");
      for (const [state, keys, part] of [
        ["nodes", "N", "#nodes-list [role=option]"],
        ["keys", "B", ".keys-panel .key"],
      ] as const) {
        await page.locator("canvas.canvas").focus();
        await page.keyboard.press(keys);
        await page.locator(part).first().waitFor();
        // Some of the rows stand for all of them.
        if (state === "nodes") await page.keyboard.type("wait");
        await look(state);
      }
      await page.keyboard.press("Control+Shift+o");
      await page.locator(".outline .row").first().waitFor();
      await page.keyboard.press("Control+Shift+m");
      await look("outline and problems");
      await page.keyboard.press("Control+f");
      await page.keyboard.type("prey");
      await page.keyboard.press("Enter");
      await page.locator(".bottom .problem").first().waitFor();
      await look("find");
      await page.keyboard.press("F4");
      await look("text");
      await page.keyboard.press("F4");
      for (const [state, keys] of [
        ["palette", "Control+k"],
        ["help", "F1"],
        ["new", "Control+Alt+n"],
        ["save as", "Control+Shift+s"],
        ["go to", "Control+g"],
        ["rename", "F2"],
        ["replace", "Control+Shift+h"],
        ["compare", "Control+Alt+d"],
      ] as const) {
        await page.locator("canvas.canvas").focus();
        await page.keyboard.press(keys);
        await page.locator("dialog[open]").waitFor();
        await look(state);
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
      }
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press("Shift+F10");
      await page.locator(".menubar button").first().click();
      await page.locator(".menu").waitFor();
      await look("menu");
      expect(found).toEqual({});
      await studio.close();
    }, 300_000);
  }
});

describe("the outline", () => {
  it("is enough to build a tree by keyboard", async () => {
    const studio = await start();
    const { page } = studio;
    await page.keyboard.press("Control+Alt+n");
    await page.keyboard.type("sentry");
    await page.locator("#new-agent").selectOption("monster_agent");
    await page.keyboard.press("Enter");
    await page.locator(".tab[data-active=true] [data-tip='sentry.json']").waitFor();
    await page.keyboard.press("Control+Shift+o");
    await page.locator(".outline:focus").waitFor();
    const add = async (key: string, name: string, count: number) => {
      await page.keyboard.press(key);
      await page.locator(".picker").waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await page
        .locator(".outline .row")
        .nth(count - 1)
        .waitFor();
      await page.locator(".outline:focus").waitFor();
    };
    await add("A", "select", 2);
    await add("A", "sequence", 3);
    await add("A", "should_flee", 4);
    await add("Shift+A", "flee.json", 5);
    await page.keyboard.press("ArrowLeft");
    await add("Shift+A", "patrol", 6);
    await save(studio);
    const tree = JSON.parse(studio.text("sentry.json")) as { nodes: { type: string; children: number[] }[] };
    expect(tree.nodes.map(({ type }) => type)).toEqual([
      "root",
      "select",
      "sequence",
      "condition",
      "sub_tree",
      "action",
    ]);
    expect(tree.nodes[1]?.children).toHaveLength(2);
    await studio.close();
  });
});

describe("a hostile tree", () => {
  it("runs no script of its texts, and breaks nothing", async () => {
    const script = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>{{constructor}}`;
    const studio = await start({
      files: (folder) => {
        const node = (idx: number, type: string, children: number[], extra: object, parent?: number) => ({
          idx,
          type,
          ...(parent !== undefined && { parent }),
          children,
          comment: script,
          extra,
        });
        const nodes = [
          node(0, "root", [1], { agent_name: script, blackboard: { [script]: { type: script } } }),
          node(1, script, [2], { [script]: script, guards: [{ condition_name: script }] }, 0),
          node(
            2,
            "action",
            [],
            { action_name: script, action_args: [{ arg_type: script, arg_value: script }] },
            1,
          ),
        ];
        writeFileSync(join(folder, "hostile.json"), JSON.stringify({ name: script, nodes }));
      },
    });
    const { page } = studio;
    await open(studio, "hostile.json");
    for (const node of [0, 1, 2]) await goTo(studio, node);
    await page.keyboard.press("Control+Shift+o");
    await page.keyboard.press("Control+Shift+m");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("onerror");
    await page.waitForTimeout(300);
    expect(await page.evaluate("window.broken")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
    expect(studio.complaints).toEqual([]);
    await studio.close();
  });
});

describe("a small screen", () => {
  it("can be read at 390 pixels: nothing stands beside the page", async () => {
    const studio = await start({ width: 390, height: 800 });
    const { page } = studio;
    await open(studio, "hunt.json");
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "small-first.png") });
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+i");
    await page.waitForTimeout(200);
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(390);
    const box = await page.locator("canvas.canvas").boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "small.png") });
    await studio.close();
  });
});

describe("text at twice its size", () => {
  it("leaves the picture, the node and the problems to be read, and nothing beside the page", async () => {
    // A browser at 200 % has half the pixels for the page.
    const studio = await start({ width: 720, height: 450 });
    const { page } = studio;
    await open(studio, "hunt.json");
    await goTo(studio, 10);
    const wide = async () => Number(await page.evaluate("document.documentElement.scrollWidth"));
    expect(await wide()).toBeLessThanOrEqual(720);
    const box = await page.locator("canvas.canvas").boundingBox();
    expect(box!.width).toBeGreaterThan(200);
    expect(box!.height).toBeGreaterThan(200);
    const inspector = await page.locator(".inspector").boundingBox();
    expect(inspector!.width).toBeGreaterThan(180);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "zoomed.png") });
    await page.keyboard.press("Control+Shift+m");
    await page.waitForTimeout(200);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "zoomed-problems.png") });
    for (const [keys, name] of [
      ["Control+Alt+d", "compare"],
      ["F1", "help"],
      ["Control+k", "palette"],
    ] as const) {
      await page.locator("canvas.canvas").focus();
      await page.keyboard.press(keys);
      const dialog = page.locator("dialog[open]");
      await dialog.waitFor();
      const { x, y, width, height } = (await dialog.boundingBox())!;
      expect(x >= 0 && y >= 0 && x + width <= 720 && y + height <= 450, name).toBe(true);
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `zoomed-${name}.png`) });
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(await wide()).toBeLessThanOrEqual(720);
    await studio.close();
  });
});

describe("the page", () => {
  it("asks before it closes what is not saved, and offers a draft after a crash", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    await page.keyboard.press("M");
    await page.locator("[data-comment] textarea:focus").waitFor();
    await page.keyboard.type("A draft. ");
    await page.keyboard.press("Control+Enter");
    await page.locator("[aria-label='not saved']").waitFor();
    await page.keyboard.press("Control+Alt+w");
    await page.locator("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForTimeout(1500);
    await page.reload();
    await page.locator(".tab [data-tip='patrol.json']").waitFor();
    const draft = page.locator(".banner.info button").first();
    const isThere = await draft.isVisible();
    if (isThere) await draft.click();
    await page.locator("[aria-label='not saved']").waitFor();
    await save(studio);
    expect(studio.text("patrol.json")).toContain("A draft. ");
    await studio.close();
  });

  it("reports a file that changed on disk, and does not overwrite it without consent", async () => {
    const studio = await start();
    const { page } = studio;
    await open(studio, "patrol.json");
    await goTo(studio, 1);
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Shift+Space");
    await page.locator("[aria-label='not saved']").waitFor();
    const other = studio.text("patrol.json").replace('"comment": "', '"comment": "Elsewhere. ');
    writeFileSync(join(studio.folder, "patrol.json"), other);
    await page.keyboard.press("Control+s");
    await page.locator("dialog", { hasText: "has changed on disk" }).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "conflict.png") });
    expect(studio.text("patrol.json")).toBe(other);
    await page.locator("dialog .danger").click();
    await page.locator("[aria-label='not saved']").waitFor({ state: "detached" });
    expect(studio.text("patrol.json")).not.toContain("Elsewhere");
    await studio.close();
  });
});
