/**
 * Which results of a node never change: those of the commitment `finalized`. They are requested with that commitment,
 * whatever the commitment of the connection is, so that every request for them has the same cache key.
 */
import { type Json, SolxError } from "../../../base/index.ts";
import { type CallOptions, type Commitment, countOf, malformed } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";

/** The commitments of methods that read transactions and blocks; a node has neither before it votes on them. */
export type HistoryCommitment = Exclude<Commitment, "processed">;

/**
 * The highest version of transactions. Without it, nodes refuse everything but legacy transactions; the connection falls
 * back to the version before where a node does not know it.
 */
export const MAX_TRANSACTION_VERSION = 1;

/** Returns the commitment at which history is read. */
export const historyCommitment = ({ node }: Pick<ReadContext, "node">): HistoryCommitment =>
  node.commitment === "finalized" ? "finalized" : "confirmed";

/** Returns how a call is sent: results of finalised blocks are cached permanently, except that there is none. */
export function sendingOf({ sending }: Pick<ReadContext, "sending">, commitment: Commitment): CallOptions {
  return commitment === "finalized" ? { ...sending, isFinal: (result: Json) => result !== null } : sending;
}

/** Returns the newest slot at a commitment. */
export async function readSlot({ node, sending }: ReadContext, commitment: Commitment): Promise<number> {
  return countOf(await node.call("getSlot", [{ commitment }], sending), "result");
}

/** Returns the result, or throws the error that a call of several ended with. */
export function unwrap(result: Json | SolxError | undefined): Json {
  if (result === undefined) throw malformed("a batch", "as long as its calls");
  if (result instanceof SolxError) throw result;
  return result;
}

/** Milliseconds for which the newest finalised slot is used without asking again: a slot takes about as long. */
const FINAL_SLOT_AGE = 400;

/** Whether the block of a slot is finalised. */
export async function isFinalSlot(context: ReadContext, slot: number): Promise<boolean> {
  const known = await context.session.once("finalised slot", async () => ({
    slot: -1,
    time: Number.NEGATIVE_INFINITY,
  }));
  if (slot <= known.slot) return true;
  const now = context.node.now();
  if (now - known.time < FINAL_SLOT_AGE) return false;
  known.slot = Math.max(known.slot, await readSlot(context, "finalized"));
  known.time = now;
  return slot <= known.slot;
}
