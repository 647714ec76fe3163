/**
 * Looks at the use of a key again and again, for days: a look every so often, further apart while they fail. It goes by
 * the clock on the wall, looked at each second, so that a machine that slept or a clock that was set costs no more than
 * one look. What it remembers does not grow.
 */

import { SolxError } from "../../base/errors.ts";
import { DAY_MS } from "../../base/time.ts";
import type { UsageReport, UsageSample, UsageSamples } from "../../client/index.ts";

/** What a watcher works with. */
export interface WatcherOptions<R extends UsageReport = UsageReport> {
  /** Asks the API what the key has used, and keeps a sample of it. */
  readonly poll: (signal: AbortSignal) => Promise<R>;
  readonly samples: Pick<UsageSamples, "since">;
  /** Seconds between two looks. */
  readonly interval: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of each answer and of each failure. */
  readonly onReading?: ((reading: R) => void) | undefined;
  readonly onFailure?: ((error: SolxError) => void) | undefined;
}

/** What is known at a moment. */
export interface WatchState {
  /** Seconds between two looks. */
  readonly interval: number;
  /** What was found last. */
  readonly latest: UsageReport | undefined;
  /** Samples of the last 31 days, the oldest first. */
  readonly history: readonly UsageSample[];
  /** Why the last look failed; undefined when it did not. */
  readonly problem: SolxError | undefined;
  /** Looks in a row that failed. */
  readonly failures: number;
  /** Looks that were answered. */
  readonly polls: number;
  readonly isPolling: boolean;
  /** When the next look is due, in milliseconds since the epoch. */
  readonly nextAt: number;
}

/** Watches the use of a key. */
export interface Watcher {
  state(): WatchState;
  /** Told of everything that changed, and each second. */
  subscribe(listener: () => void): () => void;
  /** Looks now, unless it does so already. */
  refresh(): void;
  /** Changes the seconds between two looks. */
  setInterval(seconds: number): void;
  /** Looks if a look is due; to be called each second. */
  tick(): void;
  /** Ends what is under way; nothing is told any more. */
  close(): void;
}

const MONTH_MS = 31 * DAY_MS;
/** Seconds between two looks while they fail, at most; a longer interval stays as it is. */
const MAX_WAIT = 600;
/** Beyond so many doublings of an interval it is the longest wait anyway. */
const MAX_DOUBLINGS = 20;
/** Milliseconds that a look may take: longer only where the computer slept meanwhile, and the connection is gone. */
const POLL_TIMEOUT_MS = 300_000;

/** Makes a watcher whose first look is due at once. */
export function createWatcher<R extends UsageReport>(options: WatcherOptions<R>): Watcher {
  return new UsageWatcher(options);
}

class UsageWatcher<R extends UsageReport> implements Watcher {
  readonly #options: WatcherOptions<R>;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<() => void>();
  #look: { readonly from: number; readonly stop: AbortController } | undefined;
  /** Milliseconds between the last look and the next one. */
  #wait = 0;
  /** When the last look was over. */
  #from = 0;
  #state: WatchState;

  constructor(options: WatcherOptions<R>) {
    this.#options = options;
    const { samples, now, interval } = options;
    this.#state = {
      interval,
      latest: undefined,
      history: samples.since(now() - MONTH_MS),
      problem: undefined,
      failures: 0,
      polls: 0,
      isPolling: false,
      nextAt: now(),
    };
  }

  // Handed on as functions.
  readonly state = () => this.#state;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly refresh = () => {
    if (!this.#state.isPolling) this.#begin();
  };

  readonly tick = () => {
    const { now } = this.#options;
    const { isPolling: isAsking, nextAt } = this.#state;
    const present = now();
    if (isAsking) return this.#checkLook(present);
    // A clock that was set back makes nobody wait longer.
    if (nextAt - present > this.#wait) return this.#change({ nextAt: present + this.#wait });
    if (present >= nextAt) this.#begin();
    else this.#change({});
  };

  setInterval(interval: number): void {
    const { problem, nextAt } = this.#state;
    const due = this.#from + interval * 1000;
    if (!problem) this.#wait = interval * 1000;
    this.#change({ interval, nextAt: problem ? nextAt : Math.max(this.#options.now(), due) });
  }

  close(): void {
    this.#listeners.clear();
    this.#ending.abort();
  }

  #begin(): void {
    const { poll, now } = this.#options;
    const current = { from: now(), stop: new AbortController() };
    this.#look = current;
    this.#change({ isPolling: true });
    const isOver = () => this.#look !== current || this.#ending.signal.aborted;
    poll(AbortSignal.any([this.#ending.signal, current.stop.signal])).then(
      (reading) => {
        if (isOver()) return;
        if (reading.error) this.#fail(reading.error, reading);
        else this.#succeed(reading);
      },
      (error: unknown) => {
        if (!isOver()) this.#fail(error);
      },
    );
  }

  /** Gives up a look that takes too long. */
  #checkLook(present: number): void {
    const poll = this.#look;
    if (poll && Math.abs(present - poll.from) > POLL_TIMEOUT_MS) {
      this.#look = undefined;
      poll.stop.abort();
      this.#fail(new SolxError("network", "No answer came.", { retryable: true, code: "TIMEOUT" }));
    } else this.#change({});
  }

  #succeed(latest: R): void {
    const { samples, now, onReading } = this.#options;
    const history = samples.since(now() - MONTH_MS);
    const { interval, polls } = this.#state;
    const nextAt = this.#rest(interval);
    this.#change({ latest, history, polls: polls + 1, problem: undefined, failures: 0, isPolling: false, nextAt });
    onReading?.(latest);
  }

  #fail(error: unknown, earlier: UsageReport | undefined = this.#state.latest): void {
    const problem = error instanceof SolxError ? error : new SolxError("unexpected", String(error), { cause: error });
    const { interval } = this.#state;
    const failures = this.#state.failures + 1;
    const slower = Math.min(interval * 2 ** Math.min(failures, MAX_DOUBLINGS), Math.max(interval, MAX_WAIT));
    const nextAt = this.#rest(Math.max(slower, problem.retryAfter ?? 0));
    this.#change({ latest: earlier, problem, failures, isPolling: false, nextAt });
    this.#options.onFailure?.(problem);
  }

  #rest(seconds: number): number {
    [this.#from, this.#wait] = [this.#options.now(), seconds * 1000];
    return this.#from + this.#wait;
  }

  #change(more: Partial<WatchState>): void {
    this.#state = { ...this.#state, ...more };
    for (const listener of [...this.#listeners]) listener();
  }
}
