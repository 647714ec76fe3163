/** Reads blocks of a node. */
import { type JsonObject, SolxError, splitIntoBatches } from "../../../base/index.ts";
import {
  type BlockDetails,
  type ChainBlock,
  decodeBlock,
  isSkippedSlot,
  Member,
  NODE_ERROR,
} from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { callFor } from "./accounts.ts";
import {
  historyCommitment,
  isFinalSlot,
  MAX_TRANSACTION_VERSION,
  readSlot,
  sendingOf,
  type TransactionEncoding,
} from "./transactions.ts";

/** A block, and whether it is finalised. */
interface NodeBlock {
  readonly block: ChainBlock;
  readonly isFinal: boolean;
}

/** Reads the block of a slot; undefined where the slot has none. */
export async function readBlock(
  context: ReadContext,
  slot: number,
  details: BlockDetails,
): Promise<NodeBlock | undefined> {
  const encoded = await readEncodedBlock(context, slot, { details, encoding: "base64" });
  const block = encoded && decodeBlock(encoded.result, slot, details);
  return block && { block, isFinal: encoded.isFinal };
}

/** The block of a slot as the node returns it; undefined where the slot has none. */
export async function readEncodedBlock(
  context: ReadContext,
  slot: number,
  { details: transactionDetails, encoding }: { readonly details: BlockDetails; readonly encoding: TransactionEncoding },
): Promise<{ readonly result: JsonObject; readonly isFinal: boolean } | undefined> {
  const isFinal = historyCommitment(context) === "finalized" || (await isFinalSlot(context, slot));
  const commitment = isFinal ? "finalized" : "confirmed";
  // Calls for blocks that may follow shortly are repeated: a slot beyond the newest one is not worth the wait.
  if (!isFinal && slot > (await readSlot(context, commitment))) return undefined;
  const options = {
    ...{ encoding, transactionDetails, commitment, rewards: true },
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
  };
  try {
    const result = await context.node.call("getBlock", [slot, options], sendingOf(context, commitment));
    return result === null ? undefined : { result: new Member(result).object(), isFinal };
  } catch (error) {
    const isMissing = isSkippedSlot(error) || (error instanceof SolxError && error.code === NODE_ERROR.notYetAvailable);
    if (isMissing) return undefined;
    throw error;
  }
}

/** Slots of the first range in which blocks are searched, and the factor by which ranges grow: skipped slots are rare. */
const FIRST_RANGE = 16;
const RANGE_FACTOR = 4;
/** Maximum number of slots of a range, and of ranges without a block: before them, the node has no history. */
const MAX_RANGE = 100_000;
const MAX_EMPTY_RANGES = 10;

/** Yields the slots that have a block, newest first, from the newest block at the commitment. */
export async function* slotsBackwards(context: ReadContext, count: number): AsyncGenerator<number, void> {
  const commitment = historyCommitment(context);
  let end = await readSlot(context, commitment);
  let empty = 0;
  let width = Math.max(FIRST_RANGE, count);
  while (end >= 0 && empty < MAX_EMPTY_RANGES) {
    const start = Math.max(0, end - width + 1);
    const result = await callFor(context, "getBlocks", [start, end, { commitment }]);
    const slots = result.list().map((slot) => slot.count());
    yield* slots.sort((a, b) => b - a);
    empty = slots.length === 0 ? empty + 1 : 0;
    width = Math.min(width * RANGE_FACTOR, MAX_RANGE);
    end = start - 1;
  }
}

/** Reads blocks concurrently, in the order of the slots; slots without a block are left out. */
export async function readBlocks(
  context: ReadContext,
  slots: readonly number[],
  details: BlockDetails,
): Promise<readonly NodeBlock[]> {
  const blocks: NodeBlock[] = [];
  for (const batch of splitIntoBatches(slots, MAX_CONCURRENT)) {
    const read = await Promise.all(batch.map((slot) => readBlock(context, slot, details)));
    for (const block of read) if (block) blocks.push(block);
  }
  return blocks;
}

/** Blocks can have megabytes: few are in memory at once. */
const MAX_CONCURRENT = 8;
