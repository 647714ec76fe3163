/** Reads IDLs of the Anchor framework: of version 0.30 and later, of earlier ones, and of Shank, which has their form. */
import { Buffer } from "node:buffer";
import {
  countOf,
  fieldOf,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectsOf,
  sha256,
  toSnakeCase,
} from "../../../base/index.ts";
import {
  type Count,
  type DefinedType,
  deeper,
  type GenericArgument,
  type Idl,
  type IdlAccount,
  type IdlField,
  type IdlInstruction,
  type IdlLayout,
  type IdlStandard,
  type IdlType,
  type IdlVariant,
  isNumberFormat,
  numberType,
  parseBytes,
  textOrEmpty,
} from "./model.ts";

const BYTE = numberType("u8");
const LENGTH = numberType("u32");

/** Types that are written as a word. */
const WORDS: Readonly<Record<string, IdlType>> = {
  bool: { kind: "bool", size: BYTE },
  pubkey: { kind: "pubkey" },
  publicKey: { kind: "pubkey" },
  string: { kind: "sized", prefix: LENGTH, item: { kind: "text", encoding: "utf8" } },
  bytes: { kind: "sized", prefix: LENGTH, item: { kind: "bytes" } },
};

/** Returns the interface in an Anchor IDL. */
export function readAnchorIdl(document: JsonObject): Idl {
  const types = new Map(objectsOf(document.types).map((entry) => [textOrEmpty(entry.name), definedType(entry)]));
  const standard = detectStandard(document);
  return {
    name: textOrEmpty(fieldOf(document.metadata, "name")) || textOrEmpty(document.name),
    standard,
    instructions: objectsOf(document.instructions).map((entry, index) => parseInstruction(entry, index, standard)),
    accounts: objectsOf(document.accounts).map((entry) => parseLayout("account", entry, standard)),
    events: objectsOf(document.events).map((entry) => parseLayout("event", entry, standard)),
    types,
  };
}

function detectStandard({ metadata, address }: JsonObject): IdlStandard {
  if (fieldOf(metadata, "origin") === "shank") return "shank";
  return typeof address === "string" || fieldOf(metadata, "spec") !== undefined ? "anchorV30" : "anchorV29";
}

const definedType = (entry: JsonObject): DefinedType => ({
  type: parseType(entry.type, 0),
  generics: objectsOf(entry.generics).map(({ name }) => textOrEmpty(name)),
});

/** Returns the layout of an account or an event; since 0.30 its fields are those of the type with its name. */
function parseLayout(kind: "account" | "event", entry: JsonObject, standard: IdlStandard): IdlLayout {
  const name = textOrEmpty(entry.name);
  const type = parseFieldsType(entry) ?? { kind: "defined", name };
  if (standard === "shank") return { name, marks: [], skip: 0, type };
  const bytes = parseBytes(entry.discriminator) ?? hashed(`${kind}:${name}`);
  return { name, marks: [{ bytes, offset: 0 }], skip: bytes.length, type };
}

function parseFieldsType(entry: JsonObject): IdlType | undefined {
  if (entry.type !== undefined) return parseType(entry.type, 0);
  return isArray(entry.fields) ? { kind: "struct", fields: parseFields(entry.fields, 0) } : undefined;
}

function parseInstruction(entry: JsonObject, index: number, standard: IdlStandard): IdlInstruction {
  const name = textOrEmpty(entry.name);
  const bytes =
    parseBytes(entry.discriminator) ??
    parseDiscriminant(entry.discriminant) ??
    (standard === "shank" ? Uint8Array.of(index) : hashed(`global:${toSnakeCase(name)}`));
  return {
    name,
    marks: [{ bytes, offset: 0 }],
    skip: bytes.length,
    type: { kind: "struct", fields: parseFields(entry.args, 0) },
    accounts: parseAccounts(entry.accounts, "", 0),
  };
}

/** Returns the first bytes of an instruction of Shank: a number of up to eight bytes. */
function parseDiscriminant(value: Json | undefined): Uint8Array | undefined {
  const [number, type] = [countOf(fieldOf(value, "value")), fieldOf(value, "type")];
  if (number === undefined || typeof type !== "string" || !/^u(8|16|32|64)$/.test(type)) return undefined;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number), true);
  return bytes.subarray(0, Number(type.slice(1)) / 8);
}

function parseAccounts(value: Json | undefined, group: string, depth: number): readonly IdlAccount[] {
  return objectsOf(value).flatMap((entry): readonly IdlAccount[] => {
    const name = group + textOrEmpty(entry.name);
    if (isArray(entry.accounts)) return parseAccounts(entry.accounts, `${name}.`, deeper(depth));
    return [{ name, optional: entry.optional === true || entry.isOptional === true }];
  });
}

