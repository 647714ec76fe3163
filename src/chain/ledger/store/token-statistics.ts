/**
 * Fills the derived tables of token statistics: trades by token, sums over time windows, and concentration. Sums over a window
 * change by the trades that enter it and by those that leave it, so that a new block costs as much as the trades at the
 * ends of the windows.
 */
import { UNIT_SECONDS } from "../../../base/index.ts";
import { METRIC_WINDOWS } from "../../../catalogue/index.ts";
import { slotSql, TRADE_SUMS, transactionIdSql } from "./schema.ts";

/** The lengths of the time windows in seconds, by `span`. */
export const SPANS: readonly number[] = Object.keys(METRIC_WINDOWS).map(
  (name) => Number.parseInt(name, 10) * UNIT_SECONDS[name.slice(-1) as keyof typeof UNIT_SECONDS],
);

/** The window of 24 hours. */
export const DAY_SPAN = Object.keys(METRIC_WINDOWS).indexOf("24h");

/**
 * Returns the parameters of the statements: for each window the first row of it (`from_n`) and of the window before
 * (`prev_n`), and what they were at the last settlement (`old_from_n`, `old_prev_n`).
 * @param rowAfter returns the first row after a time
 * @param end time of the newest block
 * @param before time of the newest block at the last settlement
 */
export function windowBounds(
  rowAfter: (time: number) => number,
  end: number,
  before: number,
): Readonly<Record<string, number>> {
  const bounds = SPANS.flatMap((seconds, span) => [
    [`from_${span}`, rowAfter(end - seconds)],
    [`prev_${span}`, rowAfter(end - 2 * seconds)],
    [`old_from_${span}`, rowAfter(before - seconds)],
    [`old_prev_${span}`, rowAfter(before - 2 * seconds)],
  ]);
  return Object.fromEntries(bounds);
}

/** Newer than every row. */
const END = "9e15";

const TRADE_SIDE = (n: 1 | 2, isBuy: 0 | 1) =>
  `SELECT r.token${n}_id, r.id, b.time, r.trader_id, ${isBuy}, r.amount${n}, r.value,
     (SELECT price FROM prices p WHERE p.token_id = r.token${n}_id AND p.id <= r.id ORDER BY id DESC LIMIT 1)
   FROM routes r CROSS JOIN blocks b ON b.slot = ${slotSql(transactionIdSql("r.id"))}
   WHERE r.id >= :since AND r.is_trade`;

// A trade puts token1 into the pool: the trader sells it.
export const TRADES = `INSERT INTO token_trades
  ${TRADE_SIDE(1, 0)} UNION ALL ${TRADE_SIDE(2, 1)} AND r.token2_id <> r.token1_id ORDER BY 1, 2`;

const tradesIn = (from: string, end: string) =>
  `routes r CROSS JOIN token_trades t ON t.token_id IN (r.token1_id, r.token2_id) AND t.id = r.id
   WHERE r.id >= ${from} AND r.id < ${end} AND r.is_trade`;

/** Returns the SQL condition that the trader of `t` has no other trade of the token, of a side, in a range of rows. */
const hasNoOther = (isBuy: string, range: string) =>
  `NOT EXISTS (SELECT 1 FROM token_trades o WHERE o.token_id = t.token_id AND o.trader_id = t.trader_id
     AND o.is_buy = ${isBuy} AND ${range})`;

/**
 * Returns the SQL for trades that enter or leave a window. The first trade of a trader that enters adds the trader, the
 * last one that leaves removes the trader.
 * @param others the rows of the window in which another trade of the trader may be
 */
const movedTrades = (sign: 1 | -1, from: string, end: string, others: string) =>
  `SELECT ${sign} AS sign, token_id, is_buy, value, is_alone, is_alone AND ${hasNoOther("1 - t.is_buy", others)} AS is_trader
   FROM (SELECT t.*, ${hasNoOther("t.is_buy", others)} AS is_alone FROM ${tradesIn(from, end)}) t`;

/** Returns the statement that moves a window from its old rows, `oldFrom` to `oldEnd`, to `from` to `end`. */
function moveWindow(
  span: number,
  prefix: string,
  rows: { oldFrom: string; oldEnd: string; from: string; end: string },
) {
  const { oldFrom, oldEnd, from, end } = rows;
  const columns = TRADE_SUMS.map((name) => prefix + name);
  return `INSERT INTO token_windows (span, token_id, ${columns.join()})
    SELECT ${span}, token_id, SUM(sign * is_buy), SUM(sign * (1 - is_buy)), SUM(sign * is_buy * ifnull(value, 0)),
      SUM(sign * (1 - is_buy) * ifnull(value, 0)), SUM(sign * is_trader), SUM(sign * is_buy * is_alone), SUM(sign * (1 - is_buy) * is_alone)
    FROM (
      ${movedTrades(1, `max(${oldEnd}, ${from})`, end, `o.id >= ${from} AND o.id < t.id`)}
      UNION ALL
      ${movedTrades(-1, oldFrom, `min(${oldEnd}, ${from})`, `o.id > t.id AND o.id < ${oldEnd}`)})
    WHERE true GROUP BY token_id
    ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join()}`;
}

