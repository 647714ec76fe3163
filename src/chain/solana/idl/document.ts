/** Reads members of IDL documents, whose authors can write anything into them. */
import { isArray, type Json } from "../../../base/index.ts";
import { NUMBER_FORMATS, type NumberFormat, type NumberType } from "./model.ts";

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
export const numberType = (format: NumberFormat, bigEndian = false): NumberType =>
  bigEndian ? { kind: "number", format, bigEndian } : { kind: "number", format };

/** Returns the bytes of a list of numbers; undefined for anything else. */
export function bytesOf(value: Json | undefined): Uint8Array | undefined {
  if (!isArray(value) || value.length > 256) return undefined;
  const isByte = (item: Json) => typeof item === "number" && Number.isInteger(item) && item >= 0 && item <= 255;
  return value.every(isByte) ? Uint8Array.from(value as readonly number[]) : undefined;
}
