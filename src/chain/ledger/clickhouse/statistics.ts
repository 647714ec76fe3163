/**
 * The statistics of a ledger in ClickHouse, which SQLite brings up to date with every block. Here, sums change by the
 * rows of slots that are new, and lists of balances are read of tokens that these rows name. What is about a window of
 * time is computed from its rows. The statements are ClickHouse's.
 */
import { DAY_SECONDS } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { CHANGES_SUPPLY, firstRowOfSlot, MINT, PROGRAM_DAYS, SOL, TRADE_SUMS, transactionAt } from "../store/schema.ts";
import { LISTED, SOLD, UNLISTED } from "../store/settle.ts";
import { DAY_SPAN, SPANS, TOPS } from "../store/token-statistics.ts";
import { keyOf } from "./keys.ts";
import { isInSlots, type SlotRange } from "./slots.ts";

/** What has changed since a table of statistics was computed. */
export interface StatisticsChange {
  /** The table as it is; one without rows when it is computed anew. */
  readonly known: string;
  readonly isAnew: boolean;
  readonly added: readonly SlotRange[];
  /** Slots that are no longer in the window. */
  readonly removed: readonly SlotRange[];
}

/** A table of statistics, or a part of one, and the rows that replace it. */
export interface Statistic {
  readonly table: string;
  /** The part; by default, the rows are the table. */
  readonly partition?: number;
  /** The seconds before the newest block that its sums are about; all by default. */
  readonly seconds?: number;
  readonly sql: (change: StatisticsChange) => string;
}

/** Returns the SQL for the first slot after a time, in seconds before the newest block. */
export const slotAfter = (seconds: number): string =>
  `ifNull((SELECT min((assumeNotNull(time), slot)).2 FROM blocks
     WHERE time > (SELECT max(time) FROM blocks) - ${seconds}), 0)`;
const rowAfter = (seconds: number): string => `${slotAfter(seconds)} * ${firstRowOfSlot(1)}`;
const transactionAfter = (seconds: number): string => `${slotAfter(seconds)} * ${transactionAt(1)}`;

const WRAPPED = `toUInt256('${keyOf(WRAPPED_SOL)}')`;

const [ROW, USE] = [{ name: "id", type: "row" } as const, { name: "transaction_id", type: "transaction" } as const];

const isChanged = ({ added, removed }: StatisticsChange, position: typeof ROW | typeof USE = ROW): string =>
  isInSlots(position, [...added, ...removed]);

/** Returns the SQL for how often a row counts. */
const signOf = ({ removed }: StatisticsChange, position: typeof ROW | typeof USE = ROW): string =>
  `if(${isInSlots(position, removed)}, -1, 1)`;

/** Tokens whose balances have changed; SOL, which each block changes, only where its holders are known. */
const changedTokens = (change: StatisticsChange): string =>
  `SELECT token_id FROM (
     SELECT DISTINCT token_id FROM balance_changes WHERE ${isChanged(change)}
     UNION DISTINCT SELECT DISTINCT token_id FROM holdings WHERE ${isChanged(change)}
     ${change.isAnew ? "UNION DISTINCT SELECT token_id FROM opening_balances" : ""})
   WHERE token_id <> ${SOL} OR token_id IN (SELECT token_id FROM opening_supplies WHERE complete)`;

/** The trades by the tokens on both sides, in the order of the chain. A trade puts token1 into the pool: the trader sells it. */
const tradesAfter = (seconds: number): string =>
  `SELECT id, trader_id, value, side.1 AS token_id, side.2 AS is_buy FROM routes
   ARRAY JOIN [(token1_id, 0), (ifNull(token2_id, token1_id), 1)] AS side
   WHERE is_trade AND id >= ${rowAfter(seconds)} AND (NOT is_buy OR token_id <> token1_id)`;

