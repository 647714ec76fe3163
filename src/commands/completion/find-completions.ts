/** Finds the candidates for an unfinished command line. */

import { aliasWords } from "../alias/expand.ts";
import {
  type CompletionContext,
  type Completions,
  findCommand,
  type LocalNames,
  matchingCommands,
  NO_COMPLETIONS,
} from "./context.ts";
import type { CommandSpec, CompletionData, OptionSpec } from "./schema.ts";
import type { CommandLine } from "./shell-protocol.ts";
import { completeValue } from "./values.ts";

/** The meaning of the words before the cursor. */
export interface ParsedLine {
  command: CommandSpec;
  /** The command, by its names. */
  readonly path: string[];
  readonly usedOptions: Set<string>;
  readonly positionals: string[];
  /** The option that expects a value next. */
  pending?: OptionSpec | undefined;
  /** Whether `--` came before: no later word is an option. */
  optionsEnded: boolean;
  /** Whether the line is `solx help …`. */
  isHelp: boolean;
}

/** Returns the candidates for the word at the cursor of a line. */
export function findCompletions(data: CompletionData, line: CommandLine, local: LocalNames): Completions {
  const parsed = parseLine(data, withoutAlias(data, line.before, local));
  const { command, positionals, pending } = parsed;
  const isNode = parsed.usedOptions.has("--rpc");
  const context: CompletionContext = { data, command, positionals, local, isNode };
  const { current } = line;
  if (pending?.takes === "required") return completeValue(context, pending.values, current, 0);
  if (parsed.optionsEnded) return NO_COMPLETIONS;
  if (current.startsWith("-") && current !== "-") return completeOption(context, parsed, current);
  if (pending?.values !== undefined) return completeValue(context, pending.values, current, 0);
  if (current === "-") return optionCandidates(parsed, data, "--");
  return completeWord(context, parsed, current);
}

/** Returns the words with an alias at their start replaced by its command; its placeholders take the words behind it. */
function withoutAlias(data: CompletionData, words: readonly string[], local: LocalNames): readonly string[] {
  const [first = "", ...rest] = words;
  const line = first.startsWith("-") || findCommand(data.root, first) ? undefined : local.aliases().get(first);
  return line === undefined ? words : [...aliasWords(line).filter((word) => !/\$\d/.test(word)), ...rest];
}

/** Parses the words before the cursor. */
export function parseLine(data: CompletionData, words: readonly string[]): ParsedLine {
  const parsed: ParsedLine = {
    command: data.root,
    path: [],
    usedOptions: new Set(),
    positionals: [],
    optionsEnded: false,
    isHelp: false,
  };
  for (const word of words) {
    const { pending } = parsed;
    parsed.pending = undefined;
    const isValue = pending?.takes === "required" || (pending?.takes === "optional" && /^\d/.test(word));
    if (isValue && pending) continue;
    if (parsed.optionsEnded) parsed.positionals.push(word);
    else if (word === "--") parsed.optionsEnded = true;
    else if (word.startsWith("--")) parseLongOption(data, parsed, word);
    else if (word.startsWith("-") && word.length > 1) parseShortOptions(data, parsed, word);
    else parseWord(data, parsed, word);
  }
  return parsed;
}

function parseLongOption(data: CompletionData, parsed: ParsedLine, word: string): void {
  const [name = "", value] = word.split(/=(.*)/s);
  parsed.usedOptions.add(name);
  const option = findOption(data, parsed.command, name);
  if (value === undefined && option?.takes) parsed.pending = option;
}

function parseShortOptions(data: CompletionData, parsed: ParsedLine, word: string): void {
  for (const [index, letter] of [...word.slice(1)].entries()) {
    const option = findOption(data, parsed.command, `-${letter}`);
    if (option) parsed.usedOptions.add(option.long);
    if (!option?.takes) continue;
    if (index === word.length - 2) parsed.pending = option;
    return;
  }
}

