/** Decodes data by the types of an IDL, into the form of the API: { type, data } for every field. */
import { Buffer } from "node:buffer";
import { encodeBase58, type Json, type JsonObject } from "../../../base/index.ts";
import { ByteReader } from "../bytes.ts";
import {
  type Count,
  type DefinedType,
  type GenericArgument,
  type IdlField,
  type IdlType,
  type IdlVariant,
  type NumberType,
  type Offset,
  sizeOfNumber,
} from "./model.ts";

/** Data that does not have the form that its IDL describes. */
export class UndecodableData extends Error {
  override name = "UndecodableData";
}

/** Values in one piece of data; an IDL can describe more than any memory holds. */
const MAX_VALUES = 200_000;
/** Levels of values, which types that contain themselves can nest without end. */
const MAX_DEPTH = 128;

const UNIT: IdlType = { kind: "tuple", items: [] };

/** The values of generic parameters. They are resolved in the scope that they were written in. */
type Scope = ReadonlyMap<string, { readonly argument: GenericArgument; readonly scope: Scope }>;
const GLOBAL: Scope = new Map();

/** Returns data as values of a type. @throws UndecodableData when the data has another form */
export function decodeData(type: IdlType, types: ReadonlyMap<string, DefinedType>, bytes: Uint8Array): Json {
  try {
    return new DataDecoder(types).decode(type, new ByteReader(bytes), GLOBAL);
  } catch (error) {
    if (error instanceof RangeError) throw new UndecodableData(error.message, { cause: error });
    throw error;
  }
}

class DataDecoder {
  readonly #types: ReadonlyMap<string, DefinedType>;
  #values = 0;
  #depth = 0;

  constructor(types: ReadonlyMap<string, DefinedType>) {
    this.#types = types;
  }

