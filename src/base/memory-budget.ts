/**
 * The memory of data that is being received: bodies of answers, before and after decompression, and files of strangers.
 * All calls of a process share it. Beyond it, calls wait until others have handed on what they received; the oldest one
 * always continues, up to the limit of a single answer, so that the calls never wait for each other.
 */

/** The size in bytes from which on a single answer or file is refused. */
export const MAX_RECEIVED_BYTES = 67_108_864;

/** Bytes that may be in flight before calls wait. */
const BUDGET_BYTES = 33_554_432;

/** What one call has received. */
export interface ReceivedBytes {
  /** Counts bytes that were received; returns what to wait for before more are read, undefined to go on. */
  add(bytes: number): Promise<void> | undefined;
  /** The bytes were handed on, or dropped. */
  release(): void;
}

/** A number of bytes that calls share. */
export class MemoryBudget {
  readonly #limit: number;
  #used = 0;
  /** The calls that have received something, the oldest first, with what lets them continue while they wait. */
  readonly #calls = new Map<object, (() => void) | undefined>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Opens the account of a call. */
  open(): ReceivedBytes {
    let total = 0;
    const call: ReceivedBytes = {
      add: (bytes) => {
        total += bytes;
        this.#used += bytes;
        if (total === bytes) this.#calls.set(call, undefined);
        if (this.#mayContinue(call)) return undefined;
        return new Promise((resolve) => this.#calls.set(call, resolve));
      },
      release: () => {
        this.#used -= total;
        total = 0;
        this.#calls.get(call)?.();
        this.#calls.delete(call);
        this.#wake();
      },
    };
    return call;
  }

  #mayContinue(call: object): boolean {
    return this.#used <= this.#limit || this.#calls.keys().next().value === call;
  }

  #wake(): void {
    for (const [call, wake] of this.#calls) {
      if (!this.#mayContinue(call)) return;
      if (wake) this.#calls.set(call, undefined);
      wake?.();
    }
  }
}

/** The budget of this process. */
export const memoryBudget = new MemoryBudget(BUDGET_BYTES);
