/**
 * Fills the derived tables, for the whole ledger or for the blocks since the last settlement. Both use the same
 * statements, which read rows from a given id onwards and the temporary tables `touched_…` and `latest`. Sums are sums
 * of integers, so that they do not depend on the order of rows.
 */

import type { DatabaseSync } from "node:sqlite";
import { DAY_SECONDS } from "../../../base/index.ts";
import { NFT_ACTIVITIES, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { sumAmounts } from "./amounts.ts";
import type { LatestBalances, TouchedIds } from "./facts.ts";
import { RowWriter } from "./row-writer.ts";
import {
  CHANGES_SUPPLY,
  firstRowOfSlot,
  firstRowSql,
  isInTransactionSql,
  MINT,
  PROGRAM_DAYS,
  slotSql,
  transactionIdSql,
} from "./schema.ts";
import {
  DAY_SPAN,
  TOKEN_HOLDINGS,
  TOKEN_STATISTICS_TEMPORARY,
  TOKEN_TRADERS,
  TOKEN_WINDOWS,
  TRADES,
  windowBounds,
} from "./token-statistics.ts";

/** Parameters of the statements. Time windows begin after `end − n days` and are passed as their first row ids. */
type StatementBounds = Readonly<Record<string, number | bigint>>;

const nftTypes = (...types: (typeof NFT_ACTIVITIES)[number][]) =>
  types.map((type) => NFT_ACTIVITIES.indexOf(type)).join();
export const SOLD = nftTypes("ACTIVITY_NFT_SOLD");
export const LISTED = nftTypes("ACTIVITY_NFT_LISTING", "ACTIVITY_NFT_UPDATE_PRICE", "ACTIVITY_NFT_LIST_AUCTION");
export const UNLISTED = nftTypes("ACTIVITY_NFT_SOLD", "ACTIVITY_NFT_CANCEL_LIST");

/** The ids of {@link TouchedIds} are in temporary tables. */
const TOUCHED: readonly (keyof TouchedIds)[] = ["accounts", "tokens", "nfts", "openings"];
const TEMPORARY_IDS = [...TOUCHED, "pools"].map((kind) => `touched_${kind}`);

const TEMPORARY = `
${TEMPORARY_IDS.map((name) => `CREATE TEMP TABLE ${name} (id INTEGER PRIMARY KEY);`).join("\n")}
-- By token: holders that come, less those that leave.
CREATE TEMP TABLE balance_moves (token_id INTEGER PRIMARY KEY, more INTEGER);
-- Uses of programs that enter the last day, less those that leave it.
CREATE TEMP TABLE moved_uses (program_id INTEGER, user_id INTEGER, uses INTEGER, PRIMARY KEY (program_id, user_id)) WITHOUT ROWID;
CREATE TEMP TABLE worth (token_id INTEGER PRIMARY KEY, price REAL, factor REAL);
-- Powers of ten.
CREATE TEMP TABLE powers (decimals INTEGER PRIMARY KEY, factor REAL);
WITH RECURSIVE n(decimals) AS (SELECT 0 UNION ALL SELECT decimals + 1 FROM n WHERE decimals < 255)
  INSERT INTO powers SELECT decimals, CAST('1e' || decimals AS REAL) FROM n;
`;
/** Touches everything in a ledger of a chain. The latest balance is that of the last row that says one. */
const TOUCH_ALL = `
INSERT INTO touched_accounts SELECT id FROM accounts;
INSERT INTO touched_tokens SELECT id FROM tokens;
INSERT INTO touched_nfts SELECT token_id FROM nfts;
INSERT INTO touched_openings SELECT token_id FROM opening_supplies;
INSERT OR REPLACE INTO latest SELECT account_id, token_id, owner_id, amount FROM (
  SELECT -1 AS id, account_id, token_id, owner_id, amount FROM opening_balances
  UNION ALL SELECT id, account_id, token_id, owner_id, post FROM balance_changes
  UNION ALL SELECT id, account_id, token_id, owner_id, amount FROM holdings
  UNION ALL SELECT id, account_id, 1, account_id, lamports FROM account_keys WHERE lamports IS NOT NULL
  UNION ALL SELECT id, account_id, 1, account_id, post FROM rewards) ORDER BY id;`;
const CLEAR = ["worth", "balance_moves", "moved_uses", ...TEMPORARY_IDS]
  .map((table) => `DELETE FROM ${table};`)
  .join("");

/** Returns the SQL for the first row of the transaction of a row. */
const startOf = (row: string) => firstRowSql(transactionIdSql(row));

const ACTIVITY_OF_ROUTE = `${startOf("r.id")} + r.activity`;

const BALANCES = [
  `INSERT INTO balance_moves SELECT l.token_id, SUM((l.amount > 0) - (ifnull(b.amount, 0) > 0)) FROM latest l LEFT JOIN balances b ON b.account_id = l.account_id AND b.token_id = l.token_id GROUP BY l.token_id`,
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
       WHERE c.account_id = f.to_id AND c.token_id = 1 AND c.id < ${startOf("f.id")})
     AND NOT EXISTS (SELECT 1 FROM opening_balances o WHERE o.account_id = f.to_id AND o.token_id = 1 AND o.amount <> 0)
     AND (NOT :isChain OR EXISTS (SELECT 1 FROM balance_changes c
       WHERE ${isInTransactionSql("c.id", transactionIdSql("f.id"))} AND c.account_id = f.to_id AND c.token_id = 1 AND c.pre = 0))`,
];

/** The tokens on a side of the routes that have entered a window of statistics, or left it. */
const movedTokens = (n: 1 | 2) =>
  `SELECT token${n}_id FROM routes WHERE token${n}_id IS NOT NULL AND (id >= :since OR id >= :dayOf AND id < :day
     OR id >= :dayBeforeOf AND id < :dayBefore)`;

/** Returns the SQL for the lamports that transactions and rewards have added to the token, from a row on. */
const lamportsMoved = (since: string) =>
  `(SELECT coalesce(SUM(post - pre), 0) FROM balance_changes c WHERE c.id >= ${since} AND c.token_id = token_stats.token_id)
   + iif(token_stats.token_id = 1, (SELECT coalesce(SUM(amount), 0) FROM rewards WHERE id >= ${since}), 0)`;

/** Returns the SQL for all that has been minted of a token, or burned. */
const allMoved = (comparison: "=" | "<>") =>
  `(SELECT coalesce(${sumAmounts(`iif(type ${comparison} ${MINT}, amount, 0)`)}, 0) FROM transfers t
    WHERE t.token_id = token_stats.token_id AND ${CHANGES_SUPPLY})`;

// Of tokens older than a ledger of a chain, supply and holders are unknown without an opening.
const TOKENS = [
  `INSERT OR IGNORE INTO touched_tokens SELECT token_id FROM latest UNION ${movedTokens(1)} UNION ${movedTokens(2)}`,
  `INSERT OR IGNORE INTO token_stats
     SELECT t.id, iif(known, 0, NULL), iif(known, 0, NULL), 0, NULL, NULL, NULL, 0, 0, 0, 0
     FROM (SELECT id, NOT :isChain OR created IS NOT NULL AS known FROM touched_tokens CROSS JOIN tokens USING (id)) t`,
  `UPDATE token_stats SET supply = amount_difference(supply, amount_difference(burned, minted)) FROM (
     SELECT token_id, ${sumAmounts(`iif(type = ${MINT}, amount, 0)`)} AS minted, ${sumAmounts(`iif(type = ${MINT}, 0, amount)`)} AS burned
     FROM transfers WHERE id >= :since AND ${CHANGES_SUPPLY} GROUP BY +token_id) AS moves
   WHERE token_stats.token_id = moves.token_id AND token_stats.token_id NOT IN (1, :wrapped)`,
  `UPDATE token_stats SET holders = holders + moves.more, known_holders = known_holders + moves.more
   FROM balance_moves AS moves WHERE token_stats.token_id = moves.token_id`,
  // In simulated chains, wrapping moves lamports from native to wrapped SOL; the wrapped mint of a chain has no supply.
  `UPDATE token_stats SET supply = supply + ${lamportsMoved(":since")} + iif(token_id = 1, :lamports, 0)
   WHERE token_id = 1 OR token_id = :wrapped AND NOT :isChain`,
  // With an opening, supply and holders count from the first block.
  `UPDATE token_stats SET
     supply = (SELECT iif(o.token_id = 1 OR o.token_id = :wrapped AND NOT :isChain, o.amount + ${lamportsMoved("0")} + iif(o.token_id = 1, :lamports, 0),
         amount_difference(o.amount, amount_difference(${allMoved("<>")}, ${allMoved("=")})))
       FROM opening_supplies o WHERE o.token_id = token_stats.token_id),
     holders = (SELECT iif(o.complete, known_holders, NULL)
       FROM opening_supplies o WHERE o.token_id = token_stats.token_id)
   WHERE token_id IN (SELECT id FROM touched_openings)`,
  // SOL has the price of its wrapped form.
  `UPDATE token_stats SET
     price = (SELECT price FROM prices p WHERE p.token_id = iif(token_stats.token_id = 1, :wrapped, token_stats.token_id)
       ORDER BY id DESC LIMIT 1),
     price_prev = (SELECT price FROM prices p
       WHERE p.token_id = iif(token_stats.token_id = 1, :wrapped, token_stats.token_id) AND id < :day ORDER BY id DESC LIMIT 1)
   WHERE token_id IN (SELECT id FROM touched_tokens)`,
  `INSERT INTO worth SELECT token_id, price, powers.factor FROM token_stats
     JOIN tokens ON tokens.id = token_id JOIN powers USING (decimals) WHERE price IS NOT NULL`,
  `UPDATE token_stats SET market_cap = CAST(supply AS REAL) / factor * worth.price FROM worth
   WHERE token_stats.token_id = worth.token_id AND worth.token_id IN (SELECT id FROM touched_tokens)`,
];

// The statistics of the last day are those of its window.
const TOKEN_DAYS = [
  `UPDATE token_stats SET (volume_24h, volume_prev_24h, trades_24h, traders_24h) = (
     SELECT coalesce(SUM(bought + sold), 0), coalesce(SUM(prev_bought + prev_sold), 0), coalesce(SUM(buys + sells), 0), coalesce(SUM(traders), 0)
     FROM token_windows w WHERE w.span = ${DAY_SPAN} AND w.token_id = token_stats.token_id)
   WHERE token_id IN (SELECT id FROM touched_tokens)`,
];

const poolSideValue = (n: 1 | 2) =>
  `(SELECT CAST(b.amount AS REAL) / w.factor * w.price FROM balances b JOIN worth w USING (token_id)
     WHERE b.account_id = p.vault${n}_id AND b.token_id = p.token${n}_id)`;

// Trades are summed for pools with trades that enter or leave the last two days; the value of a pool also follows prices,
// which every block changes. In a ledger of a chain, it is unknown unless both sides have a price.
const POOLS = [
  `INSERT OR IGNORE INTO touched_pools
     SELECT pool_id FROM routes NOT INDEXED WHERE id >= :since OR id >= :dayOf AND id < :day OR id >= :dayBeforeOf AND id < :dayBefore
     UNION SELECT account_id FROM pools WHERE account_id IN (SELECT id FROM touched_accounts)`,
  `INSERT OR REPLACE INTO pool_stats
     SELECT p.account_id, coalesce(SUM(r.id >= :day), 0), coalesce(SUM(r.id < :day), 0),
       coalesce(SUM(iif(r.id >= :day, value, 0)), 0), coalesce(SUM(iif(r.id < :day, value, 0)), 0),
       COUNT(DISTINCT iif(r.id >= :day, trader_id, NULL)), COUNT(DISTINCT iif(r.id < :day, trader_id, NULL)), NULL
     FROM touched_pools t CROSS JOIN pools p ON p.account_id = t.id
     LEFT JOIN routes r ON r.pool_id = p.account_id AND r.id >= :dayBefore AND r.is_trade GROUP BY p.account_id`,
  `INSERT OR IGNORE INTO touched_pools
     SELECT p.account_id FROM touched_tokens t CROSS JOIN worth w ON w.token_id = t.id CROSS JOIN pools p ON p.token1_id = t.id
     UNION SELECT p.account_id FROM touched_tokens t CROSS JOIN worth w ON w.token_id = t.id CROSS JOIN pools p ON p.token2_id = t.id`,
  `INSERT INTO pool_stats
     SELECT p.account_id, 0, 0, 0, 0, 0, 0,
       iif(:isChain, ${poolSideValue(1)} + ${poolSideValue(2)}, coalesce(${poolSideValue(1)}, 0.0) + coalesce(${poolSideValue(2)}, 0.0))
     FROM touched_pools t CROSS JOIN pools p ON p.account_id = t.id
     WHERE true ON CONFLICT DO UPDATE SET tvl = excluded.tvl`,
];

// Before the statistics, which are sums of them.
const USES = [
  `INSERT OR IGNORE INTO program_uses
     SELECT kind_id, x.id, COUNT(*), MAX(first), error IS NOT NULL, payer.account_id FROM transactions x
     CROSS JOIN account_keys payer ON payer.id = ${firstRowSql("x.id")}
     CROSS JOIN instructions i ON ${isInTransactionSql("i.id", "x.id")}
     WHERE x.id >= ${transactionIdSql(":since")} GROUP BY 1, 2`,
];

/**
 * Returns the SQL that adds the rows of a range to the statistics of programs, or subtracts them: totals grow by the rows
 * that enter the window and shrink by those that leave it.
 */
export const programStatsChange = (sign: 1 | -1, from: string, to: string) =>
  `INSERT INTO program_stats
     SELECT k.program_id, ${sign} * COUNT(*), ${sign} * SUM(NOT u.failed), 0, 0
     FROM instruction_kinds k CROSS JOIN program_uses u ON u.kind_id = k.id
       AND u.transaction_id >= ${transactionIdSql(from)} AND u.transaction_id < ${transactionIdSql(to)}
     WHERE u.first GROUP BY k.program_id
     UNION ALL
     SELECT platform_id, 0, 0, ${sign} * coalesce(SUM(value), 0), 0 FROM defi WHERE id >= ${from} AND id < ${to} GROUP BY platform_id
   ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions,
     successes = successes + excluded.successes, volume = volume + excluded.volume`;

/** Returns the SQL for the transactions in a range of rows by program and payer. */
const usersOf = (sign: 1 | -1, from: string, to: string) =>
  `SELECT k.program_id, u.user_id, ${sign} * COUNT(*) AS uses FROM instruction_kinds k CROSS JOIN program_uses u ON u.kind_id = k.id
     AND u.transaction_id >= ${transactionIdSql(from)} AND u.transaction_id < ${transactionIdSql(to)}
   WHERE u.first GROUP BY k.program_id, u.user_id`;

const PROGRAMS = [
  `INSERT OR IGNORE INTO program_stats SELECT account_id, 0, 0, 0, 0 FROM programs
     UNION SELECT program_id, 0, 0, 0, 0 FROM instruction_kinds`,
  programStatsChange(1, "max(:since, :quarter)", "9e15"),
  programStatsChange(-1, ":quarterBefore", "min(:since, :quarter)"),
  `INSERT INTO moved_uses SELECT program_id, user_id, SUM(uses) FROM (
     ${usersOf(1, "max(:since, :day)", "9e15")} UNION ALL ${usersOf(-1, ":dayOf", "min(:since, :day)")}) GROUP BY 1, 2`,
  `UPDATE program_stats SET users_24h = users_24h + moved.users FROM (
     SELECT m.program_id, SUM((coalesce(u.uses, 0) + m.uses > 0) - (coalesce(u.uses, 0) > 0)) AS users FROM moved_uses m
     LEFT JOIN program_users u ON u.program_id = m.program_id AND u.user_id = m.user_id GROUP BY m.program_id) AS moved
   WHERE program_stats.program_id = moved.program_id`,
  `INSERT INTO program_users SELECT * FROM moved_uses WHERE true ON CONFLICT DO UPDATE SET uses = uses + excluded.uses`,
  `DELETE FROM program_users WHERE uses = 0 AND (program_id, user_id) IN (SELECT program_id, user_id FROM moved_uses)`,
];

const BLOCKS = [
  `INSERT OR REPLACE INTO block_stats
     SELECT ${slotSql("id")}, SUM(fee - priority_fee), SUM(priority_fee), SUM(error IS NOT NULL AND NOT vote), SUM(compute_units)
     FROM transactions WHERE id >= ${transactionIdSql(":since")} GROUP BY 1`,
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

interface SettleStep {
  readonly sql: string;
  /** Whether its result is empty, or has no meaning, in a ledger without prices. */
  readonly needsPrices: boolean;
}

const steps = (statements: readonly string[], needsPrices = false): readonly SettleStep[] =>
  statements.map((sql) => ({ sql, needsPrices }));

/** What is derived: everything; what lists are read from; or this and the other rows that are not statistics. */
export type DerivedParts = "all" | "lists" | "rows";

const STEPS: Readonly<Record<DerivedParts, readonly SettleStep[]>> = {
  all: [
    ...steps([...BALANCES, ...LISTS, ...TOKENS, ...TOKEN_WINDOWS]),
    ...steps(TOKEN_TRADERS, true),
    ...steps([...TOKEN_HOLDINGS, ...TOKEN_DAYS, ...POOLS, ...USES, ...PROGRAMS, ...BLOCKS]),
    ...steps(WEALTH, true),
    ...steps(NFTS),
  ],
  // Queries about single transactions and accounts need nothing else.
  lists: steps([...BALANCES, ...LISTS]),
  rows: steps([...BALANCES, ...LISTS, TRADES, ...USES, ...BLOCKS]),
};

/** The settlement statements, in their order. */
export const SETTLE_STATEMENTS: readonly string[] = STEPS.all.map(({ sql }) => sql);

/** Where a ledger ends. */
export interface LedgerEnd {
  /** The slot of the newest block; −1 without blocks. */
  readonly slot: number;
  /** The time of the newest block that has one; negative infinity without. */
  readonly time: number;
}

/** What a settlement covers. */
export interface Unsettled {
  /** The first row that the derived tables do not cover. */
  readonly since: number;
  /** The ends of the ledger at the last settlement, and now. */
  readonly before: LedgerEnd;
  readonly end: LedgerEnd;
  readonly touched: TouchedIds | "all";
  readonly balances: LatestBalances;
  /** Lamports that are new without a row; negative when they were burnt. */
  readonly lamports: number;
}

/** Brings the derived tables up to date. Returns the steps to run in order, so that the caller can pause between them. */
export type Settler = (unsettled: Unsettled) => readonly (() => void)[];

/** Options of a settler. */
export interface SettlerOptions {
  /** See {@link BlockSource.isChain}. */
  readonly isChain: boolean;
  readonly derives: DerivedParts;
}

/** Creates the settler of a ledger; its statements are prepared once. */
export function createSettler(db: DatabaseSync, { isChain, derives }: SettlerOptions): Settler {
  db.exec(TEMPORARY + TOKEN_STATISTICS_TEMPORARY);
  const prepare = ({ sql, needsPrices }: SettleStep) => {
    const statement = db.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    return { statement, needsPrices };
  };
  const statements = STEPS[derives].map(prepare);
  const anyPrice = db.prepare("SELECT 1 FROM prices LIMIT 1");
  const touchedWriters = TOUCHED.map((kind) => [kind, new RowWriter(db, `touched_${kind}`, 1)] as const);
  return (unsettled) => {
    const { touched, balances } = unsettled;
    db.exec(CLEAR);
    balances.flush();
    if (touched === "all") db.exec(TOUCH_ALL);
    else
      for (const [kind, writer] of touchedWriters) {
        for (const id of touched[kind]) writer.add(id);
        writer.flush();
      }
    const bounds = { ...readBounds(db, unsettled), isChain: Number(isChain) };
    const hasPrices = !isChain || anyPrice.get() !== undefined;
    const run = statements.filter(({ needsPrices }) => hasPrices || !needsPrices);
    return [
      ...run.map(
        ({ statement }) =>
          () =>
            void statement.run(bounds),
      ),
      () => db.exec("DELETE FROM latest"),
    ];
  };
}

function readBounds(db: DatabaseSync, { since, before, end, lamports }: Unsettled): StatementBounds {
  const blockAfter = db.prepare("SELECT slot FROM blocks WHERE time > ? ORDER BY time, slot LIMIT 1");
  const rowAfter = (time: number) => firstRowOfSlot(Number(blockAfter.get(time)?.slot ?? 0));
  const accountId = (address: string) =>
    Number(db.prepare("SELECT id FROM accounts WHERE address = ?").get(address)?.id ?? -1);
  return {
    since,
    lamports: BigInt(lamports),
    slot: end.slot,
    slots: end.slot - before.slot,
    wrapped: accountId(WRAPPED_SOL),
    day: rowAfter(end.time - DAY_SECONDS),
    dayBefore: rowAfter(end.time - 2 * DAY_SECONDS),
    // The same at the last settlement.
    dayOf: rowAfter(before.time - DAY_SECONDS),
    dayBeforeOf: rowAfter(before.time - 2 * DAY_SECONDS),
    ...windowBounds(rowAfter, end.time, before.time),
    quarter: rowAfter(end.time - PROGRAM_DAYS * DAY_SECONDS),
    quarterBefore: rowAfter(before.time - PROGRAM_DAYS * DAY_SECONDS),
  };
}
