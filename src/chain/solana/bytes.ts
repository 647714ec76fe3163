/** Reads numbers, addresses and lists from bytes, as Solana's formats lay them out: little-endian, without padding. */

import { Buffer } from "node:buffer";
import { decodeBase58, encodeBase58 } from "../../base/index.ts";

/** Bytes of an address or a hash. */
const ADDRESS_BYTES = 32;

/** The texts of addresses by their bytes: an address occurs in many transactions of a block. */
const texts = new Map<string, string>();
/** A few megabytes. */
const MAX_TEXTS = 50_000;

/** Returns the address in 32 bytes at an offset. */
export function addressAt(bytes: Uint8Array, offset: number): string {
  const end = offset + ADDRESS_BYTES;
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", offset, end);
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = encodeBase58(bytes.subarray(offset, end));
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(key, text);
  return text;
}

/** Returns what a function reads; undefined when the data has another form than it expects. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Reads bytes from the start to the end.
 * @throws RangeError from every method when the bytes end too early or do not have the expected form
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  #advance(count: number): number {
    const start = this.offset;
    if (start + count > this.bytes.length) throw new RangeError("the data ends too early");
    this.offset = start + count;
    return start;
  }

  u8(): number {
    return this.bytes[this.#advance(1)] as number;
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  /** A byte that is 0 or 1. */
  bool(): boolean {
    const value = this.u8();
    if (value > 1) throw new RangeError("not a boolean");
    return value === 1;
  }

  /** The base58 text of 32 bytes. */
  address(): string {
    return addressAt(this.bytes, this.#advance(ADDRESS_BYTES));
  }

  /** The base58 text of 64 bytes. */
  signature(): string {
    return encodeBase58(this.take(64));
  }

  /** The next bytes, without a copy. */
  take(count: number): Uint8Array {
    const start = this.#advance(count);
    return this.bytes.subarray(start, start + count);
  }

  rest(): Uint8Array {
    return this.take(this.remaining);
  }

  /** UTF-8 text of a number of bytes. */
  text(count: number): string {
    return Buffer.from(this.take(count)).toString("utf8");
  }

  /** A length in one to three bytes, seven bits in each (`short_vec`). */
  compact(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a length has more than three bytes");
  }

  /** A whole number in up to ten bytes, seven bits in each (LEB128). */
  varint(): bigint {
    // Seven groups are exact as a double, and most numbers have no more.
    let low = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 128) {
      const byte = this.u8();
      low += (byte & 0x7f) * factor;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number has more than ten bytes");
  }

  /** Items that follow each other. */
  list<T>(count: number, read: () => T): T[] {
    // Every item has a byte or more: an invalid length cannot allocate much.
    if (count > this.remaining) throw new RangeError("a list is longer than the data");
    return Array.from({ length: count }, read);
  }
}

/** Writes numbers, addresses and bytes as {@link ByteReader} reads them. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds bytes, cut or filled with zeros to a size. */
  bytes(bytes: Uint8Array, size = bytes.length): void {
    this.#parts.push(bytes.subarray(0, size));
    this.#length += Math.min(bytes.length, size);
    if (bytes.length < size) this.padTo(this.#length + size - bytes.length);
  }

  /** Adds zeros up to an offset, if that is later. */
  padTo(offset: number): void {
    if (offset > this.#length) this.bytes(new Uint8Array(offset - this.#length));
  }

  /** A whole number of a size in bytes. */
  integer(value: bigint, size: number): void {
    const bytes = new Uint8Array(size);
    for (let at = 0, rest = BigInt.asUintN(size * 8, value); at < size; at++, rest >>= 8n)
      bytes[at] = Number(rest & 0xffn);
    this.bytes(bytes);
  }

  f64(value: number): void {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setFloat64(0, value, true);
    this.bytes(new Uint8Array(bytes.buffer));
  }

  /** The 32 bytes of an address. */
  address(text: string): void {
    this.bytes(decodeBase58(text), ADDRESS_BYTES);
  }

  toBytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
