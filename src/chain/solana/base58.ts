/** Base58 text of addresses, hashes, signatures and instruction data. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";

/** Bytes of an address or a hash. */
export const ADDRESS_BYTES = 32;

/** The texts of addresses by their bytes: an address occurs in many transactions of a block. */
const texts = new Map<string, string>();
/** A few megabytes. */
const MAX_TEXTS = 50_000;

/** Returns the base58 text of bytes. */
export function encodeBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/**
 * Returns the bytes of a base58 text.
 * @throws RangeError when the text has other characters
 */
export function decodeBase58(text: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch (cause) {
    throw new RangeError("not base58", { cause });
  }
}

/** Returns the address in 32 bytes at an offset. */
export function addressAt(bytes: Uint8Array, offset: number): string {
  const end = offset + ADDRESS_BYTES;
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", offset, end);
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = base58.encode(bytes.subarray(offset, end));
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(key, text);
  return text;
}
