/** Retries: a loop that waits between attempts. */
import { RateLimitError, ServerError, SolxError, waitHints } from "../../../base/index.ts";
import { TRANSIENT_CODES } from "./network-errors.ts";

/** When and how long to retry. Clock, random numbers and sleep are parameters, so that tests can control them. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  readonly retries: number;
  /** Milliseconds that one request may spend waiting in total. */
  readonly maxWait: number;
  /** Whether a request may wait at all; without, its first failure is final. */
  readonly wait: boolean;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns a number between 0 and 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** An attempt that failed, and the wait before the next one. */
export interface FailedAttempt {
  readonly error: SolxError;
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

/** A call that is retried. */
export interface RetriedCall<T> {
  /** @param remainingWait milliseconds that may still be spent waiting */
  readonly attempt: (number: number, remainingWait: number) => Promise<T>;
  readonly onRetry: (failed: FailedAttempt) => void;
  /** Whether another attempt may succeed after the given one (default: {@link isTransient}). */
  readonly isTransient?: ((error: SolxError, attempt: number) => boolean) | undefined;
  /** Whether a failure does not count towards the attempts and the total wait of the policy (default: all count). */
  readonly isUncounted?: ((error: SolxError) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const GATEWAY_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Codes of the rate limiter, which has already waited as long as allowed. */
const LOCAL_LIMIT_CODES: ReadonlySet<number | string> = new Set(["EXPORT_INTERVAL", "RATE"]);

/** Whether a retry may succeed shortly: too many requests, a gateway failure, a broken connection. */
export function isTransient(error: unknown): error is SolxError {
  if (error instanceof RateLimitError) return !LOCAL_LIMIT_CODES.has(error.code);
  if (error instanceof ServerError && GATEWAY_STATUSES.has(error.status)) return true;
  return error instanceof SolxError && error.retryable && TRANSIENT_CODES.has(error.code);
}

/**
 * Runs attempts until one succeeds, fails permanently, or exhausts the policy.
 * @throws the last error; with the time to come back when the server requests a longer wait than allowed
 */
export async function withRetries<T>(call: RetriedCall<T>, policy: RetryPolicy): Promise<T> {
  let remainingWait = policy.maxWait;
  let uncounted = 0;
  let failed: SolxError | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call.attempt(attempt, remainingWait);
    } catch (error) {
      // An attempt that the rate limiter does not let start has no other failure than the one before it.
      if (failed && error instanceof SolxError && LOCAL_LIMIT_CODES.has(error.code))
        throw exhaustedError(failed, attempt - 1);
      const mayRetry = policy.wait && error instanceof SolxError && (call.isTransient ?? isTransient)(error, attempt);
      if (!mayRetry) throw error;
      const delay = retryDelay(attempt, error.retryAfter, policy.random());
      const isUncounted = delay <= policy.maxWait && call.isUncounted?.(error) === true;
      if (isUncounted) uncounted += 1;
      else remainingWait = reduceWait(error, { attempt, counted: attempt - uncounted, delay, remainingWait }, policy);
      failed = error;
      call.onRetry({ error, attempt, delay });
      await policy.sleep(delay, call.signal);
    }
  }
}

/** Returns the wait that remains after a delay. @throws the error when there may be no other attempt */
function reduceWait(
  error: SolxError,
  failed: { attempt: number; counted: number; delay: number; remainingWait: number },
  policy: RetryPolicy,
): number {
  const { attempt, counted, delay, remainingWait } = failed;
  if (delay > remainingWait && error.retryAfter !== undefined) throw waitTooLongError(error, delay, policy);
  if (counted > policy.retries || delay > remainingWait) throw exhaustedError(error, attempt);
  return remainingWait - delay;
}

function exhaustedError(error: SolxError, attempts: number): SolxError {
  if (attempts > 1) error.message = `${error.message.replace(/\.$/, "")} (tried ${attempts} times).`;
  return error;
}

/** Returns the error for a server that requests a longer wait than allowed; it says until when. */
function waitTooLongError(error: SolxError, delay: number, { now, maxWait }: RetryPolicy): SolxError {
  const until = new Date(now() + delay);
  const when = Number.isNaN(until.getTime()) ? "" : `, until ${until.toISOString().replace(/\.\d+Z$/, "Z")}`;
  const text = `The server requests a wait of ${formatSeconds(delay)}${when}; at most ${formatSeconds(maxWait)} are allowed.`;
  const Kind = error instanceof RateLimitError ? RateLimitError : ServerError;
  return new Kind(`${error.message.replace(/\.$/, "")}. ${text}`, {
    code: error.code,
    status: error.status,
    retryable: true,
    retryAfter: Math.ceil(delay / 1000),
    hint: waitHints(delay / 1000, "Try again then, or allow a longer wait: --max-wait <seconds>"),
    cause: error,
  });
}

function formatSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/** The minimum wait before the second attempt. A server that requests 0 seconds means "soon", not "immediately". */
const FLOOR_MS = 1000;
/** The first wait of the backoff. */
const BASE_MS = 1000;
/** The maximum wait of the backoff. */
const CAP_MS = 30_000;

/**
 * Returns the milliseconds to wait before the next attempt. The server's wait is respected without jitter, but not
 * below a minimum that doubles with each attempt; without it the wait doubles from one second, with jitter, up to 30
 * seconds.
 * @param failed number of failed attempts, from 1
 * @param random between 0 and 1
 */
export function retryDelay(failed: number, retryAfter: number | undefined, random: number): number {
  const doubled = 2 ** (failed - 1);
  if (retryAfter !== undefined) return Math.max(Math.ceil(retryAfter * 1000), Math.min(CAP_MS, FLOOR_MS * doubled));
  return Math.round(Math.min(CAP_MS, BASE_MS * doubled) * (0.5 + random / 2));
}
