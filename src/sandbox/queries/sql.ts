/** Parts of SQL that many queries are made of. */

import type { SQLInputValue } from "node:sqlite";
import { DAY_SECONDS, decimalText, type Numeric, numericOf, parseDecimal, scaleDown } from "../../base/index.ts";

import type { LedgerClock, LedgerReader, LedgerRow } from "../ledger/reader.ts";
import { ROWS_PER_TRANSACTION } from "../ledger/schema.ts";
import type { QueryParams } from "./query.ts";

/** Selects a 64-bit amount so that no digit is lost; read it with {@link amountOf}. */
export const asText = (column: string): string => `CAST(${column} AS TEXT)`;

/** A number for the answer, from the text that {@link asText} selects: plain where a double holds it. */
export const amountOf = (text: unknown): Numeric => numericOf(String(text));

/** Conditions of a WHERE clause with their values. */
export class WhereClause {
  readonly #conditions: string[] = [];
  readonly #values: SQLInputValue[] = [];

  /** Adds a condition. */
  add(condition: string, ...values: readonly SQLInputValue[]): this {
    this.#conditions.push(condition);
    this.#values.push(...values);
    return this;
  }

  /** Adds `column IN (…)`, or NOT IN; an empty list is no condition. */
  addIn(column: string, values: readonly SQLInputValue[], { not = false } = {}): this {
    if (values.length === 0) return this;
    return this.add(`${column} ${not ? "NOT IN" : "IN"} (${values.map(() => "?").join()})`, ...values);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }

