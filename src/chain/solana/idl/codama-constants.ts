/** Constants in Codama IDLs as bytes: discriminators, hidden prefixes and suffixes, sentinels, and zero values. */
import { Buffer } from "node:buffer";
import { countOf, fieldOf, type Json, objectsOf } from "../../../base/index.ts";
import { decodeBase58 } from "../base58.ts";
import { InvalidIdl, isNumberFormat, textOrEmpty } from "./document.ts";
import type { NumberFormat, NumberType } from "./model.ts";

/** Longest constant in bytes. */
const MAX_CONSTANT = 4096;

/** Returns the bytes of a text in an encoding. */
function encodeText(text: string, encoding: string): Uint8Array {
  if (text.length > MAX_CONSTANT) throw new InvalidIdl("a constant is too long");
  if (encoding === "base16") return Uint8Array.from(Buffer.from(text, "hex"));
  if (encoding === "base64") return Uint8Array.from(Buffer.from(text, "base64"));
  if (encoding === "utf8") return new TextEncoder().encode(text);
  if (encoding !== "base58") throw new InvalidIdl(`the encoding ${encoding} is not known`);
  try {
    return decodeBase58(text);
  } catch (cause) {
    throw new InvalidIdl("a constant is not base58", { cause });
  }
}

/** Returns the size of a number in bytes; undefined when it depends on its value. */
export function sizeOfNumber(format: NumberFormat): number | undefined {
  return format === "shortU16" ? undefined : Number(format.slice(1)) / 8;
}

/** Returns the bytes of a whole number. */
export function encodeNumber(value: number, { format, bigEndian }: NumberType): Uint8Array {
  const size = sizeOfNumber(format);
  if (size === undefined || format.startsWith("f") || !Number.isSafeInteger(value)) {
    throw new InvalidIdl("a constant is not a whole number");
  }
  const bytes = Uint8Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(at * 8)) & 0xffn));
  return bigEndian === true ? bytes.reverse() : bytes;
}

/** Reads the number of a variant of an enumeration: that of the type, in the type's size. */
export type EnumEncoder = (name: string, variant: string) => Uint8Array;

/** Returns the bytes of a value of a type, both as nodes of a Codama IDL. */
export function encodeConstant(type: Json | undefined, value: Json | undefined, encodeEnum: EnumEncoder): Uint8Array {
  switch (fieldOf(value, "kind")) {
    case "bytesValueNode":
      return fitted(type, encodeText(textOrEmpty(fieldOf(value, "data")), textOrEmpty(fieldOf(value, "encoding"))));
    case "stringValueNode":
      return fitted(type, encodeText(textOrEmpty(fieldOf(value, "string")), encodingOf(type)));
    case "publicKeyValueNode":
      return encodeText(textOrEmpty(fieldOf(value, "publicKey")), "base58");
    case "booleanValueNode":
      return encodeNumber(fieldOf(value, "boolean") === true ? 1 : 0, numberOf(fieldOf(type, "size")));
    case "numberValueNode":
      return encodeNumber(Number(fieldOf(value, "number")), numberOf(type));
    case "enumValueNode":
      return encodeEnum(textOrEmpty(fieldOf(fieldOf(value, "enum"), "name")), textOrEmpty(fieldOf(value, "variant")));
    case "constantValueNode":
      return fitted(type, encodeConstant(fieldOf(value, "type"), fieldOf(value, "value"), encodeEnum));
    default:
      throw new InvalidIdl("a constant has a kind that is not known");
  }
}

/** Returns the bytes of several constants, as hidden prefixes and suffixes have them. */
export function encodeConstants(list: Json | undefined, encodeEnum: EnumEncoder): readonly Uint8Array[] {
  return objectsOf(list).map(({ type, value }) => encodeConstant(type, value, encodeEnum));
}

/** Returns a number type in a Codama IDL, which other types can wrap. */
export function numberOf(node: Json | undefined, depth = 0): NumberType {
  const format = fieldOf(node, "format");
  if (isNumberFormat(format)) return { kind: "number", format, bigEndian: fieldOf(node, "endian") === "be" };
  const inner = fieldOf(node, "type") ?? fieldOf(node, "number");
  if (inner === undefined || depth > 8) throw new InvalidIdl("a number has no format");
  return numberOf(inner, depth + 1);
}

const encodingOf = (type: Json | undefined): string =>
  textOrEmpty(fieldOf(type, "encoding")) || textOrEmpty(fieldOf(fieldOf(type, "type"), "encoding")) || "utf8";

/** Returns bytes in the size or with the prefix that their type has. */
function fitted(type: Json | undefined, bytes: Uint8Array): Uint8Array {
  if (fieldOf(type, "kind") === "fixedSizeTypeNode") {
    const size = countOf(fieldOf(type, "size")) ?? bytes.length;
    if (size > MAX_CONSTANT) throw new InvalidIdl("a constant is too long");
    return Uint8Array.from({ length: size }, (_, at) => bytes[at] ?? 0);
  }
  if (fieldOf(type, "kind") !== "sizePrefixTypeNode") return bytes;
  return Uint8Array.from([...encodeNumber(bytes.length, numberOf(fieldOf(type, "prefix"))), ...bytes]);
}
