/** JSON values as nodes write them: exact numbers, addresses that may be missing, token amounts. */
import { Buffer } from "node:buffer";
import {
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  toNumeric,
  toSnakeCase,
  toWholeUnits,
} from "../../base/index.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";

/** A type of values: reads a value from bytes, in the form that nodes give it. */
export interface ReadValue {
  (reader: ByteReader): Json;
  /** How values are written and described; missing where they are only read. */
  readonly form?: ValueForm;
}

/** What a type of values is beside its reading. */
interface ValueForm {
  /** Writes a value; zeros or nothing for one that is missing. */
  readonly write: (writer: ByteWriter, value: Json | undefined) => void;
  /** The name of the type, as IDLs write it. */
  readonly type: Json;
  /** Returns a value in the form of decoded data: numbers of more than 8 bits are text, fields have types. */
  readonly describe?: (value: Json) => Json;
}

/** Returns the type of values with a way to write them. */
export const valueType = (read: (reader: ByteReader) => Json, form: ValueForm): ReadValue =>
  Object.assign((reader: ByteReader) => read(reader), { form });

/** Writes a value of a type. @throws TypeError when values of the type are only read */
function writeValue(type: ReadValue, writer: ByteWriter, value: Json | undefined): void {
  if (type.form === undefined) throw new TypeError("values of this type are only read");
  type.form.write(writer, value);
}

const typeNameOf = ({ form }: ReadValue): Json => form?.type ?? "bytes";
const describeValue = ({ form }: ReadValue, value: Json): Json => form?.describe?.(value) ?? value;

/** The address that stands for "none" where a format has no other sign for it. */
export const NO_ADDRESS = "11111111111111111111111111111111";

/** Returns a number with all its digits. */
export const exactNumber = (value: bigint): Json => toNumeric(String(value));

const textOf = (value: Json | undefined): string =>
  isNumeric(value) ? numericText(value) : typeof value === "string" ? value : "";

/** Returns the type of whole numbers of a size in bytes. */
const integer = (type: string, size: number, read: (reader: ByteReader) => Json): ReadValue =>
  valueType(read, {
    type,
    write: (writer, value) => writer.integer(BigInt(textOf(value) || 0), size),
    describe: (value) => (size === 1 ? value : textOf(value)),
  });

/** Returns the type of doubles. */
const double = (read: (reader: ByteReader) => Json): ReadValue =>
  valueType(read, {
    type: "f64",
    write: (writer, value) => writer.f64(Number(textOf(value) || 0)),
    describe: textOf,
  });

export const u8 = integer("u8", 1, (reader) => reader.u8());
export const i8 = integer("i8", 1, (reader) => (reader.u8() << 24) >> 24);
export const u16 = integer("u16", 2, (reader) => reader.u16());
export const i16 = integer("i16", 2, (reader) => (reader.u16() << 16) >> 16);
export const u32 = integer("u32", 4, (reader) => reader.u32());
export const i32 = integer("i32", 4, (reader) => reader.i32());
export const u64 = integer("u64", 8, (reader) => exactNumber(reader.u64()));
export const i64 = integer("i64", 8, (reader) => exactNumber(reader.i64()));
export const f64 = double((reader) => reader.f64());
export const bool = valueType((reader) => reader.bool(), {
  type: "bool",
  write: (writer, value) => writer.integer(value === true ? 1n : 0n, 1),
});
export const address = valueType((reader) => reader.address(), {
  type: "pubkey",
  write: (writer, value) => writer.address(typeof value === "string" ? value : NO_ADDRESS),
});
/** A number of 64 bits as text, as nodes write token amounts. */
export const u64Text = integer("u64", 8, (reader) => String(reader.u64()));
/** A number of 128 bits as text. */
export const u128Text = integer("u128", 16, (reader) => {
  const low = reader.u64();
  return String((reader.u64() << 64n) | low);
});
/** A double as text. */
export const f64Text = double((reader) => String(reader.f64()));

/** Returns the type of texts after their length in a number of bytes. */
const text = (size: number, read: (reader: ByteReader) => Json): ReadValue =>
  valueType(read, {
    type: "string",
    write(writer, value) {
      const bytes = Buffer.from(textOf(value));
      writer.integer(BigInt(bytes.length), size);
      writer.bytes(bytes);
    },
  });

/** Text after its length in four bytes (Borsh). */
export const text32 = text(4, (reader) => reader.text(reader.u32()));
/** Text after its length in eight bytes (bincode). */
export const text64 = text(8, (reader) => reader.text(readLength(reader)));
/** Bytes after their length in eight bytes, as base64. */
export const bytes64: ReadValue = (reader) => Buffer.from(reader.take(readLength(reader))).toString("base64");
/** All remaining bytes as text. */
export const restText: ReadValue = (reader) => reader.text(reader.remaining);
/** An address; null when it is zero, as extensions of Token-2022 mark missing addresses. */
export const addressOrNull = valueType(
  (reader) => {
    const value = reader.address();
    return value === NO_ADDRESS ? null : value;
  },
  { ...(address.form as ValueForm), type: { option: "pubkey" } },
);

/** Returns the type of a number of bytes as base64. */
const base64 = (count: number, read: (reader: ByteReader) => Json): ReadValue =>
  valueType(read, {
    type: { array: ["u8", count] },
    write: (writer, value) => writer.bytes(Buffer.from(textOf(value), "base64"), count),
  });

/** Bytes as base64. */
export const base64Bytes = (count: number): ReadValue =>
  base64(count, (reader) => Buffer.from(reader.take(count)).toString("base64"));

