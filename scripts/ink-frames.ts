/** Lets Ink compose frames by `src/ui/terminal/compose-rows.ts`, which says why. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const MODULE = fileURLToPath(new URL("../src/ui/terminal/compose-rows.ts", import.meta.url));
const CACHES = "caches = new OutputCaches();";
const FRAME = /\n {4}get\(\) \{\n/;
const COMPOSED_FRAME = `
    get() {
        const rows = composeRows(this.operations, this.width, this.height);
        if (rows !== undefined) return { output: rows, height: this.height };
`;

/** The plugin of the build; it fails where another version of Ink composes frames in another way. */
export const inkFrames: Plugin = {
  name: "ink-frames",
  transform: {
    filter: { id: /\/ink\/build\/output\.js$/ },
    handler(code) {
      if (!code.includes(CACHES) || !FRAME.test(code)) throw new Error("Ink composes frames in another way.");
      const composed = code.replace(CACHES, "caches = keepCells(new OutputCaches());").replace(FRAME, COMPOSED_FRAME);
      return `import { composeRows, keepCells } from ${JSON.stringify(MODULE)};\n${composed}`;
    },
  },
};
