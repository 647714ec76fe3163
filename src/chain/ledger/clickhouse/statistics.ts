/**
 * The statistics of a ledger in ClickHouse: what SQLite brings up to date with every block is computed anew from all
 * rows, after the tables that precede it here. The statements are ClickHouse's.
 */
import { DAY_SECONDS } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { CHANGES_SUPPLY, firstRowOfSlot, MINT, PROGRAM_DAYS, SOL, TRADE_SUMS, transactionAt } from "../store/schema.ts";
import { LISTED, SOLD, UNLISTED } from "../store/settle.ts";
import { DAY_SPAN, SPANS, TOPS } from "../store/token-statistics.ts";
import { keyOf } from "./keys.ts";

/** Returns the SQL for the first position after a time, in seconds before the newest block. */
const after = (seconds: number, perSlot: number): string =>
  `ifNull((SELECT min((assumeNotNull(time), slot)).2 FROM blocks
     WHERE time > (SELECT max(time) FROM blocks) - ${seconds}), 0) * ${perSlot}`;
const rowAfter = (seconds: number): string => after(seconds, firstRowOfSlot(1));
const transactionAfter = (seconds: number): string => after(seconds, transactionAt(1));

const WRAPPED = `toUInt256('${keyOf(WRAPPED_SOL)}')`;

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

const tokenWindow = (seconds: number, span: number): string =>
  `SELECT ${span} AS span, token_id, ${windowSums("", "id >= since")}, ${windowSums("prev_", "id < since")}, NULL AS price_prev
   FROM (SELECT *, ${rowAfter(seconds)} AS since FROM token_trades WHERE id >= ${rowAfter(2 * seconds)}) GROUP BY token_id`;

const supply = (comparison: "=" | "<>"): string => `sumIf(amount, type ${comparison} ${MINT})`;

const shareOf = (top: number): string => `100.0 * sumIf(share, holders - rank + 1 <= ${top}) AS top_${top}`;

/** By table. Tables that others are computed from come first. */
export const STATISTICS: Readonly<Record<string, string>> = {
  token_windows: SPANS.map(tokenWindow).join(" UNION ALL "),
  // Of tokens older than the index, supply and holders are unknown without an opening.
  token_stats: `SELECT t.id AS token_id,
      multiIf(o.amount IS NOT NULL AND t.id = ${SOL}, o.amount + l.amount, o.amount IS NOT NULL, o.amount + ifNull(m.amount, 0),
        t.created IS NOT NULL AND t.id NOT IN (${SOL}, ${WRAPPED}), ifNull(m.amount, 0), t.created IS NOT NULL, 0, NULL) AS supply,
      if(ifNull(o.complete, t.created IS NOT NULL), ifNull(h.holders, 0), NULL) AS holders,
      NULL AS price, NULL AS price_prev, NULL AS market_cap,
      ifNull(w.bought + w.sold, 0) AS volume_24h, ifNull(w.prev_bought + w.prev_sold, 0) AS volume_prev_24h,
      ifNull(w.buys + w.sells, 0) AS trades_24h, ifNull(w.traders, 0) AS traders_24h
    FROM tokens t LEFT JOIN opening_supplies o ON o.token_id = t.id
      LEFT JOIN (SELECT token_id, ifNull(${supply("=")}, 0) - ifNull(${supply("<>")}, 0) AS amount FROM transfers
        WHERE ${CHANGES_SUPPLY} GROUP BY token_id) m ON m.token_id = t.id
      LEFT JOIN (SELECT token_id, countIf(amount > 0) AS holders FROM balances GROUP BY token_id) h ON h.token_id = t.id
      LEFT JOIN token_windows w ON w.token_id = t.id AND w.span = ${DAY_SPAN}
      CROSS JOIN (SELECT ifNull((SELECT sum(post - pre) FROM balance_changes WHERE token_id = ${SOL}), 0)
        + ifNull((SELECT sum(amount) FROM rewards), 0) AS amount) l`,
  token_holdings: `SELECT token_id, greatest(0.0, 2.0 * sum(rank * share) / any(holders) - (any(holders) + 1.0) / any(holders)) AS gini,
      sum(share * share) AS hhi, ${TOPS.map(shareOf).join(", ")}
    FROM (SELECT b.token_id, toFloat64(b.amount) / sum(toFloat64(b.amount)) OVER (PARTITION BY b.token_id) AS share,
        row_number() OVER (PARTITION BY b.token_id ORDER BY b.amount, b.account_id) AS rank,
        count() OVER (PARTITION BY b.token_id) AS holders
      FROM balances b INNER JOIN tokens t ON t.id = b.token_id
      WHERE t.kind = 'fungible' AND b.amount > 0 AND t.id <> ${SOL})
    GROUP BY token_id`,
  pool_stats: `SELECT p.account_id AS pool_id, countIf(r.id >= day) AS trades_24h, countIf(r.id < day) AS trades_prev_24h,
      ifNull(sumIf(r.value, r.id >= day), 0) AS volume_24h, ifNull(sumIf(r.value, r.id < day), 0) AS volume_prev_24h,
      uniqExactIf(r.trader_id, r.id >= day) AS traders_24h, uniqExactIf(r.trader_id, r.id < day) AS traders_prev_24h, NULL AS tvl
    FROM pools p LEFT JOIN (SELECT id, pool_id, trader_id, value, ${rowAfter(DAY_SECONDS)} AS day FROM routes
      WHERE is_trade AND id >= ${rowAfter(2 * DAY_SECONDS)}) r ON r.pool_id = p.account_id
    GROUP BY p.account_id`,
  program_stats: `SELECT program_id, ifNull(sum(transactions), 0), ifNull(sum(successes), 0), ifNull(sum(volume), 0), ifNull(sum(users), 0)
    FROM (
      SELECT account_id AS program_id, 0 AS transactions, 0 AS successes, 0 AS volume, 0 AS users FROM programs
      UNION ALL SELECT program_id, 0, 0, 0, 0 FROM instruction_kinds
      UNION ALL SELECT k.program_id, count(), countIf(NOT u.failed), 0,
          uniqExactIf(u.user_id, u.transaction_id >= ${transactionAfter(DAY_SECONDS)})
        FROM program_uses u INNER JOIN instruction_kinds k ON k.id = u.kind_id
        WHERE u.first AND u.transaction_id >= ${transactionAfter(PROGRAM_DAYS * DAY_SECONDS)} GROUP BY k.program_id
      UNION ALL SELECT platform_id, 0, 0, ifNull(sum(value), 0), 0 FROM defi
        WHERE id >= ${rowAfter(PROGRAM_DAYS * DAY_SECONDS)} GROUP BY platform_id)
    GROUP BY program_id`,
  nft_markets: `SELECT n.token_id AS nft_id, n.collection_id, a.sale, if(a.is_listed, a.last, NULL), if(a.is_listed, a.price, NULL)
    FROM nfts n LEFT JOIN (SELECT nft_id, maxIf(id, type IN (${SOLD})) AS sale, maxIf(id, is_market) AS last,
        argMaxIf(type, id, is_market) IN (${LISTED}) AS is_listed, argMaxIf(price, id, is_market) AS price
      FROM (SELECT *, type IN (${LISTED}, ${UNLISTED}) AS is_market FROM nft_activities) GROUP BY nft_id) a ON a.nft_id = n.token_id`,
};
