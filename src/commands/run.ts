/** Runs a command line to its exit code: the one place that turns failures into messages and codes. */
import { type Command, CommanderError } from "commander";
import { ExitCode, InterruptedError, SolxError, UsageError } from "../base/errors.ts";
import { canExplore, isBare } from "./can-explore.ts";
import { withFollowAlone } from "./follow-word.ts";
import { Frame } from "./frame.ts";
import type { Io } from "./io.ts";
import { withOffer } from "./offer.ts";
import { buildProgram } from "./program.ts";

/**
 * Runs the program once.
 * @returns the exit code; messages have been written to `io.stderr`.
 */
export async function run(io: Io): Promise<number> {
  const frame = new Frame(io);
  const program = buildProgram(frame);
  const help = captureOutput(program);
  try {
    const argv = isBare(io.argv) && canExplore(io) ? ["explore", ...io.argv] : io.argv;
    await program.parseAsync(helpLast(program, withFollowAlone(argv)), { from: "user" });
    await frame.flush();
    return frame.exitCode ?? ExitCode.done;
  } catch (error) {
    return await fail(frame, error, help);
  } finally {
    await frame.close();
  }
}

/** `help account transfer` as `account transfer --help` if there is such a command, else as the page of that name. */
function helpLast(program: Command, argv: readonly string[]): string[] {
  const [first, ...words] = argv;
  if (first !== "help") return [...argv];
  const [name] = words;
  const isKnown = program.commands.some((command) => command.name() === name || command.aliases().includes(name ?? ""));
  return name === undefined || name.startsWith("-") || isKnown ? [...words, "--help"] : ["docs", ...words];
}

/** What commander would write itself is kept, so that one owner writes it. */
function captureOutput(program: Command): { text: string } {
  const captured = { text: "" };
  const keep = (text: string) => {
    captured.text += text;
  };
  const configure = (command: Command) => {
    command
      .helpCommand(false)
      .exitOverride()
      .configureOutput({ writeOut: keep, writeErr: keep, outputError: () => {} });
    command.commands.forEach(configure);
  };
  configure(program);
  return captured;
}

/** Tells a failure and gives its exit code; help is no failure. */
async function fail(frame: Frame, error: unknown, help: { text: string }): Promise<number> {
  const failure = isHelp(error) ? await printed(frame, help.text) : error;
  if (failure === undefined) return ExitCode.done;
  const { ReaderGone, formatError } = await import("../output/index.ts");
  if (failure instanceof ReaderGone) return ExitCode.done;
  const known = withOffer(typed(failure, frame), frame.io.argv);
  await frame.finish();
  if (isPluginCall(frame.io.argv) && !frame.io.signal.aborted) {
    return (await import("./usage/nagios.ts")).tellUnknown(frame, known);
  }
  frame.told.write(formatError(known, await frame.errorStyle()));
  if (frame.globals.verbose && known.exit === "unexpected" && failure instanceof Error)
    frame.told.write(`${failure.stack}\n`);
  return known.exitCode;
}

/** Whether Nagios runs the line: it reads failures too from standard output, and has exit codes of its own. */
function isPluginCall(argv: readonly string[]): boolean {
  return argv.includes("usage") && argv.some((word) => /^(-o=?|--output=)?nagios$/.test(word));
}

/** Prints text; what went wrong with that, if anything did. */
async function printed(frame: Frame, text: string): Promise<unknown> {
  try {
    await frame.text(text);
    await frame.flush();
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

function typed(error: unknown, frame: Frame): SolxError {
  if (frame.io.signal.aborted) {
    const reason: unknown = frame.io.signal.reason;
    const known = reason instanceof SolxError ? reason : new InterruptedError();
    // The same, with what is left of the work.
    return error instanceof SolxError && error.exit === known.exit ? error : known;
  }
  if (error instanceof SolxError) return error;
  if (error instanceof CommanderError) return usage(error);
  const text = error instanceof Error ? error.message : String(error);
  return new SolxError("unexpected", `Something went wrong inside solx: ${text}`, {
    hint: "Run it again with -v to see where, and report it.",
    cause: error,
  });
}

/** Commander's complaint as ours: one sentence, and its suggestion as the hint. */
function usage(error: CommanderError): UsageError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.?$/, ".");
  return new UsageError(sentence, { code: "USAGE", hint: suggestion || "Add --help to see what is possible." });
}
