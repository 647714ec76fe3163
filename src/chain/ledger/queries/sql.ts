/** Parts of SQL statements and conversions of rows that queries share. */

import type { SQLInputValue } from "node:sqlite";
import {
  DAY_SECONDS,
  decimalText,
  type JsonObject,
  type Numeric,
  numericText,
  parseDecimal,
  scaleDown,
  toNumeric,
  toWholeUnits,
} from "../../../base/index.ts";
import type { QueryParams } from "../../../catalogue/index.ts";
import { storedAmount } from "../store/amounts.ts";
import type { LedgerClock, LedgerReader, LedgerRow } from "../store/reader.ts";
import { slotSql, transactionIdSql } from "../store/schema.ts";

/**
 * Returns the SQL that selects a 64-bit amount with all digits, see amounts.ts; read it with {@link amountOf}. NULL
 * remains NULL.
 */
export const asText = (column: string): string =>
  `iif(typeof(${column}) = 'text', ltrim(${column}, '0'), CAST(${column} AS TEXT))`;

/**
 * Returns a number for the answer from the text that {@link asText} selects: a plain number where a double represents
 * it exactly; 0 where a row has not been read.
 */
export const amountOf = (text: unknown): Numeric => toNumeric(String(text ?? 0));

/** Returns the whole units of an amount in base units, as exact text. */
export const wholeText = (amount: unknown, decimals: number): string =>
  toWholeUnits(BigInt(String(amount ?? 0)), decimals);

/** Returns the SOL of lamports, exact; 0 for NULL. */
export const solOf = (lamports: unknown): Numeric => toNumeric(wholeText(lamports, 9));

/** Returns a number of a row; undefined for NULL. */
export const columnNumber = (value: unknown): number | undefined => (value == null ? undefined : Number(value));
/** Returns a text of a row; undefined for NULL. */
export const columnText = (value: unknown): string | undefined => (value == null ? undefined : String(value));
/** Returns the address of an account id of a row; undefined for NULL. */
export const addressOf = (db: LedgerReader, id: unknown): string | undefined =>
  id == null ? undefined : db.addressOf(Number(id));

/** Returns the balance of an account in base units of a token, as text. */
export const readBalance = (db: LedgerReader, account: number, token: number): string =>
  String(
    db.get(`SELECT ${asText("amount")} AS amount FROM balances WHERE account_id = ? AND token_id = ?`, account, token)
      ?.amount ?? 0,
  );

/** The decimals of tokens by their ids: those of a simulated chain never change. */
const knownDecimals = new WeakMap<LedgerReader, Map<number, number>>();
/** Maximum number of tokens whose decimals are in memory. */
const MAX_DECIMALS = 50_000;

/** Returns the decimals of a token; undefined where they are unknown. To join them costs a third of a page. */
export function decimalsOf(db: LedgerReader, token: unknown): number | undefined {
  if (token == null) return undefined;
  const id = Number(token);
  let known = knownDecimals.get(db);
  const cached = known?.get(id);
  if (cached !== undefined) return cached;
  const decimals = columnNumber(db.get("SELECT decimals FROM tokens WHERE id = ?", id)?.decimals);
  if (decimals === undefined || !db.facts.isComplete) return decimals;
  if (!known || known.size >= MAX_DECIMALS) {
    known = new Map();
    knownDecimals.set(db, known);
  }
  known.set(id, decimals);
  return decimals;
}

/** Returns the decimals of a mint; 0 for other accounts. */
export const decimalsOfMint = (db: LedgerReader, mint: string | undefined): number =>
  decimalsOf(db, idOrUnknown(db, mint ?? "")) ?? 0;

/** Conditions of a WHERE clause with their values. */
export class WhereClause {
  readonly #conditions: string[] = [];
  readonly #values: SQLInputValue[] = [];

  add(condition: string, ...values: readonly SQLInputValue[]): this {
    this.#conditions.push(condition);
    this.#values.push(...values);
    return this;
  }

