/** The order of rows on one page. Numbers are compared by their digits, never as doubles. */
import {
  compareDecimals,
  type Decimal,
  isNumeric,
  type Json,
  numericText,
  parseDecimal,
  scaleDown,
  stringifyJson,
} from "../../../base/index.ts";
import { type FieldMeta, type Kind, NUMERIC_KINDS } from "../../../catalogue/index.ts";
import { decimalsOf } from "../../../output/index.ts";
import type { ListColumn } from "./columns.ts";
import { type RowValue, valueOfColumn } from "./table.ts";

/** Kinds that are numbers even where the API sends text. */
const QUANTITY_KINDS: ReadonlySet<string | undefined> = new Set([...NUMERIC_KINDS, "unixTime", "date", "minute"]);

/** Returns whether values of a kind are compared as numbers, text with digits included. */
export const isNumberKind = (kind: Kind | undefined) => QUANTITY_KINDS.has(kind);

/** Returns whether values of a kind are sorted from highest to lowest first. */
export function isQuantity(kind: Kind | undefined): boolean {
  return isNumberKind(kind) || kind === "isoTime";
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
  if (isNumberKind(meta?.kind)) return numberKey(value, meta, parent) ?? textKey(2, value);
  const seconds = meta?.kind === "isoTime" ? secondsOf(value) : undefined;
  return (seconds === undefined ? undefined : numberKey(seconds, undefined, undefined)) ?? textKey(2, value);
}

/** Times as the API writes them, with their seconds and the fraction of a second. */
export const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** Returns the seconds of a time since the epoch, with every digit of its fraction; undefined for other text. */
function secondsOf(text: string): string | undefined {
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
  if (!number || meta?.kind !== "tokenAmount") return number && { rank: 0, number };
  const decimals = decimalsOf(meta, parent);
  return decimals === undefined ? { rank: 1, number } : { rank: 0, number: scaleDown(number, decimals) };
}

/** Compares two keys; a total order. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if ("number" in a && "number" in b && a.rank === b.rank) return compareDecimals(a.number, b.number);
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (!("text" in a && "text" in b)) return 0;
  return compareTexts(a.text, b.text) || compareTexts(a.exact, b.exact);
}

/** Compares by code points, of which comparing strings would separate the two units of some. */
function compareTexts(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** The keys of rows by column, since reversing an order needs the same ones. */
const KEYS = new WeakMap<readonly Json[], Map<string, readonly (PlacedKey | undefined)[]>>();

/** A key with its number as a double, which decides most comparisons. */
interface PlacedKey {
  readonly key: SortKey;
  readonly double: number;
}

function keysOf(rows: readonly Json[], column: ListColumn): readonly (PlacedKey | undefined)[] {
  const byColumn = KEYS.get(rows) ?? new Map<string, readonly (PlacedKey | undefined)[]>();
  KEYS.set(rows, byColumn);
  const keys = byColumn.get(column.key) ?? rows.map((row) => placedKey(sortKeyOf(valueOfColumn(row, column))));
  byColumn.set(column.key, keys);
  return keys;
}

function placedKey(key: SortKey | undefined): PlacedKey | undefined {
  if (!key || !("number" in key)) return key && { key, double: Number.NaN };
  const { digits, scale, negative } = key.number;
  const double = Number(digits) / 10 ** scale;
  return { key, double: negative ? -double : double };
}

/** Doubles that differ by more than their error are those of different numbers. */
const DOUBLE_ERROR = 1e-14;

function comparePlaced(a: PlacedKey, b: PlacedKey): number {
  const difference = a.double - b.double;
  const isCertain =
    a.key.rank === b.key.rank && Math.abs(difference) > DOUBLE_ERROR * Math.max(Math.abs(a.double), Math.abs(b.double));
  return isCertain ? difference : compareKeys(a.key, b.key);
}

/**
 * Returns the indices of the rows in the order of a column. The sort is stable, and empty values come last in both
 * directions.
 */
export function sortOrder(rows: readonly Json[], column: ListColumn, isDescending: boolean): readonly number[] {
  const keys = keysOf(rows, column);
  const sign = isDescending ? -1 : 1;
  return rows
    .map((_row, index) => index)
    .sort((one, other) => {
      const [a, b] = [keys[one], keys[other]];
      if (a && b) return sign * comparePlaced(a, b) || one - other;
      return Number(a === undefined) - Number(b === undefined) || one - other;
    });
}

/**
 * Describes an order of the screen.
 * @param scope the rows that are sorted: `this page`
 */
export function describeSort(head: string, isDescending: boolean, scope = "this page"): string {
  return `sorted by ${head}, ${isDescending ? "highest" : "lowest"} first, ${scope}`;
}

/** Kinds of amounts, by which people sort before anything else, and of times. */
const AMOUNT_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(["usd", "tokenAmount", "lamports", "sol", "amount"]);
const TIME_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(["unixTime", "isoTime", "date", "minute"]);
/** Returns whether a column has the times of the rows. */
export const isTimeColumn = ({ sources }: ListColumn) => TIME_KINDS.has(sources[0]?.meta?.kind);

/** Amounts for one unit and fees, which say little about a row; prices in tokens are those of whole items. */
const UNIT_PRICE = /price/i;
const FEE = /^fee$/;

/**
 * Returns the index of the column that the rows are sorted by at first: an amount that the API sorts by, or else a value
 * in US dollars, another amount, another column that the API sorts by, a fee, a time.
 */
export function naturalColumn(
  columns: readonly ListColumn[],
  canSort: (column: ListColumn) => boolean = () => false,
): number {
  const kindOf = ({ sources }: ListColumn) => sources[0]?.meta?.kind;
  const nameOf = ({ sources }: ListColumn) => String(sources[0]?.path.at(-1) ?? "");
  const isFee = (column: ListColumn) => AMOUNT_KINDS.has(kindOf(column)) && FEE.test(nameOf(column));
  const isUnitPrice = (column: ListColumn) => kindOf(column) !== "tokenAmount" && UNIT_PRICE.test(nameOf(column));
  const isAmount = (column: ListColumn) => AMOUNT_KINDS.has(kindOf(column)) && !isFee(column) && !isUnitPrice(column);
  const choices: readonly ((column: ListColumn) => boolean)[] = [
    (column) => isAmount(column) && canSort(column),
    (column) => isAmount(column) && kindOf(column) === "usd",
    isAmount,
    canSort,
    isFee,
    isTimeColumn,
  ];
  return Math.max(0, choices.map((choice) => columns.findIndex(choice)).find((index) => index >= 0) ?? 0);
}
