/**
 * Reads lists page by page, for endpoints that page by number, offset or cursor, or not at all.
 *
 * Without `limit` or `all`, one page is read, as the parameters name it. With `limit`, that many rows are read: the
 * smallest valid page size that holds them, else the maximum, and the last page is trimmed. With `all`, pages of the
 * maximum size are read until the end. A page, offset, cursor or size among the parameters is where reading starts, and
 * its page size. Of a list that starts in its middle (`skip.ts`), one page more is read where a single one has all rows:
 * it shows whether the server heeds the number of a page, and has pages of the requested size, which that number assumes.
 *
 * `page-strategy.ts` decides where a list ends: by its total, or by a page that is empty twice, unless a single page was
 * requested. A short page that others follow is read again. These are no ends, but an IncompleteError after the rows:
 *  - an empty page before the total is reached;
 *  - a cursor that occurred before, one that the endpoint refuses, or a last row without one;
 *  - three pages in a row that repeat earlier rows, or a page from long ago, unless they are data (`deduplicator.ts`);
 *  - a page that stays short or empty although others follow, and new rows before known ones (`completeness.ts`).
 * A single page that is not a list is returned as it is; one of several is a ServerError.
 *
 * Rows that arrive while a list is read push others to the next page. Lists of events are pinned with `to_time` where
 * the endpoint has it and the caller did not set it, also for who continues them with `next` of a page; deep ones are
 * read in time windows (`time-windows.ts`). Rows that are read twice are left out (`deduplicator.ts`).
 *
 * Lists of days have the oldest row first and a single answer. A limit returns its last rows, as the newest ones are
 * those that come first in other lists; where the answer has a number of days, it is one that holds the limit.
 *
 * Some lists have older rows on the next page, but ascending rows on each page. With `limit` or `all` the rows of each
 * page are reversed, so that the whole list is one sequence, newest first.
 *
 * Pages are prefetched where their parameters are known in advance (`prefetch.ts`). When a row arrives between two such
 * requests, the later page may be read before and the earlier one after it, and a row is on neither. But the first page
 * is read before all others, so an earlier page then repeats rows; when one does, the prefetched pages are requested
 * again.
 */
