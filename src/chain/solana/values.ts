/** JSON values as nodes write them: exact numbers, addresses that may be missing, token amounts. */
import { Buffer } from "node:buffer";
import { type Json, type JsonObject, toNumeric, toWholeUnits } from "../../base/index.ts";
import type { ByteReader } from "./bytes.ts";

/** Reads a value from bytes, in the form that nodes give it. */
export type ReadValue = (reader: ByteReader) => Json;

/** The address that stands for "none" where a format has no other sign for it. */
export const NO_ADDRESS = "11111111111111111111111111111111";

/** Returns a number with all its digits. */
export const exactNumber = (value: bigint): Json => toNumeric(String(value));

export const u8: ReadValue = (reader) => reader.u8();
export const i8: ReadValue = (reader) => (reader.u8() << 24) >> 24;
export const u16: ReadValue = (reader) => reader.u16();
export const i16: ReadValue = (reader) => (reader.u16() << 16) >> 16;
export const u32: ReadValue = (reader) => reader.u32();
export const u64: ReadValue = (reader) => exactNumber(reader.u64());
export const i64: ReadValue = (reader) => exactNumber(reader.i64());
export const f64: ReadValue = (reader) => reader.f64();
export const bool: ReadValue = (reader) => reader.bool();
export const address: ReadValue = (reader) => reader.address();
/** A number of 64 bits as text, as nodes write token amounts. */
export const u64Text: ReadValue = (reader) => String(reader.u64());
/** A number of 128 bits as text. */
export const u128Text: ReadValue = (reader) => {
  const low = reader.u64();
  return String((reader.u64() << 64n) | low);
};
/** A double as text. */
export const f64Text: ReadValue = (reader) => String(reader.f64());
/** Text after its length in four bytes (Borsh). */
export const text32: ReadValue = (reader) => reader.text(reader.u32());
/** Text after its length in eight bytes (bincode). */
export const text64: ReadValue = (reader) => reader.text(readLength(reader));
/** Bytes after their length in eight bytes, as base64. */
export const bytes64: ReadValue = (reader) => Buffer.from(reader.take(readLength(reader))).toString("base64");
/** All remaining bytes as text. */
export const restText: ReadValue = (reader) => reader.text(reader.remaining);
/** An address; null when it is zero, as extensions of Token-2022 mark missing addresses. */
export const addressOrNull: ReadValue = (reader) => {
  const value = reader.address();
  return value === NO_ADDRESS ? null : value;
};

/** Bytes as base64. */
export const base64Bytes =
  (count: number): ReadValue =>
  (reader) =>
    Buffer.from(reader.take(count)).toString("base64");

/** Bytes as base64; null when all are zero. */
export const base64OrNull =
  (count: number): ReadValue =>
  (reader) => {
    const bytes = reader.take(count);
    return bytes.every((byte) => byte === 0) ? null : Buffer.from(bytes).toString("base64");
  };

/** A length in eight bytes. */
function readLength(reader: ByteReader): number {
  return Number(reader.u64());
}

/** A value after a byte that says whether it exists; null when it does not. */
export const option =
  (read: ReadValue): ReadValue =>
  (reader) =>
    reader.bool() ? read(reader) : null;

/** An address that takes its 32 bytes also when it is missing, after a mark in four bytes. */
export const paddedOption =
  (read: ReadValue): ReadValue =>
  (reader) => {
    const exists = reader.u32() === 1;
    const value = read(reader);
    return exists ? value : null;
  };

/** A number that stands for a name. */
export const oneOf =
  (names: readonly string[], read: (reader: ByteReader) => number = (reader) => reader.u32()): ReadValue =>
  (reader) => {
    const name = names[read(reader)];
    if (name === undefined) throw new RangeError("an unknown variant");
    return name;
  };

/** A byte that stands for a name. */
export const byteOf = (names: readonly string[]): ReadValue => oneOf(names, (reader) => reader.u8());

/** Items after their number in eight bytes. */
export const list64 =
  (read: ReadValue): ReadValue =>
  (reader) =>
    reader.list(readLength(reader), () => read(reader));

/** Named values that follow each other. */
export type Fields = Readonly<Record<string, ReadValue>>;

/** Reads named values that follow each other. */
export function readFields(reader: ByteReader, fields: Fields): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(reader)]));
}

/** An object of named values. */
export const struct =
  (fields: Fields): ReadValue =>
  (reader) =>
    readFields(reader, fields);

/** States of token accounts by their number. */
export const ACCOUNT_STATES = ["uninitialized", "initialized", "frozen"] as const;

/** Returns a token amount in the form of nodes. */
export function uiTokenAmount(amount: bigint, decimals: number): JsonObject {
  return {
    amount: String(amount),
    decimals,
    // Nodes compute a double too; powers that they cannot represent have none.
    uiAmount: decimals <= 19 ? Number(amount) / 10 ** decimals : null,
    uiAmountString: toWholeUnits(amount, decimals),
  };
}

/** Returns the object with its keys in alphabetical order, as nodes write it. */
export function sortKeys(object: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An account's state, in the form of the encoding `jsonParsed`. */
export interface ParsedAccount {
  readonly type: string;
  readonly info: Readonly<Record<string, Json>>;
}

/**
 * Parses an account's data; undefined when it has no state that nodes parse.
 * @throws RangeError when the data has another format
 */
export type AccountParser = (reader: ByteReader, address: string) => ParsedAccount | undefined;
