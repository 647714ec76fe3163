/** The type declarations of the package: one file with what its exports need, and nothing of internal modules. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { ENTITIES } from "../src/catalogue/schemas.ts";

const NAMES = Object.keys(ENTITIES)
  .map((name) => JSON.stringify(name))
  .join(" | ");

/** The names of entities as a list: derived from their schemas, they would bring these along, and zod. */
const entityNames: Plugin = {
  name: "entity-names",
  transform: {
    order: "pre",
    filter: { id: /\/catalogue\/endpoint\.d\.ts$/ },
    handler(code) {
      const named = code.replace(/^(export type EntityName = )[\s\S]*?;\n(?=\/\*\*|export)/m, `$1${NAMES};\n`);
      if (named === code) throw new Error("The declaration of EntityName has another form.");
      return named;
    },
  },
};

/** The modules that users of the library import, by name: the package itself and its subpaths. */
export const LIBRARY_ENTRIES = {
  index: "src/index.ts",
  sandbox: "src/library-sandbox.ts",
  redis: "src/library-redis.ts",
  node: "src/library-node.ts",
};

/** Writes a `.d.ts` for each entry to a folder. */
export async function writeDeclarations(folder: string): Promise<void> {
  const modules = mkdtempSync(join(tmpdir(), "solx-types-"));
  const args = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", modules];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  const declarationOf = (path: string) => join(modules, path.replace(/^src\/(.*)\.ts$/, "$1.d.ts"));
  await build({
    // Paths in the output are relative to it, so that the same sources give the same files.
    cwd: modules,
    input: Object.fromEntries(Object.entries(LIBRARY_ENTRIES).map(([name, path]) => [name, declarationOf(path)])),
    plugins: [entityNames, dts({ dtsInput: true, tsconfig: false })],
    external: /^[^./]/,
    output: { dir: resolve(folder), format: "esm" },
    logLevel: "silent",
  });
  rmSync(modules, { recursive: true });
}
