/**
 * Requests of this process that wait for a permit: interactive ones before background ones, each in order of arrival. One
 * loop asks the store for as many permits as are requested, hands them out, and sleeps until the store expects more.
 */
import { type SolxError, throwIfAborted, toInterruptedError } from "../../../base/index.ts";
import type { AcquireOptions } from "../../../client/index.ts";
import { isAffordable } from "./allocate.ts";
import {
  type Clock,
  GRACE_MS,
  PERMITS_PER_STEP,
  type PermitRequest,
  type RateLimitBucket,
  type RateLimitStore,
  type ReleasedPermit,
  type StepRequest,
  type StepResult,
  UNUSED,
  utcDay,
} from "./store.ts";

/** Delay in milliseconds after which released permits are recorded, if no step comes sooner. */
const WRITE_DELAY_MS = 100;

/** Ids count up from a number that the owner has to itself; 2⁵³ holds both. */
const IDS_PER_OWNER = 2 ** 22;

/** The id of permits that are not counted, because there is no limit. */
const UNCOUNTED = -1;

/** What a queue depends on. */
export interface RequestQueueOptions {
  readonly store: RateLimitStore;
  readonly bucket: RateLimitBucket;
  readonly clock: Clock;
  /** The error for a request that would wait longer than it may; the wait is in milliseconds. */
  readonly rateError: (wait: number) => SolxError;
  /** The error for a request that costs more compute units than remain today. */
  readonly quotaError: (cost: number, spent: number) => SolxError;
}

interface Waiter {
  /** Compute units. */
  readonly cost: number;
  readonly options: AcquireOptions;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  isNotified: boolean;
}

/** A permit that was granted and is not yet released. */
export interface Lease {
  readonly id: number;
  /** Milliseconds of the monotonic clock. */
  readonly grantedAt: number;
  /** The day on which its compute units count. */
  readonly day: string;
  readonly cost: number;
}

/** How a lease ends: the request may have cost its units, its answer says that it cost nothing, or it was never sent. */
export type LeaseEnd = "answered" | "free" | "unused";

/** A step, and the waiters for whom it requests permits: the interactive ones, then the background ones. */
interface QueueStep {
  readonly request: StepRequest;
  readonly waiters: readonly Waiter[];
}

