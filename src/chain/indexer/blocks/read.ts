/** Reads blocks of a node. */
import type { Json } from "../../../base/index.ts";
import {
  type ChainBlock,
  countOf,
  decodeBlock,
  isSkippedSlot,
  listOf,
  type NodeConnection,
  optionalText,
} from "../../solana/index.ts";

/** The commitments at which blocks can be read. */
export type BlockCommitment = "confirmed" | "finalized";

/** Reads blocks and slots at one commitment. */
export interface BlockReader {
  /** Returns the latest slot. */
  latestSlot(at?: BlockCommitment): Promise<number>;
  /** Returns the oldest slot whose block the node has. */
  firstSlot(): Promise<number>;
  /** Returns the slots that have blocks, from one to another; both inclusive. */
  slotsWithBlocks(from: number, to: number): Promise<readonly number[]>;
  /** Returns a block; undefined when the node has none for the slot. @throws when its history was pruned */
  block(slot: number): Promise<ChainBlock | undefined>;
  /** Returns the hash of a block; undefined when the node has none for the slot. */
  hash(slot: number): Promise<string | undefined>;
}

/** The latest version of transactions; connections fall back to older ones for nodes that do not know it. */
const LATEST_VERSION = 1;

/** Creates a reader. */
export function createBlockReader(
  node: NodeConnection,
  commitment: BlockCommitment,
  signal: AbortSignal | undefined,
): BlockReader {
  // Every block is read once: a cache would only grow.
  const sending = { signal, priority: "background", fresh: true } as const;
  const getBlock = async (slot: number, options: Readonly<Record<string, Json>>): Promise<Json> => {
    const config = { commitment, encoding: "base64", maxSupportedTransactionVersion: LATEST_VERSION, ...options };
    try {
      return await node.call("getBlock", [slot, config], sending);
    } catch (error) {
      if (isSkippedSlot(error)) return null;
      throw error;
    }
  };
  return {
    latestSlot: async (at = commitment) => countOf(await node.call("getSlot", [{ commitment: at }], sending), "result"),
    firstSlot: async () => countOf(await node.call("getFirstAvailableBlock", [], sending), "result"),
    async slotsWithBlocks(from, to) {
      const slots = await node.call("getBlocks", [from, to, { commitment }], sending);
      return listOf(slots, "result").map((slot) => countOf(slot, "result[]"));
    },
    async block(slot) {
      return decodeBlock(await getBlock(slot, { transactionDetails: "full", rewards: true }), slot);
    },
    async hash(slot) {
      const block = await getBlock(slot, { transactionDetails: "none", rewards: false });
      return optionalText((block as { readonly blockhash?: Json } | null)?.blockhash, "result.blockhash");
    },
  };
}

/**
 * Reads blocks concurrently and yields them in order; undefined for slots without one. At most `concurrency` blocks are
 * in memory.
 */
export async function* readInOrder(
  reader: BlockReader,
  slots: readonly number[],
  concurrency: number,
): AsyncGenerator<readonly [slot: number, block: ChainBlock | undefined]> {
  const pending: Promise<ChainBlock | undefined>[] = [];
  let next = 0;
  const fill = () => {
    while (pending.length < concurrency && next < slots.length) {
      const reading = reader.block(slots[next++] as number);
      // An error is thrown when it is the block's turn.
      reading.catch(() => undefined);
      pending.push(reading);
    }
  };
  for (const slot of slots) {
    fill();
    yield [slot, await pending.shift()];
  }
}
