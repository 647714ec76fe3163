/**
 * When pollers poll: each once in an interval or at the times of a calendar, and at once when the source says that
 * something happened; as many at a time as the client sends requests. Where the requests of all are more than are allowed,
 * those that had events lately come first and the others less often. Temporary failures delay a poller more and more; the
 * interval is never shortened to catch up. A clock that is set back delays a poll by one wait, and calendars follow it.
 */
import { HOUR_MS, InterruptedError, MINUTE_MS, MINUTE_SECONDS, SolxError, sleep } from "../../base/index.ts";
import { isFatal } from "../batch/items.ts";
import { failedNews, type Poller, type SubjectNews } from "./subject.ts";

/** The clock and timer, replaceable in tests. */
export interface Timing {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** How pollers are scheduled. */
export interface ScheduleOptions {
  /** Requests in a minute, at most (default: no limit). */
  readonly maxRequests?: number | undefined;
  /** Whether temporary failures are waited out from the start; otherwise, they end a run with one poller at its start. */
  readonly isPatient?: boolean | undefined;
  /** The last polls are at this time, in milliseconds since the epoch. */
  readonly end?: number | undefined;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  /** Called when polls begin to fail temporarily. */
  readonly onFailure: (error: SolxError) => Promise<void>;
  /** Called when all polls succeed again, with the seconds since the first failure. */
  readonly onRecovery: (seconds: number) => Promise<void>;
  /** Called after each wait. */
  readonly onWake?: (() => Promise<void>) | undefined;
  /** Called after each poll, with when the next one is due, in milliseconds since the epoch. */
  readonly onPolled?: ((poller: Poller, due: number) => void) | undefined;
  /** Called at the start with what makes a poller poll at once, if it was polled before. */
  readonly onStart?: ((hurry: (poller: Poller) => void, signal: AbortSignal) => void) | undefined;
}

/** What a poll found. */
export interface PollerNews {
  readonly poller: Poller;
  readonly news: readonly SubjectNews[];
}

/** Maximum delay in seconds between failing polls; a longer interval stays unchanged. */
const MAX_DELAY = 600;
/** Polls at a time; the client limits the requests. */
const MAX_RUNNING = 16;
/** Milliseconds between a poll and one that is hurried. */
const HURRY_MS = 2000;
/** Seconds of the first delay after a failure of a poller with a calendar. */
const FIRST_DELAY = 30;
/** Milliseconds after an event in which a poller counts as busy. */
const BUSY_MS = 10 * MINUTE_MS;

interface Entry {
  readonly poller: Poller;
  due: number;
  /** Seconds of the last delay after a failure; undefined while polls succeed. */
  delay: number | undefined;
  lastEvent: number;
  /** When it was polled last; undefined before its first poll. */
  polled?: number;
  /** Whether it is to be polled again at once. */
  isHurried?: boolean;
}

/** Requests in a minute, of pollers with recent events and of the others. */
export interface Demand {
  readonly busy: number;
  readonly quiet: number;
}

/** Returns how many times longer intervals are than asked for: busy pollers get at most half of what is allowed. */
export function planStretch({ busy, quiet }: Demand, maxRequests = Number.POSITIVE_INFINITY): Demand {
  if (busy + quiet <= maxRequests) return { busy: 1, quiet: 1 };
  const forBusy = Math.max(1, busy / (quiet === 0 ? maxRequests : maxRequests / 2));
  return { busy: forBusy, quiet: Math.max(1, quiet / (maxRequests - busy / forBusy)) };
}

/** Returns the requests of pollers in a minute, if each polls in its interval. */
export const requestsPerMinute = (pollers: readonly Poller[]): number =>
  pollers.reduce((sum, { requests, interval }) => sum + (requests * MINUTE_SECONDS) / interval, 0);

/** Whether a failure may be over at the next poll. */
const isTemporary = (error: unknown): error is SolxError =>
  error instanceof SolxError &&
  (error.exit === "rateLimited" || error.exit === "server" || (error.exit === "network" && error.retryable));

/**
 * Yields what each poll found, as it arrives. A poller that fails for good is reported as news and polled no more.
 * @throws the failure of the only poller, at once when its first poll fails; failures that concern every poller
 */
export async function* runSchedule(
  pollers: readonly Poller[],
  options: ScheduleOptions,
): AsyncGenerator<PollerNews, void> {
  const stop = new AbortController();
  const schedule = new Schedule(pollers, options, AbortSignal.any([options.signal, stop.signal]));
  try {
    yield* schedule.run();
  } finally {
    stop.abort(new InterruptedError());
  }
}

class Schedule {
  readonly #options: ScheduleOptions;
  readonly #signal: AbortSignal;
  readonly #entries: Entry[];
  readonly #isSingle: boolean;
  readonly #running = new Map<Entry, Promise<void>>();
  readonly #news: PollerNews[] = [];
  #failure: { readonly error: unknown } | undefined;
  #hasBegun = false;
  #failingSince: number | undefined;
  /** The latest time that was seen. */
  #time = Number.NEGATIVE_INFINITY;
  /** When the next poll can be hurried, so that they are no more than requests are allowed. */
  #nextHurry = 0;
  #hurrying = Promise.withResolvers<void>();

