/** `solx completion`. */
import { Argument, type Command } from "commander";
import type { RunContext } from "../run/context.ts";
import { withChoices, withExamples } from "../run/help.ts";
import { SHELL_SETUPS, SHELLS } from "./shell-setup.ts";

/** Adds the command to the program. */
export function addCompletion(program: Command, context: RunContext): void {
  const command = program
    .command("completion")
    .description("Completion for a shell: commands, options, values, profiles and field names by the Tab key")
    .addArgument(withChoices(new Argument("[shell]", `${SHELLS.slice(0, -1).join(", ")} or ${SHELLS.at(-1)}`), SHELLS))
    .action(async (shell?: string) => (await import("./completion.ts")).completion(context, shell));
  withExamples(
    command,
    SHELLS.map(
      (shell) =>
        [
          `${SHELL_SETUPS[shell].name}: a line for ${SHELL_SETUPS[shell].startFile}`,
          SHELL_SETUPS[shell].command,
        ] as const,
    ),
  );
  const files = SHELLS.flatMap((shell) => {
    const { name, fileCommand: file } = SHELL_SETUPS[shell];
    return file === undefined ? [] : [`  # ${name}\n  ${file}`];
  });
  command.addHelpText("after", `\nAs a file instead, so that a shell starts without asking solx:\n${files.join("\n")}`);
}
