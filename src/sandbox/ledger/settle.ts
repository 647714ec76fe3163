/**
 * Fills the derived tables, for the whole ledger or for the blocks since the last settlement. Both use the same
 * statements, which read rows from a given id onwards and the temporary tables `touched_…` and `latest`. Sums are sums
 * of integers, so that they do not depend on the order of rows.
 */

import type { DatabaseSync } from "node:sqlite";
import { DAY_SECONDS } from "../../base/index.ts";
import { NFT_ACTIVITIES, WRAPPED_SOL } from "../../catalogue/index.ts";
import type { LatestBalances, TouchedIds } from "./facts.ts";
import { CHANGES_SUPPLY, firstRow, MINT, ROWS_PER_TRANSACTION } from "./schema.ts";
import { TOKEN_STATISTICS, TOKEN_STATISTICS_TEMPORARY, windowBounds } from "./token-statistics.ts";

/** Days covered by the statistics of programs. */
const PROGRAM_DAYS = 90;

/** Parameters of the statements. Time windows begin after `end − n days` and are passed as their first row ids. */
type StatementBounds = Readonly<Record<string, number>>;

const nftTypes = (...types: (typeof NFT_ACTIVITIES)[number][]) =>
  types.map((type) => NFT_ACTIVITIES.indexOf(type)).join();
const SOLD = nftTypes("ACTIVITY_NFT_SOLD");
const LISTED = nftTypes("ACTIVITY_NFT_LISTING", "ACTIVITY_NFT_UPDATE_PRICE", "ACTIVITY_NFT_LIST_AUCTION");
const UNLISTED = nftTypes("ACTIVITY_NFT_SOLD", "ACTIVITY_NFT_CANCEL_LIST");

const TOUCHED_TABLES: Readonly<Record<keyof TouchedIds, string>> = {
  accounts: "touched_accounts",
  tokens: "touched_tokens",
  nfts: "touched_nfts",
};
const TEMPORARY = `
CREATE TEMP TABLE touched_accounts (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE touched_tokens (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE touched_nfts (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE worth (token_id INTEGER PRIMARY KEY, price REAL, factor REAL);
-- Powers of ten.
CREATE TEMP TABLE powers (decimals INTEGER PRIMARY KEY, factor REAL);
`;
const CLEAR = ["worth", ...Object.values(TOUCHED_TABLES)].map((table) => `DELETE FROM ${table};`).join("");

const ACTIVITY_OF_ROUTE = `r.id / ${ROWS_PER_TRANSACTION} * ${ROWS_PER_TRANSACTION} + r.activity`;

const BALANCES = [
  // Former owners, before their rows are replaced.
  `INSERT OR IGNORE INTO touched_accounts SELECT b.owner_id FROM touched_accounts t CROSS JOIN balances b ON b.account_id = t.id`,
  `INSERT OR REPLACE INTO balances
     SELECT l.account_id, l.token_id, coalesce(t.owner_id, l.owner_id), l.amount FROM latest l
     LEFT JOIN token_accounts t ON t.account_id = l.account_id AND l.token_id <> 1`,
  `INSERT OR REPLACE INTO balances
     SELECT b.account_id, b.token_id, t.owner_id, b.amount FROM touched_accounts a
     CROSS JOIN token_accounts t ON t.account_id = a.id
     CROSS JOIN balances b ON b.account_id = t.account_id AND b.token_id = t.token_id WHERE b.owner_id <> t.owner_id`,
  `INSERT OR IGNORE INTO touched_accounts SELECT account_id FROM latest UNION SELECT owner_id FROM latest`,
  `INSERT OR IGNORE INTO touched_accounts
     SELECT t.owner_id FROM touched_accounts a CROSS JOIN token_accounts t ON t.account_id = a.id
     UNION SELECT s.withdrawer_id FROM touched_accounts a CROSS JOIN stake_accounts s ON s.account_id = a.id`,
];

