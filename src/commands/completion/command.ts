/** Registers `solx completion`. */
import { Argument, type Command } from "commander";
import type { RunContext } from "../run/context.ts";
import { withChoices, withExamples } from "../run/help.ts";
import { fileCommands, SHELL_SETUPS, SHELLS } from "./shell-setup.ts";

/** Adds the command to the program. */
export function addCompletion(program: Command, context: RunContext): void {
  const command = program
    .command("completion")
    .description("Generate shell completion scripts")
    .addArgument(withChoices(new Argument("[shell]", `${SHELLS.slice(0, -1).join(", ")} or ${SHELLS.at(-1)}`), SHELLS))
    .action(async (shell?: string) => (await import("./completion.ts")).completion(context, shell));
  withExamples(
    command,
    SHELLS.map((shell) => {
      const { name, startFile, command: line } = SHELL_SETUPS[shell];
      return [`${name}: add this line to ${startFile}`, line] as const;
    }),
  );
  const files = SHELLS.flatMap((shell) => fileCommands(shell) ?? []).map((line) => `  ${line}`);
  command.addHelpText(
    "after",
    `\nTo load the script from a file instead, which starts the shell faster:\n${files.join("\n")}`,
  );
}
