/** Rewrites what commander does not know of a command line: aliases, forms of help, and `--follow <address>`. */
import type { Command, Option } from "commander";
import { UNIT_SECONDS, UsageError } from "../../base/index.ts";
import { ALIASES, readTextMap, resolvePaths, type TextMap } from "../../config/index.ts";
import { splitLine } from "../completion/shell-protocol.ts";
import { canExplore } from "../explore/terminal-support.ts";
import { findSubcommand } from "./command-definition.ts";
import type { Io } from "./context.ts";

/** Commands of other tools, and their equivalents. */
export const LINE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  version: ["--version"],
  login: ["auth", "login"],
  logout: ["auth", "logout"],
};

/** Flags that ask for help. */
export const HELP_FLAGS: readonly string[] = ["-h", "--help"];
const COMPLETE_HELP_FLAG = "--help-all";

/** Returns whether a command line asks for help with all flags. */
export const showsCompleteHelp = (argv: readonly string[]): boolean => argv.includes(COMPLETE_HELP_FLAG);

/** Returns the command line with help requests and aliases resolved; an empty line at a terminal opens the explorer. */
export function normalizeArguments(program: Command, io: Io): readonly string[] {
  const words = io.argv.map((word) => (word === COMPLETE_HELP_FLAG ? "--help" : word));
  const expanded = expandUserAlias(program, io, words);
  const argv = moveHelpLast(program, detachFollowArgument(withDefaultCommand(program, io, expanded)));
  const [first = "", ...rest] = argv;
  return Object.hasOwn(LINE_ALIASES, first) ? [...(LINE_ALIASES[first] ?? []), ...rest] : argv;
}

/** Returns the command line with an alias of the user replaced. Aliases are read only for words that are no commands. */
function expandUserAlias(program: Command, { env }: Io, argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((_, index) => !hasNoCommand(argv.slice(0, index + 1), program.options));
  const word = argv[at];
  const isBuiltIn = word === undefined || findSubcommand(program, word) || Object.hasOwn(LINE_ALIASES, word);
  if (isBuiltIn || word === "help") return argv;
  return replaceAlias(argv, at, readTextMap(resolvePaths(env), ALIASES).entries);
}

const OTHER_ACTIONS: readonly string[] = ["-h", "--help", "-V", "--version"];

/**
 * Whether a command line names no command; on a terminal, the explorer starts then.
 * @param options the global options
 */
export function hasNoCommand(argv: readonly string[], options: readonly Option[]): boolean {
  const valueOptions = options.filter((option) => option.required || option.optional);
  const valueFlags = new Set(valueOptions.flatMap(({ short, long }) => [short, long]));
  return argv.every(
    (word, at) => (word.startsWith("-") && !OTHER_ACTIONS.includes(word)) || valueFlags.has(argv[at - 1] ?? ""),
  );
}

function withDefaultCommand(program: Command, io: Io, argv: readonly string[]): readonly string[] {
  const explore = findSubcommand(program, "explore");
  const options = [...program.options, ...(explore?.options ?? [])];
  return hasNoCommand(argv, options) && canExplore(io) ? ["explore", ...argv] : argv;
}

/**
 * Rewrites `help account transfer`, `account help transfer` and `-h account transfer` to `account transfer --help`, and
 * `help <topic>` to `docs <topic>`.
 */
function moveHelpLast(program: Command, argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => HELP_FLAGS.includes(word));
  const hasWordBehind = flag >= 0 && argv.slice(flag).some((word) => !word.startsWith("-"));
  if (hasWordBehind && !argv.includes("--")) return [...argv.filter((word) => !HELP_FLAGS.includes(word)), "--help"];
  const at = argv.indexOf("help");
  // Options may precede it.
  if (at > 0 && hasNoCommand(argv.slice(0, at), program.options))
    return [...argv.slice(0, at), ...moveHelpLast(program, argv.slice(at))];
  const [first, ...words] = argv;
  if (first !== "help") return moveGroupHelpLast(program, argv);
  const [name] = words;
  const isCommand = name !== undefined && findSubcommand(program, name) !== undefined;
  return name === undefined || name.startsWith("-") || isCommand ? [...words, "--help"] : ["docs", ...words];
}

function moveGroupHelpLast(program: Command, argv: readonly string[]): readonly string[] {
  const at = argv.indexOf("help");
  if (at <= 0) return argv;
  let group: Command | undefined = program;
  for (const word of argv.slice(0, at)) group = group && findSubcommand(group, word);
  // A command with arguments may have one that reads "help".
  const isGroup = group !== undefined && group.registeredArguments.length === 0;
  return isGroup ? [...argv.slice(0, at), ...argv.slice(at + 1), "--help"] : argv;
}

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
function replaceAlias(argv: readonly string[], at: number, aliases: TextMap): readonly string[] {
  const name = argv[at] ?? "";
  const line = aliases.get(name);
  return line === undefined ? argv : [...argv.slice(0, at), ...expandAlias(name, line, argv.slice(at + 1))];
}

const UNITS: Readonly<Record<string, number>> = UNIT_SECONDS;

/** Returns the seconds of a duration such as `30s`, `2m`, `1h` or plain seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?([smhdwy])?$/i.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/**
 * Returns the command line with `--follow=` in place of `--follow` when the next word is not an interval but another
 * argument, as in `--follow <address>`.
 */
export function detachFollowArgument(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const next = argv[at + 1];
    const isOption = word === "--follow" && (end < 0 || at < end);
    return isOption && next !== undefined && parseDuration(next) === undefined ? "--follow=" : word;
  });
}
