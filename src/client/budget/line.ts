/**
 * Those of this process who wait for a turn, interactive ones before those in the background, in the order in which they
 * came. One loop asks the store for as many turns as are wanted, hands them out, and sleeps until the store says.
 */
import { interruption, throwIfAborted } from "../../base/abort.ts";
import type { SolxError } from "../../base/errors.ts";
import type { Taking } from "../budget.ts";
import { type Ask, CHUNK, type Done, GRACE_MS, type Grant, type Lane, type Store, UNUSED } from "./store.ts";

/** Milliseconds within which answers are written down, where no step comes sooner. */
const WRITE_MS = 100;

/** Ids count up from the owner's own number: 2⁵³ holds both. */
const IDS_EACH = 2 ** 22;

/** What a line works with. */
export interface LineOptions {
  readonly store: Store;
  readonly lane: Lane;
  /** Milliseconds. */
  readonly now: () => number;
  /** The error for one whose patience is shorter than his wait, in milliseconds. */
  readonly refusal: (wait: number) => SolxError;
}

interface Taker {
  readonly taking: Taking;
  readonly resolve: (held: Held) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  told: boolean;
}

/** A turn that somebody holds. */
export interface Held {
  readonly id: number;
  /** When it was handed out. */
  readonly from: number;
}

/** A line of those who wait for turns of one lane. */
export class Line {
  readonly #options: LineOptions;
  readonly #interactive: Taker[] = [];
  readonly #background: Taker[] = [];
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
  last: Grant | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /**
   * Waits for a turn.
   * @returns it, to be given to {@link over}
   * @throws InterruptedError when the signal fires or the line is closed, the refusal when the wait is too long
   */
  enter(taking: Taking): Promise<Held> {
    throwIfAborted(taking.signal);
    if (this.#closed) throw interruption(undefined);
    return new Promise((resolve, reject) => {
      const line = taking.priority === "background" ? this.#background : this.#interactive;
      const taker: Taker = {
        taking,
        resolve,
        reject,
        told: false,
        onAbort: () => {
          line.splice(line.indexOf(taker), 1);
          reject(interruption(taking.signal));
          this.#go();
        },
      };
      taking.signal?.addEventListener("abort", taker.onAbort, { once: true });
      line.push(taker);
      this.#go();
    });
  }

  /** Tells that a turn is over: answered, or unused. */
  over({ id, from }: Held, used = true): void {
    const at = used ? Math.min(this.#options.now(), from + GRACE_MS) : Number.NEGATIVE_INFINITY;
    this.#done.push({ id, at });
    this.#writeSoon();
  }

  /** Adds compute units to those of the day. */
  spend(units: number): void {
    this.#units += units;
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
    this.#refuseAll(interruption(undefined));
    await this.#finish();
    // A turn that came when nobody waited any more is given back.
    if (this.#done.length > 0) await this.#finish();
    clearTimeout(this.#writing);
  }

  #refuseAll(error: unknown): void {
    for (const taker of [...this.#interactive.splice(0), ...this.#background.splice(0)]) {
      taker.taking.signal?.removeEventListener("abort", taker.onAbort);
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
    const writes = this.#done.length > 0 || this.#units > 0 || this.#pause > 0;
    return this.#waiting() > 0 || this.#queued || (this.#due && writes);
  }

  #waiting(): number {
    return this.#interactive.length + this.#background.length;
  }

  async #run(): Promise<void> {
    // Those who come in the same moment are asked for together.
    await Promise.resolve();
    while (this.#hasWork()) {
      const ask = this.#ask();
      const grant = await this.#options.store.step(this.#options.lane, ask);
      this.last = grant;
      this.#handOut(ask, grant);
      const isShort = grant.interactive < ask.interactive.length || grant.background < ask.background.length;
      this.#queued = isShort;
      if (!isShort) continue;
      this.#tell(grant.wait);
      if (this.#waiting() > 0) await this.#sleep(grant.wake);
    }
  }

  #ask(): Ask {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const { now } = this.#options;
    const present = now();
    const done = this.#done.map(
      ({ id, at }): Done => ({ id, ago: at === Number.NEGATIVE_INFINITY ? UNUSED : Math.max(0, present - at) }),
    );
    const ask = {
      interactive: this.#ids(this.#interactive.length),
      background: this.#ids(this.#background.length),
      done,
      units: this.#units,
      pause: this.#pause,
    };
    this.#done = [];
    [this.#units, this.#pause, this.#due] = [0, 0, false];
    return ask;
  }

  #ids(waiting: number): number[] {
    return Array.from({ length: Math.min(waiting, CHUNK) }, () => {
      this.#count = (this.#count + 1) % IDS_EACH;
      return this.#options.lane.owner * IDS_EACH + this.#count;
    });
  }

  #handOut(ask: Ask, grant: Grant): void {
    const from = this.#options.now();
    const give = (line: Taker[], ids: readonly number[]) => {
      for (const id of ids) {
        const taker = line.shift();
        if (taker === undefined) this.over({ id, from }, false);
        else {
          taker.taking.signal?.removeEventListener("abort", taker.onAbort);
          taker.resolve({ id, from });
        }
      }
    };
    give(this.#interactive, ask.interactive.slice(0, grant.interactive));
    give(this.#background, ask.background.slice(0, grant.background));
  }

  /** Tells those who wait how long, once, and refuses those for whom it is too long. */
  #tell(wait: number): void {
    const { lane, refusal } = this.#options;
    let before = 0;
    for (const line of [this.#interactive, this.#background]) {
      for (const taker of [...line]) {
        const { patience, onWait, signal } = taker.taking;
        const known = wait + Math.floor(before / lane.requests) * lane.window;
        if (patience !== undefined && known > patience) {
          line.splice(line.indexOf(taker), 1);
          signal?.removeEventListener("abort", taker.onAbort);
          taker.reject(refusal(known));
          continue;
        }
        before += 1;
        if (taker.told) continue;
        taker.told = true;
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
