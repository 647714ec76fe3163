/** Reads single blocks of a node, and which slots have one. */
import { type Json, SolxError } from "../../base/index.ts";
import { decodeBlock, isSkippedSlot, Member, type NodeConnection } from "../solana/index.ts";

/** The commitments at which blocks can be read. */
export type BlockCommitment = "confirmed" | "finalized";

/** The latest version of transactions; connections fall back to older ones for nodes that do not know it. */
const LATEST_VERSION = 1;

/** Creates what reads the blocks of a node. */
export function createBlockReader(node: NodeConnection, commitment: BlockCommitment, signal: AbortSignal | undefined) {
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
  const call = async (method: string, params: readonly Json[]) => new Member(await node.call(method, params, sending));
  return {
    latestSlot: async (at = commitment) => (await call("getSlot", [{ commitment: at }])).count(),
    /** The oldest slot whose block the node has. */
    firstSlot: async () => (await call("getFirstAvailableBlock", [])).count(),
    /** The slots that have blocks, from one to another; both inclusive. */
    async slotsWithBlocks(from: number, to: number) {
      const slots = await call("getBlocks", [from, to, { commitment }]);
      return slots.list().map((slot) => slot.count());
    },
    /** A block; undefined when the node has none for the slot. @throws when its history was pruned */
    async block(slot: number) {
      const answer = await getBlock(slot, { transactionDetails: "full", rewards: true });
      try {
        return decodeBlock(answer, slot);
      } catch (error) {
        throw error instanceof SolxError ? unreadableError(slot, error) : error;
      }
    },
    async hash(slot: number) {
      const block = new Member(await getBlock(slot, { transactionDetails: "none", rewards: false })).optional();
      return block?.at("blockhash").optional()?.text();
    },
  };
}

/** Reads the blocks of a node. */
export type BlockReader = ReturnType<typeof createBlockReader>;

/** Returns the error of a block that cannot be decoded or stored; it names the slot. */
export const unreadableError = (slot: number, cause: Error): SolxError =>
  new SolxError("server", `The block of slot ${slot} cannot be indexed: ${cause.message}`, {
    code: "BLOCK",
    hint: "The blocks before it are in the index. Use another node (--rpc): this one may answer with wrong data.",
    cause,
  });
