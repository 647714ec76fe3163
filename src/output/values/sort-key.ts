/** The order of values by their kind. Numbers are compared by their digits, never as doubles alone. */
import {
  compareDecimals,
  type Decimal,
  isNumeric,
  type Json,
  numericText,
  parseDecimal,
  scaleDown,
  stringifyJson,
} from "../../base/index.ts";
import { type FieldMeta, type Kind, NUMERIC_KINDS } from "../../catalogue/index.ts";
import { findDecimals } from "./cell.ts";

/** A value with what its order depends on. */
export interface SortableValue {
  readonly value: Json | undefined;
  readonly meta: FieldMeta | undefined;
  readonly parent: Json | undefined;
}

/** Kinds that are numbers even where the API sends text. */
const QUANTITY_KINDS: ReadonlySet<string | undefined> = new Set([...NUMERIC_KINDS, "unixTime", "date", "minute"]);

/** Returns whether values of a kind are compared as numbers, text with digits included. */
export const isNumberKind = (kind: Kind | undefined) => QUANTITY_KINDS.has(kind);

/** Numbers of which one is no share of another: places in an order, moments, and shares themselves. */
const WITHOUT_RATIO: ReadonlySet<Kind | undefined> = new Set<Kind>([
  ...(["slot", "ordinal", "unixTime", "isoTime", "date", "minute"] as const),
  ...(["percent", "change"] as const),
]);

/** Returns whether a number of a kind can be a multiple or a share of another one. */
export const hasRatio = (kind: Kind | undefined) => !WITHOUT_RATIO.has(kind);

/** Returns whether values of a kind are sorted from highest to lowest first. */
export function isQuantity(kind: Kind | undefined): boolean {
  return isNumberKind(kind) || kind === "isoTime";
}

/** What is compared: values within a rank by value, otherwise by rank. Empty values have no key and come last. */
export type SortKey =
  | { readonly rank: 0 | 1; readonly number: Decimal; readonly double: number }
  | { readonly rank: 2 | 3 | 4; readonly text: string; readonly exact: string };

/** Returns the key of a value; undefined for null, missing and empty values. */
export function toSortKey({ value, meta, parent }: SortableValue): SortKey | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return textKey(3, value ? "1" : "0");
  if (isNumeric(value)) return numberKey(numericText(value), meta, parent) ?? textKey(2, numericText(value));
  if (typeof value !== "string") return textKey(4, stringifyJson(value));
  if (isNumberKind(meta?.kind)) return numberKey(value, meta, parent) ?? textKey(2, value);
  const seconds = meta?.kind === "isoTime" ? parseSeconds(value) : undefined;
  return (seconds === undefined ? undefined : numberKey(seconds, undefined, undefined)) ?? textKey(2, value);
}

/** Times as the API writes them, with their seconds and the fraction of a second. */
export const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** Returns the seconds of a time since the epoch, with every digit of its fraction; undefined for other text. */
function parseSeconds(text: string): string | undefined {
  const [, whole = text, fraction = "0"] = UTC_TIME.exec(text) ?? [];
  const seconds = Date.parse(whole === text ? text : `${whole}Z`) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return seconds < 0 || whole === text ? String(seconds) : `${seconds}.${fraction}`;
}

/** Only the letters of ASCII are compared without their case: jq, which repeats these orders, folds no others. */
function textKey(rank: 2 | 3 | 4, exact: string): SortKey {
  return { rank, text: exact.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()), exact };
}

/** Amounts in base units are compared in whole units; without decimals they cannot be compared with the others. */
function numberKey(text: string, meta: FieldMeta | undefined, parent: Json | undefined): SortKey | undefined {
  const number = parseDecimal(text);
  if (!number) return undefined;
  const decimals = meta?.kind === "tokenAmount" ? findDecimals(meta, parent) : 0;
  const scaled = decimals ? scaleDown(number, decimals) : number;
  return { rank: decimals === undefined ? 1 : 0, number: scaled, double: toDouble(scaled) };
}

/** Returns a number as a double, which decides most comparisons. */
function toDouble({ digits, scale, negative }: Decimal): number {
  const double = Number(digits) / 10 ** scale;
  return negative ? -double : double;
}

/** Doubles that differ by more than their error are those of different numbers. */
const DOUBLE_ERROR = 1e-14;

/** Compares two keys; a total order. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if ("number" in a && "number" in b) {
    const difference = a.double - b.double;
    const isCertain = Math.abs(difference) > DOUBLE_ERROR * Math.max(Math.abs(a.double), Math.abs(b.double));
    return isCertain ? difference : compareDecimals(a.number, b.number);
  }
  if (!("text" in a && "text" in b)) return 0;
  return compareTexts(a.text, b.text) || compareTexts(a.exact, b.exact);
}

/** Compares by code points, of which comparing strings would separate the two units of some. */
function compareTexts(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** Compares two keys in a direction; empty values come last in both. */
export function compareInDirection(a: SortKey | undefined, b: SortKey | undefined, isDescending: boolean): number {
  if (a && b) return isDescending ? compareKeys(b, a) : compareKeys(a, b);
  return Number(a === undefined) - Number(b === undefined);
}
