/** A list that is read, page after page, and what it takes to go on later. */

import { IncompleteError, type Json, type JsonObject, ServerError, UsageError } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { createDeduplicator, type Deduplicator, type FreshRows } from "./deduplicator.ts";
import type { Page, PageSource } from "./page.ts";
import type { PagePlan } from "./page-plan.ts";
import { createPageStrategy, type Obstacle, type PageStep, type PageStrategy } from "./page-strategy.ts";
import { MAX_PAGES, type Prefetch } from "./prefetch.ts";
import { createTimeWindows, type TimeWindows } from "./time-windows.ts";

/** Pages in a row that bring nothing new before reading is given up. */
const MAX_REPEATED = 3;

/**
 * Pages more that are under way for each that came, where nothing tells how many there are: those behind the end are
 * paid for, so they are to be few beside those that were wanted.
 */
const MORE = 0.25;

const REPETITION: Obstacle = {
  code: "STUCK",
  message: "The list cannot be read on: the API gave the same rows again and again.",
};

/** A state of a reading. */
export interface SavedState {
  readonly kind: "pages";
  readonly start: number;
  /** Rows wanted still; null for all. */
  readonly left: number | null;
  /** Where the next page is; null where none follows. */
  readonly at: ParameterValues | null;
  /** Where the page before it is. */
  readonly last: ParameterValues | null;
  readonly repeated: number;
  readonly obstacle?: Obstacle;
  readonly step: JsonObject;
  readonly repeats: JsonObject;
  readonly windows?: JsonObject;
}

/**
 * The state of a page, as it is used.
 * @throws UsageError for something else
 */
export function parseState(state: JsonObject | undefined): SavedState | undefined {
  if (state === undefined) return undefined;
  const saved = state as unknown as SavedState;
  if (saved.kind === "pages" && typeof saved.start === "number") return saved;
  throw new UsageError("This is no state of a list that was read.", { code: "BAD_STATE", hint: "Start anew." });
}

/** A reading on its way. */
export class PageReader {
  readonly #source: PageSource;
  readonly #plan: PagePlan;
  readonly #ahead: Prefetch;
  #stepper: PageStrategy;
  #filter: Deduplicator;
  readonly #windows: TimeWindows | undefined;
  /** Rows wanted still. */
  #left: number;
  #repeated: number;
  /** Where the next page is, undefined at the end, and where the last one was. */
  #next: ParameterValues | undefined;
  #last: ParameterValues | undefined;
  #obstacle: Obstacle | undefined;
  #step: PageStep | undefined;
  #isFirst: boolean;
  /** Pages to ask for ahead where nothing tells how many there are. */
  #pace = 1;
  /** Whether rows were pushed on while the list was read. */
  #hasMoved = false;

