/** `solx view`. */
import type { CommandDefinition } from "../run/command-definition.ts";

/** The command. */
export const VIEW: CommandDefinition = {
  name: "view",
  summary: "Print what a bookmark of the explorer shows; without a name, list the bookmarks",
  audience: "request",
  passesArguments: true,
  arguments: [{ name: "[name]", description: "name of the bookmark" }],
  flags: ["--interactive"],
  examples: [["List the bookmarks", "solx view"]],
  details: [
    "In the explorer, b bookmarks a page with its filters, R renames a bookmark in their list, and ! prints the command",
    "of the page. Flags follow the name: solx view whales --limit 100 -o csv; -i opens the page as it was left. Each profile, node, index and the sandbox",
    "has its own bookmarks.",
  ].join(" "),
  run: async (context, { args: [name] }) => (await import("./view.ts")).view(context, name),
};
