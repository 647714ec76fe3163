/**
 * Those of this process who wait for a turn, interactive ones before those in the background, in the order in which they
 * came. One loop asks the store for as many turns as are wanted, hands them out, and sleeps until the store says.
 */
import { throwIfAborted, toInterruptedError } from "../../base/abort.ts";
import type { SolxError } from "../../base/errors.ts";
import { isAffordable } from "./allocate.ts";
import type { AcquireOptions } from "./limiter.ts";
import {
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

/** Milliseconds within which answers are written down, where no step comes sooner. */
const WRITE_MS = 100;

/** Ids count up from the owner's own number: 2⁵³ holds both. */
const IDS_EACH = 2 ** 22;

/** What a line works with. */
export interface RequestQueueOptions {
  readonly store: RateLimitStore;
  readonly bucket: RateLimitBucket;
  /** Milliseconds. */
  readonly now: () => number;
  /** The error for one whose patience is shorter than his wait, in milliseconds. */
  readonly rateError: (wait: number) => SolxError;
  /** The error for one who costs more units than are left of the day: what he costs, and what is spent. */
  readonly quotaError: (cost: number, spent: number) => SolxError;
}

interface Waiter {
  /** Compute units. */
  readonly cost: number;
  readonly options: AcquireOptions;
  readonly resolve: (held: Lease) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  isNotified: boolean;
}

/** A turn that somebody holds. */
export interface Lease {
  readonly id: number;
  /** When it was handed out. */
  readonly grantedAt: number;
  readonly cost: number;
}

/** How a turn ended: with an answer or none, with an answer that costs nothing, or before anything was sent. */
export type LeaseEnd = "answered" | "free" | "unused";

/** Turns that are asked for, and for whom. */
interface Asking {
  readonly ask: StepRequest;
  readonly takers: readonly Waiter[];
}

/** A line of those who wait for turns of one lane. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #interactive: Waiter[] = [];
  readonly #background: Waiter[] = [];
  #done: { readonly id: number; readonly at: number }[] = [];
  #units = 0;
  #pause = 0;
  #count = 0;
  /** Whether the store knows that this line waits. */
  #queued = false;
  /** Whether something is to be written down even though nobody waits. */
  #due = false;
  #closed = false;
  #loop: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #writing: NodeJS.Timeout | undefined;
  /** The answer to the last step. */
  lastResult: StepResult | undefined;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits for a turn.
   * @returns it, to be given to {@link release}
   * @param cost compute units, spent with the turn
   * @throws InterruptedError when the signal fires or the line is closed, the refusal when the wait is too long or there
   * are not so many units left
   */
  acquire(cost: number, taking: AcquireOptions): Promise<Lease> {
    throwIfAborted(taking.signal);
    if (this.#closed) throw toInterruptedError(undefined);
    return new Promise((resolve, reject) => {
      const line = taking.priority === "background" ? this.#background : this.#interactive;
      const taker: Waiter = {
        cost,
        options: taking,
        resolve,
        reject,
        isNotified: false,
        onAbort: () => {
          line.splice(line.indexOf(taker), 1);
          reject(toInterruptedError(taking.signal));
          this.#go();
        },
      };
      taking.signal?.addEventListener("abort", taker.onAbort, { once: true });
      line.push(taker);
      this.#go();
    });
  }

  /** Tells that a turn is over. What was not spent is given back, if the day is still the same. */
  release({ id, grantedAt: from, cost }: Lease, end: LeaseEnd = "answered"): void {
    const now = this.#options.now();
    const at = end === "unused" ? Number.NEGATIVE_INFINITY : Math.min(now, from + GRACE_MS);
    this.#done.push({ id, at });
    if (end !== "answered" && utcDay(from) === utcDay(now)) this.#units -= cost;
    this.#writeSoon();
  }

  /** Lets nobody start for some milliseconds. */
  pause(milliseconds: number): void {
    this.#pause = Math.max(this.#pause, milliseconds);
    this.#due = true;
    this.#go();
  }

  /** Ends all waits, and writes down what is left to write. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseAll(toInterruptedError(undefined));
    await this.#finish();
    // A turn that came when nobody waited any more is given back.
    if (this.#done.length > 0) await this.#finish();
    clearTimeout(this.#writing);
  }

  #refuseAll(error: unknown): void {
    for (const taker of [...this.#interactive.splice(0), ...this.#background.splice(0)]) {
      taker.options.signal?.removeEventListener("abort", taker.onAbort);
      taker.reject(error);
    }
  }

  async #finish(): Promise<void> {
    this.#due = true;
    this.#go();
    await this.#loop;
  }

  #writeSoon(): void {
    this.#writing ??= setTimeout(() => {
      this.#writing = undefined;
      this.#due = true;
      this.#go();
    }, WRITE_MS).unref();
  }

  /** Starts the loop, or wakes it. */
  #go(): void {
    this.#wake?.();
    this.#loop ??= this.#run()
      .catch((error) => {
        this.#queued = false;
        this.#refuseAll(error);
      })
      .finally(() => {
        this.#loop = undefined;
        if (this.#hasWork()) this.#go();
      });
  }

  #hasWork(): boolean {
    const writes = this.#done.length > 0 || this.#units !== 0 || this.#pause > 0;
    return this.#waiting() > 0 || this.#queued || (this.#due && writes);
  }

  #waiting(): number {
    return this.#interactive.length + this.#background.length;
  }

  async #run(): Promise<void> {
    // Those who come in the same moment are asked for together.
    await Promise.resolve();
    while (this.#hasWork()) {
      const asking = this.#ask();
      const { ask } = asking;
      const grant = await this.#options.store.step(this.#options.bucket, ask);
      this.lastResult = grant;
      this.#handOut(asking, grant);
      this.#refuseUnpayable(asking, grant.units);
      const isShort = grant.interactive < ask.interactive.length || grant.background < ask.background.length;
      this.#queued = isShort;
      if (!isShort) continue;
      this.#tell(grant.wait);
      if (this.#waiting() > 0) await this.#sleep(grant.pollAfter);
    }
  }

  #ask(): Asking {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const { now } = this.#options;
    const present = now();
    const done = this.#done.map(
      ({ id, at }): ReleasedPermit => ({
        id,
        ago: at === Number.NEGATIVE_INFINITY ? UNUSED : Math.max(0, present - at),
      }),
    );
    const takers = [...this.#interactive.slice(0, PERMITS_PER_STEP), ...this.#background.slice(0, PERMITS_PER_STEP)];
    const ask = {
      interactive: this.#wanted(this.#interactive),
      background: this.#wanted(this.#background),
      released: done,
      units: this.#units,
      pause: this.#pause,
    };
    this.#done = [];
    [this.#units, this.#pause, this.#due] = [0, 0, false];
    return { ask, takers };
  }

  #wanted(line: readonly Waiter[]): PermitRequest[] {
    return line.slice(0, PERMITS_PER_STEP).map(({ cost }) => {
      this.#count = (this.#count + 1) % IDS_EACH;
      return { id: this.#options.bucket.owner * IDS_EACH + this.#count, cost };
    });
  }

  /** Turns go to those for whom they were asked, who pay for them; those who left meanwhile have no use for them. */
  #handOut({ ask, takers }: Asking, grant: StepResult): void {
    const from = this.#options.now();
    const give = (line: Waiter[], wanted: readonly PermitRequest[], first: number) => {
      for (const [at, one] of wanted.entries()) {
        const taker = takers[first + at];
        const held = { ...one, grantedAt: from };
        if (taker && left(line, taker)) taker.resolve(held);
        else this.release(held, "unused");
      }
    };
    give(this.#interactive, ask.interactive.slice(0, grant.interactive), 0);
    give(this.#background, ask.background.slice(0, grant.background), ask.interactive.length);
  }

  /** Refuses those who asked and for whom not enough units are left today, unless some are just being given back. */
  #refuseUnpayable({ takers }: Asking, spent: number): void {
    const { bucket: lane, quotaError: overspent } = this.#options;
    if (lane.unitsPerDay === undefined || this.#units < 0) return;
    for (const line of [this.#interactive, this.#background]) {
      for (const taker of takers) {
        if (isAffordable(lane.unitsPerDay, spent, taker.cost) || !left(line, taker)) continue;
        taker.reject(overspent(taker.cost, spent));
      }
    }
  }

  /** Tells those who wait how long, once, and refuses those for whom it is too long. */
  #tell(wait: number): void {
    const { bucket: lane, rateError: refusal } = this.#options;
    let before = 0;
    for (const line of [this.#interactive, this.#background]) {
      for (const taker of [...line]) {
        const { maxWait: patience, onWait } = taker.options;
        const known = wait + Math.floor(before / lane.requests) * lane.window;
        if (patience !== undefined && known > patience) {
          left(line, taker);
          taker.reject(refusal(known));
          continue;
        }
        before += 1;
        if (taker.isNotified) continue;
        taker.isNotified = true;
        onWait?.(known);
      }
    }
  }

  /** Waits for the time, or until something changes. It keeps the process alive: somebody waits. */
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

/** Takes somebody out of a line; whether he stood in it. */
function left(line: Waiter[], taker: Waiter): boolean {
  const place = line.indexOf(taker);
  if (place < 0) return false;
  line.splice(place, 1);
  taker.options.signal?.removeEventListener("abort", taker.onAbort);
  return true;
}
