/** Layouts of account data: bytes and named fields from one description, so that they cannot differ. */
import { base58 } from "@scure/base";
import type { Json, JsonObject } from "../../../../base/index.ts";

/** A field of account data: its bytes, and its node in `data_decoded`. */
export interface DataField {
  readonly bytes: readonly number[];
  readonly node: { readonly type: Json; readonly data: Json };
}

/** Returns the little-endian bytes of an integer, in two's complement. */
function littleEndian(value: bigint, width: number): readonly number[] {
  const raw = BigInt.asUintN(width * 8, value);
  return Array.from({ length: width }, (_, at) => Number((raw >> BigInt(at * 8)) & 0xffn));
}

/** Creates an integer type: 8-bit values are JSON numbers, wider ones text. */
const integer =
  (type: string, width: number) =>
  (value: bigint | number): DataField => ({
    bytes: littleEndian(BigInt(value), width),
    node: { type, data: width === 1 ? Number(value) : String(value) },
  });

export const u8 = integer("u8", 1);
export const u16 = integer("u16", 2);
export const u32 = integer("u32", 4);
export const u64 = integer("u64", 8);
export const i64 = integer("i64", 8);

/** Encodes a boolean in one byte. */
export const bool = (value: boolean): DataField => ({ bytes: [value ? 1 : 0], node: { type: "bool", data: value } });

/** Encodes a double. */
export const f64 = (value: number): DataField => ({
  bytes: [...new Uint8Array(new Float64Array([value]).buffer)],
  node: { type: "f64", data: String(value) },
});

/** Encodes a public key from its address. */
export const pubkey = (address: string): DataField => ({
  bytes: [...base58.decode(address)],
  node: { type: "pubkey", data: address },
});

/** Encodes padding bytes. */
export function padding(length: number): DataField {
  const bytes = Array.from({ length }, () => 0);
  return { bytes, node: { type: { array: ["u8", length] }, data: bytes } };
}

/** Encodes an optional value: a four-byte flag, followed by the value or an empty one of the same size. */
export function option(make: (value: string) => DataField, empty: string, value: string | undefined): DataField {
  const inner = make(value ?? empty);
  return {
    bytes: [...littleEndian(value === undefined ? 0n : 1n, 4), ...inner.bytes],
    node: { type: { option: inner.node.type }, data: value === undefined ? null : inner.node.data },
  };
}

/** Encodes named fields one after another. */
export function struct(name: string, fields: Readonly<Record<string, DataField>>): DataField {
  return {
    bytes: Object.values(fields).flatMap((field) => field.bytes),
    node: { type: { defined: { name } }, data: nodesOf(fields) },
  };
}

/** Returns the nodes of named fields. */
const nodesOf = (fields: Readonly<Record<string, DataField>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, { node }]) => [name, node]));

/** The data of an account. */
export interface AccountData {
  readonly name: string;
  readonly standard: string;
  /** The discriminator before the fields. */
  readonly discriminator: readonly number[];
  readonly fields: Readonly<Record<string, DataField>>;
  /** Size of the account in bytes; the fields may be shorter. */
  readonly size: number;
}

/** Returns the bytes of an account's data as base64. */
export function encodeBase64({ discriminator, fields, size }: AccountData): string {
  const bytes = new Uint8Array(size);
  bytes.set([...discriminator, ...Object.values(fields).flatMap((field) => field.bytes)]);
  return btoa(String.fromCharCode(...bytes));
}

/** Returns the field `data_decoded` of an account's data. */
export const decodedJson = ({ name, standard, fields }: AccountData): JsonObject => ({
  name,
  data: nodesOf(fields),
  idl_source: "inner_parser",
  idl_standard: standard,
});