/** The sums over trades of a window, from its first row to its end. */
const windowSums = (prefix: string, isIn: string): string => {
  const sums: Readonly<Record<(typeof TRADE_SUMS)[number], string>> = {
    buys: `countIf(${isIn} AND is_buy)`,
    sells: `countIf(${isIn} AND NOT is_buy)`,
    bought: `sumIf(ifNull(value, 0), ${isIn} AND is_buy)`,
    sold: `sumIf(ifNull(value, 0), ${isIn} AND NOT is_buy)`,
    traders: `uniqExactIf(trader_id, ${isIn})`,
    buyers: `uniqExactIf(trader_id, ${isIn} AND is_buy)`,
    sellers: `uniqExactIf(trader_id, ${isIn} AND NOT is_buy)`,
  };
  return TRADE_SUMS.map((name) => `ifNull(${sums[name]}, 0) AS ${prefix}${name}`).join(", ");
};

const tokenWindow = (seconds: number, span: number): Statistic => ({
  table: "token_windows",
  partition: span,
  sql: () =>
    `SELECT ${span} AS span, token_id, ${windowSums("", "id >= since")}, ${windowSums("prev_", "id < since")}, NULL AS price_prev
     FROM (SELECT *, ${rowAfter(seconds)} AS since FROM (${tradesAfter(2 * seconds)})) GROUP BY token_id`,
});

const shareOf = (top: number): string => `100.0 * sumIf(share, holders - rank + 1 <= ${top}) AS top_${top}`;

