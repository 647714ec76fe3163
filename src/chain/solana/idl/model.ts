/** The interface of a program, independent of the standard in which it was published, and how members of IDL documents are read. */
import { isArray, type Json } from "../../../base/index.ts";

/** Formats of numbers. `shortU16` has one to three bytes. */
const NUMBER_FORMATS = [
  ...(["u8", "u16", "u32", "u64", "u128", "u256"] as const),
  ...(["i8", "i16", "i32", "i64", "i128", "i256"] as const),
  ...(["f32", "f64", "shortU16"] as const),
] as const;

/** The format of a number. */
type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** A number. */
export interface NumberType {
  readonly kind: "number";
  readonly format: NumberFormat;
  readonly bigEndian?: boolean;
}

/** The text encodings of bytes. */
export type TextEncoding = "utf8" | "base16" | "base58" | "base64";

/** The length of a list: a number before it, a constant, the value of a generic parameter, or as far as data goes. */
export type Count = NumberType | number | { readonly generic: string } | "remainder";

/** A field of a structure. */
export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
  /** Whether decoded data omits it, as discriminators are. */
  readonly hidden?: boolean;
}

/** A variant of an enumeration, without content for plain ones. */
export interface IdlVariant {
  readonly name: string;
  readonly content?: IdlType;
  /** The number that stands for it; by default its position. */
  readonly tag?: number;
}

/** An argument of a generic type. */
export type GenericArgument = { readonly type: IdlType } | { readonly value: number };

/** Where a wrapped value begins, or where the next one does. */
export interface Offset {
  readonly from: "start" | "current" | "before";
  readonly by: number;
}

/** The type of a value, with its layout in bytes. */
export type IdlType =
  | NumberType
  | { readonly kind: "bool"; readonly size: NumberType }
  | { readonly kind: "pubkey" }
  /** Text and bytes reach as far as data goes; `sized`, `fixed` and `sentinel` limit them. */
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  | { readonly kind: "bytes" }
  | { readonly kind: "sized"; readonly prefix: NumberType; readonly item: IdlType }
  | { readonly kind: "fixed"; readonly size: number; readonly item: IdlType }
  | { readonly kind: "sentinel"; readonly end: Uint8Array; readonly item: IdlType }
  | { readonly kind: "list"; readonly count: Count; readonly item: IdlType }
  | { readonly kind: "map"; readonly count: Count; readonly key: IdlType; readonly value: IdlType }
  /** An option without prefix is present if any data is left. */
  | {
      readonly kind: "option";
      readonly prefix: NumberType | undefined;
      readonly fixed: boolean;
      readonly item: IdlType;
    }
  /** An option whose absence is a value: zeros by default. */
  | { readonly kind: "zeroable"; readonly zero: Uint8Array | undefined; readonly item: IdlType }
  | { readonly kind: "struct"; readonly fields: readonly IdlField[] }
  | { readonly kind: "tuple"; readonly items: readonly IdlType[] }
  | { readonly kind: "enum"; readonly tag: NumberType; readonly variants: readonly IdlVariant[] }
  | { readonly kind: "defined"; readonly name: string; readonly generics?: readonly GenericArgument[] }
  | { readonly kind: "generic"; readonly name: string }
  /** Constants around a value. */
  | { readonly kind: "padded"; readonly before: number; readonly after: number; readonly item: IdlType }
  | {
      readonly kind: "moved";
      readonly start: Offset | undefined;
      readonly end: Offset | undefined;
      readonly item: IdlType;
    }
  /** A type that is not supported: data up to it can be decoded, data with it cannot. */
  | { readonly kind: "unknown"; readonly written: Json };

/** A type with a name. */
export interface DefinedType {
  readonly type: IdlType;
  readonly generics: readonly string[];
}

/** What identifies data: bytes at an offset, or its size. */
export type Mark = { readonly bytes: Uint8Array; readonly offset: number } | { readonly size: number };

/** A layout of data, with the marks that all have to match. */
export interface IdlLayout {
  /** As the IDL writes it. */
  readonly name: string;
  readonly marks: readonly Mark[];
  /** Bytes before the content. */
  readonly skip: number;
  readonly type: IdlType;
}

/** An account of an instruction. */
export interface IdlAccount {
  /** As the IDL writes it; accounts in groups as `group.account`. */
  readonly name: string;
  /** The address of the program stands for an optional account that is absent. */
  readonly optional: boolean;
}

/** An instruction. */
export interface IdlInstruction extends IdlLayout {
  readonly accounts: readonly IdlAccount[];
}

/** The standard of an IDL: Anchor before 0.30, Anchor since, Shank, or Codama. */
export type IdlStandard = "anchorV29" | "anchorV30" | "shank" | "codama";

/** The interface of a program. */
export interface Idl {
  readonly name: string;
  readonly standard: IdlStandard;
  readonly instructions: readonly IdlInstruction[];
  readonly accounts: readonly IdlLayout[];
  readonly events: readonly IdlLayout[];
  readonly types: ReadonlyMap<string, DefinedType>;
}

/** A document that is not an IDL. */
export class InvalidIdl extends Error {
  override name = "InvalidIdl";
}

/** Levels of nested types; deeper ones are refused. */
const MAX_DEPTH = 64;

/** Returns the next level of nesting. */
export function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) throw new InvalidIdl(`types are nested deeper than ${MAX_DEPTH} levels`);
  return depth + 1;
}

/** Returns a text; empty when there is none. */
export const textOrEmpty = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Whether a value is the name of a number format. */
export const isNumberFormat = (value: Json | undefined): value is NumberFormat =>
  (NUMBER_FORMATS as readonly (Json | undefined)[]).includes(value);

/** Returns a number type. */
export const numberType = (format: NumberFormat): NumberType => ({ kind: "number", format });

/** Returns the size of a number in bytes; undefined when it depends on its value. */
export function sizeOfNumber(format: NumberFormat): number | undefined {
  return format === "shortU16" ? undefined : Number(format.slice(1)) / 8;
}

/** Returns the bytes of a list of numbers; undefined for anything else. */
export function parseBytes(value: Json | undefined): Uint8Array | undefined {
  if (!isArray(value) || value.length > 256) return undefined;
  const isByte = (item: Json) => typeof item === "number" && Number.isInteger(item) && item >= 0 && item <= 255;
  return value.every(isByte) ? Uint8Array.from(value as readonly number[]) : undefined;
}
