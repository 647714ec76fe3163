/** Trying again: a flat loop that waits between attempts, and knows when not to. */
import { RateLimitError, ServerError, SolxError } from "../../base/index.ts";
import { TRANSIENT_CODES } from "./network-errors.ts";
import { retryDelay } from "./retry-after.ts";

/** How failures that may pass are met. Clock, dice and sleep are parameters, so that schedules can be asserted. */
export interface RetryPolicy {
  /** Tries after the first one. */
  readonly retries: number;
  /** Milliseconds that one request may spend waiting, in all. */
  readonly maxWait: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A try that failed and the wait that follows. */
export interface FailedAttempt {
  readonly error: SolxError;
  /** The number of the try, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
}

/** One run of the loop. */
export interface RetriedCall<T> {
  /** @param remainingWait milliseconds of waiting that are left */
  readonly attempt: (number: number, remainingWait: number) => Promise<T>;
  readonly onRetry: (failed: FailedAttempt) => void;
  readonly signal?: AbortSignal | undefined;
}

const GATEWAY_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Codes of the budget: it waited as long as it may. */
const LOCAL_LIMIT_CODES: ReadonlySet<number | string> = new Set(["EXPORT_INTERVAL", "RATE"]);

/** Whether the same request may succeed a moment later: too many requests, a gateway's failure, a broken connection. */
export function isTransient(error: unknown): error is SolxError {
  if (error instanceof RateLimitError) return !LOCAL_LIMIT_CODES.has(error.code);
  if (error instanceof ServerError && GATEWAY_STATUSES.has(error.status)) return true;
  return error instanceof SolxError && error.retryable && TRANSIENT_CODES.has(error.code);
}

/**
 * Runs attempts until one succeeds, fails for good, or the policy is exhausted.
 * @throws the last error; a RateLimitError that says when to come back where the server wants a longer wait
 */
export async function withRetries<T>(call: RetriedCall<T>, policy: RetryPolicy): Promise<T> {
  let remainingWait = policy.maxWait;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call.attempt(attempt, remainingWait);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const delay = retryDelay(attempt, error.retryAfter, policy.random());
      if (delay > remainingWait && error.retryAfter !== undefined) throw waitTooLongError(error, delay, policy);
      if (attempt > policy.retries || delay > remainingWait) throw exhaustedError(error, attempt);
      call.onRetry({ error, attempt, delay });
      await policy.sleep(delay, call.signal);
      remainingWait -= delay;
    }
  }
}

/** The error after the last try: it says how many there were. */
function exhaustedError(error: SolxError, attempts: number): SolxError {
  if (attempts > 1) error.message = `${error.message.replace(/\.$/, "")} (tried ${attempts} times).`;
  return error;
}

/** The error when the server asks for more time than there is: it says until when. */
function waitTooLongError(error: SolxError, delay: number, { now, maxWait }: RetryPolicy): SolxError {
  const until = new Date(now() + delay);
  const when = Number.isNaN(until.getTime()) ? "" : `, until ${until.toISOString().replace(/\.\d+Z$/, "Z")}`;
  const text = `The API asks to wait ${formatSeconds(delay)}${when}; at most ${formatSeconds(maxWait)} of waiting are allowed.`;
  const Kind = error instanceof RateLimitError ? RateLimitError : ServerError;
  return new Kind(`${error.message.replace(/\.$/, "")}. ${text}`, {
    code: error.code,
    ...(error.status === undefined ? {} : { status: error.status }),
    retryable: true,
    retryAfter: Math.ceil(delay / 1000),
    hint: "Try again then, or allow a longer wait: --max-wait <seconds>",
    cause: error,
  });
}

function formatSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