const LISTS = [
  `INSERT OR IGNORE INTO account_transfers
     SELECT from_id, id, 0 FROM transfers WHERE id >= :since
     UNION ALL SELECT to_id, id, 1 FROM transfers WHERE id >= :since AND to_id <> from_id
     ORDER BY 1, 2`,
  `INSERT OR IGNORE INTO defi_tokens
     SELECT token1_id, id FROM defi WHERE id >= :since
     UNION SELECT token2_id, id FROM defi WHERE id >= :since AND token2_id IS NOT NULL`,
  `INSERT OR IGNORE INTO defi_sources
     SELECT ${ACTIVITY_OF_ROUTE}, pool_id FROM routes r WHERE id >= :since
     UNION SELECT ${ACTIVITY_OF_ROUTE}, program_id FROM routes r WHERE id >= :since`,
  `INSERT OR IGNORE INTO defi_sources
     SELECT id, platform_id FROM defi d WHERE id >= :since
     AND NOT EXISTS (SELECT 1 FROM defi_sources s WHERE s.defi_id = d.id)`,
  // Accounts that had SOL before their first transfer are older than the ledger: their funders are unknown.
  `INSERT OR IGNORE INTO funders
     SELECT to_id, from_id, id FROM (
       SELECT to_id, from_id, MIN(id) AS id FROM transfers
       WHERE id >= :since AND token_id = 1 AND amount > 0 AND to_id <> from_id GROUP BY to_id) f
     WHERE NOT EXISTS (SELECT 1 FROM balance_changes c
       WHERE c.account_id = f.to_id AND c.token_id = 1 AND c.id < f.id / 4096 * 4096)`,
];

// Tokens traded in the last two days are updated even without new activity: trades leave the window as time advances. A
// + prevents SQLite from reading a whole index for its order.
const TOKENS = [
  `INSERT OR IGNORE INTO touched_tokens
     SELECT token_id FROM latest
     UNION SELECT token1_id FROM routes WHERE id >= :tradesOf
     UNION SELECT token2_id FROM routes WHERE id >= :tradesOf AND token2_id IS NOT NULL`,
  `INSERT OR IGNORE INTO token_stats
     SELECT t.id, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0 FROM touched_tokens t CROSS JOIN tokens USING (id)`,
  `UPDATE token_stats SET supply = supply + minted.amount FROM (
     SELECT token_id, SUM(CASE type WHEN ${MINT} THEN amount ELSE -amount END) AS amount FROM transfers
     WHERE id >= :since AND ${CHANGES_SUPPLY} GROUP BY +token_id) AS minted
   WHERE token_stats.token_id = minted.token_id AND token_stats.token_id NOT IN (1, :wrapped)`,
  // Native and wrapped SOL have separate supplies: wrapping moves lamports from one to the other.
  `UPDATE token_stats SET supply = (SELECT coalesce(SUM(amount), 0) FROM balances b WHERE b.token_id = token_stats.token_id)
   WHERE token_id IN (1, :wrapped)`,
  // SOL has the price of its wrapped form.
  `UPDATE token_stats SET
     holders = (SELECT COUNT(*) FROM balances b WHERE b.token_id = token_stats.token_id AND b.amount > 0),
     price = (SELECT price FROM prices p WHERE p.token_id = iif(token_stats.token_id = 1, :wrapped, token_stats.token_id)
       ORDER BY id DESC LIMIT 1),
     price_prev = (SELECT price FROM prices p
       WHERE p.token_id = iif(token_stats.token_id = 1, :wrapped, token_stats.token_id) AND id < :day ORDER BY id DESC LIMIT 1),
     volume_24h = 0, volume_prev_24h = 0, trades_24h = 0, traders_24h = 0
   WHERE token_id IN (SELECT id FROM touched_tokens)`,
  `UPDATE token_stats SET volume_24h = sides.volume, volume_prev_24h = sides.volume_prev,
     trades_24h = sides.trades, traders_24h = sides.traders
   FROM (
     SELECT token_id, SUM(iif(id >= :day, value, 0)) AS volume, SUM(iif(id < :day, value, 0)) AS volume_prev,
       SUM(id >= :day) AS trades, COUNT(DISTINCT iif(id >= :day, trader_id, NULL)) AS traders
     FROM (
       SELECT token1_id AS token_id, id, value, trader_id FROM routes WHERE id >= :dayBefore AND is_trade
       UNION ALL SELECT token2_id, id, value, trader_id FROM routes
       WHERE id >= :dayBefore AND is_trade AND token2_id <> token1_id)
     GROUP BY token_id) AS sides
   WHERE token_stats.token_id = sides.token_id`,
  `INSERT INTO worth SELECT token_id, price, powers.factor FROM token_stats
     JOIN tokens ON tokens.id = token_id JOIN powers USING (decimals) WHERE price IS NOT NULL`,
  `UPDATE token_stats SET market_cap = CAST(supply AS REAL) / factor * worth.price FROM worth
   WHERE token_stats.token_id = worth.token_id AND worth.token_id IN (SELECT id FROM touched_tokens)`,
];

const poolSideValue = (n: 1 | 2) =>
  `coalesce((SELECT CAST(b.amount AS REAL) / w.factor * w.price FROM balances b JOIN worth w USING (token_id)
     WHERE b.account_id = p.vault${n}_id AND b.token_id = p.token${n}_id), 0.0)`;

