/** `solx mcp`. */
import type { CommandDefinition } from "../run/command-definition.ts";
import { MCP_CLIENTS } from "./install/clients.ts";
import type { InstallOptions } from "./install/install.ts";

const CLIENT_NAMES = Object.keys(MCP_CLIENTS);

/** The part of both commands that change the configuration of a client. */
const INSTALLATION = {
  audience: "message",
  flags: ["--sandbox", "--rpc", "--index"],
  arguments: [{ name: "<client>", description: `program to change: ${CLIENT_NAMES.join(", ")}`, values: CLIENT_NAMES }],
  options: [
    { flags: "--project", description: "in the file of the project in this folder, not in that of the user" },
    { flags: "-y, --yes", description: "change the file without a prompt" },
  ],
} as const;

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
    ["Add the server to Claude Code, after showing the change", "solx mcp install claude"],
    ["Over HTTP; the address and the token are in the first line of JSON", "solx mcp --http"],
    ["With another profile, and at most 20,000 compute units", "solx mcp --profile work --max-units 20000"],
  ],
  commands: [
    {
      ...INSTALLATION,
      name: "install",
      summary: "Add the server to the configuration of an MCP client",
      examples: [
        ["Claude Code, for all projects", "solx mcp install claude"],
        ["VS Code, for the project in this folder", "solx mcp install vscode --project"],
        ["On simulated data, without a prompt", "solx mcp install cursor --sandbox --yes"],
      ],
      details: "The change is shown and has to be confirmed. No key is written. The rest of the file stays as it is.",
      run: async (context, { args: [client = ""], options }) =>
        (await import("./install/install.ts")).install(context, client, options as InstallOptions),
    },
    {
      ...INSTALLATION,
      name: "uninstall",
      aliases: ["remove"],
      flags: [],
      summary: "Remove the server from the configuration of an MCP client",
      examples: [["Claude Code", "solx mcp uninstall claude"]],
      run: async (context, { args: [client = ""], options }) =>
        (await import("./install/install.ts")).uninstall(context, client, options as InstallOptions),
    },
  ],
  run: async (context, invocation) => (await import("./serve.ts")).serve(context, invocation),
};
