/** The block endpoints. */
import { type JsonObject, omitMissing } from "../../../base/index.ts";
import type { LedgerReader, LedgerRow } from "../store/reader.ts";
import { voteProgramOf } from "../store/votes.ts";
import { notFoundError, type QueriesByRoute, type QueryContext, type QueryResult } from "./query.ts";
import {
  addressOf,
  columnNumber,
  idsOrUnknown,
  isInTransactionSql,
  pageLimits,
  sliceLimits,
  timeFields,
  unixTimeOf,
  WhereClause,
} from "./sql.ts";
import { transactionRows } from "./transaction/head.ts";
import { rpcTransaction } from "./transaction/node-transaction.ts";

const blockAt = (db: LedgerReader, slot: number): LedgerRow | undefined =>
  db.get("SELECT * FROM blocks WHERE slot = ?", slot);

const latestBlocks = (db: LedgerReader, limit: number): readonly LedgerRow[] =>
  db.all("SELECT * FROM blocks ORDER BY slot DESC LIMIT ?", limit);

/** Returns the entity `Block`, without its slot. */
const blockJson = (db: LedgerReader, row: LedgerRow): JsonObject =>
  omitMissing({
    blockhash: String(row.hash),
    fee_rewards: columnNumber(row.fee_rewards),
    transactions_count: Number(row.transactions),
    block_height: columnNumber(row.height),
    ...timeFields(db, row.time),
    parent_slot: Number(row.parent_slot),
    previous_block_hash: String(row.parent_hash),
  });

/** Returns the requested block. @throws UnknownSubjectError when the slot has none */
function findBlock({ db, params }: QueryContext): LedgerRow {
  const row = blockAt(db, params.integer("block") ?? 0);
  if (!row) throw notFoundError("Block");
  return row;
}

/**
 * `/block/transactions`: transactions of a block in chain order, optionally without votes or only those that call given
 * programs at any depth.
 */
function transactions(context: QueryContext): QueryResult {
  const { db, params } = context;
  const block = findBlock(context);
  const first = Number(block.first_transaction);
  const where = new WhereClause().add("x.id >= ? AND x.id < ?", first, first + Number(block.stored));
  if (params.flag("exclude_vote")) where.add("x.vote = 0");
  const programs = idsOrUnknown(db, params.list("program"));
  if (programs.length > 0) {
    const votes = programs.includes(voteProgramOf(db)) ? "x.signature IS NULL OR" : "";
    where.add(
      `(${votes} EXISTS (SELECT 1 FROM instructions i CROSS JOIN instruction_kinds k ON k.id = i.kind_id
      WHERE ${isInTransactionSql("i.id", "x.id")} AND k.program_id IN (${programs.map(() => "?").join()})))`,
      ...programs,
    );
  }
  const total = db.get(`SELECT COUNT(*) AS total FROM transactions x ${where.sql}`, ...where.values)?.total;
  const page = db.all(
    `SELECT x.id FROM transactions x ${where.sql} ORDER BY x.id LIMIT ? OFFSET ?`,
    ...where.values,
    ...pageLimits(params),
  );
  const ids = page.map((row) => Number(row.id));
  return { data: { total: Number(total), transactions: transactionRows(db, ids) } };
}

const legacyBlockJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  currentSlot: Number(row.slot),
  result: omitMissing({
    blockHeight: columnNumber(row.height),
    blockTime: unixTimeOf(db, row.time),
    blockhash: String(row.hash),
    parentSlot: Number(row.parent_slot),
    previousBlockhash: String(row.parent_hash),
    feeRewards: columnNumber(row.fee_rewards),
    validator: addressOf(db, row.leader_id),
    transactionCount: Number(row.transactions),
  }),
});

/** Returns the answer for a slot without a block, with the error codes of a node: skipped, or not yet available. */
function missingJson(db: LedgerReader, slot: number): JsonObject {
  const newest = Number(db.get("SELECT MAX(slot) AS slot FROM blocks")?.slot);
  const result =
    slot < newest
      ? { code: -32007, message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot` }
      : { code: -32004, message: `Block not available for slot ${slot}` };
  return { currentSlot: slot, result };
}

/** The block endpoints. */
export const blockQueries: QueriesByRoute = {
  "v2-block-last": ({ db, params }) => ({
    data: latestBlocks(db, params.integer("limit") ?? 10).map((row) => ({
      current_slot: Number(row.slot),
      ...blockJson(db, row),
    })),
  }),
  "v2-block-transactions": transactions,
  "v2-block-detail": (context) => ({ data: blockJson(context.db, findBlock(context)) }),
  "block-last": ({ db, params }) => ({
    data: latestBlocks(db, params.integer("limit") ?? 10).map((row) => legacyBlockJson(db, row)),
  }),
  "block-detail": ({ db, params }) => {
    const slot = params.integer("block") ?? 0;
    const row = blockAt(db, slot);
    return { data: row ? legacyBlockJson(db, row) : missingJson(db, slot) };
  },
  "block-transactions": (context) => {
    const { db, params } = context;
    const block = findBlock(context);
    const [limit, offset] = sliceLimits(params);
    const first = Number(block.first_transaction);
    const count = Math.max(0, Math.min(limit, Number(block.stored) - offset));
    const ids = Array.from({ length: count }, (_, n) => first + offset + n);
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
};
