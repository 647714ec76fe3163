/**
 * Pages of walks. A session remembers the walks in progress and their rows, so that a page continues the walk of the page
 * before it, and earlier pages are in memory. The first page is always read again: it has what happened since.
 */
import type { Json } from "../../../base/index.ts";
import type { AnswerContext, ReadContext } from "../answer.ts";
import { walkRouteOf } from "./routes.ts";
import { type WalkPart, type WalkState, walkRows } from "./rows.ts";

/** Walks that a session remembers. */
const MAX_WALKS = 8;
/** Rows in memory of a walk. */
const MAX_ROWS = 20_000;

/** The rows of a request in order, read as far as they are needed. */
class RowBook {
  readonly #rows: Json[] = [];
  /** Rows that were removed from the beginning. */
  #removed = 0;
  #parts: AsyncGenerator<WalkPart, void> | undefined;
  #state: WalkState | undefined;
  #done = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** How the current request sends: the requests of a walk have different signals. */
  #current: ReadContext;
  readonly #context: AnswerContext;

  constructor(context: AnswerContext) {
    this.#current = context;
    const sending = () => this.#current.sending;
    const report = () => this.#current.report;
    this.#context = {
      ...context,
      get sending() {
        return sending();
      },
      get report() {
        return report();
      },
    };
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
      const excess = Math.min(this.#rows.length - MAX_ROWS, start - this.#removed);
      if (excess > 0) this.#removed += this.#rows.splice(0, excess).length;
      return rows;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Reads a part. A walk that failed or was aborted is resumed by the next request. */
  async #readPart(): Promise<void> {
    const route = walkRouteOf(this.#context);
    if (!route) return;
    this.#parts ??= walkRows(this.#context, route, { resume: this.#state });
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

/** Returns the rows of a page, from one position to another. */
export async function readRows(context: AnswerContext, start: number, end: number): Promise<readonly Json[]> {
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
