/** `solx account flow`. */
import { type Endpoint, endpointByPath, OTHER_WALLET as WALLET } from "../../catalogue/index.ts";
import { SETTINGS } from "../../config/index.ts";
import { isPagingOption, parameterOptions } from "../endpoint/parameter-options.ts";
import { type OptionDefinition, outputOption } from "../options/option.ts";
import { GRAPH_FORMATS } from "../options/own-format.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

const FORMATS = [...SETTINGS.output.values, ...GRAPH_FORMATS] as const;

const EXTENT = "Extent:";

/** Returns the options of a list that select rows: without pages and order, which are not those of flows. */
function filterOptions(endpoint: Endpoint | undefined): readonly OptionDefinition[] {
  if (endpoint === undefined) return [];
  const query = Object.entries(endpoint.query).filter(([name]) => !name.startsWith("sort_"));
  return parameterOptions({ ...endpoint, query: Object.fromEntries(query) }).filter(
    (option) => !isPagingOption(option),
  );
}

/** The command. */
export const ACCOUNT_FLOW: CommandDefinition = {
  name: "flow",
  summary: "Follow the money: who paid whom, and whom they paid",
  audience: "request",
  flags: ["--fail-on"],
  excludedFlags: ["--sort-by"],
  arguments: [{ name: "[address...]", description: "wallets to start from; addresses or names" }],
  get parametersOf() {
    return endpointByPath("v2", "/account/transfer");
  },
  get options() {
    return [
      { ...outputOption("output format", FORMATS), isClosed: true },
      { flags: "--depth <n>", description: "steps from the wallets, up to 5 (default: 2)", group: EXTENT },
      {
        flags: "--breadth <n>",
        description: "accounts that are shown and followed of each wallet, by value (default: 5)",
        group: EXTENT,
      },
      {
        flags: "--transfers <n>",
        description: "newest transfers that are read of each wallet (default: 500)",
        group: EXTENT,
      },
      {
        flags: "--min-value <usd>",
        description: "show and follow only accounts with flows worth at least this, at the latest prices",
        group: EXTENT,
      },
      ...filterOptions(endpointByPath("v2", "/account/transfer")),
    ];
  },
  examples: [
    ["Who paid a wallet, and who paid them", `solx account flow ${WALLET} --flow in`],
    [
      "Flows of at least $1,000 in a week, three steps far",
      `solx account flow ${WALLET} --min-value 1000 --from-time 7d --depth 3`,
    ],
    ["As a picture, with Graphviz", `solx account flow ${WALLET} -o dot | dot -Tsvg > flow.svg`],
    ["In Markdown, as a diagram of Mermaid", `solx account flow ${WALLET} -o mermaid`],
  ],
  details: [
    "A row is what one account sent another in one token: the number of transfers, their sum, its value at the latest",
    "prices, and the times of the first and the last one. Of each wallet the accounts with the largest flows are shown and",
    "followed; the flows with all others are one row with their number. Exchanges, and accounts of programs such as pools,",
    "are shown and not followed. Transfers of a wallet to itself are left out.",
  ].join("\n"),
  run: async (context, call) => (await import("./flow.ts")).printFlow(context, call),
};
