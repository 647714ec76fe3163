/** The newest blocks and transactions. */
import type { ChainBlock, ChainTransaction } from "../../../chain/solana/index.ts";
import { PROGRAM } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { type BlockDetails, readBlocks, slotsBackwards } from "../calls/blocks.ts";

/** Reads the newest blocks, newest first. */
export async function readLatestBlocks(
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
  return blocks;
}

/** What the newest transactions are read for. */
export interface LatestRequest {
  readonly count: number;
  readonly votes: boolean;
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
  { count, votes, maxBlocks = MAX_BLOCKS, details }: LatestRequest,
): Promise<readonly ChainTransaction[]> {
  const transactions: ChainTransaction[] = [];
  let slots: number[] = [];
  let [missing, size, read] = [count, FIRST_BLOCKS, 0];
  const readSlots = async () => {
    for (const { block } of await readBlocks(context, slots, details)) {
      for (const transaction of block.transactions.toReversed()) {
        if (missing <= 0) return;
        transactions.push(transaction);
        if (votes || !mayBeVote(transaction)) missing--;
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
  return transactions;
}

const mayBeVote = ({ instructions }: ChainTransaction): boolean =>
  instructions.every(({ program }) => program === PROGRAM.vote);
