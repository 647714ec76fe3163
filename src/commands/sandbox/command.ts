/** `solx sandbox`. */
import { PLANS } from "../../catalogue/index.ts";
import { FAULT_HELP, SHAPES } from "../../sandbox/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";
import type { ControlName } from "./control.ts";

const formList = Object.entries(SHAPES)
  .map(([name, text]) => `${name} (${text})`)
  .join(", ");

/** The options of subcommands that change or inspect a running server. */
const URL_OPTION = {
  flags: "--url <url>",
  description:
    "address of the running sandbox (default: the setting base-url if it is local, else the only one that runs)",
};
const CONTROL_TOKEN_OPTION = {
  flags: "--control-token <token>",
  description: "token that other machines need to change the sandbox, as its commands do",
};
const TOKEN_OPTION = {
  flags: "--token <mint|symbol>",
  description: "mint or well-known symbol of a token (default: SOL)",
};

/** The subcommands that change or inspect a running server. */
const CONTROLS: Readonly<Record<ControlName, Omit<CommandDefinition, "name" | "audience">>> = {
  time: {
    summary: "Show or change the time of a running sandbox",
    arguments: [
      {
        name: "[change]",
        description: "+<duration>, such as +1d; set <time>; freeze; resume",
        values: ["set", "freeze", "resume"],
      },
      { name: "[time]", description: "with set: 2026-08-01, ISO 8601 or Unix seconds, after the current time" },
    ],
    examples: [
      ["A day later: the rate limit and statistics of the last day follow", "solx sandbox time +1d"],
      ["In another month, with new compute units", "solx sandbox time set 2030-01-01"],
      ["Stop the clock, and let it run again", "solx sandbox time freeze && solx sandbox time resume"],
    ],
  },
  usage: {
    summary: "Show or set the compute units that the key of a running sandbox has used",
    arguments: [{ name: "[units]", description: "used compute units of this month, such as 19.9M" }],
    examples: [["Nearly all units of the Lite plan", "solx sandbox usage 19.99M"]],
  },
  plan: {
    summary: "Show or change the limits of a running sandbox",
    arguments: [
      {
        name: "[plan]",
        description: "a plan, or none for a key without limits",
        values: [...Object.keys(PLANS), "none"],
      },
    ],
    options: [
      { flags: "--rate <requests>/<seconds>", description: "rate limit instead of the plan's, e.g. 200/10" },
      { flags: "--units <number>", description: "compute units per month instead of the plan's" },
    ],
    examples: [
      ["The limits of a plan", "solx sandbox plan level-2"],
      ["Two requests per second, and no other limit", "solx sandbox plan none --rate 2/1"],
    ],
  },
  balance: {
    summary: "Set the balance of an account in a running sandbox",
    arguments: [
      { name: "<address>", description: "account; an unknown one is created" },
      { name: "<amount>", description: "balance in SOL or whole tokens, such as 1.5" },
    ],
    options: [TOKEN_OPTION],
    examples: [
      ["2.5 SOL", "solx sandbox balance 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 2.5"],
      ["1000 USDC", "solx sandbox balance 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 1000 --token USDC"],
    ],
  },
  send: {
    summary: "Send SOL or a token in a running sandbox, in a new block",
    arguments: [
      { name: "<from>", description: "account that sends, or its token account" },
      { name: "<to>", description: "account that receives; an unknown one is created" },
      { name: "<amount>", description: "amount in SOL or whole tokens, such as 1.5" },
    ],
    options: [TOKEN_OPTION],
    examples: [
      [
        "A transfer that the next page of a list begins with",
        "solx sandbox send ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 0.25",
      ],
    ],
  },
  faults: {
    summary: "Show or replace the faults of a running sandbox",
    arguments: [{ name: "[rule...]", description: "faults, such as 500:10%; none removes them" }],
    examples: [["Every tenth request fails", "solx sandbox faults 503:10%"]],
  },
  requests: {
    summary: "List the latest requests to a running sandbox, rejected ones included",
    examples: [
      [
        "Requests to paths that no endpoint has",
        `solx sandbox requests -o json | jq '.requests[] | select(.route == null)'`,
      ],
    ],
  },
};

const controlCommand = (name: ControlName, definition: (typeof CONTROLS)[ControlName]): CommandDefinition => ({
  ...definition,
  name,
  audience: "sandbox",
  options: [...(definition.options ?? []), URL_OPTION, CONTROL_TOKEN_OPTION],
  run: async (context, { args, options }) =>
    (await import("./control.ts")).controlSandbox(context, name, { args, options }),
});

const LEDGER_COMMANDS: readonly CommandDefinition[] = [
  {
    name: "info",
    summary: "Show where the simulated data is stored, and its size",
    audience: "sandbox",
    run: async (context) => (await import("./ledgers.ts")).printSandboxInfo(context),
  },
  {
    name: "reset",
    summary: "Remove the stored data; it is created again when needed",
    audience: "sandbox",
    run: async (context) => (await import("./ledgers.ts")).resetSandbox(context),
  },
];

/** The command. */
export const SANDBOX_COMMAND: CommandDefinition = {
  name: "sandbox",
  summary: "Run a local API server with simulated data",
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
    CONTROL_TOKEN_OPTION,
    { flags: "--seed <text>", description: "seed of the data: the same seed gives the same data (default: solx)" },
    { flags: "--size <factor>", description: "amount of data, 0.02 to 10 (default: 1)" },
    {
      flags: "--now <time>",
      description: "fixed current time: 7d, 2024-07-05, ISO 8601 or Unix seconds (default: the clock)",
    },
    { flags: "--key <key>", description: "API key to accept (default: sandbox-key-<seed>)" },
    {
      flags: "--fault <rule>",
      description: "make requests fail by a rule, e.g. 500:10%; repeatable; for the rules, see below",
      summary: "make requests fail by a rule, e.g. 500:10%; repeatable; rules: --help-all",
      repeatable: true,
    },
    { flags: "--plan <name>", description: "plan of the key, whose limits apply", values: Object.keys(PLANS) },
    { flags: "--rate <requests>/<seconds>", description: "rate limit instead of the plan's, e.g. 200/10" },
    { flags: "--units <number>", description: "compute units per month instead of the plan's" },
    { flags: "--hostile", description: "put text into names and memos that attacks terminals and spreadsheets" },
    { flags: "--live [seconds]", description: "add a new block every so many seconds (default: 2)" },
    {
      flags: "--state <file>",
      description: "keep changes by commands such as sandbox time in this file, and continue from it",
    },
    {
      flags: "--replay <folder>",
      description: "answer from the recordings in this folder, made with --record, instead of simulated data",
    },
    {
      flags: "--fallthrough <source>",
      description:
        "with --replay, what answers requests without a recording: sandbox (simulated data) or live (the API, recorded as well)",
      values: ["sandbox", "live"],
      isClosed: true,
    },
    {
      flags: "--shape <form>",
      description: `answer in a form that other servers have; repeatable: ${formList}`,
      values: Object.keys(SHAPES),
      repeatable: true,
    },
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
    ["Replay recorded answers", "solx sandbox --replay recordings"],
    ["A tenth of the requests fail, and all are slow", "solx sandbox --fault 503:10% --fault latency=300ms"],
  ],
  details: FAULT_HELP,
  get commands() {
    const controls = Object.entries(CONTROLS) as [ControlName, (typeof CONTROLS)[ControlName]][];
    return [...controls.map(([name, control]) => controlCommand(name, control)), ...LEDGER_COMMANDS];
  },
  run: async (context, { options }) => (await import("./serve.ts")).serve(context, options),
};
