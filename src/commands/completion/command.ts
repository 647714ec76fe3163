/** `solx completion`. */
import type { CommandDefinition, Example } from "../run/command-definition.ts";
import { fileCommands, SHELL_SETUPS, SHELLS } from "./shell-setup.ts";

/** The command. */
export const COMPLETION: CommandDefinition = {
  name: "completion",
  summary: "Generate shell completion scripts",
  heading: "Tools:",
  audience: "none",
  arguments: [
    { name: "[shell]", description: `${SHELLS.slice(0, -1).join(", ")} or ${SHELLS.at(-1)}`, values: SHELLS },
  ],
  get examples() {
    return SHELLS.map((shell): Example => {
      const { name, startFile, command } = SHELL_SETUPS[shell];
      return [`${name}: add this line to ${startFile}`, command];
    });
  },
  get details() {
    const files = SHELLS.flatMap((shell) => fileCommands(shell) ?? []);
    return `To load the script from a file instead, which starts the shell faster:\n${files.map((line) => `  ${line}`).join("\n")}`;
  },
  run: async (context, { args: [shell] }) => (await import("./completion.ts")).completion(context, shell),
};
