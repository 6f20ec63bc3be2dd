// Games with one mistake each, which stand still in a known state: `examples/planted.rs`.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, type Studio, start } from "./studio.ts";

export const PLANTED = process.env.PLANTED ?? join(ROOT, "target/debug/examples/planted");

/** A game with a mistake, shown in a studio that is attached to it. */
export interface Planted {
  studio: Studio;
  end: () => Promise<void>;
}

export function buildPlanted(): void {
  if (!existsSync(PLANTED))
    execFileSync("cargo", ["build", "--workspace", "--example", "planted"], { cwd: ROOT, stdio: "inherit" });
}

export async function startPlanted(mistake: string, options: { language?: string } = {}): Promise<Planted> {
  buildPlanted();
  const game = spawn(PLANTED, [mistake], { stdio: ["pipe", "pipe", "inherit"] });
  const folder = await folderOf(game);
  const studio = await start({
    ...options,
    trees: join(folder, "trees"),
    catalogue: join(folder, "agents.json"),
    flags: ["--attach", join(folder, "token.json")],
  });
  await studio.page.locator('[data-part="why"]').waitFor();
  return {
    studio,
    end: async () => {
      await studio.close();
      game.stdin.end();
    },
  };
}

/** The folder of a game that runs. */
function folderOf(game: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    game.stdout?.once("data", (line: Buffer) => found(line.toString().trim()));
    game.once("exit", (code) => failed(new Error(`the game ended with ${code}`)));
  });
}
