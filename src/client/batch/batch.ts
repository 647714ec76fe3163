/**
 * One endpoint for many identifiers, of which a limited number is in memory at a time. Items are returned in the order of
 * the input, or as they are answered. An identifier that is read again before its item was returned is requested once; an
 * invalid one is an error of its item, without a request. Where the catalogue has an endpoint that takes many, requests
 * are packed into it: a pack is sent when it is full, when the input ends, and when the input pauses. When the plan
 * refuses packs, each identifier is requested by itself. A failure that concerns all of them (key, plan, quota, rate
 * limit, an interruption) ends the batch, after the items before it.
 */
import { type Json, type SolxError, toInterruptedError, UsageError } from "../../base/index.ts";
import { type BatchIdentifier, BatchRequests, type BatchSource } from "./batch-requests.ts";
import { checkSharedParams, type ItemOutcome, identifierParam, parseIdentifier, withItemName } from "./items.ts";

/** What became of one identifier. */
export interface BatchItem<Value = Json> extends ItemOutcome<Value> {
  /** The identifier as it was in the input. */
  readonly input: string;
}

/** How items are returned. */
export interface ManyOptions {
  /** As they are answered instead of in the order of the input. */
  readonly unordered?: boolean | undefined;
  /** The first item that fails ends the batch: its error is thrown after the items before it. */
  readonly failFast?: boolean | undefined;
}

/** Identifiers that were read and whose items were not yet returned, at most. */
const MAX_PENDING_ITEMS = 1000;
/** Milliseconds without an identifier after which the input counts as pausing. */
const PAUSE_MS = 100;

/**
 * Requests an endpoint for many identifiers.
 * @throws UsageError when the endpoint takes none or a parameter is invalid; failures that concern every item; what
 * reading the input throws, after the items before it
 */
export async function* readBatch(
  source: BatchSource,
  inputs: Iterable<string> | AsyncIterable<string>,
  options: ManyOptions = {},
): AsyncGenerator<BatchItem, void> {
  identifierParam(source.endpoint);
  const batch = new Batch(source, inputs, options);
  try {
    void batch.readInput();
    for (let item = await batch.next(); item; item = await batch.next()) yield item;
  } finally {
    batch.close();
  }
}

interface RequestedIdentifier extends BatchIdentifier {
  readonly items: PendingItem[];
}

interface PendingItem {
  readonly input: string;
  readonly identifier?: RequestedIdentifier;
  readonly error?: SolxError;
}

class Batch {
  readonly #source: BatchSource;
  readonly #options: ManyOptions;
  readonly #inputs: AsyncIterator<string> | Iterator<string>;
  readonly #isAsync: boolean;
  readonly #requests: BatchRequests<RequestedIdentifier>;
  readonly #stop = new AbortController();
  readonly #onAbort: () => void;

  /** Items not yet returned, in the order of the input; unordered, those that can be returned. */
  readonly #items: PendingItem[] = [];
  readonly #identifiers = new Map<string, RequestedIdentifier>();
  #pendingItems = 0;
  #readCount = 0;
  #reader: "waiting" | "working" | "done" = "working";
  /** Whether no further input is read. */
  #isLast = false;
  #areParamsChecked = false;
  #pauseTimer: NodeJS.Timeout | undefined;
  /** What ends the batch after the items before it were returned. */
  #failure: { readonly error: unknown } | undefined;
  #inputFailure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  #wakeReader: () => void = () => {};

