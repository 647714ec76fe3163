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

import type { Json, JsonObject } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { planPages } from "./page-plan.ts";
import { PageReader, parseState } from "./page-reader.ts";
import { createPrefetch } from "./prefetch.ts";

/** How much of a list is wanted. */
export interface PagingOptions {
  /** Rows, over as many pages as it takes. */
  readonly limit?: number | undefined;
  /** Every row. */
  readonly all?: boolean | undefined;
  /** The state of a page of an earlier reading with the same parameters and options: reading goes on after that page. */
  readonly resume?: JsonObject | undefined;
  /** Whether pages are asked for before their turn (default: yes); without it, nothing is asked for that is not read. */
  readonly ahead?: boolean | undefined;
}

/** A page of a list. */
export interface Page<Row = Json> {
  readonly rows: readonly Row[];
  readonly answer: Answer;
  /** Whether rows follow that were not read: true and false are certain, undefined means that only asking would tell. */
  readonly more: boolean | undefined;
  /** Whether rows of this page were left out because of `limit`. */
  readonly cut: boolean;
  /** Rows left out because they came again: the list moved while it was read. */
  readonly dropped: number;
  /** The parameters of the page after this one, where there may be one. */
  readonly next: ParameterValues | undefined;
  /** What a later reading needs to go on after this page (`resume`): plain JSON, at most some tens of kilobytes. */
  readonly state: () => JsonObject;
}

/** How a page is sent for. */
export interface PageSendOptions {
  /** Fires when the page is not needed any more. */
  readonly signal: AbortSignal;
  /** "background" where more than one page is wanted. */
  readonly priority: "interactive" | "background";
}

/** A list that can be asked for. */
export interface PageSource {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly fetch: (params: ParameterValues, sending: PageSendOptions) => Promise<Answer>;
  /** Milliseconds since the epoch when reading begins, or began where it is resumed. */
  readonly now: number;
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a list.
 * @throws what fetching throws; UsageError for a limit below 1 or a state that is none; IncompleteError when reading
 *   cannot go on
 */
export async function* readPages(source: PageSource, options: PagingOptions = {}): AsyncGenerator<Page, void> {
  const plan = planPages(source, options);
  const ahead = createPrefetch(async (at, signal) => {
    const priority = plan.isMultiPage ? "background" : "interactive";
    return source.fetch({ ...plan.params, ...at }, { signal, priority });
  }, source.signal);
  const asking = options.ahead === false ? { ...ahead, ask: () => {} } : ahead;
  const reading = new PageReader(source, plan, asking, parseState(options.resume));
  try {
    for (let page = await reading.next(); page !== undefined; page = await reading.next()) yield page;
  } finally {
    ahead.close();
  }
}

/** When reading began, where a state tells. */
export function startTimeOf(state: JsonObject | undefined): number | undefined {
  return parseState(state)?.start;
}
