/** The recorded answers of the OpenAPI document as data in the build. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import { stringifyJson } from "../src/base/index.ts";
import { recordExamples } from "../src/commands/openapi/examples.ts";

const DATA = "\0openapi-examples-data";

/** Replaces the module that records answers by their data in a separate file, as text that keeps all digits. */
export const examplesPlugin: Plugin = {
  name: "openapi-examples",
  resolveId: (id) => (id === DATA ? id : undefined),
  async load(id) {
    if (id === DATA) {
      recorded ??= recordText();
      return `export default ${JSON.stringify(await recorded)};`;
    }
    if (!/src[\\/]commands[\\/]openapi[\\/]examples\.ts$/.test(id)) return undefined;
    return [
      'import { parseJson } from "../../base/index.ts";',
      `export const loadExamples = async () => parseJson((await import(${JSON.stringify(DATA)})).default);`,
    ].join("\n");
  },
};

/** The answers, which several builds need. */
let recorded: Promise<string> | undefined;

async function recordText(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "solx-build-"));
  try {
    return stringifyJson(await recordExamples(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
