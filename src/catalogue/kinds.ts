/**
 * Kinds of fields: what a value means, independent of its JSON type. Formatting, alignment, links, sorting,
 * documentation and sanitising depend on the kind; the set is closed, and every consumer switches over it exhaustively.
 * Kinds also say in which fields numbers can exceed a double, and this file has the forms in which programs get these.
 */
import {
  decimalText,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type Numeric,
  numericText,
  parseDecimal,
  roundDecimal,
  toNumeric,
} from "../base/index.ts";

/** The kinds of fields, with their description for the documentation. */
export const KINDS = {
  address: "base58 address of an account",
  program: "base58 address of a program",
  signature: "base58 transaction signature",
  hash: "hash or opaque identifier",
  slot: "slot number",
  lamports: "lamports (10^-9 SOL)",
  tokenAmount: "base units of a token; divide by 10^decimals",
  amount: "whole units; decimals already applied",
  sol: "whole SOL",
  usd: "US dollars",
  percent: "percent (2.77 means 2.77 %)",
  change: "change in percent (2.77 means +2.77 %)",
  count: "count",
  ordinal: "whole number that identifies, such as a rank or a block height",
  number: "number",
  unixTime: "Unix time in seconds",
  isoTime: "ISO 8601 time",
  date: "calendar date as the number YYYYMMDD",
  minute: "calendar date and minute (UTC) as the number YYYYMMDDHHMM",
  status: "success or failure of a transaction",
  boolean: "true or false",
  enum: "enum",
  text: "untrusted text from the chain or third parties",
  url: "untrusted URL",
  json: "nested value",
} as const;

/** The kind of a field. */
export type Kind = keyof typeof KINDS;

/** The kinds that are quantities. */
export const NUMERIC_KINDS: ReadonlySet<string> = new Set<Kind>([
  "slot",
  "lamports",
  "tokenAmount",
  "amount",
  "sol",
  "usd",
  "percent",
  "change",
  "count",
  "ordinal",
  "number",
]);

/** The kinds of whole numbers up to 2^64 and beyond; their fields are large (see `NumberMode`). */
export const LARGE_KINDS = ["lamports", "tokenAmount"] as const satisfies readonly Kind[];

/** Whether the numbers of a field can exceed 2^53. */
export const isLargeField = ({ kind, isLarge }: Pick<FieldMeta, "kind" | "isLarge">): boolean =>
  isLarge ?? (LARGE_KINDS as readonly Kind[]).includes(kind);

/** The description of a field, stored as zod metadata. */
export interface FieldMeta {
  readonly kind: Kind;
  readonly description: string;
  /** The heading in tables, where the field's name contradicts the unit that is displayed: `lamports` of SOL. */
  readonly label?: string;
  /** Whether rows are compared by it: lists of the explorer draw a bar beside it. */
  readonly isCompared?: true;
  /** Whether its numbers can exceed 2^53, where the kind does not say so. */
  readonly isLarge?: true;
  /** For `tokenAmount`: the sibling field with the number of decimals, or that number. */
  readonly decimals?: string | number;
  /** For `tokenAmount`: the sibling field with the mint of the token. */
  readonly token?: string;
  /** For `enum`: the known values; others are accepted too. */
  readonly values?: readonly string[];
  /** For nested entities: the first columns of their table, with headings; the other fields follow. */
  readonly first?: Readonly<Record<string, string>>;
  /** Answers do not keep to the type of the field. */
  readonly unchecked?: boolean;
}

/** The names of the number modes. */
export const NUMBER_MODES = ["bigint", "string", "number"] as const;

/**
 * How a client returns whole numbers that can exceed 2^53, such as lamports: as a bigint, as text, or as a number whose
 * digits beyond 2^53 are rounded. It depends on the field, not on the value. All other numbers are plain.
 */
export type NumberMode = (typeof NUMBER_MODES)[number];

/** The type of a large field in each mode. */
export interface LargeNumbers {
  /** As a bigint. */
  readonly bigint: bigint;
  /** As text. */
  readonly string: string;
  /** As a number, rounded beyond 2^53. */
  readonly number: number;
}

/** Any JSON value, with large numbers of a type. */
export type JsonWith<Large> =
  | null
  | boolean
  | string
  | number
  | Large
  | readonly JsonWith<Large>[]
  | { readonly [key: string]: JsonWith<Large> };

/** Any JSON value with its numbers as a mode returns them. */
export type JsonOf<N extends NumberMode> = JsonWith<LargeNumbers[N]>;

/** What is known of the numbers in a value: of a large field, of another one, of fields by name, or nothing. */
export type NumberShape = "large" | "plain" | "unknown" | { readonly get: (name: string) => NumberShape | undefined };

/** How numbers are converted: those of large fields, and the others. Unknown fields go by the value. */
export interface NumberConversion {
  readonly large: (value: Numeric) => unknown;
  readonly plain: (value: Numeric) => unknown;
}

/** Returns a copy of a value with its numbers converted. The items of a list have the shape of the list. */
export function convertNumbers(value: Json, shape: NumberShape, conversion: NumberConversion): unknown {
  if (isNumeric(value)) {
    const isLarge = shape === "large" || (shape !== "plain" && exceedsDouble(value));
    return isLarge ? conversion.large(value) : conversion.plain(value);
  }
  // Some servers send as text what others send as a number.
  if (shape === "large" && typeof value === "string" && /^-?\d+$/.test(value)) {
    return conversion.large(toNumeric(value));
  }
  if (isArray(value)) return value.map((item) => convertNumbers(item, shape, conversion));
  if (!isObject(value)) return value;
  const fields = typeof shape === "string" ? undefined : shape;
  const entries = Object.entries(value).map(
    ([name, field]) => [name, convertNumbers(field, fields?.get(name) ?? "unknown", conversion)] as const,
  );
  return Object.fromEntries(entries);
}

/** Whether a number is whole and beyond what a double holds exactly. */
export function exceedsDouble(value: Numeric): boolean {
  const double = Number(numericText(value));
  return Number.isInteger(double) && !Number.isSafeInteger(double);
}

/** Returns a number as a double. */
export const toDouble = (value: Numeric): number => (typeof value === "number" ? value : Number(value.rawJSON));

/** Returns a number as a bigint; a fraction is rounded. */
export function toBigInt(value: Numeric): bigint {
  const text = numericText(value);
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const decimal = parseDecimal(text);
  if (!decimal) return 0n;
  const { digits, negative } = roundDecimal(decimal, 0).value;
  return negative ? -digits : digits;
}

/** Returns the digits of a number, without an exponent. */
export function toDigits(value: Numeric): string {
  const text = numericText(value);
  const decimal = /e/i.test(text) ? parseDecimal(text) : undefined;
  return decimal ? decimalText(decimal) : text;
}
