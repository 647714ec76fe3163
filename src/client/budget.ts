/**
 * The budget of requests: how many may start in any 60 seconds, and that exports keep a minute apart. Every attempt
 * takes from it, retries included. The window slides: whatever 60 seconds one looks at, they hold no more requests than
 * the plan allows. p-queue keeps the window and the order of those who wait.
 */
import PQueue from "p-queue";
import { RateLimitError } from "../base/errors.ts";
import { EXPORT_INTERVAL_SECONDS } from "../catalogue/constants.ts";
import { interruption } from "./abort.ts";

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
  const exports = new ExportTurns();
  let pausedUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  const resume = () => {
    timer = undefined;
    requests.start();
  };

  return {
    async take(_cost, taking = {}) {
      if (taking.kind === "export") await exports.take(taking);
      await enter(requests, taking, () => (timer === undefined ? undefined : pausedUntil - Date.now()));
    },
    pause(milliseconds) {
      const until = Date.now() + milliseconds;
      if (timer !== undefined && until <= pausedUntil) return;
      clearTimeout(timer);
      pausedUntil = until;
      requests.pause();
      timer = setTimeout(resume, milliseconds);
      // Whoever waits holds a timer of its own or is given up with the process: the pause alone keeps nothing alive.
      timer.unref();
    },
    close() {
      clearTimeout(timer);
      resume();
    },
  };
}

/** Takes a place in a queue; tells when it is not at once. */
async function enter(queue: PQueue, taking: Taking, waitTime: () => number | undefined): Promise<void> {
  const { signal, priority = "background", onWait } = taking;
  if (signal?.aborted) throw interruption(signal);
  const entered = queue.add(() => {}, { priority: PRIORITIES[priority], ...(signal && { signal }) });
  if (queue.size > 0) onWait?.(waitTime());
  try {
    await entered;
  } catch (cause) {
    if (signal?.aborted) throw interruption(signal);
    throw cause;
  }
}
