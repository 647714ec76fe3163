/** Blocks, the state of the chain and current fees. */

import { type JsonObject, toNumeric, toWholeUnits } from "../../../base/index.ts";
import { emptyData, type QueryResult } from "../../../catalogue/index.ts";
import {
  type BlockDetails,
  type ChainBlock,
  type ChainTransaction,
  Member,
  NODE_ERROR,
  PROGRAM,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute, ReadContext } from "../answer.ts";
import { callFor } from "../calls/accounts.ts";
import { checkChain, readBlocks, readRequestedBlock, reportEnd, slotsBackwards } from "../calls/blocks.ts";
import { historyCommitment, readSlot, withFailure } from "../calls/transactions.ts";
import { answerFromBlocks } from "./ledger.ts";

async function readLatestBlocks(
  context: ReadContext,
  count: number,
  details: BlockDetails,
): Promise<readonly ChainBlock[]> {
  const blocks: ChainBlock[] = [];
  let slots: number[] = [];
  const readSlots = async () => {
    blocks.push(...(await readBlocks(context, slots, details)).map(({ block }) => block));
    slots = [];
  };
  for await (const slot of slotsBackwards(context, count)) {
    slots.push(slot);
    if (blocks.length + slots.length < count) continue;
    await readSlots();
    if (blocks.length >= count) break;
  }
  await readSlots();
  checkChain(blocks);
  if (blocks.length < count) reportEnd(context, blocks.at(-1));
  return blocks;
}

interface LatestRequest {
  readonly count: number;
  readonly withVotes: boolean;
  /** Blocks in which they are searched at most. */
  readonly maxBlocks?: number;
  readonly details: Extract<BlockDetails, "full" | "accounts">;
}

/** Blocks in which transactions are searched: those of a local validator contain nothing but votes. */
const MAX_BLOCKS = 64;
/** Blocks that are read first, and the factor by which their number grows. */
const FIRST_BLOCKS = 1;
const GROWTH = 4;

/**
 * Reads the newest transactions, newest first, as far as the newest blocks have them. Without votes, those that may be
 * votes are not counted, but returned: the query that answers decides.
 */
export async function readLatest(
  context: ReadContext,
  { count, withVotes, maxBlocks = MAX_BLOCKS, details }: LatestRequest,
): Promise<readonly ChainTransaction[]> {
  const transactions: ChainTransaction[] = [];
  let slots: number[] = [];
  let [missing, size, read] = [count, FIRST_BLOCKS, 0];
  let last: ChainBlock | undefined;
  const readSlots = async () => {
    const blocks = (await readBlocks(context, slots, details)).map(({ block }) => block);
    checkChain(last ? [last, ...blocks] : blocks);
    last = blocks.at(-1) ?? last;
    for (const block of blocks) {
      for (const transaction of block.transactions.toReversed()) {
        if (missing <= 0) return;
        transactions.push(transaction);
        if (withVotes || !mayBeVote(transaction)) missing--;
      }
    }
    read += slots.length;
    slots = [];
    size *= GROWTH;
  };
  for await (const slot of slotsBackwards(context, FIRST_BLOCKS)) {
    slots.push(slot);
    if (slots.length < Math.min(size, maxBlocks - read)) continue;
    await readSlots();
    if (missing <= 0 || read >= maxBlocks) break;
  }
  if (missing > 0) await readSlots();
  if (missing > 0 && read < maxBlocks) reportEnd(context, last);
  return transactions;
}

const mayBeVote = ({ instructions }: ChainTransaction): boolean =>
  instructions.every(({ program }) => program === PROGRAM.vote);

const DEFAULT_LIMIT = 10;

/** `/block/last`. Of the transactions only their number is needed. */
const last: NodeAnswer = async (context) => {
  const blocks = await readLatestBlocks(context, context.params.integer("limit") ?? DEFAULT_LIMIT, "signatures");
  return answerFromBlocks(context, blocks);
};

const requestedSlot = ({ params }: AnswerContext): number => params.integer("block") ?? 0;

/** Returns the answer about a slot without a block. An empty list alone would say that its block is empty. */
function missing(context: AnswerContext): QueryResult {
  const text = `The node has no block in slot ${requestedSlot(context)}: the slot was skipped, or its block is missing.`;
  context.report?.({ type: "coverage", text });
  return { data: emptyData(context.endpoint.returns) };
}

