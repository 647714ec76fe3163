/**
 * `--jq`: real jq, run on what `-o json` would print (on all rows of a list). Results are printed one per line: strings
 * as they are, everything else as JSON, indented on a terminal.
 */

import { Worker } from "node:worker_threads";
import {
  CheckError,
  type Json,
  MAX_RECEIVED_BYTES,
  parseJson,
  SolxError,
  scriptBeside,
  stringifyJson,
  threadOf,
  UsageError,
} from "../../base/index.ts";
import type { WriteContext } from "../formats/context.ts";
import { formatJson } from "../formats/json.ts";
import { safeLines } from "../text/safe.ts";
import type { OutputOptions } from "../types.ts";

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
export async function writeJq(
  value: Json,
  program: string,
  { options, sink, notes }: Pick<WriteContext, "options" | "sink" | "notes">,
): Promise<number> {
  const input = toJqInput(value);
  const { stdout, stderr, exitCode } = await executeJq(input, program, options.signal, options.jqTimeout);
  const [literals, typed] = [readLiterals(input), readLiterals(program)];
  const results = stdout.split("\n").filter((line) => line !== "");
  let hasLargeResult = false;
  const restored = results.map((line) =>
    restoreLiterals(literals, line, (number) => {
      hasLargeResult ||= isLarge(number) && !typed.has(normalize(number));
    }),
  );
  const isRounded = async () => {
    if (!mayRoundOperands([literals, typed], program)) return false;
    return (
      hasLarge(typed) || !(await passesLargeNumbers(program, { input, literals, lines: restored, exitCode, options }))
    );
  };
  if (hasLargeResult || (await isRounded())) {
    const text = "jq calculates with 53 bits: results with whole numbers beyond 9,007,199,254,740,992 may be rounded";
    if (options.isExact) throw new CheckError(`${text}.`, { code: "JQ_ROUNDED", hint: ROUNDED_HINT });
    notes.push(`${text}. ${ROUNDED_HINT}`);
  }
  const indent = options.isTerminal && options.format === "json" ? 2 : undefined;
  const lines = restored.map((line) => `${formatResult(parseJson(line), options.isTerminal, indent)}\n`);
  await sink.write(lines.join(""));
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return results.length;
}

const ROUNDED_HINT = "To calculate exactly, use a program with integers of any size on -o json.";

const isLarge = (number: string) => Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER;

/** Arithmetic: its results can be small although its operands were rounded. A minus sign follows an operand. */
const ARITHMETIC = /(?<!\d[eE])(?:[+%*]|(?<!\/)\/(?!\/)|(?<=[\w)\]}"?.]\s*)-)|\badd\b/;

/** Whether a program that calculates has large numbers, in its input or itself. */
function mayRoundOperands(numbers: readonly Literals[], program: string): boolean {
  return ARITHMETIC.test(program.replace(/"(?:[^"\\]|\\.)*"/g, '""')) && numbers.some(hasLarge);
}

const hasLarge = (literals: Literals): boolean => [...literals.values()].some((same) => [...same].some(isLarge));

/** A text that stands for a number: no text of the chain has these characters. They are sorted like the numbers. */
const PLACEHOLDER = /\u{10FFFE}(\d{12})\u{10FFFF}/gu;
const PLACES = 12;

/** What a program made of an input. */
interface JqOutcome {
  readonly input: string;
  readonly literals: Literals;
  readonly lines: readonly string[];
  readonly exitCode: number;
  readonly options: OutputOptions;
}

/**
 * Whether a program has the same results where texts replace the large numbers of its input: then it only passes them
 * on, or compares them with small ones, and calculates with other numbers.
 */
async function passesLargeNumbers(program: string, { input, literals, lines, exitCode, options }: JqOutcome) {
  const large = [...literals.values()].flatMap((same) => [...same]).filter(isLarge);
  const numbers = large.toSorted((a, b) => Number(BigInt(Number(a)) - BigInt(Number(b))));
  const places = new Map(
    numbers.map((number, at) => [number, `\u{10FFFE}${String(at).padStart(PLACES, "0")}\u{10FFFF}`]),
  );
  const replaced = input.replace(TOKEN, (token, number?: string) => {
    const place = number === undefined ? undefined : places.get(number);
    return place === undefined ? token : `"${place}"`;
  });
  const run = await executeJq(replaced, program, options.signal, options.jqTimeout).catch(() => undefined);
  options.signal?.throwIfAborted();
  if (run?.exitCode !== exitCode) return false;
  const results = run.stdout.split("\n").filter((line) => line !== "");
  const restore = (line: string) =>
    restoreLiterals(literals, line).replace(PLACEHOLDER, (_, at: string) => numbers[Number(at)] ?? "");
  // A number and its text are equal here.
  const withoutQuotes = (line: string) => line.replace(/"(-?\d[\d.eE+-]*)"/g, "$1");
  return results.map(restore).map(withoutQuotes).join("\n") === lines.map(withoutQuotes).join("\n");
}

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

function formatResult(result: Json, isTerminal: boolean, indent: number | undefined): string {
  if (typeof result !== "string") return formatJson(result, indent);
  return isTerminal ? safeLines(result) : result;
}

/** The result of a condition for a row; a string is the error of jq. */
type ConditionResult = boolean | string;

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

function jqError(stderr: string, exitCode: number): UsageError {
  const lines = stderr.split("\n").filter((line) => !NOISE.test(line));
  const message = lines
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/^jq: error(?: \(at [^)]*\))?:?\s*/, "");
  const hint =
    exitCode === COMPILE_ERROR
      ? "Quote the jq program for the shell, as in '.[].name'."
      : "The program runs on the output of -o json.";
  return new UsageError(`jq: ${message || `stopped with code ${exitCode}`}`, { hint });
}

