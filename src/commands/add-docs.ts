/** `solx docs`. */
import type { Command } from "commander";
import type { Frame } from "./frame.ts";
import { withExamples } from "./help.ts";

/** Adds the command to the program. */
export function addDocs(program: Command, frame: Frame): void {
  const command = program
    .command("docs")
    .description("The endpoints of the API: all of them, or one in detail")
    .argument("[route...]", "route of a page, such as v2-account-transfer, or a command")
    .action(async (route: string[]) => {
      const { listDocs, showDocs } = await import("./docs.ts");
      await (route.length === 0 ? listDocs(frame) : showDocs(frame, route.join(" ")));
    });
  withExamples(command, [
    ["Every endpoint", "solx docs"],
    ["One endpoint", "solx docs v2-account-transfer"],
    ["The list for programs", "solx docs -o json"],
  ]);
}
