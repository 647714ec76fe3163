/** The commands of the program, in the order of its help. */
import { endpoints, type Family, nodeEndpoints } from "../catalogue/index.ts";
import { ALIAS } from "./alias/command.ts";
import { API } from "./api/command.ts";
import { AUTH } from "./auth/command.ts";
import { CACHE } from "./cache/command.ts";
import { COMPLETION } from "./completion/command.ts";
import { CONFIG } from "./config/command.ts";
import { DOCS } from "./docs/command.ts";
import { TOPIC_NAMES } from "./docs/topic-names.ts";
import { DOCTOR } from "./doctor/command.ts";
import { familyCommands } from "./endpoint/command.ts";
import { EXPLORE } from "./explore/command.ts";
import { INDEX } from "./indexer/command.ts";
import { INSPECT } from "./inspect/command.ts";
import { MCP } from "./mcp/command.ts";
import { NAMES } from "./names/command.ts";
import { OPENAPI } from "./openapi/command.ts";
import { OVERVIEW } from "./overview/command.ts";
import { RPC } from "./rpc/command.ts";
import type { CommandDefinition } from "./run/command-definition.ts";
import { SANDBOX_COMMAND } from "./sandbox/command.ts";
import { SHOW } from "./show/command.ts";
import { SKILL } from "./skill/command.ts";
import { USAGE } from "./usage/command.ts";
import { VIEW } from "./view/command.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** The program itself. */
export const PROGRAM: CommandDefinition = {
  name: "solx",
  summary: "Query the data API of a Solana blockchain explorer",
  audience: "none",
  examples: [
    ["Show an address, signature, slot, mint or explorer link", `solx show ${USDC}`],
    ["Try any command without a key, on simulated data", `solx --sandbox token meta ${USDC}`],
    [
      "Export a week of incoming transfers as NDJSON",
      "solx account transfer <address> --flow in --from-time 7d --all -o ndjson",
    ],
  ],
  details: `Help topics (solx help <topic>):\n${topicLines()}`,
};

const DATA = "API commands:";

const endpointsOf = (name: Family) => endpoints.filter(({ family }) => family === name);

/** All commands. */
export const COMMANDS: readonly CommandDefinition[] = [
  SHOW,
  EXPLORE,
  OVERVIEW,
  VIEW,
  API,
  RPC,
  INSPECT,
  ...familyCommands(endpointsOf("v2"), DATA),
  ...familyCommands(endpointsOf("public"), DATA),
  ...familyCommands(nodeEndpoints, "Solana node commands:"),
  {
    name: "legacy",
    summary: "Commands of the legacy API families (v1.0 and public)",
    heading: DATA,
    audience: "none",
    get commands() {
      return familyCommands([...endpointsOf("public"), ...endpointsOf("legacy")]);
    },
  },
  AUTH,
  CONFIG,
  NAMES,
  ALIAS,
  USAGE,
  CACHE,
  DOCTOR,
  DOCS,
  SANDBOX_COMMAND,
  INDEX,
  MCP,
  SKILL,
  OPENAPI,
  COMPLETION,
];

function topicLines(): string {
  const half = Math.ceil(TOPIC_NAMES.length / 2);
  return [TOPIC_NAMES.slice(0, half), TOPIC_NAMES.slice(half)].map((names) => `  ${names.join(", ")}`).join(",\n");
}
