/**
 * Polls the usage of an API key at an interval, which grows while polls fail. It compares the wall clock every second, so
 * that sleep or a changed clock causes at most one extra poll. Its memory is bounded.
 */

import { createEmitter, DAY_MS, SolxError } from "../../base/index.ts";
import type { UsageReport, UsageSample, UsageSamples } from "../../client/index.ts";

/** Options of {@link UsageWatcher}. */
export interface WatcherOptions<R extends UsageReport> {
  /** Requests the usage of the key and stores a sample. */
  readonly poll: (signal: AbortSignal) => Promise<R>;
  readonly samples: Pick<UsageSamples, "since">;
  readonly interval: number;
  readonly now: () => number;
  readonly onReading?: ((reading: R) => void) | undefined;
  readonly onFailure?: ((error: SolxError) => void) | undefined;
}

/** The state of a watcher. */
export interface WatchState {
  readonly interval: number;
  readonly latest: UsageReport | undefined;
  readonly history: readonly UsageSample[];
  readonly problem: SolxError | undefined;
  readonly failures: number;
  readonly isPolling: boolean;
  readonly nextAt: number;
}

const MONTH_MS = 31 * DAY_MS;
const MAX_WAIT = 600;
/** Maximum number of doublings, which always exceeds the maximum wait. */
const MAX_DOUBLINGS = 20;
/** Milliseconds after which a poll is aborted: the machine has slept, and the connection is lost. */
const POLL_TIMEOUT_MS = 300_000;

/** Watches the usage of a key; the first poll is due at once. */
export class UsageWatcher<R extends UsageReport = UsageReport> {
  readonly #options: WatcherOptions<R>;
  readonly #ending = new AbortController();
  readonly #changes = createEmitter();
  #poll: { readonly from: number; readonly stop: AbortController } | undefined;
  #wait = 0;
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
      isPolling: false,
      nextAt: now(),
    };
  }

  // Arrow functions, since they are passed without the object.
  readonly state = () => this.#state;

  readonly subscribe = this.#changes.on;

  readonly refresh = () => {
    if (!this.#state.isPolling) this.#begin();
  };

  readonly tick = () => {
    const { now } = this.#options;
    const { isPolling, nextAt } = this.#state;
    const present = now();
    if (isPolling) return this.#checkTimeout(present);
    // A clock that was set back does not delay the next poll.
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
    this.#changes.clear();
    this.#ending.abort();
  }

  #begin(): void {
    const { poll, now } = this.#options;
    const current = { from: now(), stop: new AbortController() };
    this.#poll = current;
    this.#change({ isPolling: true });
    const isOver = () => this.#poll !== current || this.#ending.signal.aborted;
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

  #checkTimeout(present: number): void {
    const poll = this.#poll;
    if (poll && Math.abs(present - poll.from) > POLL_TIMEOUT_MS) {
      this.#poll = undefined;
      poll.stop.abort();
      this.#fail(new SolxError("network", "No response received.", { retryable: true, code: "TIMEOUT" }));
    } else this.#change({});
  }

  #succeed(latest: R): void {
    const { samples, now, onReading } = this.#options;
    const history = samples.since(now() - MONTH_MS);
    const nextAt = this.#scheduleNext(this.#state.interval);
    this.#change({ latest, history, problem: undefined, failures: 0, isPolling: false, nextAt });
    onReading?.(latest);
  }

  #fail(error: unknown, earlier: UsageReport | undefined = this.#state.latest): void {
    const problem = error instanceof SolxError ? error : new SolxError("unexpected", String(error), { cause: error });
    const { interval } = this.#state;
    const failures = this.#state.failures + 1;
    const slower = Math.min(interval * 2 ** Math.min(failures, MAX_DOUBLINGS), Math.max(interval, MAX_WAIT));
    const nextAt = this.#scheduleNext(Math.max(slower, problem.retryAfter ?? 0));
    this.#change({ latest: earlier, problem, failures, isPolling: false, nextAt });
    this.#options.onFailure?.(problem);
  }

  #scheduleNext(seconds: number): number {
    [this.#from, this.#wait] = [this.#options.now(), seconds * 1000];
    return this.#from + this.#wait;
  }

  #change(more: Partial<WatchState>): void {
    this.#state = { ...this.#state, ...more };
    this.#changes.emit();
  }
}
