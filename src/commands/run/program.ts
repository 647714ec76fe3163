/** The program: commander's tree of all commands. */
import { Command } from "commander";
import { COMMANDS, PROGRAM } from "../commands.ts";
import { checkGlobalOptions } from "../options/check-options.ts";
import { createOption, GENERAL } from "../options/option.ts";
import { addCommand, completeCommand, enterSubcommands, parsedOptions, setContext } from "./build-command.ts";
import { definitionOf, setDefinition } from "./command-definition.ts";
import type { RunContext } from "./context.ts";
import { formatHelp } from "./help.ts";

/** Builds the whole program; nothing is read and nothing is sent until a command runs. */
export function buildProgram(context: RunContext): Command {
  const program = new Command("solx")
    .version(context.io.version, "-V, --version", "print the version")
    .addHelpOption(createOption({ flags: "-h, --help", description: "show help", group: GENERAL }))
    .helpCommand(false)
    .configureHelp({ formatHelp: (command, helper) => formatHelp(command, helper, context.showsCompleteHelp) })
    .enablePositionalOptions()
    .description(PROGRAM.summary);
  setDefinition(program, PROGRAM);
  setContext(program, context);
  context.command = program;
  program.hook("preAction", (_, command) => {
    context.globals = parsedOptions(command);
    const definition = definitionOf(command);
    if (definition) checkGlobalOptions(definition, context.globals);
  });
  enterSubcommands(program, context);
  for (const definition of COMMANDS) addCommand(program, definition, context);
  completeCommand(program);
  return program;
}
