import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** The desk alone, for node: tests drive it with positions of every game. */
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] },
  build: { lib: { entry: "src/lib/driven.ts", formats: ["es"], fileName: "driven" }, rollupOptions: { external: [/^node:/] }, target: "node18" },
});
