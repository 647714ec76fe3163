/** Reading a key: with hidden input on a terminal, or from standard input; never from arguments. */
import { errorMessage, InterruptedError, UsageError } from "../base/index.ts";

/** A terminal that can be read key by key. */
export interface HiddenInput extends NodeJS.ReadableStream {
  readonly isRaw?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** The maximum length of a key on standard input, in bytes. */
const MAX_BYTES = 4096;
/** The default timeout for a key on standard input, in milliseconds. */
const PIPE_TIMEOUT = 30_000;

/** A line that is typed into a terminal in raw mode. */
interface TypedLine {
  text: string;
  /** A blank line ends the input only when nothing follows it in its chunk: pasted keys may start with one. */
  end: "" | "blank" | "entered" | "interrupted";
}

/** A key as `node:readline` reports it; `text` is undefined for escape sequences: arrows, marks of pasted text. */
interface TypedKey {
  readonly text: string | undefined;
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** Edits the line with a key: Backspace, Ctrl-U, Ctrl-C, Ctrl-D and Enter work as usual, other keys without text do not. */
function typeKey(line: TypedLine, { text = "", name = "", ctrl = false }: TypedKey): void {
  if (line.end === "entered" || line.end === "interrupted") return;
  line.end = "";
  if (ctrl && name === "c") line.end = "interrupted";
  else if (ctrl && name === "d") line.end = "entered";
  else if (ctrl && name === "u") line.text = "";
  else if (name === "return" || name === "enter") line.end = line.text === "" ? "blank" : "entered";
  else if (name === "backspace") line.text = [...line.text].slice(0, -1).join("");
  else if ((text >= " " || text === "\t") && line.text.length <= MAX_BYTES) line.text += text;
}

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
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  const [{ emitKeypressEvents }, { PassThrough }] = await Promise.all([import("node:readline"), import("node:stream")]);
  const line: TypedLine = { text: "", end: "" };
  const keys = new PassThrough();
  emitKeypressEvents(keys);
  keys.on("keypress", (text: string | undefined, key: object) => typeKey(line, { ...key, text }));
  const onChunk = (chunk: Buffer | string) => {
    // Not written, but passed on at once: what a chunk ends is known when it was read.
    keys.emit("data", Buffer.from(chunk));
    return line.end !== "";
  };
  const wasRaw = input.isRaw ?? false;
  // Before the prompt: input that is typed in normal mode would be echoed.
  input.setRawMode?.(true);
  output.write(question);
  try {
    await readUntil(input, onChunk, signal);
  } finally {
    input.setRawMode?.(wasRaw);
    output.write("\n");
  }
  if (line.end === "interrupted") throw new InterruptedError();
  return line.text;
}

/**
 * Reads until a chunk is the last one that is needed, or to the end.
 * @throws InterruptedError when the signal fires; UsageError when the input cannot be read
 */
function readUntil(
  input: NodeJS.ReadableStream,
  isLast: (chunk: Buffer | string) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      input.off("data", onData).off("end", onEnd).off("error", onError);
      signal?.removeEventListener("abort", onAbort);
      input.pause();
      settle();
    };
    const onData = (chunk: Buffer | string) => {
      if (isLast(chunk)) finish(resolve);
    };
    const onEnd = () => finish(resolve);
    const onError = (cause: unknown) =>
      finish(() => reject(new UsageError(`Standard input cannot be read: ${errorMessage(cause)}.`, { cause })));
    const onAbort = () => finish(() => reject(new InterruptedError(undefined, { cause: signal?.reason })));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    input.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

/** Limits for reading a key. */
export interface PipeLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly limit?: number;
}

/**
 * Returns the first line of standard input, without byte order mark and surrounding blanks.
 * @throws UsageError when it is empty, too long, or does not arrive in time
 */
export async function readPipedKey(input: NodeJS.ReadableStream, { signal, limit = PIPE_TIMEOUT }: PipeLimits = {}) {
  const expiry = AbortSignal.timeout(limit);
  let bytes = Buffer.alloc(0);
  const onChunk = (chunk: Buffer | string) => {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    const end = bytes.indexOf("\n");
    const isLast = end >= 0 || bytes.length > MAX_BYTES;
    if (end >= 0) bytes = bytes.subarray(0, end);
    return isLast;
  };
  await readUntil(input, onChunk, signal ? AbortSignal.any([signal, expiry]) : expiry).catch((error: unknown) => {
    if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
    if (expiry.aborted) throw pipeError(`No key was received on standard input within ${limit / 1000} seconds.`);
    throw error;
  });
  if (bytes.length > MAX_BYTES)
    throw pipeError("The first line of standard input is longer than 4 KiB, which is no key.");
  const key = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  if (key === "") throw pipeError("Standard input contains no key.");
  return key;
}

function pipeError(message: string): UsageError {
  return new UsageError(message, { code: "NO_KEY", hint: 'Try: printf %s "$KEY" | solx auth login' });
}