/** The queue for the permits of one bucket. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #interactive: Waiter[] = [];
  readonly #background: Waiter[] = [];
  #released: { readonly id: number; readonly at: number }[] = [];
  #units = 0;
  #pause = 0;
  /** When the last pause ends, in milliseconds of the monotonic clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #idCount = 0;
  /** Whether the store knows that this queue waits. */
  #isQueuedInStore = false;
  /** Whether something must be recorded although no request waits. */
  #mustWrite = false;
  #isClosed = false;
  #loop: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  lastResult: StepResult | undefined;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits for a permit. The lease must be passed to {@link release}.
   * @param cost compute units, spent with the permit
   * @throws InterruptedError when the signal fires or the queue is closed; the errors of the options when the wait would
   * be too long or too few units remain
   */
  acquire(cost: number, options: AcquireOptions): Promise<Lease> {
    throwIfAborted(options.signal);
    if (this.#isClosed) throw toInterruptedError(undefined);
    if (this.#isUnlimited()) return Promise.resolve({ id: UNCOUNTED, grantedAt: 0, day: "", cost });
    return new Promise((resolve, reject) => {
      const waiters = options.priority === "background" ? this.#background : this.#interactive;
      const waiter: Waiter = {
        cost,
        options,
        resolve,
        reject,
        isNotified: false,
        onAbort: () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(toInterruptedError(options.signal));
          this.#ensureRunning();
        },
      };
      options.signal?.addEventListener("abort", waiter.onAbort, { once: true });
      waiters.push(waiter);
      this.#ensureRunning();
    });
  }

  /** Ends a lease. Units that were not spent are given back if the day is still the same. */
  release({ id, grantedAt, day, cost }: Lease, end: LeaseEnd = "answered"): void {
    if (id === UNCOUNTED) return;
    const { monotonic, calendar } = this.#options.clock;
    const at = end === "unused" ? Number.NEGATIVE_INFINITY : Math.min(monotonic(), grantedAt + GRACE_MS);
    this.#released.push({ id, at });
    if (end !== "answered" && day === utcDay(calendar())) this.#units -= cost;
    this.#scheduleWrite();
  }

  pause(milliseconds: number): void {
    this.#pause = Math.max(this.#pause, milliseconds);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.monotonic() + milliseconds);
    this.#mustWrite = true;
    this.#ensureRunning();
  }

  /** Whether a request needs no permit now: there is no limit and no pause, and none waits for its turn. */
  #isUnlimited(): boolean {
    const { bucket, clock } = this.#options;
    const hasLimit = bucket.requests !== Number.POSITIVE_INFINITY || bucket.unitsPerDay !== undefined;
    return !hasLimit && this.#waiterCount() === 0 && clock.monotonic() >= this.#pausedUntil;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll(toInterruptedError(undefined));
    await this.#flush();
    // A permit granted after its waiter was rejected is released, too.
    if (this.#released.length > 0) await this.#flush();
    clearTimeout(this.#writeTimer);
  }

  #rejectAll(error: unknown): void {
    for (const waiter of [...this.#interactive.splice(0), ...this.#background.splice(0)]) {
      waiter.options.signal?.removeEventListener("abort", waiter.onAbort);
      waiter.reject(error);
    }
  }

  async #flush(): Promise<void> {
    this.#mustWrite = true;
    this.#ensureRunning();
    await this.#loop;
  }

  #scheduleWrite(): void {
    this.#writeTimer ??= setTimeout(() => {
      this.#writeTimer = undefined;
      this.#mustWrite = true;
      this.#ensureRunning();
    }, WRITE_DELAY_MS).unref();
  }

  /** Starts the loop, or wakes it. */
  #ensureRunning(): void {
    this.#wake?.();
    this.#loop ??= this.#run()
      .catch((error) => {
        this.#isQueuedInStore = false;
        this.#rejectAll(error);
      })
      .finally(() => {
        this.#loop = undefined;
        if (this.#hasWork()) this.#ensureRunning();
      });
  }

  #hasWork(): boolean {
    const hasUnrecorded = this.#released.length > 0 || this.#units !== 0 || this.#pause > 0;
    return this.#waiterCount() > 0 || this.#isQueuedInStore || (this.#mustWrite && hasUnrecorded);
  }

  #waiterCount(): number {
    return this.#interactive.length + this.#background.length;
  }

  async #run(): Promise<void> {
    // Requests that arrive in the same tick share a step.
    await Promise.resolve();
    while (this.#hasWork()) {
      const step = this.#nextStep();
      const { request } = step;
      const result = await this.#options.store.step(this.#options.bucket, request);
      this.lastResult = result;
      this.#grantLeases(step, result);
      this.#rejectUnaffordable(step, result.units);
      const isShort = result.interactive < request.interactive.length || result.background < request.background.length;
      this.#isQueuedInStore = isShort;
      if (!isShort) continue;
      this.#notifyWaiters(result);
      if (this.#waiterCount() > 0) await this.#sleep(result.pollAfter);
    }
  }

  #nextStep(): QueueStep {
    clearTimeout(this.#writeTimer);
    this.#writeTimer = undefined;
    const now = this.#options.clock.monotonic();
    const released = this.#released.map(
      ({ id, at }): ReleasedPermit => ({
        id,
        ago: at === Number.NEGATIVE_INFINITY ? UNUSED : Math.max(0, now - at),
      }),
    );
    const waiters = [...this.#interactive.slice(0, PERMITS_PER_STEP), ...this.#background.slice(0, PERMITS_PER_STEP)];
    const request = {
      interactive: this.#permitRequests(this.#interactive),
      background: this.#permitRequests(this.#background),
      released,
      units: this.#units,
      pause: this.#pause,
    };
    this.#released = [];
    [this.#units, this.#pause, this.#mustWrite] = [0, 0, false];
    return { request, waiters };
  }

  #permitRequests(waiters: readonly Waiter[]): PermitRequest[] {
    return waiters.slice(0, PERMITS_PER_STEP).map(({ cost }) => {
      this.#idCount = (this.#idCount + 1) % IDS_PER_OWNER;
      return { id: this.#options.bucket.owner * IDS_PER_OWNER + this.#idCount, cost };
    });
  }

  /** Gives the permits to the waiters for whom they were requested; those of waiters that left are released. */
  #grantLeases({ request, waiters }: QueueStep, result: StepResult): void {
    const { monotonic, calendar } = this.#options.clock;
    const [grantedAt, day] = [monotonic(), utcDay(calendar())];
    const grant = (queue: Waiter[], permits: readonly PermitRequest[], offset: number) => {
      for (const [index, permit] of permits.entries()) {
        const waiter = waiters[offset + index];
        const lease = { ...permit, grantedAt, day };
        if (waiter && removeWaiter(queue, waiter)) waiter.resolve(lease);
        else this.release(lease, "unused");
      }
    };
    grant(this.#interactive, request.interactive.slice(0, result.interactive), 0);
    grant(this.#background, request.background.slice(0, result.background), request.interactive.length);
  }

  /** Rejects requests that cost more than remains today, unless units are just being given back. */
  #rejectUnaffordable({ waiters }: QueueStep, spent: number): void {
    const { bucket, quotaError } = this.#options;
    if (bucket.unitsPerDay === undefined || this.#units < 0) return;
    for (const queue of [this.#interactive, this.#background]) {
      for (const waiter of waiters) {
        if (isAffordable(bucket.unitsPerDay, spent, waiter.cost) || !removeWaiter(queue, waiter)) continue;
        waiter.reject(quotaError(waiter.cost, spent));
      }
    }
  }

  /**
   * Notifies waiters of the expected wait, once each, and rejects those that may not wait so long. In a window that is
   * longer because a server is lost, they may wait longer in the same proportion.
   */
  #notifyWaiters({ wait, share }: StepResult): void {
    const { bucket, rateError } = this.#options;
    const { requests, window } = share ?? bucket;
    const stretch = window / bucket.window;
    let ahead = 0;
    for (const queue of [this.#interactive, this.#background]) {
      for (const waiter of [...queue]) {
        const { maxWaitMs, onWait } = waiter.options;
        const expected = wait + Math.floor(ahead / Math.max(1, requests)) * window;
        if (maxWaitMs !== undefined && expected > maxWaitMs * stretch) {
          removeWaiter(queue, waiter);
          waiter.reject(rateError(expected));
          continue;
        }
        ahead += 1;
        if (waiter.isNotified) continue;
        waiter.isNotified = true;
        onWait?.(expected);
      }
    }
  }

  /** Waits for some time, or until something changes. The timer holds the process, because a request waits. */
  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), Math.max(1, Math.ceil(milliseconds)));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

function removeWaiter(queue: Waiter[], waiter: Waiter): boolean {
  const index = queue.indexOf(waiter);
  if (index < 0) return false;
  queue.splice(index, 1);
  waiter.options.signal?.removeEventListener("abort", waiter.onAbort);
  return true;
}
