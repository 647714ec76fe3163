/** Statistics of trades and prices, computed from the rows of the ledger. */
import type { DatabaseSync } from "node:sqlite";

/** A trade; the time in Unix seconds of the ledger, the value in millionths of a dollar. */
export interface Trade {
  readonly id: number;
  readonly time: number;
  readonly pool: string;
  readonly trader: number;
  readonly tokens: readonly string[];
  readonly value: bigint;
}

/** A price after a trade; the id is that of the trade. */
export interface PriceChange {
  readonly id: number;
  readonly token: string;
  readonly time: number;
  readonly price: number;
}

const JOIN_BLOCK = `JOIN transactions x ON x.id = r.id / 1024 JOIN blocks b ON b.slot = x.id / 8192`;

/** Returns all trades in chain order. */
export function tradesOf(db: DatabaseSync): readonly Trade[] {
  const rows = db
    .prepare(
      `SELECT r.id, b.time, p.address AS pool, r.trader_id AS trader, t1.address AS token1, t2.address AS token2,
        CAST(r.value AS TEXT) AS value FROM routes r ${JOIN_BLOCK} JOIN accounts p ON p.id = r.pool_id
        JOIN accounts t1 ON t1.id = r.token1_id JOIN accounts t2 ON t2.id = r.token2_id WHERE r.is_trade ORDER BY r.id`,
    )
    .all();
  return rows.map((row) => ({
    id: Number(row.id),
    time: Number(row.time),
    pool: String(row.pool),
    trader: Number(row.trader),
    tokens: [String(row.token1), String(row.token2)],
    value: BigInt(String(row.value)),
  }));
}

/** Returns all price changes in chain order. */
export function pricesOf(db: DatabaseSync): readonly PriceChange[] {
  const rows = db
    .prepare(
      `SELECT r.id, a.address AS token, b.time, r.price FROM prices r ${JOIN_BLOCK} JOIN accounts a ON a.id = r.token_id ORDER BY r.id`,
    )
    .all();
  return rows.map((row) => ({
    id: Number(row.id),
    token: String(row.token),
    time: Number(row.time),
    price: Number(row.price),
  }));
}

/** Returns the last price at or before a time. */
export const priceAt = (prices: readonly PriceChange[], token: string, time: number): number | undefined =>
  prices.filter((row) => row.token === token && row.time <= time).at(-1)?.price;

/** Counts the trades after one time, up to and including another. */
export function countTrades(trades: readonly Trade[], after: number, upTo: number) {
  const matching = trades.filter(({ time }) => time > after && time <= upTo);
  return {
    trades: matching.length,
    volume: Number(matching.reduce((sum, { value }) => sum + value, 0n)) / 1e6,
    traders: new Set(matching.map(({ trader }) => trader)).size,
  };
}
