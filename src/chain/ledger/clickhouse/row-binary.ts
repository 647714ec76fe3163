/** Rows as ClickHouse reads them fastest: its format RowBinary. */
import { Buffer } from "node:buffer";

const FIRST_BYTES = 64 * 1024;

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

/** Collects values of rows, one after the other. */
export class RowBinary {
  #bytes: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#bytes);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  /** Returns what was collected, and begins anew. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#used);
    this.#use(Buffer.alloc(0));
    this.#used = 0;
    return bytes;
  }

  /** Adds a UInt8; it says before a value that may be NULL whether it is. */
  flag(value: boolean): void {
    this.#reserve(1);
    this.#bytes[this.#used++] = Number(value);
  }

  /** Adds a UInt32. */
  number(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#used, value, true);
    this.#used += 4;
  }

  /** Adds an Int64. */
  integer(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigInt64(this.#used, value, true);
    this.#used += 8;
  }

  /** Adds an Int128. */
  amount(value: bigint): void {
    this.#reserve(16);
    this.#view.setBigInt64(this.#used, value, true);
    this.#view.setBigInt64(this.#used + 8, value >> 64n, true);
    this.#used += 16;
  }

  /** Adds a Float64. */
  real(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#used, value, true);
    this.#used += 8;
  }

  /** Adds a String: a text, or bytes. */
  text(value: string | Uint8Array): void {
    const length = typeof value === "string" ? Buffer.byteLength(value) : value.length;
    this.#reserve(length + 5);
    for (let rest = length; ; rest >>>= 7) {
      this.#bytes[this.#used++] = rest < 0x80 ? rest : (rest & 0x7f) | 0x80;
      if (rest < 0x80) break;
    }
    if (typeof value === "string") this.#bytes.write(value, this.#used);
    else this.#bytes.set(value, this.#used);
    this.#used += length;
  }

  /** Adds bytes as they are. */
  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#used);
    this.#used += value.length;
  }

  #reserve(length: number): void {
    if (this.#used + length <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * this.#bytes.length, this.#used + length));
    this.#bytes.copy(grown, 0, 0, this.#used);
    this.#use(grown);
  }

  #use(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}
