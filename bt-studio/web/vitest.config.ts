import { defineConfig } from "vitest/config";

// `npm test` runs what needs no browser; `npm run test:browser` drives the page in
// Chromium against the real server, and `npm run test:long` does so for minutes.
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.ts"] } },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.spec.ts"],
          // A machine that is busy otherwise may starve a browser once.
          retry: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "long",
          include: ["tests/long/**/*.spec.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
