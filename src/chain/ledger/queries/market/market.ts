/** Pools, which the API calls markets. */

import { type JsonObject, omitMissing, toNumeric } from "../../../../base/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { slotSql, transactionIdSql } from "../../store/schema.ts";
import { candleData, type TradeSelection } from "../candles.ts";
import { notFoundError, type QueriesByRoute, type Query } from "../query.ts";
import {
  addressOf,
  asText,
  columnNumber,
  columnText,
  idOrUnknown,
  idsOrUnknown,
  pageLimits,
  sliceLimits,
  sortDirection,
  unixTimeOf,
  volumeOf,
  WhereClause,
  wholeText,
} from "../sql.ts";
import { tokenRow } from "../token/legacy.ts";
import { type CalendarDay, percentChange, priceChange, pricesBefore, readDays, requireToken } from "../token/prices.ts";
import { positions } from "./positions.ts";

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  volume: "s.volume_24h",
  trade: "s.trades_24h",
  tvl: "s.tvl",
  trader: "s.traders_24h",
};

/** Restricts `pools p` to those of one token, or between any two of several tokens. */
export function addTradedTokens(where: WhereClause, tokens: readonly number[]): WhereClause {
  const list = tokens.map(() => "?").join();
  const sides = [`p.token1_id IN (${list})`, `p.token2_id IN (${list})`];
  return where.add(`(${sides.join(tokens.length === 1 ? " OR " : " AND ")})`, ...tokens, ...tokens);
}

/** Returns the SQL for a page of pools by their ids. */
const poolsSql = (
  page: string,
) => `SELECT m.account_id, m.program_id, m.token1_id, m.token2_id, m.vault1_id, m.vault2_id,
  s.trades_24h, s.trades_prev_24h, ${asText("s.volume_24h")} AS volume, ${asText("s.volume_prev_24h")} AS volume_prev,
  s.traders_24h, s.traders_prev_24h, s.tvl, b.time
FROM (${page}) p CROSS JOIN pools m ON m.account_id = p.id CROSS JOIN pool_stats s ON s.pool_id = p.id
  LEFT JOIN blocks b ON b.slot = ${slotSql("m.created")}`;

/**
 * Returns a page of pools as the entity `TokenMarket`, highest value first; ties by descending id. Without trades in the
 * previous 24 hours their fields are missing.
 */
export function poolRows(
  db: LedgerReader,
  where: WhereClause,
  key: string,
  limit: number,
  offset: number,
): readonly JsonObject[] {
  const rows = db.all(
    poolsSql(`SELECT p.account_id AS id FROM pools p CROSS JOIN pool_stats s ON s.pool_id = p.account_id ${where.sql}
      ORDER BY ${SORT_COLUMNS[key] ?? SORT_COLUMNS.volume} DESC${db.facts.nullsLast}, p.account_id DESC LIMIT ? OFFSET ?`),
    ...where.values,
    limit,
    offset,
  );
  const account = (id: unknown) => db.addressOf(Number(id));
  return mapRows(rows, (row) =>
    omitMissing({
      pool_id: account(row.account_id),
      program_id: account(row.program_id),
      token_1: account(row.token1_id),
      token_2: account(row.token2_id),
      token_account_1: account(row.vault1_id),
      token_account_2: account(row.vault2_id),
      total_trades_24h: Number(row.trades_24h),
      total_volume_24h: volumeOf(db, row.volume, row.trades_24h),
      total_tvl: columnNumber(row.tvl),
      num_trader_24h: Number(row.traders_24h),
      ...(row.trades_prev_24h === 0
        ? {}
        : {
            total_trades_prev_24h: Number(row.trades_prev_24h),
            total_volume_prev_24h: volumeOf(db, row.volume_prev, row.trades_prev_24h),
            num_trader_prev_24h: Number(row.traders_prev_24h),
          }),
    }),
  );
}

/** `/token/markets`: all pools of one token, or those between any two of several; by volume by default. */
export const markets: Query = ({ db, params }) => {
  const where = addTradedTokens(new WhereClause(), idsOrUnknown(db, [...new Set(params.list("token"))]));
  where.addIn("p.program_id", idsOrUnknown(db, params.list("program")));
  return { data: poolRows(db, where, params.text("sort_by") ?? "volume", ...pageLimits(params)) };
};

/** Tables and sort columns of lists by sort key, the id last: an index provides the order. Every pool has statistics. */
const ORDERS: Readonly<Record<string, readonly [from: string, columns: readonly [string, string]]>> = {
  volumes_24h: ["pool_stats s", ["s.volume_24h", "s.pool_id"]],
  trades_24h: ["pool_stats s", ["s.trades_24h", "s.pool_id"]],
  created_time: ["pools p", ["p.created", "p.account_id"]],
};

