/** Reads the list of an endpoint along the signatures of an account, as a stream of pages that can be resumed. */
import type { Json, JsonObject } from "../../../base/index.ts";
import type { AnswerContext } from "../answer.ts";
import { pageOf, walkRouteOf } from "./routes.ts";
import { parseWalkState, walkRows } from "./rows.ts";

/** A page of a walk: as many rows as were found together, at least one except at the end. */
export interface WalkPage {
  readonly rows: readonly Json[];
  /** The header of CSV records. */
  readonly header?: readonly Json[] | undefined;
  /** Whether unread rows may follow. */
  readonly more: boolean;
  /** Whether rows of this page were left out because of `limit`. */
  readonly cut: boolean;
  /** What `resume` needs to continue after this page: plain JSON, valid in another process. */
  readonly state: () => JsonObject;
}

/** Options of a walk. */
export interface WalkOptions {
  /** Number of rows; all by default. */
  readonly limit?: number | undefined;
  /** The state of an earlier page with the same parameters. */
  readonly resume?: JsonObject | undefined;
}

/**
 * Reads all rows from the requested page on, newest first unless the request asks for the oldest first. Before the first transaction is read, and
 * after each batch, the context's `report` receives the costs and the progress; `beforeWalk` can end it before the first.
 * @throws UsageError for a state of something else; what the node's answers throw
 */
export async function* readWalk(
  context: AnswerContext,
  { limit = Number.POSITIVE_INFINITY, resume }: WalkOptions = {},
): AsyncGenerator<WalkPage, void> {
  const route = walkRouteOf(context);
  if (!route) throw new TypeError(`${context.endpoint.route} is not answered by a walk.`);
  const saved = parseWalkState(resume);
  let remaining = saved?.left ?? limit;
  // A short list is complete before its signatures are counted.
  const count = limit > COUNTED_FROM ? limit : 0;
  for await (const { rows: all, header, stateAfter } of walkRows(context, route, {
    resume: saved,
    count,
    skip: pageOf(context).start,
  })) {
    if (all.length === 0) continue;
    const rows = all.slice(0, remaining);
    remaining -= rows.length;
    const left = Number.isFinite(remaining) ? { left: remaining } : {};
    const state = () => ({ ...stateAfter(rows.length), ...left }) as unknown as JsonObject;
    yield { rows, header, more: remaining > 0 || rows.length < all.length, cut: rows.length < all.length, state };
    if (remaining <= 0) return;
  }
}

/** Rows from which a walk is worth an estimate. */
const COUNTED_FROM = 100;
