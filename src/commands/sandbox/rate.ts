/** The rate limit of a sandbox as people type it. */
import { DAY_SECONDS, UsageError } from "../../base/index.ts";
import { quoteText } from "../../config/index.ts";
import type { Rate } from "../../sandbox/index.ts";

const MAX_RATE = { requests: 1_000_000, seconds: DAY_SECONDS } as const;

/**
 * Parses requests and seconds: `200/10`.
 * @throws UsageError for other text
 */
export function parseRate(text: string): Rate {
  const [, requests, seconds] = /^(\d{1,7})\/(\d{1,5}(?:\.\d{1,3})?)$/.exec(text.trim()) ?? [];
  const rate = { requests: Number(requests), seconds: Number(seconds) };
  const isValid = rate.requests <= MAX_RATE.requests && rate.seconds > 0 && rate.seconds <= MAX_RATE.seconds;
  if (isValid) return rate;
  throw new UsageError(
    `invalid value ${quoteText(text)} for --rate: expected requests/seconds such as 200/10, at most ${MAX_RATE.requests} in ${MAX_RATE.seconds}`,
  );
}
