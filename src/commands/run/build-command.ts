/** Builds commander's commands from their definitions, as far as the command line needs them. */
import type { Command } from "commander";
import { createArgument, createOption, GENERAL } from "../options/option.ts";
import { addGlobalOptions, type GlobalOptions } from "../options/parsed-options.ts";
import { type CommandDefinition, commandChain, definitionOf, setDefinition } from "./command-definition.ts";
import type { RunContext } from "./context.ts";

/** Commands whose options and subcommands were created. */
const completed = new WeakSet<Command>();
/** The contexts of programs. */
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
