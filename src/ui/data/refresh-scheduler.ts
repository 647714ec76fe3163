/** Schedules automatic refreshes while the user is present. */

import type { QueryState, QuotaView } from "../navigation/data-store.ts";
import { isPermanent } from "./retry-policy.ts";
import type { Timers } from "./timers.ts";

/** Options of {@link RefreshScheduler}. */
export interface SchedulerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timing: Timers;
  readonly read: () => QueryState;
  readonly quota: () => QuotaView;
  readonly refresh: () => void;
  /** Returns the milliseconds between two refreshes after a number of failures in a row. */
  readonly interval: (failures: number) => number;
  readonly onChange: () => void;
}

/** The displayed schedule; the same object until something changes. */
export interface RefreshSchedule {
  /** Milliseconds between two refreshes. */
  readonly everyMs: number;
  /** Whether it waits for a key press because the user is away. */
  readonly isPaused: boolean;
}

/** Milliseconds without a key press after which refreshing pauses. */
export const IDLE_MS = 600_000;
/** Share of the rate limit reserved for interactive requests. */
const RESERVED_SHARE = 0.1;

/** Refreshes one list from {@link start} to {@link stop}. */
export class RefreshScheduler {
  readonly #options: SchedulerOptions;
  #schedule: RefreshSchedule;
  #failures = 0;
  #wasLoading = false;
  #requestedAt: number;
  #lastKeyAt: number;
  #stopTimer = () => {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#schedule = { everyMs: this.#interval(), isPaused: false };
    this.#requestedAt = options.read().at ?? options.now();
    this.#lastKeyAt = options.now();
  }

  schedule(): RefreshSchedule {
    return this.#schedule;
  }

  start(): void {
    this.#wasLoading = this.#options.read().isLoading;
    this.#wait();
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Records that the user is present; resumes a paused schedule, and one whose intervals were longer meanwhile. */
  onKeyPress(): void {
    this.#lastKeyAt = this.#options.now();
    const before = this.#schedule;
    this.#update({ everyMs: this.#interval(), isPaused: false });
    if (this.#schedule !== before) this.#wait();
  }

  /** Handles a change of the query state: schedules the next refresh when a request has ended. */
  onStateChange(): void {
    const { isLoading, problem } = this.#options.read();
    const hasEnded = this.#wasLoading && !isLoading;
    // A manual refresh restarts the interval.
    if (isLoading && !this.#wasLoading) this.#requestedAt = this.#options.now();
    this.#wasLoading = isLoading;
    if (!hasEnded) return;
    this.#failures = problem ? this.#failures + 1 : 0;
    this.#update({ everyMs: this.#interval() });
    if (!this.#schedule.isPaused) this.#wait();
  }

  #interval(): number {
    return this.#options.interval(this.#failures);
  }

  #wait(): void {
    this.#stopTimer();
    const due = this.#requestedAt + this.#schedule.everyMs - this.#options.now();
    this.#stopTimer = this.#options.timing.after(Math.max(0, due), () => this.#fire());
  }

  #fire(): void {
    const now = this.#options.now();
    if (now - this.#lastKeyAt >= IDLE_MS) {
      this.#update({ isPaused: true });
      return;
    }
    this.#requestedAt = now;
    if (this.#canRefresh()) this.#options.refresh();
    this.#wait();
  }

  /** Returns whether the list may be refreshed now: not during a wait, and not after a permanent failure. */
  #canRefresh(): boolean {
    const { isLoading, problem, retryAt } = this.#options.read();
    const { requests, waitingUntil } = this.#options.quota();
    if (isLoading || retryAt !== undefined || waitingUntil !== undefined) return false;
    if (requests && requests.remaining <= requests.limit * RESERVED_SHARE) return false;
    return !problem || !isPermanent(problem);
  }

  #update(change: Partial<RefreshSchedule>): void {
    const schedule = { ...this.#schedule, ...change };
    if (schedule.everyMs === this.#schedule.everyMs && schedule.isPaused === this.#schedule.isPaused) return;
    this.#schedule = schedule;
    this.#options.onChange();
  }
}
