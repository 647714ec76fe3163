/** The requests of a batch: identifiers are packed, packs wait for their turn, and what was refused is asked one by one. */
import { PermissionError, SolxError, UsageError } from "../../base/errors.ts";
import {
  type BatchFetch,
  type BatchQuery,
  fetchPack,
  fetchSingle,
  findPacking,
  type ItemOutcome,
  isFatal,
  type Packing,
} from "./items.ts";

/** Identifiers to ask for. */
export interface BatchSource extends BatchQuery {
  readonly fetch: BatchFetch;
  readonly signal?: AbortSignal | undefined;
  /** Told in a sentence what is done in another way than one would expect. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** An identifier that is asked for. */
export interface BatchIdentifier {
  readonly id: string;
  outcome?: ItemOutcome;
  /** Whether what failed for it would fail for all. */
  isFatal?: boolean;
}

/** Who waits for outcomes. */
export interface BatchListener<A extends BatchIdentifier> {
  /** An outcome is there. */
  onOutcome(asked: A, outcome: ItemOutcome): void;
  /** What would fail for all has failed: nothing more is sent. */
  onFatal(error: unknown): void;
  /** A request is over; all it brought has been told. */
  onRequestEnd(): void;
}

/** The identifiers of a request; `again` when an earlier request for them was refused. */
interface Task<A> {
  readonly asked: readonly A[];
  readonly again: boolean;
}

/** Requests under way at a time: a few until answers come, then more; the budget bounds them further. */
const FIRST_WIDTH = 4;
const WIDTH = 16;
/** Requests that may be sent before what the first of them brought was taken. */
const AHEAD = 32;

/** Asks for identifiers, some at a time. */
export class BatchRequests<A extends BatchIdentifier> {
  readonly #source: BatchSource;
  readonly #signal: AbortSignal;
  readonly #waiting: BatchListener<A>;
  #packing: Packing | undefined;
  #pack: A[] = [];
  #tasks: Task<A>[] = [];
  #running = 0;
  #answered = 0;
  /** How many were asked for and not yet taken. */
  #ahead = 0;
  #isStopped = false;
  #isEnding = false;

  constructor(source: BatchSource, signal: AbortSignal, waiting: BatchListener<A>) {
    this.#source = source;
    this.#signal = signal;
    this.#waiting = waiting;
    this.#packing = findPacking(source);
  }

  /** Whether requests are under way. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Whether some wait for their pack to be full. */
  get hasOpenPack(): boolean {
    return this.#pack.length > 0;
  }

  /** Whether nothing happens until the open pack is closed. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#tasks.length === 0;
  }

  /** Asks for one when its pack is full. */
  add(asked: A): void {
    this.#pack.push(asked);
    if (this.#pack.length >= (this.#packing?.size ?? 1)) this.closePack();
  }

  /** Asks for what is there, though the pack is not full. */
  closePack(): void {
    if (this.#pack.length === 0) return;
    this.#tasks.push({ asked: this.#pack, again: false });
    this.#pack = [];
    this.#start();
  }

  /** One was taken: there is room for another. */
  taken(): void {
    this.#ahead -= 1;
    this.#start();
  }

  /** Asks for nothing new; what was refused is still asked for again. */
  end(): void {
    this.#isEnding = true;
  }

  /** Sends nothing more; what is under way goes on until the signal fires. */
  stop(): void {
    this.#isStopped = true;
  }

  #start(): void {
    const width = Math.min(WIDTH, FIRST_WIDTH + this.#answered);
    while (!this.#isStopped && this.#running < width) {
      const [task] = this.#tasks;
      if (!task) return;
      const { asked, again } = task;
      const most = AHEAD * (this.#packing?.size ?? 1);
      if (!again && (this.#isEnding || this.#ahead + asked.length > most)) return;
      this.#tasks.shift();
      if (!again) this.#ahead += asked.length;
      if (asked.length > 1 && !this.#packing) this.#split(asked);
      else void this.#run(asked);
    }
  }

  /** Asks for each alone, before all that was to follow. */
  #split(asked: readonly A[]): void {
    this.#tasks = [...asked.map((one) => ({ asked: [one], again: true })), ...this.#tasks];
  }

  async #run(asked: readonly A[]): Promise<void> {
    this.#running += 1;
    try {
      const outcomes = await this.#ask(asked.map(({ id }) => id));
      for (const [at, one] of asked.entries()) this.#waiting.onOutcome(one, outcomes[at] ?? {});
    } catch (error) {
      this.#refused(asked, error);
    }
    this.#running -= 1;
    this.#answered += 1;
    this.#start();
    this.#waiting.onRequestEnd();
  }

  async #ask(ids: readonly string[]): Promise<ItemOutcome[]> {
    const { fetch } = this.#source;
    const send = (endpoint: BatchQuery["endpoint"], params: BatchQuery["params"]) =>
      fetch(endpoint, params, this.#signal);
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return [await fetchSingle(this.#source, only, send)];
    return fetchPack(this.#source, this.#packing as Packing, ids, send);
  }

  #refused(asked: readonly A[], error: unknown): void {
    const isPack = asked.length > 1;
    const isOwn = this.#packing?.endpoint === this.#source.endpoint;
    if (isPack && error instanceof PermissionError && !isOwn) {
      if (this.#packing) this.#source.onNote?.(`${this.#packing.endpoint.command} is refused: asking one by one.`);
      // What the plan refuses it refuses from now on.
      this.#packing = undefined;
      this.#split(asked);
    } else if (isPack && error instanceof UsageError) {
      this.#split(asked);
    } else if (isFatal(error) || !(error instanceof SolxError)) {
      for (const one of asked) one.isFatal = true;
      this.#waiting.onFatal(error);
    } else {
      for (const one of asked) this.#waiting.onOutcome(one, { error });
    }
  }
}
