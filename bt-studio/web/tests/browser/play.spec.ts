// A tree played without its game: by mouse, by keys alone, edited while it plays, and saved as a scenario.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { violationsIn } from "./axe.ts";
import { goToNode } from "./game.ts";
import { closeBrowser, insert, open, ROOT, type Studio, save, start } from "./studio.ts";

let studio: Studio | undefined;
afterEach(async () => {
  await studio?.close();
  studio = undefined;
});
afterAll(closeBrowser);

const call = (name: string) => ({ action_name: name, action_args: [] });

/** A monster forgets its target while it is to flee, and rests otherwise. */
const TREE = {
  nodes: [
    { idx: 0, type: "root", children: [1], extra: { agent_name: "monster_agent" } },
    { idx: 1, type: "select", children: [2, 5], extra: {} },
    { idx: 2, type: "sequence", children: [3, 4], extra: {} },
    { idx: 3, type: "condition", children: [], extra: call("should_flee") },
    { idx: 4, type: "action", children: [], extra: call("forget_target") },
    { idx: 5, type: "action", children: [], extra: call("rest") },
  ],
};

const SCENARIO = `tree = "dusk.json"
[[answer]]
call = "should_flee"
result = false
[[answer]]
call = "rest"
after = "2s"
result = true
[[expect]]
at = "end"
result = "success"
`;

async function playing(language = "en"): Promise<Studio> {
  const files = (folder: string) => writeFileSync(join(folder, "dusk.json"), JSON.stringify(TREE));
  studio = await start({ language, files });
  await open(studio, "dusk.json");
  await studio.page.keyboard.press("Control+F7");
  await studio.page.locator(".play").waitFor();
  return studio;
}

