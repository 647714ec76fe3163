/** Reads IDLs in the form of Codama: a tree of nodes, each with its kind. */
import { Buffer } from "node:buffer";
import {
  countOf,
  decodeBase58,
  fieldOf,
  isObject,
  type Json,
  type JsonObject,
  objectsOf,
} from "../../../base/index.ts";
import {
  type Count,
  type DefinedType,
  deeper,
  type Idl,
  type IdlField,
  type IdlInstruction,
  type IdlLayout,
  type IdlType,
  type IdlVariant,
  InvalidIdl,
  isNumberFormat,
  type Mark,
  type NumberType,
  type Offset,
  sizeOfNumber,
  type TextEncoding,
  textOrEmpty,
} from "./model.ts";

const MAX_CONSTANT = 4096;

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

function encodeNumber(value: number, { format, bigEndian }: NumberType): Uint8Array {
  const size = sizeOfNumber(format);
  if (size === undefined || format.startsWith("f") || !Number.isSafeInteger(value)) {
    throw new InvalidIdl("a constant is not a whole number");
  }
  const bytes = Uint8Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(at * 8)) & 0xffn));
  return bigEndian === true ? bytes.reverse() : bytes;
}

/** Reads the number of a variant of an enumeration: that of the type, in the type's size. */
type EnumEncoder = (name: string, variant: string) => Uint8Array;

/** Returns the bytes of a value of a type, both as nodes of a Codama IDL. */
function encodeConstant(type: Json | undefined, value: Json | undefined, encodeEnum: EnumEncoder): Uint8Array {
  switch (fieldOf(value, "kind")) {
    case "bytesValueNode":
      return fitted(type, encodeText(textOrEmpty(fieldOf(value, "data")), textOrEmpty(fieldOf(value, "encoding"))));
    case "stringValueNode":
      return fitted(type, encodeText(textOrEmpty(fieldOf(value, "string")), encodingOf(type)));
    case "publicKeyValueNode":
      return encodeText(textOrEmpty(fieldOf(value, "publicKey")), "base58");
    case "booleanValueNode":
      return encodeNumber(fieldOf(value, "boolean") === true ? 1 : 0, parseNumber(fieldOf(type, "size")));
    case "numberValueNode":
      return encodeNumber(Number(fieldOf(value, "number")), parseNumber(type));
    case "enumValueNode":
      return encodeEnum(textOrEmpty(fieldOf(fieldOf(value, "enum"), "name")), textOrEmpty(fieldOf(value, "variant")));
    case "constantValueNode":
      return fitted(type, encodeConstant(fieldOf(value, "type"), fieldOf(value, "value"), encodeEnum));
    default:
      throw new InvalidIdl("a constant has a kind that is not known");
  }
}

/** Returns the bytes of several constants, as hidden prefixes and suffixes have them. */
function encodeConstants(list: Json | undefined, encodeEnum: EnumEncoder): readonly Uint8Array[] {
  return objectsOf(list).map(({ type, value }) => encodeConstant(type, value, encodeEnum));
}

/** Returns a number type in a Codama IDL, which other types can wrap. */
function parseNumber(node: Json | undefined, depth = 0): NumberType {
  const format = fieldOf(node, "format");
  if (isNumberFormat(format)) return { kind: "number", format, bigEndian: fieldOf(node, "endian") === "be" };
  const inner = fieldOf(node, "type") ?? fieldOf(node, "number");
  if (inner === undefined || depth > 8) throw new InvalidIdl("a number has no format");
  return parseNumber(inner, depth + 1);
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
  return Uint8Array.from([...encodeNumber(bytes.length, parseNumber(fieldOf(type, "prefix"))), ...bytes]);
}

/** Whether a document is a Codama IDL. */
export const isCodamaIdl = (document: JsonObject): boolean => document.kind === "rootNode";

/** Returns the interface in a Codama IDL. */
export function readCodamaIdl(document: JsonObject): Idl {
  const { program } = document;
  if (!isObject(program)) throw new InvalidIdl("the IDL has no program");
  return new CodamaReader([program, ...objectsOf(document.additionalPrograms)]).read(program);
}

class CodamaReader {
  readonly #types = new Map<string, DefinedType>();

