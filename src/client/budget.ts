/**
 * The budget of requests: how many may start in any 60 seconds, and that exports keep a minute apart. Every attempt
 * takes from it, retries included. The window slides: whatever 60 seconds one looks at, they hold no more requests than
 * the plan allows. p-queue keeps the window and the order of those who wait.
 */
import PQueue from "p-queue";
import { interruption, throwIfAborted } from "../base/abort.ts";
import { RateLimitError } from "../base/errors.ts";
import { EXPORT_INTERVAL_SECONDS } from "../catalogue/constants.ts";

/** How a request takes its place. */
export interface Taking {
  readonly signal?: AbortSignal | undefined;
  /** Interactive requests go before those that wait in the background. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Exports keep a minute apart. */
  readonly kind?: "export" | undefined;
  /** Milliseconds after which waiting for an export's turn is refused; nothing is refused that can start sooner. */
  readonly patience?: number | undefined;
  /** Told once, with the milliseconds as far as they are known, when there is a wait. */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** Says when requests may start. */
export interface Budget {
  /**
   * Waits until a request may start.
   * @param cost compute units
   * @throws InterruptedError when the signal fires, RateLimitError when the wait is longer than the patience
   */
  take(cost: number, taking?: Taking): Promise<void>;
  /** Starts nothing for a while: the server said that it is too much. */
  pause(milliseconds: number): void;
  /** Lets go of timers. */
  close(): void;
}

const WINDOW_MS = 60_000;
const EXPORT_MS = EXPORT_INTERVAL_SECONDS * 1000;
const PRIORITIES = { interactive: 1, background: 0 } as const;

/** A budget for this process. */
export function createBudget({ requestsPerMinute }: { readonly requestsPerMinute: number }): Budget {
  const requests = new PQueue({ interval: WINDOW_MS, intervalCap: requestsPerMinute, strict: true });
  const exports = new PQueue({ interval: EXPORT_MS, intervalCap: 1, strict: true });
  let exportsFrom = 0;
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  const takeTurn = async (taking: Taking) => {
    const wait = Math.max(0, exportsFrom - Date.now()) + exports.size * EXPORT_MS;
    if (wait > (taking.patience ?? Number.POSITIVE_INFINITY)) throw tooSoon(wait);
    await enter(exports, taking, wait);
    exportsFrom = Date.now() + EXPORT_MS;
  };

  return {
    async take(_cost, taking = {}) {
      if (taking.kind === "export") await takeTurn(taking);
      // A pause alone must not keep the process alive; those who wait for its end do.
      timer?.ref();
      await enter(requests, taking, timer === undefined ? undefined : pausedUntil - Date.now());
    },
    pause(milliseconds) {
      const until = Date.now() + milliseconds;
      if (timer !== undefined && until <= pausedUntil) return;
      clearTimeout(timer);
      pausedUntil = until;
      requests.pause();
      timer = setTimeout(() => {
        timer = undefined;
        requests.start();
      }, milliseconds);
      if (requests.size === 0) timer.unref();
    },
    close() {
      clearTimeout(timer);
      exports.clear();
      requests.clear();
    },
  };
}

/**
 * Takes a place in a queue and tells when it is not at once.
 * @throws InterruptedError when the signal fires or the budget is closed
 */
async function enter(queue: PQueue, { signal, priority = "background", onWait }: Taking, wait?: number): Promise<void> {
  throwIfAborted(signal);
  let entered = false;
  const options = { priority: PRIORITIES[priority], ...(signal && { signal }) };
  const turn = queue.add(() => {
    entered = true;
  }, options);
  if (!entered) onWait?.(wait);
  try {
    await turn;
  } catch {
    throw interruption(signal);
  }
}

function tooSoon(wait: number): RateLimitError {
  const seconds = Math.ceil(wait / 1000);
  return new RateLimitError(`One export a minute is allowed; the next may start in ${seconds} s.`, {
    code: "EXPORT_INTERVAL",
    retryAfter: seconds,
    hint: "Try again then, or allow to wait: --max-wait <seconds>",
  });
}
