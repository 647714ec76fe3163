/**
 * Reads texts that somebody else may have written: recordings, lists of identifiers, names, IDLs. A device has no end, a
 * named pipe may have no writer, a link may lead anywhere, and bytes that are no text would become other ones.
 */
import { Buffer, isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, open, read } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { promisify } from "node:util";
import { failureReason, fileError, type SolxError, systemReason, UsageError } from "./errors.ts";
import { MAX_RECEIVED_BYTES, memoryBudget } from "./memory-budget.ts";
import { throwIfAborted, toInterruptedError } from "./time.ts";

/** How a file is read. */
export interface InputFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** The size in bytes from which on a file is refused (default: 64 MiB; none for {@link readInputText}). */
  readonly maxBytes?: number | undefined;
  /** Whether it is one of a folder's files: then it is a regular file, and no link to one outside. */
  readonly isInFolder?: boolean | undefined;
  /** The code of errors (default: that of a wrong usage). */
  readonly code?: string | undefined;
}

/** Standard input, or a pipe. */
type InputStream = NodeJS.ReadableStream & { destroy(): unknown };

/** The path of a file, or standard input. */
export type InputSource = string | InputStream;

const openFile = promisify<string, number, number>(open);
const readFrom = promisify(read);

const CHUNK_BYTES = 65_536;

/**
 * Reads a regular file, a pipe or standard input, in UTF-8.
 * @throws SolxError when it is something else, too large or unreadable; InterruptedError when the signal fires
 */
export async function readInputFile(path: InputSource, options: InputFileOptions = {}): Promise<string> {
  const chunks: Buffer[] = [];
  const memory = memoryBudget.open();
  try {
    for await (const chunk of readInputChunks(path, { maxBytes: MAX_RECEIVED_BYTES, ...options })) {
      chunks.push(chunk);
      await memory.add(chunk.length);
    }
    const bytes = Buffer.concat(chunks);
    if (!isUtf8(bytes)) throw unreadable(path, "it is not text in UTF-8", options);
    return bytes.toString();
  } finally {
    memory.release();
  }
}

/** Yields the text as it arrives, in UTF-8 or UTF-16 with a byte order mark; throws like {@link readInputFile}. */
export async function* readInputText(path: InputSource, options: InputFileOptions = {}): AsyncGenerator<string, void> {
  let decoder: ReturnType<typeof chooseDecoder> | undefined;
  const decode = (chunk?: Buffer) => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? "";
    } catch (cause) {
      throw unreadable(path, `it is not text in ${decoder?.encoding.toUpperCase()}`, options, cause);
    }
  };
  for await (const chunk of readInputChunks(path, options)) {
    decoder ??= chooseDecoder(chunk);
    yield decode(chunk);
  }
  yield decode();
}

/** Returns the decoder of a text by its first bytes: Windows programs write UTF-16 with a byte order mark. */
function chooseDecoder([first, second]: Uint8Array) {
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8", { fatal: true });
}

/** Yields the bytes as they arrive. */
async function* readInputChunks(path: InputSource, options: InputFileOptions): AsyncGenerator<Buffer, void> {
  const { signal, maxBytes = Number.POSITIVE_INFINITY, isInFolder = false } = options;
  throwIfAborted(signal);
  let size = 0;
  try {
    const parts = typeof path === "string" ? await openInput(path, isInFolder, signal) : readStream(path, signal);
    for await (const part of parts) {
      size += part.length;
      if (size > maxBytes) throw new Error(`it is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`);
      yield part;
    }
  } catch (cause) {
    if (signal?.aborted) throw toInterruptedError(signal);
    throw unreadable(path, failureReason(cause), options, cause);
  }
}

function unreadable(path: InputSource, reason: string, { code }: InputFileOptions, cause?: unknown): SolxError {
  const name = typeof path === "string" ? path : "standard input";
  const message = `cannot read ${name}: ${reason}`;
  if (code === undefined && systemReason(cause) !== undefined) return fileError(message, cause);
  return new UsageError(message, { cause, code });
}

/** Yields the lines of a text as they arrive, without the part after the last line break. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  // A line may have many parts: joining them as they arrive would copy it each time.
  let parts: string[] = [];
  for await (const chunk of text) {
    const [end = "", ...lines] = chunk.split("\n");
    parts.push(end);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield [parts.join(""), ...lines];
    parts = [rest];
  }
}

/** Opens a regular file of a folder, to read parts of it. @throws an error with the reason when it is something else */
export async function openFolderFile(path: string): Promise<FileHandle> {
  const { open: openHandle } = await import("node:fs/promises");
  const handle = await openHandle(await resolveInFolder(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error("it is not a regular file");
}

async function openInput(
  path: string,
  isInFolder: boolean,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Buffer>> {
  const target = isInFolder ? await resolveInFolder(path) : path;
  // Without O_NONBLOCK, opening a named pipe would wait for its writer, and nothing could end that.
  const fd = await openFile(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(fd);
  if (stats.isFile()) return readRegularFile(fd, stats.size, signal);
  if (stats.isFIFO() && !isInFolder) {
    const { Socket } = await import("node:net");
    return readStream(new Socket({ fd, readable: true, writable: false }), signal);
  }
  closeSync(fd);
  if (stats.isDirectory()) throw new Error("it is a directory");
  throw new Error(isInFolder ? "it is not a regular file" : "it is neither a regular file nor a pipe");
}

async function resolveInFolder(path: string): Promise<string> {
  const { realpath } = await import("node:fs/promises");
  const [target, folder] = await Promise.all([realpath(path), realpath(dirname(path))]);
  if (target.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return target;
  throw new Error("it is a link to a file outside of its folder");
}

/** Reads a file as long as it was when it was opened: a writer may be faster. Files of the system have no size. */
async function* readRegularFile(
  fd: number,
  size: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  try {
    for (let position = 0; size === 0 || position < size; ) {
      // No byte more: what a writer has written by then ends with a line.
      const length = size === 0 ? CHUNK_BYTES : Math.min(CHUNK_BYTES, size - position);
      const { bytesRead, buffer } = await readFrom(fd, Buffer.allocUnsafe(length), 0, length, null);
      throwIfAborted(signal);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    closeSync(fd);
  }
}

/** Reads a pipe by events: a read in the thread pool could not be ended while no writer sends anything. */
async function* readStream(stream: InputStream, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  const stop = () => stream.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    // It may have fired while the file was opened.
    throwIfAborted(signal);
    for await (const part of stream) yield typeof part === "string" ? Buffer.from(part) : part;
    throwIfAborted(signal);
  } finally {
    signal?.removeEventListener("abort", stop);
    stream.destroy();
  }
}
