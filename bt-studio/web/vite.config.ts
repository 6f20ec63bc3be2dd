import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The output is committed and embedded by the server: names come from contents, nothing from the clock.
export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
});
