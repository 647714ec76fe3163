/** Runs a command line to its exit code: the one place that turns failures into messages and codes. */

import { type Command, CommanderError } from "commander";
import { errorMessage } from "../../base/error-message.ts";
import { ExitCode, InterruptedError, SolxError, UsageError } from "../../base/errors.ts";
import { displayText, recognise } from "../../client/index.ts";
import { PipeClosed } from "../../output/index.ts";
import { detachFollowArgument } from "../endpoint/follow-argument.ts";
import { canExplore, hasNoCommand } from "../explore/terminal-support.ts";
import { RunContext } from "./context.ts";
import type { Io } from "./io.ts";
import { buildProgram } from "./program.ts";
import { withOffer } from "./suggestions.ts";

/**
 * Runs the program once.
 * @returns the exit code; messages have been written to `io.stderr`.
 */
export async function run(io: Io): Promise<number> {
  const context = new RunContext(io);
  const program = buildProgram(context);
  const help = captureOutput(program);
  const argv = helpLast(program, detachFollowArgument(lineOf(program, io)));
  try {
    await program.parseAsync(argv, { from: "user" });
    await context.flush();
    return context.exitCode ?? ExitCode.done;
  } catch (error) {
    if (isHelp(error) && help.isAstray) return await run({ ...io, argv: withoutHelp(argv) });
    return await fail(context, error, help);
  } finally {
    await context.close();
  }
}

/** What was typed, or the explorer where nothing is asked for. */
function lineOf(program: Command, io: Io): readonly string[] {
  const explore = program.commands.find((command) => command.name() === "explore");
  const options = [...program.options, ...(explore?.options ?? [])];
  return hasNoCommand(io.argv, options) && canExplore(io) ? ["explore", ...io.argv] : io.argv;
}

/**
 * `help account transfer` and `account help transfer` as `account transfer --help` if there is such a command, else
 * `help name` as the page of that name.
 */
function helpLast(program: Command, argv: readonly string[]): string[] {
  const [first, ...words] = argv;
  if (first !== "help") return groupHelpLast(program, argv);
  const [name] = words;
  const isKnown = program.commands.some((command) => command.name() === name || command.aliases().includes(name ?? ""));
  return name === undefined || name.startsWith("-") || isKnown ? [...words, "--help"] : ["docs", ...words];
}

/** `account help transfer` as `account transfer --help`. */
function groupHelpLast(program: Command, argv: readonly string[]): string[] {
  const at = argv.indexOf("help");
  let group: Command | undefined = program;
  for (const word of argv.slice(0, Math.max(0, at))) {
    group = group?.commands.find((command) => command.name() === word || command.aliases().includes(word));
  }
  const isOfGroup = at > 0 && group !== undefined && takesNoWord(group);
  return isOfGroup ? [...argv.slice(0, at), ...argv.slice(at + 1), "--help"] : [...argv];
}

/** Whether no word may follow a command but the name of one of its own. */
const takesNoWord = ({ registeredArguments }: Command) => registeredArguments.length === 0;

/** A line without the options that ask for help. */
const withoutHelp = (argv: readonly string[]) => argv.filter((word) => !["-h", "--help"].includes(word));

/** What was kept of commander's output. */
interface Help {
  text: string;
  /** Whether the help is that of a command which the line leads past, to a word that is none of its commands. */
  isAstray: boolean;
}

/** What commander would write itself is kept, so that one owner writes it. */
function captureOutput(program: Command): Help {
  const captured: Help = { text: "", isAstray: false };
  const keep = (text: string) => {
    captured.text += text;
  };
  const configure = (command: Command) => {
    command
      .helpCommand(false)
      .exitOverride()
      .configureOutput({ writeOut: keep, writeErr: keep, outputError: () => {} })
      .on("beforeHelp", () => {
        const [word = "-"] = command.args;
        captured.isAstray = command.commands.length > 0 && takesNoWord(command) && !word.startsWith("-");
      });
    command.commands.forEach(configure);
  };
  configure(program);
  return captured;
}

/** Tells a failure and gives its exit code; help is no failure. */
async function fail(context: RunContext, error: unknown, help: Help): Promise<number> {
  const failure = isHelp(error) ? await printed(context, help.text) : error;
  if (failure === undefined) return ExitCode.done;
  if (failure instanceof PipeClosed) return ExitCode.done;
  const known = withOffer(await typed(failure, context), context.io.argv);
  await context.reporter.flush();
  if (isPluginCall(context.io.argv) && !context.io.signal.aborted) {
    return (await import("../usage/nagios.ts")).tellUnknown(context, known);
  }
  await context.reporter.error(known);
  if (context.globals.verbose && known.exit === "unexpected" && failure instanceof Error)
    context.reporter.write(`${failure.stack}\n`);
  return known.exitCode;
}

/** Whether Nagios runs the line: it reads failures too from standard output, and has exit codes of its own. */
function isPluginCall(argv: readonly string[]): boolean {
  return argv.includes("usage") && argv.some((word) => /^(-o=?|--output=)?nagios$/.test(word));
}

/** Prints text; what went wrong with that, if anything did. */
async function printed(context: RunContext, text: string): Promise<unknown> {
  try {
    await context.printText(text);
    await context.flush();
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

async function typed(error: unknown, context: RunContext): Promise<SolxError> {
  if (context.io.signal.aborted) {
    const reason: unknown = context.io.signal.reason;
    const known = reason instanceof SolxError ? reason : new InterruptedError();
    // The same, with what is left of the work.
    return error instanceof SolxError && error.exit === known.exit ? error : known;
  }
  if (error instanceof SolxError) return error;
  if (error instanceof CommanderError) return await usage(error);
  const text = errorMessage(error);
  return new SolxError("unexpected", `Something went wrong inside solx: ${text}`, {
    hint: "Run it again with -v to see where, and report it.",
    cause: error,
  });
}

/** Commander's complaint as ours: one sentence, and its suggestion as the hint. */
async function usage(error: CommanderError): Promise<UsageError> {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const unknown = /^unknown command '(.*)'$/.exec(first)?.[1];
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  const { sentence, hint } =
    unknown === undefined
      ? { sentence: first, hint: suggestion || "Add --help to see what is possible." }
      : await unknownWord(unknown, suggestion);
  return new UsageError(sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/\.?$/, "."), {
    code: "USAGE",
    hint,
  });
}

/**
 * What is said of a word that is no command: where it names something of the chain, how to see that, else which of
 * commander's suggestions are near enough to be meant.
 */
async function unknownWord(word: string, suggestion: string): Promise<{ sentence: string; hint: string }> {
  const { nearestName: nearest } = await import("../../base/nearest-name.ts");
  const sentence = `unknown command '${displayText(word)}'`;
  const { kind, value } = recognise(word);
  const isOfChain = kind === "address" || kind === "signature" || kind === "slot";
  if (isOfChain) return { sentence, hint: `See what it is with: solx show ${value}` };
  const names = suggestion.replace(/^Did you mean (one of )?|\?$/g, "").split(", ");
  const meant = names.filter((name) => name !== "" && nearest(word, [name]) !== undefined);
  if (meant.length > 0) return { sentence, hint: `Did you mean ${meant.join(" or ")}?` };
  return { sentence, hint: "Put --help in its place to see what there is." };
}
