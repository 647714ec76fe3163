/**
 * The lists of many identifiers: several are begun at once, so that their first pages are there when their turn comes.
 * What follows the first page of a list is asked for in its turn, so that little is held.
 */
import { toInterruptedError } from "../../base/abort.ts";
import { SolxError } from "../../base/errors.ts";
import type { Page } from "../paging/page.ts";
import { isFatal, withItemName } from "./items.ts";

/** What came for one of the identifiers: a page of its list, the end of it, or its failure, which is its end too. */
export type ListPart = {
  readonly input: string;
  /** Which of the lists it is, from 0. */
  readonly number: number;
} & ({ readonly page: Page; readonly error?: undefined } | { readonly page?: undefined; readonly error?: SolxError });

/** Lists to read. */
export interface ListSource {
  /** Begins to read the list of an identifier; the first one that is opened is number 0. */
  readonly open: (input: string, number: number, signal: AbortSignal) => AsyncGenerator<Page, void>;
  readonly signal?: AbortSignal | undefined;
}

/** How lists are given. */
export interface ListsOptions {
  /** Page by page as they come, not one list after the other. */
  readonly unordered?: boolean | undefined;
  /** The first list that fails ends the reading: its error is thrown after the rows before it. */
  readonly failFast?: boolean | undefined;
}

/** Lists that are begun at a time. */
const WIDTH = 8;

/**
 * Reads the lists of identifiers.
 * @throws what would fail for every list, what reading the identifiers throws, both after what came before
 */
export async function* readLists(
  source: ListSource,
  inputs: AsyncIterable<string> | Iterable<string>,
  options: ListsOptions = {},
): AsyncGenerator<ListPart, void> {
  const reading = new ListsReader(source, inputs, options);
  try {
    void reading.begin();
    for (let part = await reading.next(); part; part = await reading.next()) {
      yield part;
      reading.goOn(part);
    }
  } finally {
    reading.close();
  }
}

/** A list that was begun. */
interface Lane {
  readonly input: string;
  readonly number: number;
  readonly pages: AsyncGenerator<Page, void>;
}

/** What a list gave when it was asked: a page, its end, or an error. */
type Given = { readonly lane: Lane } & ({ readonly page: Page | undefined } | { readonly error: unknown });

class ListsReader {
  readonly #source: ListSource;
  readonly #options: ListsOptions;
  readonly #inputs: AsyncIterator<string> | Iterator<string>;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  /** In the order of the input. */
  readonly #lanes: Lane[] = [];
  /** What came and was not yet taken, at most one of each list, in the order in which it came. */
  readonly #given: Given[] = [];
  #isDone = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #current: Lane | undefined;
  #wake: () => void = () => {};
  #wakeReader: () => void = () => {};

  constructor(source: ListSource, inputs: AsyncIterable<string> | Iterable<string>, options: ListsOptions) {
    const { signal } = source;
    this.#source = source;
    this.#options = options;
    this.#inputs = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    this.#onAbort = () => this.#wake();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Begins lists as long as there is room for them. */
  async begin(): Promise<void> {
    try {
      for (let number = 0; !this.#isOver; number += 1) {
        const { value, done } = await this.#inputs.next();
        if (done || this.#isOver) break;
        const lane = { input: value, number, pages: this.#source.open(value, number, this.#signal) };
        this.#lanes.push(lane);
        this.#ask(lane);
        while (this.#lanes.length >= WIDTH && !this.#isOver) {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#isDone = true;
    this.#wake();
  }

  /** The next part; undefined at the end. */
  async next(): Promise<ListPart | undefined> {
    for (;;) {
      const { signal } = this.#source;
      if (signal?.aborted) throw toInterruptedError(signal);
      const at = this.#options.unordered ? 0 : this.#given.findIndex(({ lane }) => lane === this.#lanes[0]);
      const [given] = at < 0 ? [] : this.#given.splice(at, 1);
      if (given) return this.#partOf(given);
      if (this.#isDone && this.#lanes.length === 0) {
        if (this.#failure) throw this.#failure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #partOf(given: Given): ListPart {
    const { lane } = given;
    const { input, number } = lane;
    if ("page" in given && given.page) {
      this.#current = lane;
      return { input, number, page: given.page };
    }
    this.#lanes.splice(this.#lanes.indexOf(lane), 1);
    this.#wakeReader();
    if (!("error" in given)) return { input, number };
    const { error } = given;
    if (!(error instanceof SolxError) || isFatal(error)) throw error;
    if (this.#options.failFast) throw withItemName(input, error);
    return { input, number, error };
  }

  /** A part was taken: its list may go on. */
  goOn({ page }: ListPart): void {
    if (page && this.#current) this.#ask(this.#current);
  }

  #ask(lane: Lane): void {
    lane.pages.next().then(
      ({ value }) => this.#came({ lane, page: value ?? undefined }),
      (error: unknown) => {
        // What fails for all, or ends the reading, begins no other list.
        if (isFatal(error) || this.#options.failFast) this.#isOver = true;
        this.#came({ lane, error });
      },
    );
  }

  #came(given: Given): void {
    this.#given.push(given);
    this.#wake();
  }

  /** Ends all that is under way; nobody waits for that. */
  close(): void {
    this.#isOver = true;
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.#wakeReader();
    const open: (AsyncIterator<unknown> | Iterator<unknown>)[] = this.#lanes.map(({ pages }) => pages);
    for (const iterator of this.#isDone ? open : [...open, this.#inputs]) {
      Promise.resolve(iterator.return?.()).catch(() => {});
    }
  }
}