/** `/market/list`: all pools, or those of given programs or a token. Ties are broken by id. */
const list: Query = ({ db, params }) => {
  const where = new WhereClause().addIn("p.program_id", idsOrUnknown(db, params.list("program")));
  const token = params.text("token_address");
  if (token !== undefined) addTradedTokens(where, [idOrUnknown(db, token)]);
  const [from, columns] = ORDERS[params.required("sort_by")] ?? ["", ["", ""]];
  const order = columns.map((column) => `${column} ${sortDirection(params)}`).join();
  const pools = from.startsWith("pools") || where.sql === "" ? "" : "CROSS JOIN pools p ON p.account_id = s.pool_id";
  const rows = db.all(
    poolsSql(`SELECT ${columns[1]} AS id FROM ${from} ${pools} ${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`),
    ...where.values,
    ...pageLimits(params),
  );
  return { data: mapRows(rows, (row) => listedOf(db, row)) };
};

function listedOf(db: LedgerReader, row: LedgerRow): JsonObject {
  const account = (id: unknown) => db.addressOf(Number(id));
  const trades = Number(row.trades_24h);
  return omitMissing({
    pool_address: account(row.account_id),
    program_id: account(row.program_id),
    token1: account(row.token1_id),
    token1_account: account(row.vault1_id),
    token2: account(row.token2_id),
    token2_account: account(row.vault2_id),
    total_volume_24h: volumeOf(db, row.volume, trades),
    total_trades_24h: trades,
    total_trade_24h: trades,
    created_time: unixTimeOf(db, row.time),
  });
}

const POOL = `SELECT p.account_id, p.program_id, p.token1_id, p.token2_id, p.vault1_id, p.vault2_id, p.creator_id, p.lp_id,
  x.signature, b.time
FROM pools p LEFT JOIN transactions x ON x.id = p.created
  LEFT JOIN blocks b ON b.slot = ${slotSql("x.id")}
WHERE p.account_id = ?`;

function requirePool(db: LedgerReader, address: string): LedgerRow {
  const pool = db.get(POOL, idOrUnknown(db, address));
  if (!pool) throw notFoundError("Pool");
  return pool;
}

function readReserve(db: LedgerReader, token: unknown, vault: unknown): JsonObject {
  const row = db.get(
    `SELECT t.decimals, ${asText("b.amount")} AS amount
    FROM tokens t LEFT JOIN balances b ON b.account_id = ? AND b.token_id = t.id WHERE t.id = ?`,
    Number(vault),
    Number(token),
  );
  const [decimals, amount] = [columnNumber(row?.decimals), row?.amount ?? db.facts.assume("0")];
  return omitMissing({
    token: db.addressOf(Number(token)),
    token_account: db.addressOf(Number(vault)),
    amount: decimals === undefined || amount === undefined ? undefined : toNumeric(wholeText(amount, decimals)),
  });
}

const info: Query = ({ db, params }) => {
  const pool = requirePool(db, params.required("address"));
  const reserves = [readReserve(db, pool.token1_id, pool.vault1_id), readReserve(db, pool.token2_id, pool.vault2_id)];
  const data = {
    pool_address: db.addressOf(Number(pool.account_id)),
    program_id: db.addressOf(Number(pool.program_id)),
    token_infos: reserves,
    tokens_info: reserves,
    ...omitMissing({
      create_tx_hash: columnText(pool.signature),
      create_block_time: unixTimeOf(db, pool.time),
      creator: addressOf(db, pool.creator_id),
      lp_token: addressOf(db, pool.lp_id),
    }),
  };
  return { data };
};

function dayVolume(db: LedgerReader, pool: number, { first, end }: CalendarDay) {
  const sum = asText("ifnull(sum(value), 0)");
  const row = db.get(
    `SELECT ${sum} AS volume, count(*) AS trades FROM routes WHERE pool_id = ? AND id >= ? AND id < ? AND is_trade`,
    pool,
    first,
    end,
  );
  return volumeOf(db, row?.volume, row?.trades);
}

function reservesBefore(db: LedgerReader, vault: unknown, token: number, rows: readonly number[]): readonly number[] {
  const factor = Number(`1e${db.get("SELECT decimals FROM tokens WHERE id = ?", token)?.decimals}`);
  const sql = `SELECT CAST(post AS REAL) AS amount FROM balance_changes WHERE account_id = ? AND token_id = ? AND id < ?
    ORDER BY id DESC LIMIT 1`;
  return mapRows(rows, (row) => Number(db.get(sql, Number(vault), token, row)?.amount ?? 0) / factor);
}

function valuesLocked(db: LedgerReader, pool: LedgerRow, days: readonly CalendarDay[]) {
  // Of a chain, prices or decimals may be unknown.
  if (
    !db.facts.hasPrices &&
    !db.get("SELECT 1 FROM pool_stats WHERE pool_id = ? AND tvl IS NOT NULL", Number(pool.account_id))
  )
    return [];
  const ends = days.map(({ end }) => end);
  const sides = ([1, 2] as const).map((n) => {
    const token = Number(pool[`token${n}_id`]);
    const prices = pricesBefore(db, token, ends);
    return reservesBefore(db, pool[`vault${n}_id`], token, ends).map((reserve, day) => reserve * (prices[day] ?? 0));
  });
  return days.map((_, day) => (sides[0]?.[day] ?? 0) + (sides[1]?.[day] ?? 0));
}

/**
 * `/market/volume`: the last 24 hours compared with the 24 hours before (0 percent without earlier trades), and the
 * daily volumes and values locked since the creation of the pool, in the requested time or the last 30 days.
 */
