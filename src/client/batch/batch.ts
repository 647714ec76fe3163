/**
 * One endpoint for many identifiers, of which only some are held at a time. Items come in the order of the input, or as
 * they are answered; an identifier that is read again before its item was taken is asked for once; one that is none is
 * an error of its item, without a request. Where the catalogue has an endpoint that takes many, requests are packed
 * into it: a pack is sent when it is full, when the input ends, and when it pauses. When the plan refuses packs, each
 * identifier is asked for alone. What would fail for all (key, plan, quota, rate limit, the user's stop) ends the
 * batch, after the items before it.
 */
import { toInterruptedError } from "../../base/abort.ts";
import { type SolxError, UsageError } from "../../base/errors.ts";
import { type BatchIdentifier, BatchRequests, type BatchSource } from "./batch-requests.ts";
import { checkSharedParams, type ItemOutcome, identifierParam, parseIdentifier, withItemName } from "./items.ts";

/** What became of one identifier. */
export interface BatchItem extends ItemOutcome {
  /** The identifier as it was given. */
  readonly input: string;
}

/** How items are given. */
export interface ManyOptions {
  /** As they are answered, not in the order of the input. */
  readonly unordered?: boolean | undefined;
  /** The first item that fails ends the batch: its error is thrown after the items before it. */
  readonly failFast?: boolean | undefined;
}

/** Identifiers that are held: read, and their items not yet taken. */
const WINDOW = 1000;
/** Milliseconds without an identifier after which the input counts as pausing. */
const PAUSE_MS = 100;

/**
 * Asks an endpoint for many identifiers.
 * @throws UsageError when the endpoint takes none or a parameter is wrong; what would fail for every item; what reading
 * the identifiers throws, after the items before it
 */
export async function* readBatch(
  source: BatchSource,
  inputs: Iterable<string> | AsyncIterable<string>,
  options: ManyOptions = {},
): AsyncGenerator<BatchItem, void> {
  identifierParam(source.endpoint);
  const batch = new Batch(source, inputs, options);
  try {
    void batch.read();
    for (let item = await batch.next(); item; item = await batch.next()) yield item;
  } finally {
    batch.close();
  }
}

/** An identifier that is asked for, and the items that wait for its outcome. */
interface BatchEntry extends BatchIdentifier {
  readonly items: Item[];
}

/** An identifier as it was read: it has an entry, or is wrong. */
interface Item {
  readonly input: string;
  readonly entry?: BatchEntry;
  readonly error?: SolxError;
}

class Batch {
  readonly #source: BatchSource;
  readonly #options: ManyOptions;
  readonly #inputs: AsyncIterator<string> | Iterator<string>;
  readonly #isAsync: boolean;
  readonly #asking: BatchRequests<BatchEntry>;
  readonly #stop = new AbortController();
  readonly #onAbort: () => void;

  /** Items that were read and not yet taken, in order; where order does not matter, those that can be taken. */
  readonly #items: Item[] = [];
  readonly #entries = new Map<string, BatchEntry>();
  /** How many were read and not yet taken. */
  #held = 0;
  #read = 0;
  #reader: "waits" | "works" | "done" = "works";
  /** Whether nothing more is read. */
  #isLast = false;
  #isChecked = false;
  #pause: NodeJS.Timeout | undefined;
  /** What ends the batch as soon as the items before it were taken. */
  #failure: { readonly error: unknown } | undefined;
  /** Why reading ended. */
  #readFailure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  #wakeReader: () => void = () => {};

