/** Retry policy of the explorer: which failures are retried automatically, and which are permanent. */
import type { SolxError } from "../../base/index.ts";

/** Maximum number of automatic retries in a row. */
const MAX_RETRIES = 6;
/** First, maximum and minimum delay in milliseconds when the server sends no Retry-After. */
const FIRST_DELAY = 15_000;
const MAX_DELAY = 600_000;
const MIN_DELAY = 1000;

/**
 * Returns the milliseconds until a failed request is retried automatically, with exponential backoff; undefined when it is
 * not: only rate limits and failures with Retry-After are retried.
 * @param failures failures in a row, this one included
 */
export function retryDelay(error: SolxError, failures: number): number | undefined {
  const requested = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
  const isRateLimited = error.exit === "rateLimited" || (requested !== undefined && error.retryable);
  if (!isRateLimited || failures > MAX_RETRIES) return undefined;
  const longer = (requested ?? FIRST_DELAY) * 2 ** (failures - 1);
  return Math.max(MIN_DELAY, requested ?? 0, Math.min(longer, MAX_DELAY));
}

/** Failures that the same request meets again. */
const PERMANENT: ReadonlySet<string> = new Set(["usage", "auth", "permission", "notFound", "quota", "unexpected"]);

/** Returns whether a failed request is sent again only on request. */
export function isPermanent({ exit }: SolxError): boolean {
  return PERMANENT.has(exit);
}
