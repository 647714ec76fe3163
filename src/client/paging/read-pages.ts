/**
 * Lists, page after page: one loop for endpoints that page by number, offset or cursor, or not at all.
 *
 * What is asked for: without `limit` or `all`, the one page that the parameters name. With `limit` that many rows: the
 * smallest legal page size that holds them, else the greatest, trimmed at the end. With `all`, pages of the greatest
 * size until the end. A page, offset, cursor or size of the caller's own is where it begins and how it goes on.
 *
 * Where a list ends is decided in `steps.ts`: what may be its end is confirmed by one look at the next page, where more
 * than one page is wanted. No end, but an IncompleteError after the rows that came:
 *  - an empty page before the total is reached;
 *  - a cursor that was there before, one that the endpoint itself refuses, or a last row without one;
 *  - three pages in a row that repeat what came before, or one of long ago (`circles.ts`), unless they are data
 *    (`repeats.ts`).
 * A first page that is no list is handed on as it is; a later one is a ServerError.
 *
 * While a list is read, rows may arrive and push others to the next page. Lists of events are held still by `to_time`
 * where the endpoint has one and the caller gave none; deep ones are read in windows of time (`windows.ts`). Rows that
 * came before are left out as `repeats.ts` says.
 *
 * Pages are asked for ahead where their place is known before the one in front of them came (`prefetch.ts`). Of those, one
 * may be read before a row arrived and the one in front of it after that: then a row is on neither. But the first page
 * is read before all others, so some page in front of these repeats rows; where one does, what was asked for ahead is
 * asked for again.
 */

import type { JsonObject } from "../../base/index.ts";
import type { Page, PageSource, PagingOptions } from "./page.ts";
import { planPages } from "./page-plan.ts";
import { PageReader, parseState } from "./page-reader.ts";
import { createPrefetch } from "./prefetch.ts";

/**
 * Reads a list.
 * @throws what fetching throws; UsageError for a limit below 1 or a state that is none; IncompleteError when reading
 *   cannot go on
 */
export async function* readPages(source: PageSource, options: PagingOptions = {}): AsyncGenerator<Page, void> {
  const plan = planPages(source, options);
  const prefetch = createPrefetch(async (at, signal) => {
    const priority = plan.isMultiPage ? "background" : "interactive";
    return source.fetch({ ...plan.params, ...at }, { signal, priority });
  }, source.signal);
  const pageSource = options.ahead === false ? { ...prefetch, request: () => {} } : prefetch;
  const reader = new PageReader(source, plan, pageSource, parseState(options.resume));
  try {
    for (let page = await reader.next(); page !== undefined; page = await reader.next()) yield page;
  } finally {
    prefetch.close();
  }
}

/** Returns when the reading of a state began, in milliseconds since the epoch. */
export function startTimeOf(state: JsonObject | undefined): number | undefined {
  return parseState(state)?.start;
}
