/** The head of a transaction: everything except its instructions and effects. */
import type { JsonObject } from "../../../base/index.ts";
import type { LedgerReader } from "../../ledger/reader.ts";
import { rowRange } from "../../ledger/schema.ts";
import { logsOf } from "./logs.ts";
import type { Instruction } from "./tree.ts";
import { signatureOf, transactionIdOf } from "./votes.ts";

/** The head of a transaction. Times are the ledger's; fees are lamports. */
export interface TransactionHead {
  readonly id: number;
  readonly signature: string;
  readonly slot: number;
  readonly time: number;
  readonly fee: number;
  readonly priorityFee: number;
  readonly error: string | undefined;
  readonly computeUnits: number;
  readonly version: number | undefined;
  readonly logs: readonly string[] | undefined;
  /** Hash of the parent block. */
  readonly recentHash: string;
}

const HEAD = `SELECT x.*, b.time, b.parent_hash FROM transactions x CROSS JOIN blocks b ON b.slot = x.slot`;

/** Reads a transaction by signature or id; undefined when the ledger does not contain it. */
export function readTransactionHead(db: LedgerReader, key: string | number): TransactionHead | undefined {
  const id = typeof key === "string" ? transactionIdOf(db, key) : key;
  const row = id === undefined ? undefined : db.get(`${HEAD} WHERE x.id = ?`, id);
  return (
    row && {
      id: Number(row.id),
      signature: signatureOf(db, Number(row.id), row.signature),
      slot: Number(row.slot),
      time: Number(row.time),
      fee: Number(row.fee),
      priorityFee: Number(row.priority_fee),
      error: row.error === null ? undefined : String(row.error),
      computeUnits: Number(row.compute_units),
      version: row.version === null ? undefined : Number(row.version),
      logs: row.logs === null ? undefined : String(row.logs).split("\n"),
      recentHash: String(row.parent_hash),
    }
  );
}

/** Returns the log of a transaction: the stored lines, or lines derived from its instructions. */
export const logLines = (head: TransactionHead, tree: readonly Instruction[]): readonly string[] =>
  head.logs ?? logsOf({ tree, error: head.error, computeUnits: head.computeUnits });

/**
 * Returns the distinct tokens of transfers, balance changes and activities, in the order of their ids. SOL is included
 * where it is transferred.
 */
export function involvedTokens(db: LedgerReader, transaction: number): readonly number[] {
  const rows = rowRange(transaction);
  return db
    .all(
      `SELECT token_id AS id FROM transfers WHERE id >= ? AND id < ?
      UNION SELECT token_id FROM balance_changes WHERE id >= ? AND id < ? AND token_id <> 1
      UNION SELECT token1_id FROM defi WHERE id >= ? AND id < ?
      UNION SELECT token2_id FROM defi WHERE id >= ? AND id < ? AND token2_id IS NOT NULL ORDER BY 1`,
      ...[...rows, ...rows, ...rows, ...rows],
    )
    .map((row) => Number(row.id));
}

/** Returns `metadata.tokens`: names of tokens by mint. */
export function tokenLabels(db: LedgerReader, tokens: readonly number[]): JsonObject {
  const labels = tokens.flatMap((id) => {
    const row = db.get("SELECT name, symbol, icon FROM tokens WHERE id = ?", id);
    if (!row) return [];
    const address = db.addressOf(id);
    const label = {
      token_address: address,
      token_name: String(row.name),
      token_symbol: String(row.symbol),
      token_icon: String(row.icon ?? ""),
    };
    return [[address, label] as const];
  });
  return Object.fromEntries(labels);
}
