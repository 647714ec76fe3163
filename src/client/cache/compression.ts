/** Compression of cached bodies. */

/** Smaller bodies are not compressed, because that costs more than it saves. */
export const PACKED_FROM = 8192;

/** Compresses a body, fast rather than small. */
export async function compressBody(body: Uint8Array): Promise<Uint8Array> {
  const { deflateRawSync } = await import("node:zlib");
  return deflateRawSync(body, { level: 1 });
}

/**
 * Decompresses a body.
 * @throws when it is damaged or larger than allowed
 */
export async function decompressBody(body: Uint8Array, maxBytes: number): Promise<Buffer> {
  const { inflateRawSync } = await import("node:zlib");
  return inflateRawSync(body, { maxOutputLength: maxBytes });
}
