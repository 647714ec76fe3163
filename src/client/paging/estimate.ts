/** Estimates the effort of reading a list before it is read: rows, requests, compute units, time. */

import {
  CHAIN_START,
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  findParamByRole,
  type ParameterValues,
  type Rate,
} from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";
import { integerParam, totalRows } from "./page-strategy.ts";
import { rowSecond } from "./time-windows.ts";

/** The effort of reading a list. */
export interface Effort {
  readonly requests: number;
  /** Compute units. */
  readonly units: number;
  /** Seconds of waiting caused by the rate limit; the time of the responses is not included. */
  readonly seconds: number;
}

/** The effort of reading an export, and of reading its rows by pages where that is possible. */
export interface ExportEstimate {
  /** The number of rows, where it is known. */
  readonly rows: number | undefined;
  /** The effort of reading exports. */
  readonly exports: Effort | undefined;
  /** The effort of reading pages. */
  readonly pages?: Effort;
}

/** Returns the maximum page size of an endpoint. */
export function maxPageSize(endpoint: Endpoint): number {
  const param = findParamByRole(endpoint, "size")?.[1];
  const sizes = param?.values?.map(Number) ?? [];
  return Math.max(1, ...sizes, param?.max ?? Number(param?.default ?? 1));
}

/** Returns the effort of a number of requests to an endpoint. */
export function estimateRequests({ cost }: Endpoint, requests: number, rate: Rate | undefined): Effort {
  const waits = rate === undefined ? 0 : Math.max(0, (requests / rate.requests - 1) * rate.seconds);
  return { requests, units: requests * cost.units, seconds: Math.round(waits) };
}

/** Returns the effort of a number of exports, one per minute. */
export function estimateExports({ cost }: Endpoint, requests: number): Effort {
  return { requests, units: requests * cost.units, seconds: (requests - 1) * EXPORT_INTERVAL_SECONDS };
}

/** The length of a list, as far as its first page shows it. */
export interface ListLength {
  readonly rows: number;
  readonly isExact: boolean;
}

/** A list whose first page was read. */
export interface StartedList {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly first: Answer;
  readonly fetch: (params: ParameterValues) => Promise<Answer>;
}

/**
 * Returns the length of a list: its total, if the answer has one; its rows, if they are fewer than a page. The length
 * of a list of events follows from its time range and density: as if it were as dense as its first page, if that does
 * not exceed `matters`; otherwise the oldest row and pages at four times in between are requested. Returns undefined
 * where nothing shows the length.
 * @param matters rows from which on an accurate length matters
 */
export async function estimateLength(list: StartedList, matters: number): Promise<ListLength | undefined> {
  const { first, endpoint, params } = list;
  const total = totalRows(first);
  if (total !== undefined) return { rows: total, isExact: true };
  const rows = first.rows ?? [];
  const size = requestedSize(first);
  if (size !== undefined && rows.length < size) return { rows: rows.length, isExact: true };
  const [newest, last] = [rowSecond(rows[0]), rowSecond(rows.at(-1))];
  if (newest === undefined || last === undefined || newest < last) return undefined;
  const requestedStart = requestedFrom(first);
  const atMost = Math.round((rows.length * (newest - (requestedStart ?? CHAIN_START))) / Math.max(1, newest - last));
  if (atMost <= matters) return { rows: atMost, isExact: false };
  const oldest = requestedStart ?? (await fetchOldestTime(endpoint, params, list.fetch));
  if (oldest === undefined || oldest >= newest) return undefined;
  return { rows: Math.round(await sampleRows(list, { oldest, newest })), isExact: false };
}

/** Parts of the time range, of which the density is read in the middle. */
const PARTS = 4;
/** What is added to an estimate, so that a confirmed cost is rather not reached than exceeded. */
const MARGIN = 1.08;

/**
 * Returns the rows between two times, estimated from pages in between; the first page only shows the current density.
 * Each part is assumed to be as dense as the densest of its middle and those of the parts beside it.
 */
async function sampleRows(
  { endpoint, params, first, fetch }: StartedList,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
): Promise<number> {
  const [name, param] = findParamByRole(endpoint, "to") ?? [];
  if (name === undefined || param?.type !== "time")
    return (newest - oldest) * rowDensity(first, { oldest, end: newest });
  const length = (newest - oldest) / PARTS;
  const densities: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const end = Math.floor(newest - (part + 0.5) * length);
    const page = await fetch({ ...params, ...sizeParam(first), [name]: end });
    densities.push(rowDensity(page, { oldest, end }));
  }
  const highest = densities.map((_, part) => Math.max(...densities.slice(Math.max(0, part - 1), part + 2)));
  return MARGIN * length * highest.reduce((sum, density) => sum + density, 0);
}

/** Returns rows per second, according to a page that ends at a time. */
function rowDensity(
  { rows = [], ...answer }: Answer,
  { oldest, end }: { readonly oldest: number; readonly end: number },
) {
  const isFull = rows.length >= (requestedSize(answer) ?? 1);
  const start = isFull ? (rowSecond(rows.at(-1)) ?? oldest) : oldest;
  return rows.length / Math.max(1, end - start);
}

/** Requests the time of the oldest row; returns undefined where the order cannot be reversed. */
export async function fetchOldestTime(
  endpoint: Endpoint,
  params: ParameterValues,
  fetch: (params: ParameterValues) => Promise<Answer>,
): Promise<number | undefined> {
  if (!endpoint.query.sort_order) return undefined;
  const { rows } = await fetch({ ...params, sort_order: "asc" });
  return rowSecond(rows?.[0]);
}

function sizeParam({ request: { endpoint, query } }: Answer): ParameterValues {
  const name = endpoint && findParamByRole(endpoint, "size")?.[0];
  return Object.fromEntries(query.filter(([key]) => key === name));
}

function requestedSize({ request: { endpoint, query } }: Pick<Answer, "request">): number | undefined {
  const [name, param] = (endpoint && findParamByRole(endpoint, "size")) ?? [];
  if (name === undefined) return undefined;
  return (
    integerParam(Object.fromEntries(query), name) ?? (param?.default === undefined ? undefined : Number(param.default))
  );
}

function requestedFrom({ request: { endpoint, query } }: Answer): number | undefined {
  const [name, param] = (endpoint && findParamByRole(endpoint, "from")) ?? [];
  return param?.type === "time" ? integerParam(Object.fromEntries(query), name) : undefined;
}