  constructor(pollers: readonly Poller[], options: ScheduleOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#isSingle = pollers.length === 1;
    const now = options.timing.now();
    const { maxRequests = Number.POSITIVE_INFINITY } = options;
    // Where not all can poll at once, the first polls are as far apart as later ones.
    const apart = requestsPerMinute(pollers) > maxRequests ? MINUTE_MS / maxRequests : 0;
    let due = now;
    this.#entries = pollers.map((poller) => {
      const entry = { poller, due, delay: undefined, lastEvent: now - HOUR_MS };
      due += poller.requests * apart;
      return entry;
    });
    options.onStart?.((poller) => this.#hurry(poller), signal);
  }

  async *run(): AsyncGenerator<PollerNews, void> {
    const { timing, end = Number.POSITIVE_INFINITY } = this.#options;
    let isLast = false;
    for (;;) {
      this.#followClock();
      this.#start(isLast);
      // Waits for what comes first: the end of a poll, or the time of another one.
      if (this.#running.size > 0) await this.#waitForPoll(isLast);
      for (let news = this.#news.shift(); news; news = this.#news.shift()) yield news;
      if (this.#failure) throw this.#failure.error;
      const now = timing.now();
      if (this.#running.size > 0 || (!isLast && this.#entries.some(({ due }) => due <= now))) continue;
      if (isLast || now >= end || this.#entries.length === 0) return;
      await this.#sleep(Math.min(this.#nextDue(), end) - now);
      await this.#options.onWake?.();
      isLast = timing.now() >= end;
      if (isLast) for (const entry of this.#entries) entry.due = end;
    }
  }

  /** Moves what is due after a while with a clock that was set back. */
  #followClock(): void {
    const now = this.#options.timing.now();
    const back = Math.max(0, this.#time - now);
    this.#time = now;
    for (const entry of back === 0 ? [] : this.#entries) {
      entry.lastEvent -= back;
      if (entry.poller.nextTime === undefined || entry.delay !== undefined) entry.due -= back;
    }
  }

  /** Sleeps until a poll is hurried; a minute at most before a calendar, as the clock may be set meanwhile. */
  async #sleep(milliseconds: number): Promise<void> {
    const hasCalendar = this.#entries.some(({ poller }) => poller.nextTime !== undefined);
    const wake = new AbortController();
    const { timing } = this.#options;
    const limit = hasCalendar ? Math.min(milliseconds, MINUTE_MS) : milliseconds;
    const { promise } = this.#hurrying;
    const sleeping = timing.sleep(limit, AbortSignal.any([this.#signal, wake.signal]));
    await Promise.race([sleeping, promise]).finally(() => {
      sleeping.catch(() => {});
      wake.abort();
    });
  }

  #hurry(poller: Poller): void {
    const { maxRequests = Number.POSITIVE_INFINITY, timing } = this.#options;
    const entry = this.#entries.find((one) => one.poller === poller);
    if (entry?.polled === undefined || entry.delay !== undefined) return;
    if (this.#running.has(entry)) {
      entry.isHurried = true;
      return;
    }
    const due = Math.max(timing.now(), entry.polled + HURRY_MS, this.#nextHurry);
    if (due >= entry.due) return;
    entry.due = due;
    this.#nextHurry = due + (poller.requests * MINUTE_MS) / maxRequests;
    this.#hurrying.resolve();
    this.#hurrying = Promise.withResolvers();
  }

  #nextDue(): number {
    return Math.min(...this.#entries.filter((entry) => !this.#running.has(entry)).map(({ due }) => due));
  }

  #start(isLast: boolean): void {
    const now = this.#options.timing.now();
    for (const entry of this.#entries) {
      if (this.#running.size >= MAX_RUNNING) return;
      if (this.#running.has(entry) || (isLast ? entry.due === Number.POSITIVE_INFINITY : entry.due > now)) continue;
      this.#running.set(
        entry,
        this.#poll(entry).finally(() => {
          this.#running.delete(entry);
          if (isLast) entry.due = Number.POSITIVE_INFINITY;
          else if (entry.isHurried) this.#hurry(entry.poller);
          entry.isHurried = false;
          this.#options.onPolled?.(entry.poller, entry.due);
        }),
      );
    }
  }

  async #waitForPoll(isLast: boolean): Promise<void> {
    const { timing } = this.#options;
    const next = isLast || this.#running.size >= MAX_RUNNING ? Number.POSITIVE_INFINITY : this.#nextDue();
    if (next === Number.POSITIVE_INFINITY) return void (await Promise.race(this.#running.values()));
    const timer = new AbortController();
    // In real time: a clock of tests stands still while polls are under way.
    const sleeping = sleep(Math.max(0, next - timing.now()), timer.signal).catch(() => {});
    await Promise.race([...this.#running.values(), sleeping, this.#hurrying.promise]);
    timer.abort();
  }

  async #poll(entry: Entry): Promise<void> {
    const { timing, onRecovery } = this.#options;
    entry.polled = timing.now();
    try {
      const news = await entry.poller.poll(this.#signal);
      this.#hasBegun = true;
      if (news.some(({ events, isFirst }) => events.length > 0 && !isFirst)) entry.lastEvent = timing.now();
      entry.delay = undefined;
      const since = this.#failingSince;
      if (since !== undefined && this.#entries.every(({ delay }) => delay === undefined)) {
        this.#failingSince = undefined;
        await onRecovery((timing.now() - since) / 1000);
      }
      this.#news.push({ poller: entry.poller, news });
      entry.due = entry.poller.nextTime?.(timing.now()) ?? timing.now() + this.#intervalOf(entry) * 1000;
    } catch (error) {
      await this.#fail(entry, error);
    }
  }

  async #fail(entry: Entry, error: unknown): Promise<void> {
    const { timing, onFailure } = this.#options;
    const interval = entry.poller.nextTime ? FIRST_DELAY : entry.poller.interval;
    const { isPatient = !this.#isSingle } = this.#options;
    const mayRecover = isTemporary(error) && (this.#hasBegun || isPatient) && !this.#signal.aborted;
    if (mayRecover) {
      entry.delay = Math.min((entry.delay ?? interval) * 2, Math.max(interval, MAX_DELAY));
      entry.due = timing.now() + Math.max(entry.delay, error.retryAfter ?? 0) * 1000;
      if (this.#failingSince !== undefined) return;
      this.#failingSince = timing.now();
      return onFailure(error);
    }
    const isOfOne = error instanceof SolxError && !isFatal(error) && this.#entries.length > 1;
    if (!isOfOne) this.#failure ??= { error };
    else {
      this.#entries.splice(this.#entries.indexOf(entry), 1);
      const news = (entry.poller.inputs ?? [undefined]).map((input) => failedNews("", input, error));
      this.#news.push({ poller: entry.poller, news });
    }
  }

  #intervalOf(entry: Entry): number {
    const now = this.#options.timing.now();
    const stateOf = ({ lastEvent }: Entry) => (now - lastEvent < BUSY_MS ? "busy" : "quiet");
    const demandOf = (state: keyof Demand) =>
      requestsPerMinute(this.#entries.filter((one) => stateOf(one) === state).map(({ poller }) => poller));
    const stretch = planStretch({ busy: demandOf("busy"), quiet: demandOf("quiet") }, this.#options.maxRequests);
    return entry.poller.interval * stretch[stateOf(entry)];
  }
}
