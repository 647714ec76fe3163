/**
 * The lists of many identifiers: several are opened at once, so that their first pages have arrived when they are due.
 * The next page of a list is requested when the previous one was taken, so that few pages are in memory.
 */
import PQueue from "p-queue";
import { SolxError, toInterruptedError } from "../../base/index.ts";
import type { Page } from "../paging/page.ts";
import { isFatal, withItemName } from "./items.ts";

/** A part of one of the lists: a page, its end, or its failure, which ends it, too. */
export type ListPart = {
  readonly input: string;
  /** The number of the list, from 0. */
  readonly number: number;
} & ({ readonly page: Page; readonly error?: undefined } | { readonly page?: undefined; readonly error?: SolxError });

/** Lists to read. */
export interface ListSource {
  /** Starts reading the list of an identifier; lists are opened in order of their numbers. */
  readonly open: (input: string, number: number, signal: AbortSignal) => AsyncGenerator<Page, void>;
  readonly signal?: AbortSignal | undefined;
}

/** How lists are returned. */
export interface ListsOptions {
  /** Page by page as they arrive instead of one list after the other. */
  readonly unordered?: boolean | undefined;
  /** The first list that fails ends the reading: its error is thrown after the rows before it. */
  readonly failFast?: boolean | undefined;
}

/** Lists that are open at a time: two until the size of a page is known. */
const INITIAL_OPEN_LISTS = 2;
const MAX_OPEN_LISTS = 8;
/** Characters of the first pages of open lists, if there is more than one. */
const MAX_CHARACTERS = 8_388_608;

/**
 * Reads the lists of identifiers.
 * @throws failures that concern every list, and what reading the input throws, both after the parts before them
 */
export async function* readLists(
  source: ListSource,
  inputs: AsyncIterable<string> | Iterable<string>,
  options: ListsOptions = {},
): AsyncGenerator<ListPart, void> {
  const reader = new ListsReader(source, inputs, options);
  try {
    void reader.readInput();
    for (let part = await reader.next(); part; part = await reader.next()) {
      yield part;
      reader.continueList();
    }
  } finally {
    reader.close();
  }
}

interface List {
  readonly input: string;
  readonly number: number;
  readonly pages: AsyncIterable<Page>;
}

interface ReadPart {
  readonly list: List;
  readonly page?: Page;
  readonly failure?: { readonly error: unknown };
  /** Lets the list continue. */
  readonly onTaken: () => void;
}

class ListsReader {
  readonly #source: ListSource;
  readonly #options: ListsOptions;
  readonly #inputs: AsyncIterator<string> | Iterator<string>;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  readonly #queue = new PQueue({ concurrency: INITIAL_OPEN_LISTS });
  /** Lists that have not ended, in the order of the input. */
  readonly #lists: List[] = [];
  /** Parts that were not yet taken, at most one of each list, in order of arrival. */
  readonly #parts: ReadPart[] = [];
  /** Characters that the first page of a list is expected to have. */
  #pageSize = 0;
  #isInputDone = false;
  #isEnding = false;
  #isClosed = false;
  #inputFailure: { readonly error: unknown } | undefined;
  #takenPart: ReadPart | undefined;
  #wake: () => void = () => {};

  constructor(source: ListSource, inputs: AsyncIterable<string> | Iterable<string>, options: ListsOptions) {
    const { signal } = source;
    this.#source = source;
    this.#options = options;
    this.#inputs = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    this.#onAbort = () => this.#wake();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Queues the list of each identifier; at most one waits until it can be opened. */
  async readInput(): Promise<void> {
    try {
      for (let number = 0; !this.#isEnding; number += 1) {
        const { value, done } = await this.#inputs.next();
        if (done || this.#isEnding) break;
        // A list that cannot be opened ends the reading: its parameters are wrong for all.
        const list = { input: value, number, pages: this.#source.open(value, number, this.#signal) };
        this.#lists.push(list);
        void this.#queue.add(() => this.#readList(list));
        await this.#queue.onSizeLessThan(1);
      }
    } catch (error) {
      this.#inputFailure = { error };
    }
    this.#isInputDone = true;
    this.#wake();
  }

  async #readList(list: List): Promise<void> {
    if (this.#isEnding) return this.#remove(list);
    try {
      for await (const page of list.pages) {
        this.#limitOpenLists(page);
        await this.#offer({ list, page });
        if (this.#isClosed) return;
      }
      await this.#offer({ list });
    } catch (error) {
      // A failure that concerns all lists, or ends the reading, opens no other list.
      if (isFatal(error) || this.#options.failFast) this.#isEnding = true;
      await this.#offer({ list, failure: { error } });
    }
  }

  #limitOpenLists({ answer }: Page): void {
    this.#pageSize = Math.max(1, answer.body.length, this.#pageSize / 2);
    this.#queue.concurrency = Math.max(1, Math.min(MAX_OPEN_LISTS, Math.floor(MAX_CHARACTERS / this.#pageSize)));
  }

  /** Waits until a part was taken. */
  async #offer(part: Omit<ReadPart, "onTaken">): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      this.#parts.push({ ...part, onTaken: resolve });
      this.#wake();
    });
  }

  async next(): Promise<ListPart | undefined> {
    for (;;) {
      const { signal } = this.#source;
      if (signal?.aborted) throw toInterruptedError(signal);
      const index = this.#options.unordered ? 0 : this.#parts.findIndex(({ list }) => list === this.#lists[0]);
      const [part] = index < 0 ? [] : this.#parts.splice(index, 1);
      if (part) return this.#take(part);
      if (this.#isInputDone && this.#lists.length === 0) {
        if (this.#inputFailure) throw this.#inputFailure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(part: ReadPart): ListPart {
    const { list, page, failure, onTaken } = part;
    const { input, number } = list;
    if (page) {
      this.#takenPart = part;
      return { input, number, page };
    }
    this.#remove(list);
    onTaken();
    if (!failure) return { input, number };
    const { error } = failure;
    if (!(error instanceof SolxError) || isFatal(error)) throw error;
    if (this.#options.failFast) throw withItemName(input, error);
    return { input, number, error };
  }

  #remove(list: List): void {
    this.#lists.splice(this.#lists.indexOf(list), 1);
  }

  /** Requests the next page of the list whose page was taken last. */
  continueList(): void {
    this.#takenPart?.onTaken();
    this.#takenPart = undefined;
  }

  /** Ends everything in flight without waiting for it. */
  close(): void {
    this.#isEnding = true;
    this.#isClosed = true;
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.#queue.clear();
    this.continueList();
    for (const { onTaken } of this.#parts) onTaken();
    if (!this.#isInputDone) Promise.resolve(this.#inputs.return?.()).catch(() => {});
  }
}
