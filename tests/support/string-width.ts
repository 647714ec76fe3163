/** cli-table3 measures text as everything else does, as in the build, and not with an older string-width. */
import { registerHooks } from "node:module";

const current = new URL("./string-width.cjs", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "string-width" && context.parentURL?.includes("/cli-table3/")
      ? { url: current, format: "commonjs", shortCircuit: true }
      : next(specifier, context),
});
