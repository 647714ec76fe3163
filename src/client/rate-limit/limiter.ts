/**
 * The budget of requests: how many may start in a time, and that exports keep a minute apart. Every attempt takes a turn,
 * retries included. The window slides: wherever it lies, a server that counts finds no more requests in it than allowed.
 */
import { QuotaError, RateLimitError, UsageError } from "../../base/errors.ts";
import { EXPORT_INTERVAL_SECONDS } from "../../catalogue/constants.ts";
import type { Rate } from "../../catalogue/plans.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type Lease, RequestQueue } from "./request-queue.ts";
import type { RateLimitBucket, RateLimitStore } from "./store.ts";

/** How a request takes its turn. */
export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Interactive requests (default) go before those that wait in the background, and have a share that those leave free. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Exports keep a minute apart. */
  readonly kind?: "export" | undefined;
  /** Milliseconds after which waiting is refused; without it, any wait is waited. */
  readonly maxWait?: number | undefined;
  /** Told once, with the milliseconds as far as they are known, when there is a wait. */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** Leave to start one request. */
export interface Permit {
  /**
   * To be called when the answer came, or none will.
   * @param isFree whether the answer tells that the request cost nothing: its units are given back
   */
  release(isFree?: boolean): void;
}

/** What is left of a budget, as last seen. */
export interface RateLimitStatus {
  /** Requests that may start now… */
  readonly requests: number;
  /** …of so many… */
  readonly of: number;
  /** …in so many seconds. */
  readonly seconds: number;
  /** Compute units spent in the current day (UTC). */
  readonly units?: number;
}

/** Says when requests may start. */
export interface RateLimiter {
  /**
   * Waits until a request may start.
   * @param cost compute units: they count from now on, whatever becomes of the request
   * @throws InterruptedError when the signal fires or the budget is closed, RateLimitError when the wait is longer than
   * the patience, QuotaError (code `UNITS_PER_DAY`) when there are not so many units left today
   */
  acquire(cost: number, taking?: AcquireOptions): Promise<Permit>;
  /** Starts nothing for a while: the server said that it is too much. */
  pause(milliseconds: number): void;
  /** Undefined before the first request and where nothing limits them. */
  remaining(): RateLimitStatus | undefined;
  /** Ends all waits, writes down what is to be written, and lets go of files, connections and timers. */
  close(): Promise<void>;
}

