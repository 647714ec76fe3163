/** Finds the candidates for an unfinished command line. */

import { aliasWords } from "../run/arguments.ts";
import type {
  Candidate,
  CommandLine,
  CommandSpec,
  CompletionData,
  Completions,
  OptionSpec,
  ValueSet,
} from "./schema.ts";

/** Names that exist on this machine, with descriptions; they are read when they are completed. */
export type LocalNames = Readonly<
  Record<"profiles" | "indexes" | "aliases" | "views" | "addresses", () => readonly Candidate[]>
>;

/** The command line up to the word at the cursor. */
export interface CompletionContext {
  readonly data: CompletionData;
  readonly command: CommandSpec;
  readonly positionals: readonly string[];
  readonly local: LocalNames;
  /** Whether a Solana node is to answer. */
  readonly isNode: boolean;
}

const NO_COMPLETIONS: Completions = { kind: "values", prefixLength: 0, appendsSpace: true, candidates: [] };

function findCommand({ commands = [] }: CommandSpec, name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}

/** Returns the commands whose name starts with a prefix, or the aliases that do when no name does. */
function matchingCommands(commands: readonly CommandSpec[], prefix: string): readonly Candidate[] {
  const named = commands.filter(({ name }) => name.startsWith(prefix));
  if (named.length > 0) return named.map(({ name, description }) => [name, description]);
  return commands.flatMap(({ aliases = [], description }) =>
    aliases.filter((alias) => alias.startsWith(prefix)).map((alias): Candidate => [alias, description]),
  );
}

/** The meaning of the words before the cursor. */
export interface ParsedLine {
  command: CommandSpec;
  /** The command, by its names. */
  readonly path: string[];
  readonly usedOptions: Set<string>;
  readonly positionals: string[];
  pending?: OptionSpec | undefined;
  /** Whether `--` came before: no later word is an option. */
  isPastOptions: boolean;
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
  if (parsed.isPastOptions) return NO_COMPLETIONS;
  if (current.startsWith("-") && current !== "-") return completeOption(context, parsed, current);
  if (pending?.values !== undefined) return completeValue(context, pending.values, current, 0);
  if (current === "-") return optionCandidates(parsed, data, "--");
  return completeWord(context, parsed, current);
}

/** Returns the words with an alias at their start replaced by its command; its placeholders take the words behind it. */
function withoutAlias(data: CompletionData, words: readonly string[], local: LocalNames): readonly string[] {
  const [first = "", ...rest] = words;
  const line =
    first.startsWith("-") || findCommand(data.root, first)
      ? undefined
      : local.aliases().find(([name]) => name === first)?.[1];
  return line === undefined ? words : [...aliasWords(line).filter((word) => !/\$\d/.test(word)), ...rest];
}

/** Parses the words before the cursor. */
export function parseLine(data: CompletionData, words: readonly string[]): ParsedLine {
  const parsed: ParsedLine = {
    command: data.root,
    path: [],
    usedOptions: new Set(),
    positionals: [],
    isPastOptions: false,
    isHelp: false,
  };
  for (const word of words) {
    const { pending } = parsed;
    parsed.pending = undefined;
    const isValue = pending?.takes === "required" || (pending?.takes === "optional" && /^\d/.test(word));
    if (isValue && pending) continue;
    if (parsed.isPastOptions) parsed.positionals.push(word);
    else if (word === "--") parsed.isPastOptions = true;
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
    const aliases = command === data.root && !parsed.isHelp ? context.local.aliases() : [];
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

/**
 * Returns the values that start with what is typed.
 * @param index the value set, an index of `CompletionData.values`; undefined when the values are unknown
 * @param from where the value starts in the current word
 */
function completeValue(
  context: CompletionContext,
  index: number | undefined,
  current: string,
  from: number,
): Completions {
  const values = index === undefined ? undefined : context.data.values[index];
  if (values === undefined) return NO_COMPLETIONS;
  if (values.source === "files") return { ...NO_COMPLETIONS, kind: "files", prefixLength: from };
  if (values.source === "setting") {
    const setting = context.data.settings[context.positionals[0] ?? ""];
    return completeValue(context, setting, current, from);
  }
  if (values.source === "fields" || values.source === "sortKeys") {
    return completeFields(context, values, current, from);
  }
  const start = values.list ? Math.max(from, current.lastIndexOf(",") + 1) : from;
  const used = new Set(current.slice(from, start).split(","));
  const typed = current.slice(start);
  const matches = ([word]: Candidate) => word.startsWith(typed) && !used.has(word);
  const abbreviations = typed === "" ? [] : (values.abbreviations ?? []);
  const common = [...candidatesOf(context, values), ...abbreviations].filter(matches);
  const rare = common.length === 0 ? (values.rare ?? []).filter(matches) : [];
  return { kind: "values", prefixLength: start, appendsSpace: !values.list, candidates: [...common, ...rare] };
}

function candidatesOf({ data, positionals, local }: CompletionContext, values: ValueSet): readonly Candidate[] {
  const fixed = values.candidates ?? [];
  const { source } = values;
  if (source && source in local) return [...local[source as keyof LocalNames](), ...fixed];
  if (source !== "commands" && source !== "endpoints") return fixed;
  let parent = data.root;
  for (const word of positionals) {
    const next = findCommand(parent, word);
    if (next === undefined) return [];
    parent = next;
  }
  const commands = (parent.commands ?? []).filter((command) => source === "commands" || leadsToEndpoint(command));
  const named = matchingCommands(commands, "");
  const names = new Set(named.map(([name]) => name));
  // A page of the manual may have the name of a command.
  const others = positionals.length === 0 ? fixed.filter(([name]) => !names.has(name)) : [];
  return [...named, ...others];
}

/** Whether a command or one of its subcommands requests an endpoint. */
function leadsToEndpoint({ isEndpoint, commands = [] }: CommandSpec): boolean {
  return isEndpoint === true || commands.some(leadsToEndpoint);
}

/** Returns field names level by level; when a single field matches, its nested fields too. Fixed values come last. */
function completeFields(
  { data, command }: CompletionContext,
  { source, candidates = [] }: ValueSet,
  current: string,
  from: number,
): Completions {
  const item = Math.max(from, current.lastIndexOf(",") + 1);
  const heading = source === "fields" ? current.slice(item).indexOf(":") + 1 : 0;
  const start = item + heading;
  const used = new Set(current.slice(from, item).split(","));
  const typed = current.slice(start);
  const prefix = typed.slice(0, typed.lastIndexOf(".") + 1);
  // Without indices, a typed path is the beginning of a known one.
  const [parent, path] = [prefix, typed].map((text) => text.replace(/\[\d*\]/g, "")) as [string, string];
  const below = (folder: string) =>
    (data.fields[command.entity ?? ""] ?? []).filter(
      ([name]) => name.startsWith(folder) && !name.slice(folder.length).includes("."),
    );
  const matching = below(parent).filter(([name]) => name.startsWith(path));
  const selected = matching.find(([name]) => matching.length === 1 || name === path);
  const nested = selected ? below(`${selected[0]}.`) : [];
  const fields = [...matching, ...nested].map(
    ([name, description]): Candidate => [prefix + name.slice(parent.length), description],
  );
  const known = candidates.filter(([word]) => prefix === "" && word.startsWith(typed));
  const all = [...new Map([...fields, ...known])];
  return {
    kind: "values",
    prefixLength: start,
    appendsSpace: false,
    candidates: all.filter(([word]) => !used.has(word)),
  };
}
