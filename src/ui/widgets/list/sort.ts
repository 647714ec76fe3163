/** The order of rows on one page. */
import type { Json } from "../../../base/index.ts";
import type { Kind } from "../../../catalogue/index.ts";
import { compareInDirection, type SortKey, sortKeyOf } from "../../../output/index.ts";
import type { ListColumn } from "./columns.ts";
import { valueOfColumn } from "./table.ts";

/** The keys of rows by column, since reversing an order needs the same ones. */
const KEYS = new WeakMap<readonly Json[], Map<string, readonly (SortKey | undefined)[]>>();

function readSortKeys(rows: readonly Json[], column: ListColumn): readonly (SortKey | undefined)[] {
  const byColumn = KEYS.get(rows) ?? new Map<string, readonly (SortKey | undefined)[]>();
  KEYS.set(rows, byColumn);
  const keys = byColumn.get(column.key) ?? rows.map((row) => sortKeyOf(valueOfColumn(row, column)));
  byColumn.set(column.key, keys);
  return keys;
}

/**
 * Returns the indices of the rows in the order of a column. The sort is stable, and empty values come last in both
 * directions.
 */
export function sortOrder(rows: readonly Json[], column: ListColumn, isDescending: boolean): readonly number[] {
  const keys = readSortKeys(rows, column);
  return rows
    .map((_row, index) => index)
    .sort((one, other) => compareInDirection(keys[one], keys[other], isDescending) || one - other);
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
  const readKind = ({ sources }: ListColumn) => sources[0]?.meta?.kind;
  const readField = ({ sources }: ListColumn) => String(sources[0]?.path.at(-1) ?? "");
  const isFee = (column: ListColumn) => AMOUNT_KINDS.has(readKind(column)) && FEE.test(readField(column));
  const isUnitPrice = (column: ListColumn) => readKind(column) !== "tokenAmount" && UNIT_PRICE.test(readField(column));
  const isAmount = (column: ListColumn) => AMOUNT_KINDS.has(readKind(column)) && !isFee(column) && !isUnitPrice(column);
  const choices: readonly ((column: ListColumn) => boolean)[] = [
    (column) => isAmount(column) && canSort(column),
    (column) => isAmount(column) && readKind(column) === "usd",
    isAmount,
    canSort,
    isFee,
    isTimeColumn,
  ];
  return Math.max(0, choices.map((choice) => columns.findIndex(choice)).find((index) => index >= 0) ?? 0);
}