  /** The clause with the conditions of another one added; its values come after. */
  sqlWith(other: WhereClause): string {
    const conditions = [...this.#conditions, ...other.#conditions];
    return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  }

  get values(): readonly SQLInputValue[] {
    return this.#values;
  }
}

/** The number of the transaction that a row belongs to, by the row's id. */
export const transactionIdSql = (row: string): string => `${row} / ${ROWS_PER_TRANSACTION}`;

/** The condition that a row belongs to a transaction, as a range of ids. */
export const isInTransactionSql = (row: string, transaction: string): string =>
  `${row} >= ${transaction} * ${ROWS_PER_TRANSACTION} AND ${row} < (${transaction} + 1) * ${ROWS_PER_TRANSACTION}`;

/** Joins the transaction `x` of a row and its block `b`, by the row's id. */
export const joinBlock = (row: string): string =>
  `CROSS JOIN transactions x ON x.id = ${transactionIdSql(row)} CROSS JOIN blocks b ON b.slot = x.slot`;

/**
 * Rows of a page by their column `id`. A page's ids are found in order by an index, in a subquery; to have SQLite sort
 * what is looked up for them would cost a third of the page.
 */
export const sortById = (rows: readonly LedgerRow[], direction: "ASC" | "DESC"): readonly LedgerRow[] =>
  rows.toSorted((a, b) => (direction === "ASC" ? Number(a.id) - Number(b.id) : Number(b.id) - Number(a.id)));

/** Whether the account is a token account. */
export const isTokenAccount = (db: LedgerReader, id: number): boolean =>
  db.get("SELECT 1 FROM token_accounts WHERE account_id = ?", id) !== undefined;

/** No account has this number: what is not known matches nothing. */
const UNKNOWN = -1;

/** Numbers of accounts for a filter. */
export const idsOrUnknown = (db: LedgerReader, addresses: readonly string[]): readonly number[] =>
  addresses.map((address) => db.idOf(address) ?? UNKNOWN);

/** Number of the account for a filter. */
export const idOrUnknown = (db: LedgerReader, address: string): number => db.idOf(address) ?? UNKNOWN;

/** Narrows row ids (places on the chain) to a time window in the caller's Unix seconds, both ends included. */
export function addTimeWindow(
  where: WhereClause,
  db: LedgerReader,
  column: string,
  from: number | undefined,
  to: number | undefined,
): WhereClause {
  const { shift } = db.clock;
  if (from !== undefined) where.add(`${column} >= ?`, db.firstRowAt(from - shift));
  if (to !== undefined) where.add(`${column} < ?`, db.firstRowAt(to - shift + 1));
  return where;
}

/** The time window of a v2 request: from_time and to_time, or the two entries of block_time. */
export function timeWindow(params: QueryParams): readonly [from: number | undefined, to: number | undefined] {
  const [first, second] = params.list("block_time");
  return [
    params.integer("from_time") ?? (first === undefined ? undefined : Number(first)),
    params.integer("to_time") ?? (second === undefined ? undefined : Number(second)),
  ];
}

/** The greatest 64-bit integer: filters may name greater numbers, columns cannot hold them. */
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * Narrows a column of whole numbers to a range, both ends included, exactly.
 * @param range least and greatest as decimal text; either may be missing
 * @param decimals what the column's unit is smaller by: 6 for values, which are asked for in dollars
 */
export function addRange(
  where: WhereClause,
  column: string,
  range: readonly (string | undefined)[],
  decimals = 0,
): WhereClause {
  const [minimum, maximum] = range.map((text) => (text === undefined ? undefined : parseDecimal(text)));
  const clamped = (integer: bigint) => (integer > MAX_INTEGER ? MAX_INTEGER : integer);
  const unit = (scale: number) => 10n ** BigInt(Math.max(0, scale - decimals));
  const raised = (digits: bigint, scale: number) => digits * 10n ** BigInt(Math.max(0, decimals - scale));
  if (minimum) {
    const [digits, divisor] = [raised(minimum.digits, minimum.scale), unit(minimum.scale)];
    where.add(`${column} >= ?`, clamped((digits + divisor - 1n) / divisor));
  }
  if (maximum) where.add(`${column} <= ?`, clamped(raised(maximum.digits, maximum.scale) / unit(maximum.scale)));
  return where;
}

/** LIMIT and OFFSET of `page` and `page_size`. */
export function pageLimits(params: QueryParams): readonly [limit: number, offset: number] {
  const [size, page] = [params.integer("page_size") ?? 10, params.integer("page") ?? 1];
  return [size, (page - 1) * size];
}

/** LIMIT and OFFSET of the legacy `limit` and `offset`. */
export const sliceLimits = (params: QueryParams): readonly [limit: number, offset: number] => [
  params.integer("limit") ?? 10,
  params.integer("offset") ?? 0,
];

/** ASC or DESC. */
export const sortDirection = (params: QueryParams, name = "sort_order"): "ASC" | "DESC" =>
  params.text(name) === "asc" ? "ASC" : "DESC";

/** The caller's Unix seconds of a ledger time. */
export const toUnixTime = (clock: LedgerClock, time: unknown): number => Number(time) + clock.shift;

/** Days as `2026-07-01T` by their number; rows of a page share few. */
const dayTexts = new Map<number, string>();
/** Days kept. */
const MAX_DAY_TEXTS = 1000;

function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -"00:00:00.000Z".length);
  if (dayTexts.size >= MAX_DAY_TEXTS) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** ISO 8601 with milliseconds, as the API writes it. */
export function toIsoTime(clock: LedgerClock, time: unknown): string {
  const unix = toUnixTime(clock, time);
  const day = Math.floor(unix / DAY_SECONDS);
  const seconds = unix - day * DAY_SECONDS;
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${dayText(day)}${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(seconds % 60)}.000Z`;
}

/** Where a row is on the chain, as rows of activities begin; {@link joinBlock} gives what it takes. */
export const positionFields = ({ clock }: LedgerReader, row: LedgerRow) => ({
  block_id: Number(row.slot),
  trans_id: String(row.signature),
  block_time: toUnixTime(clock, row.time),
  time: toIsoTime(clock, row.time),
});

const MICRO = 1_000_000;

/** Dollars of a value in millionths. */
export const dollars = (micro: unknown): number => Number(micro) / MICRO;

/** Dollars of a value in millionths that {@link asText} selected, with every digit. */
export function exactDollars(micro: unknown): Numeric {
  const value = parseDecimal(String(micro));
  return value ? numericOf(decimalText(scaleDown(value, 6))) : 0;
}