/** Tables that others are computed from come first. */
export const STATISTICS: readonly Statistic[] = [
  ...SPANS.map(tokenWindow),
  {
    // What minting and burning, and of SOL transactions and rewards, have added; and the accounts that have any.
    table: "token_sums",
    sql: (change) => `SELECT token_id, sum(added), argMax(holders, age) FROM (
      SELECT token_id, added, holders, 0 AS age FROM ${change.known}
      UNION ALL SELECT token_id, sum(${signOf(change)} * if(type = ${MINT}, amount, -amount)), 0, -1 FROM transfers
        WHERE ${CHANGES_SUPPLY} AND ${isChanged(change)} GROUP BY token_id
      UNION ALL SELECT token_id, sum(${signOf(change)} * (post - pre)), 0, -1 FROM balance_changes
        WHERE token_id = ${SOL} AND ${isChanged(change)} GROUP BY token_id
      UNION ALL SELECT ${SOL}, ifNull(sum(${signOf(change)} * amount), 0), 0, -1 FROM rewards WHERE ${isChanged(change)}
      UNION ALL SELECT token_id, 0, countIf(amount > 0), 1 FROM balances WHERE token_id IN (${changedTokens(change)}) GROUP BY token_id)
      GROUP BY token_id`,
  },
  {
    // Of tokens older than the index, supply and holders are unknown without an opening.
    table: "token_stats",
    sql: () => `SELECT t.id AS token_id,
      multiIf(o.amount IS NOT NULL, o.amount + ifNull(s.added, 0),
        t.created IS NOT NULL AND t.id NOT IN (${SOL}, ${WRAPPED}), ifNull(s.added, 0), t.created IS NOT NULL, 0, NULL) AS supply,
      if(ifNull(o.complete, t.created IS NOT NULL), ifNull(s.holders, 0), NULL) AS holders,
      NULL AS price, NULL AS price_prev, NULL AS market_cap,
      ifNull(w.bought + w.sold, 0) AS volume_24h, ifNull(w.prev_bought + w.prev_sold, 0) AS volume_prev_24h,
      ifNull(w.buys + w.sells, 0) AS trades_24h, ifNull(w.traders, 0) AS traders_24h
    FROM tokens t LEFT JOIN opening_supplies o ON o.token_id = t.id LEFT JOIN token_sums s ON s.token_id = t.id
      LEFT JOIN token_windows w ON w.token_id = t.id AND w.span = ${DAY_SPAN}`,
  },
  {
    // Its metadata may show later that a token is an NFT.
    table: "token_holdings",
    sql: (change) => `WITH fungible AS (SELECT id FROM tokens WHERE kind = 'fungible' AND id <> ${SOL})
      SELECT * FROM ${change.known} WHERE token_id IN (fungible) AND token_id NOT IN (${changedTokens(change)})
      UNION ALL SELECT token_id, greatest(0.0, 2.0 * sum(rank * share) / any(holders) - (any(holders) + 1.0) / any(holders)) AS gini,
        sum(share * share) AS hhi, ${TOPS.map(shareOf).join(", ")}
      FROM (SELECT token_id, toFloat64(amount) / sum(toFloat64(amount)) OVER (PARTITION BY token_id) AS share,
          row_number() OVER (PARTITION BY token_id ORDER BY amount, account_id) AS rank,
          count() OVER (PARTITION BY token_id) AS holders
        FROM (SELECT token_id, account_id, amount FROM balances
          WHERE token_id IN (${changedTokens(change)}) AND token_id IN (fungible) AND amount > 0))
      GROUP BY token_id`,
  },
  {
    table: "pool_stats",
    sql: () => `SELECT p.account_id AS pool_id, countIf(r.id >= day) AS trades_24h, countIf(r.id < day) AS trades_prev_24h,
      ifNull(sumIf(r.value, r.id >= day), 0) AS volume_24h, ifNull(sumIf(r.value, r.id < day), 0) AS volume_prev_24h,
      uniqExactIf(r.trader_id, r.id >= day) AS traders_24h, uniqExactIf(r.trader_id, r.id < day) AS traders_prev_24h, NULL AS tvl
    FROM pools p LEFT JOIN (SELECT id, pool_id, trader_id, value, ${rowAfter(DAY_SECONDS)} AS day FROM routes
      WHERE is_trade AND id >= ${rowAfter(2 * DAY_SECONDS)}) r ON r.pool_id = p.account_id
    GROUP BY p.account_id`,
  },
  {
    table: "program_stats",
    seconds: PROGRAM_DAYS * DAY_SECONDS,
    sql: (change) => `SELECT program_id, sum(transactions), sum(successes), sum(volume), sum(users) FROM (
      SELECT account_id AS program_id, 0 AS transactions, 0 AS successes, 0 AS volume, 0 AS users FROM programs
      UNION ALL SELECT program_id, 0, 0, 0, 0 FROM instruction_kinds
      UNION ALL SELECT program_id, transactions, successes, volume, 0 FROM ${change.known}
      UNION ALL SELECT k.program_id, sum(${signOf(change, USE)}), sum(${signOf(change, USE)} * NOT u.failed), 0, 0
        FROM program_uses u INNER JOIN instruction_kinds k ON k.id = u.kind_id
        WHERE u.first AND ${isChanged(change, USE)} GROUP BY k.program_id
      UNION ALL SELECT k.program_id, 0, 0, 0, uniqExact(u.user_id)
        FROM program_uses u INNER JOIN instruction_kinds k ON k.id = u.kind_id
        WHERE u.first AND u.transaction_id >= ${transactionAfter(DAY_SECONDS)} GROUP BY k.program_id
      UNION ALL SELECT platform_id, 0, 0, sum(${signOf(change)} * ifNull(value, 0)), 0 FROM defi
        WHERE ${isChanged(change)} GROUP BY platform_id)
      GROUP BY program_id`,
  },
  {
    table: "nft_markets",
    sql: (change) => `WITH changed AS (SELECT DISTINCT nft_id FROM nft_activities WHERE ${isChanged(change)})
      SELECT n.token_id AS nft_id, n.collection_id, a.sale, if(a.is_listed, a.last, NULL), if(a.is_listed, a.price, NULL)
      FROM nfts n LEFT JOIN (
        SELECT nft_id, last_sale_id AS sale, listing_id AS last, isNotNull(listing_id) AS is_listed, listing_price AS price
          FROM ${change.known} WHERE nft_id NOT IN (changed)
        UNION ALL SELECT nft_id, maxOrNullIf(id, type IN (${SOLD})) AS sale, maxIf(id, is_market) AS last,
          argMaxOrNullIf(type, id, is_market) IN (${LISTED}) AS is_listed, argMaxIf(price, id, is_market) AS price
          FROM (SELECT *, type IN (${LISTED}, ${UNLISTED}) AS is_market FROM nft_activities WHERE nft_id IN (changed))
          GROUP BY nft_id) a ON a.nft_id = n.token_id`,
  },
];
