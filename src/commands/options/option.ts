/** Options and arguments of commands as data, and how commander parses them. */
import { Argument, Option } from "commander";
import { listWords, suggestName, UsageError } from "../../base/index.ts";
import { quoteText } from "../../config/index.ts";

/**
 * Kinds of commands, by the global options that apply to them: those of an endpoint (`data`), those that send other
 * requests, those about the account of the key, those that print what this machine has, those that only report what
 * they did, the sandbox, what runs until it is stopped, and groups of commands.
 */
export type Audience = "data" | "request" | "account" | "print" | "message" | "session" | "sandbox" | "none";

/** The heading of options about help and messages, the last one in help. */
export const GENERAL = "General:";

/** An option of a command. */
export interface OptionDefinition {
  /** As in help: `-o, --output <format>`. */
  readonly flags: string;
  /** Lower case, without a full stop. */
  readonly description: string;
  /** A shorter description for the help of one screen. */
  readonly summary?: string;
  /** The flags in the help of one screen, where they stand for several options: `--from-<metric> <n>`. */
  readonly shortFlags?: string;
  /** The heading in the complete help, such as `Output:`. */
  readonly group?: string;
  /** Known values, for completion and the manual; others may be accepted too. */
  readonly values?: readonly (string | number)[];
  /** Whether other values are refused. */
  readonly isClosed?: boolean;
  /** The type of its value in the catalogue or the settings, such as `address` or `integer`. */
  readonly type?: string;
  readonly default?: string | number | boolean | undefined;
  /** The environment variable with the same effect. */
  readonly env?: string;
  /** Whether the values of a repeated option are collected, or joined by commas; otherwise a second one is refused. */
  readonly repeatable?: boolean | "joined";
  /** Whether only the complete help lists it. */
  readonly isRare?: boolean;
  /** Whether most commands have it: `solx help options` describes it, not the help of each command. */
  readonly isInherited?: boolean;
  /** Whether no help lists it. */
  readonly isHidden?: boolean;
}

/** A positional argument of a command. */
export interface ArgumentDefinition {
  /** As in the usage line: `<name>`, `[name]` or `[name...]`. */
  readonly name: string;
  readonly description: string;
  /** Known values, for completion and the manual; others may be accepted too. */
  readonly values?: readonly string[];
  /** Whether other values are refused. */
  readonly isClosed?: boolean;
}

const optionDefinitions = new WeakMap<Option, OptionDefinition>();
const argumentDefinitions = new WeakMap<Argument, ArgumentDefinition>();

/** The longest list of values that is one word. */
const MAX_WORD = 40;

/** Returns values for a description; many are separate words, so that they fit in narrow terminals. */
export function choiceText(values: readonly string[]): string {
  const word = values.join("|");
  return word.length <= MAX_WORD ? word : values.join(", ");
}

/** Returns the option for the format of a command that has formats of its own. */
export function outputOption(
  about: string,
  values: readonly string[],
  fallback = "table on a terminal, json otherwise",
): OptionDefinition {
  const description = `${about}: ${choiceText(values)} (default: ${fallback})`;
  return { flags: "-o, --output <format>", description, group: "Output:", values };
}

/** Creates the option that commander parses. */
export function createOption(definition: OptionDefinition): Option {
  const { flags, description, group, isHidden = false } = definition;
  const option = new Option(flags, description).hideHelp(isHidden);
  if (group !== undefined) option.helpGroup(group);
  if (option.required && !option.variadic) {
    option.argParser((value: string, previous: OptionValue) => addValue(definition, option.long, value, previous));
  }
  optionDefinitions.set(option, definition);
  return option;
}

/** Creates the argument that commander parses. */
export function createArgument(definition: ArgumentDefinition): Argument {
  const argument = new Argument(definition.name, definition.description);
  if (definition.isClosed) {
    argument.argParser((value: string) => {
      checkChoice(definition.name, value, definition);
      return value;
    });
  }
  argumentDefinitions.set(argument, definition);
  return argument;
}

/** Returns the definition of an option; undefined for those of commander itself. */
export const definitionOfOption = (option: Option): OptionDefinition | undefined => optionDefinitions.get(option);

/** Returns the known values of an option or argument. */
export function choicesOf(target: Option | Argument): readonly string[] | undefined {
  const definition = target instanceof Option ? optionDefinitions.get(target) : argumentDefinitions.get(target);
  return definition?.values?.map(String);
}

type OptionValue = string | readonly string[] | undefined;

/** Returns the value of an option with one more that was typed. Throws UsageError where it is not accepted. */
function addValue(definition: OptionDefinition, flag = "", value: string, previous: OptionValue): OptionValue {
  const { repeatable } = definition;
  const words = repeatable === "joined" ? value.split(",").filter((word) => word !== "") : [value];
  for (const word of words) checkChoice(flag, word, definition);
  if (repeatable === true) return [...(previous ?? []), value];
  if (previous === undefined) return value;
  if (repeatable === "joined") return `${previous},${value}`;
  throw new UsageError(`${flag} is given more than once`, { hint: "Pass it once." });
}

/** Throws UsageError for a value that is not among the known ones, where no other is accepted. */
function checkChoice(
  name: string,
  value: string,
  { values = [], isClosed }: OptionDefinition | ArgumentDefinition,
): void {
  const known = values.map(String);
  if (!isClosed || known.includes(value)) return;
  throw new UsageError(`invalid value ${quoteText(value)} for ${name}: expected ${listWords(known)}`, {
    hint: suggestName(value, known),
  });
}
