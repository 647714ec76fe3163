/** `solx mcp`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const MCP: CommandDefinition = {
  name: "mcp",
  summary: "Serve the API to language models (MCP), on stdio or HTTP",
  audience: "session",
  options: [
    { flags: "--http", description: "serve Streamable HTTP on this machine, to clients with the printed token" },
    { flags: "--port <number>", description: "port of --http on 127.0.0.1; 0 selects a free one (default: 8788)" },
    { flags: "--max-rows <rows>", description: "maximum rows per result (default: 100; 1000 with selected fields)" },
    {
      flags: "--max-bytes <bytes>",
      description: "maximum size of a result in bytes; a cursor continues it (default: 20000)",
    },
    { flags: "--max-units <units>", description: "compute units that all calls together may cost (default: no limit)" },
  ],
  examples: [
    ["Command for the settings of an assistant", "solx mcp"],
    ["Without a key, on simulated data", "solx mcp --sandbox"],
    ["Over HTTP; the address and the token are in the first line of JSON", "solx mcp --http"],
    ["With another profile, and at most 20,000 compute units", "solx mcp --profile work --max-units 20000"],
  ],
  run: async (context, invocation) => (await import("./serve.ts")).serve(context, invocation),
};
