/** Bodies of responses: their decompression. */
import { ServerError } from "../../../base/index.ts";
import { truncatedError } from "../../../client/index.ts";

/** How a body is decompressed. */
export interface DecompressOptions {
  readonly url: URL;
  /** The `content-encoding` header. */
  readonly encoding: string | undefined;
  /** The maximum size in bytes, after decompression. */
  readonly maxBytes: number;
  /** Whether the body was cut off on purpose, so that its beginning is enough. */
  readonly isPartial: boolean;
}

/** The value of the `accept-encoding` header. */
export const ACCEPTED_ENCODINGS = "gzip, br, deflate";

/**
 * Decompresses a body.
 * @throws ServerError when it is incomplete, too large, or not what its header says
 */
export async function decompressBody(bytes: Buffer, options: DecompressOptions): Promise<Buffer> {
  let plain = bytes;
  for (const encoding of (options.encoding ?? "").toLowerCase().split(",").reverse()) {
    plain = await decompress(plain, encoding.trim(), options);
  }
  return plain;
}

/** Whether a `content-encoding` header names a compression. */
export function isCompressed(encoding = ""): boolean {
  return encoding.split(",").some((name) => !PLAIN.has(name.trim().toLowerCase()));
}

const PLAIN: ReadonlySet<string> = new Set(["", "identity"]);

async function decompress(bytes: Buffer, encoding: string, options: DecompressOptions): Promise<Buffer> {
  if (PLAIN.has(encoding) || bytes.length === 0) return bytes;
  const zlib = await import("node:zlib");
  const { promisify } = await import("node:util");
  const flush = options.isPartial ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const limits = { maxOutputLength: options.maxBytes, finishFlush: flush };
  const brotli = { maxOutputLength: options.maxBytes };
  // Some servers send "deflate" without its zlib header.
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8;
  const decoders: Readonly<Record<string, () => Promise<Buffer>>> = {
    gzip: () => promisify(zlib.gunzip)(bytes, limits),
    "x-gzip": () => promisify(zlib.gunzip)(bytes, limits),
    deflate: () => promisify(isZlib ? zlib.inflate : zlib.inflateRaw)(bytes, limits),
    br: () => promisify(zlib.brotliDecompress)(bytes, brotli),
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decoder) throw encodingError(options.url, `its encoding "${encoding}" was not requested`);
  try {
    return await decoder();
  } catch (cause) {
    throw decodeError(cause, encoding, options);
  }
}

function decodeError(cause: unknown, encoding: string, { url, maxBytes }: DecompressOptions): ServerError {
  const { code } = cause as { readonly code?: string };
  if (code === "Z_BUF_ERROR") return truncatedError(url, cause);
  if (code === "ERR_BUFFER_TOO_LARGE") return tooLargeError(url, maxBytes);
  return encodingError(url, `it is not ${encoding}, although its header says so`, cause);
}

function encodingError(url: URL, reason: string, cause?: unknown): ServerError {
  return new ServerError(`The response of ${url.host} cannot be decoded: ${reason}.`, {
    code: "ENCODING",
    hint: "A proxy may have changed it.",
    cause,
  });
}

/** Returns the error for a body that exceeds the limit. */
export function tooLargeError(url: URL, max: number): ServerError {
  return new ServerError(`The response of ${url.host} is larger than ${Math.round(max / 1_048_576)} MiB.`, {
    code: "TOO_LARGE",
    hint: "Request less at once.",
  });
}