  /** Adds `column IN (…)`; an empty list adds no condition. */
  addIn(column: string, values: readonly SQLInputValue[]): this {
    if (values.length === 0) return this;
    return this.add(`${column} IN (${values.map(() => "?").join()})`, ...values);
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }

  /** Returns the clause with the conditions of another one, whose values follow those of this one. */
  sqlWith(other: WhereClause): string {
    const conditions = [...this.#conditions, ...other.#conditions];
    return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  }

  get values(): readonly SQLInputValue[] {
    return this.#values;
  }
}

/** Returns the SQL that joins the transaction `x` of a row and its block `b`. */
export const joinBlock = (row: string): string =>
  `CROSS JOIN transactions x ON x.id = ${transactionIdSql(row)} CROSS JOIN blocks b ON b.slot = ${slotSql("x.id")}`;

/** A page of a list: the statement that finds ids in order by an index, and what is joined to the ids `p` that it finds. */
export interface PageQuery {
  readonly columns: string;
  readonly ids: string;
  readonly values: readonly SQLInputValue[];
  readonly order: readonly string[];
  readonly joins: string;
  readonly direction: "ASC" | "DESC";
}

/**
 * Reads the rows of a page, sorted by their column `id`. Only they are joined; sorting them in SQLite would cost a third
 * of the page.
 */
export function readPage(db: LedgerReader, query: PageQuery, limit: number, offset: number): readonly LedgerRow[] {
  const { columns, ids, values, order, joins, direction } = query;
  const ordered = order.map((column) => `${column} ${direction}`).join();
  const sql = `SELECT ${columns} FROM (${ids} ORDER BY ${ordered} LIMIT ? OFFSET ?) p ${joins}`;
  const sign = direction === "ASC" ? 1 : -1;
  return db.all(sql, ...values, limit, offset).toSorted((a, b) => sign * (Number(a.id) - Number(b.id)));
}

/** Returns whether the account is a token account. */
export const isTokenAccount = (db: LedgerReader, id: number): boolean =>
  db.get("SELECT 1 FROM token_accounts WHERE account_id = ?", id) !== undefined;

/** No account has this id: unknown accounts match nothing. */
const UNKNOWN = -1;

/** Returns account ids for a filter. */
export const idsOrUnknown = (db: LedgerReader, addresses: readonly string[]): readonly number[] =>
  addresses.map((address) => db.idOf(address) ?? UNKNOWN);

/** Returns an account id for a filter. */
export const idOrUnknown = (db: LedgerReader, address: string): number => db.idOf(address) ?? UNKNOWN;

/** Restricts row ids to a time window in the caller's Unix seconds, both ends included. */
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

/** Returns the time window of a v2 request: from_time and to_time, or the two values of block_time. */
export function timeWindow(params: QueryParams): readonly [from: number | undefined, to: number | undefined] {
  const [first, second] = params.list("block_time");
  return [
    params.integer("from_time") ?? (first === undefined ? undefined : Number(first)),
    params.integer("to_time") ?? (second === undefined ? undefined : Number(second)),
  ];
}

/** More than the highest amount: filters may exceed it, columns cannot. */
const MAX_AMOUNT = 2n ** 64n;

/**
 * Restricts a column of integers to a range, both ends included, exactly.
 * @param range minimum and maximum as decimal text; either may be missing
 * @param decimals decimals of the column's unit: 6 for values, which requests state in dollars
 */
export function addRange(
  where: WhereClause,
  column: string,
  range: readonly (string | undefined)[],
  decimals = 0,
): WhereClause {
  const [minimum, maximum] = range.map((text) => (text === undefined ? undefined : parseDecimal(text)));
  const clamped = (integer: bigint) => storedAmount(integer > MAX_AMOUNT ? MAX_AMOUNT : integer);
  const unit = (scale: number) => 10n ** BigInt(Math.max(0, scale - decimals));
  const raised = (digits: bigint, scale: number) => digits * 10n ** BigInt(Math.max(0, decimals - scale));
  if (minimum) {
    const [digits, divisor] = [raised(minimum.digits, minimum.scale), unit(minimum.scale)];
    where.add(`${column} >= ?`, clamped((digits + divisor - 1n) / divisor));
  }
  if (maximum) where.add(`${column} <= ?`, clamped(raised(maximum.digits, maximum.scale) / unit(maximum.scale)));
  return where;
}

/** LIMIT and OFFSET of a page. */
export type PageLimits = readonly [limit: number, offset: number];

/** Returns the limits from `page` and `page_size`. */
export function pageLimits(params: QueryParams): PageLimits {
  const [size, page] = [params.integer("page_size") ?? 10, params.integer("page") ?? 1];
  return [size, (page - 1) * size];
}

/** Returns the limits from the legacy `limit` and `offset`. */
export const sliceLimits = (params: QueryParams): PageLimits => [
  params.integer("limit") ?? 10,
  params.integer("offset") ?? 0,
];

/** Returns the sort direction of a request. */
export const sortDirection = (params: QueryParams, name = "sort_order"): "ASC" | "DESC" =>
  params.text(name) === "asc" ? "ASC" : "DESC";

/** Returns the caller's Unix seconds of a ledger time. */
export const toUnixTime = (clock: LedgerClock, time: unknown): number => Number(time) + clock.shift;

/** Cached day texts (`2026-07-01T`) by day number; the rows of a page share few. */
const dayTexts = new Map<number, string>();
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

/** Returns ISO 8601 with milliseconds, as the API writes it. */
export function toIsoTime(clock: LedgerClock, time: unknown): string {
  const unix = toUnixTime(clock, time);
  const day = Math.floor(unix / DAY_SECONDS);
  const seconds = unix - day * DAY_SECONDS;
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${dayText(day)}${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(seconds % 60)}.000Z`;
}

/** Returns the time of a block as the caller's Unix seconds and as text; blocks without a time have neither. */
export const timeFields = ({ clock }: LedgerReader, time: unknown): JsonObject =>
  time == null ? {} : { block_time: toUnixTime(clock, time), time: toIsoTime(clock, time) };

/** Returns the caller's Unix seconds of a time; undefined for NULL. */
export const unixTimeOf = ({ clock }: LedgerReader, time: unknown): number | undefined =>
  time == null ? undefined : toUnixTime(clock, time);

/** Returns the position of a row on the chain, the first fields of activities. Requires {@link joinBlock}. */
export const positionFields = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  block_id: Number(row.slot),
  trans_id: String(row.signature),
  ...timeFields(db, row.time),
});

const MICRO = 1_000_000;

/** Returns the dollars of a value in millionths. */
export const dollars = (micro: unknown): number => Number(micro) / MICRO;

/** Returns the dollars of a value in millionths that {@link asText} selected, with all digits. */
export function exactDollars(micro: unknown): Numeric {
  const value = parseDecimal(String(micro));
  return value ? toNumeric(decimalText(scaleDown(value, 6))) : 0;
}

/** Returns the cell of a value in an export; empty where it is unknown. */
export const valueCell = (micro: unknown): string => (micro == null ? "" : numericText(exactDollars(micro)));

/** Returns ISO 8601 of a time; undefined for NULL. */
export const isoTimeOf = ({ clock }: LedgerReader, time: unknown): string | undefined =>
  time == null ? undefined : toIsoTime(clock, time);

/** Returns the dollars of a value as {@link exactDollars}; undefined for NULL. */
export const dollarsOf = (micro: unknown): Numeric | undefined => (micro == null ? undefined : exactDollars(micro));

/**
 * Returns the dollars of a sum of values over trades; undefined where the values of all trades are unknown, as in a
 * ledger of a chain without prices.
 */
export const volumeOf = ({ facts }: LedgerReader, micro: unknown, trades: unknown): Numeric | undefined =>
  !facts.hasPrices && Number(trades) > 0 && Number(micro ?? 0) === 0 ? undefined : exactDollars(micro ?? 0);
