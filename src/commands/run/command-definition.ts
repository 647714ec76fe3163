/** Commands as data, how commander's commands are built from them, and how results are printed. */
import type { Command } from "commander";
import { isArray, isObject, type Json, type SolxError } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import { addGlobalOptions, type GlobalOptions } from "../options/global-options.ts";
import {
  type ArgumentDefinition,
  type Audience,
  createArgument,
  createOption,
  GENERAL,
  type OptionDefinition,
} from "../options/option.ts";
import type { DisplayOptions, RunContext } from "./context.ts";

/** The heading of the commands that the help of the program lists by name only. */
export const OTHER_COMMANDS = "Other commands:";

/** A command line to copy, after a sentence that says what it is for. */
export type Example = readonly [about: string, command: string];

/** What was typed for a command. */
export interface Invocation<Options = object> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly command: Command;
}

/** A command of the program. Getters may compute what only a command line that leads to it needs. */
export interface CommandDefinition {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** The task that the help of the program lists it under. */
  readonly heading?: string;
  /** Whether the help of its group leaves it out, since another command stands for both. */
  readonly isFolded?: boolean;
  /** Which global options apply to it. */
  readonly audience: Audience;
  /** Long names of further global options that apply to it, such as `--limit`. */
  readonly flags?: readonly string[];
  /** Long names of global options of its audience that do not apply to it. */
  readonly excludedFlags?: readonly string[];
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  readonly examples?: readonly Example[];
  /** A line of every help, below the options. */
  readonly footnote?: string;
  /** Text of the complete help, below the options. */
  readonly details?: string;
  readonly commands?: readonly CommandDefinition[];
  readonly endpoint?: Endpoint;
  /** The endpoint whose parameters it takes, where it is not the command of that endpoint. */
  readonly parametersOf?: Endpoint | undefined;
  /** Whether the options and arguments of other commands may follow, which it passes on. */
  readonly passesArguments?: boolean;
  /** Runs the command; groups of commands have no action. */
  run?(context: RunContext, invocation: Invocation): Promise<void>;
  /** Adds to an error what only this command knows about it. */
  explainError?(error: SolxError, context: RunContext): SolxError;
  /** Reports an error in the command's own way; returns the exit code, or undefined to report it as usual. */
  reportError?(error: SolxError, context: RunContext, globals: GlobalOptions): Promise<number | undefined>;
}

/** Examples of a group: the first ones of its first commands. */
const GROUP_EXAMPLES = 3;

/** Returns the examples of a command; a group without any has those of its commands. */
export function examplesOf({ examples, commands = [], run }: CommandDefinition): readonly Example[] {
  if (examples !== undefined || run !== undefined) return examples ?? [];
  const first = commands.flatMap((command) => examplesOf(command).slice(0, 1));
  return first.slice(0, GROUP_EXAMPLES);
}

const definitions = new WeakMap<Command, CommandDefinition>();

/** Connects a command of the program with its definition. */
export function setDefinition(command: Command, definition: CommandDefinition): void {
  definitions.set(command, definition);
}

/** Returns the definition of a command; undefined for the program itself. */
export const definitionOf = (command: Command): CommandDefinition | undefined => definitions.get(command);

/** Returns a command and those that it belongs to, innermost first, the program last. */
export function commandChain(command: Command): readonly Command[] {
  return command.parent ? [command, ...commandChain(command.parent)] : [command];
}

/** Returns the words that a command is typed as, `solx` first. */
export function commandPath(command: Command): string {
  return commandChain(command)
    .map((one) => one.name())
    .reverse()
    .join(" ");
}

/** Returns the subcommand that a word names. */
export function findSubcommand(command: Command, word: string): Command | undefined {
  return command.commands.find((sub) => sub.name() === word || sub.aliases().includes(word));
}

/** An object, a list of rows or a plain value, with its schema, the columns of tables, and notes for the user. */
export interface CommandResult extends Pick<DisplayOptions, "columns"> {
  readonly value: Json;
  readonly schema?: keyof typeof import("../schemas.ts");
  readonly notes?: readonly string[];
}