/** What a budget is made of. */
export interface RateLimiterParts {
  /** Where turns are counted; it is closed with the budget. */
  readonly store: RateLimitStore;
  /** Whose turns are counted together. */
  readonly account: string;
  /** Undefined for any number of requests. */
  readonly rate: Rate | undefined;
  /** Compute units that may be spent in a day (UTC); undefined for any number. */
  readonly unitsPerDay?: number | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

const EXPORT_RATE: Rate = { requests: 1, seconds: EXPORT_INTERVAL_SECONDS };

/** Owners of lanes are below this. */
const OWNERS = 2 ** 31;

/**
 * A budget for this process alone; several clients may share it.
 * @throws UsageError when `unitsPerDay` is no whole number from 0
 */
export function createRateLimiter(options: Partial<Pick<RateLimiterParts, "rate" | "unitsPerDay">> = {}): RateLimiter {
  const { rate, unitsPerDay } = options;
  return createStoreRateLimiter({ store: createMemoryStore(Date.now), account: "", rate, unitsPerDay, now: Date.now });
}

/** A budget over a store. */
export function createStoreRateLimiter({ store, account, rate, unitsPerDay, now }: RateLimiterParts): RateLimiter {
  if (unitsPerDay !== undefined && !(Number.isSafeInteger(unitsPerDay) && unitsPerDay >= 0)) {
    throw new UsageError("The option unitsPerDay must be a whole number from 0.", { code: "BAD_OPTION" });
  }
  const overspent = (cost: number, spent: number) => noUnits({ cost, spent, most: unitsPerDay ?? 0, now: now() });
  const requests = new RequestQueue({
    // Where neither is limited, nobody else needs to know.
    store: rate === undefined && unitsPerDay === undefined ? createMemoryStore(now) : store,
    bucket: { ...createBucket(account, rate), unitsPerDay },
    now,
    rateError: (wait) => tooMany(rate, wait),
    quotaError: overspent,
  });
  const exports = new RequestQueue({
    store,
    bucket: createBucket(`${account}:exports`, EXPORT_RATE),
    now,
    rateError: tooSoon,
    quotaError: overspent,
  });
  return {
    async acquire(cost, taking = {}) {
      const turn = taking.kind === "export" ? await exports.acquire(0, taking) : undefined;
      try {
        const held = await requests.acquire(cost, taking);
        return turnOf(requests, held, turn === undefined ? undefined : () => exports.release(turn));
      } catch (error) {
        if (turn !== undefined) exports.release(turn, "unused");
        throw error;
      }
    },
    pause: (milliseconds) => requests.pause(milliseconds),
    remaining() {
      if (rate === undefined || requests.lastResult === undefined) return undefined;
      const { remaining: left, units } = requests.lastResult;
      return { requests: left, of: rate.requests, seconds: rate.seconds, units };
    },
    async close() {
      await Promise.all([requests.close(), exports.close()]);
      await store.close();
    },
  };
}

function turnOf(requests: RequestQueue, held: Lease, others: (() => void) | undefined): Permit {
  let isDone = false;
  return {
    release(isFree = false) {
      if (isDone) return;
      isDone = true;
      requests.release(held, isFree ? "free" : "answered");
      others?.();
    },
  };
}

/** What is counted for an account. The window is a thousandth longer than the server's: two clocks never run quite alike, and ours counts in whole milliseconds. */
export function createBucket(account: string, rate: Rate | undefined): RateLimitBucket {
  const owner = Math.floor(Math.random() * OWNERS);
  const unitsPerDay = undefined;
  if (rate === undefined) return { account, owner, requests: Number.POSITIVE_INFINITY, window: 1000, unitsPerDay };
  return { account, owner, requests: rate.requests, window: Math.ceil(rate.seconds * 1001) + 1, unitsPerDay };
}

function tooMany(rate: Rate | undefined, wait: number): RateLimitError {
  const seconds = Math.ceil(wait / 1000);
  const used = rate ? `The ${rate.requests} requests in ${rate.seconds} s are used up` : "Requests are paused";
  return new RateLimitError(`${used}; the next may start in ${seconds} s.`, {
    code: "RATE",
    retryAfter: seconds,
    hint: "Try again then, or allow to wait: leave out --no-wait",
  });
}

function tooSoon(wait: number): RateLimitError {
  const seconds = Math.ceil(wait / 1000);
  return new RateLimitError(`One export a minute is allowed; the next may start in ${seconds} s.`, {
    code: "EXPORT_INTERVAL",
    retryAfter: seconds,
    hint: "Try again then, or allow to wait: --max-wait <seconds>, without --no-wait",
  });
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A wait of less than a day: `1 h 50 min`. */
function waitText(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS);
  const parts = [
    [Math.floor(minutes / 60), "h"],
    [minutes % 60, "min"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

function noUnits(day: { cost: number; spent: number; most: number; now: number }): QuotaError {
  const { cost, spent, most, now } = day;
  const midnight = Math.ceil((now + 1) / DAY_MS) * DAY_MS;
  return new QuotaError(
    `Stopped by units-per-day: ${spent} of ${most} compute units are spent today, and the request costs ${cost}.`,
    {
      code: "UNITS_PER_DAY",
      hint: `The next day begins in ${waitText(midnight - now)}, at 00:00 UTC. Lift it: solx config set units-per-day <units>, or for one run: --units-per-day <units|off>`,
    },
  );
}
