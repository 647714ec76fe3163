/**
 * `--jq`: real jq, run on what `-o json` would print (for rows: on all of them, read to the end). Results come one per
 * line: strings as they are, everything else as JSON, indented on a terminal.
 */
import { SolxError, UsageError } from "../../base/errors.ts";
import { type Json, parseJson, stringifyJson } from "../../base/json.ts";
import { formatJson } from "../formats/json.ts";
import { safeLines } from "../text/safe.ts";
import type { OutputOptions, Sink } from "../types.ts";
import { type JqRun, runJq } from "./engine.ts";
import { createLiteralRestorer } from "./literals.ts";

/** The exit code of jq when a program does not compile. */
const COMPILE_ERROR = 3;
/** Lines that say nothing in one sentence: blank ones, carets below the program, the count of errors. */
const NOISE = /^\s*\^*\s*$|^jq: \d+ compile errors?$/;
/** Halves of surrogate pairs, as JSON writes them; jq refuses them. */
const LONE_SURROGATE = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Compiles a jq program without running it, so that a wrong one costs no request.
 * @throws UsageError in jq's own words when it is wrong.
 */
export async function compileProgram(program: string, signal?: AbortSignal): Promise<void> {
  const { stderr, exitCode } = await executeJq("", program, signal);
  if (exitCode !== 0) throw jqError(stderr, exitCode);
}

/**
 * Runs a jq program on a value and writes its results.
 * @returns the number of results.
 * @throws UsageError in jq's own words when the program is wrong or fails; what it printed before is written first.
 * @throws the reason of the signal when it fires.
 */
export async function writeJq(value: Json, program: string, options: OutputOptions, sink: Sink): Promise<number> {
  const input = toJqInput(value);
  const { stdout, stderr, exitCode } = await executeJq(input, program, options.signal);
  const restore = createLiteralRestorer(input);
  const results = stdout.split("\n").filter((line) => line !== "");
  const indent = options.tty && options.format === "json" ? 2 : undefined;
  const lines = results.map((line) => `${formatResult(parseJson(restore(line)), options.tty, indent)}\n`);
  await sink.write(lines.join(""));
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return results.length;
}

/** A value as JSON that jq reads. */
export function toJqInput(value: Json): string {
  return stringifyJson(value).replace(LONE_SURROGATE, "\\ufffd");
}

/**
 * Runs jq.
 * @throws SolxError when it breaks down, and the reason of the signal when it fires.
 */
export async function executeJq(json: string, program: string, signal: AbortSignal | undefined): Promise<JqRun> {
  try {
    return await runJq({ json, program }, signal);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new SolxError("unexpected", "jq broke down.", {
      cause,
      hint: "Use -o json and a jq of your own.",
    });
  }
}

function formatResult(result: Json, tty: boolean, indent: number | undefined): string {
  if (typeof result !== "string") return formatJson(result, indent);
  return tty ? safeLines(result) : result;
}

/** jq's complaint without its command-line trimmings. */
export function jqError(stderr: string, exitCode: number): UsageError {
  const lines = stderr.split("\n").filter((line) => !NOISE.test(line));
  const message = lines
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/^jq: error(?: \(at [^)]*\))?:?\s*/, "");
  const hint =
    exitCode === COMPILE_ERROR
      ? "Quote the jq program for the shell: --jq '.[].name'"
      : "The program runs on what -o json prints.";
  return new UsageError(`jq: ${message || `stopped with code ${exitCode}`}`, { hint });
}
