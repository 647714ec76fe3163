/** What becomes of a request that failed: tried again by itself, when somebody looks again, or only when asked to. */
import type { SolxError } from "../../base/errors.ts";

/** Tries by itself in a row. */
const MAX_RETRIES = 6;
/** Milliseconds before the first of them where the server names no time, and before any at most where it does not. */
const FIRST_DELAY = 15_000;
const MAX_DELAY = 600_000;
const MIN_DELAY = 1000;

/**
 * Milliseconds until a failed request is tried again by itself; undefined where it is not: only who is asked to wait
 * comes back, each time later, and not for ever.
 * @param failures failures in a row, this one included
 */
export function retryDelay(error: SolxError, failures: number): number | undefined {
  const requested = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
  const isRateLimited = error.exit === "rateLimited" || (requested !== undefined && error.retryable);
  if (!isRateLimited || failures > MAX_RETRIES) return undefined;
  const longer = (requested ?? FIRST_DELAY) * 2 ** (failures - 1);
  return Math.max(MIN_DELAY, requested ?? 0, Math.min(longer, MAX_DELAY));
}

/** Failures that the same request meets again, whenever it is sent. */
const PERMANENT: ReadonlySet<string> = new Set(["usage", "auth", "permission", "notFound", "quota", "unexpected"]);

/** Whether looking again is no reason to ask again. */
export function isPermanent({ exit }: SolxError): boolean {
  return PERMANENT.has(exit);
}
