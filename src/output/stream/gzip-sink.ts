/**
 * Compression of a file in gzip members, which readers decompress one after the other as one text. A later run resumes
 * between two members: it truncates the file there and appends others.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createQueue, type FileSink } from "./file-sink.ts";

const compress = promisify(gzip);

/** The size of the text in a member at least, as long as rows arrive quickly: smaller members compress worse. */
const MIN_MEMBER = 131_072;
/** The size at which a member ends in any case, so that little is held in memory. */
const MAX_MEMBER = 1_048_576;
/** The time in milliseconds after which a member ends before it has its size: what it holds is lost in a failure. */
const MAX_AGE_MS = 1000;

/** Returns a sink that appends what is written to a file, compressed. */
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
