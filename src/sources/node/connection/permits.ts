/** The permits of calls to a node: those of all methods together, and those of each method. */

import type { Rate } from "../../../catalogue/index.ts";
import type { AcquireOptions, Permit, RateLimiter } from "../../../client/index.ts";
import { createRateLimiter } from "../../api/index.ts";

/** Decides when calls may be sent. */
export interface NodePermits {
  /**
   * Waits until calls may be sent in one request; each counts.
   * @returns a function to call when the answer came, or when none will
   */
  acquire(methods: readonly string[], options: AcquireOptions): Promise<() => void>;
  /** Sends nothing for a while: the node answered that there were too many calls. */
  pause(milliseconds: number): void;
  close(): Promise<void>;
}

/**
 * Creates permits.
 * @param limiter counts the calls of all methods; the caller closes it
 * @param methodRate the limit of each method
 */
export function createPermits(limiter: RateLimiter, methodRate: Rate | undefined): NodePermits {
  const byMethod = new Map<string, RateLimiter>();
  const limiterOf = (method: string): readonly RateLimiter[] => {
    if (methodRate === undefined) return [];
    const known = byMethod.get(method) ?? createRateLimiter({ rate: methodRate });
    byMethod.set(method, known);
    return [known];
  };
  return {
    async acquire(methods, options) {
      const granted: Permit[] = [];
      const release = () => {
        for (const permit of granted) permit.release();
      };
      // The method's permits come first: while they are awaited, other methods can be called.
      const acquireAll = async (limiters: readonly RateLimiter[]) => {
        const waits = limiters.map((each) => each.acquire(0, options).then((permit) => granted.push(permit)));
        const outcomes = await Promise.allSettled(waits);
        const failed = outcomes.find((outcome) => outcome.status === "rejected");
        if (failed) throw failed.reason;
      };
      try {
        await acquireAll(methods.flatMap(limiterOf));
        await acquireAll(methods.map(() => limiter));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    pause: (milliseconds) => limiter.pause(milliseconds),
    async close() {
      await Promise.all([...byMethod.values()].map((each) => each.close()));
    },
  };
}
