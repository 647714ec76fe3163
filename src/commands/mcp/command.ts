/** `solx mcp`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const MCP: CommandDefinition = {
  name: "mcp",
  summary: "Serve the API to language models (MCP) on stdin and stdout",
  heading: "Tools:",
  audience: "mcp",
  options: [
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
    ["With another profile, and at most 20,000 compute units", "solx mcp --profile work --max-units 20000"],
  ],
  run: async (context, { options }) => (await import("./serve.ts")).serve(context, options),
};
