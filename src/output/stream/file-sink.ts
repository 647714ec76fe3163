/** A file as a sink: written in large chunks, with all bytes counted, so that a later run can resume after any of them. */
import { type FileHandle, open } from "node:fs/promises";
import type { Sink } from "../types.ts";
import { writeFailure } from "./stream-sink.ts";

/** A sink that appends to a file. */
export interface FileSink extends Sink {
  /** The size of the file once everything is written that was passed to the sink. */
  readonly bytes: number;
  /** The number of bytes that are in the file, also after a failure. */
  readonly written: number;
  /**
   * Returns the size of the file after everything that was passed to the sink, where a later run can continue;
   * undefined when it cannot yet continue there.
   */
  mark(): Promise<number | undefined>;
  /** Waits until everything that was passed to the sink is on the disk. */
  sync(): Promise<void>;
  /** Closes the file and drops what is not written yet. */
  close(): Promise<void>;
}

/** The number of bytes that are collected before they are written. */
const CHUNK_SIZE = 262_144;

/**
 * Creates a file.
 * @throws the error of the file system (`EEXIST`, `ENOENT`, `EACCES` …)
 */
export async function createFile(path: string): Promise<FileSink> {
  return fileSink(await open(path, "wx"), path, 0);
}

/**
 * Opens a file for appending after a number of bytes; the rest is dropped.
 * @throws the error of the file system
 */
export async function reopenFile(path: string, bytes: number): Promise<FileSink> {
  const handle = await open(path, "r+");
  try {
    await handle.truncate(bytes);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return fileSink(handle, path, bytes);
}

function fileSink(handle: FileHandle, path: string, start: number): FileSink {
  let [pending, pendingBytes]: [(string | Uint8Array)[], number] = [[], 0];
  /** One buffer for all writes: a new one for each would accumulate. */
  let buffer = Buffer.alloc(0);
  let [bytes, written, synced] = [start, start, start];
  let failure: Error | undefined;
  const enqueue = createQueue();

  const drain = async () => {
    if (failure) throw failure;
    const size = pendingBytes;
    if (buffer.length < size) buffer = Buffer.allocUnsafeSlow(size);
    let end = 0;
    for (const piece of pending) end += copyInto(buffer, piece, end);
    [pending, pendingBytes] = [[], 0];
    try {
      for (let at = 0; at < size; ) {
        const { bytesWritten } = await handle.write(buffer, at, size - at, written);
        at += bytesWritten;
        written += bytesWritten;
      }
    } catch (error) {
      failure = writeFailure(error as Error, path);
      throw failure;
    }
  };

  return {
    get bytes() {
      return bytes;
    },
    get written() {
      return written;
    },
    async write(chunk) {
      if (failure) throw failure;
      const size = Buffer.byteLength(chunk);
      pending.push(chunk);
      pendingBytes += size;
      bytes += size;
      if (pendingBytes >= CHUNK_SIZE) await enqueue(drain);
    },
    mark: async () => bytes,
    sync: () =>
      enqueue(async () => {
        await drain();
        await handle.sync().catch((error: Error) => {
          failure = writeFailure(error, path);
          // It is unknown which of the later bytes are lost.
          written = synced;
          throw failure;
        });
        synced = written;
      }),
    close: () => enqueue(() => handle.close()),
  };
}

/** Returns a function that runs operations one after the other, also after a failed one. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Copies a text as UTF-8, or bytes, into a buffer and returns their size. */
function copyInto(buffer: Buffer, piece: string | Uint8Array, at: number): number {
  if (typeof piece === "string") return buffer.write(piece, at);
  buffer.set(piece, at);
  return piece.length;
}
