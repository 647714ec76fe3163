/**
 * Accounts and kinds of instructions in ClickHouse: their 32 bytes as UInt256, so that any writer gives them the same
 * key. Queries know accounts as numbers, as in SQLite: these are negative, and mean something within one answer only.
 */
import { Buffer } from "node:buffer";
import { decodeBase58, encodeBase58 } from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import { SOL, SYSTEM_PROGRAM } from "../store/schema.ts";

/** Accounts whose keys are their ids in SQLite, which queries contain. No address has 31 zero bytes after its first. */
const WELL_KNOWN: ReadonlyMap<string, bigint> = new Map([
  [NATIVE_SOL, BigInt(SOL)],
  [SYSTEM_PROGRAM, 2n],
]);

/** Rows of a key that are not looked up one by one: to find the parts of a table that have them takes too long. */
export const MANY_ROWS = 20_000;
/** The fewest rows of a key that a page is looked for among. */
export const FIRST_ROWS = 1000;

const BYTES = 32;

/** The key that no account has. */
export const NO_KEY: Buffer = Buffer.alloc(BYTES);

/** Returns the number whose little-endian bytes these are. */
const fromBytes = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).reverse().toString("hex")}`);

const toBytes = (key: bigint): Buffer => Buffer.from(key.toString(16).padStart(2 * BYTES, "0"), "hex").reverse();

/** Returns the key of an address; undefined for a text that is none. */
export function keyOf(address: string): bigint | undefined {
  const known = WELL_KNOWN.get(address);
  if (known !== undefined) return known;
  try {
    const bytes = decodeBase58(address);
    return bytes.length === BYTES ? fromBytes(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the bytes of the key of an address, as ClickHouse reads them. */
export const keyBytes = (address: string): Buffer => toBytes(keyOf(address) ?? 0n);

const NAMES = new Map([...WELL_KNOWN].map(([address, key]) => [key, address]));

const addressOfKey = (key: bigint): string => NAMES.get(key) ?? encodeBase58(toBytes(key));

/** Returns the SQL for the address of a key. */
export const addressSql = (key: string): string =>
  `multiIf(${[...WELL_KNOWN].map(([address, id]) => `${key} = ${id}, '${address}'`).join(", ")}, base58Encode(reinterpret(${key}, 'FixedString(32)')))`;

/** The number of the first key; the one before means an unknown account. */
const FIRST = -2;

/** The numbers of the keys that an answer names. */
export class KeyNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #addresses = new Map<number, string>();

  /** Returns the number of a key, which is given as decimal text. */
  numberOf(key: string): number {
    // The ids of well-known accounts.
    if (key.length === 1) return Number(key);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = FIRST - this.#keys.length;
    this.#keys.push(key);
    this.#numbers.set(key, number);
    return number;
  }

  /** Returns the key of a number as decimal text; undefined for other numbers. */
  keyOf(number: number): string | undefined {
    return number <= FIRST ? this.#keys[FIRST - number] : undefined;
  }

  addressOf(number: number): string {
    const known = this.#addresses.get(number);
    if (known !== undefined) return known;
    const address = addressOfKey(BigInt(this.keyOf(number) ?? number));
    this.#addresses.set(number, address);
    return address;
  }
}
