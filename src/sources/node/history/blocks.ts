/** Blocks and their transactions. */
import type { Json, JsonObject } from "../../../base/index.ts";
import { emptyData } from "../../../catalogue/index.ts";
import type { QueryResult } from "../../../chain/ledger/index.ts";
import { listOf, NODE_ERROR, objectOf } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute } from "../answer.ts";
import { readBlock, readEncodedBlock } from "../calls/blocks.ts";
import { historyCommitment, readSlot } from "../calls/finality.ts";
import { readLatestBlocks } from "./latest.ts";
import { answerFrom, withBlocks } from "./ledger.ts";

const DEFAULT_LIMIT = 10;

/** `/block/last`. Of the transactions only their number is needed. */
const last: NodeAnswer = async (context) => {
  const blocks = await readLatestBlocks(context, context.params.integer("limit") ?? DEFAULT_LIMIT, "signatures");
  return withBlocks(blocks, (ledger) => answerFrom(ledger, context));
};

const requestedSlot = ({ params }: AnswerContext): number => params.integer("block") ?? 0;

/** The answer for a slot without a block. */
const missing = (context: AnswerContext): QueryResult => ({ data: emptyData(context.endpoint.returns) });

/** `/block/detail`. */
const detail: NodeAnswer = async (context) => {
  const match = await readBlock(context, requestedSlot(context), "signatures");
  return match ? withBlocks([match.block], (ledger) => answerFrom(ledger, context)) : missing(context);
};

/** `/block/transactions`. */
const transactions: NodeAnswer = async (context) => {
  const match = await readBlock(context, requestedSlot(context), "full");
  return match ? withBlocks([match.block], (ledger) => answerFrom(ledger, context)) : missing(context);
};

/** The legacy `/block/{block}` answers a slot without a block with the error of a node. */
const legacyDetail: NodeAnswer = async (context) => {
  const slot = requestedSlot(context);
  const match = await readBlock(context, slot, "signatures");
  if (match) return withBlocks([match.block], (ledger) => answerFrom(ledger, context));
  const isPast = slot < (await readSlot(context, historyCommitment(context)));
  const result = isPast
    ? {
        code: NODE_ERROR.skipped,
        message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      }
    : { code: NODE_ERROR.notYetAvailable, message: `Block not available for slot ${slot}` };
  return { data: { currentSlot: slot, result } };
};

/** The legacy `/block/transactions`: as the node returns them. */
const legacyTransactions: NodeAnswer = async (context) => {
  const { params } = context;
  const slot = requestedSlot(context);
  const match = await readEncodedBlock(context, slot, { details: "full", encoding: "jsonParsed" });
  if (!match) return missing(context);
  const { blockTime = null, transactions: entries } = match.result;
  const start = params.integer("offset") ?? 0;
  const rows = listOf(entries, "result.transactions").slice(start, start + (params.integer("limit") ?? DEFAULT_LIMIT));
  return { data: rows.map((row) => nodeRow(row, slot, blockTime)) };
};

/** Returns an entry of a block in the form of a single transaction. */
export const nodeRow = (entry: Json, slot: number, blockTime: Json): JsonObject => ({
  ...(blockTime === null ? {} : { blockTime }),
  slot,
  ...objectOf(entry, "result.transactions[]"),
});

/** Answers about blocks. */
export const blockAnswers: NodeAnswersByRoute = {
  "v2-block-last": last,
  "v2-block-detail": detail,
  "v2-block-transactions": transactions,
  "block-last": last,
  "block-detail": legacyDetail,
  "block-transactions": legacyTransactions,
};
