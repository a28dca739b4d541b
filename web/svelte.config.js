import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // short names for scoped classes: they stand in the script hundreds of times
  compilerOptions: { discloseVersion: false, cssHash: ({ hash, css }) => `s${hash(css).slice(0, 4)}` },
};
