/** `solx view`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const VIEW: CommandDefinition = {
  name: "view",
  summary: "Print what a bookmark of the explorer shows; without a name, list the bookmarks",
  audience: "request",
  passesArguments: true,
  arguments: [{ name: "[name]", description: "name of the bookmark" }],
  examples: [["List the bookmarks", "solx view"]],
  details: [
    "In the explorer, b bookmarks a page with its filters, and R in the bookmarks renames it. It is the command",
    "that ! shows there. Options follow the name: solx view whales --limit 100 -o csv. Bookmarks belong to a profile,",
    "a node, an index or the sandbox.",
  ].join("\n"),
  run: async (context, { args: [name] }) => (await import("./view.ts")).view(context, name),
};
