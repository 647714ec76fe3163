/**
 * The lists that are answered by walking the signatures of an account, as streams of pages that can be resumed, and page
 * by page. A session remembers the walks in progress and their rows, so that a page continues the walk of the page before
 * it, and earlier pages are in memory. The first page is always read again: it has what happened since.
 */
import type { Json, JsonObject } from "../../../base/index.ts";
import { type CsvRecord, MAX_EXPORT_ROWS, type QueryResult } from "../../../catalogue/index.ts";
import type { Answer, Page, ReadOptions } from "../../../client/index.ts";
import { type AnswerContext, type NodeAnswer, pageRange, type ReadContext } from "../answer.ts";
import { answerFromTransactions } from "../history/ledger.ts";
import { parseWalkState, type WalkPart, type WalkState, walkRows } from "./walk.ts";

/** Rows from which a walk is worth an estimate. */
const COUNTED_FROM = 100;

/**
 * Reads the list of a request as pages of the client, from the requested page on. A page has as many rows as were found
 * together; the last one is empty, unless a limit was reached before the end. Before the first transaction is read, and
 * after each batch, the context's `report` receives the costs and the progress; `beforeWalk` can end the walk before the
 * first.
 * @param respond returns rows as the answer that the API would have given
 * @throws what the node's answers throw; UsageError for a state of something else
 */
export async function* readWalkPages(
  context: AnswerContext,
  respond: (result: QueryResult) => Answer | Promise<Answer>,
  { limit: requested = Number.POSITIVE_INFINITY, all, resume }: ReadOptions,
): AsyncGenerator<Page, void> {
  const { columns, returns } = context.endpoint;
  const heads = columns.map((column) => (typeof column === "string" ? column : column.path));
  const toPage = async (records: readonly Json[], header: readonly Json[] = heads) => {
    const csv = [header, ...records] as unknown as readonly CsvRecord[];
    const answer = await respond(returns.shape === "csv" ? { csv } : { data: wrapped(records, context) });
    return { rows: answer.rows ?? [], answer, dropped: 0, next: undefined };
  };
  const limit = all ? Number.POSITIVE_INFINITY : requested;
  const saved = parseWalkState(resume);
  let remaining = saved?.left ?? limit;
  let last: Page["state"] = () => ({});
  // A short list is complete before its signatures are counted.
  const run = { resume: saved, count: limit > COUNTED_FROM ? limit : 0, skip: pageRange(context).start };
  for await (const { rows: found, header, stateAfter } of walkRows(context, run)) {
    if (found.length === 0) continue;
    const rows = found.slice(0, remaining);
    remaining -= rows.length;
    const cut = rows.length < found.length;
    const left = Number.isFinite(remaining) ? { left: remaining } : {};
    const state = () => ({ ...stateAfter(rows.length), ...left }) as unknown as JsonObject;
    last = state;
    yield { ...(await toPage(rows, header)), hasMore: cut || undefined, isCut: cut, state };
    if (remaining <= 0) return;
  }
  // Only the end shows what the node has of the list.
  yield { ...(await toPage([])), hasMore: false, isCut: false, state: last };
}

/** Returns rows in the object that the endpoint wraps them in; without a total, which only a whole walk would show. */
const wrapped = (rows: readonly Json[], { endpoint }: AnswerContext): Json => {
  const { at } = endpoint.returns;
  return at === undefined ? rows : { [at]: rows };
};

const MAX_WALKS = 8;
const MAX_ROWS = 20_000;

