/** Commands as data; their options and actions are created when a command line leads to them. */
import type { Command } from "commander";
import type { SolxError } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type { ArgumentDefinition, Audience, OptionDefinition } from "../options/option.ts";
import type { GlobalOptions } from "../options/parsed-options.ts";
import type { RunContext } from "./context.ts";

/** The heading of the commands that the help of the program lists by name only. */
export const OTHER_COMMANDS = "Other commands:";

/** A command line to copy, after a sentence that says what it is for. */
export type Example = readonly [about: string, command: string];

/** What was typed for a command. */
export interface Invocation<Options = object> {
  readonly args: readonly string[];
  /** Values of its options, as commander names them. */
  readonly options: Options;
  /** The command in the program. */
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
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  readonly examples?: readonly Example[];
  /** A line of every help, below the options. */
  readonly footnote?: string;
  /** Text of the complete help, below the options. */
  readonly details?: string;
  readonly commands?: readonly CommandDefinition[];
  /** The endpoint that it requests. */
  readonly endpoint?: Endpoint;
  /** Whether the options and arguments of other commands may follow, which it passes on. */
  readonly passesArguments?: boolean;
  /** False for a command to which the sandbox is no alternative: it needs no key, or it is about the key. */
  readonly offersSandbox?: boolean;
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
