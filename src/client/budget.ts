/**
 * The budget of requests: how many may start in a time, and that exports keep a minute apart. Every attempt takes a turn,
 * retries included. The window slides: wherever it lies, a server that counts finds no more requests in it than allowed.
 */
import { RateLimitError } from "../base/errors.ts";
import { EXPORT_INTERVAL_SECONDS } from "../catalogue/constants.ts";
import type { Rate } from "../catalogue/plans.ts";
import { type Held, Line } from "./budget/line.ts";
import { createMemoryStore } from "./budget/memory.ts";
import type { Lane, Store } from "./budget/store.ts";

/** How a request takes its turn. */
export interface Taking {
  readonly signal?: AbortSignal | undefined;
  /** Interactive requests (default) go before those that wait in the background, and have a share that those leave free. */
  readonly priority?: "interactive" | "background" | undefined;
  /** Exports keep a minute apart. */
  readonly kind?: "export" | undefined;
  /** Milliseconds after which waiting is refused; without it, any wait is waited. */
  readonly patience?: number | undefined;
  /** Told once, with the milliseconds as far as they are known, when there is a wait. */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** Leave to start one request. */
export interface Turn {
  /** To be called when the answer came, or none will. */
  done(): void;
}

/** What is left of a budget, as last seen. */
export interface Left {
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
export interface Budget {
  /**
   * Waits until a request may start.
   * @param cost compute units
   * @throws InterruptedError when the signal fires or the budget is closed, RateLimitError when the wait is longer than
   * the patience
   */
  take(cost: number, taking?: Taking): Promise<Turn>;
  /** Starts nothing for a while: the server said that it is too much. */
  pause(milliseconds: number): void;
  /** Undefined before the first request and where nothing limits them. */
  left(): Left | undefined;
  /** Ends all waits, writes down what is to be written, and lets go of files, connections and timers. */
  close(): Promise<void>;
}

/** What a budget is made of. */
export interface BudgetParts {
  /** Where turns are counted; it is closed with the budget. */
  readonly store: Store;
  /** Whose turns are counted together. */
  readonly account: string;
  /** Undefined for any number of requests. */
  readonly rate: Rate | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

const EXPORT_RATE: Rate = { requests: 1, seconds: EXPORT_INTERVAL_SECONDS };

/** Owners of lanes are below this. */
const OWNERS = 2 ** 31;

/** A budget for this process alone; several clients may share it. */
export function createBudget({ rate }: { readonly rate?: Rate | undefined } = {}): Budget {
  return budgetOver({ store: createMemoryStore(Date.now), account: "", rate, now: Date.now });
}

/** A budget over a store. */
export function budgetOver({ store, account, rate, now }: BudgetParts): Budget {
  const unlimited = rate === undefined ? createMemoryStore(now) : store;
  const requests = new Line({
    store: unlimited,
    lane: laneOf(account, rate),
    now,
    refusal: (wait) => tooMany(rate, wait),
  });
  const exports = new Line({ store, lane: laneOf(`${account}:exports`, EXPORT_RATE), now, refusal: tooSoon });
  return {
    async take(cost, taking = {}) {
      const turn = taking.kind === "export" ? await exports.enter(taking) : undefined;
      try {
        const held = await requests.enter(taking);
        requests.spend(cost);
        return turnOf(requests, held, turn === undefined ? undefined : () => exports.over(turn));
      } catch (error) {
        if (turn !== undefined) exports.over(turn, false);
        throw error;
      }
    },
    pause: (milliseconds) => requests.pause(milliseconds),
    left() {
      if (rate === undefined || requests.last === undefined) return undefined;
      const { left, units } = requests.last;
      return { requests: left, of: rate.requests, seconds: rate.seconds, units };
    },
    async close() {
      await Promise.all([requests.close(), exports.close()]);
      await store.close();
    },
  };
}

function turnOf(requests: Line, held: Held, others: (() => void) | undefined): Turn {
  let isDone = false;
  return {
    done() {
      if (isDone) return;
      isDone = true;
      requests.over(held);
      others?.();
    },
  };
}

/** The window is a thousandth longer than the server's: two clocks never run quite alike, and ours counts in whole milliseconds. */
function laneOf(account: string, rate: Rate | undefined): Lane {
  const owner = Math.floor(Math.random() * OWNERS);
  if (rate === undefined) return { account, owner, requests: Number.POSITIVE_INFINITY, window: 1000 };
  return { account, owner, requests: rate.requests, window: Math.ceil(rate.seconds * 1001) + 1 };
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
