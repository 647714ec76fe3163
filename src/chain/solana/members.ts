/** Reads members of a node's answer. Each function names the member in the error when the answer has another form. */
import { Buffer } from "node:buffer";
import {
  isArray,
  isMissing,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  ServerError,
} from "../../base/index.ts";
import { decodeBase58 } from "./bytes.ts";

/** Returns the error of an answer that does not have the form of Solana's API. */
export function malformed(member: string, expected: string, cause?: unknown): ServerError {
  return new ServerError(`The node's answer is malformed: ${member} is not ${expected}.`, {
    code: "MALFORMED_ANSWER",
    hint: "Retry with another node (--rpc).",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Returns an object. */
export function objectOf(value: Json | undefined, member: string): JsonObject {
  if (!isObject(value)) throw malformed(member, "an object");
  return value;
}

/** Returns a list. */
export function listOf(value: Json | undefined, member: string): readonly Json[] {
  if (!isArray(value)) throw malformed(member, "a list");
  return value;
}

/** Returns a list; empty when the member is missing. */
export const optionalList = (value: Json | undefined, member: string): readonly Json[] =>
  isMissing(value) ? [] : listOf(value, member);

/** Returns a text. */
export function textOf(value: Json | undefined, member: string): string {
  if (typeof value !== "string") throw malformed(member, "a text");
  return value;
}

/** Returns a whole number that a double holds. */
export function integerOf(value: Json | undefined, member: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw malformed(member, "a whole number");
  return value;
}

/** Returns a whole number from zero. */
export function countOf(value: Json | undefined, member: string): number {
  const number = integerOf(value, member);
  if (number < 0) throw malformed(member, "a number from zero");
  return number;
}

const optional =
  <T>(read: (value: Json | undefined, member: string) => T) =>
  (value: Json | undefined, member: string): T | undefined =>
    isMissing(value) ? undefined : read(value, member);

/** Returns a text; undefined when the member is missing. */
export const optionalText = optional(textOf);

/** Returns a number from zero; undefined when the member is missing. */
export const optionalCount = optional(countOf);

/** Returns a whole number; undefined when the member is missing. */
export const optionalInteger = optional(integerOf);

const INTEGER = /^-?\d{1,20}$/;
const MAX_AMOUNT = 2n ** 64n - 1n;

/** Returns an amount of at most 64 bits with all its digits, from a number or from a text. */
export function amountOf(value: Json | undefined, member: string): bigint {
  const amount = wholeNumberOf(value, member);
  if (amount > MAX_AMOUNT || amount < -MAX_AMOUNT) throw malformed(member, "a number of 64 bits");
  return amount;
}

/** Returns a whole number with all its digits. Servers that round numbers exceed 64 bits where the largest is usual. */
export function wholeNumberOf(value: Json | undefined, member: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  const text = isNumeric(value) ? numericText(value) : value;
  if (typeof text !== "string" || !INTEGER.test(text)) throw malformed(member, "a whole number");
  return BigInt(text);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the bytes of a base64 text. */
export function base64Of(value: Json | undefined, member: string): Uint8Array {
  const text = textOf(value, member);
  if (!BASE64.test(text)) throw malformed(member, "base64");
  const { buffer, byteOffset, length } = Buffer.from(text, "base64");
  return new Uint8Array(buffer, byteOffset, length);
}

/** Returns the bytes of a base58 text. */
export function base58Of(value: Json | undefined, member: string): Uint8Array {
  try {
    return decodeBase58(textOf(value, member));
  } catch (error) {
    if (error instanceof RangeError) throw malformed(member, "base58", error);
    throw error;
  }
}