describe("a tree without its game", () => {
  it("is played by mouse: cards, switches, the time, and the panels of the debugger", async () => {
    const { page, complaints } = await playing();
    const card = page.locator('[data-card="rest"]');
    await card.waitFor();
    // The canvas shows where it is, and the panel of the agent says why it waits.
    await page.locator('[data-part="why"]', { hasText: "dusk.json: node 5" }).waitFor();
    await page.locator(".play-state", { hasText: "An action waits for you." }).waitFor();
    await page.locator('.steps [data-command="play-step"]').click();
    await page.locator(".play-now", { hasText: "0.1 s" }).waitFor();
    await card.getByRole("button", { name: "Fails" }).click();
    await page.locator('.steps [data-command="play-step"]').click();
    await page.locator(".play-state", { hasText: "The tree has failed." }).waitFor();
    await page.getByRole("switch", { name: /should_flee/ }).click();
    await page.locator('.steps [data-command="play-again"]').click();
    await page.locator(".play-state", { hasText: "The tree has succeeded." }).waitFor();
    expect(await violationsIn(page, { part: ".game-bottom" })).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is played by keys alone", async () => {
    const { page } = await playing();
    await page.locator('[data-card="rest"] button', { hasText: "Succeeds" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Alt+Shift+Digit4");
    await page.locator(".play-state", { hasText: "The tree has succeeded." }).waitFor();
    const answer = page.getByRole("combobox", { name: /^rest/ });
    await answer.focus();
    for (const value of ["success", "failure", "after 1s", "after 1s failure"]) {
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(
        (wanted) => (document.activeElement as HTMLSelectElement).value === wanted,
        value,
      );
    }
    await page.keyboard.press("Control+Shift+F7");
    await page.locator(".play-state", { hasText: "The tree has failed." }).waitFor();
    await page.locator(".play-now", { hasText: /^1 s$/ }).waitFor();
    await page.keyboard.press("Shift+F5");
    await page.locator(".game-bar").waitFor({ state: "detached" });
  });

  it("plays edits at once, also those that are not saved", async () => {
    const playingStudio = await playing();
    const { page } = playingStudio;
    await page.locator('[data-card="rest"]').waitFor();
    await goToNode(playingStudio, 5);
    await page.keyboard.press("Delete");
    // What runs goes over to the changed tree in its next poll.
    await page.waitForTimeout(600);
    await page.keyboard.press("Control+Alt+Shift+Digit2");
    await page.locator(".play-state", { hasText: "The tree has failed." }).waitFor();
    expect(playingStudio.text("dusk.json")).toBe(JSON.stringify(TREE));
  });

  it("is saved as a scenario that `bt-meta test` plays again", async () => {
    const { page, folder, catalogue } = await playing();
    await page.locator('[data-card="rest"]').getByRole("button", { name: "Succeeds" }).click();
    await page.locator('.steps [data-command="play-step"]').click();
    await page.locator(".play-state", { hasText: "The tree has succeeded." }).waitFor();
    await page.locator('[data-command="save-scenario"]').last().click();
    const text = page.getByRole("textbox", { name: "The scenario" });
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>(".play-scenario")?.value);
    expect(await text.inputValue()).toContain('call = "rest"\nafter = "0.1s"\nresult = true');
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "Saved: dusk.scenario.toml" }).waitFor();
    const file = join(folder, "dusk.scenario.toml");
    expect(existsSync(file)).toBe(true);
    const bin = process.env.BT_META ?? join(ROOT, "target/debug/bt-meta");
    expect(execFileSync(bin, ["test", file, "--catalogue", catalogue]).toString()).toContain(
      "1 scenario passed",
    );
  });

  it("is in Chinese, too", async () => {
    const { page } = await playing("zh-CN");
    await page.locator(".play-state", { hasText: "有动作在等你。" }).waitFor();
    expect(await page.locator(".game-bottom").innerText()).not.toMatch(/\b(Answers|Events|Succeeds|waits)\b/);
  });

  it("is tested by scenarios, which colour what they show", async () => {
    const files = (folder: string) => {
      writeFileSync(join(folder, "dusk.json"), JSON.stringify(TREE));
      writeFileSync(join(folder, "dusk.scenario.toml"), SCENARIO);
    };
    studio = await start({ files });
    const { page } = studio;
    await open(studio, "dusk.json");
    await page.keyboard.press("Control+Alt+Shift+Digit6");
    const panel = page.getByRole("region", { name: "Scenarios" });
    await panel.getByText(/All pass: \d+/).waitFor();
    await panel.getByText("of this tree 10 of 18").waitFor();
    await page.keyboard.press("Control+Shift+o");
    await page.locator('.live-badge[aria-label*="○ never entered"]').waitFor();
    await page.locator('.live-badge[aria-label*="not seen: failure"]').first().waitFor();
    writeFileSync(join(studio.folder, "dusk.scenario.toml"), SCENARIO.replace("success", "failure"));
    await panel.getByRole("button", { name: "Again" }).click();
    await panel.getByText(/1 of \d+ fail/).waitFor();
    await panel.locator("pre", { hasText: "expected" }).waitFor();
    expect(await violationsIn(page, { part: ".bottom" })).toEqual([]);
  });

  it("grows from an empty folder and an exported catalogue to a played and tested tree", async () => {
    const trees = mkdtempSync(join(tmpdir(), "bt-empty-"));
    const catalogue = join(ROOT, "docs/src/command-line.in/agents.json");
    studio = await start({ trees, catalogue });
    const { page } = studio;
    await page.keyboard.press("Control+Alt+n");
    await page.locator("dialog input:focus").waitFor();
    await page.keyboard.type("sentry");
    await page.keyboard.press("Enter");
    await page.locator(".tab[data-active=true] [data-tip='sentry.json']").waitFor();
    await page.locator("canvas.canvas").focus();
    await insert(studio, "sequence", 2);
    await insert(studio, "rest", 3);
    await save(studio);
    await page.keyboard.press("Control+F7");
    await page.locator('[data-card="rest"]').getByRole("button", { name: "Succeeds" }).click();
    await page.locator('.steps [data-command="play-step"]').click();
    await page.locator(".play-state", { hasText: "The tree has succeeded." }).waitFor();
    await page.keyboard.press("Control+Alt+Shift+Digit5");
    await page.locator("#scenario-path").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "Saved: sentry.scenario.toml" }).waitFor();
    await page.keyboard.press("Control+Alt+Shift+Digit6");
    await page.getByText(/All pass: 1 /).waitFor();
    expect(studio.complaints).toEqual([]);
    rmSync(trees, { recursive: true });
  });
});
