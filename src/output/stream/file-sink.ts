/** A file as a sink, plain or compressed: all bytes are counted, so that a later run can resume after any of them. */
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { unwritableError } from "../../base/index.ts";
import type { Sink } from "../types.ts";

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
      failure = unwritableError(path, error);
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
          failure = unwritableError(path, error);
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
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
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

const compress = promisify(gzip);

/** The size of the text in a member at least, as long as rows arrive quickly: smaller members compress worse. */
const MIN_MEMBER = 131_072;
/** The size at which a member ends in any case, so that little is held in memory. */
const MAX_MEMBER = 1_048_576;
/** The time in milliseconds after which a member ends before it has its size: what it holds is lost in a failure. */
const MAX_AGE_MS = 1000;

/**
 * Returns a sink that appends what is written to a file, compressed in gzip members, which readers decompress one after the
 * other as one text. A later run resumes between two members: it truncates the file there and appends others.
 */
export function gzipSink(file: FileSink): FileSink {
  let [pending, size]: [(string | Uint8Array)[], number] = [[], 0];
  let startedAt = performance.now();
  const enqueue = createQueue();
  const endMember = async () => {
    // A file without any member is not a gzip file.
    if (size === 0 && file.bytes > 0) return;
    const text = Buffer.concat(pending.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
    [pending, size] = [[], 0];
    startedAt = performance.now();
    await file.write(await compress(text));
  };
  return {
    get bytes() {
      return file.bytes;
    },
    get written() {
      return file.written;
    },
    write: (chunk) => {
      pending.push(chunk);
      size += Buffer.byteLength(chunk);
      return enqueue(async () => {
        if (size >= MAX_MEMBER) await endMember();
      });
    },
    mark: () =>
      enqueue(async () => {
        const isOld = performance.now() - startedAt >= MAX_AGE_MS;
        if (size > 0 && size < MIN_MEMBER && !isOld) return undefined;
        await endMember();
        return file.bytes;
      }),
    sync: () =>
      enqueue(async () => {
        await endMember();
        await file.sync();
      }),
    close: () => enqueue(() => file.close()),
  };
}
