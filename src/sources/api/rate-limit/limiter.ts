/**
 * The rate limiter: how many requests may start in a time, and that exports are a minute apart. Every attempt needs a
 * permit, retries included. The window slides: wherever a server begins to count, it finds no more requests than allowed.
 */
import { DAY_MS, formatSpan, QuotaError, RateLimitError, tellAll, UsageError, waitHints } from "../../../base/index.ts";
import { EXPORT_INTERVAL_SECONDS, type Rate } from "../../../catalogue/index.ts";
import type { Permit, RateLimiter } from "../../../client/index.ts";
import { createMemoryStore } from "./memory-store.ts";
import { RequestQueue } from "./request-queue.ts";
import { type Clock, processClock, type RateLimitBucket, type RateLimitStore } from "./store.ts";

/** What a rate limiter is made of. */
export interface RateLimiterParts {
  readonly store: RateLimitStore;
  readonly account: string;
  /** Undefined for no limit. */
  readonly rate: Rate | undefined;
  /** Compute units that may be spent in a day (UTC); undefined for no limit. */
  readonly unitsPerDay?: number | undefined;
  readonly clock: Clock;
  readonly user?: string | undefined;
}

const EXPORT_RATE: Rate = { requests: 1, seconds: EXPORT_INTERVAL_SECONDS };

/** Owners of buckets are below this number. */
const MAX_OWNER = 2 ** 31;

/**
 * Creates a rate limiter for this process alone; several clients may share it.
 * @throws UsageError when `unitsPerDay` is not a whole number from 0
 */
export function createRateLimiter(options: Partial<Pick<RateLimiterParts, "rate" | "unitsPerDay">> = {}): RateLimiter {
  const { rate, unitsPerDay } = options;
  const clock = processClock();
  return createStoreRateLimiter({ store: createMemoryStore(clock), account: "", rate, unitsPerDay, clock });
}

/** Creates a rate limiter that counts in a store. */
export function createStoreRateLimiter({
  store,
  account,
  rate,
  unitsPerDay,
  clock,
  user,
}: RateLimiterParts): RateLimiter {
  if (unitsPerDay !== undefined && !(Number.isSafeInteger(unitsPerDay) && unitsPerDay >= 0)) {
    throw new UsageError("The option unitsPerDay must be a whole number from 0.", { code: "BAD_OPTION" });
  }
  const quotaError = (cost: number, spent: number) =>
    unitsPerDayError({ cost, spent, limit: unitsPerDay ?? 0, now: clock.calendar() });
  const requests = new RequestQueue({
    // Without limits there is nothing to share.
    store: rate === undefined && unitsPerDay === undefined ? createMemoryStore(clock) : store,
    bucket: { ...createBucket(account, rate), unitsPerDay, user },
    clock,
    rateError: (wait) => requestRateError(rate, wait),
    quotaError,
  });
  const exports = new RequestQueue({
    store,
    bucket: createBucket(`${account}:exports`, EXPORT_RATE),
    clock,
    rateError: exportRateError,
    quotaError,
  });
  return {
    async acquire(cost, options = {}) {
      const exportLease = options.kind === "export" ? await exports.acquire(0, options) : undefined;
      try {
        const lease = await requests.acquire(cost, options);
        return createPermit((isFree) => {
          requests.release(lease, isFree ? "free" : "answered");
          if (exportLease !== undefined) exports.release(exportLease);
        });
      } catch (error) {
        if (exportLease !== undefined) exports.release(exportLease, "unused");
        throw error;
      }
    },
    pause: (milliseconds) => requests.pause(milliseconds),
    remaining() {
      if (rate === undefined || requests.lastResult === undefined) return undefined;
      const { remaining, units } = requests.lastResult;
      return { requests: remaining, of: rate.requests, seconds: rate.seconds, units };
    },
    isEstimated: () => requests.lastResult?.share !== undefined,
    async close() {
      await Promise.all([requests.close(), exports.close()]);
      await store.close();
    },
  };
}

/** A permit that is released once, however often `release` is called. */
function createPermit(onRelease: (isFree: boolean) => void): Permit {
  let isReleased = false;
  return {
    release(isFree = false) {
      if (isReleased) return;
      isReleased = true;
      onRelease(isFree);
    },
  };
}

/**
 * Creates a bucket for an account. Its window is a thousandth longer than the server's: two clocks never run exactly
 * alike, and ours counts in whole milliseconds.
 */
export function createBucket(account: string, rate: Rate | undefined): RateLimitBucket {
  const owner = Math.floor(Math.random() * MAX_OWNER);
  const unitsPerDay = undefined;
  if (rate === undefined) return { account, owner, requests: Number.POSITIVE_INFINITY, window: 1000, unitsPerDay };
  return { account, owner, requests: rate.requests, window: Math.ceil(rate.seconds * 1001) + 1, unitsPerDay };
}

function requestRateError(rate: Rate | undefined, wait: number): RateLimitError {
  const seconds = Math.ceil(wait / 1000);
  const reason = rate
    ? `The rate limit of ${rate.requests} requests per ${rate.seconds} s is reached`
    : "Requests are paused";
  return new RateLimitError(`${reason}; the next one can start in ${seconds} s.`, {
    code: "RATE",
    retryAfter: seconds,
    hint: waitHints(seconds, "Try again then, or wait for it: omit --max-wait 0."),
  });
}

function exportRateError(wait: number): RateLimitError {
  const seconds = Math.ceil(wait / 1000);
  return new RateLimitError(`Exports are limited to one per minute; the next one can start in ${seconds} s.`, {
    code: "EXPORT_INTERVAL",
    retryAfter: seconds,
    hint: waitHints(seconds, "Try again then, or wait for it: --max-wait <seconds>."),
  });
}

/** How each reader raises the limit of units of a day. */
const RAISE_LIMIT = {
  command: "solx config set units day=<units>, or for one run: SOLX_UNITS_PER_DAY=<units|off>",
  program: "the option unitsPerDay of the client or of its rate limiter.",
  tool: "the user sets it in a terminal: solx config set units day=<units>",
} as const;

function unitsPerDayError(day: { cost: number; spent: number; limit: number; now: number }): QuotaError {
  const { cost, spent, limit, now } = day;
  const midnight = Math.ceil((now + 1) / DAY_MS) * DAY_MS;
  return new QuotaError(
    `The daily limit of units is reached: ${spent} of ${limit} compute units are spent today, and the request costs ${cost}.`,
    {
      code: "UNITS_PER_DAY",
      hint: tellAll(
        RAISE_LIMIT,
        (way) =>
          `The next day begins in ${formatSpan((midnight - now) / 1000)}, at 00:00 UTC. To raise the limit: ${way}`,
      ),
    },
  );
}
