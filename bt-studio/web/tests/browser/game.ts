// Starts the real scene of monsters, with its port in a folder of the test's own.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, type Studio } from "./studio.ts";

const MONSTER = process.env.MONSTER ?? join(ROOT, "target/debug/monster");

export interface Game {
  /** The folder in which games leave their tokens. */
  folder: string;
  env: Record<string, string>;
  /** The number of its process. */
  process: () => number;
  /** What the game printed. */
  said: () => string;
  kill: () => Promise<void>;
  /** Starts it, again after it was killed. */
  start: () => Promise<void>;
  end: () => Promise<void>;
}

/** Starts the scene. With three agents it has no players: nobody fights, and each monster goes its rounds for ever. */
export async function startGame(agents = 3, more: string[] = []): Promise<Game> {
  if (!existsSync(MONSTER))
    execFileSync("cargo", ["build", "-p", "monster"], { cwd: ROOT, stdio: "inherit" });
  const folder = mkdtempSync(join(tmpdir(), "bt-game-"));
  const env = { XDG_RUNTIME_DIR: folder };
  let process_: ChildProcess | null = null;
  let said = "";
  const tokens = () => {
    const place = join(folder, "bt-live");
    return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".json")) : [];
  };
  const start = async () => {
    const before = new Set(tokens());
    said = "";
    process_ = spawn(MONSTER, ["--live", "--agents", String(agents), ...more], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const hear = (part: Buffer) => {
      said = (said + part.toString()).slice(-20_000);
    };
    process_.stdout?.on("data", hear);
    process_.stderr?.on("data", hear);
    for (let tries = 0; tries < 100; tries++) {
      if (tokens().some((name) => !before.has(name)) || (before.size > 0 && said.includes("token file")))
        return;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`the game opened no port: ${said}`);
  };
  const kill = async () => {
    if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return;
    const ended = new Promise((done) => process_?.once("exit", done));
    process_.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    folder,
    env,
    process: () => process_?.pid ?? 0,
    said: () => said,
    start,
    kill,
    end: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Attaches to the game that runs, by the keyboard. */
export async function attach({ page }: Studio): Promise<void> {
  await page.keyboard.press("Control+Alt+a");
  await page.locator("dialog .choice").first().waitFor();
  await page.locator("dialog .choice").first().focus();
  await page.keyboard.press("Enter");
  await page.locator('.session[data-state="attached"]').waitFor();
  await page.locator(".agent-row .name").first().waitFor();
}

/** Chooses an agent, by the keyboard. */
export async function choose({ page }: Studio, name: string): Promise<void> {
  await page.keyboard.press("Control+Shift+G");
  const filter = page.locator(".agents input.filter");
  await filter.fill(name);
  await page.locator(".agent-row .name", { hasText: new RegExp(`^${name}$`) }).waitFor();
  await filter.press("Enter");
  await page.locator(".agent-head h2", { hasText: name }).waitFor();
  await page.locator('[data-part="why"]').waitFor();
}

/** Goes to a node of the tree on the canvas. */
export async function goToNode({ page }: Studio, idx: number): Promise<void> {
  await page.locator("canvas.canvas").focus();
  await page.keyboard.press("Control+g");
  await page.locator("#goto-number:focus").waitFor();
  await page.keyboard.type(String(idx));
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator("canvas.canvas").focus();
}