/** The rows of a request in order, read as far as they are needed. */
class RowBook {
  readonly #rows: Json[] = [];
  #removed = 0;
  #parts: AsyncGenerator<WalkPart, void> | undefined;
  #state: WalkState | undefined;
  #done = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** What is not covered, once the end was reached. */
  #end: Parameters<NonNullable<ReadContext["report"]>>[0] | undefined;
  /** What the rows lack, wherever a request finds them. */
  #lacking: Parameters<NonNullable<ReadContext["report"]>>[0] | undefined;
  readonly #report: NonNullable<ReadContext["report"]> = (report) => {
    if (report.type === "coverage" && report.firstSlot !== undefined) this.#end = report;
    else if (report.type === "coverage") this.#lacking = report;
    this.#current.report?.(report);
  };
  /** How the current request sends: the requests of a walk have different signals. */
  #current: ReadContext;
  readonly #context: AnswerContext;

  constructor(context: AnswerContext) {
    this.#current = context;
    this.#context = Object.create(context, {
      sending: { get: () => this.#current.sending },
      report: { get: () => this.#report },
    });
  }

  /** Whether a row is in memory or still to be read. */
  has(start: number): boolean {
    return start >= this.#removed;
  }

  /** Returns rows from one position to another. Requests are served one after the other. */
  read(context: ReadContext, start: number, end: number): Promise<readonly Json[]> {
    const turn = this.#turn.then(async () => {
      this.#current = context;
      while (!this.#done && this.#removed + this.#rows.length < end) await this.#readPart();
      const rows = this.#rows.slice(Math.max(0, start - this.#removed), Math.max(0, end - this.#removed));
      if (this.#lacking) context.report?.(this.#lacking);
      if (this.#done && this.#end && end >= this.#removed + this.#rows.length) context.report?.(this.#end);
      const excess = Math.min(this.#rows.length - MAX_ROWS, start - this.#removed);
      if (excess > 0) this.#removed += this.#rows.splice(0, excess).length;
      return rows;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Reads a part. A walk that failed or was aborted is resumed by the next request. */
  async #readPart(): Promise<void> {
    this.#parts ??= walkRows(this.#context, { resume: this.#state });
    try {
      const { value, done } = await this.#parts.next();
      this.#done = done === true;
      if (!value) return;
      this.#rows.push(...value.rows);
      this.#state = value.stateAfter(value.rows.length);
    } catch (error) {
      this.#parts = undefined;
      throw error;
    }
  }
}

/** The parameters that select a page of a list. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["page", "page_size", "limit", "offset"]);

async function readRows(context: AnswerContext, start: number, end: number): Promise<readonly Json[]> {
  const books = await context.session.once("walks", async () => new Map<string, RowBook>());
  const { endpoint, params } = context;
  const filters = [...params.values]
    .filter(([name]) => !PAGE_PARAMETERS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([endpoint.route, filters]);
  const known = start === 0 ? undefined : books.get(key);
  const book = known?.has(start) ? known : new RowBook(context);
  books.delete(key);
  books.set(key, book);
  const oldest = books.size > MAX_WALKS ? books.keys().next().value : undefined;
  if (oldest !== undefined) books.delete(oldest);
  return book.read(context, start, end);
}

const page: NodeAnswer = async (context) => {
  const { start, size } = pageRange(context);
  return { data: wrapped(await readRows(context, start, start + size), context) };
};

/** Maximum number of transfers that are counted, as the API counts them. */
const MAX_TOTAL = 10_000_000;

const total: NodeAnswer = async (context) => {
  let count = 0;
  for await (const { rows } of walkRows(context, { count: MAX_TOTAL })) {
    count += rows.length;
    if (count >= MAX_TOTAL) break;
  }
  return { data: Math.min(count, MAX_TOTAL), metadata: {} };
};

/** The records of an export, up to the row limit of exports; as many signatures are counted before. */
const records: NodeAnswer = async (context) => {
  let head: readonly Json[] | undefined;
  const all: Json[] = [];
  for await (const { rows, header } of walkRows(context, { count: MAX_EXPORT_ROWS })) {
    head ??= header;
    all.push(...rows.slice(0, MAX_EXPORT_ROWS - all.length));
    if (all.length >= MAX_EXPORT_ROWS) break;
  }
  if (head) return { csv: [head, ...all] as unknown as readonly CsvRecord[] };
  // The header alone, by the same query.
  return answerFromTransactions(context, []);
};

/** Answers an endpoint by walking the signatures of an account. */
export const walkAnswer: NodeAnswer = (context) => {
  const { shape } = context.endpoint.returns;
  if (shape === "csv") return records(context);
  return shape === "number" ? total(context) : page(context);
};
