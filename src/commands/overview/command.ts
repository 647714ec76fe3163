/** `solx overview`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const OVERVIEW: CommandDefinition = {
  name: "overview",
  summary: "Show the latest blocks and token prices",
  audience: "request",
  flags: ["--limit", "--interactive", "--dry-run", "--curl"],
  examples: [
    ["Without a key, on simulated data", "solx overview --sandbox"],
    ["As JSON", "solx overview -o json"],
  ],
  async run(context) {
    if (context.globals.interactive) return (await import("../explore/explore.ts")).explore(context, []);
    return (await import("./overview.ts")).overview(context);
  },
};
