/** The type declarations of the package: one file with what its exports need, and nothing of internal modules. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Writes `index.d.ts` to a folder. */
export async function writeDeclarations(folder: string): Promise<void> {
  const modules = mkdtempSync(join(tmpdir(), "solx-types-"));
  const args = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", modules];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  await build({
    input: { index: join(modules, "index.d.ts") },
    plugins: [entityNames, dts({ dtsInput: true, tsconfig: false })],
    external: /^[^./]/,
    output: { dir: folder, format: "esm" },
    logLevel: "silent",
  });
  rmSync(modules, { recursive: true });
}
