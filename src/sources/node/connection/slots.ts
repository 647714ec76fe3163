/** Shows where a node answers from another state than before: one of several behind an address lags, or is of another chain. */
import { isObject, type Json, toNumber } from "../../../base/index.ts";
import type { NodeConnection } from "../../../chain/solana/index.ts";

/** Slots by which answers may differ: a minute. */
const TOLERATED = 150;
/** More slots than a chain has in a second. */
const SLOTS_PER_SECOND = 20;

/** The slots of a node's answers, in the order in which they arrive. */
export class AnswerSlots {
  #last: { readonly slot: number; readonly time: number } | undefined;

  /**
   * Returns a connection that reports, with both slots, answers that do not follow those before.
   * @param report called during a call
   */
  watch(node: NodeConnection, report: (text: string) => void): NodeConnection {
    const check = (result: unknown, method: string) => {
      const slot = slotOf(result as Json, method);
      if (slot === undefined) return;
      const { slot: last, time } = this.#last ?? { slot, time: node.now() };
      this.#last = { slot, time: node.now() };
      const seconds = Math.max(0, node.now() - time) / 1000;
      if (slot >= last - TOLERATED && slot <= last + TOLERATED + seconds * SLOTS_PER_SECOND) return;
      report(
        `The node answered from slot ${last} and then from slot ${slot}: parts may be missing, or of another chain.`,
      );
    };
    return {
      ...{ name: node.name, isLocal: node.isLocal ?? false, commitment: node.commitment, now: node.now },
      call: async (...call) => {
        const result = await node.call(...call);
        check(result, call[0]);
        return result;
      },
      callMany: async (calls, options) => {
        const results = await node.callMany(calls, options);
        for (const [at, result] of results.entries()) check(result, calls[at]?.method ?? "");
        return results;
      },
    };
  }
}

/** Returns the slot that a result is of; undefined where it does not say it. */
function slotOf(result: Json, method: string): number | undefined {
  if (method === "getSlot") return toNumber(result) || undefined;
  if (!isObject(result)) return undefined;
  const { context, absoluteSlot } = result;
  return toNumber(isObject(context) ? context.slot : absoluteSlot) || undefined;
}
