/** The order of rows on one page. Numbers are compared by their digits, never as doubles. */
import {
  compareDecimals,
  type Decimal,
  isNumeric,
  isObject,
  type Json,
  numericText,
  parseDecimal,
  scaleDown,
  stringifyJson,
} from "../../../base/index.ts";
import type { FieldMeta, Kind } from "../../../catalogue/index.ts";
import { NUMERIC_KINDS } from "../../../output/index.ts";
import type { ListColumn } from "./columns.ts";
import { type RowValue, valueOfColumn } from "./table.ts";

/** Kinds that are numbers even where the API sends text. */
const QUANTITY_KINDS: ReadonlySet<string | undefined> = new Set([...NUMERIC_KINDS, "unixTime", "date", "minute"]);

/** Returns whether values of a kind are sorted from highest to lowest first. */
export function isQuantity(kind: Kind | undefined): boolean {
  return QUANTITY_KINDS.has(kind) || kind === "isoTime";
}

/** What is compared: values within a rank by value, otherwise by rank. Empty values have no key and come last. */
export type SortKey =
  | { readonly rank: 0 | 1; readonly number: Decimal }
  | { readonly rank: 2 | 3 | 4; readonly text: string; readonly exact: string };

/** Returns the key of a value; undefined for null, missing and empty values. */
export function sortKeyOf({ value, meta, parent }: RowValue): SortKey | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return textKey(3, value ? "1" : "0");
  if (isNumeric(value)) return numberKey(numericText(value), meta, parent) ?? textKey(2, numericText(value));
  if (typeof value !== "string") return textKey(4, stringifyJson(value));
  if (QUANTITY_KINDS.has(meta?.kind)) return numberKey(value, meta, parent) ?? textKey(2, value);
  const moment = meta?.kind === "isoTime" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? textKey(2, value) : numberKey(String(moment), undefined, undefined);
}

function textKey(rank: 2 | 3 | 4, exact: string): SortKey {
  return { rank, text: exact.toLowerCase(), exact };
}

/** Amounts in base units are compared in whole units; without decimals they cannot be compared with the others. */
function numberKey(text: string, meta: FieldMeta | undefined, parent: Json | undefined): SortKey | undefined {
  const number = parseDecimal(text);
  if (!number || meta?.kind !== "tokenAmount") return number && { rank: 0, number };
  const decimals = decimalsOf(meta, parent);
  return decimals === undefined ? { rank: 1, number } : { rank: 0, number: scaleDown(number, decimals) };
}

function decimalsOf({ decimals }: FieldMeta, parent: Json | undefined): number | undefined {
  if (typeof decimals !== "string") return decimals;
  const value = isObject(parent) ? parent[decimals] : undefined;
  const text = isNumeric(value) ? numericText(value) : value;
  return typeof text === "string" && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** Compares two keys; a total order. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if ("number" in a && "number" in b && a.rank === b.rank) return compareDecimals(a.number, b.number);
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (!("text" in a && "text" in b)) return 0;
  return compareTexts(a.text, b.text) || compareTexts(a.exact, b.exact);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the indices of the rows in the order of a column. The sort is stable, and empty values come last in both
 * directions.
 */
export function sortOrder(rows: readonly Json[], column: ListColumn, isDescending: boolean): readonly number[] {
  const keys = rows.map((row) => sortKeyOf(valueOfColumn(row, column)));
  const sign = isDescending ? -1 : 1;
  return rows
    .map((_row, index) => index)
    .sort((one, other) => {
      const [a, b] = [keys[one], keys[other]];
      if (a && b) return sign * compareKeys(a, b) || one - other;
      return Number(a === undefined) - Number(b === undefined) || one - other;
    });
}

/** Describes the order of a page that the screen sorted. */
export function describeSort(head: string, isDescending: boolean): string {
  return `sorted by ${head} on this page, ${isDescending ? "highest" : "lowest"} first`;
}
