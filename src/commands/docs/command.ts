/** `solx docs`. */
import { API_VERSIONS, type ApiVersion, NODE_SUPPORT_LEVELS, type NodeSupportLevel } from "../../catalogue/index.ts";
import type { CommandDefinition } from "../run/command-definition.ts";

interface DocsOptions {
  readonly search?: readonly string[];
  readonly since?: ApiVersion;
  readonly support?: NodeSupportLevel;
  readonly drift?: string;
}

/** The command. */
export const DOCS: CommandDefinition = {
  name: "docs",
  summary: "Read and search the manual",
  audience: "print",
  flags: ["--rpc", "--sandbox"],
  arguments: [
    { name: "[page...]", description: "a command, a route such as v2-account-transfer, or a topic such as exit-codes" },
  ],
  options: [
    { flags: "-s, --search <words...>", description: "search the manual for these words" },
    {
      flags: "--since <version>",
      description:
        "list only endpoints of the published specification, or those that only newer servers have: specification|newer",
      values: API_VERSIONS,
      isClosed: true,
    },
    {
      flags: "--support <level>",
      description: `list only endpoints that a Solana node answers to this extent: ${NODE_SUPPORT_LEVELS.join("|")}`,
      values: NODE_SUPPORT_LEVELS,
      isClosed: true,
    },
    {
      flags: "--drift <folder>",
      description: "compare recordings, made with --record, with the documented fields; exit 11 if they differ",
    },
    { flags: "--limit <pages>", description: "with --search, maximum number of pages (default: 8)" },
  ],
  examples: [
    ["List all endpoints and topics", "solx docs"],
    ["Read the page of an endpoint", "solx docs account transfer"],
    ["Read the page of a command", "solx docs auth login"],
    ["List the help topics", "solx docs topics"],
    ["Search the manual", "solx docs --search who funded this wallet"],
    ["List the endpoints that the specification lacks", "solx docs --since newer"],
    ["List the endpoints that a Solana node cannot answer", "solx docs --support none"],
    ["Compare recorded answers with the documentation", "solx docs --drift recordings"],
    ["List all endpoints as JSON", "solx docs -o json"],
  ],
  details: [
    "A page is named by a command, a route or a topic. Pages are printed as text, also in a pipe, unless a format is",
    "selected. Searches and lists are rows. The same pages are man pages: man solx-account-transfer.",
  ].join(" "),
  async run(context, { args, options, command }) {
    const { search, since, support, drift } = options as DocsOptions;
    if (drift !== undefined) return (await import("./drift.ts")).printDrift(context, drift);
    const program = command.parent ?? command;
    if (search !== undefined) {
      const { searchDocs } = await import("./search/search-command.ts");
      return searchDocs(context, program, [...args, ...search].join(" "));
    }
    const { listDocs, listSelected, showDocs } = await import("./docs.ts");
    const page = args.join(" ");
    if (since !== undefined || support !== undefined) return listSelected(context, { since, support }, page);
    return page === "" ? listDocs(context) : showDocs(context, program, page);
  },
};
