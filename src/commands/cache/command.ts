/** `solx cache`. */
import { CACHE_KIND_NAMES } from "../../catalogue/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const CACHE: CommandDefinition = {
  name: "cache",
  summary: "Inspect and clear the cache of answers",
  heading: "Configuration:",
  audience: "none",
  commands: [
    {
      name: "stats",
      summary: "Show the number and size of cached answers by kind of data",
      audience: "local",
      run: async (context) => (await import("./cache.ts")).printCacheStats(context),
    },
    {
      name: "clear",
      summary: "Remove cached answers",
      audience: "local",
      options: [
        {
          flags: "--kind <kind>",
          description: `remove only one kind: ${CACHE_KIND_NAMES.join("|")}`,
          values: CACHE_KIND_NAMES,
        },
      ],
      examples: [
        ["Remove everything", "solx cache clear"],
        ["Remove only names and labels", "solx cache clear --kind metadata"],
      ],
      run: async (context, { options }) => (await import("./cache.ts")).clearCache(context, options),
    },
  ],
};
