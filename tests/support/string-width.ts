/** cli-table3 measures text with the string-width of everything else, as in the build, and not with an older one. */
import { registerHooks } from "node:module";

const current = new URL("./string-width.cjs", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "string-width" && context.parentURL?.includes("/cli-table3/")
      ? { url: current, format: "commonjs", shortCircuit: true }
      : next(specifier, context),
});
