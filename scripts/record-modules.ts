/** Runs a build of the program and writes the list of the files that it loaded to the path in `SOLX_MODULES`. */
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { SOLX_MODULES = "", SOLX_MAIN = "" } = process.env;
const loaded = new Set<string>();
registerHooks({
  load: (url, context, nextLoad) => {
    loaded.add(url);
    return nextLoad(url, context);
  },
});
process.on("exit", () => writeFileSync(SOLX_MODULES, JSON.stringify([...loaded])));
const { main } = await import(SOLX_MAIN);
await main({ version: "0.0.0" });
