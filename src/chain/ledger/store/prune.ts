/** Removes the oldest blocks of a ledger of a chain. What they led to remains: accounts, tokens, balances, supplies. */
import type { DatabaseSync } from "node:sqlite";
import { DAY_SECONDS } from "../../../base/index.ts";
import { firstRowOfSlot, PROGRAM_DAYS, transactionAt } from "./schema.ts";
import { programStatsChange } from "./settle.ts";

/** Seconds that are kept at least: statistics compare the last day with the day before. */
export const MIN_KEPT_SECONDS = 2 * DAY_SECONDS;

/** Blocks that are removed together, so that readers and the next block wait little. */
const BLOCKS_AT_ONCE = 500;

const rowsOf = (table: string) => `DELETE FROM ${table} WHERE id < :row`;

/** In this order: keys of derived tables are found by the rows that they were derived from. */
const STATEMENTS: readonly string[] = [
  programStatsChange(-1, ":quarter", ":row"),
  `DELETE FROM program_uses WHERE kind_id IN (SELECT id FROM instruction_kinds) AND transaction_id < :transaction`,
  `DELETE FROM account_transfers WHERE (account_id, transfer_id) IN (
     SELECT from_id, id FROM transfers WHERE id < :row UNION ALL SELECT to_id, id FROM transfers WHERE id < :row)`,
  `DELETE FROM defi_tokens WHERE (token_id, defi_id) IN (
     SELECT token1_id, id FROM defi WHERE id < :row UNION ALL SELECT token2_id, id FROM defi WHERE id < :row)`,
  `DELETE FROM defi_sources WHERE defi_id < :row`,
  `DELETE FROM token_trades WHERE (token_id, id) IN (
     SELECT token1_id, id FROM routes WHERE id < :row UNION ALL SELECT token2_id, id FROM routes WHERE id < :row)`,
  ...["account_keys", "instructions", "transfers", "balance_changes", "holdings", "rewards", "defi", "routes"].map(
    rowsOf,
  ),
  "DELETE FROM transactions WHERE id < :transaction",
  "DELETE FROM block_stats WHERE slot < :slot",
  "DELETE FROM blocks WHERE slot < :slot",
];

/** Removes blocks before a time (Unix seconds), not all at once. Returns how many are removed. */
export function pruneBlocks(db: DatabaseSync, time: number): number {
  const rows = db
    .prepare(
      `SELECT slot FROM blocks WHERE slot <= ifnull(
         (SELECT slot FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1), -1) ORDER BY slot LIMIT ?`,
    )
    .all(time, BLOCKS_AT_ONCE + 1);
  // The last of them is the oldest one that remains.
  const [first, count] = [rows.at(-1), rows.length - 1];
  if (!first || count === 0) return 0;
  const slot = Number(first.slot);
  // Older transactions have left the statistics of programs.
  const oldest = db
    .prepare(`SELECT slot FROM blocks WHERE time > (SELECT MAX(time) FROM blocks) - ? ORDER BY time, slot LIMIT 1`)
    .get(PROGRAM_DAYS * DAY_SECONDS);
  const quarter = firstRowOfSlot(Number(oldest?.slot ?? 0));
  const bounds = { slot, transaction: transactionAt(slot), row: firstRowOfSlot(slot), quarter };
  for (const sql of STATEMENTS) {
    const statement = db.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    statement.run(bounds);
  }
  return count;
}
