/** Asks again and again, at the pace that the budget bears, while somebody is there. No React here. */
import { type RefreshCost, refreshInterval } from "./refresh-interval.ts";
import { isPermanent } from "./retry-policy.ts";
import type { QueryState, QuotaView } from "./store.ts";
import type { Timers } from "./timers.ts";

/** What a pacer works with. */
export interface SchedulerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timing: Timers;
  readonly read: () => QueryState;
  readonly quota: () => QuotaView;
  readonly refresh: () => void;
  /** What one look burdens, but for failures. */
  readonly cost: () => Omit<RefreshCost, "failures">;
  readonly onChange: () => void;
}

/** What is shown of it; the same object until something changes. */
export interface RefreshSchedule {
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** Whether it waits for a key: nobody was there for a while. */
  readonly isPaused: boolean;
}

/** Milliseconds without a key after which nobody looks. */
export const IDLE_MS = 600_000;
/** The part of the requests that is left to who presses keys. */
const RESERVED_SHARE = 0.1;

/** One list that is asked again by itself, from {@link start} to {@link stop}. */
export class RefreshScheduler {
  readonly #parts: SchedulerOptions;
  #pace: RefreshSchedule;
  #failures = 0;
  #wasLoading = false;
  #askedAt: number;
  #keyAt: number;
  #stopTimer = () => {};

  constructor(options: SchedulerOptions) {
    this.#parts = options;
    this.#pace = { everyMs: this.#interval(), isPaused: false };
    this.#askedAt = options.read().at ?? options.now();
    this.#keyAt = options.now();
  }

  schedule(): RefreshSchedule {
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
  onKeyPress(): void {
    this.#keyAt = this.#parts.now();
    if (!this.#pace.isPaused) return;
    this.#set({ isPaused: false });
    this.#wait();
  }

  /** Looks at how the newest try went. */
  onStateChange(): void {
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
    return refreshInterval({ ...this.#parts.cost(), failures: this.#failures });
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
    const { requests, waitingUntil } = this.#parts.quota();
    if (isLoading || retryAt !== undefined || waitingUntil !== undefined) return false;
    if (requests && requests.remaining <= requests.limit * RESERVED_SHARE) return false;
    return !problem || !isPermanent(problem);
  }

  #set(change: Partial<RefreshSchedule>): void {
    const schedule = { ...this.#pace, ...change };
    if (schedule.everyMs === this.#pace.everyMs && schedule.isPaused === this.#pace.isPaused) return;
    this.#pace = schedule;
    this.#parts.onChange();
  }
}
