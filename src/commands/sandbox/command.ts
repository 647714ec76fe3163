/** `solx sandbox`. */
import { FAULT_HELP } from "../../sandbox/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const SANDBOX_COMMAND: CommandDefinition = {
  name: "sandbox",
  summary: "Run a local API server with simulated data",
  heading: "Tools:",
  audience: "sandbox",
  options: [
    { flags: "--port <number>", description: "port; 0 selects a free one (default: 8787)" },
    {
      flags: "--host <address>",
      description: "address to listen on; other than loopback requires --key (default: 127.0.0.1)",
    },
    {
      flags: "--allow-host <name>",
      description: "host name under which other machines reach the server; repeatable",
      repeatable: true,
    },
    { flags: "--seed <text>", description: "seed of the data: the same seed gives the same data (default: solx)" },
    { flags: "--size <factor>", description: "amount of data, 0.02 to 10 times the usual amount (default: 1)" },
    { flags: "--now <time>", description: "fixed time of the data: 7d, 2024-07-05, ISO 8601 or Unix seconds" },
    { flags: "--key <key>", description: "API key to accept (default: sandbox-key-<seed>)" },
    {
      flags: "--fault <rule>",
      description: "make requests fail, e.g. 500:10%; repeatable; rules: --help-all",
      repeatable: true,
    },
    { flags: "--rate <requests>/<seconds>", description: "rate limit instead of the plan's, e.g. 200/10" },
    { flags: "--units <number>", description: "compute units per month instead of the plan's" },
    { flags: "--hostile", description: "names and memos that attack terminals, spreadsheets and readers" },
    { flags: "--live [seconds]", description: "add a new block every so many seconds (default: 2)" },
    { flags: "--bare-legacy", description: "chain info without the envelope, as the older service sent it" },
  ],
  examples: [
    ["Start the server; Ctrl-C stops it", "solx sandbox"],
    [
      "For a script: a free port; address and key are in the first line of JSON",
      "solx sandbox --port 0 > sandbox.log &",
    ],
    ["For other machines and containers", "solx sandbox --host 0.0.0.0 --key my-test-key"],
    ["With the limits of a plan", "solx sandbox --plan lite"],
    ["Serve an index of a local validator", "solx sandbox --index localnet"],
    ["A tenth of the requests fail, and all are slow", "solx sandbox --fault 503:10% --fault latency=300ms"],
  ],
  details: FAULT_HELP,
  commands: [
    {
      name: "info",
      summary: "Show where the ledgers of the sandbox are stored, and their size",
      audience: "sandbox",
      run: async (context) => (await import("./ledgers.ts")).printSandboxInfo(context),
    },
    {
      name: "reset",
      summary: "Remove the ledgers of the sandbox; they are created again when needed",
      audience: "sandbox",
      run: async (context) => (await import("./ledgers.ts")).resetSandbox(context),
    },
  ],
  run: async (context, { options }) => (await import("./serve.ts")).serve(context, options),
};
