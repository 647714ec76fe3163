/** `solx completion`: the completion script of a shell, or how to install it. */
import { listWords, readProgramFile, suggestName, UsageError } from "../../base/index.ts";
import type { CommandDefinition, Example } from "../run/command-definition.ts";
import type { RunContext } from "../run/context.ts";
import { fileCommands, SHELL_SETUPS, SHELLS, type Shell } from "./shell-setup.ts";

/** The command. */
export const COMPLETION: CommandDefinition = {
  name: "completion",
  summary: "Generate shell completion scripts",
  audience: "message",
  excludedFlags: ["--output", "--color", "--profile"],
  arguments: [{ name: "[shell]", description: listWords(SHELLS), values: SHELLS }],
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
  run: async (context, { args: [shell] }) => completion(context, shell),
};

/** Other names of the shells' programs. */
const ALIASES: Readonly<Record<string, Shell>> = { pwsh: "powershell" };

const FILE_HINT = "# To load the script from a file: solx completion --help-all";

/** Prints the script of a shell; without a name, the setup of the user's shell. */
async function completion(context: RunContext, name?: string): Promise<void> {
  if (name === undefined) return await context.printer.printText(instructions(shellNamed(context.io.env.SHELL)));
  const shell = shellNamed(name);
  if (shell === undefined) {
    throw new UsageError(`invalid value ${JSON.stringify(name)} for [shell]: expected ${listWords(SHELLS)}`, {
      hint: suggestName(name, SHELLS),
    });
  }
  await context.printer.printText(
    readProgramFile(new URL(`completion/${SHELL_SETUPS[shell].script}`, import.meta.url)),
  );
}

function shellNamed(path = ""): Shell | undefined {
  const name = path.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "");
  return SHELLS.find((shell) => shell === name) ?? ALIASES[name];
}

/** Returns the setup as lines that can be appended to a startup file: everything else is a comment. */
function instructions(shell: Shell | undefined): string {
  const others = SHELLS.filter((other) => other !== shell).flatMap((other) => {
    const { name, startFile, command } = SHELL_SETUPS[other];
    return [`# ${name}, in ${startFile}:`, `#   ${command}`];
  });
  if (shell === undefined) return `${[...others, FILE_HINT].join("\n")}\n`;
  const { name, startFile, command } = SHELL_SETUPS[shell];
  const lines = [
    `# ${name}: add this line to ${startFile} and start a new shell.`,
    command,
    "#",
    "# Other shells:",
    ...others,
    FILE_HINT,
  ];
  return `${lines.join("\n")}\n`;
}
