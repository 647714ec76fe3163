/** The names of version 0.1 of the library that are more than another name of the same thing. */
import {
  type AcquireOptions,
  createRateLimiter,
  createSharedRateLimiter,
  type Permit,
  type RateLimiter,
  type RateLimitStatus,
  type SharedRateLimiterOptions,
} from "./client/index.ts";

/** @deprecated Use `AcquireOptions`. */
export interface Taking extends AcquireOptions {
  /** @deprecated Use `maxWaitMs`. */
  readonly patience?: number | undefined;
}

/** @deprecated Use `Permit`. */
export interface Turn extends Permit {
  /** @deprecated Use `release`. */
  done(isFree?: boolean): void;
}

/** @deprecated Use `RateLimiter`. */
export interface Budget extends RateLimiter {
  /** @deprecated Use `acquire`. */
  take(cost: number, options?: Taking): Promise<Turn>;
  /** @deprecated Use `remaining`. */
  left(): RateLimitStatus | undefined;
}

/** @deprecated Use `createRateLimiter`. */
export const createBudget = (options?: Parameters<typeof createRateLimiter>[0]): Budget =>
  withDeprecatedNames(createRateLimiter(options));

/** @deprecated Use `createSharedRateLimiter`. */
export const createSharedBudget = (options: SharedRateLimiterOptions): Budget =>
  withDeprecatedNames(createSharedRateLimiter(options));

function withDeprecatedNames(limiter: RateLimiter): Budget {
  return {
    ...limiter,
    async take(cost, { patience, ...options } = {}) {
      const permit = await limiter.acquire(cost, { maxWaitMs: patience, ...options });
      return { ...permit, done: permit.release };
    },
    left: limiter.remaining,
  };
}
