/** The program: commander's tree of all commands. */
import { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import { ALIASES, readTextMap, resolvePaths } from "../../config/index.ts";
import { COMMANDS, PROGRAM } from "../commands.ts";
import { findRefusedOption, type GlobalOptions } from "../options/global-options.ts";
import { createOption, GENERAL } from "../options/option.ts";
import { showsCompleteHelp } from "./arguments.ts";
import {
  addCommand,
  type CommandDefinition,
  completeCommand,
  definitionOf,
  enterSubcommands,
  parsedOptions,
  setContext,
  setDefinition,
} from "./command-definition.ts";
import type { RunContext } from "./context.ts";
import { formatHelp } from "./help.ts";

/** Builds the whole program; nothing is read and nothing is sent until a command runs. */
export function buildProgram(context: RunContext): Command {
  const program = new Command("solx")
    .version(context.io.version, "-V, --version", "print the version")
    .addHelpOption(createOption({ flags: "-h, --help", description: "show help", group: GENERAL }))
    .helpCommand(false)
    .configureHelp({
      formatHelp: (command, helper) =>
        formatHelp(command, helper, {
          isComplete: showsCompleteHelp(context.io.argv),
          aliases: () => readTextMap(resolvePaths(context.io.env), ALIASES).entries,
        }),
    })
    .enablePositionalOptions()
    .description(PROGRAM.summary);
  setDefinition(program, PROGRAM);
  setContext(program, context);
  context.command = program;
  program.hook("preAction", (_, command) => {
    checkDetachedValues(command, context.io.argv);
    context.globals = parsedOptions(command);
    const definition = definitionOf(command);
    if (definition) checkGlobalOptions(definition, context.globals);
  });
  enterSubcommands(program, context);
  for (const definition of COMMANDS) addCommand(program, definition, context);
  completeCommand(program);
  return program;
}

/** @throws UsageError for an option whose value is another option, as in `--out --resume`: its own value is missing */
function checkDetachedValues({ options }: Command, argv: readonly string[]): void {
  const findOption = (word = "") => options.find(({ short, long }) => word !== "" && [short, long].includes(word));
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const at = words.findIndex((word, index) => findOption(word)?.required && findOption(words[index + 1]) !== undefined);
  const [name, value] = words.slice(at, at + 2);
  if (at < 0 || findOption(words[at - 1])?.required) return;
  throw new UsageError(`flag needs a value: ${findOption(name)?.flags}`, {
    code: "USAGE",
    hint: `If ${value} is the value, attach it: ${findOption(name)?.long}=${value}`,
  });
}

/** What a person may want who gives an option to a command that it does not apply to. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  "--interactive": "To open the explorer, run: solx explore",
  "--out": "Redirect the output to a file instead: > file",
};

/** @throws UsageError for a global option that would have no effect on the command */
function checkGlobalOptions(definition: CommandDefinition, globals: GlobalOptions): void {
  const isFree = definition.endpoint !== undefined || definition.passesArguments;
  const flag = isFree ? undefined : findRefusedOption(globals, definition);
  if (flag === undefined) return;
  const hint = ALTERNATIVES[flag];
  throw new UsageError(
    `${flag} can only be used with API commands such as account transfer, not with ${definition.name}`,
    hint === undefined ? {} : { hint },
  );
}
