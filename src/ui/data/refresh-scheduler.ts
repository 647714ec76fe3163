/** Asks again and again, at the pace that the budget bears, while somebody is there. No React here. */
import { type Burden, intervalOf } from "./refresh-interval.ts";
import { isForGood } from "./retry-policy.ts";
import type { Entry, Gauge } from "./store.ts";
import type { Timing } from "./timers.ts";

/** What a pacer works with. */
export interface PacerParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timing: Timing;
  readonly read: () => Entry;
  readonly gauge: () => Gauge;
  readonly refresh: () => void;
  /** What one look burdens, but for failures. */
  readonly burden: () => Omit<Burden, "failures">;
  readonly onChange: () => void;
}

/** What is shown of it; the same object until something changes. */
export interface Pace {
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** Whether it waits for a key: nobody was there for a while. */
  readonly isPaused: boolean;
}

/** Milliseconds without a key after which nobody looks. */
export const IDLE_MS = 600_000;
/** The part of the requests that is left to who presses keys. */
const SPARED = 0.1;

/** One list that is asked again by itself, from {@link start} to {@link stop}. */
export class Pacer {
  readonly #parts: PacerParts;
  #pace: Pace;
  #failures = 0;
  #wasLoading = false;
  #askedAt: number;
  #keyAt: number;
  #stopTimer = () => {};

  constructor(parts: PacerParts) {
    this.#parts = parts;
    this.#pace = { everyMs: this.#interval(), isPaused: false };
    this.#askedAt = parts.read().at ?? parts.now();
    this.#keyAt = parts.now();
  }

  pace(): Pace {
    return this.#pace;
  }

  start(): void {
    this.#wasLoading = this.#parts.read().isLoading;
    this.#wait();
  }

  stop(): void {
    this.#stopTimer();
  }

  /** A key was pressed: somebody is there. */
  touch(): void {
    this.#keyAt = this.#parts.now();
    if (!this.#pace.isPaused) return;
    this.#set({ isPaused: false });
    this.#wait();
  }

  /** Looks at how the newest try went. */
  hear(): void {
    const { isLoading, problem } = this.#parts.read();
    const hasEnded = this.#wasLoading && !isLoading;
    // Who asks by hand begins the interval anew.
    if (isLoading && !this.#wasLoading) this.#askedAt = this.#parts.now();
    this.#wasLoading = isLoading;
    if (!hasEnded) return;
    this.#failures = problem ? this.#failures + 1 : 0;
    this.#set({ everyMs: this.#interval() });
    this.#wait();
  }

  #interval(): number {
    return intervalOf({ ...this.#parts.burden(), failures: this.#failures });
  }

  #wait(): void {
    this.#stopTimer();
    const due = this.#askedAt + this.#pace.everyMs - this.#parts.now();
    this.#stopTimer = this.#parts.timing.after(Math.max(0, due), () => this.#fire());
  }

  #fire(): void {
    const now = this.#parts.now();
    if (now - this.#keyAt >= IDLE_MS) {
      this.#set({ isPaused: true });
      return;
    }
    this.#askedAt = now;
    if (this.#mayAsk()) this.#parts.refresh();
    this.#wait();
  }

  /** Whether the list can be asked now: not while others wait, and not what fails for good or comes back by itself. */
  #mayAsk(): boolean {
    const { isLoading, problem, retryAt } = this.#parts.read();
    const { requests, waitingUntil } = this.#parts.gauge();
    if (isLoading || retryAt !== undefined || waitingUntil !== undefined) return false;
    if (requests && requests.left <= requests.of * SPARED) return false;
    return !problem || !isForGood(problem);
  }

  #set(change: Partial<Pace>): void {
    const pace = { ...this.#pace, ...change };
    if (pace.everyMs === this.#pace.everyMs && pace.isPaused === this.#pace.isPaused) return;
    this.#pace = pace;
    this.#parts.onChange();
  }
}