  constructor(programs: readonly JsonObject[]) {
    for (const { name, type } of programs.flatMap(({ definedTypes }) => objectsOf(definedTypes))) {
      // A type of the program itself precedes those of others with the same name.
      if (!this.#types.has(textOrEmpty(name)))
        this.#types.set(textOrEmpty(name), { type: this.#typeOf(type, 0), generics: [] });
    }
  }

  read(program: JsonObject): Idl {
    return {
      name: textOrEmpty(program.name),
      standard: "codama",
      instructions: objectsOf(program.instructions).map((node) => this.#instructionOf(node)),
      accounts: objectsOf(program.accounts).map((node) => this.#layoutOf(node, fieldsIn(node.data))),
      events: objectsOf(program.events).map((node) => this.#layoutOf(node, fieldsIn(node.data))),
      types: this.#types,
    };
  }

  #instructionOf(node: JsonObject): IdlInstruction {
    return {
      ...this.#layoutOf({ ...node, data: { kind: "structTypeNode", fields: node.arguments ?? [] } }, node.arguments),
      accounts: objectsOf(node.accounts).map(({ name, isOptional }) => ({
        name: textOrEmpty(name),
        optional: isOptional === true && node.optionalAccountStrategy !== "omitted",
      })),
    };
  }

  #layoutOf(node: JsonObject, fields: Json | undefined): IdlLayout {
    // Without marks nothing matches: a layout that cannot be read does not spoil the others.
    const marks = unless(() => objectsOf(node.discriminators).map((mark) => this.#markOf(mark, fields)), []);
    return { name: textOrEmpty(node.name), marks, skip: 0, type: this.#typeOf(node.data, 0) };
  }

  #markOf(node: JsonObject, fields: Json | undefined): Mark {
    if (node.kind === "sizeDiscriminatorNode") return { size: countOf(node.size) ?? 0 };
    const offset = countOf(node.offset) ?? 0;
    const [type, value] =
      node.kind === "constantDiscriminatorNode"
        ? [fieldOf(node.constant, "type"), fieldOf(node.constant, "value")]
        : fieldConstant(fields, textOrEmpty(node.name));
    return { bytes: encodeConstant(type, value, this.#encodeEnum), offset };
  }

  readonly #encodeEnum: EnumEncoder = (name, variant) => {
    const type = this.#types.get(name)?.type;
    const position = type?.kind === "enum" ? type.variants.findIndex((entry) => entry.name === variant) : -1;
    if (type?.kind !== "enum" || position < 0) throw new InvalidIdl(`the variant ${variant} is not known`);
    return encodeNumber(type.variants[position]?.tag ?? position, type.tag);
  };

  #typeOf(node: Json | undefined, depth: number): IdlType {
    if (!isObject(node)) return { kind: "unknown", written: node ?? null };
    const read = TYPES[textOrEmpty(node.kind)];
    const unknown: IdlType = { kind: "unknown", written: textOrEmpty(node.kind) };
    if (read === undefined) return unknown;
    return unless(() => {
      const next = deeper(depth);
      return read(node, (inner) => this.#typeOf(inner, next), this.#encodeEnum);
    }, unknown);
  }
}

/** Returns what a function reads, or another value if that is invalid. */
function unless<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidIdl) return otherwise;
    throw error;
  }
}

/** Returns the fields of a structure, which other types can wrap. */
function fieldsIn(node: Json | undefined, depth = 0): Json | undefined {
  const inner = fieldOf(node, "type");
  return inner === undefined || depth > 8 ? fieldOf(node, "fields") : fieldsIn(inner, depth + 1);
}

/** Returns the type and the value of a field that is a discriminator. */
function fieldConstant(fields: Json | undefined, name: string): readonly [Json | undefined, Json | undefined] {
  const field = objectsOf(fields).find((entry) => entry.name === name);
  return [field?.type, field?.defaultValue];
}

type Inner = (node: Json | undefined) => IdlType;
type TypeReader = (node: JsonObject, inner: Inner, encodeEnum: EnumEncoder) => IdlType;

const ENCODINGS: readonly string[] = ["utf8", "base16", "base58", "base64"] satisfies readonly TextEncoding[];

const list: TypeReader = ({ count, item }, inner) => ({ kind: "list", count: countNode(count), item: inner(item) });
const wrapped: TypeReader = ({ number }, inner) => inner(number);

const TYPES: Readonly<Record<string, TypeReader>> = {
  numberTypeNode: (node) => parseNumber(node),
  amountTypeNode: wrapped,
  solAmountTypeNode: wrapped,
  dateTimeTypeNode: wrapped,
  booleanTypeNode: ({ size }) => ({ kind: "bool", size: parseNumber(size) }),
  publicKeyTypeNode: () => ({ kind: "pubkey" }),
  stringTypeNode: ({ encoding }) => ({
    kind: "text",
    encoding: ENCODINGS.includes(textOrEmpty(encoding)) ? (encoding as TextEncoding) : "utf8",
  }),
  bytesTypeNode: () => ({ kind: "bytes" }),
  sizePrefixTypeNode: ({ prefix, type }, inner) => ({ kind: "sized", prefix: parseNumber(prefix), item: inner(type) }),
  fixedSizeTypeNode: ({ size, type }, inner) => ({ kind: "fixed", size: countOf(size) ?? 0, item: inner(type) }),
  sentinelTypeNode: ({ sentinel, type }, inner, encodeEnum) => ({
    kind: "sentinel",
    end: encodeConstant(fieldOf(sentinel, "type"), fieldOf(sentinel, "value"), encodeEnum),
    item: inner(type),
  }),
  arrayTypeNode: list,
  setTypeNode: list,
  mapTypeNode: ({ count, key, value }, inner) => ({
    kind: "map",
    count: countNode(count),
    key: inner(key),
    value: inner(value),
  }),
  optionTypeNode: ({ prefix, fixed, item }, inner) => ({
    kind: "option",
    prefix: parseNumber(prefix),
    fixed: fixed === true,
    item: inner(item),
  }),
  remainderOptionTypeNode: ({ item }, inner) => ({
    kind: "option",
    prefix: undefined,
    fixed: false,
    item: inner(item),
  }),
  zeroableOptionTypeNode: ({ item, zeroValue }, inner, encodeEnum) => ({
    kind: "zeroable",
    zero: isObject(zeroValue) ? encodeConstant(zeroValue.type, zeroValue.value, encodeEnum) : undefined,
    item: inner(item),
  }),
  structTypeNode: ({ fields }, inner) => ({
    kind: "struct",
    fields: objectsOf(fields).map((f) => structField(f, inner)),
  }),
  tupleTypeNode: ({ items }, inner) => ({ kind: "tuple", items: objectsOf(items).map(inner) }),
  enumTypeNode: ({ size, variants }, inner) => ({
    kind: "enum",
    tag: parseNumber(size),
    variants: objectsOf(variants).map((variant) => parseVariant(variant, inner)),
  }),
  definedTypeLinkNode: ({ name }) => ({ kind: "defined", name: textOrEmpty(name) }),
  hiddenPrefixTypeNode: ({ prefix, type }, inner, encodeEnum) => ({
    kind: "padded",
    before: lengthOf(encodeConstants(prefix, encodeEnum)),
    after: 0,
    item: inner(type),
  }),
  hiddenSuffixTypeNode: ({ suffix, type }, inner, encodeEnum) => ({
    kind: "padded",
    before: 0,
    after: lengthOf(encodeConstants(suffix, encodeEnum)),
    item: inner(type),
  }),
  preOffsetTypeNode: ({ type, ...node }, inner) => ({
    kind: "moved",
    start: parseOffset(node),
    end: undefined,
    item: inner(type),
  }),
  postOffsetTypeNode: ({ type, ...node }, inner) => ({
    kind: "moved",
    start: undefined,
    end: parseOffset(node),
    item: inner(type),
  }),
};

const lengthOf = (constants: readonly Uint8Array[]): number => constants.reduce((sum, { length }) => sum + length, 0);

function countNode(node: Json | undefined): Count {
  if (fieldOf(node, "kind") === "remainderCountNode") return "remainder";
  return fieldOf(node, "kind") === "fixedCountNode"
    ? (countOf(fieldOf(node, "value")) ?? 0)
    : parseNumber(fieldOf(node, "prefix"));
}

function structField(node: JsonObject, inner: Inner): IdlField {
  const field = { name: textOrEmpty(node.name), type: inner(node.type) };
  return node.defaultValueStrategy === "omitted" ? { ...field, hidden: true } : field;
}

function parseVariant(node: JsonObject, inner: Inner): IdlVariant {
  const content = node.struct ?? node.tuple;
  const tag = countOf(node.discriminator);
  return {
    name: textOrEmpty(node.name),
    ...(content === undefined ? {} : { content: inner(content) }),
    ...(tag === undefined ? {} : { tag }),
  };
}

const ORIGINS: Readonly<Record<string, Offset["from"]>> = { absolute: "start", preOffset: "before" };

function parseOffset({ strategy, offset }: JsonObject): Offset {
  const by = typeof offset === "number" && Number.isSafeInteger(offset) ? offset : 0;
  return { from: ORIGINS[textOrEmpty(strategy)] ?? "current", by };
}
