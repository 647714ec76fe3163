/** Arbitrary types of Anchor IDLs, and values of them with their bytes and their decoded form. */
import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/base/index.ts";
import { encodeBase58 } from "../../../src/chain/solana/index.ts";

/** A type as an Anchor IDL since 0.30 writes it. */
export type AnchorType = string | JsonObject;

/** A value: its bytes, and what decoding returns. */
export interface Sample {
  readonly bytes: readonly number[];
  readonly data: Json;
}

/** A named field of an arbitrary type, with a value. */
export interface SampleField {
  readonly name: string;
  readonly type: AnchorType;
  readonly sample: Sample;
}

const integer = (size: number, signed: boolean): fc.Arbitrary<Sample> =>
  fc
    .bigInt(signed ? -(2n ** BigInt(size * 8 - 1)) : 0n, 2n ** BigInt(size * 8 - (signed ? 1 : 0)) - 1n)
    .map((value) => ({ bytes: littleEndian(value, size), data: size === 1 ? Number(value) : String(value) }));

/** Returns the bytes of a whole number. */
export function littleEndian(value: bigint | number, size: number): readonly number[] {
  const raw = BigInt.asUintN(size * 8, BigInt(value));
  return Array.from({ length: size }, (_, at) => Number((raw >> BigInt(at * 8)) & 0xffn));
}

const withLength = (bytes: Iterable<number>, data: Json): Sample => {
  const list = [...bytes];
  return { bytes: [...littleEndian(list.length, 4), ...list], data };
};

const LEAVES: Readonly<Record<string, fc.Arbitrary<Sample>>> = {
  ...Object.fromEntries(
    [1, 2, 4, 8, 16].flatMap((size) => [
      [`u${size * 8}`, integer(size, false)],
      [`i${size * 8}`, integer(size, true)],
    ]),
  ),
  bool: fc.boolean().map((value) => ({ bytes: [value ? 1 : 0], data: value })),
  pubkey: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((key) => ({ bytes: [...key], data: encodeBase58(key) }) satisfies Sample),
  // The reference implementation removes NUL characters.
  string: fc
    .string({ unit: "binary" })
    .filter((text) => !text.includes("\0"))
    .map((text) => withLength(new TextEncoder().encode(text), text)),
  bytes: fc.uint8Array().map((bytes) => withLength(bytes, Buffer.from(bytes).toString("base64"))),
  f64: fc.double({ noNaN: true }).map((value) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return { bytes: [...bytes], data: String(value) };
  }),
};

const { type: anyType } = fc.letrec<{ type: AnchorType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<AnchorType[]>(...Object.keys(LEAVES)),
    tie("type").map((inner) => ({ option: inner })),
    tie("type").map((inner) => ({ vec: inner })),
    fc.tuple(tie("type"), fc.nat(4)).map(([inner, length]) => ({ array: [inner, length] })),
  ),
}));

/** Returns arbitrary values of a type. */
function samplesOf(type: AnchorType): fc.Arbitrary<Sample> {
  if (typeof type === "string") return LEAVES[type] as fc.Arbitrary<Sample>;
  if (type.option !== undefined) {
    const present = samplesOf(type.option as AnchorType).map(({ bytes, data }) => ({ bytes: [1, ...bytes], data }));
    return fc.oneof(present, fc.constant({ bytes: [0], data: null }));
  }
  const [inner, length] = (type.array ?? [type.vec]) as [AnchorType, number | undefined];
  const limits = length === undefined ? { maxLength: 4 } : { minLength: length, maxLength: length };
  return fc.array(samplesOf(inner), limits).map((items) => ({
    bytes: [...(length === undefined ? littleEndian(items.length, 4) : []), ...items.flatMap(({ bytes }) => bytes)],
    data: items.map(({ data }) => data),
  }));
}

/** Arbitrary fields with values. */
export const sampleFields: fc.Arbitrary<readonly SampleField[]> = fc
  .array(
    fc
      .tuple(fc.stringMatching(/^[a-z]{1,6}(_[a-z]{1,6})?$/), anyType)
      .chain(([name, type]) => samplesOf(type).map((sample) => ({ name, type, sample }))),
    { maxLength: 6 },
  )
  .map((fields) => fields.map((field, at) => ({ ...field, name: `${field.name}_${at}` })));

/** Returns the bytes of fields. */
export const bytesOf = (fields: readonly SampleField[]): readonly number[] =>
  fields.flatMap(({ sample }) => sample.bytes);

/** Returns the decoded form of fields. */
export const dataOf = (fields: readonly SampleField[]): JsonObject =>
  Object.fromEntries(fields.map(({ name, type, sample }) => [name, { type, data: sample.data }]));

/** Returns fields as an IDL writes them. */
export const fieldsOf = (fields: readonly SampleField[]): JsonObject[] =>
  fields.map(({ name, type }) => ({ name, type }));
