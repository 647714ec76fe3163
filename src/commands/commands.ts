/** The commands of the program, in the order of its help. */
import { endpoints, type Family, nodeEndpoints } from "../catalogue/index.ts";
import { ALIAS } from "./alias/command.ts";
import { API } from "./api/command.ts";
import { AUTH } from "./auth/command.ts";
import { CACHE } from "./cache/command.ts";
import { COMPLETION } from "./completion/command.ts";
import { CONFIG } from "./config/command.ts";
import { DIFF } from "./diff/command.ts";
import { DOCS } from "./docs/command.ts";
import { TOPIC_NAMES } from "./docs/topic-names.ts";
import { DOCTOR } from "./doctor/command.ts";
import { familyCommands } from "./endpoint/command.ts";
import { EXPLORE } from "./explore/command.ts";
import { ACCOUNT_FLOW } from "./flow/command.ts";
import { INDEX } from "./indexer/command.ts";
import { INSPECT } from "./inspect/command.ts";
import { MCP } from "./mcp/command.ts";
import { NAMES } from "./names/command.ts";
import { OPENAPI } from "./openapi/command.ts";
import { OVERVIEW } from "./overview/command.ts";
import { RPC } from "./rpc/command.ts";
import { type CommandDefinition, OTHER_COMMANDS } from "./run/command-definition.ts";
import { SANDBOX_COMMAND } from "./sandbox/command.ts";
import { SHOW } from "./show/command.ts";
import { SKILL } from "./skill/command.ts";
import { USAGE } from "./usage/command.ts";
import { VIEW } from "./view/command.ts";
import { WATCH } from "./watch/command.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** The program itself. */
export const PROGRAM: CommandDefinition = {
  name: "solx",
  summary: "Query Solscan, the Solana explorer: its API, a Solana node or a local index",
  audience: "none",
  examples: [
    ["Show an address, signature, slot, mint or explorer link", `solx show ${USDC}`],
    ["Try the API without a key, on simulated data", `solx --sandbox token meta ${USDC}`],
  ],
  details: `Topics (solx help <topic>): ${TOPIC_NAMES.join(", ")}`,
};

const endpointsOf = (name: Family) => endpoints.filter(({ family }) => family === name);

const FAMILY_COMMANDS = familyCommands([...endpointsOf("v2"), ...endpointsOf("public"), ...nodeEndpoints], {
  account: [ACCOUNT_FLOW],
});
/** Commands that the help of the program leaves out: `usage` and `node` stand for them. */
const FOLDED: readonly string[] = ["monitor", "chaininfo"];
const LEGACY: CommandDefinition = {
  name: "legacy",
  summary: "Commands of the legacy API families (v1.0 and public)",
  audience: "none",
  get commands() {
    return familyCommands([...endpointsOf("legacy"), ...endpointsOf("public")]);
  },
};

const TASKS: Readonly<Record<string, readonly CommandDefinition[]>> = {
  "Look something up:": [SHOW, EXPLORE],
  "Query the chain:": FAMILY_COMMANDS.filter(({ name }) => !FOLDED.includes(name)),
  "Set up and keep an eye on things:": [AUTH, CONFIG, USAGE, WATCH],
  "Work without the API, or with other programs:": [SANDBOX_COMMAND, INDEX, MCP, DOCS],
  [OTHER_COMMANDS]: [
    DOCTOR,
    OVERVIEW,
    VIEW,
    DIFF,
    INSPECT,
    API,
    RPC,
    NAMES,
    ALIAS,
    CACHE,
    ...FAMILY_COMMANDS.filter(({ name }) => FOLDED.includes(name)),
    LEGACY,
    SKILL,
    OPENAPI,
    COMPLETION,
  ],
};

/** All commands, in the order of the help of the program. */
export const COMMANDS: readonly CommandDefinition[] = Object.entries(TASKS).flatMap(([heading, commands]) =>
  commands.map((command) => placeInHelp(command, heading)),
);

/** Adds the heading without calling the getters of a command, which compute what few command lines need. */
function placeInHelp(command: CommandDefinition, heading: string): CommandDefinition {
  const place = { heading, isFolded: FOLDED.includes(command.name) };
  return Object.defineProperties(
    { ...place } as CommandDefinition,
    Object.fromEntries(Object.entries(Object.getOwnPropertyDescriptors(command)).filter(([key]) => key !== "isFolded")),
  );
}
