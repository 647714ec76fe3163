/**
 * The entry of completion, apart from the program because it runs at every press of a key: it loads no command, sends
 * nothing, and whatever goes wrong, it says nothing.
 */
import { readFileSync } from "node:fs";
import { readConfigFile } from "../../config/file.ts";
import { resolvePaths } from "../../config/paths.ts";
import { profileNames } from "../../config/profiles.ts";
import { findCompletions } from "./find-completions.ts";
import type { CompletionData } from "./schema.ts";
import { type CommandLine, formatReply, splitLine, unquoted } from "./shell-protocol.ts";
import { SHELLS, type Shell } from "./shell-setup.ts";

/**
 * Answers a shell on standard output: nothing where there is nothing to offer.
 * @param args the shell's name, then for bash its characters that break words and the text up to the cursor; for the
 * others the words of the line after the program's name, the one at the cursor last
 */
export function complete([name, ...rest]: readonly string[]): void {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined) return;
  try {
    const words: CompletionData = JSON.parse(readFileSync(new URL("complete.json", import.meta.url), "utf8"));
    const line = commandLineOf(shell, rest);
    const found = findCompletions(words, line, () => profileNames(readConfigFile(resolvePaths(process.env))));
    if (found.candidates.length === 0 && found.kind !== "files") return;
    process.stdout.on("error", () => {});
    process.stdout.write(formatReply(shell, found, line));
  } catch {
    // Words in the middle of a command line would be worse than none.
  }
}

function commandLineOf(shell: Shell, rest: readonly string[]): CommandLine {
  if (shell === "bash") return splitLine(rest[1] ?? "", rest[0]);
  // PowerShell drops empty arguments: each comes with a dot in front. Its backslash is like any other character.
  const plain = (word: string) => word.slice(1).replace(/^(["'])(.*?)\1?$/s, "$2");
  const words = rest.map(shell === "powershell" ? plain : unquoted);
  return { before: words.slice(0, -1), current: words.at(-1) ?? "", replaceFrom: 0, quoted: false };
}
