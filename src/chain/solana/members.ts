/** Reads members of a node's answer. Errors name the member that has another form than Solana's API. */
import { Buffer } from "node:buffer";
import {
  decodeBase58,
  isArray,
  isMissing,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  OTHER_NODE,
  ServerError,
} from "../../base/index.ts";
import { VALUE_PATTERNS } from "../../catalogue/index.ts";

const INTEGER = /^\d{1,20}$/;
const MAX_AMOUNT = 2n ** 64n - 1n;
/** The largest decimals and commission. */
export const MAX_BYTE = 255;
const MAX_TIME = 99_999_999_999;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A value in a node's answer, and where it is. Each method throws a ServerError when the value has another form. */
export class Member {
  readonly value: Json | undefined;
  readonly #name: string;
  readonly #parent: Member | undefined;

  constructor(value: Json | undefined, name = "result", parent?: Member) {
    this.value = value;
    this.#name = name;
    this.#parent = parent;
  }

  get path(): string {
    return (this.#parent?.path ?? "") + this.#name;
  }

  /** Returns the error of a value that is something else than expected. */
  malformed(expected: string, cause?: unknown): ServerError {
    return new ServerError(`The node's answer is malformed: ${this.path} is not ${expected}.`, {
      code: "MALFORMED_ANSWER",
      hint: OTHER_NODE,
      cause,
    });
  }

  object(): JsonObject {
    if (!isObject(this.value)) throw this.malformed("an object");
    return this.value;
  }

  /** Returns a member of an object; it may be missing. */
  at(name: string): Member {
    return new Member(this.object()[name], `.${name}`, this);
  }

  /** Returns this; undefined when it is missing or null. */
  optional(): this | undefined {
    return isMissing(this.value) ? undefined : this;
  }

  list(): readonly Member[] {
    if (!isArray(this.value)) throw this.malformed("a list");
    return this.value.map((item, index) => new Member(item, `[${index}]`, this));
  }

  /** Returns the items of a list; none when it is missing or null. */
  items(): readonly Member[] {
    return isMissing(this.value) ? [] : this.list();
  }

  text(): string {
    if (typeof this.value !== "string") throw this.malformed("a text");
    return this.value;
  }

  /** Returns a text with the characters and the length of an address. */
  address(): string {
    const text = this.text();
    if (!VALUE_PATTERNS.address.test(text)) throw this.malformed("an address");
    return text;
  }

  /** Returns a whole number that a double holds. */
  integer(): number {
    if (typeof this.value !== "number" || !Number.isSafeInteger(this.value)) throw this.malformed("a whole number");
    return this.value;
  }

  /** Returns a whole number from zero, up to a largest one. */
  count(max = Number.MAX_SAFE_INTEGER): number {
    const number = this.integer();
    if (number < 0 || number > max) throw this.malformed(`a number from zero${number < 0 ? "" : ` to ${max}`}`);
    return number;
  }

  /** Returns a Unix time in seconds; what is thousands of years ahead has another unit. */
  time(): number {
    return this.count(MAX_TIME);
  }

  /**
   * Returns an amount of SOL, which nodes send as a number.
   * @param bits its size: amounts of 63 bits can be added up
   */
  lamports(bits: 63 | 64 = 63): bigint {
    const amount = this.whole();
    if (amount >> BigInt(bits) > 0n) throw this.malformed("an amount of lamports");
    return amount;
  }

  /** Returns an amount from zero, of at most 64 bits, that nodes send as a text; a number is accepted, too. */
  amount(): bigint {
    const { value } = this;
    const amount = typeof value === "string" && INTEGER.test(value) ? BigInt(value) : this.whole();
    if (amount > MAX_AMOUNT) throw this.malformed("a number of 64 bits");
    return amount;
  }

  /**
   * Returns a whole number from zero with all its digits. Servers that round numbers exceed 64 bits where the largest is
   * usual.
   */
  whole(): bigint {
    const { value } = this;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    const text = isNumeric(value) ? numericText(value) : "";
    if (!INTEGER.test(text)) throw this.malformed("a whole number from zero");
    return BigInt(text);
  }

  base64(): Uint8Array {
    const text = this.text();
    if (!BASE64.test(text)) throw this.malformed("base64");
    const { buffer, byteOffset, length } = Buffer.from(text, "base64");
    return new Uint8Array(buffer, byteOffset, length);
  }

  base58(): Uint8Array {
    try {
      return decodeBase58(this.text());
    } catch (error) {
      if (error instanceof RangeError) throw this.malformed("base58", error);
      throw error;
    }
  }
}
