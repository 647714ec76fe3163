/** Comparison of the derived tables of ledgers. */
import type { DatabaseSync } from "node:sqlite";

/** Derived tables that do not depend on how often a ledger was settled. */
export const DERIVED_TABLES = [
  "balances",
  "account_transfers",
  "defi_tokens",
  "defi_sources",
  "funders",
  "token_stats",
  "token_trades",
  "token_windows",
  "token_traders",
  "token_holdings",
  "pool_stats",
  "program_stats",
  "program_uses",
  "block_stats",
  "epoch_stakes",
  "nft_markets",
] as const;

/** Returns the rows of a table in order, with exact numbers. */
export function dumpTable(db: DatabaseSync, table: string): readonly unknown[] {
  const { length } = db.prepare(`SELECT * FROM ${table}`).columns();
  const statement = db.prepare(`SELECT * FROM ${table} ORDER BY ${length === 1 ? "1" : "1, 2"}`);
  statement.setReadBigInts(true);
  return statement.all().map((row) => ({ ...row }));
}