import { IncompleteError, type Json, type JsonObject, ServerError, UsageError } from "../../base/index.ts";
import { type Endpoint, findParamByRole, type ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { type CompletenessCheck, createCompletenessCheck } from "./completeness.ts";
import {
  createDeduplicator,
  createPageKeyer,
  type Deduplicator,
  type FreshRows,
  type KeyedPage,
  rowsOf,
} from "./deduplicator.ts";
import { type Page, type PagePlan, type PageSource, type PagingOptions, planPages } from "./page.ts";
import { createPageStrategy, type Obstacle, type PageStep, type PageStrategy } from "./page-strategy.ts";
import { createPrefetch, MAX_PAGES, type Prefetch } from "./prefetch.ts";
import { createRowKeyer, isSameRun, type RowKeys } from "./row-keys.ts";
import { createEndTime, createTimeWindows, type EndTime, type TimeWindows } from "./time-windows.ts";

/**
 * Reads a list.
 * @throws what fetching throws; UsageError for a limit below 1 or an invalid state; IncompleteError when the list
 * cannot be read to its end
 */
export async function* readPages(source: PageSource, options: PagingOptions = {}): AsyncGenerator<Page, void> {
  const plan = planPages(source, options);
  const saved = parseState(options.resume);
  const endTime = createEndTime(source.endpoint, source.params, { now: source.now, saved: saved?.end });
  const prefetch = createPrefetch(async (at, signal) => {
    const priority = plan.isMultiPage ? "background" : "interactive";
    const answer = await source.fetch({ ...plan.params, ...endTime?.params(), ...at }, { signal, priority });
    const isReversed = source.endpoint.ascendingPages && plan.rowLimit !== undefined;
    return isReversed && answer.rows ? { ...answer, rows: newestFirst(answer.rows, source.endpoint) } : answer;
  }, source.signal);
  const pageSource = options.ahead === false ? { ...prefetch, request: () => {}, prepare: () => {} } : prefetch;
  const reader = new PageReader(source, plan, pageSource, endTime, saved);
  try {
    for (let page = await reader.next(); page !== undefined; page = await reader.next()) yield page;
  } finally {
    prefetch.close();
  }
}

/** Returns ascending rows newest first. Of equal identities in a row the last one counts, which is more recent. */
function newestFirst(rows: readonly Json[], { identity }: Endpoint): readonly Json[] {
  const reversed = rows.toReversed();
  const keys = createRowKeyer(identity)(reversed);
  return reversed.filter((_, index) => index === 0 || keys.at(index) !== keys.at(index - 1));
}

/** Returns when the reading of a state began, in milliseconds since the epoch. */
export function startTimeOf(state: JsonObject | undefined): number | undefined {
  return parseState(state)?.start;
}

/** Returns the end of a list of events, in Unix seconds: rows that arrived later are not in it. */
export function endTimeOfState({ kind, end }: JsonObject): number | undefined {
  return kind === "pages" && typeof end === "number" ? end : undefined;
}

/** Consecutive pages that repeat one of the last pages after which reading fails. */
const MAX_REPEATED = 3;

/** How much another page without rows that follow counts: rows that arrive push known ones to later pages. */
const STALE_PAGE = 0.3;

/**
 * Additional concurrent pages for each page received, where the length of the list is unknown. Pages beyond the end are
 * charged, so they have to be few compared with those that were needed.
 */
const PREFETCH_GROWTH = 0.25;

/** Characters of the bodies of prefetched pages, which take several times as much memory once they are parsed. */
const MAX_PREFETCHED = 8_388_608;

const REPETITION: Obstacle = {
  code: "STUCK",
  message: "Reading cannot continue: the API returned the same rows again and again.",
};

/** The state of a reading. Its names are older than those of the code, because checkpoints on disk contain them. */
interface SavedState {
  readonly kind: "pages";
  readonly start: number;
  /** The end of a list of events, in Unix seconds. */
  readonly end?: number;
  /** Remaining rows; null for all. */
  readonly left: number | null;
  /** The parameters of the next page; null at the end. */
  readonly at: ParameterValues | null;
  /** The parameters of the previous page. */
  readonly last: ParameterValues | null;
  readonly repeated: number;
  readonly obstacle?: Obstacle;
  readonly step: JsonObject;
  readonly repeats: JsonObject;
  readonly windows?: JsonObject;
  readonly shrink?: JsonObject;
  readonly isShort?: true;
}

/** Checks the state of a page. @throws UsageError when it is not one */
function parseState(state: JsonObject | undefined): SavedState | undefined {
  if (state === undefined) return undefined;
  const saved = state as unknown as SavedState;
  if (saved.kind === "pages" && typeof saved.start === "number") return saved;
  throw new UsageError("This is not the state of a list.", { code: "BAD_STATE", hint: "Start again without it." });
}

class PageReader {
  readonly #source: PageSource;
  readonly #plan: PagePlan;
  readonly #prefetch: Prefetch;
  readonly #endTime: EndTime | undefined;
  #strategy: PageStrategy;
  #deduplicator: Deduplicator;
  readonly #windows: TimeWindows | undefined;
  readonly #check: CompletenessCheck;
  /** A page that has fewer rows than its size; without its rows where they are not known. */
  #short: ShortPage | undefined;
  /**
   * Whether an offset continues behind a page that was not full, in a list that no row can join: when a row comes again,
   * that page was another one.
   */
  #isAfterShort = false;
  #remaining: number;
  #repeated: number;
  /** The parameters of the next page, undefined at the end, and those of the previous one. */
  #next: ParameterValues | undefined;
  #previous: ParameterValues | undefined;
  #obstacle: Obstacle | undefined;
  #step: PageStep | undefined;
  #isFirst: boolean;
  readonly #keyPage: ReturnType<typeof createPageKeyer>;
  /** Returns the state after the previous page. */
  #state: (() => JsonObject) | undefined;
  /** Pages to prefetch where the length of the list is unknown. */
  #prefetchCount = 1;
  /** Characters of the longest body so far. */
  #bodyLength = 1;
  /** Whether rows moved to later pages while the list was read. */
  #hasMoved = false;
  /** Whether rows of a page were left out because of the limit. */
  #isCut = false;
  /** Whether no other page shows yet that the list starts where it should. */
  #hasDoubtfulStart: boolean;

  constructor(
    source: PageSource,
    plan: PagePlan,
    prefetch: Prefetch,
    endTime: EndTime | undefined,
    saved: SavedState | undefined,
  ) {
    const { endpoint, params } = source;
    [this.#source, this.#plan, this.#prefetch, this.#endTime] = [source, plan, prefetch, endTime];
    this.#strategy = createPageStrategy(endpoint, params, plan, saved?.step);
    this.#deduplicator = createDeduplicator(endpoint, saved?.repeats);
    this.#windows = plan.isMultiPage ? createTimeWindows(endpoint, params, saved?.windows) : undefined;
    this.#check = createCompletenessCheck(endpoint, params, saved?.shrink);
    this.#short = saved?.isShort && {};
    this.#remaining = saved ? (saved.left ?? Number.POSITIVE_INFINITY) : (plan.rowLimit ?? Number.POSITIVE_INFINITY);
    this.#repeated = saved?.repeated ?? 0;
    this.#next = saved ? (saved.at ?? undefined) : {};
    this.#previous = saved?.last ?? undefined;
    this.#obstacle = saved?.obstacle;
    this.#isFirst = saved === undefined;
    this.#hasDoubtfulStart = plan.isContinued;
    this.#keyPage = createPageKeyer(endpoint);
  }

  async next(): Promise<Page | undefined> {
    if (this.#obstacle) throw stuckError(this.#source.endpoint, this.#obstacle);
    if (this.#next === undefined) return void this.#check.assertComplete();
    // A reader of a single page needs no other.
    if (this.#step && this.#isFirst) {
      this.#isFirst = false;
      this.#requestAhead();
    }
    const before = this.#state ?? this.#captureState();
    const { page, step } = await this.#readStep();
    const isLonger = page.rows.length > this.#remaining;
    this.#isCut ||= isLonger;
    const cut = this.#isCut;
    const rows = isLonger ? firstOrLatest(page.rows, this.#remaining, this.#source.endpoint) : page.rows;
    const { answer, received } = page.fresh;
    this.#endTime?.fix(answer);
    this.#bodyLength = Math.max(this.#bodyLength, answer.body.length);
    const next = step.next && { ...this.#endTime?.params(), ...this.#windows?.params(), ...step.next };
    this.#recordProof(page, step);
    this.#advance(page.fresh, step, rows.length);
    this.#recordDoubts(page.fresh, step);
    if (this.#next === undefined && this.#plan.isMultiPage) await this.#verifyHead();
    // A resumed reading requests an empty page again, because it may have been a failure.
    this.#state = step.obstacle && received.length === 0 ? before : this.#captureState();
    if (!this.#isFirst) this.#requestAhead();
    // Servers with a cursor beside the rows may return its row again: the list has not changed.
    const isExpected = this.#source.endpoint.cursorAt !== undefined;
    const dropped = isExpected ? 0 : Math.max(0, received.length - page.fresh.rows.length - page.overlap);
    return { rows, answer, hasMore: cut || step.hasMore, isCut: cut, dropped, next, state: this.#state };
  }

  /** Reads the page that is due, and decides how the list continues. */
  async #readStep() {
    const page = await this.#read();
    const step = this.#stepAfter(page);
    const isOver = page.fresh.received.length === 0 && !step.isAgain;
    const due = isOver && step.afterFull && step.remaining !== 0 ? this.#windows?.restart() : undefined;
    const answer = due && (await this.#prefetch.refetch(due));
    if (!due || !answer || !this.#windows?.accepts(answer)) return { page, step };
    const first = await this.#beginWindow(due, answer);
    const following = this.#stepAfter(first);
    const isEnd =
      following.hasMore !== true && first.rows.length === 0 && rowsOf(answer).length < (following.full ?? 1);
    return { page: first, step: isEnd ? { ...following, hasMore: false, next: undefined } : following };
  }

  /** Checks that no rows disappeared since the first page of the list or window was read. */
  async #verifyHead(): Promise<void> {
    await this.#check.verify((at) => this.#prefetch.refetch(at));
  }

  #stepAfter({ fresh: { answer, received, rows, isRepeated, isJumbled }, found = 0 }: NewPage): PageStep {
    return this.#strategy.step({ answer, received, fresh: rows.length, found, isRepeated, isJumbled });
  }

  async #read(): Promise<NewPage> {
    const due = this.#windows?.due();
    if (due) {
      const answer = await this.#prefetch.take(due);
      if (this.#windows?.accepts(answer)) return this.#beginWindow(due, answer);
      this.#windows?.end();
    }
    const answer = await this.#prefetch.take(this.#next ?? {});
    const passedOver = await this.#readPassedOver(answer);
    const page = await this.#deduplicate(answer);
    this.#check.observe(page.fresh.answer, this.#next ?? {}, this.#isFirst);
    const found = page.fresh.rows.length === 0 ? passedOver : [...(await this.#readMissed()), ...passedOver];
    return found.length === 0 ? page : { ...page, rows: [...found, ...page.rows], found: found.length };
  }

  async #beginWindow(due: ParameterValues, answer: Answer): Promise<NewPage> {
    const { endpoint, params } = this.#source;
    await this.#verifyHead();
    this.#windows?.begin();
    [this.#next, this.#previous, this.#short] = [due, undefined, undefined];
    this.#strategy = createPageStrategy(endpoint, { ...params, ...due }, this.#plan);
    this.#deduplicator = createDeduplicator(endpoint);
    this.#check.observe(answer, due, true);
    return this.#deduplicate(answer);
  }

  /** Returns rows that moved to the previous page after it was read, where the total shows that others disappeared. */
  async #readPassedOver(answer: Answer): Promise<readonly Json[]> {
    const previous = this.#previous;
    if (!previous || !this.#plan.isMultiPage || !this.#check.hasFallen(answer)) return [];
    const refetch = () => this.#refetch(previous);
    const { rows, received, misplaced } = await this.#deduplicator.read(await refetch(), {
      before: refetch,
      page: refetch,
    });
    // Where no row is known, the rows moved by more than a page.
    if (rows.length === received.length) this.#check.record(rows.length);
    // Rows in front of known ones arrived.
    const found = rows.slice(misplaced);
    // A page that had rows twice, in place of others, had them before its last ones.
    if (found.length > 0 && this.#check.hasRepetition()) this.#check.doubt("order");
    return found;
  }

  async #deduplicate(first: Answer): Promise<NewPage> {
    const [current, previous] = [this.#next ?? {}, this.#previous ?? {}];
    const { overlap } = this.#strategy;
    const fresh = await this.#deduplicator.read(this.#toPage(first), {
      before: () => this.#refetch(previous),
      page: () => this.#refetch(current),
      overlap,
    });
    return { fresh, overlap, rows: this.#windows?.filter(fresh.rows, fresh.answer) ?? fresh.rows };
  }

  async #refetch(at: ParameterValues): Promise<KeyedPage> {
    return this.#toPage(await this.#prefetch.refetch(at));
  }

  /** Returns an answer with each of its rows once. @throws ServerError when a page of several is not a list */
  #toPage(answer: Answer): KeyedPage {
    const isDue = !this.#isFirst || (this.#plan.isMultiPage && this.#source.endpoint.returns.shape === "rows");
    if ((isDue && answer.rows === undefined) || (!this.#isFirst && answer.data === null))
      throw new ServerError("The API answered a page of the list with something that is not a list.", {
        code: "MALFORMED",
        status: answer.status,
        hint: "Read the rest in parts, or try again later.",
      });
    const page = this.#keyPage(answer);
    if (page.hasRepetitions) this.#check.doubt("repetition");
    return page;
  }

  /** Returns the rest of a page that was short although this one has new rows, where it can be read. */
  async #readMissed(): Promise<readonly Json[]> {
    const short = this.#short;
    if (!short) return [];
    this.#short = undefined;
    // What did not help once is not paid again.
    const mayHelp = short.at && short.keys && !this.#check.hasGap();
    const again = mayHelp ? await this.#refetch(short.at) : undefined;
    const count = short.keys?.length ?? 0;
    const isLonger =
      again && short.keys && again.keys.length > count && isSameRun([again.keys, 0], [short.keys, 0], count);
    if (!isLonger || again.keys.length < (short.full ?? 0)) this.#check.doubt("gap");
    if (!isLonger) return [];
    const rest = rowsOf(again.answer).slice(count);
    const rows = this.#deduplicator.readLate(this.#keyPage({ ...again.answer, rows: rest }));
    // What the page after it had precedes rows that were missed.
    if (rows.length < rest.length) this.#check.doubt("order");
    return rows;
  }

  /** Records what the page proves of the pages before it: where the list starts, and that no row is between them. */
  #recordProof({ fresh: { received, rows, isRepeated, isJumbled }, overlap }: NewPage, step: PageStep): void {
    // Known rows other than the last ones are those of a server that ignores where a page starts.
    const isBehind = rows.length > 0 || (step.afterFull && !isRepeated && !isJumbled);
    if (!this.#isFirst && isBehind) this.#hasDoubtfulStart = false;
    if (received.length - rows.length < overlap && !step.isAgain) this.#check.doubt("gap");
    // Some servers order rows of one time differently in each page.
    if (isJumbled && (overlap === 0 || rows.length > 0) && this.#plan.isMultiPage) this.#check.doubt("order");
  }

  /** Records what the page does not prove. */
  #recordDoubts(page: FreshRows, step: PageStep): void {
    if (this.#plan.isMultiPage) {
      this.#recordGaps(page, step);
      this.#recordReturn(page, step);
    }
    // A total is reached although every page is the first one.
    if (this.#next === undefined && this.#hasDoubtfulStart && page.isRepeated) this.#check.doubt("gap");
  }

  #recordReturn({ received, rows }: FreshRows, { full = 0 }: PageStep): void {
    if (this.#isAfterShort && received.length > rows.length) this.#check.doubt("gap");
    const { endpoint } = this.#source;
    const isPinned = endpoint.paging === "offset" && findParamByRole(endpoint, "to") !== undefined;
    this.#isAfterShort = isPinned && received.length > 0 && received.length < full;
  }

  #recordGaps({ received, keys, rows, isAlike, isRepeated }: FreshRows, step: PageStep): void {
    // A server that has another page size may return one row forever, or the last row again.
    if (isAlike && (step.largest ?? 0) < (this.#plan.pageSize ?? 0)) this.#check.doubt("gap");
    // The total of a window does not count the rows of others.
    const isWhole = Object.keys(this.#windows?.params() ?? {}).length === 0;
    if (step.hasMore === false && step.isProved && isWhole) this.#check.closeGaps();
    const isPassed = !step.isAgain && this.#next !== undefined;
    const { endpoint } = this.#source;
    if (!isPassed || endpoint.paging === "cursor") return;
    // An offset continues where a short page ended, unless that was another page.
    const isCounted = endpoint.paging === "page" || step.remaining !== undefined;
    const isShort = isCounted && received.length < (step.full ?? 0);
    if (isRepeated) this.#check.doubt("gap");
    if (rows.length === 0) this.#short = {};
    else if (isShort) this.#short = { at: this.#previous, keys, full: step.full };
  }

  /** Records a page: where the list continues, or why it ends. */
  #advance(
    { received, rows, isRepeated, isCycle, hasMoved, misplaced }: FreshRows,
    step: PageStep,
    count: number,
  ): void {
    const { hasMore, next, obstacle } = step;
    this.#step = step;
    this.#remaining -= count;
    // The order of one page is the server's.
    const isInOrder = !this.#plan.isMultiPage || this.#check.observeOrder(rows);
    const isStale = !isInOrder || rows.length === misplaced;
    if (!isStale) this.#repeated = 0;
    else if (received.length > 0) this.#repeated += isRepeated ? 1 : STALE_PAGE;
    if (received.length > 0) this.#previous = this.#next;
    const isRead = this.#remaining <= 0 && (!this.#hasDoubtfulStart || this.#check.hasGap());
    const isOver = this.#plan.rowLimit === undefined || isRead || hasMore === false;
    this.#next =
      isOver || next === undefined ? undefined : { ...this.#windows?.params(), ...next, ...this.#lastSize() };
    if (!isOver) this.#obstacle = obstacle;
    if (this.#next && (isCycle || this.#repeated >= MAX_REPEATED)) this.#obstacle = REPETITION;
    this.#prefetchCount = hasMoved ? 1 : Math.min(this.#prefetchCount + PREFETCH_GROWTH, MAX_PAGES);
    this.#hasMoved ||= hasMoved;
    if (hasMoved) this.#prefetch.cancel();
  }

  /** Returns the size of a last page. Of a page that a limit cuts, no cursor beside the rows shows where they continue. */
  #lastSize(): ParameterValues {
    const isCut = this.#remaining < (this.#plan.pageSize ?? 0) && this.#source.endpoint.cursorAt !== undefined;
    if (!isCut) return {};
    const [name, param] = findParamByRole(this.#source.endpoint, "size") ?? [];
    return name === undefined || param?.values ? {} : { [name]: this.#remaining };
  }

  #requestAhead(): void {
    const [next, step, due] = [this.#next, this.#step, this.#windows?.due()];
    if (next === undefined || step === undefined || this.#obstacle) this.#prefetch.cancel();
    else if (due) this.#requestWindow(due);
    else this.#requestFollowing(step, next);
  }

  /** Requests the first page of a window, and with it the page that shows whether rows of the current one disappeared. */
  #requestWindow(due: ParameterValues): void {
    this.#prefetch.request(
      1,
      () => due,
      () => true,
    );
    const head = this.#check.pageToVerify();
    if (head) this.#prefetch.prepare(head);
  }

  #requestFollowing(step: PageStep, next: ParameterValues): void {
    const { later, full, remaining } = step;
    const window = this.#windows?.params();
    const place = (pages: number) => (pages === 0 || !later ? next : { ...window, ...later(pages) });
    const isShort = ({ rows = [] }: Answer) => remaining === undefined && full !== undefined && rows.length < full;
    if (step.isProbe) this.#prefetch.cancel(1);
    this.#prefetch.request(this.#prefetchDepth(step), place, isShort);
  }

  /** Returns how many pages to prefetch. Lists without an identity of rows are read one page after the other. */
  #prefetchDepth({ isProbe, later, full, remaining }: PageStep): number {
    const affordable = Math.floor(MAX_PREFETCHED / this.#bodyLength);
    if (affordable === 0) return 0;
    if (isProbe || !later || full === undefined || !this.#source.endpoint.identity) return 1;
    const limit = remaining === undefined || this.#hasMoved ? Math.floor(this.#prefetchCount) : MAX_PAGES;
    // When the total ends with a full page, the page after it is requested as a probe.
    const pages = remaining === undefined ? MAX_PAGES : Math.floor(remaining / full) + 1;
    return Math.min(
      limit,
      pages,
      affordable,
      Math.ceil(this.#remaining / full),
      this.#windows?.pagesLeft() ?? MAX_PAGES,
    );
  }

  #captureState(): () => JsonObject {
    const [next, last, obstacle] = [this.#next, this.#previous, this.#obstacle];
    const [step, repeats, windows] = [this.#strategy.state(), this.#deduplicator.capture(), this.#windows?.capture()];
    const end = this.#endTime?.second();
    const saved = {
      kind: "pages",
      start: this.#source.now,
      ...(end !== undefined && { end }),
      left: Number.isFinite(this.#remaining) ? this.#remaining : null,
      at: (next ?? null) as Json,
      last: (last ?? null) as Json,
      // A reading resumed after repeated pages makes one more attempt.
      repeated: Math.min(this.#repeated, MAX_REPEATED - 1),
      ...(obstacle && next === undefined && { obstacle: { ...obstacle } }),
      step,
      shrink: this.#check.state(),
      ...(this.#short && { isShort: true as const }),
    } as const;
    return () => ({ ...saved, repeats: repeats(), ...(windows && { windows: windows() }) });
  }
}

/** A page without rows of earlier pages and windows. */
interface NewPage {
  readonly fresh: FreshRows;
  readonly rows: readonly Json[];
  /** Rows at its start that the page before had, too, because of its size. */
  readonly overlap: number;
  /** How many of the rows are of earlier pages. */
  readonly found?: number;
}

/** A page that has fewer rows than its size, and the parameters of its request. */
interface ShortPage {
  readonly at?: ParameterValues | undefined;
  readonly keys?: RowKeys;
  readonly full?: number | undefined;
}

function firstOrLatest(rows: readonly Json[], count: number, { oldestFirst }: Endpoint): readonly Json[] {
  return oldestFirst ? rows.slice(-count) : rows.slice(0, count);
}

function stuckError({ command }: Endpoint, { code, message }: Obstacle): IncompleteError {
  return new IncompleteError(message, {
    code,
    hint: {
      command: `Read the rest in parts, or with --limit: solx ${command} --help`,
      program: "Read the rest in parts, or with a limit.",
      tool: "Read the rest in parts, or fewer rows.",
    },
  });
}
