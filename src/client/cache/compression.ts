/** Compression of cached bodies. */

/** Smaller bodies are not compressed, because that costs more than it saves. */
export const PACKED_FROM = 8192;

/** Compresses a body, fast rather than small. */
export async function compressBody(body: Uint8Array): Promise<Uint8Array> {
  const { deflateRawSync } = await import("node:zlib");
  return deflateRawSync(body, { level: 1 });
}

/** The maximum size of a body in bytes: a damaged file can say anything. */
const MAX_BODY = 268_435_456;

/**
 * Decompresses a body.
 * @throws when it is damaged or larger than any body
 */
export async function decompressBody(body: Uint8Array): Promise<Buffer> {
  const { inflateRawSync } = await import("node:zlib");
  return inflateRawSync(body, { maxOutputLength: MAX_BODY });
}
