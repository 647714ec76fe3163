/** Reading binary data. */
import { getAddressDecoder } from "@solana/kit";

/** Reads little-endian values one after the other. */
export class ByteReader {
  #offset = 0;
  readonly #data: Uint8Array;
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** How many bytes are left. */
  get remaining(): number {
    return this.#data.length - this.#offset;
  }

  #advance(size: number): number {
    this.#offset += size;
    return this.#offset - size;
  }

  #take(size: number): Uint8Array {
    const start = this.#advance(size);
    return this.#data.subarray(start, start + size);
  }

  u8 = (): number => this.#view.getUint8(this.#advance(1));
  u16 = (): number => this.#view.getUint16(this.#advance(2), true);
  u32 = (): number => this.#view.getUint32(this.#advance(4), true);
  u64 = (): bigint => this.#view.getBigUint64(this.#advance(8), true);
  i64 = (): bigint => this.#view.getBigInt64(this.#advance(8), true);
  i16 = (): number => this.#view.getInt16(this.#advance(2), true);
  f64 = (): number => this.#view.getFloat64(this.#advance(8), true);
  /** A number in groups of seven bits, the lowest first. */
  varint = (): number => {
    const byte = this.u8();
    return byte < 128 ? byte : (byte & 127) + 128 * this.varint();
  };
  bool = (): boolean => this.u8() === 1;
  key = (): string => getAddressDecoder().decode(this.#data, this.#advance(32));
  /** An option with a tag of one byte. */
  option = <T>(read: () => T): T | null => (this.bool() ? read() : null);
  /** A list whose length is a u64. */
  list = <T>(read: () => T): T[] => Array.from({ length: Number(this.u64()) }, read);
  text = (size: number): string => new TextDecoder("utf-8", { fatal: true }).decode(this.#take(size));
  skip = (size: number): void => void this.#advance(size);
}
