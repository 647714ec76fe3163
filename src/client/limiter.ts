/** Rate limits, as a client and its source see them. */

/** How a request acquires its permit. */
export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Interactive requests (default) go before background ones, and have a reserved share. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Exports start at least a minute apart. */
  readonly kind?: "export" | undefined;
  /** Milliseconds that the request may wait; without it there is no limit. */
  readonly maxWaitMs?: number | undefined;
  /** Called once when there is a wait, with its milliseconds as far as they are known. */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** The right to start one request. */
export interface Permit {
  /**
   * To be called when the answer came, or when none will.
   * @param isFree whether the answer says that the request cost nothing; its compute units are given back
   */
  release(isFree?: boolean): void;
}

/** The requests remaining, as last seen. */
export interface RateLimitStatus {
  /** Requests that may start now. */
  readonly requests: number;
  /** Requests allowed in the window. */
  readonly of: number;
  /** Length of the window in seconds. */
  readonly seconds: number;
  /** Compute units spent today (UTC). */
  readonly units?: number;
}

/** Decides when requests may start. */
export interface RateLimiter {
  /**
   * Waits until a request may start.
   * @param cost compute units: they count from now on, whatever becomes of the request
   * @throws InterruptedError when the signal fires or the limiter is closed, RateLimitError when the wait would exceed
   * `maxWait`, QuotaError (code `UNITS_PER_DAY`) when too few units remain today
   */
  acquire(cost: number, options?: AcquireOptions): Promise<Permit>;
  /** Starts no request for a while: the server answered that there were too many. */
  pause(milliseconds: number): void;
  /** Returns what remains; undefined before the first request and without a limit. */
  remaining(): RateLimitStatus | undefined;
  /**
   * Returns whether the server that machines share is lost: each uses an estimate of its share, so an answer that there
   * were too many requests is no reason to give up.
   */
  isEstimated?(): boolean;
  /** Ends all waits, records what is not yet recorded, and closes files, connections and timers. */
  close(): Promise<void>;
}
