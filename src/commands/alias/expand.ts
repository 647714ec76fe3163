/** Aliases of commands: the command line that a word at its start stands for. */
import { UsageError } from "../../base/index.ts";
import type { TextMap } from "../../config/index.ts";
import { splitLine } from "../completion/shell-protocol.ts";

/** Splits the command line of an alias into words, as a shell does. The name of the program may precede them. */
export function aliasWords(line: string): readonly string[] {
  const { before, current } = splitLine(`solx ${line}`);
  const words = current === "" ? before : [...before, current];
  return words[0] === "solx" ? words.slice(1) : words;
}

const PLACEHOLDER = /\$(\d)/g;

/** Returns how many arguments a line requires: `2` for one with `$2`. */
function requiredArguments(line: string): number {
  return Math.max(0, ...[...line.matchAll(PLACEHOLDER)].map(([, digit]) => Number(digit)));
}

/**
 * Returns the arguments that an alias and the words behind it stand for: `$1` to `$9` are replaced by them, the others are
 * appended.
 * @throws UsageError when a placeholder has no argument
 */
export function expandAlias(name: string, line: string, args: readonly string[]): readonly string[] {
  const count = requiredArguments(line);
  // Flags are not values of placeholders: they may stand anywhere.
  const values = args.filter((word) => !word.startsWith("-")).slice(0, count);
  if (values.length < count) {
    throw new UsageError(`not enough arguments for the alias ${name}: expected ${count}, got ${values.length}`, {
      code: "USAGE",
      hint: `It stands for: solx ${line}`,
    });
  }
  const rest = [...args];
  for (const value of values) rest.splice(rest.indexOf(value), 1);
  const words = aliasWords(line).map((word) =>
    word.replace(PLACEHOLDER, (_, digit) => values[Number(digit) - 1] ?? ""),
  );
  return [...words, ...rest];
}

/** Returns a command line with the alias at an index replaced; the same line where there is none. */
export function replaceAlias(argv: readonly string[], at: number, aliases: TextMap): readonly string[] {
  const name = argv[at] ?? "";
  const line = aliases.get(name);
  return line === undefined ? argv : [...argv.slice(0, at), ...expandAlias(name, line, argv.slice(at + 1))];
}
