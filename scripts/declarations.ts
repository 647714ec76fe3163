/** The type declarations of the package: one file with what its exports need, and nothing of internal modules. */
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
      const named = code.replace(/^(export (?:declare )?type EntityName = )[^;]*(?:\{[^}]*\}[^;]*)*;/m, `$1${NAMES};`);
      if (named === code) throw new Error("The declaration of EntityName has another form.");
      return named;
    },
  },
};

/** Writes `index.d.ts` to a folder. */
export async function writeDeclarations(folder: string): Promise<void> {
  await build({
    input: { index: "src/index.ts" },
    plugins: [entityNames, dts({ dtsOnly: true, tsconfig: "tsconfig.build.json" })],
    output: { dir: folder, format: "esm" },
    logLevel: "silent",
  });
}