const volume: Query = ({ db, params }) => {
  const pool = requirePool(db, params.required("address"));
  const id = Number(pool.account_id);
  const stats = db.get(
    `SELECT ${asText("volume_24h")} AS volume, ${asText("volume_prev_24h")} AS volume_prev, trades_24h, trades_prev_24h, tvl
      FROM pool_stats WHERE pool_id = ?`,
    id,
  );
  const requested = readDays(db, params, columnNumber(pool.time));
  const locked = valuesLocked(db, pool, requested);
  const days = requested.map((day, n) => {
    const value = dayVolume(db, id, day);
    return omitMissing({ day: day.date, value, volume: value, tvl: locked[n] ?? db.facts.assume(0) });
  });
  const total = stats && volumeOf(db, stats.volume, stats.trades_24h);
  const data = omitMissing({
    pool_address: db.addressOf(id),
    program_id: db.addressOf(Number(pool.program_id)),
    total_volume_24h: total,
    total_volume_change_24h:
      total === undefined || !stats ? undefined : percentChange(Number(stats.volume), Number(stats.volume_prev)),
    total_trades_24h: columnNumber(stats?.trades_24h),
    total_trades_change_24h: stats && percentChange(Number(stats.trades_24h), Number(stats.trades_prev_24h)),
    tvl: columnNumber(stats?.tvl),
    days,
  });
  return { data };
};

const unitsOf = (db: LedgerReader, token: unknown): number =>
  Number(`1e${db.get("SELECT decimals FROM tokens WHERE id = ?", Number(token))?.decimals}`);

/**
 * `/market/price-ohlcv`: candles of the prices at which a pool traded, fees included: with direction quote those of its
 * first token in the second one. What is not a pool has no candles.
 */
const priceOhlcv: Query = (context) => {
  const { db, params } = context;
  const direction = params.required("direction");
  const pool = db.get(POOL, idOrUnknown(db, params.required("address")));
  const isKnown = pool && [pool.token1_id, pool.token2_id].every((token) => Number.isFinite(unitsOf(db, token)));
  if (!isKnown) return { data: candleData(context, undefined, { about: { direction } }) };
  const [token, currency] = direction === "quote" ? [pool.token1_id, pool.token2_id] : [pool.token2_id, pool.token1_id];
  const [units, currencyUnits] = [unitsOf(db, token), unitsOf(db, currency)];
  const price = (paid: string, received: string) => `(${paid} / ${currencyUnits}.0) / (${received} / ${units}.0)`;
  const trades: TradeSelection = {
    sql: `SELECT r.id AS id, b.time AS time, iif(r.token1_id = ?, ${price("r.amount2", "r.amount1")}, ${price("r.amount1", "r.amount2")}) AS price,
        r.value AS value FROM routes r CROSS JOIN blocks b ON b.slot = ${slotSql(transactionIdSql("r.id"))}
      WHERE r.pool_id = ? AND r.is_trade AND r.amount1 > 0 AND r.amount2 > 0`,
    id: "r.id",
    values: [Number(token), Number(pool.account_id)],
  };
  const [tokenAddress, currencyAddress] = [token, currency].map((id) => db.addressOf(Number(id))) as [string, string];
  const data = candleData(context, trades, {
    about: { token: tokenAddress, currency: currencyAddress, direction },
  });
  return { data: { ...data, data: (data.data as readonly JsonObject[]).map(roundPrices) } };
};

/** Returns a number as the shortest decimal with the same single precision, as the API has prices of pools. */
function toSinglePrecision(value: number): number {
  const single = Math.fround(value);
  const texts = [6, 7, 8].map((digits) => Number(single.toPrecision(digits)));
  return texts.find((short) => Math.fround(short) === single) ?? Number(single.toPrecision(9));
}

const roundPrices = (candle: JsonObject): JsonObject => ({
  ...candle,
  ...Object.fromEntries(
    ["high_price", "low_price", "close_price", "open_price"].map((name) => [
      name,
      toSinglePrecision(Number(candle[name])),
    ]),
  ),
});

/** `/market/token/{tokenAddress}`: null where the token has no price; pools by volume. */
const tokenMarket: Query = ({ db, params }) => {
  const token = requireToken(db, params.required("tokenAddress"));
  const row = tokenRow(db, token);
  const data = {
    priceUsdt: row.price as number | null,
    ...omitMissing({ volumeUsdt: volumeOf(db, row.volume, row.trades) }),
    marketCapFD: row.market_cap as number | null,
    marketCapRank: row.rank as number | null,
    priceChange24h: row.price === null ? null : priceChange(row),
    markets: poolRows(db, addTradedTokens(new WhereClause(), [token]), "volume", ...sliceLimits(params)),
  };
  return { data };
};

/** Queries of `/market/…`. */
export const marketQueries: QueriesByRoute = {
  "v2-market-list": list,
  "v2-market-info": info,
  "v2-market-volume": volume,
  "v2-market-positions": positions,
  "v2-market-price-ohlcv": priceOhlcv,
  "market-token-detail": tokenMarket,
};
