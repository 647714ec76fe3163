/** How calls are divided into batches: by number, and by the expected size of their answers. */
import { isArray, isObject, type Json } from "../../../base/index.ts";
import type { RpcCall } from "../../../chain/solana/index.ts";

/** Calls in one batch at most, where the limit of the node does not require less. */
export const MAX_BATCH = 50;
/** Expected bytes of the answer to a batch at most. */
const MAX_BYTES = 8_000_000;
/** Requests at the same time; a transport has as many connections. */
const CONCURRENT = 16;

/** Expected bytes of an answer by method; for those with lists of keys, of one key. */
const BYTES: Readonly<Record<string, number>> = {
  getTransaction: 16_000,
  getSignaturesForAddress: 300_000,
  getMultipleAccounts: 1000,
  getProgramAccounts: 4_000_000,
  getTokenAccountsByOwner: 200_000,
  getBlocks: 500_000,
  getVoteAccounts: 2_000_000,
  getClusterNodes: 2_000_000,
};
const OTHER_BYTES = 4000;

/** Expected bytes of a block by the details that are requested of its transactions. */
const BLOCK_BYTES: Readonly<Record<string, number>> = { none: 50_000, signatures: 200_000, accounts: 2_000_000 };
const FULL_BLOCK_BYTES = 4_000_000;

/** Returns the expected bytes of a call's answer. */
function expectedBytes({ method, params }: RpcCall): number {
  if (method === "getBlock") return BLOCK_BYTES[transactionDetails(params[1])] ?? FULL_BLOCK_BYTES;
  const [first] = params;
  return (BYTES[method] ?? OTHER_BYTES) * (isArray(first) ? first.length : 1);
}

function transactionDetails(config: Json | undefined): string {
  return isObject(config) && typeof config.transactionDetails === "string" ? config.transactionDetails : "full";
}

/** Divides calls into batches, in their order. */
export function batchCalls<T>(
  items: readonly T[],
  callOf: (item: T) => RpcCall,
  maxCount: number,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = expectedBytes(callOf(item));
    const last = batches.at(-1);
    if (last && last.length < maxCount && bytes + size <= MAX_BYTES) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}

/** Runs an action for each item, several at a time. */
export async function eachConcurrently<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const run = async () => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, items.length) }, run));
}