  decode(type: IdlType, reader: ByteReader, scope: Scope): Json {
    this.#values += 1;
    this.#depth += 1;
    if (this.#values > MAX_VALUES) throw new UndecodableData(`the data has more than ${MAX_VALUES} values`);
    if (this.#depth > MAX_DEPTH) throw new UndecodableData(`the data is nested deeper than ${MAX_DEPTH} levels`);
    const value = this.#read(type, reader, scope);
    this.#depth -= 1;
    return value;
  }

  #read(type: IdlType, reader: ByteReader, scope: Scope): Json {
    switch (type.kind) {
      case "number":
        return readNumber(type, reader);
      case "bool":
        return readInteger(type.size, reader) !== 0n;
      case "pubkey":
        return reader.address();
      case "text":
        return readText(reader.rest(), type.encoding);
      case "bytes":
        return Buffer.from(reader.rest()).toString("base64");
      case "struct":
        return this.#struct(type.fields, reader, scope);
      case "tuple":
        return type.items.map((item) => this.decode(item, reader, scope));
      case "enum":
        return this.#enum(type.variants, readInteger(type.tag, reader), reader, scope);
      case "list":
        return this.#list(type.count, reader, scope, () => this.decode(type.item, reader, scope));
      case "map":
        return this.#list(type.count, reader, scope, () => [
          this.decode(type.key, reader, scope),
          this.decode(type.value, reader, scope),
        ]);
      case "option":
      case "zeroable":
        return this.#option(type, reader, scope);
      case "defined":
      case "generic":
        return this.#reference(type, reader, scope);
      case "unknown":
        throw new UndecodableData(`the type ${JSON.stringify(type.written).slice(0, 80)} is not known`);
      default:
        return this.#wrapped(type, reader, scope);
    }
  }

  #struct(fields: readonly IdlField[], reader: ByteReader, scope: Scope): JsonObject {
    const entries: [string, Json][] = [];
    for (const field of fields) {
      const data = this.decode(field.type, reader, scope);
      if (field.hidden !== true) entries.push([field.name, this.#node(field.type, data, scope)]);
    }
    return Object.fromEntries(entries);
  }

  #node(type: IdlType, data: Json, scope: Scope): JsonObject {
    return { type: typeName(this.#resolve(type, scope)), data };
  }

  /** Returns the type that a generic parameter stands for, so that it has a name. */
  #resolve(type: IdlType, scope: Scope): IdlType {
    for (let [current, at] = [type, scope], steps = 0; steps < MAX_DEPTH; steps++) {
      const entry = current.kind === "generic" ? at.get(current.name) : undefined;
      if (entry === undefined || !("type" in entry.argument)) return current;
      [current, at] = [entry.argument.type, entry.scope];
    }
    return type;
  }

  #enum(variants: readonly IdlVariant[], tag: bigint, reader: ByteReader, scope: Scope): Json {
    const variant = variants.find((entry, position) => BigInt(entry.tag ?? position) === tag);
    if (variant === undefined) throw new UndecodableData(`no variant has the number ${tag}`);
    const { name, content } = variant;
    if (content === undefined) return name;
    if (content.kind !== "tuple") return { [name]: this.decode(content, reader, scope) };
    const items = content.items.map((item) => this.#node(item, this.decode(item, reader, scope), scope));
    return { [name]: items };
  }

  #list(count: Count, reader: ByteReader, scope: Scope, read: () => Json): Json {
    const items: Json[] = [];
    const length = this.#length(count, reader, scope);
    while (length === undefined ? reader.remaining > 0 : items.length < length) {
      const { offset } = reader;
      items.push(read());
      if (length === undefined && reader.offset === offset) throw new UndecodableData("the items of a list are empty");
    }
    return items;
  }

  #length(count: Count, reader: ByteReader, scope: Scope): number | undefined {
    if (count === "remainder") return undefined;
    if (typeof count === "number") return count;
    if ("kind" in count) return Number(readInteger(count, reader));
    const argument = scope.get(count.generic)?.argument;
    if (argument === undefined || !("value" in argument)) {
      throw new UndecodableData(`the parameter ${count.generic} has no value`);
    }
    return argument.value;
  }

  #option(type: IdlType & { kind: "option" | "zeroable" }, reader: ByteReader, scope: Scope): Json {
    if (type.kind === "zeroable") {
      const start = reader.offset;
      const value = this.decode(type.item, reader, scope);
      const bytes = reader.bytes.subarray(start, reader.offset);
      return bytes.every((byte, at) => byte === (type.zero?.[at] ?? 0)) ? null : value;
    }
    if (type.prefix === undefined) return reader.remaining === 0 ? null : this.decode(type.item, reader, scope);
    const present = readInteger(type.prefix, reader) !== 0n;
    if (present) return this.decode(type.item, reader, scope);
    // The place of an absent value is filled with zeros, which need not be a valid value.
    if (type.fixed) reader.take(Math.min(this.#sizeOf(type.item, scope), reader.remaining));
    return null;
  }

  /** Returns the size of a type whose values all have the same; 0 for others. */
  #sizeOf(type: IdlType, scope: Scope): number {
    if (type.kind === "number") return sizeOfNumber(type.format) ?? 0;
    if (type.kind === "pubkey") return 32;
    if (type.kind === "bool") return sizeOfNumber(type.size.format) ?? 0;
    if (type.kind === "fixed") return type.size;
    return this.#sizeOfCompound(type, scope);
  }

  #sizeOfCompound(type: IdlType, scope: Scope): number {
    this.#values += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH || this.#values > MAX_VALUES) throw new UndecodableData("a type has no size");
    const items =
      type.kind === "struct" ? type.fields.map((field) => field.type) : type.kind === "tuple" ? type.items : [];
    let size = items.reduce((sum, item) => sum + this.#sizeOf(item, scope), 0);
    if (type.kind === "enum") size = sizeOfNumber(type.tag.format) ?? 0;
    if (type.kind === "zeroable") size = this.#sizeOf(type.item, scope);
    if (type.kind === "padded") size = type.before + this.#sizeOf(type.item, scope) + type.after;
    if (type.kind === "list" && typeof type.count === "number") size = type.count * this.#sizeOf(type.item, scope);
    if (type.kind === "defined") size = this.#sizeOf(this.#types.get(type.name)?.type ?? UNIT, scope);
    this.#depth -= 1;
    return size;
  }

  #reference(type: IdlType & { kind: "defined" | "generic" }, reader: ByteReader, scope: Scope): Json {
    if (type.kind === "generic") {
      const entry = scope.get(type.name);
      if (entry === undefined || !("type" in entry.argument)) {
        throw new UndecodableData(`the parameter ${type.name} has no type`);
      }
      return this.decode(entry.argument.type, reader, entry.scope);
    }
    const defined = this.#types.get(type.name);
    if (defined === undefined) throw new UndecodableData(`the type ${type.name} is not defined`);
    if (defined.generics.length === 0) return this.#content(defined.type, reader, GLOBAL);
    const names = defined.generics.flatMap((name, position) => {
      const argument = type.generics?.[position];
      return argument === undefined ? [] : [[name, { argument, scope }] as const];
    });
    return this.#content(defined.type, reader, new Map(names));
  }

  /** Reads a value of a defined type. The name hides the types of a tuple, so that its items have theirs. */
  #content(type: IdlType, reader: ByteReader, scope: Scope): Json {
    if (type.kind !== "tuple") return this.decode(type, reader, scope);
    return type.items.map((item) => this.#node(item, this.decode(item, reader, scope), scope));
  }

  #wrapped(
    type: IdlType & { kind: "sized" | "fixed" | "sentinel" | "padded" | "moved" },
    reader: ByteReader,
    scope: Scope,
  ): Json {
    if (type.kind === "padded") {
      reader.take(type.before);
      const value = this.decode(type.item, reader, scope);
      reader.take(type.after);
      return value;
    }
    if (type.kind === "moved") return this.#moved(type, reader, scope);
    if (type.kind === "sentinel") {
      const length = Buffer.from(reader.bytes.subarray(reader.offset)).indexOf(type.end);
      if (length < 0 || type.end.length === 0) throw new UndecodableData("the end of a value is missing");
      const value = this.decode(type.item, new ByteReader(reader.take(length)), scope);
      reader.take(type.end.length);
      return value;
    }
    const size = type.kind === "fixed" ? type.size : Number(readInteger(type.prefix, reader));
    return trimmed(this.decode(type.item, new ByteReader(reader.take(size)), scope), type);
  }

  #moved({ start, end, item }: IdlType & { kind: "moved" }, reader: ByteReader, scope: Scope): Json {
    const before = reader.offset;
    if (start !== undefined) move(reader, start, before);
    const value = this.decode(item, reader, scope);
    if (end !== undefined) move(reader, end, before);
    return value;
  }
}

