/** Comparing the derived tables of ledgers. */
import type { DatabaseSync } from "node:sqlite";

/** Derived tables that are the same however often a ledger was settled. */
export const DERIVED_TABLES = [
  "balances",
  "account_transfers",
  "defi_tokens",
  "funders",
  "token_stats",
  "pool_stats",
  "program_stats",
  "nft_markets",
] as const;

/** The rows of a table in order, every digit kept. */
export function dumpTable(db: DatabaseSync, table: string): readonly unknown[] {
  const statement = db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`);
  statement.setReadBigInts(true);
  return statement.all().map((row) => ({ ...row }));
}
