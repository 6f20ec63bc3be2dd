// Debian's Chromium, without a window.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const launch = () => {
  if (!existsSync(executablePath)) throw new Error(`there is no ${executablePath}`);
  const flags =
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking" +
    " --disable-component-update --disable-sync";
  return chromium.launch({ executablePath, args: flags.split(" ") });
};
