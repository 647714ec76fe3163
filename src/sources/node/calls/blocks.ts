/** Reads blocks of a node. */
import {
  IncompleteError,
  ignoreFailure,
  type JsonObject,
  OTHER_NODE,
  SolxError,
  splitIntoBatches,
} from "../../../base/index.ts";
import { GENESIS_SLOT, historyText } from "../../../catalogue/index.ts";
import {
  type BlockDetails,
  type ChainBlock,
  type Commitment,
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

/** A block, also as the node returns it, and whether it is finalised. */
interface NodeBlock {
  readonly block: ChainBlock;
  readonly result: JsonObject;
  readonly isFinal: boolean;
}

/**
 * Reads the block of a slot that was requested; undefined where the slot has none. A block does not name its slot:
 * between it and its parent, the node must list no other. A node that lists none proves nothing.
 * @throws ServerError for the block of another slot
 */
export async function readRequestedBlock(
  context: ReadContext,
  ...request: readonly [slot: number, details: BlockDetails, encoding?: TransactionEncoding]
): Promise<NodeBlock | undefined> {
  const read = await readBlock(context, ...request);
  if (!read) return undefined;
  const { slot, parentSlot } = read.block;
  const listed = listSlots(context, [parentSlot, slot], read.isFinal ? "finalized" : "confirmed");
  const other = (await listed.catch(ignoreFailure))?.find((one) => one !== parentSlot && one !== slot);
  if (other === undefined) return read;
  throw new Member(parentSlot, "parentSlot").malformed(`slot ${other}, which has a block, or later`);
}

/** Reads the block of a slot that a node lists; undefined where the slot has none. */
export async function readBlock(
  context: ReadContext,
  slot: number,
  transactionDetails: BlockDetails,
  encoding: TransactionEncoding = "base64",
): Promise<NodeBlock | undefined> {
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
    const block = decodeBlock(result, slot, transactionDetails);
    // That a slot has none is an error of the node.
    if (!block) throw absentBlockError(`The node answers with nothing for the block of slot ${slot}.`);
    return { block, result: new Member(result).object(), isFinal };
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
    const slots = await listSlots(context, [start, end], commitment);
    // The newest slot has a block: it is the one that was asked for.
    if (slots.length === 0 && width === Math.max(FIRST_RANGE, count))
      throw absentBlockError("The node lists no blocks.");
    yield* slots.toReversed();
    empty = slots.length === 0 ? empty + 1 : 0;
    width = Math.min(width * RANGE_FACTOR, MAX_RANGE);
    end = start - 1;
  }
}

/** Returns the slots of a range that have a block, each once and in order. @throws ServerError for others */
export async function listSlots(
  context: ReadContext,
  [first, last]: readonly [first: number, last: number],
  commitment: Commitment,
): Promise<readonly number[]> {
  const list = (await callFor(context, "getBlocks", [first, last, { commitment }])).list();
  const slots = list.map((slot) => {
    if (slot.count() < first || slot.count() > last) throw slot.malformed(`a slot from ${first} to ${last}`);
    return slot.count();
  });
  return [...new Set(slots)].sort((a, b) => a - b);
}

/**
 * Reads the blocks of listed slots concurrently, in the same order.
 * @throws IncompleteError when the node does not return one; ServerError when it returns one block for two slots
 */
export async function readBlocks(
  context: ReadContext,
  slots: readonly number[],
  details: BlockDetails,
): Promise<readonly NodeBlock[]> {
  const blocks: NodeBlock[] = [];
  for (const batch of splitIntoBatches(slots, MAX_CONCURRENT)) {
    const read = await Promise.all(batch.map((slot) => readBlock(context, slot, details)));
    blocks.push(...read.map((block, at) => requireBlock(block, batch[at] ?? 0)));
  }
  const hashes = blocks.map(({ block }) => block.blockhash);
  if (new Set(hashes).size < hashes.length) throw new Member(hashes, "blockhash").malformed("another for each slot");
  return blocks;
}

/** @throws IncompleteError when the node does not return a block that it lists */
export function requireBlock<T>(block: T | undefined, slot: number): T {
  if (block !== undefined) return block;
  throw absentBlockError(`The node lists the block of slot ${slot} but does not return it.`);
}

const absentBlockError = (message: string) =>
  new IncompleteError(message, { code: "MISSING_HISTORY", hint: OTHER_NODE });

/** Reports that there may be blocks before the last one that a node lists. */
export function reportEnd({ report }: ReadContext, last: BlockLink | undefined): void {
  if (!last || last.slot <= GENESIS_SLOT) return;
  report?.({ type: "coverage", firstSlot: last.slot, text: historyText("the node", last.slot) });
}

/** What a block says about itself and the one before it. */
export type BlockLink = Pick<ChainBlock, "slot" | "parentSlot" | "blockhash" | "previousBlockhash">;

/**
 * Checks that blocks, newest first, are one chain. @throws IncompleteError where one is missing between them, or where
 * they are of two forks: a node may switch between two calls
 */
export function checkChain(blocks: readonly BlockLink[]): void {
  for (const [at, { slot, parentSlot, previousBlockhash }] of blocks.entries()) {
    const parent = blocks[at + 1];
    if (!parent) return;
    if (parentSlot !== parent.slot)
      throw absentBlockError(`The node does not list the block of slot ${parentSlot}, before that of slot ${slot}.`);
    if (previousBlockhash !== parent.blockhash)
      throw absentBlockError(`The node returns blocks of different forks for the slots ${parentSlot} and ${slot}.`);
  }
}

/** Blocks can have megabytes: few are in memory at once. */
const MAX_CONCURRENT = 8;
