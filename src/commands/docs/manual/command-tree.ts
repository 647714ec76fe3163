/** The whole tree of commands as plain data: for reference pages, manual pages and completion. */
import { type Argument, type Command, Option } from "commander";
import { SETTINGS, type Setting } from "../../../config/settings.ts";
import { endpointOf } from "../../endpoint/command.ts";
import { choicesOf, type Example, examplesOf } from "../../run/help.ts";
import { completeCommand } from "../../run/lazy-commands.ts";

/** An argument of a command. */
export interface ArgumentNode {
  readonly name: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly description: string;
  /** The words that it takes, where they are known beforehand. */
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface OptionNode {
  /** As help shows it: `-o, --output <format>`. */
  readonly flags: string;
  /** With its dashes: `--output`. */
  readonly long: string;
  /** With its dash: `-o`. */
  readonly short?: string;
  readonly takesValue: "none" | "optional" | "required";
  /** What stands for the value in help, without its brackets: `format`. */
  readonly placeholder?: string;
  /** The words that it takes, where they are known beforehand; others may be taken too. */
  readonly values?: readonly string[];
  readonly description: string;
  /** The heading that it stands under in help: `Output:`. */
  readonly group: string;
  /** Whether help does not show it; it is taken all the same. */
  readonly hidden: boolean;
}

/** A command with all that it has. */
export interface CommandNode {
  readonly name: string;
  /** The words to type, `solx` first: `["solx", "account", "transfer"]`. */
  readonly path: readonly string[];
  readonly aliases: readonly string[];
  /** The heading that it stands under in the help of its parent. */
  readonly group: string;
  readonly summary: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  readonly examples: readonly Example[];
  /** What help says below the options; empty where there is nothing. */
  readonly more: string;
  /** The route of the endpoint that it asks. */
  readonly endpoint?: string;
  readonly commands: readonly CommandNode[];
}

/** Every command of a program with every option, as in help. */
export function treeOf(program: Command): CommandNode {
  return commandNode(program, [], Number.POSITIVE_INFINITY);
}

/** The command that some words lead to, by its own names or others, with the commands in it by their names alone. */
export function commandAt(program: Command, words: readonly string[]): CommandNode | undefined {
  let command: Command | undefined = program;
  const above: string[] = [];
  for (const word of words) {
    above.push(command.name());
    completeCommand(command);
    command = command.commands.find((sub) => sub.name() === word || sub.aliases().includes(word));
    if (command === undefined) return undefined;
  }
  return commandNode(command, above, 1);
}

/** The commands of a tree, each before those in it. */
export function allCommands(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** @param levels how many levels of commands have all that they have; those below have names alone */
function commandNode(command: Command, above: readonly string[], levels: number): CommandNode {
  const path = [...above, command.name()];
  const endpoint = endpointOf(command)?.route;
  const isWhole = levels > 0;
  if (isWhole) completeCommand(command);
  return {
    name: command.name(),
    path,
    aliases: command.aliases(),
    group: command.helpGroup(),
    summary: command.description(),
    arguments: command.registeredArguments.map(argumentNode),
    options: isWhole ? optionsOf(command).map(optionNode) : [],
    examples: examplesOf(command),
    more: isWhole ? textAfter(command) : "",
    ...(endpoint === undefined ? {} : { endpoint }),
    commands: isWhole ? command.commands.map((sub) => commandNode(sub, path, levels - 1)) : [],
  };
}

/** The options of a command, with the one for help, which commander shows beside those that were added. */
function optionsOf(command: Command): readonly Option[] {
  const shown = command.createHelp().visibleOptions(command);
  return [...command.options, ...shown.filter((option) => !command.options.includes(option))];
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
  const values = choicesOf(option) ?? settingValues(long ?? "");
  return {
    flags,
    long: long ?? "",
    ...(short === undefined ? {} : { short }),
    takesValue: required ? "required" : optional ? "optional" : "none",
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(values && (required || optional) ? { values } : {}),
    description,
    group: helpGroupHeading ?? "Options:",
    hidden,
  };
}

/** The words of the setting that an option gives. */
function settingValues(long: string): readonly string[] | undefined {
  const settings: readonly Setting[] = Object.values(SETTINGS);
  return settings.find(({ flag }) => flag !== undefined && new Option(flag).long === long)?.values;
}

/** What help says below the options of a command. */
function textAfter(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const body = command.helpInformation();
  return text.slice(text.indexOf(body) + body.length).trim();
}
