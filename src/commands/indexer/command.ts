/** `solx index`. */
import { globalOption } from "../options/global-options.ts";
import { type OptionDefinition, outputOption } from "../options/option.ts";
import { FACT_FORMATS } from "../options/own-format.ts";
import type { CommandDefinition } from "../run/command-definition.ts";
import type { IndexFlags } from "./run-index.ts";

const NAME = { name: "<name>", description: "name of the index" } as const;
const FOLDER = { name: "<folder>", description: "folder of the files" } as const;

const NODE: OptionDefinition = {
  ...globalOption("--rpc"),
  flags: "--rpc <node>",
  description: "Solana node to read blocks from: mainnet, devnet, testnet, localnet or a URL; several, with commas",
  summary: "Solana node to read blocks from; several, with commas",
};

/** The command. */
export const INDEX: CommandDefinition = {
  name: "index",
  summary: "Index blocks of a Solana node, to answer commands from them",
  audience: "session",
  excludedFlags: ["--sandbox"],
  options: [
    {
      flags: "--from <slot>",
      description:
        "first slot of a new index: a slot, earliest or now (default: earliest for a node on this machine, else now)",
      values: ["earliest", "now"],
    },
    {
      flags: "--to <slot>",
      description: "last slot: a slot, or now for the newest one; without it, new blocks are indexed until Ctrl-C",
      values: ["now"],
    },
    {
      flags: "--program <address>",
      description: "only transactions that call this program; repeatable",
      repeatable: true,
    },
    {
      flags: "--account <address>",
      description: "only transactions of this account, or of its token accounts; repeatable",
      repeatable: true,
    },
    { flags: "--keep <duration>", description: "remove older blocks, such as 30d, at least 2d (default: keep all)" },
    {
      flags: "--health <port>",
      description: "serve /metrics (Prometheus) and /health on this port; 0 selects a free one",
    },
    {
      flags: "--store <address>",
      description: "write into ClickHouse, such as clickhouse://user@host:8123/database; its password: solx help store",
      summary: "write into ClickHouse, such as clickhouse://user@host:8123/database",
    },
    {
      flags: "--grpc <address>",
      description: "take new blocks from Yellowstone gRPC, such as https://host:443; its token: solx help grpc",
    },
    { flags: "--mint <address>", description: "only transactions of this token; repeatable", repeatable: true },
    NODE,
  ],
  examples: [
    ["Index a local validator from its first block; Ctrl-C stops it", "solx index --rpc localnet"],
    ["Answer a command from it", "solx token holders <mint> --index localnet"],
    ["Only the transactions of a program", "solx index --rpc devnet --index mine --program <address>"],
    ["Two nodes: when the first one fails, the other one takes over", "solx index --rpc mainnet,https://host/key"],
    ["New blocks from Yellowstone gRPC", "solx index --rpc mainnet --grpc https://host:443"],
    ["A range of slots", "solx index --rpc mainnet --index range --from 385804400 --to 385804500"],
  ],
  details: [
    "The name is that of --index, else that of the cluster or the host of the node.",
    "Rerun the same command to continue. Blocks are indexed when they are finalized,",
    "or with SOLX_COMMITMENT=confirmed earlier: dropped blocks are removed again.",
    "A node that fails is asked again until it answers: only --to, Ctrl-C and signals end the command.",
    "In a pipe, progress is one JSON object per line.",
  ].join(" "),
  commands: [
    {
      name: "list",
      summary: "List the indexes of this machine",
      audience: "print",
      run: async (context) => (await import("./indexes.ts")).listIndexes(context),
    },
    {
      name: "info",
      summary: "Show the slots, the gaps and the size of an index",
      audience: "print",
      arguments: [NAME],
      run: async (context, { args: [name = ""] }) => (await import("./indexes.ts")).printIndexInfo(context, name),
    },
    {
      name: "export",
      summary: "Write the facts of an index to a folder, for other programs and machines",
      audience: "message",
      arguments: [NAME, FOLDER],
      options: [{ ...outputOption("format of the files (default: ndjson)", FACT_FORMATS), isClosed: true }],
      examples: [["For ClickHouse, DuckDB or Spark", "solx index export localnet ./facts -o parquet"]],
      run: async (context, { args: [name = "", folder = ""] }) =>
        (await import("./exchange.ts")).exportIndex(context, name, folder),
    },
    {
      name: "import",
      summary: "Create an index from the facts in a folder",
      audience: "message",
      arguments: [FOLDER, NAME],
      examples: [["The facts of another machine", "solx index import ./facts copy"]],
      run: async (context, { args: [folder = "", name = ""] }) =>
        (await import("./exchange.ts")).importIndex(context, folder, name),
    },
    {
      name: "schema",
      summary: "Show the tables and columns of facts",
      audience: "print",
      run: async (context) => (await import("./exchange.ts")).printFactSchema(context),
    },
    {
      name: "remove",
      summary: "Remove an index",
      audience: "message",
      arguments: [NAME],
      run: async (context, { args: [name = ""] }) => (await import("./indexes.ts")).removeIndex(context, name),
    },
  ],
  run: async (context, { options }) => (await import("./run-index.ts")).runIndex(context, options as IndexFlags),
};