/** Text in a field of fixed size is padded with NUL characters. */
function trimmed(value: Json, { kind, item }: IdlType & { kind: "fixed" | "sized" }): Json {
  if (kind !== "fixed" || item.kind !== "text" || typeof value !== "string") return value;
  let end = value.length;
  while (value[end - 1] === "\0") end -= 1;
  return value.slice(0, end);
}

function move(reader: ByteReader, { from, by }: Offset, before: number): void {
  const absolute = by < 0 ? reader.bytes.length + by : by;
  const target = from === "start" ? absolute : (from === "before" ? before : reader.offset) + by;
  if (target < 0 || target > reader.bytes.length) throw new UndecodableData("an offset is outside of the data");
  reader.offset = target;
}

function readText(bytes: Uint8Array, encoding: (IdlType & { kind: "text" })["encoding"]): string {
  if (encoding !== "base58") return Buffer.from(bytes).toString(encoding === "base16" ? "hex" : encoding);
  // The time that base58 takes grows with the square of the length.
  if (bytes.length > 1024) throw new UndecodableData("a base58 text is too long");
  return encodeBase58(bytes);
}

function readInteger({ format, bigEndian }: NumberType, reader: ByteReader): bigint {
  if (format === "shortU16") return BigInt(reader.compact());
  const size = sizeOfNumber(format) as number;
  const bytes = Uint8Array.from(reader.take(size));
  if (bigEndian !== true) bytes.reverse();
  const value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  return format.startsWith("i") ? BigInt.asIntN(size * 8, value) : value;
}

/** Reads a number: those of 8 bits are numbers, all others text, as the API has them. */
function readNumber(type: NumberType, reader: ByteReader): Json {
  const { format, bigEndian } = type;
  if (format === "u8") return reader.u8();
  if (format === "f32" || format === "f64") {
    const bytes = Uint8Array.from(reader.take(format === "f32" ? 4 : 8));
    const view = new DataView(bytes.buffer);
    return String(format === "f32" ? view.getFloat32(0, bigEndian !== true) : view.getFloat64(0, bigEndian !== true));
  }
  const value = readInteger(type, reader);
  return format === "i8" ? Number(value) : String(value);
}

/** Names by type: lists repeat the types of their items. */
const names = new WeakMap<IdlType, Json>();

/** Returns the name of a type. */
function typeName(type: IdlType): Json {
  const known = names.get(type);
  if (known !== undefined) return known;
  const name = createName(type);
  names.set(type, name);
  return name;
}

function createName(type: IdlType): Json {
  switch (type.kind) {
    case "number":
      return type.format;
    case "bool":
    case "pubkey":
    case "bytes":
      return type.kind;
    case "text":
      return "string";
    case "struct":
    case "enum":
      return { kind: type.kind };
    case "tuple":
      return { tuple: type.items.map(typeName) };
    case "list":
      return listName(type);
    case "map":
      return { hashMap: [typeName(type.key), typeName(type.value)] };
    case "option":
      return type.fixed ? { coption: typeName(type.item) } : { option: typeName(type.item) };
    case "zeroable":
      return { option: typeName(type.item) };
    case "defined":
      return { defined: definedName(type) };
    case "generic":
      return { generic: type.name };
    case "unknown":
      return type.written;
    default:
      return typeName(type.item);
  }
}

function listName({ count, item }: IdlType & { kind: "list" }): Json {
  if (typeof count === "number") return { array: [typeName(item), count] };
  if (typeof count === "object" && "generic" in count) return { array: [typeName(item), { generic: count.generic }] };
  return { vec: typeName(item) };
}

function definedName({ name, generics }: IdlType & { kind: "defined" }): Json {
  return generics === undefined || generics.length === 0 ? { name } : { name, generics: generics.map(argumentName) };
}

const argumentName = (argument: GenericArgument): Json =>
  "type" in argument
    ? { kind: "type", type: typeName(argument.type) }
    : { kind: "const", value: String(argument.value) };