  constructor(source: BatchSource, inputs: Iterable<string> | AsyncIterable<string>, options: ManyOptions) {
    const { signal } = source;
    this.#source = source;
    this.#options = options;
    this.#isAsync = Symbol.asyncIterator in inputs;
    this.#inputs = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
    this.#onAbort = () => this.#fail(toInterruptedError(signal));
    this.#asking = new BatchRequests(
      source,
      signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal,
      {
        onOutcome: (entry, outcome) => this.#settle(entry, outcome),
        onFatal: (error) => this.#fail(error),
        onRequestEnd: () => this.#moveOn(),
      },
    );
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Ends all that is under way. */
  close(): void {
    clearTimeout(this.#pause);
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#fail(undefined);
    this.#stop.abort();
    // A source that still waits for its next identifier ends when it can: nobody waits for that.
    if (this.#reader !== "done") Promise.resolve(this.#inputs.return?.()).catch(() => {});
  }

  /** The next item; undefined at the end. */
  async next(): Promise<BatchItem | undefined> {
    for (;;) {
      const [item] = this.#items;
      const outcome = item && (item.error ? { error: item.error } : item.entry?.outcome);
      const { aborted = false } = this.#source.signal ?? {};
      if (item && outcome && !aborted) return this.#take(item, outcome);
      const isEnd = aborted || item?.entry?.isFatal || this.#options.unordered || !this.#asking.isBusy;
      if (this.#failure && isEnd) throw this.#failure.error;
      if (this.#reader === "done" && this.#held === 0) {
        if (this.#readFailure) throw this.#readFailure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take({ input, entry }: Item, outcome: ItemOutcome): BatchItem {
    if (outcome.error && this.#options.failFast) throw withItemName(input, outcome.error);
    this.#items.shift();
    this.#held -= 1;
    entry?.items.shift();
    if (entry?.items.length === 0) {
      this.#entries.delete(entry.id);
      this.#asking.taken();
    }
    this.#wakeReader();
    return { input, ...outcome };
  }

  /** Reads identifiers as long as there is room for them. */
  async read(): Promise<void> {
    try {
      while (!this.#failure && !this.#isLast) {
        if (this.#held >= WINDOW) {
          await this.#room();
          continue;
        }
        const coming = this.#inputs.next();
        this.#reader = "waits";
        const { value, done } = this.#isAsync ? await coming : (coming as IteratorResult<string>);
        this.#reader = "works";
        if (done) break;
        this.#add(value);
        if (this.#isAsync && this.#asking.hasOpenPack) this.#watchForPause();
      }
    } catch (error) {
      this.#readFailure = { error };
    }
    if (!this.#failure) this.#reader = "done";
    this.#asking.closePack();
    this.#wake();
  }

  async #room(): Promise<void> {
    const room = new Promise<void>((resolve) => {
      this.#wakeReader = resolve;
    });
    this.#moveOn();
    await room;
  }

  /** Something has happened: room may never come when all that is held waits for a pack that is not full. */
  #moveOn(): void {
    if (this.#held >= WINDOW && this.#asking.isIdle) this.#asking.closePack();
    this.#wake();
  }

  #add(input: string): void {
    const { id, error } = parseIdentifier(this.#source, input);
    // A parameter that is wrong is wrong for all: it is told once, before anything is sent.
    if (id !== undefined && !this.#isChecked) checkSharedParams(this.#source, id);
    this.#read += 1;
    this.#held += 1;
    if (id === undefined) {
      const failure = error ?? new UsageError("This is no identifier.");
      this.#items.push({ input, error: failure });
      // What was read before it is still asked for.
      if (this.#options.failFast) this.#isLast = true;
      this.#wake();
      return;
    }
    this.#isChecked = true;
    const known = this.#entries.get(id);
    const entry: BatchEntry = known ?? { id, items: [] };
    const item = { input, entry };
    entry.items.push(item);
    if (!this.#options.unordered || entry.outcome) this.#items.push(item);
    if (known) return;
    this.#entries.set(id, entry);
    this.#asking.add(entry);
  }

  /** Sends what is there when nothing more comes for a while. */
  #watchForPause(): void {
    if (this.#pause !== undefined) return;
    const before = this.#read;
    this.#pause = setTimeout(() => {
      // What arrived while this process was busy is read before it is said that nothing came.
      setImmediate(() => {
        this.#pause = undefined;
        if (this.#failure || !this.#asking.hasOpenPack) return;
        if (this.#reader === "waits" && this.#read === before) this.#asking.closePack();
        else this.#watchForPause();
      });
    }, PAUSE_MS);
  }

  #settle(entry: BatchEntry, outcome: ItemOutcome): void {
    entry.outcome = outcome;
    if (this.#options.unordered) this.#items.push(...entry.items);
    if (!outcome.error || !this.#options.failFast) return;
    this.#isLast = true;
    this.#asking.end();
  }

  /** Nothing more is asked for. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#asking.stop();
    this.#wake();
    this.#wakeReader();
  }
}
