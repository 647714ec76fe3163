/** Timers: delayed calls of the data layer, and one timer for all clocks, spinners and countdowns on the screen. */

/** Delayed calls. */
export interface Timers {
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

/** Maximum delay of Node's timers; longer ones fire immediately. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Timers that do not keep the process alive. */
export const TIMERS: Timers = {
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), MAX_TIMEOUT)).unref();
    return () => clearTimeout(timer);
  },
};

interface Subscription {
  readonly everyMs: number;
  readonly call: () => void;
  due: number;
}

/**
 * Calls subscribers at their own intervals from one timer. All of them count from the same moment, so that subscribers
 * whose intervals are multiples of each other change the screen in one frame.
 */
export class Ticker {
  readonly #subscriptions = new Set<Subscription>();
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  count = (): number => this.#count;

  /** Calls `call` every `everyMs` milliseconds; returns the function that stops it. */
  every(everyMs: number, call: () => void): () => void {
    const subscription = { everyMs, call, due: nextMultiple(Date.now(), everyMs) };
    this.#subscriptions.add(subscription);
    this.#arm();
    return () => {
      this.#subscriptions.delete(subscription);
      this.#arm();
    };
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#subscriptions.size === 0) return;
    const due = Math.min(...[...this.#subscriptions].map((subscription) => subscription.due));
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, due - Date.now())).unref();
  }

  #tick(): void {
    const now = Date.now();
    this.#count += 1;
    for (const subscription of [...this.#subscriptions]) {
      if (subscription.due > now) continue;
      // Missed ticks, for example while the machine slept, are not repeated.
      subscription.due = nextMultiple(now, subscription.everyMs);
      subscription.call();
    }
    this.#arm();
  }
}

const nextMultiple = (now: number, everyMs: number) => (Math.floor(now / everyMs) + 1) * everyMs;

/** Ages change together, and seldom enough that a screen left open costs next to nothing. */
export const AGE_MS = 2000;

/** Returns the age that a tick of {@link AGE_MS} leaves on the screen until the next one, in milliseconds. */
export const ageAt = (now: number, since: number): number => Math.max(0, Math.floor(now / AGE_MS) * AGE_MS - since);

/** The ticker of the explorer. */
export const ticker = new Ticker();
