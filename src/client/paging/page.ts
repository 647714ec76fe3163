/** Lists and their pages. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Endpoint, ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../answer.ts";

/** How many rows of a list to read. */
export interface PagingOptions {
  /** Number of rows, over as many pages as necessary. */
  readonly limit?: number | undefined;
  /** Reads every row. */
  readonly all?: boolean | undefined;
  /** The state of a page that was read earlier with the same parameters and options: reading resumes after that page. */
  readonly resume?: JsonObject | undefined;
  /** Whether pages are prefetched (default: yes); without it, only pages that are read are requested. */
  readonly ahead?: boolean | undefined;
}

/** A page of a list. */
export interface Page<Row = Json, Value = Json> {
  readonly rows: readonly Row[];
  readonly answer: Answer<Value>;
  /** Whether unread rows follow: true and false are certain, undefined means that only another request would show it. */
  readonly more: boolean | undefined;
  /** Whether rows of this page were left out because of `limit`. */
  readonly cut: boolean;
  /** Number of rows left out because they were on an earlier page: the list moved while it was read. */
  readonly dropped: number;
  /** The parameters of the following page, if there may be one. */
  readonly next: ParameterValues | undefined;
  /** Returns what `resume` needs to continue after this page: plain JSON of at most some tens of kilobytes. */
  readonly state: () => JsonObject;
}

/** How a page is requested. */
export interface PageSendOptions {
  /** Fires when the page is no longer needed. */
  readonly signal: AbortSignal;
  /** "background" when more than one page is requested. */
  readonly priority: "interactive" | "background";
}

/** A list that can be read. */
export interface PageSource {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly fetch: (params: ParameterValues, sending: PageSendOptions) => Promise<Answer>;
  /** When reading began, in milliseconds since the epoch; a resumed reading continues with the original time. */
  readonly now: number;
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined;
}
