/** Rewrites the forms of a command line that commander does not know before it is parsed. */
import type { Command } from "commander";
import { ALIASES, readTextMap, resolvePaths } from "../../config/index.ts";
import { replaceAlias } from "../alias/expand.ts";
import { detachFollowArgument } from "../endpoint/follow-argument.ts";
import { canExplore, hasNoCommand } from "../explore/terminal-support.ts";
import { findSubcommand } from "./command-definition.ts";
import type { Io } from "./io.ts";

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
