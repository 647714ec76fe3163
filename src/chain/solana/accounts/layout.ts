/** Layouts of accounts: one description reads their data, writes it, and names its fields. */
import { Buffer } from "node:buffer";
import { type Json, type JsonObject, sha256 } from "../../../base/index.ts";
import { ByteReader, ByteWriter } from "../bytes.ts";
import {
  base64Bytes,
  constant,
  describeFields,
  type Fields,
  type ParsedAccount,
  type ReadValue,
  readFields,
  sortKeys,
  writeFields,
} from "../values.ts";

/** The values of an account's fields; those that are missing are written as zeros. */
export type AccountValues = Readonly<Record<string, Json | undefined>>;

/** The layout of the accounts of one kind. */
export interface AccountLayout {
  /** The kind, as nodes name it: `mint`. */
  readonly type: string;
  /** The name of the type in Rust: `Mint`. */
  readonly name: string;
  readonly fields: Fields;
  /** Returns values in the form of nodes, which is that of the values by default; undefined for an empty account. */
  readonly finish?: (values: Record<string, Json>) => Readonly<Record<string, Json>> | undefined;
}

/** Selects the layout of a program's account by its data; undefined for data that the program does not define. */
export type SelectLayout = (data: Uint8Array, address: string) => AccountLayout | undefined;

/**
 * Returns the state of an account; undefined when it has none.
 * @throws RangeError when the data has another form
 */
export function readLayout({ type, fields, finish }: AccountLayout, data: Uint8Array): ParsedAccount | undefined {
  const values = readFields(new ByteReader(data), fields);
  const info = finish ? finish(values) : values;
  return info && { type, info: sortKeys(info) };
}

/** Returns the data of an account. */
export function writeLayout({ fields }: Pick<AccountLayout, "fields">, values: AccountValues): Uint8Array {
  const writer = new ByteWriter();
  writeFields(writer, fields, values);
  return writer.toBytes();
}

/** Returns the fields of an account's data with their types. @throws RangeError when the data has another form */
export const describeLayout = ({ fields }: Pick<AccountLayout, "fields">, data: Uint8Array): JsonObject =>
  describeFields(fields, readFields(new ByteReader(data), fields));

/** Returns the first bytes of accounts of a type in the framework Anchor. */
export const anchorMark = (name: string): ReadValue =>
  constant(base64Bytes(8), Buffer.from(sha256(`account:${name}`).slice(0, 16), "hex").toString("base64"));

/** Returns a selection by the first four bytes, which are the number of the state. */
export const byState =
  (...states: readonly AccountLayout[]): SelectLayout =>
  (data) =>
    states[new ByteReader(data).u32()];
