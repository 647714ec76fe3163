/** `solx docs`. */
import { type Command, Option } from "commander";
import type { RunContext } from "../run/context.ts";
import { withExamples } from "../run/help.ts";

/** Adds the command to the program. */
export function addDocs(program: Command, context: RunContext): void {
  const command = program
    .command("docs")
    .description("The manual: endpoints, commands and topics, as a list, a page, or by what they say")
    .argument("[page...]", "a command, a route such as v2-account-transfer, or a topic such as exit-codes")
    .option("-s, --search <words...>", "the pages that say something of these words")
    .addOption(new Option("--limit <pages>", "with --search: how many pages (default: 8)"))
    .action(async (page: string[], { search }: { readonly search?: readonly string[] }) => {
      if (search !== undefined) {
        const { searchDocs } = await import("./search/search-command.ts");
        return searchDocs(context, program, [...page, ...search].join(" "));
      }
      const { listDocs, showDocs } = await import("./docs.ts");
      await (page.length === 0 ? listDocs(context) : showDocs(context, program, page.join(" ")));
    });
  withExamples(command, [
    ["Every endpoint and topic", "solx docs"],
    ["One endpoint, by its command or its route", "solx docs account transfer"],
    ["A command of solx itself, a topic", "solx docs auth login"],
    ["Where is it said?", "solx docs --search who funded this wallet"],
    ["The list for programs", "solx docs -o json"],
  ]);
}
