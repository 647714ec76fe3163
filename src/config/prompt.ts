/** Asking for a key: hidden at a terminal, or from standard input. It never comes from the command's arguments. */

import { StringDecoder } from "node:string_decoder";
import { errorMessage } from "../base/error-message.ts";
import { InterruptedError, UsageError } from "../base/errors.ts";

/** A terminal that can be read key by key. */
export interface HiddenInput extends NodeJS.ReadableStream {
  readonly isRaw?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** Bytes of standard input that may hold a key. */
const MAX_BYTES = 4096;
/** Milliseconds to wait for a key on standard input. */
const PIPE_TIMEOUT = 30_000;

/** What has been typed so far. `escape` tells how far into an escape sequence the input is. */
export interface TypedInput {
  readonly text: string;
  readonly escape: "" | "start" | "sequence";
  readonly end: "" | "entered" | "interrupted";
}

/** Nothing typed yet. */
export const NOTHING_TYPED: TypedInput = { text: "", escape: "", end: "" };

/**
 * Takes up what a terminal in raw mode sent. Backspace, Ctrl-U, Ctrl-C, Ctrl-D and Enter do what they do elsewhere;
 * escape sequences (arrows, marks of pasted text) are dropped; blank lines before a pasted key are skipped.
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
 * Asks at a terminal and shows nothing of what is typed.
 * @throws InterruptedError on Ctrl-C and when the signal fires; the terminal is then as it was before.
 */
export function promptHidden(
  question: string,
  input: HiddenInput,
  output: NodeJS.WritableStream,
  signal?: AbortSignal,
): Promise<string> {
  if (signal?.aborted) return Promise.reject(new InterruptedError(undefined, { cause: signal.reason }));
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder("utf8");
    const wasRaw = input.isRaw ?? false;
    let typed = NOTHING_TYPED;
    const finish = (settle: () => void) => {
      input.off("data", onData).off("end", onEnd).off("error", onError);
      signal?.removeEventListener("abort", onAbort);
      input.setRawMode?.(wasRaw);
      input.pause();
      output.write("\n");
      settle();
    };
    const onData = (chunk: Buffer | string) => {
      typed = handleChunk(typed, typeof chunk === "string" ? chunk : decoder.write(chunk));
      if (typed.end === "interrupted") finish(() => reject(new InterruptedError()));
      if (typed.end === "entered") finish(() => resolve(typed.text));
    };
    const onEnd = () => finish(() => resolve(typed.text));
    const onError = (cause: unknown) => finish(() => reject(readError(cause)));
    const onAbort = () => finish(() => reject(new InterruptedError(undefined, { cause: signal?.reason })));
    signal?.addEventListener("abort", onAbort, { once: true });
    // First of all: who is asked may type at once, and what is typed before would be shown.
    input.setRawMode?.(true);
    output.write(question);
    input.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

/** Limits of reading a key. */
export interface PipeLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly limit?: number;
}

/**
 * The first line of standard input, without a byte order mark and blanks around it.
 * @throws UsageError when it is empty, too long, or does not come in time.
 */
export async function readPipedKey(input: NodeJS.ReadableStream, { signal, limit = PIPE_TIMEOUT }: PipeLimits = {}) {
  const expiry = AbortSignal.timeout(limit);
  const bytes = await readFirstLine(input, signal ? AbortSignal.any([signal, expiry]) : expiry).catch(
    (error: unknown) => {
      if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
      if (expiry.aborted) throw pipeError(`No key came on standard input within ${limit / 1000} seconds.`);
      throw error;
    },
  );
  if (bytes.length > MAX_BYTES) throw pipeError("Standard input holds more than a key: its first line is over 4 KiB.");
  const key = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  if (key === "") throw pipeError("No key came on standard input.");
  return key;
}

function readFirstLine(input: NodeJS.ReadableStream, stop: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      input.off("data", onData).off("end", onEnd).off("error", onError);
      stop.removeEventListener("abort", onAbort);
      input.pause();
      settle();
    };
    const onData = (chunk: Buffer | string) => {
      bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
      const end = bytes.indexOf("\n");
      if (end >= 0 || bytes.length > MAX_BYTES) finish(() => resolve(end < 0 ? bytes : bytes.subarray(0, end)));
    };
    const onEnd = () => finish(() => resolve(bytes));
    const onError = (cause: unknown) => finish(() => reject(readError(cause)));
    const onAbort = () => finish(() => reject(stop.reason));
    if (stop.aborted) return reject(stop.reason);
    stop.addEventListener("abort", onAbort, { once: true });
    input.on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

function pipeError(message: string): UsageError {
  return new UsageError(message, { code: "NO_KEY", hint: 'Try: printf %s "$KEY" | solx auth login' });
}

function readError(cause: unknown): UsageError {
  const text = errorMessage(cause);
  return new UsageError(`Standard input cannot be read: ${text}.`, { cause });
}
