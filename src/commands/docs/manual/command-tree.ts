/** The tree of commands as plain data, for the manual and for completion. */
import type { Argument, Command, Option } from "commander";
import { choicesOf, definitionOfOption } from "../../options/option.ts";
import { commandPath, completeCommand, definitionOf, type Example, examplesOf } from "../../run/command-definition.ts";
import { usageLine } from "../../run/help.ts";

/** An argument of a command. */
export interface ArgumentNode {
  readonly name: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly description: string;
  /** The accepted values, where they are fixed. */
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface OptionNode {
  /** As printed in help: `-o, --output <format>`. */
  readonly flags: string;
  /** With its dashes: `--output`. */
  readonly long: string;
  readonly short?: string;
  readonly takesValue: "none" | "optional" | "required";
  /** The placeholder of the value in help, without brackets: `format`. */
  readonly placeholder?: string;
  /** The known values; others may be accepted too. */
  readonly values?: readonly string[];
  /** The type of the value in the catalogue or the settings. */
  readonly type?: string;
  readonly default?: string | number | boolean;
  /** The environment variable with the same effect. */
  readonly env?: string;
  readonly description: string;
  readonly repeatable: boolean;
  /** The heading it is listed under in help: `Output:`. */
  readonly group: string;
  /** Whether help leaves it out; it is accepted nevertheless. */
  readonly hidden: boolean;
}

/** A command with its arguments, options and subcommands. */
export interface CommandNode {
  readonly name: string;
  /** The words to type, `solx` first: `["solx", "account", "transfer"]`. */
  readonly path: readonly string[];
  readonly aliases: readonly string[];
  /** The heading it is listed under in the help of its parent. */
  readonly group: string;
  readonly summary: string;
  /** As in help: `solx auth login [flags]`. */
  readonly usage: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  readonly examples: readonly Example[];
  /** Text that help prints below the options, without the examples; may be empty. */
  readonly footer: string;
  readonly endpoint?: string;
  readonly commands: readonly CommandNode[];
}

/** Returns every command of a program with every option. */
export function buildCommandTree(program: Command): CommandNode {
  return commandNode(program, [], Number.POSITIVE_INFINITY);
}

/** Returns a command of a program with all its subcommands. */
export function buildNode(command: Command): CommandNode {
  const parents = commandPath(command).split(" ").slice(0, -1);
  return commandNode(command, parents, Number.POSITIVE_INFINITY);
}

/** Returns the command that words lead to, by names or aliases. Its subcommands have names and summaries only. */
export function commandAt(program: Command, words: readonly string[]): CommandNode | undefined {
  let command: Command | undefined = program;
  const parents: string[] = [];
  for (const word of words) {
    parents.push(command.name());
    completeCommand(command);
    command = command.commands.find((sub) => sub.name() === word || sub.aliases().includes(word));
    if (command === undefined) return undefined;
  }
  return commandNode(command, parents, 1);
}

/** Returns the commands of a tree, parents first. */
export function allCommands(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** @param levels how many levels of commands are complete; those below have names and summaries only */
function commandNode(command: Command, parents: readonly string[], levels: number): CommandNode {
  const path = [...parents, command.name()];
  const definition = definitionOf(command);
  const endpoint = definition?.endpoint?.route;
  const isComplete = levels > 0;
  if (isComplete) completeCommand(command);
  return {
    name: command.name(),
    path,
    aliases: command.aliases(),
    group: command.helpGroup(),
    summary: command.description(),
    usage: usageLine(command),
    arguments: command.registeredArguments.map(argumentNode),
    options: isComplete ? optionsOf(command).map(optionNode) : [],
    examples: isComplete && definition ? examplesOf(definition) : (definition?.examples ?? []),
    footer: isComplete ? (definition?.details ?? "") : "",
    ...(endpoint === undefined ? {} : { endpoint }),
    commands: isComplete ? command.commands.map((sub) => commandNode(sub, path, levels - 1)) : [],
  };
}

/** Returns the options of a command, with the help option, which commander adds by itself. */
function optionsOf(command: Command): readonly Option[] {
  const visible = command.createHelp().visibleOptions(command);
  return [...command.options, ...visible.filter((option) => !command.options.includes(option))];
}

function argumentNode(argument: Argument): ArgumentNode {
  const choices = choicesOf(argument);
  return {
    name: argument.name(),
    required: argument.required,
    variadic: argument.variadic,
    description: argument.description,
    ...(choices && { choices }),
  };
}

function optionNode(option: Option): OptionNode {
  const { flags, long, short, required, optional, description, helpGroupHeading, hidden } = option;
  const placeholder = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  const values = choicesOf(option);
  const { type, default: fallback, env, repeatable } = definitionOfOption(option) ?? {};
  return {
    flags,
    long: long ?? "",
    ...(short === undefined ? {} : { short }),
    takesValue: required ? "required" : optional ? "optional" : "none",
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(values && (required || optional) ? { values } : {}),
    ...(type === undefined ? {} : { type }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(env === undefined ? {} : { env }),
    description,
    repeatable: Boolean(repeatable),
    group: helpGroupHeading ?? "Options:",
    hidden,
  };
}
