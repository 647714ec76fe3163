/** Tokens by their mints, their prices and values, and the calendar days of requests. */

import { DAY_SECONDS, type JsonObject, omitMissing } from "../../../../base/index.ts";
import { type QueryParams, WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { type LedgerClock, type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { notFoundError, type Query } from "../query.ts";
import { columnNumber, decimalsOf, idOrUnknown, toUnixTime, wholeText } from "../sql.ts";

/** Returns the id of a token, or undefined for an address that is not a mint. */
function findToken(db: LedgerReader, address: string): number | undefined {
  const id = db.idOf(address);
  if (id === undefined || decimalsOf(db, id) !== undefined) return id;
  return db.get("SELECT id FROM tokens WHERE id = ?", id)?.id as number | undefined;
}

/**
 * Returns the id of a token.
 * @throws UnknownSubjectError when the address is not a mint
 */
export function requireToken(db: LedgerReader, address: string): number {
  const token = findToken(db, address);
  if (token === undefined) throw notFoundError("Token");
  return token;
}

/** Returns the distinct requested tokens with their ids, in the order of the request, without unknown mints. */
export function findTokens(db: LedgerReader, addresses: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(addresses)].flatMap((address) => {
    const token = findToken(db, address);
    return token === undefined ? [] : [[address, token] as const];
  });
}

/**
 * SQL of the market capitalisation rank of the token in `token_stats s`, NULL without one. Ties are ranked by
 * descending id, as in lists. SOL is ranked in its wrapped form only.
 */
export const MARKET_CAP_RANK = `CASE WHEN s.market_cap IS NOT NULL AND s.token_id <> ${SOL} THEN 1 + (
  SELECT count(*) FROM token_stats r WHERE r.market_cap >= s.market_cap AND r.token_id <> ${SOL}
    AND (r.market_cap > s.market_cap OR r.token_id > s.token_id)) END`;

/** SQL condition for the fungible tokens of `tokens t` except SOL, which lists show in its wrapped form. */
export const IS_LISTED = `t.kind = 'fungible' AND t.id <> ${SOL}`;

/** Default number of days of daily answers, today included. */
const DEFAULT_DAYS = 30;

/** Returns the change in percent; 0 without an earlier value. */
export const percentChange = (now: number, before: number): number =>
  before === 0 ? 0 : ((now - before) / before) * 100;

/** Returns the change of a token's price in 24 hours in percent; 0 without an earlier price. */
export const priceChange = ({ price, price_prev }: LedgerRow): number =>
  price_prev === null ? 0 : percentChange(Number(price), Number(price_prev));

/**
 * Returns the value in dollars of an amount in base units at the price of a whole unit. Increases monotonically with
 * the amount.
 */
export const tokenValue = (amount: bigint | string, decimals: number, price: number): number =>
  Number(wholeText(amount, decimals)) * price;

/** The highest possible balance. */
const MAX_BALANCE = 2n ** 64n - 1n;

/** Returns the highest amount in base units for which a monotonic condition holds; −1 when it never does. */
export function maximumAmount(holds: (amount: bigint) => boolean): bigint {
  if (holds(MAX_BALANCE)) return MAX_BALANCE;
  let [low, high] = [-1n, MAX_BALANCE];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** A calendar day (UTC, the caller's time) and its row ids: from `first` on and before `end`. */
export interface CalendarDay {
  /** YYYYMMDD. */
  readonly date: number;
  /** The start of the day in the caller's Unix seconds. */
  readonly time: number;
  readonly first: number;
  readonly end: number;
}

/** Returns the number of the caller's day since 1970 that contains a ledger time. */
export const dayOf = (clock: LedgerClock, time: number): number => Math.floor((time + clock.shift) / DAY_SECONDS);

const dateOf = (day: number): number =>
  Number(new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10).replaceAll("-", ""));

/** Returns the number of a day since 1970, given as YYYYMMDD. */
export function dayOfDate(date: string): number {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)].map(Number) as [
    number,
    number,
    number,
  ];
  return Math.floor(Date.UTC(year, month - 1, day) / (DAY_SECONDS * 1000));
}

