/** Queries about the state of the chain and the usage of the API key. */

import { omitMissing } from "../../../base/index.ts";
import { epochAt } from "../store/epochs.ts";
import type { LedgerReader } from "../store/reader.ts";
import type { QueriesByRoute, Query } from "./query.ts";
import { columnNumber } from "./sql.ts";

/** Average number of transactions per block of the cluster, votes included; used for the blocks before the ledger. */
const AVERAGE_BLOCK_TRANSACTIONS = 1_243;

/** Whether all transactions can be counted: a ledger of a chain has to begin with its first block. */
const isComplete = (db: LedgerReader): boolean =>
  db.facts.isComplete || db.get("SELECT parent_slot FROM blocks ORDER BY slot LIMIT 1")?.parent_slot === 0;

/** Estimates the transactions before the first block of the ledger. */
function transactionsBefore(db: LedgerReader): number {
  if (!db.facts.isGenerated) return 0;
  const first = db.get("SELECT height FROM blocks WHERE slot = (SELECT min(slot) FROM blocks)");
  return Math.max(0, Number(first?.height ?? 1) - 1) * AVERAGE_BLOCK_TRANSACTIONS;
}

/** Transactions up to a slot, cached while the ledger only grows: each block is counted once. */
const transactionCounts = new WeakMap<LedgerReader, CountedTransactions>();

interface CountedTransactions {
  readonly slot: number;
  readonly transactions: number;
  readonly removals: number;
}

function transactionsUpTo(db: LedgerReader, slot: number): number {
  const cached = transactionCounts.get(db);
  const { removals } = db;
  const before = cached?.removals === removals ? cached : { slot: -1, transactions: transactionsBefore(db) };
  if (before.slot === slot) return before.transactions;
  const row = db.get("SELECT sum(transactions) AS more FROM blocks WHERE slot > ? AND slot <= ?", before.slot, slot);
  const transactions = before.transactions + Number(row?.more);
  transactionCounts.set(db, { slot, transactions, removals });
  return transactions;
}

/**
 * `/chaininfo`: the newest block, and the number of all transactions with votes: those of the ledger plus an estimate
 * for the blocks before it.
 */
const chaininfo: Query = ({ db }) => {
  const block = db.get("SELECT slot, height FROM blocks WHERE slot = (SELECT max(slot) FROM blocks)");
  if (!block) return { data: {} };
  const slot = Number(block.slot);
  const data = omitMissing({
    blockHeight: columnNumber(block.height),
    currentEpoch: epochAt(db, slot),
    absoluteSlot: slot,
    transactionCount: isComplete(db) ? transactionsUpTo(db, slot) : undefined,
  });
  return { data };
};

/** Queries about the state of the chain and the usage of the API key. */
export const statusQueries: QueriesByRoute = {
  chaininfo,
  "v2-monitor-usage": ({ caller }) => ({ data: caller.usage() }),
};
