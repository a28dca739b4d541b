import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** Pages are made in the browser alone, so Svelte's code for taking over pages of a server is left out (2.4 kB gzipped). */
const noHydration = {
  name: "no-hydration",
  transform(code: string, id: string) {
    if (!id.endsWith("client/dom/hydration.js")) return null;
    return code.replace("export let hydrating = false;", "export const hydrating = false;").replace("hydrating = value;", "");
  },
};

export default defineConfig({
  plugins: [svelte(), noHydration],
  build: {
    outDir: "../src/sandtable/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      optimization: { inlineConst: true },
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
