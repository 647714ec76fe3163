/** What may stand at the cursor: a line read against the words that completion knows. */

import { type CompletionContext, type Completions, findCommand, matchingCommands, NO_COMPLETIONS } from "./context.ts";
import type { CommandSpec, CompletionData, OptionSpec } from "./schema.ts";
import type { CommandLine } from "./shell-protocol.ts";
import { completeValue } from "./values.ts";

interface ParsedLine {
  command: CommandSpec;
  readonly usedOptions: Set<string>;
  readonly positionals: string[];
  /** The option whose value comes next. */
  pending?: OptionSpec | undefined;
  /** Whether `--` was there: no word after it is an option. */
  optionsEnded: boolean;
  /** Whether the line asks for help with a command. */
  isHelp: boolean;
}

/** Reads a line and finds what may stand at its cursor. */
export function findCompletions(
  words: CompletionData,
  line: CommandLine,
  profiles: () => readonly string[],
): Completions {
  const parsed = parseWords(words, line.before);
  const { command, positionals, pending } = parsed;
  const context: CompletionContext = { data: words, command, positionals, profiles };
  const { current } = line;
  if (pending?.takes === "required") return completeValue(context, pending.values, current, 0);
  if (parsed.optionsEnded) return NO_COMPLETIONS;
  if (current.startsWith("-") && current !== "-") return completeOption(context, parsed, current);
  if (pending !== undefined && pending.values !== undefined) return completeValue(context, pending.values, current, 0);
  if (current === "-") return optionCandidates(parsed, words, "--");
  return completeWord(context, parsed, current);
}

/** Follows the words before the cursor: to a command, with what was given to it. */
function parseWords(words: CompletionData, before: readonly string[]): ParsedLine {
  const parsed: ParsedLine = {
    command: words.root,
    usedOptions: new Set(),
    positionals: [],
    optionsEnded: false,
    isHelp: false,
  };
  for (const word of before) {
    const { pending } = parsed;
    parsed.pending = undefined;
    const isValue = pending?.takes === "required" || (pending?.takes === "optional" && /^\d/.test(word));
    if (isValue && pending) continue;
    if (parsed.optionsEnded) parsed.positionals.push(word);
    else if (word === "--") parsed.optionsEnded = true;
    else if (word.startsWith("--")) parseLongOption(words, parsed, word);
    else if (word.startsWith("-") && word.length > 1) parseShortOptions(words, parsed, word);
    else parseWord(words, parsed, word);
  }
  return parsed;
}

function parseLongOption(words: CompletionData, parsed: ParsedLine, word: string): void {
  const [name = "", value] = word.split(/=(.*)/s);
  parsed.usedOptions.add(name);
  const option = findOption(words, parsed.command, name);
  if (value === undefined && option?.takes) parsed.pending = option;
}

function parseShortOptions(words: CompletionData, parsed: ParsedLine, word: string): void {
  for (const [at, letter] of [...word.slice(1)].entries()) {
    const option = findOption(words, parsed.command, `-${letter}`);
    if (option) parsed.usedOptions.add(option.long);
    if (!option?.takes) continue;
    if (at === word.length - 2) parsed.pending = option;
    return;
  }
}

function parseWord(words: CompletionData, parsed: ParsedLine, word: string): void {
  const { command } = parsed;
  const next = parsed.positionals.length === 0 ? findCommand(command, word) : undefined;
  if (next) parsed.command = next;
  else if (command === words.root && word === "help" && !parsed.isHelp) parsed.isHelp = true;
  else parsed.positionals.push(word);
}

function findOption(words: CompletionData, command: CommandSpec, name: string): OptionSpec | undefined {
  return optionsOf(words, command).find(({ long, short }) => long === name || short === name);
}

function optionsOf(words: CompletionData, command: CommandSpec): readonly OptionSpec[] {
  return command.options.flatMap((index) => words.options[index] ?? []);
}

/** An option that is being typed, or its value where that is part of the same word. */
function completeOption(context: CompletionContext, parsed: ParsedLine, current: string): Completions {
  const { data: words, command } = context;
  const equals = current.startsWith("--") ? current.indexOf("=") : -1;
  if (equals > 0) {
    const option = findOption(words, command, current.slice(0, equals));
    return option?.takes ? completeValue(context, option.values, current, equals + 1) : NO_COMPLETIONS;
  }
  if (!current.startsWith("--") && current.length > 2) {
    const option = findOption(words, command, current.slice(0, 2));
    return option?.takes ? completeValue(context, option.values, current, 2) : NO_COMPLETIONS;
  }
  const short = current.startsWith("--") ? undefined : findOption(words, command, current);
  if (short) return { ...NO_COMPLETIONS, kind: "options", candidates: [[current, short.description]] };
  return optionCandidates(parsed, words, current);
}

/** The options that begin like this, without those that were given. */
function optionCandidates(
  { command, usedOptions: given }: ParsedLine,
  words: CompletionData,
  current: string,
): Completions {
  const fitting = optionsOf(words, command).filter(
    ({ long, offer, repeatable }) =>
      long.startsWith(current) && offer !== "never" && (repeatable || !isUsed(given, long)),
  );
  const usual = fitting.filter(({ offer }) => offer === undefined);
  const offered = usual.length > 0 ? usual : fitting;
  return {
    ...NO_COMPLETIONS,
    kind: "options",
    candidates: offered.map(({ long, description: about }) => [long, about]),
  };
}

/** Whether an option was given, be it as its opposite. */
function isUsed(given: ReadonlySet<string>, long: string): boolean {
  const opposite = long.startsWith("--no-") ? long.replace("--no-", "--") : long.replace("--", "--no-");
  return given.has(long) || given.has(opposite);
}

/** A word that is no option: the name of a command, or an argument. */
function completeWord(context: CompletionContext, parsed: ParsedLine, current: string): Completions {
  const { data: words, command, positionals } = context;
  const { commands = [], arguments: taken = [] } = command;
  if (current.startsWith("@") && command.takesFile) return { ...NO_COMPLETIONS, kind: "files", prefixLength: 1 };
  if (commands.length > 0 && positionals.length === 0) {
    const named = matchingCommands(commands, current);
    const topics = parsed.isHelp && command === words.root ? words.topics : [];
    const found = [...named, ...topics.filter(([word]) => word.startsWith(current))];
    if (found.length > 0) return { ...NO_COMPLETIONS, kind: "commands", candidates: found };
  }
  if (parsed.isHelp) return NO_COMPLETIONS;
  const index = command.variadic ? Math.min(positionals.length, taken.length - 1) : positionals.length;
  const known = taken[index];
  if (typeof known === "number") return completeValue(context, known, current, 0);
  const isWanted = taken.length > positionals.length;
  return current === "" && !isWanted && commands.length === 0 ? optionCandidates(parsed, words, "--") : NO_COMPLETIONS;
}
