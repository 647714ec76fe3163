/** What the history of a node covers. */
import { ignoreFailure } from "../../../base/index.ts";
import { GENESIS_SLOT, historyText } from "../../../catalogue/index.ts";
import type { ReadContext } from "../answer.ts";
import { callFor } from "./accounts.ts";

/**
 * Reports that a list, which was read to its end, may have had older rows: the node has not kept its whole history.
 * @param from the beginning of the requested time, in Unix seconds
 */
export async function reportHistory(context: ReadContext, from: number | undefined): Promise<void> {
  const first = await context.session.once("first slot", () => readFirstSlot(context));
  if (first !== null && first <= GENESIS_SLOT) return;
  if (first !== null && from !== undefined) {
    const time = await context.session.once("first time", () => readTime(context, first));
    if (time !== undefined && time < from) return;
  }
  context.report?.({ type: "coverage", firstSlot: first, text: historyText("the node", first) });
}

/** Returns the oldest slot whose block the node has; null where it does not say. */
async function readFirstSlot(context: ReadContext): Promise<number | null> {
  for (const method of ["getFirstAvailableBlock", "minimumLedgerSlot"]) {
    const slot = await callFor(context, method).catch(ignoreFailure);
    if (slot) return slot.count();
  }
  return null;
}

const readTime = async (context: ReadContext, slot: number): Promise<number | undefined> =>
  (await callFor(context, "getBlockTime", [slot]).catch(ignoreFailure))?.optional()?.integer();
