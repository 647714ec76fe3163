/** A stream as a sink: waits for slow readers, and distinguishes a closed pipe from a failure. */
import { unwritableError } from "../../base/index.ts";
import type { Sink } from "../types.ts";

/** The reader closed the pipe (`| head`): not a failure, but nothing more needs to be fetched or written. */
export class PipeClosed extends Error {
  constructor() {
    super("The reader closed the pipe.");
    this.name = "ReaderGone";
  }
}

/** A sink over a stream. */
export interface StreamSink extends Sink {
  /** Waits until everything has left the process. */
  flush(signal?: AbortSignal): Promise<void>;
}

const CLOSED_CODES: ReadonlySet<string> = new Set([
  "EPIPE",
  "ECONNRESET",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

const sinks = new WeakMap<NodeJS.WritableStream, StreamSink>();

/** Returns the sink of a stream; each stream has one, which listens to it from then on. */
export function getStreamSink(stream: NodeJS.WritableStream): StreamSink {
  const sink = sinks.get(stream) ?? createStreamSink(stream);
  sinks.set(stream, sink);
  return sink;
}

function createStreamSink(stream: NodeJS.WritableStream): StreamSink {
  let failure: Error | undefined;
  const waiting = new Set<(error?: Error) => void>();
  const settle = (error?: Error) => {
    for (const done of waiting) done(error);
    waiting.clear();
  };
  const fail = (error: Error) => {
    failure ??= toWriteFailure(error);
    settle(failure);
  };
  stream.on("error", fail);
  stream.on("close", () => fail(new PipeClosed()));
  stream.on("drain", () => settle());

  const wait = (start: (done: (error?: Error) => void) => void, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => done(signal?.reason as Error);
      const done = (error?: Error) => {
        waiting.delete(done);
        signal?.removeEventListener("abort", abort);
        if (error) reject(error);
        else resolve();
      };
      signal?.addEventListener("abort", abort);
      waiting.add(done);
      start(done);
    });

  return {
    async write(chunk, signal) {
      if (failure) throw failure;
      for (const part of splitText(chunk)) {
        if (!stream.write(part)) await wait(() => {}, signal);
        if (failure) throw failure;
      }
    },
    async flush(signal) {
      if (failure) throw failure;
      await wait((done) => stream.write("", (error) => done(error ? toWriteFailure(error) : undefined)), signal);
    },
  };
}

/** Characters that are encoded at once. */
const MAX_PART = 1_048_576;

/** Splits a large text, so that it is not in memory as bytes, too. */
function* splitText(chunk: string | Uint8Array): Generator<string | Uint8Array> {
  if (typeof chunk !== "string" || chunk.length <= MAX_PART) {
    if (chunk.length > 0) yield chunk;
    return;
  }
  for (let start = 0; start < chunk.length; ) {
    const end = Math.min(start + MAX_PART, chunk.length);
    // Two surrogates are one character.
    const isCut = end < chunk.length && (chunk.codePointAt(end - 1) ?? 0) > 0xffff;
    const next = isCut ? end + 1 : end;
    yield chunk.slice(start, next);
    start = next;
  }
}

/** Returns the error for standard output that failed; {@link PipeClosed} where its reader is gone. */
export function toWriteFailure(error: Error): Error {
  if (error instanceof PipeClosed) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return CLOSED_CODES.has(code) ? new PipeClosed() : unwritableError("The output", error);
}
