/** Reading a key: with hidden input on a terminal, or from standard input; never from arguments. */
import { on } from "node:events";
import { AuthError, errorMessage, InterruptedError, UsageError } from "../base/index.ts";

/** A terminal that can be read key by key. */
export interface HiddenInput extends NodeJS.ReadableStream {
  readonly isRaw?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** The maximum length of a key on standard input, in characters. */
const MAX_LENGTH = 4096;
/** The default timeout for a key on standard input, in milliseconds. */
const PIPE_TIMEOUT = 30_000;

const interruption = ({ reason }: AbortSignal) => new InterruptedError(undefined, { cause: reason });

/**
 * Prompts on a terminal and reads a line without echo.
 * @throws InterruptedError on Ctrl-C and when the signal fires; the mode of the terminal is restored
 */
export async function promptHidden(
  question: string,
  input: HiddenInput,
  output: NodeJS.WritableStream,
  signal?: AbortSignal,
): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([import("node:readline"), import("node:stream")]);
  if (signal?.aborted) throw interruption(signal);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the prompt: input that is typed in normal mode would be echoed.
  const editor = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  output.write(question);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Pasted keys may start with a blank line: others of the same chunk come before it.
  editor.on("line", (line) => (line === "" ? setImmediate(resolve, line) : resolve(line)));
  editor.on("SIGINT", () => reject(new InterruptedError()));
  editor.on("close", () => resolve(editor.line));
  const onAbort = () => signal && reject(interruption(signal));
  signal?.addEventListener("abort", onAbort);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    editor.close();
    output.write("\n");
  }
}

/**
 * Reads up to the first line break, the end of the input, or a number of characters, and returns what was read. The input
 * stays open.
 * @throws the error of the input, and an AbortError when the signal fires
 */
export async function readLine(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
  max = Number.POSITIVE_INFINITY,
): Promise<string> {
  let text = "";
  try {
    const chunks = on(input, "data", { close: ["end"], signal });
    input.resume();
    for await (const [chunk] of chunks) {
      text += String(chunk);
      if (/[\r\n]/.test(text) || text.length > max) break;
    }
    return text;
  } finally {
    input.pause();
  }
}

/** Limits for reading a key. */
export interface PipeLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly limit?: number;
  /** What is read, and the command that reads it, for messages (default: an API key). */
  readonly secret?: { readonly noun: string; readonly command: string };
}

const API_KEY = { noun: "key", command: "solx auth login" };

/**
 * Returns the first line of standard input, without byte order mark and surrounding blanks.
 * @throws AuthError when it is empty, too long, or does not arrive in time
 */
export async function readPipedKey(
  input: NodeJS.ReadableStream,
  { signal, limit = PIPE_TIMEOUT, secret: { noun, command } = API_KEY }: PipeLimits = {},
): Promise<string> {
  const pipeError = (message: string) =>
    new AuthError(message, { code: "NO_KEY", hint: `Try: printf %s "$${noun.toUpperCase()}" | ${command}` });
  const expiry = AbortSignal.timeout(limit);
  const ending = signal ? AbortSignal.any([signal, expiry]) : expiry;
  const text = await readLine(input, ending, MAX_LENGTH).catch((cause: unknown) => {
    if (signal?.aborted) throw interruption(signal);
    if (expiry.aborted) throw pipeError(`No ${noun} was received on standard input within ${limit / 1000} seconds.`);
    throw new UsageError(`Standard input cannot be read: ${errorMessage(cause)}.`, { cause });
  });
  const [line = ""] = text.split("\n");
  if (line.length > MAX_LENGTH)
    throw pipeError(`The first line of standard input is longer than 4 KiB, which is no ${noun}.`);
  const key = line.trim();
  if (key === "") throw pipeError(`Standard input contains no ${noun}.`);
  return key;
}
