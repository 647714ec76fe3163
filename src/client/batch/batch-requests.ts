/**
 * The requests of a batch: identifiers are packed, packs are sent by a queue with limited concurrency, and the
 * identifiers of refused packs are requested one by one.
 */
import PQueue from "p-queue";
import { PermissionError, SolxError, UsageError } from "../../base/index.ts";
import {
  type BatchFetch,
  type BatchQuery,
  fetchPack,
  fetchSingle,
  findPacking,
  type ItemOutcome,
  isFatal,
  type Packing,
  type PackSender,
} from "./items.ts";

/** What a batch requests, and how. */
export interface BatchSource extends BatchQuery {
  readonly fetch: BatchFetch;
  readonly signal?: AbortSignal | undefined;
  /** Called with a sentence when something is done in another way than expected. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** An identifier that is requested. */
export interface BatchIdentifier {
  readonly id: string;
  outcome?: ItemOutcome;
  isFatal?: boolean;
  /** Characters of its answer, or of its part of one. */
  size?: number;
}

/** Receives the outcomes. */
export interface BatchListener<I extends BatchIdentifier> {
  /** The outcome of an identifier is known. */
  onOutcome(identifier: I, outcome: ItemOutcome): void;
  /** A failure that concerns the whole batch: no other request is sent. */
  onFatal(error: unknown): void;
  /** A request has ended; all its outcomes were reported. */
  onRequestEnd(): void;
}

/**
 * Concurrent requests: two until the size of an answer is known, then one more with each answer. The queue is not the rate limiter: a
 * request that waits for a permit occupies a place here, which would delay interactive requests if they shared it.
 */
const INITIAL_CONCURRENCY = 2;
const MAX_CONCURRENCY = 16;
/** Full requests whose outcomes may be outstanding or unread at a time; memory is bounded by it. */
const MAX_UNREAD_REQUESTS = 32;
/** Characters of answers that may be outstanding or unread at a time, if there is more than one. */
const MAX_UNREAD_CHARACTERS = 8_388_608;
/** Identifiers of a refused pack are requested before packs that follow it. */
const RETRY_PRIORITY = 1;

/** Requests identifiers, a limited number at a time. */
export class BatchRequests<I extends BatchIdentifier> {
  readonly #source: BatchSource;
  readonly #signal: AbortSignal;
  readonly #listener: BatchListener<I>;
  readonly #queue = new PQueue({ concurrency: INITIAL_CONCURRENCY });
  #packing: Packing | undefined;
  #openPack: I[] = [];
  /** Packs that wait until outcomes of earlier ones are read. */
  #waitingPacks: (readonly I[])[] = [];
  #answers = 0;
  /** Identifiers that were queued and whose outcomes were not yet read. */
  #unread = 0;
  /** Characters of their answers, as far as these have arrived. */
  #unreadCharacters = 0;
  /** Characters that an answer is expected to have. */
  #answerSize = 0;
  #isStopped = false;
  #isEnding = false;