/** A request to jq: a program, and the JSON text to run it on. Without text, it is only compiled. */
export interface JqRequest {
  readonly json: string;
  readonly program: string;
}

/** What the thread of jq is given. */
export interface JqWork extends JqRequest {
  /** Bytes of results. */
  readonly mostBytes: number;
  /** The exit code of a thread whose results are more. */
  readonly exhausted: number;
}

const LIMITS = { mostBytes: MAX_RECEIVED_BYTES, exhausted: 71 } as const;

interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Runs a jq program on JSON text; results come one per line, as compact JSON. The engine has its own thread: WebAssembly
 * blocks until it is done, so that an endless program can only be stopped from another thread.
 * @throws the reason of the signal when it fires; UsageError when the program needs more memory than the engine has, or
 * nests too deeply; another error of the engine when it crashes
 */
async function runJq(request: JqRequest, signal?: AbortSignal): Promise<JqRun> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<JqRun>();
  // Messages of the engine are not part of the output, and options of this process do not apply to the thread.
  const [code, options] = threadOf(scriptBeside(import.meta.url, "jq-worker"));
  const worker = new Worker(code, {
    ...options,
    workerData: { ...request, ...LIMITS },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.once("message", resolve);
  worker.once("error", (error) => reject(exhaustionError(error) ?? error));
  worker.once("exit", (code) =>
    reject(code === LIMITS.exhausted ? memoryError() : new Error(`The jq engine stopped with code ${code}.`)),
  );
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

/** The messages of an engine at its limits, of WebAssembly and of the thread. */
const EXHAUSTED = {
  JQ_DEPTH: /memory access out of bounds|call stack|recursion/i,
  JQ_MEMORY: /^Aborted\(|out of memory|memory limit|Invalid string length|Array buffer allocation|could not allocate/i,
} as const;

/** Returns the error of a program that exceeds the limits of the engine; undefined for other failures. */
function exhaustionError(cause: Error): UsageError | undefined {
  if (EXHAUSTED.JQ_DEPTH.test(cause.message)) {
    const message = "jq: values or calls are nested too deeply";
    return new UsageError(message, { code: "JQ_DEPTH", hint: EXHAUSTED_HINT, cause });
  }
  return EXHAUSTED.JQ_MEMORY.test(cause.message) ? memoryError(cause) : undefined;
}

const memoryError = (cause?: Error) =>
  new UsageError("jq: out of memory", { code: "JQ_MEMORY", hint: EXHAUSTED_HINT, cause });

const EXHAUSTED_HINT = "Check the program for endless recursion. To use an installed jq, pipe -o json to it.";

/** JSON strings, which are skipped, and numbers. */
const TOKEN = /"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Literals of numbers by their value, see {@link normalize}. */
type Literals = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the numbers of JSON text, or of a program. */
export function readLiterals(text: string): Literals {
  const literals = new Map<string, Set<string>>();
  for (const [, literal] of text.matchAll(TOKEN)) {
    if (literal === undefined) continue;
    const value = normalize(literal);
    const same = literals.get(value) ?? new Set();
    literals.set(value, same.add(literal));
  }
  return literals;
}

/**
 * Restores the literals of the input in the output of jq, where they are unambiguous: jq preserves the value of a number
 * that a program does not change, but writes it differently (`1e-19` as `1E-19`).
 * @param onComputed called with each number that the input does not have
 */
export function restoreLiterals(literals: Literals, output: string, onComputed?: (number: string) => void): string {
  return output.replace(TOKEN, (token, number?: string) => {
    if (number === undefined) return token;
    const same = literals.get(normalize(number));
    if (same === undefined) onComputed?.(number);
    return restoreLiteral(number, same);
  });
}

/**
 * Returns the literal for a number of jq. Literals of the same value differ in zeros and exponents: the one that jq would
 * write like this has precedence; a computed number in exponent form is matched by its value alone.
 */
function restoreLiteral(number: string, same: ReadonlySet<string> | undefined): string {
  if (!same) return number;
  const [written, ...others] = [...same].filter((literal) => formatLikeJq(literal) === number);
  if (written !== undefined) return others.length === 0 ? written : number;
  const [literal] = same;
  return literal !== undefined && same.size === 1 && /e/i.test(number) ? literal : number;
}

/** Returns the value of a number as text: digits without zeros at the ends, and a power of ten. */
function normalize(number: string): string {
  const { sign, digits, exponent } = parseNumber(number);
  const trimmed = digits.replace(/0+$/, "");
  return trimmed === "" ? `${sign}0` : `${sign}${trimmed}e${exponent + BigInt(digits.length - trimmed.length)}`;
}

function parseNumber(number: string): { sign: string; digits: string; exponent: bigint } {
  const [, sign = "", whole = "", fraction = "", power = "0"] = NUMBER.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  return { sign, digits, exponent: BigInt(power) - BigInt(fraction.length) };
}

/** The exponent below which numbers are written with one. */
const MIN_PLAIN_EXPONENT = -6n;

/** Formats a literal like jq: in the scientific form of the General Decimal Arithmetic Specification. */
function formatLikeJq(literal: string): string {
  const { sign, digits, exponent } = parseNumber(literal);
  const leading = exponent + BigInt(digits.length - 1);
  if (exponent <= 0n && leading >= MIN_PLAIN_EXPONENT) {
    if (exponent === 0n) return sign + digits;
    const places = Number(-exponent);
    const padded = digits.padStart(places + 1, "0");
    return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits.slice(0, 1)}${fraction}E${leading < 0n ? "" : "+"}${leading}`;
}
