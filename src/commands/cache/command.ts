/** `solx cache`. */
import type { CommandDefinition } from "../run/command-definition.ts";
import { STORED_KINDS } from "./kinds.ts";

/** The command. */
export const CACHE: CommandDefinition = {
  name: "cache",
  summary: "Inspect and clear the cache of answers and names",
  audience: "none",
  commands: [
    {
      name: "stats",
      summary: "Show the number and size of cached answers by kind of data, and of stored names",
      audience: "print",
      run: async (context) => (await import("./cache.ts")).printCacheStats(context),
    },
    {
      name: "clear",
      summary: "Remove cached answers and stored names",
      audience: "message",
      options: [
        {
          flags: "--all",
          description:
            "remove everything that solx can create again: also data of the sandbox, compiled code, usage samples and logs",
        },
        {
          flags: "--kind <kind>",
          description: `remove only one kind: ${STORED_KINDS.join("|")}`,
          values: STORED_KINDS,
          isClosed: true,
        },
      ],
      examples: [
        ["Remove all answers and names", "solx cache clear"],
        ["Remove everything that solx can create again", "solx cache clear --all"],
        ["Remove only the metadata of tokens and accounts", "solx cache clear --kind metadata"],
        ["Remove only the names of addresses", "solx cache clear --kind names"],
      ],
      run: async (context, { options }) => (await import("./cache.ts")).clearCache(context, options),
    },
  ],
};