/** Bytes as base64; null when all are zero. */
export const base64OrNull = (count: number): ReadValue =>
  base64(count, (reader) => {
    const bytes = reader.take(count);
    return bytes.every((byte) => byte === 0) ? null : Buffer.from(bytes).toString("base64");
  });

/** A length in eight bytes. */
function readLength(reader: ByteReader): number {
  return Number(reader.u64());
}

/** A value after a byte that says whether it exists; null when it does not. */
export const option = (of: ReadValue): ReadValue =>
  valueType((reader) => (reader.bool() ? of(reader) : null), {
    type: { option: typeNameOf(of) },
    write(writer, value) {
      writer.integer(value == null ? 0n : 1n, 1);
      if (value != null) writeValue(of, writer, value);
    },
    describe: (value) => (value === null ? null : describeValue(of, value)),
  });

/** A value that takes its bytes also when it is missing, after a mark in four bytes. */
export const paddedOption = (of: ReadValue): ReadValue =>
  valueType(
    (reader) => {
      const exists = reader.u32() === 1;
      const value = of(reader);
      return exists ? value : null;
    },
    {
      type: { coption: typeNameOf(of) },
      write(writer, value) {
        writer.integer(value == null ? 0n : 1n, 4);
        writeValue(of, writer, value ?? undefined);
      },
      describe: (value) => (value === null ? null : describeValue(of, value)),
    },
  );

/** A number that stands for a name, by default of four bytes. */
export const oneOf = (names: readonly string[], number: ReadValue = u32): ReadValue =>
  valueType(
    (reader) => {
      const name = names[number(reader) as number];
      if (name === undefined) throw new RangeError("an unknown variant");
      return name;
    },
    {
      type: typeNameOf(number),
      write: (writer, value) => writeValue(number, writer, Math.max(0, names.indexOf(textOf(value)))),
      describe: (value) => describeValue(number, names.indexOf(textOf(value))),
    },
  );

/** A byte that stands for a name. */
export const byteOf = (names: readonly string[]): ReadValue => oneOf(names, u8);

/** Items after their number, by default in eight bytes. */
export const listOf = (item: ReadValue, length: ReadValue = u64): ReadValue =>
  valueType((reader) => reader.list(Number(textOf(length(reader))), () => item(reader)), {
    type: { vec: typeNameOf(item) },
    write(writer, value) {
      const items = isArray(value) ? value : [];
      writeValue(length, writer, items.length);
      for (const each of items) writeValue(item, writer, each);
    },
    describe: (value) => (isArray(value) ? value.map((each) => describeValue(item, each)) : value),
  });

/** Items after their number in eight bytes. */
export const list64 = (item: ReadValue): ReadValue => listOf(item);
/** Items after their number in four bytes. */
export const list32 = (item: ReadValue): ReadValue => listOf(item, u32);

/** A number of items, or as many as there are bytes of a size. */
export const items = (item: ReadValue, { count, size = 1 }: { count?: number; size?: number }): ReadValue =>
  valueType((reader) => Array.from({ length: count ?? Math.floor(reader.remaining / size) }, () => item(reader)), {
    type: count === undefined ? { vec: typeNameOf(item) } : { array: [typeNameOf(item), count] },
    write(writer, value) {
      const list = isArray(value) ? value : [];
      for (let at = 0; at < (count ?? list.length); at++) writeValue(item, writer, list[at]);
    },
    describe: (value) => (isArray(value) ? value.map((each) => describeValue(item, each)) : value),
  });

/** A value that is always the same; what is read is not checked. */
export const constant = (type: ReadValue, value: Json): ReadValue =>
  valueType(type, { ...(type.form as ValueForm), write: (writer) => writeValue(type, writer, value) });

/** Bytes without a meaning, up to an offset or the end of the data. */
export const padTo = (offset: number): ReadValue =>
  valueType(
    (reader) => {
      reader.offset = Math.min(offset, reader.bytes.length);
      return null;
    },
    { type: "bytes", write: (writer) => writer.padTo(offset) },
  );

/**
 * Named values that follow each other. Names that start with `#` are those of values that say nothing, such as numbers of
 * kinds, and are left out.
 */
export type Fields = Readonly<Record<string, ReadValue>>;

const isHidden = (name: string): boolean => name.startsWith("#");

/** Reads named values that follow each other. */
export function readFields(reader: ByteReader, fields: Fields): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const [name, read] of Object.entries(fields)) {
    const value = read(reader);
    if (!isHidden(name)) values[name] = value;
  }
  return values;
}

/** Writes named values; those that are missing as zeros. */
export function writeFields(
  writer: ByteWriter,
  fields: Fields,
  values: Readonly<Record<string, Json | undefined>>,
): void {
  for (const [name, type] of Object.entries(fields)) writeValue(type, writer, values[name]);
}

/** Returns named values in the form of decoded data: each with its type, under the name in Rust. */
export function describeFields(fields: Fields, values: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !isHidden(name) && values[name] !== undefined)
      .map(([name, type]) => [
        toSnakeCase(name),
        { type: typeNameOf(type), data: describeValue(type, values[name] as Json) },
      ]),
  );
}

/** An object of named values. @param name of the type in decoded data */
export const struct = (fields: Fields, name = "Object"): ReadValue =>
  valueType((reader) => readFields(reader, fields), {
    type: { defined: { name } },
    write: (writer, value) => writeFields(writer, fields, isObject(value) ? value : {}),
    describe: (value) => (isObject(value) ? describeFields(fields, value) : value),
  });

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
