/** What the history of a node covers. */
import { ignoreFailure, type Json } from "../../../base/index.ts";
import { GENESIS_SLOT, historyText } from "../../../catalogue/index.ts";
import type { Member } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { callFor } from "./accounts.ts";

/**
 * Reports that a list, which was read to its end, may have had older rows: the node has not kept its whole history.
 * @param from the beginning of the requested time, in Unix seconds
 */
export async function reportHistory(context: ReadContext, from: number | undefined): Promise<void> {
  if (await hasWholeHistory(context)) return;
  const first = await firstSlot(context);
  if (first !== null && from !== undefined) {
    const time = await context.session.once("first time", () => readTime(context, first));
    if (time !== undefined && time < from) return;
  }
  context.report?.({ type: "coverage", firstSlot: first, text: historyText("the node", first) });
}

/** Whether the node says that it has its chain from the beginning. */
export async function hasWholeHistory(context: ReadContext): Promise<boolean> {
  const first = await firstSlot(context);
  return first !== null && first <= GENESIS_SLOT;
}

const firstSlot = (context: ReadContext) => context.session.once("first slot", () => readFirstSlot(context));

/** Returns the oldest slot whose block the node has; null where it does not say. */
async function readFirstSlot(context: ReadContext): Promise<number | null> {
  for (const method of ["getFirstAvailableBlock", "minimumLedgerSlot"]) {
    const slot = await readOptional(context, method, [], (result) => result.count());
    if (slot !== undefined) return slot;
  }
  return null;
}

const readTime = (context: ReadContext, slot: number): Promise<number | undefined> =>
  readOptional(context, "getBlockTime", [slot], (result) => result.optional()?.time());

/** Returns what a result says; undefined when the node does not return it, or something else. */
const readOptional = async <T>(
  context: ReadContext,
  method: string,
  params: readonly Json[],
  read: (result: Member) => T,
): Promise<T | undefined> => callFor(context, method, params).then(read).catch(ignoreFailure);
