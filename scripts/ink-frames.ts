/** Lets Ink compose frames by `src/ui/terminal/compose-rows.ts`, which says why, and write them with less work. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const MODULE = fileURLToPath(new URL("../src/ui/terminal/compose-rows.ts", import.meta.url));
const IMPORT = `import { composeRows, keepCells } from ${JSON.stringify(MODULE)};\n`;
const COMPOSED_FRAME = `
    get() {
        const rows = composeRows(this.operations, this.width, this.height);
        if (rows !== undefined) return { output: rows, height: this.height };
`;

/**
 * Replaces a line that changed as a whole. Ink looks for the start that it shares with the line before, which takes a
 * quarter of the CPU time of a key and spares few bytes, since what changes most is the ground of a row.
 */
const WHOLE_LINES = `
import ansiEscapes from "ansi-escapes";
export default (_, line) => ansiEscapes.cursorTo(0) + ansiEscapes.eraseEndLine + line;
`;

/** Writes a frame at once. Ink writes it in three parts, each of which is a system call. */
const CORKED_LOG = `throttle((output) => {
  const { stdout } = this.options;
  stdout.cork?.();
  process.nextTick(() => stdout.uncork?.());
`;

type Change = readonly [from: RegExp, to: string];

/** The changes of files of Ink. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "output.js": [
    [/^/, IMPORT],
    [/caches = new OutputCaches\(\);/, "caches = keepCells(new OutputCaches());"],
    [/\n {4}get\(\) \{\n/, COMPOSED_FRAME],
  ],
  "line-update.js": [[/^[\s\S]*eraseEndLine[\s\S]*$/, WHOLE_LINES]],
  "ink.js": [[/throttle\(\(output\) => \{/, CORKED_LOG]],
};

/** The plugin of the build; it fails where another version of Ink has other code. */
export const inkFrames: Plugin = {
  name: "ink-frames",
  transform: {
    filter: { id: /\/ink\/build\/[\w-]+\.js$/ },
    handler(code, id) {
      const changes = CHANGES[id.slice(id.lastIndexOf("/") + 1)] ?? [];
      return changes.reduce((text, [from, to]) => {
        if (!from.test(text)) throw new Error(`Ink has other code: ${id} without ${from}`);
        return text.replace(from, () => to);
      }, code);
    },
  },
};
