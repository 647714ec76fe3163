/** A file as a sink: written in large pieces, with every byte counted, so that a later run can go on after any of them. */
import { type FileHandle, open } from "node:fs/promises";
import type { Sink } from "../types.ts";
import { writeFailure } from "./stream-sink.ts";

/** A file that grows. */
export interface FileSink extends Sink {
  /** Bytes of the file once everything handed over so far is there. */
  readonly bytes: number;
  /** Bytes at its beginning that are there, also after a failure. */
  readonly written: number;
  /** Waits until everything handed over so far is on the disk. */
  sync(): Promise<void>;
  /** Gives up what is not written yet, and the file. */
  close(): Promise<void>;
}

/** Bytes that are collected before they are written. */
const CHUNK_SIZE = 262_144;

/**
 * Makes a file that was not there before.
 * @throws what the file system says (`EEXIST`, `ENOENT`, `EACCES` …)
 */
export async function createFile(path: string): Promise<FileSink> {
  return fileSink(await open(path, "wx"), path, 0);
}

/**
 * Goes on with a file after that many bytes; what follows them is dropped.
 * @throws what the file system says
 */
export async function reopenFile(path: string, bytes: number): Promise<FileSink> {
  const handle = await open(path, "r+");
  await handle.truncate(bytes);
  return fileSink(handle, path, bytes);
}

function fileSink(handle: FileHandle, path: string, start: number): FileSink {
  let [pending, pendingBytes]: [(string | Uint8Array)[], number] = [[], 0];
  /** What is written comes from one place: buffers made for every piece pile up. */
  let buffer = Buffer.alloc(0);
  let [bytes, written, synced] = [start, start, start];
  let failure: Error | undefined;
  let queue: Promise<void> = Promise.resolve();

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
  /** Pieces are written one after the other, whoever asks for it. */
  const enqueue = (work: () => Promise<void>) => {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
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
      // Bytes stay the caller's.
      pending.push(typeof chunk === "string" ? chunk : Uint8Array.from(chunk));
      pendingBytes += size;
      bytes += size;
      if (pendingBytes >= CHUNK_SIZE) await enqueue(drain);
    },
    sync: () =>
      enqueue(async () => {
        await drain();
        await handle.sync().catch((error: Error) => {
          failure = writeFailure(error, path);
          // Which of the later bytes are lost, nobody knows.
          written = synced;
          throw failure;
        });
        synced = written;
      }),
    close: () => enqueue(() => handle.close()),
  };
}

/** Puts a text in UTF-8, or bytes, at a place of a buffer with room for it. Gives their size. */
function copyInto(buffer: Buffer, piece: string | Uint8Array, at: number): number {
  if (typeof piece === "string") return buffer.write(piece, at);
  buffer.set(piece, at);
  return piece.length;
}