/** Prints a result: objects and lists in the format of the run, a plain value as a line unless a format is typed. */
async function printResult(
  context: RunContext,
  { value, schema, notes = [], ...columns }: CommandResult,
): Promise<void> {
  const display = { ...columns, ...(schema && { entity: async () => (await import("../schemas.ts"))[schema] }) };
  const { output } = context.globals;
  if (isArray(value)) await context.printer.printRows(value, display);
  else if (isObject(value)) await context.printer.printObject(value, display);
  else if (output !== undefined) await context.printer.printObject(value);
  else if (value !== null) await context.printer.printText(`${value}\n`);
  for (const note of notes) await context.reporter.note(note);
}

/** Returns a function that runs an action of a module, which is loaded for it, and prints its result. */
export const actionPrinter =
  <Actions>(load: () => Promise<Actions>) =>
  async (context: RunContext, action: (actions: Actions) => Promise<CommandResult>): Promise<void> =>
    printResult(context, await action(await load()));

const completed = new WeakSet<Command>();
const contexts = new WeakMap<Command, RunContext>();

/** Connects a program with the context that its commands run in. */
export function setContext(program: Command, context: RunContext): void {
  contexts.set(program, context);
}

/**
 * Adds a command by name. Its options and subcommands are created when the command line leads to it: creating the
 * thousand options of all commands would dominate the start of a short command.
 */
export function addCommand(parent: Command, definition: CommandDefinition, context: RunContext): void {
  const { name, aliases = [], summary, heading } = definition;
  const command = parent
    .command(name)
    .helpCommand(false)
    .description(summary)
    .aliases([...aliases]);
  if (heading !== undefined) command.helpGroup(heading);
  setDefinition(command, definition);
  for (const argument of definition.arguments ?? []) command.addArgument(createArgument(argument));
  if (definition.passesArguments) command.allowUnknownOption().allowExcessArguments();
  if (definition.run) {
    command.action(() => definition.run?.(context, { args: command.args, options: command.opts(), command }));
  }
}

/** Completes the command that the command line leads to, and remembers it for errors. */
export function enterSubcommands(command: Command, context: RunContext): void {
  command.hook("preSubcommand", (_, subcommand) => {
    completeCommand(subcommand);
    context.command = subcommand;
    enterSubcommands(subcommand, context);
  });
}

/** Creates the options and subcommands of a command, unless that was done before. */
export function completeCommand(command: Command): void {
  const definition = definitionOf(command);
  const context = contexts.get(commandChain(command).at(-1) ?? command);
  if (completed.has(command) || definition === undefined || context === undefined) return;
  completed.add(command);
  for (const option of definition.options ?? []) command.addOption(createOption(option));
  for (const sub of definition.commands ?? []) addCommand(command, sub, context);
  command.addOption(createOption({ flags: "--help-all", description: "show help with all flags", group: GENERAL }));
  addGlobalOptions(command, definition);
  setNegatedDefaults(command);
}

/** Sets the default of every `--no-…` without its opposite: commander does that only for options that exist earlier. */
function setNegatedDefaults(command: Command): void {
  const flags = new Set(command.options.map(({ long }) => long));
  for (const option of command.options) {
    if (!option.negate || flags.has(option.long?.replace("--no-", "--"))) continue;
    command.setOptionValueWithSource(option.attributeName(), true, "default");
  }
}

/**
 * Returns the options of a command line. Every command on it has the global options: what was typed at one of them
 * precedes the defaults of the others, which are true for every `--no-…`.
 */
export function parsedOptions(command: Command): GlobalOptions {
  const chain = commandChain(command);
  const typed = chain.map((one) =>
    Object.entries(one.opts()).filter(([name]) => one.getOptionValueSource(name) === "cli"),
  );
  return Object.assign({}, ...chain.map((one) => one.opts()), ...typed.map(Object.fromEntries));
}