/** Returns the statements that select the tokens of routes in any of several ranges of rows: not only trades set prices. */
const moveTokens = (...ranges: readonly (readonly [from: string, end: string])[]): readonly string[] => {
  const sides = ranges.flatMap(([from, end]) =>
    [1, 2].map(
      (n) =>
        `SELECT token${n}_id FROM routes WHERE id >= ${from} AND id < ${end}${n === 2 ? " AND token2_id IS NOT NULL" : ""}`,
    ),
  );
  return ["DELETE FROM moved_tokens", `INSERT INTO moved_tokens ${sides.join(" UNION ")}`];
};

function windowStatements(span: number): readonly string[] {
  const [from, prev, oldFrom, oldPrev] = [`:from_${span}`, `:prev_${span}`, `:old_from_${span}`, `:old_prev_${span}`];
  const moved = `span = ${span} AND token_id IN (SELECT id FROM moved_tokens)`;
  return [
    moveWindow(span, "prev_", { oldFrom: oldPrev, oldEnd: oldFrom, from: prev, end: from }),
    moveWindow(span, "", { oldFrom, oldEnd: ":since", from, end: END }),
    ...moveTokens(
      [oldPrev, `min(${prev}, ${oldFrom})`],
      [oldFrom, `min(${from}, :since)`],
      [`max(${prev}, :since)`, END],
    ),
    `DELETE FROM token_windows WHERE buys + sells + prev_buys + prev_sells = 0 AND ${moved}`,
    // Trades of wrapped SOL set the price of native SOL too.
    `UPDATE token_windows SET price_prev = (SELECT price FROM prices p
       WHERE p.token_id = token_windows.token_id AND p.id < ${from} ORDER BY id DESC LIMIT 1) WHERE ${moved}
       OR span = ${span} AND token_id = 1`,
  ];
}

export const TOPS = [1, 5, 20, 100] as const;
const topShares = (rank: string, share: string) =>
  TOPS.map((top) => `100.0 * SUM(iif(${rank} <= ${top}, ${share}, 0.0))`).join(", ");

/** Concentration on traders. */
export const TOKEN_TRADERS: readonly string[] = [
  ...moveTokens([`:old_from_${DAY_SPAN}`, `min(:from_${DAY_SPAN}, :since)`], [`max(:from_${DAY_SPAN}, :since)`, END]),
  "DELETE FROM token_traders WHERE token_id IN (SELECT id FROM moved_tokens)",
  `INSERT INTO token_traders
     SELECT token_id, SUM(share * share), ${topShares("rank", "share")} FROM (
       SELECT token_id, coalesce(volume / total, 0.0) AS share,
         ROW_NUMBER() OVER (PARTITION BY token_id ORDER BY volume DESC, trader_id) AS rank
       FROM (
         SELECT t.token_id, t.trader_id, CAST(SUM(t.value) AS REAL) AS volume, SUM(SUM(t.value)) OVER (PARTITION BY t.token_id) AS total
         FROM moved_tokens m CROSS JOIN token_trades t ON t.token_id = m.id AND t.id >= :from_${DAY_SPAN}
         GROUP BY t.token_id, t.trader_id))
     GROUP BY token_id`,
];

/**
 * Holders whose concentration is updated with every block. It is computed from all balances, so that in a ledger of a
 * chain a token with more holders is updated after so many slots, for which it costs the same.
 */
const HOLDERS_PER_SLOT = 1000;

/** Concentration on holders. The statements need the balances of the ledger. */
export const TOKEN_HOLDINGS: readonly string[] = [
  `INSERT OR IGNORE INTO stale_holdings SELECT DISTINCT l.token_id FROM latest l CROSS JOIN tokens t ON t.id = l.token_id
     WHERE t.kind = 'fungible' AND t.id <> 1`,
  // Other text than in the statements that need prices, which are left out without any.
  "DELETE FROM moved_tokens WHERE true",
  `INSERT INTO moved_tokens SELECT token_id FROM stale_holdings CROSS JOIN token_stats USING (token_id)
     WHERE NOT :isChain OR :slot % (holders / ${HOLDERS_PER_SLOT} + 1) < :slots`,
  "DELETE FROM stale_holdings WHERE token_id IN (SELECT id FROM moved_tokens)",
  // Its metadata may show later that a token is an NFT.
  `DELETE FROM token_holdings WHERE token_id IN (SELECT id FROM moved_tokens UNION
     SELECT id FROM touched_tokens CROSS JOIN tokens USING (id) WHERE kind <> 'fungible')`,
  `INSERT INTO token_holdings
     SELECT token_id, max(0.0, 2.0 * SUM(rank * share) / holders - (holders + 1.0) / holders), SUM(share * share),
       ${topShares("holders - rank + 1", "share")} FROM (
       SELECT b.token_id, CAST(b.amount AS REAL) / SUM(CAST(b.amount AS REAL)) OVER (PARTITION BY b.token_id) AS share,
         ROW_NUMBER() OVER (PARTITION BY b.token_id ORDER BY b.amount, b.account_id) AS rank,
         COUNT(*) OVER (PARTITION BY b.token_id) AS holders
       FROM moved_tokens m CROSS JOIN tokens t ON t.id = m.id AND t.kind = 'fungible'
       CROSS JOIN balances b ON b.token_id = t.id AND b.amount > 0)
     GROUP BY token_id`,
];

/** A temporary table that the statements use. */
export const TOKEN_STATISTICS_TEMPORARY = "CREATE TEMP TABLE moved_tokens (id INTEGER PRIMARY KEY);";

/** The trades and their sums over windows. The statements need the prices of the ledger. */
export const TOKEN_WINDOWS: readonly string[] = [TRADES, ...SPANS.flatMap((_seconds, span) => windowStatements(span))];
