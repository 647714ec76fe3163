/** Reading a key: with hidden input on a terminal, or from standard input; never from arguments. */
import { StringDecoder } from "node:string_decoder";
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

/** The state of the input. `escape` is the progress inside an escape sequence. */
export interface TypedInput {
  readonly text: string;
  readonly escape: "" | "start" | "sequence";
  readonly end: "" | "entered" | "interrupted";
}

/** The state before anything is typed. */
export const NOTHING_TYPED: TypedInput = { text: "", escape: "", end: "" };

/**
 * Returns the state after input of a terminal in raw mode. Backspace, Ctrl-U, Ctrl-C, Ctrl-D and Enter work as usual;
 * escape sequences (arrows, bracketed paste) are dropped; blank lines before a pasted key are skipped.
 */
export function handleChunk(typed: TypedInput, chunk: string): TypedInput {
  let state = typed;
  const characters = [...chunk];
  for (const [index, character] of characters.entries()) {
    if (state.end !== "") return state;
    const more = index < characters.length - 1;
    state = state.escape === "" ? handleCharacter(state, character, more) : handleEscape(state, character);
  }
  return state;
}

function handleCharacter(state: TypedInput, character: string, more: boolean): TypedInput {
  switch (character) {
    case "\u0003":
      return { ...state, end: "interrupted" };
    case "\r":
    case "\n":
      return state.text === "" && more ? state : { ...state, end: "entered" };
    case "\u0004":
      return { ...state, end: "entered" };
    case "\b":
    case "\u007f":
      return { ...state, text: [...state.text].slice(0, -1).join("") };
    case "\u0015":
      return { ...state, text: "" };
    case "\u001b":
      return { ...state, escape: "start" };
    default:
      if (character < " " && character !== "\t") return state;
      return state.text.length <= MAX_BYTES ? { ...state, text: state.text + character } : state;
  }
}

function handleEscape(state: TypedInput, character: string): TypedInput {
  if (state.escape === "start" && (character === "[" || character === "O")) return { ...state, escape: "sequence" };
  const last = state.escape === "start" || (character >= "@" && character <= "~");
  return last ? { ...state, escape: "" } : state;
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
  const decoder = new StringDecoder("utf8");
  const wasRaw = input.isRaw ?? false;
  let state = NOTHING_TYPED;
  const onChunk = (chunk: Buffer | string) => {
    state = handleChunk(state, typeof chunk === "string" ? chunk : decoder.write(chunk));
    return state.end !== "";
  };
  // Before the prompt: input that is typed in normal mode would be echoed.
  input.setRawMode?.(true);
  output.write(question);
  try {
    await readUntil(input, onChunk, signal);
  } finally {
    input.setRawMode?.(wasRaw);
    output.write("\n");
  }
  if (state.end === "interrupted") throw new InterruptedError();
  return state.text;
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
