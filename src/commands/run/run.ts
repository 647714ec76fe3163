/** Runs a command line to its exit code: builds the program, and turns failures into messages and exit codes. */

import { Command, CommanderError } from "commander";
import { ExitCode, IncompleteError, InterruptedError, SolxError, toKnownError, UsageError } from "../../base/index.ts";
import { ALIASES, readTextMap, resolvePaths } from "../../config/index.ts";
import { PipeClosed, safeText } from "../../output/index.ts";
import { COMMANDS, PROGRAM } from "../commands.ts";
import { failsOn, findRefusedOption } from "../options/global-options.ts";
import { createOption, GENERAL } from "../options/option.ts";
import { HELP_FLAGS, normalizeArguments, showsCompleteHelp } from "./arguments.ts";
import {
  addCommand,
  commandChain,
  commandPath,
  completeCommand,
  definitionOf,
  enterSubcommands,
  parsedOptions,
  setContext,
  setDefinition,
} from "./command-definition.ts";
import type { Io, LineRunner, RunContext } from "./context.ts";
import { createContext } from "./create-context.ts";
import { formatHelp } from "./help.ts";

/** Runs the program once. @returns the exit code; messages have been written to `io.stderr` */
export async function run(io: Io): Promise<number> {
  const context = createContext(io);
  context.runLine = runLine;
  try {
    const exitCode = await runCommand(context);
    io.onOutcome?.(exitCode);
    return exitCode;
  } finally {
    await context.session.close();
  }
}

async function runCommand(context: RunContext): Promise<number> {
  const { io } = context;
  const program = buildProgram(context);
  const output = captureOutput(program, io);
  let { argv } = io;
  try {
    argv = normalizeArguments(program, io);
    await program.parseAsync([...argv], { from: "user" });
    await context.printer.flush();
    requireHistory(context);
    if (context.outcome.nextArguments) return await run({ ...io, argv: context.outcome.nextArguments });
    return context.outcome.exitCode ?? ExitCode.done;
  } catch (error) {
    if (isHelp(error) && isUnknownCommand(context.command)) return await run({ ...io, argv: withoutHelp(argv) });
    return await fail(context, error, output);
  }
}

/**
 * Runs a command line in another context, without reporting its failure.
 * @throws SolxError with the names that were typed; help is a usage error, too
 */
export const runLine: LineRunner = async (io, prepare) => {
  const context = createContext(io);
  prepare(context);
  const program = buildProgram(context);
  captureOutput(program, io);
  try {
    await program.parseAsync([...normalizeArguments(program, io)], { from: "user" });
    requireHistory(context);
  } catch (error) {
    const { withTypedNames } = await import("./usage-errors.ts");
    throw withTypedNames(await toSolxError(error, context), context);
  } finally {
    await context.session.close();
  }
};

/** @throws IncompleteError with `--fail-on incomplete` when the source lacks history that an answer needs */
function requireHistory({ outcome: { missingHistory }, globals }: RunContext): void {
  if (missingHistory === undefined || !failsOn(globals, "incomplete")) return;
  throw new IncompleteError(missingHistory, {
    code: "MISSING_HISTORY",
    hint: "Use a source with the full history, or a later start (--from-time).",
  });
}

/** Whether help was displayed for a group although the line continues with a word that is none of its commands. */
function isUnknownCommand(command: Command | undefined): boolean {
  if (command === undefined || command.commands.length === 0 || command.registeredArguments.length > 0) return false;
  const [word = "-"] = command.args;
  return !word.startsWith("-");
}

const withoutHelp = (argv: readonly string[]) => argv.filter((word) => !HELP_FLAGS.includes(word));

interface CapturedOutput {
  text: string;
}

/** The width of help that is not printed to a terminal. */
const PIPE_WIDTH = 80;

