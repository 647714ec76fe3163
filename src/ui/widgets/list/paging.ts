/** The pages of a list. */

import { isObject, toNumber } from "../../../base/index.ts";
import {
  type Endpoint,
  findParamByRole,
  fittingSize,
  MAX_EXPORT_ROWS,
  type Param,
  type ParameterValues,
} from "../../../catalogue/index.ts";
import type { QueryState } from "../../navigation/data-store.ts";

/** A page of a list. */
export interface PageRef {
  /** The parameters that differ from those of the first page. */
  readonly params: ParameterValues;
  /** Number of rows before it, when the parameters do not contain it. */
  readonly rowsBefore: number;
}

/** The first page. */
export const FIRST_PAGE: PageRef = { params: {}, rowsBefore: 0 };

const paramName = (endpoint: Endpoint, role: Param["role"]) => findParamByRole(endpoint, role)?.[0];

function wholeNumberParam(params: ParameterValues, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : Number(params[name] ?? Number.NaN);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns the page number of a request, from 1; undefined when its pages have none. */
export function pageNumber(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const name = paramName(endpoint, "page");
  return name === undefined ? undefined : (wholeNumberParam(params, name) ?? 1);
}

function pageSize(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  const fallback = param && Number(param.default);
  return wholeNumberParam(params, name) ?? (Number.isSafeInteger(fallback) ? fallback : undefined);
}

/** Preferred minimum size of a page: it costs the same, and filters and sorting cover more rows. */
const MIN_ROWS = 100;

/**
 * Returns the page size as a parameter: the smallest permitted one that fills the lines. Empty when the caller chose
 * one or pages have none.
 * @param least the minimum number of rows
 */
export function pageSizeParam(
  endpoint: Endpoint,
  params: ParameterValues,
  lines: number,
  least = MIN_ROWS,
): ParameterValues {
  const [name, param] = findParamByRole(endpoint, "size") ?? [];
  if (name === undefined || !param || params[name] !== undefined) return {};
  return { [name]: fittingSize(param, Math.max(lines, least)) };
}

/** Returns the number of rows before a page. */
export function countRowsBefore(endpoint: Endpoint, params: ParameterValues, ref: PageRef): number {
  const page = pageNumber(endpoint, params);
  const size = pageSize(endpoint, params);
  if (page !== undefined && size !== undefined) return (page - 1) * size;
  return wholeNumberParam(params, paramName(endpoint, "offset")) ?? ref.rowsBefore;
}

/** Returns the next page; undefined when there is none. */
export function nextPageRef(params: ParameterValues, entry: QueryState, before: number): PageRef | undefined {
  const { next, answer } = entry;
  if (next === undefined || entry.hasMore === false) return undefined;
  const changed = Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== params[name]));
  return { params: changed, rowsBefore: before + (answer?.rows?.length ?? 0) };
}

/** Returns a page by its number; undefined when pages have none or the number is invalid. */
export function parsePageRef(endpoint: Endpoint, typed: string): PageRef | undefined {
  const name = paramName(endpoint, "page");
  const page = /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed) : undefined;
  return name === undefined || page === undefined ? undefined : { params: { [name]: page }, rowsBefore: 0 };
}

/** Returns whether an export has reached the row limit of the API, so that rows may be missing. */
export function isTruncatedExport({ returns }: Endpoint, { answer }: Pick<QueryState, "answer">): boolean {
  return returns.shape === "csv" && (answer?.rows?.length ?? 0) >= MAX_EXPORT_ROWS;
}

/** Returns the total number of rows, when the API reports it or the end of the list is known. */
export function totalRows(endpoint: Endpoint, entry: QueryState, before: number): number | undefined {
  const { total } = endpoint.returns;
  const data = entry.answer?.data;
  if (isTruncatedExport(endpoint, entry)) return undefined;
  const reported = total !== undefined && isObject(data) ? toNumber(data[total]) : undefined;
  if (reported !== undefined) return reported;
  const count = entry.answer?.rows?.length ?? 0;
  // An empty page after the last one does not reveal the number of rows before it.
  return entry.hasMore === false && (count > 0 || before === 0) ? before + count : undefined;
}
