/** The program that runs at every Tab: it loads no command, sends no request and never prints an error. */
import { readProgramFile } from "../../base/index.ts";
import { resolvePaths } from "../../config/index.ts";
import { findCompletions } from "./find-completions.ts";
import { localNames } from "./local-names.ts";
import type { CommandLine, CompletionData } from "./schema.ts";
import { formatReply, splitLine, unquote } from "./shell-protocol.ts";
import { SHELLS, type Shell } from "./shell-setup.ts";

/**
 * Prints the candidates for a shell; nothing when there are none.
 * @param args the name of the shell; then for bash the characters that break words and the text up to the cursor, for
 * other shells the words after the program's name, the one at the cursor last
 */
export function complete([name, ...rest]: readonly string[]): void {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined) return;
  try {
    const data: CompletionData = JSON.parse(readProgramFile(new URL("complete.json", import.meta.url)));
    const line = parseCommandLine(shell, rest);
    const completions = findCompletions(data, line, localNames(resolvePaths(process.env)));
    if (completions.candidates.length === 0 && completions.kind !== "files") return;
    process.stdout.on("error", () => {});
    process.stdout.write(formatReply(shell, completions, line));
  } catch {
    // An error message in the middle of a command line would be worse than no completion.
  }
}

function parseCommandLine(shell: Shell, args: readonly string[]): CommandLine {
  if (shell === "bash") return splitLine(args[1] ?? "", args[0]);
  // PowerShell drops empty arguments, so its script puts a dot before each. A backslash is an ordinary character there.
  const fromPowerShell = (word: string) => word.slice(1).replace(/^(["'])(.*?)\1?$/s, "$2");
  const words = args.map(shell === "powershell" ? fromPowerShell : unquote);
  return { before: words.slice(0, -1), current: words.at(-1) ?? "", replaceFrom: 0, isQuoted: false };
}
