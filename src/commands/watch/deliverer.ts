/**
 * Makes the deliveries of an outbox: for each action one at a time, of each subject in order. A failed one is repeated
 * with increasing delays and parked after a limit; meanwhile the others of its subject wait, those of others do not.
 */
import { errorMessage, type JsonObject, SolxError } from "../../base/index.ts";
import type { Timing } from "../../client/index.ts";
import type { Outbox, StoredDelivery } from "./outbox.ts";

/** What is done with events. */
export interface Action {
  /** The same in every run. */
  readonly name: string;
  /** @throws an error when the event was not delivered, with the code {@link REFUSED} where it never will be */
  deliver(event: JsonObject, signal: AbortSignal): Promise<void>;
}

/** The code of an error after which repeating a delivery is no use. */
export const REFUSED = "REFUSED";

/** Failures of one delivery after which it is parked. */
const MAX_ATTEMPTS = 10;
/** The longest delay in seconds. */
const MAX_DELAY = 300;
/** Milliseconds in which a delivery that is under way may end after a stop. */
const GRACE_MS = 1000;

interface DelivererOptions {
  readonly timing: Timing;
  /** Called for the first failure of a delivery, and when it is parked. */
  readonly onFailure: (action: Action, error: string, isParked: boolean) => Promise<void>;
}

/** Makes deliveries until it is stopped. */
export class Deliverer {
  readonly #outbox: Outbox;
  readonly #options: DelivererOptions;
  readonly #lanes: Promise<void>[];
  readonly #stopping = new AbortController();
  readonly #killing = new AbortController();
  /** Fires when deliveries were added, or when none remain to be waited for. */
  #wake = new AbortController();
  #isDraining = false;
  readonly #failing = new AbortController();

  constructor(outbox: Outbox, actions: readonly Action[], options: DelivererOptions) {
    this.#outbox = outbox;
    this.#options = options;
    outbox.onAdded = () => this.wake();
    this.#lanes = actions.map((action) => this.#run(action).catch((error: unknown) => this.#failing.abort(error)));
  }

  /** Fires, with the error as its reason, when the outbox could not store what became of a delivery. */
  get failed(): AbortSignal {
    return this.#failing.signal;
  }

  /** Continues after deliveries were added. @throws what the outbox could not store */
  wake(): void {
    this.failed.throwIfAborted();
    const before = this.#wake;
    this.#wake = new AbortController();
    before.abort();
  }

  /** Waits until all deliveries were made or parked. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.wake();
    await Promise.all(this.#lanes);
    this.failed.throwIfAborted();
  }

  /** Stops: deliveries that are under way get a moment. What is in the outbox remains there. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    const timer = setTimeout(() => this.#killing.abort(), GRACE_MS);
    await Promise.all(this.#lanes);
    clearTimeout(timer);
  }

  async #run(action: Action): Promise<void> {
    const { timing } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const { signal } = this.#wake;
      const delivery = this.#outbox.next(action.name, timing.now());
      if (delivery) {
        await this.#deliver(action, delivery);
        continue;
      }
      const due = this.#outbox.nextDue(action.name);
      if (due === undefined && this.#isDraining) return;
      const wait = due === undefined ? IDLE_MS : Math.max(1, due - timing.now());
      await timing.sleep(wait, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  async #deliver(action: Action, delivery: StoredDelivery): Promise<void> {
    const { timing, onFailure } = this.#options;
    const signal = AbortSignal.any([this.#killing.signal, this.#outbox.signal]);
    try {
      await action.deliver(delivery.event, signal);
    } catch (error) {
      // What was interrupted is repeated by the next run.
      if (signal.aborted) return this.#outbox.interrupted(delivery);
      const { code, retryAfter = 0 } = error instanceof SolxError ? error : {};
      const isParked = code === REFUSED || delivery.attempts + 1 >= MAX_ATTEMPTS;
      const seconds = Math.max(retryAfter, Math.min(MAX_DELAY, 2 ** delivery.attempts));
      await this.#outbox.failed(delivery, errorMessage(error), isParked ? undefined : timing.now() + seconds * 1000);
      if (isParked || delivery.attempts === 0) await onFailure(action, errorMessage(error), isParked);
      return;
    }
    await this.#outbox.delivered(delivery);
  }
}

/** Milliseconds between looks into an outbox that nothing was added to: another process may make parked events due. */
const IDLE_MS = 10_000;
