/** What may stand at the cursor: a line read against the words that completion knows. */

import { commandNamed, type Found, fittingCommands, NOTHING, type Place } from "./context.ts";
import type { Line } from "./line.ts";
import type { CommandWords, OptionWords, Words } from "./schema.ts";
import { valuesAt } from "./values.ts";

interface Reading {
  command: CommandWords;
  readonly given: Set<string>;
  readonly positionals: string[];
  /** The option whose value comes next. */
  pending?: OptionWords | undefined;
  /** Whether `--` was there: no word after it is an option. */
  ended: boolean;
  /** Whether the line asks for help with a command. */
  helps: boolean;
}

/** Reads a line and finds what may stand at its cursor. */
export function find(words: Words, line: Line, profiles: () => readonly string[]): Found {
  const reading = readWords(words, line.before);
  const { command, positionals, pending } = reading;
  const place: Place = { words, command, positionals, profiles };
  const { current } = line;
  if (pending?.takes === "required") return valuesAt(place, pending.values, current, 0);
  if (reading.ended) return NOTHING;
  if (current.startsWith("-") && current !== "-") return atOption(place, reading, current);
  if (pending !== undefined && pending.values !== undefined) return valuesAt(place, pending.values, current, 0);
  if (current === "-") return optionsFor(reading, words, "--");
  return atWord(place, reading, current);
}

/** Follows the words before the cursor: to a command, with what was given to it. */
function readWords(words: Words, before: readonly string[]): Reading {
  const reading: Reading = { command: words.root, given: new Set(), positionals: [], ended: false, helps: false };
  for (const word of before) {
    const { pending } = reading;
    reading.pending = undefined;
    const isValue = pending?.takes === "required" || (pending?.takes === "optional" && /^\d/.test(word));
    if (isValue && pending) continue;
    if (reading.ended) reading.positionals.push(word);
    else if (word === "--") reading.ended = true;
    else if (word.startsWith("--")) readLong(words, reading, word);
    else if (word.startsWith("-") && word.length > 1) readShort(words, reading, word);
    else readPlain(words, reading, word);
  }
  return reading;
}

function readLong(words: Words, reading: Reading, word: string): void {
  const [name = "", value] = word.split(/=(.*)/s);
  reading.given.add(name);
  const option = optionNamed(words, reading.command, name);
  if (value === undefined && option?.takes) reading.pending = option;
}

function readShort(words: Words, reading: Reading, word: string): void {
  for (const [at, letter] of [...word.slice(1)].entries()) {
    const option = optionNamed(words, reading.command, `-${letter}`);
    if (option) reading.given.add(option.long);
    if (!option?.takes) continue;
    if (at === word.length - 2) reading.pending = option;
    return;
  }
}

function readPlain(words: Words, reading: Reading, word: string): void {
  const { command } = reading;
  const next = reading.positionals.length === 0 ? commandNamed(command, word) : undefined;
  if (next) reading.command = next;
  else if (command === words.root && word === "help" && !reading.helps) reading.helps = true;
  else reading.positionals.push(word);
}

function optionNamed(words: Words, command: CommandWords, name: string): OptionWords | undefined {
  return optionsOf(words, command).find(({ long, short }) => long === name || short === name);
}

function optionsOf(words: Words, command: CommandWords): readonly OptionWords[] {
  return command.options.flatMap((index) => words.options[index] ?? []);
}

/** An option that is being typed, or its value where that is part of the same word. */
function atOption(place: Place, reading: Reading, current: string): Found {
  const { words, command } = place;
  const equals = current.startsWith("--") ? current.indexOf("=") : -1;
  if (equals > 0) {
    const option = optionNamed(words, command, current.slice(0, equals));
    return option?.takes ? valuesAt(place, option.values, current, equals + 1) : NOTHING;
  }
  if (!current.startsWith("--") && current.length > 2) {
    const option = optionNamed(words, command, current.slice(0, 2));
    return option?.takes ? valuesAt(place, option.values, current, 2) : NOTHING;
  }
  const short = current.startsWith("--") ? undefined : optionNamed(words, command, current);
  if (short) return { ...NOTHING, kind: "options", words: [[current, short.about]] };
  return optionsFor(reading, words, current);
}

/** The options that begin like this, without those that were given. */
function optionsFor({ command, given }: Reading, words: Words, current: string): Found {
  const fitting = optionsOf(words, command).filter(
    ({ long, offer, repeatable }) =>
      long.startsWith(current) && offer !== "never" && (repeatable || !isGiven(given, long)),
  );
  const usual = fitting.filter(({ offer }) => offer === undefined);
  const offered = usual.length > 0 ? usual : fitting;
  return { ...NOTHING, kind: "options", words: offered.map(({ long, about }) => [long, about]) };
}

/** Whether an option was given, be it as its opposite. */
function isGiven(given: ReadonlySet<string>, long: string): boolean {
  const opposite = long.startsWith("--no-") ? long.replace("--no-", "--") : long.replace("--", "--no-");
  return given.has(long) || given.has(opposite);
}

/** A word that is no option: the name of a command, or an argument. */
function atWord(place: Place, reading: Reading, current: string): Found {
  const { words, command, positionals } = place;
  const { commands = [], arguments: taken = [] } = command;
  if (current.startsWith("@") && command.takesFile) return { ...NOTHING, kind: "files", from: 1 };
  if (commands.length > 0 && positionals.length === 0) {
    const named = fittingCommands(commands, current);
    const topics = reading.helps && command === words.root ? words.topics : [];
    const found = [...named, ...topics.filter(([word]) => word.startsWith(current))];
    if (found.length > 0) return { ...NOTHING, kind: "commands", words: found };
  }
  if (reading.helps) return NOTHING;
  const index = command.variadic ? Math.min(positionals.length, taken.length - 1) : positionals.length;
  const known = taken[index];
  if (typeof known === "number") return valuesAt(place, known, current, 0);
  const isWanted = taken.length > positionals.length;
  return current === "" && !isWanted && commands.length === 0 ? optionsFor(reading, words, "--") : NOTHING;
}