  constructor(source: BatchSource, inputs: Iterable<string> | AsyncIterable<string>, options: ManyOptions) {
    const { signal } = source;
    this.#source = source;
    this.#options = options;
    this.#isAsync = Symbol.asyncIterator in inputs;
    this.#inputs = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
    this.#onAbort = () => this.#fail(toInterruptedError(signal));
    this.#requests = new BatchRequests(
      source,
      signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal,
      {
        onOutcome: (identifier, outcome) => this.#settle(identifier, outcome),
        onFatal: (error) => this.#fail(error),
        onRequestEnd: () => this.#advance(),
      },
    );
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  close(): void {
    clearTimeout(this.#pauseTimer);
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#fail(undefined);
    this.#stop.abort();
    // An input that is still waiting for its next line ends when it can; the batch does not wait for it.
    if (this.#reader !== "done") Promise.resolve(this.#inputs.return?.()).catch(() => {});
  }

  async next(): Promise<BatchItem | undefined> {
    for (;;) {
      const [item] = this.#items;
      const outcome = item && (item.error ? { error: item.error } : item.identifier?.outcome);
      const { aborted = false } = this.#source.signal ?? {};
      if (item && outcome && !aborted) return this.#take(item, outcome);
      const isEnd = aborted || item?.identifier?.isFatal || this.#options.unordered || !this.#requests.isBusy;
      if (this.#failure && isEnd) throw this.#failure.error;
      if (this.#reader === "done" && this.#pendingItems === 0) {
        if (this.#inputFailure) throw this.#inputFailure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take({ input, identifier }: PendingItem, outcome: ItemOutcome): BatchItem {
    if (outcome.error && this.#options.failFast) throw withItemName(input, outcome.error);
    this.#items.shift();
    this.#pendingItems -= 1;
    identifier?.items.shift();
    if (identifier?.items.length === 0) {
      this.#identifiers.delete(identifier.id);
      this.#requests.markRead(identifier);
    }
    this.#wakeReader();
    return { input, ...outcome };
  }

  /** Reads identifiers while fewer than {@link MAX_PENDING_ITEMS} are pending. */
  async readInput(): Promise<void> {
    try {
      while (!this.#failure && !this.#isLast) {
        if (this.#pendingItems >= MAX_PENDING_ITEMS) {
          await this.#untilItemTaken();
          continue;
        }
        const coming = this.#inputs.next();
        this.#reader = "waiting";
        const { value, done } = this.#isAsync ? await coming : (coming as IteratorResult<string>);
        this.#reader = "working";
        if (done) break;
        this.#add(value);
        if (this.#isAsync && this.#requests.hasOpenPack) this.#watchForPause();
      }
    } catch (error) {
      this.#inputFailure = { error };
    }
    if (!this.#failure) this.#reader = "done";
    this.#requests.closePack();
    this.#wake();
  }

  async #untilItemTaken(): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#wakeReader = resolve;
    });
    this.#advance();
    await taken;
  }

  /** Continues after a change. When all pending items wait for a pack that is not full, nothing else would close it. */
  #advance(): void {
    if (this.#pendingItems >= MAX_PENDING_ITEMS && this.#requests.isIdle) this.#requests.closePack();
    this.#wake();
  }

  #add(input: string): void {
    const { id, error } = parseIdentifier(this.#source, input);
    // An invalid parameter is invalid for all identifiers: it is reported once, before any request.
    if (id !== undefined && !this.#areParamsChecked) checkSharedParams(this.#source, id);
    this.#readCount += 1;
    this.#pendingItems += 1;
    if (id === undefined) {
      this.#items.push({ input, error: error ?? new UsageError("This is not an identifier.") });
      // Identifiers that were read before are still requested.
      if (this.#options.failFast) this.#isLast = true;
      this.#wake();
      return;
    }
    this.#areParamsChecked = true;
    const known = this.#identifiers.get(id);
    const identifier: RequestedIdentifier = known ?? { id, items: [] };
    const item = { input, identifier };
    identifier.items.push(item);
    if (!this.#options.unordered || identifier.outcome) this.#items.push(item);
    if (known) return;
    this.#identifiers.set(id, identifier);
    this.#requests.add(identifier);
  }

  /** Closes the open pack when no further identifier arrives for a while. */
  #watchForPause(): void {
    if (this.#pauseTimer !== undefined) return;
    const before = this.#readCount;
    this.#pauseTimer = setTimeout(() => {
      // Identifiers that arrived while this process was busy are read first.
      setImmediate(() => {
        this.#pauseTimer = undefined;
        if (this.#failure || !this.#requests.hasOpenPack) return;
        if (this.#reader === "waiting" && this.#readCount === before) this.#requests.closePack();
        else this.#watchForPause();
      });
    }, PAUSE_MS);
  }

  #settle(identifier: RequestedIdentifier, outcome: ItemOutcome): void {
    identifier.outcome = outcome;
    if (this.#options.unordered) this.#items.push(...identifier.items);
    if (!outcome.error || !this.#options.failFast) return;
    this.#isLast = true;
    this.#requests.end();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#requests.stop();
    this.#wake();
    this.#wakeReader();
  }
}
