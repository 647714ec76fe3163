/** What reading a list takes, before it is read: rows, requests, compute units, time. */

import { isNumeric, type Json, numericText } from "../../base/index.ts";
import {
  CHAIN_START,
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  type ParameterValues,
  type Rate,
} from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";
import { findParamByRole, integerParam, totalRows } from "./page-strategy.ts";
import { valueAt } from "./row-keys.ts";

/** What a way of reading takes. */
export interface Effort {
  readonly requests: number;
  /** Compute units. */
  readonly units: number;
  /** Seconds of waiting, as far as the rate alone makes them; what the answers take comes on top. */
  readonly seconds: number;
}

/** What reading by export takes, and what by pages where there are any. */
export interface ExportEstimate {
  /** Rows, about; undefined where nothing tells. */
  readonly rows: number | undefined;
  readonly exports: Effort | undefined;
  readonly pages?: Effort;
}

/** The greatest page that an endpoint gives. */
export function maxPageSize(endpoint: Endpoint): number {
  const param = findParamByRole(endpoint, "size")?.[1];
  const sizes = param?.values?.map(Number) ?? [];
  return Math.max(1, ...sizes, param?.max ?? Number(param?.default ?? 1));
}

/** What so many requests to an endpoint take. */
export function estimateRequests({ cost }: Endpoint, requests: number, rate: Rate | undefined): Effort {
  const waits = rate === undefined ? 0 : Math.max(0, (requests / rate.requests - 1) * rate.seconds);
  return { requests, units: requests * cost.units, seconds: Math.round(waits) };
}

/** What so many exports take, one a minute. */
export function estimateExports({ cost }: Endpoint, requests: number): Effort {
  return { requests, units: requests * cost.units, seconds: (requests - 1) * EXPORT_INTERVAL_SECONDS };
}

/** The length of a list, as far as its first page tells. */
export interface ListLength {
  readonly rows: number;
  /** Whether it was counted. */
  readonly isExact: boolean;
}

/** A list whose first page was read. */
export interface StartedList {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly first: Answer;
  /** Asks for the parameters' page. */
  readonly fetch: (params: ParameterValues) => Promise<Answer>;
}

/**
 * How long a list is: its total where it tells one, its rows where they are fewer than a page. A list of events is as
 * long as its time is dense: if it was all as dense as the first page, that is the answer where it is not more than
 * `matters`; else the oldest row is asked for, and pages at four moments in between. Undefined where nothing tells.
 * @param matters rows from which on the length matters
 */
export async function estimateLength(list: StartedList, matters: number): Promise<ListLength | undefined> {
  const { first, endpoint, params } = list;
  const total = totalRows(first);
  if (total !== undefined) return { rows: total, isExact: true };
  const rows = first.rows ?? [];
  const size = requestedSize(first);
  if (size !== undefined && rows.length < size) return { rows: rows.length, isExact: true };
  const [newest, last] = [rowTime(rows[0]), rowTime(rows.at(-1))];
  if (newest === undefined || last === undefined || newest < last) return undefined;
  const requestedStart = requestedFrom(first);
  const atMost = Math.round((rows.length * (newest - (requestedStart ?? CHAIN_START))) / Math.max(1, newest - last));
  if (atMost <= matters) return { rows: atMost, isExact: false };
  const oldest = requestedStart ?? (await fetchOldestTime(endpoint, params, list.fetch));
  if (oldest === undefined || oldest >= newest) return undefined;
  return { rows: Math.round(await sampleRows(list, { oldest, newest })), isExact: false };
}

/** Parts of the time of a list: each is taken to be as dense as the page that ends in its middle. */
const PARTS = 4;

/** The rows between two moments, by pages in between; the first page alone would show how busy the list is of late. */
async function sampleRows(
  { endpoint, params, first, fetch }: StartedList,
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
): Promise<number> {
  const [name, param] = findParamByRole(endpoint, "to") ?? [];
  if (name === undefined || param?.type !== "time")
    return (newest - oldest) * rowDensity(first, { oldest, end: newest });
  const length = (newest - oldest) / PARTS;
  let rows = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const end = Math.floor(newest - (part + 0.5) * length);
    const page = await fetch({ ...params, ...sizeParam(first), [name]: end });
    rows += length * rowDensity(page, { oldest, end });
  }
  return rows;
}

/** Rows a second, by a page that ends at a moment. */
function rowDensity(
  { rows = [], ...answer }: Answer,
  { oldest, end }: { readonly oldest: number; readonly end: number },
) {
  const isFull = rows.length >= (requestedSize(answer) ?? 1);
  const start = isFull ? (rowTime(rows.at(-1)) ?? oldest) : oldest;
  return rows.length / Math.max(1, end - start);
}

/** The time of a list's oldest row, asked for; undefined where the list cannot be turned round. */
export async function fetchOldestTime(
  endpoint: Endpoint,
  params: ParameterValues,
  fetch: (params: ParameterValues) => Promise<Answer>,
): Promise<number | undefined> {
  if (!endpoint.query.sort_order) return undefined;
  const { rows } = await fetch({ ...params, sort_order: "asc" });
  return rowTime(rows?.[0]);
}

/** Fields of rows that hold their time in Unix seconds. */
const TIME_FIELDS = ["block_time", "blockTime"];

function rowTime(row: Json | undefined): number | undefined {
  const time = row === undefined ? undefined : TIME_FIELDS.map((name) => valueAt(row, name)).find(isNumeric);
  return time === undefined ? undefined : Number(numericText(time));
}

/** The page size of a request as a parameter. */
function sizeParam({ request: { endpoint, query } }: Answer): ParameterValues {
  const name = endpoint && findParamByRole(endpoint, "size")?.[0];
  return Object.fromEntries(query.filter(([key]) => key === name));
}

/** Rows that the request of an answer asked for. */
function requestedSize({ request: { endpoint, query } }: Pick<Answer, "request">): number | undefined {
  const [name, param] = (endpoint && findParamByRole(endpoint, "size")) ?? [];
  if (name === undefined) return undefined;
  return (
    integerParam(Object.fromEntries(query), name) ?? (param?.default === undefined ? undefined : Number(param.default))
  );
}

/** The beginning of the time that the request of an answer asked for. */
function requestedFrom({ request: { endpoint, query } }: Answer): number | undefined {
  const [name, param] = (endpoint && findParamByRole(endpoint, "from")) ?? [];
  return param?.type === "time" ? integerParam(Object.fromEntries(query), name) : undefined;
}
