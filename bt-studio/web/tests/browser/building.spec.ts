// While the package is built one works with the agents that are known already.

import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBrowser, goTo, open, ROOT, start } from "./studio.ts";

afterAll(closeBrowser);

/** A cargo that never ends: it knows the package, and compiles. */
function slowCargo(): { folder: string; env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), "bt-cargo-"));
  const path = join(folder, "cargo");
  writeFileSync(
    path,
    `#!/bin/sh
for one in "$@"; do
  if [ "$one" = rustc ]; then
    printf '   Compiling slowly v1.0.0\\n' >&2
    exec sleep 60
  fi
done
unset CARGO
exec cargo "$@"
`,
  );
  chmodSync(path, 0o755);
  return { folder, env: { CARGO: path } };
}

describe("while the package is built", () => {
  it("the exported agents are known, cargo's progress is shown, and nothing is claimed that is not known", async () => {
    const cargo = slowCargo();
    const studio = await start({
      package: "monster",
      env: cargo.env,
      files: (folder) => {
        // Beside the trees, as an export writes it.
        cpSync(join(ROOT, "examples/monster/editor/agents.json"), join(dirname(folder), "agents.json"));
        const hunt = join(folder, "hunt.json");
        const text = JSON.stringify(JSON.parse(readFileSync(hunt, "utf8")), null, 1).replace(
          '"smash"',
          '"new_in_code"',
        );
        writeFileSync(hunt, text);
      },
    });
    const { page } = studio;
    const building = page.locator(".status .building");
    await building.waitFor();
    expect(await building.textContent()).toContain("agents.json");
    await page.locator(".status .building", { hasText: "Compiling slowly v1.0.0" }).waitFor();
    await open(studio, "hunt.json");
    await goTo(studio, 12);
    await page.waitForTimeout(800);
    expect(await page.locator(".status .count.error").count()).toBe(0);
    expect(await page.locator(".node .mistake").count()).toBe(0);
    await page.locator(".node .hint", { hasText: "the package is being built" }).waitFor();
    // The picker has the agent's actions.
    await goTo(studio, 1);
    await page.keyboard.press("/");
    await page.keyboard.type("attack");
    await page
      .locator(".picker .name", { hasText: /^attack$/ })
      .first()
      .waitFor();
    await studio.close();
    rmSync(cargo.folder, { recursive: true, force: true });
  });
});
