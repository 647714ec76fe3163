/** The block endpoints. */

import { type JsonObject, omitMissing } from "../../../base/index.ts";
import { PROGRAM, type QueryResult } from "../../../catalogue/index.ts";
import { blockAt, latestBlocks } from "../store/blocks.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../store/reader.ts";
import { isInTransactionSql } from "../store/schema.ts";
import { transactionIds } from "../store/votes.ts";
import { notFoundError, type QueriesByRoute, type QueryContext } from "./query.ts";
import {
  addressOf,
  columnNumber,
  idsOrUnknown,
  pageLimits,
  sliceLimits,
  timeFields,
  unixTimeOf,
  WhereClause,
} from "./sql.ts";
import { transactionRows } from "./transaction/head.ts";
import { rpcTransaction } from "./transaction/node-transaction.ts";

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
  const where = new WhereClause();
  if (params.flag("exclude_vote")) where.add("x.vote = 0");
  const programs = idsOrUnknown(db, params.list("program"));
  if (programs.length > 0) {
    where.add(
      `EXISTS (SELECT 1 FROM instructions i CROSS JOIN instruction_kinds k ON k.id = i.kind_id
      WHERE ${isInTransactionSql("i.id", "x.id")} AND k.program_id IN (${programs.map(() => "?").join()}))`,
      ...programs,
    );
  }
  const areVotesExcluded = programs.length > 0 && !params.list("program").includes(PROGRAM.vote);
  const ids = transactionIds(db, block, where, !areVotesExcluded && !params.flag("exclude_vote"));
  const [limit, offset] = pageLimits(params);
  return { data: { total: ids.length, transactions: transactionRows(db, ids.slice(offset, offset + limit)) } };
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

const newestBlocks = ({ db, params }: QueryContext): readonly LedgerRow[] => [
  ...latestBlocks(db, params.integer("limit") ?? 10),
];

/** The block endpoints. */
export const blockQueries: QueriesByRoute = {
  "v2-block-last": (context) => ({
    data: newestBlocks(context).map((row) => ({ current_slot: Number(row.slot), ...blockJson(context.db, row) })),
  }),
  "v2-block-transactions": transactions,
  "v2-block-detail": (context) => ({ data: blockJson(context.db, findBlock(context)) }),
  "block-last": (context) => ({ data: newestBlocks(context).map((row) => legacyBlockJson(context.db, row)) }),
  "block-detail": ({ db, params }) => {
    const slot = params.integer("block") ?? 0;
    const row = blockAt(db, slot);
    return { data: row ? legacyBlockJson(db, row) : missingJson(db, slot) };
  },
  "block-transactions": (context) => {
    const { db, params } = context;
    const block = findBlock(context);
    const [limit, offset] = sliceLimits(params);
    const ids = transactionIds(db, block).slice(offset, offset + limit);
    return { data: mapRows(ids, (id) => rpcTransaction(db, id)).flat() };
  },
};