  constructor(source: BatchSource, signal: AbortSignal, listener: BatchListener<I>) {
    this.#source = source;
    this.#signal = signal;
    this.#listener = listener;
    this.#packing = findPacking(source);
    this.#queue.addEventListener("next", () => {
      this.#queueWaitingPacks();
      this.#listener.onRequestEnd();
    });
  }

  get isBusy(): boolean {
    return this.#queue.pending > 0;
  }

  /** Whether identifiers wait for their pack to fill up. */
  get hasOpenPack(): boolean {
    return this.#openPack.length > 0;
  }

  /** Whether nothing will happen until the open pack is closed. */
  get isIdle(): boolean {
    return this.#queue.pending === 0 && this.#queue.size === 0 && this.#waitingPacks.length === 0;
  }

  add(identifier: I): void {
    this.#openPack.push(identifier);
    if (this.#openPack.length >= this.#packSize) this.closePack();
  }

  /** Requests the identifiers of the open pack, even if it is not full. */
  closePack(): void {
    if (this.#openPack.length === 0) return;
    this.#waitingPacks.push(this.#openPack);
    this.#openPack = [];
    this.#queueWaitingPacks();
  }

  /** Takes note that the outcome of an identifier was read, so that another one may be requested. */
  markRead({ size = 0 }: I): void {
    this.#unread -= 1;
    this.#unreadCharacters -= size;
    this.#queueWaitingPacks();
  }

  /** Starts no new pack; identifiers of refused packs are still requested one by one. */
  end(): void {
    this.#isEnding = true;
  }

  /** Sends nothing more; requests in flight continue until the signal fires. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.clear();
  }

  get #packSize(): number {
    return this.#packing?.size ?? 1;
  }

  #queueWaitingPacks(): void {
    for (;;) {
      const [pack] = this.#waitingPacks;
      if (this.#isStopped || this.#isEnding || !pack || !this.#mayQueue(pack)) return;
      this.#waitingPacks.shift();
      this.#unread += pack.length;
      void this.#queue.add(() => this.#sendPack(pack));
    }
  }

  /** Whether memory holds the answer to another pack, which is expected to be as large as those before. */
  #mayQueue(pack: readonly I[]): boolean {
    const requested = this.#queue.size + this.#queue.pending;
    if (this.#unread + pack.length > MAX_UNREAD_REQUESTS * this.#packSize) return false;
    if (this.#answers === 0) return requested < INITIAL_CONCURRENCY;
    const characters = this.#unreadCharacters + (requested + 1) * this.#answerSize;
    return this.#unread === 0 || characters <= MAX_UNREAD_CHARACTERS;
  }

  async #sendPack(pack: readonly I[]): Promise<void> {
    if (this.#isEnding) return;
    if (pack.length > 1 && !this.#packing) return this.#retryEach(pack);
    await this.#send(pack);
  }

  #retryEach(pack: readonly I[]): void {
    if (this.#isStopped) return;
    for (const identifier of pack) {
      void this.#queue.add(() => this.#send([identifier]), { priority: RETRY_PRIORITY });
    }
  }

  async #send(pack: readonly I[]): Promise<void> {
    try {
      const { outcomes, size } = await this.#fetch(pack.map(({ id }) => id));
      this.#answerSize = Math.max(size, this.#answerSize / 2);
      this.#unreadCharacters += size;
      for (const [index, identifier] of pack.entries()) {
        identifier.size = size / pack.length;
        this.#listener.onOutcome(identifier, outcomes[index] ?? {});
      }
    } catch (error) {
      this.#handleFailure(pack, error);
    }
    this.#answers += 1;
    this.#queue.concurrency = Math.min(MAX_CONCURRENCY, INITIAL_CONCURRENCY + this.#answers);
  }

  async #fetch(ids: readonly string[]): Promise<{ readonly outcomes: readonly ItemOutcome[]; readonly size: number }> {
    let size = 0;
    const send: PackSender = async (endpoint, params) => {
      const answer = await this.#source.fetch(endpoint, params, this.#signal);
      size = answer.body.length;
      return answer;
    };
    const [only] = ids;
    const outcomes =
      ids.length === 1 && only !== undefined
        ? [await fetchSingle(this.#source, only, send)]
        : await fetchPack(this.#source, this.#packing as Packing, ids, send);
    return { outcomes, size };
  }

  #handleFailure(pack: readonly I[], error: unknown): void {
    const isPack = pack.length > 1;
    const isSameEndpoint = this.#packing?.endpoint === this.#source.endpoint;
    if (isPack && error instanceof PermissionError && !isSameEndpoint) {
      if (this.#packing) {
        this.#source.onNote?.(
          `The API key has no access to ${this.#packing.endpoint.command}: sending one request per identifier.`,
        );
      }
      // A plan that refuses one pack refuses all of them.
      this.#packing = undefined;
      this.#retryEach(pack);
    } else if (isPack && error instanceof UsageError) {
      this.#retryEach(pack);
    } else if (isFatal(error) || !(error instanceof SolxError)) {
      for (const identifier of pack) identifier.isFatal = true;
      this.#listener.onFatal(error);
    } else {
      for (const identifier of pack) this.#listener.onOutcome(identifier, { error });
    }
  }
}
