/** Queries about the state of the chain and the usage of the API key. */
import type { LedgerReader } from "../ledger/reader.ts";
import { SLOTS_PER_EPOCH } from "../ledger/schema.ts";
import type { QueriesByRoute, Query } from "./query.ts";

/** Average number of transactions per block of the cluster, votes included; used for the blocks before the ledger. */
const AVERAGE_BLOCK_TRANSACTIONS = 1_243;

/** Estimates the transactions before the first block of the ledger. */
function transactionsBefore(db: LedgerReader): number {
  const first = db.get("SELECT height FROM blocks WHERE slot = (SELECT min(slot) FROM blocks)");
  return Math.max(0, Number(first?.height ?? 1) - 1) * AVERAGE_BLOCK_TRANSACTIONS;
}

/** Transactions up to a slot, cached because ledgers only grow: each block is counted once. */
const transactionCounts = new WeakMap<LedgerReader, { readonly slot: number; readonly transactions: number }>();

function transactionsUpTo(db: LedgerReader, slot: number): number {
  const before = transactionCounts.get(db) ?? { slot: -1, transactions: transactionsBefore(db) };
  if (before.slot === slot) return before.transactions;
  const row = db.get("SELECT sum(transactions) AS more FROM blocks WHERE slot > ? AND slot <= ?", before.slot, slot);
  const transactions = before.transactions + Number(row?.more);
  transactionCounts.set(db, { slot, transactions });
  return transactions;
}

/**
 * `/chaininfo`: the newest block, and the number of all transactions with votes: those of the ledger plus an estimate
 * for the blocks before it.
 */
const chaininfo: Query = ({ db }) => {
  const block = db.get("SELECT slot, height FROM blocks WHERE slot = (SELECT max(slot) FROM blocks)");
  const slot = Number(block?.slot);
  const data = {
    blockHeight: Number(block?.height),
    currentEpoch: Math.floor(slot / SLOTS_PER_EPOCH),
    absoluteSlot: slot,
    transactionCount: transactionsUpTo(db, slot),
  };
  return { data };
};

/** Queries about the state of the chain and the usage of the API key. */
export const statusQueries: QueriesByRoute = {
  chaininfo,
  "v2-monitor-usage": ({ caller }) => ({ data: caller.usage() }),
};
