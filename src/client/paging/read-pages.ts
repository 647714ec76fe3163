/**
 * Reads lists page by page, for endpoints that page by number, offset or cursor, or not at all.
 *
 * Without `limit` or `all`, one page is read, as the parameters name it. With `limit`, that many rows are read: the
 * smallest valid page size that holds them, else the maximum, and the last page is trimmed. With `all`, pages of the
 * maximum size are read until the end. A page, offset, cursor or size among the parameters is where reading starts, and
 * its page size.
 *
 * `page-strategy.ts` decides where a list ends: a page that may be the last is confirmed by requesting the next one,
 * unless a single page was requested. These are no ends, but an IncompleteError after the rows that were read:
 *  - an empty page before the total is reached;
 *  - a cursor that occurred before, one that the endpoint refuses, or a last row without one;
 *  - three pages in a row that repeat earlier rows, or a page from long ago (`cycle-detector.ts`), unless they are data
 *    (`deduplicator.ts`).
 * A first page that is not a list is returned as it is; a later one is a ServerError.
 *
 * Rows that arrive while a list is read push others to the next page. Lists of events are pinned with `to_time` where
 * the endpoint has it and the caller did not set it (`end-time.ts`); deep ones are read in time windows (`time-windows.ts`). Rows that
 * are read twice are left out (`deduplicator.ts`).
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

import type { Json, JsonObject } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import { createEndTime } from "./end-time.ts";
import type { Page, PageSource, PagingOptions } from "./page.ts";
import { planPages } from "./page-plan.ts";
import { PageReader, parseState } from "./page-reader.ts";
import { createPrefetch } from "./prefetch.ts";
import { createRowKeyer } from "./row-keys.ts";

/**
 * Reads a list.
 * @throws what fetching throws; UsageError for a limit below 1 or an invalid state; IncompleteError when the list
 * cannot be read to its end
 */
export async function* readPages(source: PageSource, options: PagingOptions = {}): AsyncGenerator<Page, void> {
  const plan = planPages(source, options);
  const saved = parseState(options.resume);
  const endTime = plan.isMultiPage
    ? createEndTime(source.endpoint, source.params, { now: source.now, saved: saved?.end })
    : undefined;
  const prefetch = createPrefetch(async (at, signal) => {
    const priority = plan.isMultiPage ? "background" : "interactive";
    const answer = await source.fetch({ ...plan.params, ...endTime?.params(), ...at }, { signal, priority });
    const isReversed = source.endpoint.ascendingPages && plan.rowLimit !== undefined;
    return isReversed && answer.rows ? { ...answer, rows: newestFirst(answer.rows, source.endpoint) } : answer;
  }, source.signal);
  const pageSource = options.ahead === false ? { ...prefetch, request: () => {}, prepare: () => {} } : prefetch;
  const reader = new PageReader({ source, plan, endTime, prefetch: pageSource }, saved);
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
