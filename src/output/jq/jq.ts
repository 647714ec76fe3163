/**
 * `--jq`: real jq, run on what `-o json` would print (on all rows of a list). Results are printed one per line: strings
 * as they are, everything else as JSON, indented on a terminal.
 */
import { type Json, parseJson, SolxError, stringifyJson, UsageError } from "../../base/index.ts";
import { formatJson } from "../formats/json.ts";
import { safeLines } from "../text/safe.ts";
import type { OutputOptions, Sink } from "../types.ts";
import { type JqRun, runJq } from "./engine.ts";
import { createLiteralRestorer } from "./literals.ts";

/** The exit code of jq when a program does not compile. */
const COMPILE_ERROR = 3;
/** Lines that are left out of messages: blank ones, carets below the program, the count of errors. */
const NOISE = /^\s*\^*\s*$|^jq: \d+ compile errors?$/;
/** Lone surrogates, as JSON writes them; jq refuses them. */
const LONE_SURROGATE = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Compiles a jq program without running it, so that an invalid one costs no request.
 * @throws UsageError with the message of jq when it is invalid
 */
export async function compileProgram(program: string, signal?: AbortSignal): Promise<void> {
  const { stderr, exitCode } = await executeJq("", program, signal);
  if (exitCode !== 0) throw jqError(stderr, exitCode);
}

/**
 * Runs a jq program on a value, writes its results and returns their number.
 * @throws UsageError with the message of jq when the program is invalid or fails; results before that are written
 * @throws the reason of the signal when it fires
 */
export async function writeJq(value: Json, program: string, options: OutputOptions, sink: Sink): Promise<number> {
  const input = toJqInput(value);
  const { stdout, stderr, exitCode } = await executeJq(input, program, options.signal, options.jqTimeout);
  const restore = createLiteralRestorer(input);
  const results = stdout.split("\n").filter((line) => line !== "");
  const indent = options.tty && options.format === "json" ? 2 : undefined;
  const lines = results.map((line) => `${formatResult(parseJson(restore(line)), options.tty, indent)}\n`);
  await sink.write(lines.join(""));
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return results.length;
}

/** Returns a value as JSON that jq accepts. */
function toJqInput(value: Json): string {
  return stringifyJson(value).replace(LONE_SURROGATE, "\\ufffd");
}

/**
 * Runs jq.
 * @param timeout seconds after which the program is stopped
 * @throws UsageError when it runs out of time, memory or depth; SolxError when it crashes; the reason of the signal when
 * it fires
 */
export async function executeJq(
  json: string,
  program: string,
  signal: AbortSignal | undefined,
  timeout?: number,
): Promise<JqRun> {
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000);
  const signals = [signal, deadline].filter((one) => one !== undefined);
  try {
    return await runJq({ json, program }, AbortSignal.any(signals));
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (deadline?.aborted) throw timeoutError(timeout);
    if (cause instanceof UsageError) throw cause;
    throw new SolxError("unexpected", "The built-in jq crashed.", {
      cause,
      hint: "Pipe -o json to an installed jq.",
    });
  }
}

function timeoutError(seconds: number | undefined): UsageError {
  return new UsageError(`jq: the program did not end within ${seconds} s`, {
    code: "JQ_TIMEOUT",
    hint: "Check the program for endless loops, or allow more time: solx config set timeout jq=<seconds>",
  });
}

function formatResult(result: Json, tty: boolean, indent: number | undefined): string {
  if (typeof result !== "string") return formatJson(result, indent);
  return tty ? safeLines(result) : result;
}

/** The result of a condition for a row; a string is the error of jq. */
export type ConditionResult = boolean | string;

/** Returns a program with the result of a condition for each row: whether any of its outputs is true. */
const conditionProgram = (condition: string) => `map(try ([${condition}\n] | any) catch tostring)`;

/**
 * Evaluates a condition such as `.amount > 1000` on rows, in their order.
 * @throws UsageError when jq fails as a whole or exceeds its limits, and the reason of the signal when it fires
 */
export async function evaluateCondition(
  rows: readonly Json[],
  condition: string,
  { signal, jqTimeout }: Pick<OutputOptions, "signal" | "jqTimeout"> = {},
): Promise<ConditionResult[]> {
  if (rows.length === 0) return [];
  const { stdout, stderr, exitCode } = await executeJq(toJqInput(rows), conditionProgram(condition), signal, jqTimeout);
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return parseJson(stdout) as ConditionResult[];
}

/** Returns the message of jq as an error. */
function jqError(stderr: string, exitCode: number): UsageError {
  const lines = stderr.split("\n").filter((line) => !NOISE.test(line));
  const message = lines
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/^jq: error(?: \(at [^)]*\))?:?\s*/, "");
  const hint =
    exitCode === COMPILE_ERROR
      ? "Quote the jq program for the shell: --jq '.[].name'"
      : "The program runs on the output of -o json.";
  return new UsageError(`jq: ${message || `stopped with code ${exitCode}`}`, { hint });
}
