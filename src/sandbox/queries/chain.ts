/** Queries about the chain as a whole. */
import type { Reader } from "../ledger/reader.ts";
import type { Queries, Query } from "./query.ts";

/** Slots of an epoch. */
const EPOCH_SLOTS = 432_000;

/** Transactions up to a slot: blocks are counted once, as ledgers only grow. */
const counted = new WeakMap<Reader, { readonly slot: number; readonly transactions: number }>();

function transactionsUpTo(db: Reader, slot: number): number {
  const before = counted.get(db) ?? { slot: -1, transactions: 0 };
  if (before.slot === slot) return before.transactions;
  const row = db.get("SELECT sum(transactions) AS more FROM blocks WHERE slot > ? AND slot <= ?", before.slot, slot);
  const transactions = before.transactions + Number(row?.more);
  counted.set(db, { slot, transactions });
  return transactions;
}

/** `/chaininfo`: the newest block, and the transactions of all blocks that the ledger has, votes too. */
const chaininfo: Query = ({ db }) => {
  const block = db.get("SELECT slot, height FROM blocks WHERE slot = (SELECT max(slot) FROM blocks)");
  const slot = Number(block?.slot);
  const data = {
    blockHeight: Number(block?.height),
    currentEpoch: Math.floor(slot / EPOCH_SLOTS),
    absoluteSlot: slot,
    transactionCount: transactionsUpTo(db, slot),
  };
  return { data };
};

/** The query of `/chaininfo`. */
export const chainQueries: Queries = { chaininfo };
