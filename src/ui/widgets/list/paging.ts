/** Pages of a list: where one is, and how one gets to another. */

import { isObject, toNumber } from "../../../base/json.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/constants.ts";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import type { Param } from "../../../catalogue/param.ts";
import type { QueryState } from "../../data/store.ts";

/** A page that was on view. */
export interface PageRef {
  /** The parameters that make it another page than the first. */
  readonly params: ParameterValues;
  /** Rows on the pages before it, where the parameters do not tell. */
  readonly rowsBefore: number;
}

/** The first page. */
export const FIRST_PAGE: PageRef = { params: {}, rowsBefore: 0 };

function paramName(endpoint: Endpoint, role: Param["role"]): string | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role)?.[0];
}

function wholeNumberParam(params: ParameterValues, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : Number(params[name] ?? Number.NaN);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The number of the page that is asked for, from 1; undefined where pages have none. */
export function pageNumber(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const name = paramName(endpoint, "page");
  return name === undefined ? undefined : (wholeNumberParam(params, name) ?? 1);
}

/** Rows that a page has; undefined where nobody says. */
export function pageSize(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const name = paramName(endpoint, "size");
  const fallback = name === undefined ? undefined : Number(endpoint.query[name]?.default);
  return wholeNumberParam(params, name) ?? (Number.isSafeInteger(fallback) ? fallback : undefined);
}

/** A page holds at least so many rows, where it may: it costs no more, and sorting and filtering see more at once. */
const MIN_ROWS = 100;

/**
 * The size of a page as a parameter: the smallest legal one that fills so many lines. None where the caller gave one, or
 * where pages have none.
 */
export function pageSizeParam(endpoint: Endpoint, params: ParameterValues, lines: number): ParameterValues {
  const name = paramName(endpoint, "size");
  const param = name === undefined ? undefined : endpoint.query[name];
  if (name === undefined || !param || params[name] !== undefined) return {};
  const target = Math.max(lines, MIN_ROWS);
  const sizes = (param.values ?? []).map(Number).toSorted((a, b) => a - b);
  if (sizes.length > 0) return { [name]: sizes.find((size) => size >= target) ?? sizes.at(-1) };
  return { [name]: Math.max(param.min ?? 1, Math.min(target, param.max ?? Number(param.default ?? target))) };
}

/** Rows on the pages before the one that is asked for. */
export function countRowsBefore(endpoint: Endpoint, params: ParameterValues, ref: PageRef): number {
  const page = pageNumber(endpoint, params);
  const size = pageSize(endpoint, params);
  if (page !== undefined && size !== undefined) return (page - 1) * size;
  return wholeNumberParam(params, paramName(endpoint, "offset")) ?? ref.rowsBefore;
}

/** The page after the one that is asked for; undefined where none follows. */
export function nextPageRef(params: ParameterValues, entry: QueryState, before: number): PageRef | undefined {
  const { next, answer } = entry;
  if (next === undefined || entry.more === false) return undefined;
  const changed = Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== params[name]));
  return { params: changed, rowsBefore: before + (answer?.rows?.length ?? 0) };
}

/** A page by its number; undefined where pages have none, or it is no number of one. */
export function pageRefOf(endpoint: Endpoint, typed: string): PageRef | undefined {
  const name = paramName(endpoint, "page");
  const page = /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed) : undefined;
  return name === undefined || page === undefined ? undefined : { params: { [name]: page }, rowsBefore: 0 };
}

/** Whether an export has as many rows as it may: then there may be more. */
export function isTruncatedExport({ returns }: Endpoint, { answer }: Pick<QueryState, "answer">): boolean {
  return returns.shape === "csv" && (answer?.rows?.length ?? 0) >= MAX_EXPORT_ROWS;
}

/** The rows that the API has in all, as far as it or the end of the list tells. */
export function totalRows(endpoint: Endpoint, entry: QueryState, before: number): number | undefined {
  const { total } = endpoint.returns;
  const data = entry.answer?.data;
  if (isTruncatedExport(endpoint, entry)) return undefined;
  const reported = total !== undefined && isObject(data) ? toNumber(data[total]) : undefined;
  if (reported !== undefined) return reported;
  const count = entry.answer?.rows?.length ?? 0;
  // A page behind the last one does not tell how many there are in front of it.
  return entry.more === false && (count > 0 || before === 0) ? before + count : undefined;
}