const POOLS = [
  `INSERT OR REPLACE INTO pool_stats
     SELECT p.account_id, coalesce(trades, 0), coalesce(trades_prev, 0), coalesce(volume, 0), coalesce(volume_prev, 0),
       coalesce(traders, 0), coalesce(traders_prev, 0), ${poolSideValue(1)} + ${poolSideValue(2)}
     FROM pools p LEFT JOIN (
       SELECT pool_id, SUM(id >= :day) AS trades, SUM(id < :day) AS trades_prev,
         SUM(iif(id >= :day, value, 0)) AS volume, SUM(iif(id < :day, value, 0)) AS volume_prev,
         COUNT(DISTINCT iif(id >= :day, trader_id, NULL)) AS traders,
         COUNT(DISTINCT iif(id < :day, trader_id, NULL)) AS traders_prev
       FROM routes WHERE id >= :dayBefore AND is_trade GROUP BY +pool_id) ON pool_id = p.account_id`,
];

// Before the statistics, which are sums of them.
const USES = [
  `INSERT OR IGNORE INTO program_uses
     SELECT kind_id, x.id, COUNT(*), MAX(first), error IS NOT NULL, payer.account_id FROM transactions x
     CROSS JOIN account_keys payer ON payer.id = x.id * 4096
     CROSS JOIN instructions i ON i.id >= x.id * 4096 AND i.id < (x.id + 1) * 4096
     WHERE x.id >= :since / 4096 GROUP BY 1, 2`,
  `INSERT OR IGNORE INTO program_uses
     SELECT v.kind_id, x.id, 1, 1, 0, c.account_id FROM transactions x
     CROSS JOIN balance_changes c ON c.id = x.id * 4096 CROSS JOIN voters v ON v.identity_id = c.account_id
     WHERE x.id >= :since / 4096 AND x.signature IS NULL`,
];

// Totals grow by the rows that enter the window and shrink by those that leave it.
const programStatsChange = (sign: 1 | -1, from: string, to: string) =>
  `INSERT INTO program_stats
     SELECT k.program_id, ${sign} * COUNT(*), ${sign} * SUM(NOT u.failed), 0, 0
     FROM instruction_kinds k CROSS JOIN program_uses u ON u.kind_id = k.id
       AND u.transaction_id >= ${from} / 4096 AND u.transaction_id < ${to} / 4096
     WHERE u.first GROUP BY k.program_id
     UNION ALL
     SELECT platform_id, 0, 0, ${sign} * SUM(value), 0 FROM defi WHERE id >= ${from} AND id < ${to} GROUP BY platform_id
   ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions,
     successes = successes + excluded.successes, volume = volume + excluded.volume`;

const PROGRAMS = [
  `INSERT OR IGNORE INTO program_stats SELECT account_id, 0, 0, 0, 0 FROM programs
     UNION SELECT program_id, 0, 0, 0, 0 FROM instruction_kinds`,
  programStatsChange(1, "max(:since, :quarter)", "9e15"),
  programStatsChange(-1, ":quarterBefore", "min(:since, :quarter)"),
  `UPDATE program_stats SET users_24h = (
     SELECT COUNT(DISTINCT u.user_id) FROM instruction_kinds k CROSS JOIN program_uses u ON u.kind_id = k.id
     WHERE k.program_id = program_stats.program_id AND u.transaction_id >= :day / 4096 AND u.first)`,
];

const BLOCKS = [
  `INSERT OR REPLACE INTO block_stats
     SELECT slot, SUM(fee - priority_fee), SUM(priority_fee), SUM(error IS NOT NULL AND NOT vote), SUM(compute_units)
     FROM transactions WHERE id >= :since / 4096 GROUP BY +slot`,
];

/** Millionths of a dollar; far above any real balance, and low enough for sums to fit into 64 bits. */
const MAX_VALUE = "1e17";
const microDollars = (balance: string) =>
  `CAST(min(CAST(${balance}.amount AS REAL) / worth.factor * worth.price * 1e6 + 0.5, ${MAX_VALUE}) AS INTEGER)`;

const WEALTH = [
  `DELETE FROM wealth WHERE account_id IN (SELECT id FROM touched_accounts)`,
  `INSERT INTO wealth
     SELECT id, SUM(sol) AS sol, SUM(tokens) AS tokens, SUM(stakes) AS stakes, SUM(sol + tokens + stakes) AS total FROM (
       SELECT a.id, iif(b.token_id = 1, ${microDollars("b")}, 0) AS sol, iif(b.token_id = 1, 0, ${microDollars("b")}) AS tokens, 0 AS stakes
       FROM touched_accounts CROSS JOIN accounts a USING (id)
         CROSS JOIN balances b ON b.owner_id = a.id CROSS JOIN worth USING (token_id)
       WHERE a.kind = 'system_account'
       UNION ALL
       SELECT a.id, 0, 0, ${microDollars("b")} FROM stake_accounts s CROSS JOIN accounts a ON a.id = s.withdrawer_id
       CROSS JOIN balances b ON b.account_id = s.account_id AND b.token_id = 1 CROSS JOIN worth USING (token_id)
       WHERE a.kind = 'system_account' AND a.id IN (SELECT id FROM touched_accounts)
     ) GROUP BY id HAVING SUM(sol + tokens + stakes) > 0`,
];

