/** What becomes of a request that failed: tried again by itself, when somebody looks again, or only when asked to. */
import type { SolxError } from "../../base/errors.ts";

/** Tries by itself in a row. */
const MOST_TRIES = 6;
/** Milliseconds before the first of them where the server names no time, and before any at most where it does not. */
const FIRST_DELAY = 15_000;
const LONGEST_DELAY = 600_000;
const LEAST_DELAY = 1000;

/**
 * Milliseconds until a failed request is tried again by itself; undefined where it is not: only who is asked to wait
 * comes back, each time later, and not for ever.
 * @param failures failures in a row, this one included
 */
export function delayAfter(error: SolxError, failures: number): number | undefined {
  const named = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
  const isAskedToWait = error.exit === "rateLimited" || (named !== undefined && error.retryable);
  if (!isAskedToWait || failures > MOST_TRIES) return undefined;
  const longer = (named ?? FIRST_DELAY) * 2 ** (failures - 1);
  return Math.max(LEAST_DELAY, named ?? 0, Math.min(longer, LONGEST_DELAY));
}

/** Failures that the same request meets again, whenever it is sent. */
const FOR_GOOD: ReadonlySet<string> = new Set(["usage", "auth", "permission", "notFound", "quota", "unexpected"]);

/** Whether looking again is no reason to ask again. */
export function isForGood({ exit }: SolxError): boolean {
  return FOR_GOOD.has(exit);
}
