/** `solx completion`: the script of a shell, or how to get it. */
import { readFile } from "node:fs/promises";
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/nearest-name.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import type { RunContext } from "../run/context.ts";
import { SHELL_SETUPS, SHELLS, type Shell } from "./shell-setup.ts";

/** Other names of shells. */
const ALIASES: Readonly<Record<string, Shell>> = { pwsh: "powershell" };

const FILES = "# As files instead: solx completion --help";

/** Prints the script of a shell; without one, how the user's own shell gets it. */
export async function completion(context: RunContext, name?: string): Promise<void> {
  refuseFormats(context.globals);
  if (name === undefined) return await context.printText(instructions(shellNamed(context.io.env.SHELL)));
  const shell = shellNamed(name);
  if (shell === undefined) {
    const near = nearestName(name, SHELLS);
    throw new UsageError(`There is no completion for ${JSON.stringify(name)}.`, {
      hint: `${near ? `Did you mean ${near}? ` : ""}Shells: ${SHELLS.join(", ")}.`,
    });
  }
  await context.printText(await readFile(new URL(`completion/${SHELL_SETUPS[shell].script}`, import.meta.url), "utf8"));
}

/** @throws UsageError for a format: a script has its own */
function refuseFormats({ output, json, fields, columns, jq }: GlobalOptions): void {
  const given = { "--output": output, "--json": json, "--fields": fields, "--columns": columns, "--jq": jq };
  const [option] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return;
  throw new UsageError(`${option} does not apply to completion: it prints a script of the shell.`);
}

/** The shell of a name or of the path of a program. */
function shellNamed(path = ""): Shell | undefined {
  const name = path.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "");
  return SHELLS.find((shell) => shell === name) ?? ALIASES[name];
}

/** How to get completion, as lines that a shell may read: for it, all but the line that is meant are remarks. */
function instructions(own: Shell | undefined): string {
  const rest = SHELLS.filter((shell) => shell !== own).flatMap((shell) => {
    const { name, startFile, command: line } = SHELL_SETUPS[shell];
    return [`# ${name}, in ${startFile}:`, `#   ${line}`];
  });
  if (own === undefined) return `${[...rest, FILES].join("\n")}\n`;
  const { name, startFile, command: line } = SHELL_SETUPS[own];
  const lines = [
    `# Completion for ${name}: put this line into ${startFile}, then start a new shell.`,
    line,
    "#",
    "# Other shells:",
    ...rest,
    FILES,
  ];
  return `${lines.join("\n")}\n`;
}
