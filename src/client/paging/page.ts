/** Lists and their pages, and the plan of a reading: page size, parameters of all requests, number of rows. */

import { type Json, type JsonObject, UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  findParamByRole,
  fittingSize,
  hasPages,
  type ParameterValues,
  VALIDATION_CODE,
  validationMessages,
} from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import type { ExportEstimate } from "./estimate.ts";
import { integerParam } from "./page-strategy.ts";

/** How many rows of a list to read. */
export interface PagingOptions {
  /** Number of rows, over as many pages as necessary. */
  readonly limit?: number | undefined;
  /** Number of rows before the first one (default: 0). */
  readonly skip?: number | undefined;
  /** Reads every row. */
  readonly all?: boolean | undefined;
  /** The state of a page that was read earlier with the same parameters and options: reading resumes after that page. */
  readonly resume?: JsonObject | undefined;
  /** Whether pages are prefetched (default: yes); without it, only pages that are read are requested. */
  readonly ahead?: boolean | undefined;
}

/** How a list is read. */
export interface ReadOptions extends PagingOptions {
  /** For exports: `export` (default) reads window by window, `pages` reads the corresponding paged endpoint. */
  readonly via?: "export" | "pages" | undefined;
  /** For exports: called before the first row, and awaited, when one export does not contain all rows. */
  readonly onEstimate?: ((estimate: ExportEstimate) => Promise<void> | void) | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** A page of a list. */
export interface Page<Row = Json, Value = Json> {
  /** The rows of the page. */
  readonly rows: readonly Row[];
  /** The response that the rows came in. */
  readonly answer: Answer<Value>;
  /** Whether unread rows follow: true and false are certain, undefined means that only another request would show it. */
  readonly hasMore: boolean | undefined;
  /** Whether rows of this page were left out because of `limit`. */
  readonly isCut: boolean;
  /** Number of rows left out because they were on an earlier page: the list moved while it was read. */
  readonly dropped: number;
  /** The parameters of the following page, if there may be one. */
  readonly next: ParameterValues | undefined;
  /** Returns what `resume` needs to continue after this page: plain JSON of at most some tens of kilobytes. */
  readonly state: () => JsonObject;
}

/** How a page is requested. */
export interface PageSendOptions {
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
  readonly signal?: AbortSignal | undefined;
}

/** What all pages of a reading have in common. */
export interface PagePlan {
  /** Number of rows: infinite for all, undefined for the page that the parameters name. */
  readonly rowLimit: number | undefined;
  /** Rows per page, where pages have a size. */
  readonly pageSize: number | undefined;
  readonly params: ParameterValues;
  readonly isMultiPage: boolean;
  /** Whether the list starts in its middle: at a page or offset that the server has to heed. */
  readonly isContinued: boolean;
}

/** Returns the error for a number of rows below 1. */
export function limitError(limit: number): UsageError {
  return new UsageError(validationMessages.atLeast("limit", 1), {
    code: VALIDATION_CODE,
    invalid: { reason: "value", parameter: "limit", value: String(limit), expected: "a whole number from 1" },
  });
}

/** Plans a reading. @throws UsageError for a limit below 1 */
export function planPages(source: PageSource, { limit, all = false, skip = 0 }: PagingOptions): PagePlan {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) throw limitError(limit);
  const rowLimit = limit ?? (all ? Number.POSITIVE_INFINITY : undefined);
  const pageSize = choosePageSize(source, rowLimit);
  const first = (role: "page" | "offset") =>
    integerParam(source.params, findParamByRole(source.endpoint, role)?.[0]) ?? 0;
  const isContinued = rowLimit !== undefined && (first("page") > 1 || first("offset") > 0);
  const isLong = pageSize === undefined || (rowLimit ?? 0) > pageSize || skip > 0 || isContinued;
  const isMultiPage = rowLimit !== undefined && hasPages(source.endpoint) && isLong;
  const params = { ...source.params, ...pageSizeParam(source.endpoint, pageSize), ...daysParam(source, limit) };
  return { rowLimit, pageSize, params, isMultiPage, isContinued };
}

/** Returns the page size: the caller's, else the valid size for the number of rows, else the API's default. */
function choosePageSize({ endpoint, params }: PageSource, rowLimit: number | undefined): number | undefined {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  if (!param) return undefined;
  const requested = integerParam(params, name);
  if (requested !== undefined) return requested;
  if (rowLimit === undefined) return param.default === undefined ? undefined : Number(param.default);
  return fittingSize(param, rowLimit);
}

/** Returns the number of days as a parameter where the default has fewer than the limit, and no range is requested. */
function daysParam({ endpoint, params }: PageSource, limit = 0): ParameterValues {
  const [name, param] = findParamByRole(endpoint, "days") ?? [];
  const hasRange = (["days", "from", "to"] as const).some((role) => {
    const [bound = ""] = findParamByRole(endpoint, role) ?? [];
    return params[bound] !== undefined;
  });
  if (name === undefined || hasRange || limit <= Number(param?.default)) return {};
  return { [name]: param && fittingSize(param, limit) };
}

function pageSizeParam(endpoint: Endpoint, size: number | undefined): ParameterValues {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  return name === undefined || size === undefined || size === param?.default ? {} : { [name]: size };
}
