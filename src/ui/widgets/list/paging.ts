/** Pages of a list: where one is, and how one gets to another. */

import { isObject, toNumber } from "../../../base/json.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/constants.ts";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../../catalogue/index.ts";
import type { Param } from "../../../catalogue/param.ts";
import type { QueryState } from "../../data/store.ts";

/** A page that was on view. */
export interface Spot {
  /** The parameters that make it another page than the first. */
  readonly at: ParameterValues;
  /** Rows on the pages before it, where the parameters do not tell. */
  readonly before: number;
}

/** The first page. */
export const FIRST_PAGE: Spot = { at: {}, before: 0 };

function nameOf(endpoint: Endpoint, role: Param["role"]): string | undefined {
  return Object.entries(endpoint.query).find(([, param]) => param.role === role)?.[0];
}

function wholeIn(params: ParameterValues, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : Number(params[name] ?? Number.NaN);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The number of the page that is asked for, from 1; undefined where pages have none. */
export function pageNumber(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const name = nameOf(endpoint, "page");
  return name === undefined ? undefined : (wholeIn(params, name) ?? 1);
}

/** Rows that a page has; undefined where nobody says. */
export function pageSize(endpoint: Endpoint, params: ParameterValues): number | undefined {
  const name = nameOf(endpoint, "size");
  const fallback = name === undefined ? undefined : Number(endpoint.query[name]?.default);
  return wholeIn(params, name) ?? (Number.isSafeInteger(fallback) ? fallback : undefined);
}

/** A page holds at least so many rows, where it may: it costs no more, and sorting and filtering see more at once. */
const LEAST_ROWS = 100;

/**
 * The size of a page as a parameter: the smallest legal one that fills so many lines. None where the caller gave one, or
 * where pages have none.
 */
export function sizeParam(endpoint: Endpoint, params: ParameterValues, lines: number): ParameterValues {
  const name = nameOf(endpoint, "size");
  const param = name === undefined ? undefined : endpoint.query[name];
  if (name === undefined || !param || params[name] !== undefined) return {};
  const wanted = Math.max(lines, LEAST_ROWS);
  const sizes = (param.values ?? []).map(Number).toSorted((a, b) => a - b);
  if (sizes.length > 0) return { [name]: sizes.find((size) => size >= wanted) ?? sizes.at(-1) };
  return { [name]: Math.max(param.min ?? 1, Math.min(wanted, param.max ?? Number(param.default ?? wanted))) };
}

/** Rows on the pages before the one that is asked for. */
export function rowsBefore(endpoint: Endpoint, params: ParameterValues, spot: Spot): number {
  const page = pageNumber(endpoint, params);
  const size = pageSize(endpoint, params);
  if (page !== undefined && size !== undefined) return (page - 1) * size;
  return wholeIn(params, nameOf(endpoint, "offset")) ?? spot.before;
}

/** The page after the one that is asked for; undefined where none follows. */
export function nextSpot(params: ParameterValues, entry: QueryState, before: number): Spot | undefined {
  const { next, answer } = entry;
  if (next === undefined || entry.more === false) return undefined;
  const at = Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== params[name]));
  return { at, before: before + (answer?.rows?.length ?? 0) };
}

/** A page by its number; undefined where pages have none, or it is no number of one. */
export function spotOfPage(endpoint: Endpoint, typed: string): Spot | undefined {
  const name = nameOf(endpoint, "page");
  const page = /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed) : undefined;
  return name === undefined || page === undefined ? undefined : { at: { [name]: page }, before: 0 };
}

/** Whether an export has as many rows as it may: then there may be more. */
export function isCutExport({ returns }: Endpoint, { answer }: Pick<QueryState, "answer">): boolean {
  return returns.shape === "csv" && (answer?.rows?.length ?? 0) >= MAX_EXPORT_ROWS;
}

/** The rows that the API has in all, as far as it or the end of the list tells. */
export function totalRows(endpoint: Endpoint, entry: QueryState, before: number): number | undefined {
  const { total } = endpoint.returns;
  const data = entry.answer?.data;
  if (isCutExport(endpoint, entry)) return undefined;
  const told = total !== undefined && isObject(data) ? toNumber(data[total]) : undefined;
  if (told !== undefined) return told;
  const count = entry.answer?.rows?.length ?? 0;
  // A page behind the last one does not tell how many there are in front of it.
  return entry.more === false && (count > 0 || before === 0) ? before + count : undefined;
}
