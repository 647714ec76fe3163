/** Counts the rows and pages of a list, and compares them with its totals. */
import type { JsonObject } from "../../base/index.ts";

/** Empty answers in a row that are an end. */
const EMPTY_PAGES = 2;

/** Returns the size of pages after a page with some rows, and how many of them the next one repeats. */
type SizeAfter = (
  count: number,
  rows: number | undefined,
) => { readonly full: number; readonly overlap: number } | undefined;

/** Counts the rows and pages of a list. */
export class PageCounts {
  /** Returns the size of pages after a first page that is not full, if another one is to be requested. */
  readonly #sizeAfter: SizeAfter;
  /** Whether no page had rows yet. */
  isFirst: boolean;
  /** Rows of a full page, where pages have a size. */
  full: number | undefined;
  /** Different rows so far, and those before the first page; undefined where these are unknown. */
  rows: number | undefined;
  /** Rows of the largest page. */
  largest: number;
  /** Whether the last page with rows was full. */
  afterFull: boolean;
  /** Rows at the start of the next page that the last one with rows had, too, because their sizes differ. */
  overlap: number;
  /** Pages in a row that were empty, or that were repeated. */
  #empty: number;
  #repeated: number;

  constructor(sizeAfter: SizeAfter, pageSize: number | undefined, saved: JsonObject | undefined) {
    [this.#sizeAfter, this.isFirst] = [sizeAfter, !saved?.largest];
    this.full = saved ? (saved.full as number | undefined) : pageSize;
    this.rows = saved?.passed as number | undefined;
    [this.largest, this.afterFull] = [Number(saved?.largest ?? 0), saved?.wasFull === true];
    [this.#empty, this.#repeated] = [Number(saved?.empty ?? 0), Number(saved?.again ?? 0)];
    this.overlap = Number(saved?.overlap ?? 0);
  }

  receive(
    count: number,
    {
      fresh,
      isRepeated,
      before,
    }: { readonly fresh: number; readonly isRepeated: boolean; readonly before: (size: number) => number | undefined },
  ): void {
    const start = this.isFirst ? before(this.full ?? 0) : this.rows;
    this.rows = start === undefined ? undefined : start + fresh;
    if (count > 0) this.afterFull = this.full !== undefined && count >= this.full;
    if (count > 0 && (fresh > 0 || !isRepeated)) this.overlap = 0;
    const other = this.isFirst && count < (this.full ?? 0) ? this.#sizeAfter(count, this.rows) : undefined;
    if (other) ({ full: this.full, overlap: this.overlap } = other);
    this.isFirst &&= count === 0;
    this.#empty = count === 0 ? this.#empty + 1 : 0;
    this.#repeated = isRepeated && count > 0 ? this.#repeated + 1 : 0;
    this.largest = Math.max(this.largest, count);
  }

  /** Whether a page is short because it has the rows that the last one had, and no others follow. */
  isOverlapOnly(count: number): boolean {
    return this.overlap > 0 && count === this.overlap && count < (this.full ?? 0);
  }

  /** Whether the page has to be requested again. */
  get isAgain(): boolean {
    return this.#empty === 1 || this.#repeated === 1;
  }

  /** Whether enough pages were empty; after a full page, the one behind an empty page, too, where it can be requested. */
  isEmptyEnd({
    isMultiPage,
    canPass = false,
  }: {
    readonly isMultiPage: boolean;
    readonly canPass: boolean | undefined;
  }): boolean {
    return this.#empty >= (isMultiPage ? EMPTY_PAGES + Number(canPass && this.afterFull) : 1);
  }

  state(): JsonObject {
    return {
      ...(this.full !== undefined && { full: this.full }),
      ...(this.rows !== undefined && { passed: this.rows }),
      ...(this.#empty > 0 && { empty: this.#empty }),
      ...(this.#repeated > 0 && { again: this.#repeated }),
      ...(this.overlap > 0 && { overlap: this.overlap }),
      largest: this.largest,
      wasFull: this.afterFull,
    };
  }
}

/** The totals of a list: how many rows follow, as far as they can be believed. */
export function createTotals(saved: JsonObject | undefined) {
  let { total: last, first = last, highest = last, repeats = 0 } = (saved ?? {}) as Partial<Record<string, number>>;
  return {
    last: () => last,
    /** Returns the rows that follow; undefined where the total contradicts the rows. */
    remaining(reported: number | undefined, rows: number | undefined, repeated: number): number | undefined {
      repeats += repeated;
      if (rows === undefined || reported === undefined) return undefined;
      // What arrives before the first row is read is part of the list.
      if (rows > 0) first ??= reported;
      highest = Math.max(highest ?? 0, reported);
      if (rows > reported) return undefined;
      last = reported;
      return Math.max(0, reported - Math.min(repeats, Math.max(0, reported - (first ?? reported))) - rows);
    },
    /** Whether the rows are all that there were; of a list that grew, some of them may have arrived. */
    isProof: (rows: number | undefined) => rows !== undefined && rows === highest && rows === first,
    state: (): JsonObject => ({
      ...(last !== undefined && { total: last }),
      ...(highest !== undefined && { first: first ?? highest, highest }),
      ...(repeats > 0 && { repeats }),
    }),
  };
}