/** Captures the output of commander; subcommands created later inherit this. */
function captureOutput(program: Command, { stdout }: Pick<Io, "stdout">): CapturedOutput {
  const captured: CapturedOutput = { text: "" };
  const capture = (text: string) => {
    captured.text += text;
  };
  const configure = (command: Command) => {
    command
      .helpCommand(false)
      .exitOverride()
      .configureOutput({
        writeOut: capture,
        writeErr: capture,
        outputError: () => {},
        getOutHelpWidth: () => (stdout.isTTY && stdout.columns) || PIPE_WIDTH,
      });
    command.commands.forEach(configure);
  };
  configure(program);
  return captured;
}

/** Reports a failure and returns its exit code; help and version are printed and are no failure. */
async function fail(context: RunContext, error: unknown, output: CapturedOutput): Promise<number> {
  const failure = isHelp(error) ? await printHelp(context, error, output.text) : error;
  if (failure === undefined) return ExitCode.done;
  if (failure instanceof PipeClosed) return ExitCode.done;
  const { command } = context;
  const definition = command && definitionOf(command);
  const globals = command ? parsedOptions(command) : {};
  // A line that could not be parsed may still name the format of errors.
  if (failure instanceof CommanderError) context.globals = globals;
  const known = await toSolxError(failure, context);
  const explained = definition?.explainError?.(known, context) ?? known;
  await context.reporter.flush();
  const exitCode = await definition?.reportError?.(explained, context, globals);
  if (exitCode !== undefined) return exitCode;
  await reportError(context, explained);
  if (context.globals.verbose && known.exit === "unexpected" && failure instanceof Error) {
    context.reporter.write(`${failure.stack}\n`);
  }
  return known.exitCode;
}

/** Writes an error with the names that were typed; programs, and people with `-v`, also get the sentence of the API. */
async function reportError(context: RunContext, error: SolxError): Promise<void> {
  const { withTypedHint, withTypedNames } = await import("./usage-errors.ts");
  const named = withTypedNames(withTypedHint(error, context), context);
  await context.reporter.error(named);
  const { apiMessage } = named;
  if (apiMessage !== undefined && context.globals.verbose && !context.reporter.isForPrograms())
    context.reporter.write(`  API: ${safeText(apiMessage)}\n`);
}

/** Prints help, or the version; as a schema where JSON is requested. Returns the error if that fails. */
async function printHelp(context: RunContext, error: unknown, text: string): Promise<unknown> {
  const { command } = context;
  const { output } = command ? parsedOptions(command) : {};
  const isVersion = error instanceof CommanderError && error.code === "commander.version";
  if (!command || isVersion || output !== "json") return printOutput(context, text);
  const { commandSchema } = await import("../docs/manual/command-schema.ts");
  return printOutput(context, `${JSON.stringify(await commandSchema(command), null, 2)}\n`);
}

async function printOutput(context: RunContext, text: string): Promise<unknown> {
  try {
    await context.printer.printText(text);
    await context.printer.flush();
    return undefined;
  } catch (error) {
    return error;
  }
}

function isHelp(error: unknown): boolean {
  return (
    error instanceof CommanderError &&
    ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code)
  );
}

async function toSolxError(error: unknown, context: RunContext): Promise<SolxError> {
  if (context.io.signal.aborted) {
    const reason: unknown = context.io.signal.reason;
    const known = reason instanceof SolxError ? reason : new InterruptedError();
    // An error of the same kind also says what remains to be done.
    return error instanceof SolxError && error.exit === known.exit ? error : known;
  }
  if (error instanceof CommanderError) return (await import("./usage-errors.ts")).toUsageError(error, context);
  return toKnownError(error);
}

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
    checkGlobalOptions(command);
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
function checkGlobalOptions(command: Command): void {
  const chain = commandChain(command);
  const isTyped = (name: string) => chain.some((one) => one.getOptionValueSource(name) === "cli");
  const definition = definitionOf(command);
  if (definition === undefined || definition.passesArguments) return;
  const flag = findRefusedOption(command, definition, isTyped);
  if (flag === undefined) return;
  const path = commandPath(command);
  const hint = ALTERNATIVES[flag] ?? `For its flags, run: ${path} --help-all`;
  throw new UsageError(`${flag} has no effect on ${path.replace(/^solx /, "")}`, { code: "USAGE", hint });
}