/**
 * Returns the days of a request (`from_time` and `to_time`, or the two values of `time`), oldest first; by default the
 * last 30 up to the last requested day. Days before the ledger and future days are omitted.
 * @param since ledger time of the first day, if later than the ledger
 */
export function readDays(
  db: LedgerReader,
  params: QueryParams,
  since = Number.NEGATIVE_INFINITY,
): readonly CalendarDay[] {
  const { clock } = db;
  const [from, to] = params.list("time");
  const [fromDate, toDate] = [params.text("from_time") ?? from, params.text("to_time") ?? to];
  const today = dayOf(clock, clock.end);
  const last = toDate === undefined ? today : Math.min(today, dayOfDate(toDate));
  const first = fromDate === undefined ? last - DEFAULT_DAYS + 1 : dayOfDate(fromDate);
  return daysBetween(db, first, last, since);
}

/** Returns calendar days by their numbers since 1970, without those before the ledger or a later ledger time. */
export function daysBetween(
  db: LedgerReader,
  from: number,
  last: number,
  since = Number.NEGATIVE_INFINITY,
): readonly CalendarDay[] {
  const { clock } = db;
  const begin = Number(db.get("SELECT min(time) AS time FROM blocks")?.time ?? clock.end);
  const first = Math.max(from, dayOf(clock, Math.max(begin, since)));
  if (first > last) return [];
  const edges = Array.from({ length: last - first + 2 }, (_, n) =>
    db.firstRowAt((first + n) * DAY_SECONDS - clock.shift),
  );
  return edges.slice(1).map((end, n) => ({
    date: dateOf(first + n),
    time: (first + n) * DAY_SECONDS,
    first: edges[n] ?? 0,
    end,
  }));
}

/** Returns the token whose trades determine the price of a token: for SOL its wrapped form. */
export const pricedToken = (db: LedgerReader, token: number): number =>
  token === SOL ? idOrUnknown(db, WRAPPED_SOL) : token;

/** Returns the last price before each row id; null where there is none. */
export function pricesBefore(db: LedgerReader, token: number, rows: readonly number[]): readonly (number | null)[] {
  if (!db.facts.hasPrices) return rows.map(() => null);
  const priced = pricedToken(db, token);
  const sql = "SELECT price FROM prices WHERE token_id = ? AND id < ? ORDER BY id DESC LIMIT 1";
  return mapRows(rows, (row) => (db.get(sql, priced, row)?.price ?? null) as number | null);
}

/** Returns the last price of each day or the days before it; days before the first price are omitted. */
function dailyPrices(db: LedgerReader, token: number, days: readonly CalendarDay[]): readonly JsonObject[] {
  const prices = pricesBefore(
    db,
    token,
    days.map(({ end }) => end),
  );
  return days.flatMap(({ date }, n) => (prices[n] == null ? [] : [{ date, price: prices[n] }]));
}

/** `/token/price`: the price at the end of each day, oldest first; for today the latest price. */
export const price: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("address"));
  return { data: dailyPrices(db, token, readDays(db, params)) };
};

/** `/token/price/multi`: prices of several tokens in the order of the request; unknown ones are omitted. */
export const priceMulti: Query = ({ db, params }) => {
  const days = readDays(db, params);
  const data = mapRows(findTokens(db, params.list("address")), ([address, token]) => ({
    token_address: address,
    prices: dailyPrices(db, token, days),
  }));
  return { data };
};

/** `/token/price/latest`: tokens that have a price, in the order of the request; all prices are as new as the ledger. */
export const priceLatest: Query = ({ db, params }) => ({
  data: mapRows(findTokens(db, params.list("address")), ([address, token]) => {
    const row = db.get("SELECT price, price_prev, market_cap FROM token_stats WHERE token_id = ?", token);
    if (row?.price == null) return [];
    const price = {
      price: Number(row.price),
      price_change_24h: priceChange(row),
      ...omitMissing({ market_cap: columnNumber(row.market_cap) }),
    };
    return [{ address, ...price, updated_time: toUnixTime(db.clock, db.clock.end) }];
  }).flat(),
});