/** `/block/detail` and `/block/transactions`, by the same query as in an index. */
const fromBlock =
  (details: BlockDetails): NodeAnswer =>
  async (context) => {
    const match = await readRequestedBlock(context, requestedSlot(context), details);
    return match ? answerFromBlocks(context, [match.block]) : missing(context);
  };

/** The legacy `/block/{block}` answers a slot without a block with the error of a node. */
const legacyDetail: NodeAnswer = async (context) => {
  const slot = requestedSlot(context);
  const match = await readRequestedBlock(context, slot, "signatures");
  if (match) return answerFromBlocks(context, [match.block]);
  const isPast = slot < (await readSlot(context, historyCommitment(context)));
  const [code, message] = isPast
    ? [NODE_ERROR.skipped, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`]
    : [NODE_ERROR.notYetAvailable, `Block not available for slot ${slot}`];
  return { data: { currentSlot: slot, result: { code, message } } };
};

/** The legacy `/block/transactions`: as the node returns them. */
const legacyTransactions: NodeAnswer = async (context) => {
  const { params } = context;
  const match = await readRequestedBlock(context, requestedSlot(context), "full", "jsonParsed");
  if (!match) return missing(context);
  const start = params.integer("offset") ?? 0;
  return {
    data: rowsOfBlock(match.result, match.block).slice(start, start + (params.integer("limit") ?? DEFAULT_LIMIT)),
  };
};

/** Returns the transactions of a block in the form of single transactions. */
export function rowsOfBlock({ blockTime = null, transactions }: JsonObject, block: ChainBlock): readonly JsonObject[] {
  const { slot } = block;
  return new Member(transactions)
    .list()
    .map((entry, at) =>
      withFailure({ ...(blockTime === null ? {} : { blockTime }), slot, ...entry.object() }, block.transactions[at]),
    );
}

/** `/chaininfo`. */
const chaininfo: NodeAnswer = async (context) => {
  const info = await callFor(context, "getEpochInfo", [{ commitment: context.node.commitment }]);
  const transactionCount = info.at("transactionCount").optional()?.count();
  return {
    data: {
      blockHeight: info.at("blockHeight").count(),
      currentEpoch: info.at("epoch").count(),
      absoluteSlot: info.at("absoluteSlot").count(),
      ...(transactionCount === undefined ? {} : { transactionCount }),
    },
  };
};

/** Transactions whose fees are compared, and the newest blocks that are read for them at most. */
const FEE_SAMPLE = 1000;
const FEE_BLOCKS = 21;
const SOL_DECIMALS = 9;

/**
 * `/transaction/fees`: of the newest transactions. Nodes report recent prioritisation fees per compute unit
 * (`getRecentPrioritizationFees`), which are no fees of transactions.
 */
const fees: NodeAnswer = async (context) => {
  const latest = await readLatest(context, {
    count: FEE_SAMPLE,
    withVotes: true,
    maxBlocks: FEE_BLOCKS,
    details: "accounts",
  });
  const amounts = latest.map(({ fee }) => fee);
  if (amounts.length === 0) return { data: emptyData(context.endpoint.returns) };
  const sum = amounts.reduce((total, fee) => total + fee, 0n);
  const count = BigInt(amounts.length);
  const [low, high] = amounts.reduce(
    ([minimum, maximum], fee) => [fee < minimum ? fee : minimum, fee > maximum ? fee : maximum],
    [amounts[0] ?? 0n, amounts[0] ?? 0n],
  );
  // Rounded to whole lamports.
  return { data: { avg_fee: inSol((2n * sum + count) / (2n * count)), min_fee: inSol(low), max_fee: inSol(high) } };
};

const inSol = (lamports: bigint) => toNumeric(toWholeUnits(lamports, SOL_DECIMALS));

/** Answers about blocks, and those that blocks give. */
export const blockAnswers: NodeAnswersByRoute = {
  chaininfo,
  "v2-block-last": last,
  "v2-block-detail": fromBlock("signatures"),
  "v2-block-transactions": fromBlock("full"),
  "v2-transaction-fees": fees,
  "block-last": last,
  "block-detail": legacyDetail,
  "block-transactions": legacyTransactions,
};