/** Returns the first eight bytes of a hash, as Anchor derives discriminators. */
const hashed = (text: string): Uint8Array => Uint8Array.from(Buffer.from(sha256(text).slice(0, 16), "hex"));

const parseFields = (value: Json | undefined, depth: number): readonly IdlField[] =>
  objectsOf(value).map(({ name, type }) => ({ name: textOrEmpty(name), type: parseType(type, deeper(depth)) }));

/** Returns a type of an IDL. Only what contains a type that is not known cannot be decoded. */
function parseType(written: Json | undefined, depth: number): IdlType {
  if (typeof written === "string") {
    if (isNumberFormat(written)) return numberType(written);
    return Object.hasOwn(WORDS, written) ? (WORDS[written] as IdlType) : { kind: "unknown", written };
  }
  if (!isObject(written)) return { kind: "unknown", written: written ?? null };
  return parseCompound(written, deeper(depth)) ?? { kind: "unknown", written };
}

function parseCompound(written: JsonObject, depth: number): IdlType | undefined {
  const [form = "", content] = Object.entries(written).find(([name]) => Object.hasOwn(FORMS, name)) ?? [];
  return FORMS[form]?.(content, depth, written);
}

type Form = (content: Json | undefined, depth: number, written: JsonObject) => IdlType | undefined;

const option =
  (prefix: "u8" | "u32", fixed: boolean): Form =>
  (content, depth, written) => ({
    kind: "option",
    prefix: isNumberFormat(written.prefix) ? numberType(written.prefix) : numberType(prefix),
    fixed: typeof written.fixed === "boolean" ? written.fixed : fixed,
    item: parseType(content, depth),
  });

const list: Form = (content, depth, { size }) => ({
  kind: "list",
  count: parseSize(size),
  item: parseType(content, depth),
});

const map: Form = (content, depth, { size }) => {
  if (!isArray(content) || content.length !== 2) return undefined;
  return {
    kind: "map",
    count: parseSize(size),
    key: parseType(content[0], depth),
    value: parseType(content[1], depth),
  };
};

/** Returns the length of a list as Shank extends it. */
function parseSize(size: Json | undefined): Count {
  if (size === "remainder") return size;
  return countOf(size) ?? (isNumberFormat(size) ? numberType(size) : LENGTH);
}

/** Types that are written as an object, by the member that says which. */
const FORMS: Readonly<Record<string, Form>> = {
  array: (content, depth) => {
    if (!isArray(content) || content.length !== 2) return undefined;
    const generic = textOrEmpty(fieldOf(content[1], "generic"));
    const count = generic === "" ? countOf(content[1]) : { generic };
    return count === undefined ? undefined : { kind: "list", count, item: parseType(content[0], depth) };
  },
  vec: list,
  hashSet: list,
  bTreeSet: list,
  hashMap: map,
  bTreeMap: map,
  option: option("u8", false),
  coption: option("u32", true),
  tuple: (content, depth) => ({
    kind: "tuple",
    items: (isArray(content) ? content : []).map((i) => parseType(i, depth)),
  }),
  generic: (content) => ({ kind: "generic", name: textOrEmpty(content) }),
  defined: (content, depth) => {
    if (typeof content === "string") return { kind: "defined", name: content };
    const generics = objectsOf(fieldOf(content, "generics")).map((entry) => parseGeneric(entry, depth));
    return { kind: "defined", name: textOrEmpty(fieldOf(content, "name")), generics };
  },
  kind: (content, depth, written) => {
    if (content === "struct") return parseContent(written.fields, depth) ?? { kind: "struct", fields: [] };
    if (content === "enum") return parseEnum(written, depth);
    return content === "alias" || content === "type"
      ? parseType(written.value ?? fieldOf(written, "alias"), depth)
      : undefined;
  },
};

const parseGeneric = (entry: JsonObject, depth: number): GenericArgument =>
  entry.kind === "const" ? { value: Number(entry.value) } : { type: parseType(entry.type, depth) };

/** Returns the fields of a structure or of a variant: with names, or as a tuple. */
function parseContent(fields: Json | undefined, depth: number): IdlType | undefined {
  if (!isArray(fields) || fields.length === 0) return undefined;
  const named = fields.every((field) => fieldOf(field, "name") !== undefined && fieldOf(field, "type") !== undefined);
  return named
    ? { kind: "struct", fields: parseFields(fields, depth) }
    : { kind: "tuple", items: fields.map((field) => parseType(field, depth)) };
}

function parseEnum({ variants, size }: JsonObject, depth: number): IdlType {
  return {
    kind: "enum",
    tag: isNumberFormat(size) ? numberType(size) : BYTE,
    variants: objectsOf(variants).map(({ name, fields }): IdlVariant => {
      const content = parseContent(fields, depth);
      return content === undefined ? { name: textOrEmpty(name) } : { name: textOrEmpty(name), content };
    }),
  };
}
