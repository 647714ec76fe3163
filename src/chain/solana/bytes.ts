/** Reads numbers, addresses and lists from bytes, as Solana's formats lay them out: little-endian, without padding. */
import { Buffer } from "node:buffer";
import { ADDRESS_BYTES, addressAt, encodeBase58 } from "./base58.ts";

/**
 * Reads bytes from the start to the end.
 * @throws RangeError from every method when the bytes end too early or do not have the expected form
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Offset of the next byte. */
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
  }

  /** The number of bytes that are left. */
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

  /** All bytes that are left. */
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
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
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