// A + prevents SQLite from reading all activities of a type for their order.
const NFTS = [
  `INSERT OR IGNORE INTO touched_nfts SELECT nft_id FROM nft_activities WHERE id >= :since`,
  `INSERT OR REPLACE INTO nft_markets
     SELECT n.token_id, n.collection_id,
       (SELECT MAX(id) FROM nft_activities WHERE nft_id = n.token_id AND +type IN (${SOLD})), listing.id, listing.price
     FROM touched_nfts t CROSS JOIN nfts n ON n.token_id = t.id
     LEFT JOIN nft_activities listing ON listing.type IN (${LISTED}) AND listing.id = (
       SELECT MAX(id) FROM nft_activities WHERE nft_id = n.token_id AND +type IN (${LISTED}, ${UNLISTED}))`,
];

/** The settlement statements, in their order. */
export const SETTLE_STATEMENTS: readonly string[] = [
  ...BALANCES,
  ...LISTS,
  ...TOKENS,
  ...TOKEN_STATISTICS,
  ...POOLS,
  ...USES,
  ...PROGRAMS,
  ...BLOCKS,
  ...WEALTH,
  ...NFTS,
];

/**
 * Brings the derived tables up to date, given the first row that they do not cover, the ids affected since then, and
 * the latest balances. Returns the steps to run in order, so that the caller can pause between them.
 */
export type Settler = (since: number, touched: TouchedIds, balances: LatestBalances) => readonly (() => void)[];

/** Creates the settler of a ledger; its statements are prepared once. */
export function createSettler(db: DatabaseSync): Settler {
  db.exec(TEMPORARY + TOKEN_STATISTICS_TEMPORARY);
  const statements = SETTLE_STATEMENTS.map((sql) => {
    const statement = db.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  });
  const addFactor = db.prepare("INSERT OR IGNORE INTO powers VALUES (?, ?)");
  const decimalsInUse = db.prepare("SELECT DISTINCT decimals FROM tokens");
  const addTouched = Object.entries(TOUCHED_TABLES).map(
    ([kind, table]) => [kind as keyof TouchedIds, db.prepare(`INSERT INTO ${table} VALUES (?)`)] as const,
  );
  return (since, touched, balances) => {
    db.exec(CLEAR);
    balances.flush();
    for (const [kind, statement] of addTouched) for (const id of touched[kind]) statement.run(id);
    for (const { decimals } of decimalsInUse.all()) addFactor.run(Number(decimals), Number(`1e${decimals}`));
    const bounds = boundsOf(db, since);
    return [...statements.map((statement) => () => void statement.run(bounds)), () => db.exec("DELETE FROM latest")];
  };
}

function boundsOf(db: DatabaseSync, since: number): StatementBounds {
  const timeOf = (sql: string, ...values: number[]) =>
    Number(db.prepare(sql).get(...values)?.time ?? Number.NEGATIVE_INFINITY);
  const end = timeOf("SELECT MAX(time) AS time FROM blocks");
  const before = timeOf("SELECT MAX(time) AS time FROM blocks WHERE first_transaction < ?", since / firstRow(1));
  const blockAfter = db.prepare(
    "SELECT first_transaction AS first FROM blocks WHERE time > ? ORDER BY time, slot LIMIT 1",
  );
  const rowAfter = (time: number) => firstRow(Number(blockAfter.get(time)?.first ?? 0));
  const accountId = (address: string) =>
    Number(db.prepare("SELECT id FROM accounts WHERE address = ?").get(address)?.id ?? -1);
  return {
    since,
    wrapped: accountId(WRAPPED_SOL),
    day: rowAfter(end - DAY_SECONDS),
    dayBefore: rowAfter(end - 2 * DAY_SECONDS),
    ...windowBounds(rowAfter, end, before),
    tradesOf: rowAfter(before - 2 * DAY_SECONDS),
    quarter: rowAfter(end - PROGRAM_DAYS * DAY_SECONDS),
    quarterBefore: rowAfter(before - PROGRAM_DAYS * DAY_SECONDS),
  };
}
