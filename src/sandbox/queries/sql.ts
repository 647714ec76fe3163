/** Parts of SQL that many queries are made of. */

import type { SQLInputValue } from "node:sqlite";
import { DAY_SECONDS, decimalText, type Numeric, numericOf, parseDecimal, scaleDown } from "../../base/index.ts";

import type { Clock, Reader, Row } from "../ledger/reader.ts";
import { ROWS_PER_TRANSACTION } from "../ledger/schema.ts";
import type { Params } from "./query.ts";

/** Selects a 64-bit amount so that no digit is lost; read it with {@link amountOf}. */
export const exact = (column: string): string => `CAST(${column} AS TEXT)`;

/** A number for the answer, from the text that {@link exact} selects: plain where a double holds it. */
export const amountOf = (text: unknown): Numeric => numericOf(String(text));

/** Conditions of a WHERE clause with their values. */
export class Where {
  readonly #conditions: string[] = [];
  readonly #values: SQLInputValue[] = [];

  /** Adds a condition. */
  add(condition: string, ...values: readonly SQLInputValue[]): this {
    this.#conditions.push(condition);
    this.#values.push(...values);
    return this;
  }

  /** Adds `column IN (…)`, or NOT IN; an empty list is no condition. */
  among(column: string, values: readonly SQLInputValue[], { not = false } = {}): this {
    if (values.length === 0) return this;
    return this.add(`${column} ${not ? "NOT IN" : "IN"} (${values.map(() => "?").join()})`, ...values);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }

  /** The clause with the conditions of another one added; its values come after. */
  and(other: Where): string {
    const conditions = [...this.#conditions, ...other.#conditions];
    return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  }

  get values(): readonly SQLInputValue[] {
    return this.#values;
  }
}

/** The number of the transaction that a row belongs to, by the row's id. */
export const transactionIn = (row: string): string => `${row} / ${ROWS_PER_TRANSACTION}`;

/** The condition that a row belongs to a transaction, as a range of ids. */
export const inTransaction = (row: string, transaction: string): string =>
  `${row} >= ${transaction} * ${ROWS_PER_TRANSACTION} AND ${row} < (${transaction} + 1) * ${ROWS_PER_TRANSACTION}`;

/** Joins the transaction `x` of a row and its block `b`, by the row's id. */
export const joinBlock = (row: string): string =>
  `CROSS JOIN transactions x ON x.id = ${transactionIn(row)} CROSS JOIN blocks b ON b.slot = x.slot`;

/**
 * Rows of a page by their column `id`. A page's ids are found in order by an index, in a subquery; to have SQLite sort
 * what is looked up for them would cost a third of the page.
 */
export const inOrder = (rows: readonly Row[], direction: "ASC" | "DESC"): readonly Row[] =>
  rows.toSorted((a, b) => (direction === "ASC" ? Number(a.id) - Number(b.id) : Number(b.id) - Number(a.id)));

/** Whether the account is a token account. */
export const isTokenAccount = (db: Reader, id: number): boolean =>
  db.get("SELECT 1 FROM token_accounts WHERE account_id = ?", id) !== undefined;

/** No account has this number: what is not known matches nothing. */
const UNKNOWN = -1;

/** Numbers of accounts for a filter. */
export const idsOf = (db: Reader, addresses: readonly string[]): readonly number[] =>
  addresses.map((address) => db.idOf(address) ?? UNKNOWN);

/** Number of the account for a filter. */
export const idOrUnknown = (db: Reader, address: string): number => db.idOf(address) ?? UNKNOWN;

/** Narrows row ids (places on the chain) to a time window in the caller's Unix seconds, both ends included. */
export function within(
  where: Where,
  db: Reader,
  column: string,
  from: number | undefined,
  to: number | undefined,
): Where {
  const { shift } = db.clock;
  if (from !== undefined) where.add(`${column} >= ?`, db.rowAt(from - shift));
  if (to !== undefined) where.add(`${column} < ?`, db.rowAt(to - shift + 1));
  return where;
}

/** The time window of a v2 request: from_time and to_time, or the two entries of block_time. */
export function windowOf(params: Params): readonly [from: number | undefined, to: number | undefined] {
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
export function between(where: Where, column: string, range: readonly (string | undefined)[], decimals = 0): Where {
  const [least, greatest] = range.map((text) => (text === undefined ? undefined : parseDecimal(text)));
  const clamped = (integer: bigint) => (integer > MAX_INTEGER ? MAX_INTEGER : integer);
  const unit = (scale: number) => 10n ** BigInt(Math.max(0, scale - decimals));
  const raised = (digits: bigint, scale: number) => digits * 10n ** BigInt(Math.max(0, decimals - scale));
  if (least) {
    const [digits, divisor] = [raised(least.digits, least.scale), unit(least.scale)];
    where.add(`${column} >= ?`, clamped((digits + divisor - 1n) / divisor));
  }
  if (greatest) where.add(`${column} <= ?`, clamped(raised(greatest.digits, greatest.scale) / unit(greatest.scale)));
  return where;
}

/** LIMIT and OFFSET of `page` and `page_size`. */
export function pageOf(params: Params): readonly [limit: number, offset: number] {
  const [size, page] = [params.integer("page_size") ?? 10, params.integer("page") ?? 1];
  return [size, (page - 1) * size];
}

/** LIMIT and OFFSET of the legacy `limit` and `offset`. */
export const sliceOf = (params: Params): readonly [limit: number, offset: number] => [
  params.integer("limit") ?? 10,
  params.integer("offset") ?? 0,
];

/** ASC or DESC. */
export const directionOf = (params: Params, name = "sort_order"): "ASC" | "DESC" =>
  params.text(name) === "asc" ? "ASC" : "DESC";

/** The caller's Unix seconds of a ledger time. */
export const unixOf = (clock: Clock, time: unknown): number => Number(time) + clock.shift;

/** Days as `2026-07-01T` by their number; rows of a page share few. */
const days = new Map<number, string>();
/** Days kept. */
const DAYS = 1000;

function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -"00:00:00.000Z".length);
  if (days.size >= DAYS) days.clear();
  days.set(day, text);
  return text;
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** ISO 8601 with milliseconds, as the API writes it. */
export function isoOf(clock: Clock, time: unknown): string {
  const unix = unixOf(clock, time);
  const day = Math.floor(unix / DAY_SECONDS);
  const seconds = unix - day * DAY_SECONDS;
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${dayText(day)}${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(seconds % 60)}.000Z`;
}

/** Where a row is on the chain, as rows of activities begin; {@link joinBlock} gives what it takes. */
export const placeOf = ({ clock }: Reader, row: Row) => ({
  block_id: Number(row.slot),
  trans_id: String(row.signature),
  block_time: unixOf(clock, row.time),
  time: isoOf(clock, row.time),
});

const MICRO = 1_000_000;

/** Dollars of a value in millionths. */
export const dollars = (micro: unknown): number => Number(micro) / MICRO;

/** Dollars of a value in millionths that {@link exact} selected, with every digit. */
export function exactDollars(micro: unknown): Numeric {
  const value = parseDecimal(String(micro));
  return value ? numericOf(decimalText(scaleDown(value, 6))) : 0;
}
