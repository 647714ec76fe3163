/** Reads single blocks of a node, and which slots have one. */
import type { Json } from "../../base/index.ts";
import { type ChainBlock, decodeBlock, isSkippedSlot, Member, type NodeConnection } from "../solana/index.ts";
import { type LastingConnection, UnreadableBlockError } from "./lasting-connection.ts";

/** The commitments at which blocks can be read. */
export type BlockCommitment = "confirmed" | "finalized";

/** Blocks that arrive by themselves. */
export interface BlockStream {
  /** Returns the block of a slot once, as a node answers it; undefined for one that is to be read from a node. */
  take(slot: number): Promise<Json | undefined>;
  /** Called for each block that arrives. */
  notify: () => void;
  close(): void;
}

/** The latest version of transactions; connections fall back to older ones for nodes that do not know it. */
const LATEST_VERSION = 1;

/**
 * Creates what reads the blocks of a node, or of several as one: then a malformed answer is taken from another one.
 * @param refusalOf returns why a block is not accepted
 * @param stream a faster way to some blocks, which the node has, too
 */
export function createBlockReader(
  node: NodeConnection | LastingConnection,
  commitment: BlockCommitment,
  signal: AbortSignal | undefined,
  refusalOf: (block: ChainBlock) => Error | undefined = () => undefined,
  stream?: BlockStream,
) {
  // Every block is read once: a cache would only grow.
  const sending = { signal, priority: "background", fresh: true } as const;
  const read = async <T>(method: string, params: readonly Json[], decode: (result: Json) => T): Promise<T> =>
    "read" in node ? node.read({ method, params }, decode, sending) : decode(await node.call(method, params, sending));
  const readBlock = async <T>(slot: number, options: Readonly<Record<string, Json>>, decode: (result: Json) => T) => {
    const config = { commitment, encoding: "base64", maxSupportedTransactionVersion: LATEST_VERSION, ...options };
    try {
      return await read("getBlock", [slot, config], decode);
    } catch (error) {
      if (isSkippedSlot(error)) return undefined;
      throw error;
    }
  };
  const readFull = (slot: number) => (result: Json) => {
    const block = readableBlock(result, slot);
    const refusal = block && refusalOf(block);
    if (refusal) throw new UnreadableBlockError(slot, refusal, true);
    return block;
  };
  const arrived = new WeakSet<ChainBlock>();
  /** Returns the block of the stream; undefined for one that has not arrived, or cannot be read. */
  const readStreamed = async (slot: number): Promise<ChainBlock | undefined> => {
    try {
      const block = readFull(slot)((await stream?.take(slot)) ?? null);
      if (block) arrived.add(block);
      return block;
    } catch {
      return undefined;
    }
  };
  const toCount = (result: Json) => new Member(result).count();
  return {
    latestSlot: (at = commitment) => read("getSlot", [{ commitment: at }], toCount),
    /** The oldest slot whose block the node has. */
    firstSlot: () => read("getFirstAvailableBlock", [], toCount),
    /** The slots that have blocks, from one to another, in their order; both inclusive. */
    slotsWithBlocks: (from: number, to: number) =>
      read("getBlocks", [from, to, { commitment }], (result) => {
        const slots = new Member(result).list().map((slot) => slot.count());
        return [...new Set(slots)].filter((slot) => from <= slot && slot <= to).sort((a, b) => a - b);
      }),
    /** A block; undefined when the node has none for the slot. @throws when its history was pruned */
    block: async (slot: number) =>
      (await readStreamed(slot)) ?? readBlock(slot, { transactionDetails: "full", rewards: true }, readFull(slot)),
    /** Whether a block was not read from the node. */
    isStreamed: (block: ChainBlock) => arrived.has(block),
    hash: (slot: number) =>
      readBlock(slot, { transactionDetails: "none", rewards: false }, (result) =>
        new Member(result).optional()?.at("blockhash").optional()?.text(),
      ),
    /** The slot of the block before one; undefined when the node has none for the slot. */
    parentSlot: (slot: number) =>
      readBlock(slot, { transactionDetails: "none", rewards: false }, (result) =>
        new Member(result).optional()?.at("parentSlot").count(slot),
      ),
  };
}

function readableBlock(result: Json, slot: number): ChainBlock | undefined {
  try {
    return decodeBlock(result, slot);
  } catch (error) {
    throw new UnreadableBlockError(slot, error as Error);
  }
}

/** Reads the blocks of a node. */
export type BlockReader = ReturnType<typeof createBlockReader>;