  constructor(source: PageSource, plan: PagePlan, ahead: Prefetch, saved: SavedState | undefined) {
    const { endpoint, params } = source;
    [this.#source, this.#plan, this.#ahead] = [source, plan, ahead];
    this.#stepper = createPageStrategy(endpoint, params, plan, saved?.step);
    this.#filter = createDeduplicator(endpoint, saved?.repeats);
    this.#windows = plan.isMultiPage ? createTimeWindows(endpoint, params, saved?.windows) : undefined;
    this.#left = saved ? (saved.left ?? Number.POSITIVE_INFINITY) : (plan.rowLimit ?? Number.POSITIVE_INFINITY);
    this.#repeated = saved?.repeated ?? 0;
    this.#next = saved ? (saved.at ?? undefined) : {};
    this.#last = saved?.last ?? undefined;
    this.#obstacle = saved?.obstacle;
    this.#isFirst = saved === undefined;
  }

  /** The next page; undefined at the end. */
  async next(): Promise<Page | undefined> {
    if (this.#obstacle) throw stuck(this.#source.endpoint, this.#obstacle);
    if (this.#next === undefined) return undefined;
    if (this.#step) this.#askAhead();
    const before = this.#capture();
    const page = await this.#read();
    const rows = page.rows.slice(0, this.#left);
    const cut = rows.length < page.rows.length;
    const { answer, received } = page.fresh;
    const step = this.#stepper.step({ answer, received, fresh: page.fresh.rows.length });
    const next = step.next && { ...this.#windows?.params(), ...step.next };
    this.#advance(page.fresh, step, rows.length);
    // An empty page is asked for again when reading is resumed: it may have been a failure.
    const state = step.obstacle && received.length === 0 ? before : this.#capture();
    if (!this.#isFirst) this.#askAhead();
    this.#isFirst = false;
    const dropped = received.length - page.fresh.rows.length;
    return { rows, answer, more: cut || step.more, cut, dropped, next, state };
  }

  /** The page whose turn it is. */
  async #read(): Promise<NewPage> {
    const { endpoint, params } = this.#source;
    const due = this.#windows?.due();
    if (due) {
      const answer = await this.#ahead.take(due);
      if (this.#windows?.accepts(answer)) {
        this.#windows.begin();
        [this.#next, this.#last] = [due, undefined];
        this.#stepper = createPageStrategy(endpoint, { ...params, ...due }, this.#plan);
        this.#filter = createDeduplicator(endpoint);
        return this.#sift(answer);
      }
      this.#windows?.end();
    }
    return this.#sift(await this.#ahead.take(this.#next ?? {}));
  }

  /** What of a page had not come before. */
  async #sift(first: Answer): Promise<NewPage> {
    const [here, before] = [this.#next ?? {}, this.#last ?? {}];
    const again = async (at: ParameterValues) => this.#checked(await this.#ahead.refetch(at));
    const fresh = await this.#filter.read(this.#checked(first), {
      before: () => again(before),
      page: () => again(here),
    });
    return { fresh, rows: this.#windows?.filter(fresh.rows) ?? fresh.rows };
  }

  /** @throws ServerError when the answer to a later page is no list */
  #checked(answer: Answer): Answer {
    if (this.#isFirst || (answer.rows !== undefined && answer.data !== null)) return answer;
    throw new ServerError("The API answered a later page of the list with something that is no list.", {
      code: "MALFORMED",
      status: answer.status,
      hint: "Read the rest in parts, or try again later.",
    });
  }

  /** Takes note of a page: where the list goes on, or what ends it. */
  #advance({ isRepeated, isCircle, hasMoved }: FreshRows, step: PageStep, count: number): void {
    const { more, next, obstacle } = step;
    this.#step = step;
    this.#left -= count;
    this.#repeated = isRepeated ? this.#repeated + 1 : 0;
    this.#last = this.#next;
    const isOver = this.#plan.rowLimit === undefined || this.#left <= 0 || more === false;
    this.#next = isOver || next === undefined ? undefined : { ...this.#windows?.params(), ...next };
    if (!isOver) this.#obstacle = obstacle;
    if (this.#next && (isCircle || this.#repeated >= MAX_REPEATED)) this.#obstacle = REPETITION;
    this.#pace = hasMoved ? 1 : Math.min(this.#pace + MORE, MAX_PAGES);
    this.#hasMoved ||= hasMoved;
    if (hasMoved) this.#ahead.cancel();
  }

  #askAhead(): void {
    const [next, step, due] = [this.#next, this.#step, this.#windows?.due()];
    if (next === undefined || step === undefined || this.#obstacle) this.#ahead.cancel();
    else if (due)
      this.#ahead.request(
        1,
        () => due,
        () => true,
      );
    else this.#askAfter(step, next);
  }

  #askAfter(step: PageStep, next: ParameterValues): void {
    const { later, full, remaining: left } = step;
    const window = this.#windows?.params();
    const place = (pages: number) => (pages === 0 || !later ? next : { ...window, ...later(pages) });
    const isShort = ({ rows = [] }: Answer) => left === undefined && full !== undefined && rows.length < full;
    if (step.isProbe) this.#ahead.cancel(1);
    this.#ahead.request(this.#count(step), place, isShort);
  }

  /** How many pages to ask for ahead. Rows that nothing tells apart are asked for one page after the other. */
  #count({ isProbe: isLook, later, full, remaining: left }: PageStep): number {
    if (isLook || !later || full === undefined || !this.#source.endpoint.identity) return 1;
    const pace = left === undefined || this.#hasMoved ? Math.floor(this.#pace) : MAX_PAGES;
    // Where the total ends with a full page, the page after that is looked at.
    const pages = left === undefined ? MAX_PAGES : Math.floor(left / full) + 1;
    return Math.min(pace, pages, Math.ceil(this.#left / full), this.#windows?.pagesLeft() ?? MAX_PAGES);
  }

  #capture(): () => JsonObject {
    const [next, last, obstacle] = [this.#next, this.#last, this.#obstacle];
    const [step, repeats, windows] = [this.#stepper.state(), this.#filter.capture(), this.#windows?.capture()];
    const saved = {
      kind: "pages",
      start: this.#source.now,
      left: Number.isFinite(this.#left) ? this.#left : null,
      at: (next ?? null) as Json,
      last: (last ?? null) as Json,
      // Who goes on after the list repeated itself tries once more.
      repeated: Math.min(this.#repeated, MAX_REPEATED - 1),
      ...(obstacle && next === undefined && { obstacle: { ...obstacle } }),
      step,
    } as const;
    return () => ({ ...saved, repeats: repeats(), ...(windows && { windows: windows() }) });
  }
}

/** A page, without what came before and without what an earlier window gave. */
interface NewPage {
  readonly fresh: FreshRows;
  readonly rows: readonly Json[];
}

function stuck({ command }: Endpoint, { code, message }: Obstacle): IncompleteError {
  return new IncompleteError(message, {
    code,
    hint: `Read the rest in parts, or give --limit: solx ${command} --help`,
  });
}