function parseWord(data: CompletionData, parsed: ParsedLine, word: string): void {
  const { command } = parsed;
  const next = parsed.positionals.length === 0 ? findCommand(command, word) : undefined;
  if (next) {
    parsed.command = next;
    parsed.path.push(next.name);
  } else if (command === data.root && word === "help" && !parsed.isHelp) parsed.isHelp = true;
  else parsed.positionals.push(word);
}

function findOption(data: CompletionData, command: CommandSpec, name: string): OptionSpec | undefined {
  return optionsOf(data, command).find(({ long, short }) => long === name || short === name);
}

function optionsOf(data: CompletionData, command: CommandSpec): readonly OptionSpec[] {
  return command.options.flatMap((index) => data.options[index] ?? []);
}

/** Completes the name of an option, or its value in the same word. */
function completeOption(context: CompletionContext, parsed: ParsedLine, current: string): Completions {
  const { data, command } = context;
  const equals = current.startsWith("--") ? current.indexOf("=") : -1;
  if (equals > 0) {
    const option = findOption(data, command, current.slice(0, equals));
    return option?.takes ? completeValue(context, option.values, current, equals + 1) : NO_COMPLETIONS;
  }
  if (!current.startsWith("--") && current.length > 2) {
    const option = findOption(data, command, current.slice(0, 2));
    return option?.takes ? completeValue(context, option.values, current, 2) : NO_COMPLETIONS;
  }
  const short = current.startsWith("--") ? undefined : findOption(data, command, current);
  if (short) return { ...NO_COMPLETIONS, kind: "options", candidates: [[current, short.description]] };
  return optionCandidates(parsed, data, current);
}

/** Returns the unused options that start with a prefix. */
function optionCandidates({ command, usedOptions }: ParsedLine, data: CompletionData, prefix: string): Completions {
  const matching = optionsOf(data, command).filter(
    ({ long, offer, repeatable }) =>
      long.startsWith(prefix) && offer !== "never" && (repeatable || !isUsed(usedOptions, long)),
  );
  const common = matching.filter(({ offer }) => offer === undefined);
  const candidates = (common.length > 0 ? common : matching).map(
    ({ long, description }) => [long, description] as const,
  );
  return { ...NO_COMPLETIONS, kind: "options", candidates };
}

/** Whether an option or its negation is used. */
function isUsed(usedOptions: ReadonlySet<string>, long: string): boolean {
  const negation = long.startsWith("--no-") ? long.replace("--no-", "--") : long.replace("--", "--no-");
  return usedOptions.has(long) || usedOptions.has(negation);
}

/** Whether a command, or one of its subcommands, works with a Solana node. */
function isForNode({ noNode, commands = [] }: CommandSpec): boolean {
  return commands.length > 0 ? commands.some(isForNode) : !noNode;
}

/** Completes the name of a command, or an argument. */
function completeWord(context: CompletionContext, parsed: ParsedLine, current: string): Completions {
  const { data, command, positionals } = context;
  const { arguments: valueIndices = [] } = command;
  const commands = (command.commands ?? []).filter((sub) => !context.isNode || isForNode(sub));
  if (current.startsWith("@") && command.takesFile) return { ...NO_COMPLETIONS, kind: "files", prefixLength: 1 };
  if (commands.length > 0 && positionals.length === 0) {
    const named = matchingCommands(commands, current);
    const topics = parsed.isHelp && command === data.root ? data.topics : [];
    const aliases = command === data.root && !parsed.isHelp ? [...context.local.aliases()] : [];
    const candidates = [...named, ...[...aliases, ...topics].filter(([word]) => word.startsWith(current))];
    if (candidates.length > 0) return { ...NO_COMPLETIONS, kind: "commands", candidates };
  }
  if (parsed.isHelp) return NO_COMPLETIONS;
  const position = command.variadic ? Math.min(positionals.length, valueIndices.length - 1) : positionals.length;
  const values = valueIndices[position];
  const completions = typeof values === "number" ? completeValue(context, values, current, 0) : NO_COMPLETIONS;
  if (completions.candidates.length > 0 || completions.kind === "files") return completions;
  const isMissing = valueIndices.length > positionals.length;
  return current === "" && !isMissing && commands.length === 0 ? optionCandidates(parsed, data, "--") : NO_COMPLETIONS;
}
