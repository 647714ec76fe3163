/** Requests the answer of a route and renders it as a plain page. */
import { type ParameterValues, positionalOf, recordOf } from "../../catalogue/index.ts";
import { ENTITIES } from "../../catalogue/schemas.ts";
import { type Shape, safeText, shapeOf } from "../../output/index.ts";
import { statusLines } from "../data/status-text.ts";
import type { DataStore, EndpointRequest, QueryState } from "../navigation/data-store.ts";
import { DEFAULT_KEY_LABELS, type KeyLabels } from "../navigation/keys/key-hints.ts";
import type { Route } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { listColumns } from "../widgets/list/columns.ts";
import { createQueryParams } from "../widgets/list/model.ts";
import { countRowsBefore, FIRST_PAGE, type PageRef, totalRows } from "../widgets/list/paging.ts";
import type { ListSort } from "../widgets/list/rows.ts";
import { buildTable } from "../widgets/list/table.ts";
import { fieldsPage, type PlainPage, rowsPage } from "./page.ts";

/** What the plain explorer works with. */
export interface PlainContext {
  readonly services: Services;
  readonly data: DataStore;
  readonly signal: AbortSignal;
}

/** The view state of a history entry. */
export interface PlainView {
  readonly filter: string;
  readonly sort: ListSort | undefined;
  readonly params: ParameterValues | undefined;
  readonly page: PageRef;
  readonly trail: readonly PageRef[];
}

/** The initial view state. */
export const INITIAL_VIEW: PlainView = { filter: "", sort: undefined, params: undefined, page: FIRST_PAGE, trail: [] };

/** Rows of a page, few enough to listen to. */
const DEFAULT_ROWS = 10;

/** Returns the shape of an endpoint's answer. */
export function shapeFor({ returns }: EndpointRequest["endpoint"]): Shape {
  return shapeOf(ENTITIES[returns.entity]);
}

/** Returns the request of a view with its filters, order, page and page size. */
export function requestForView(
  { endpoint, params }: EndpointRequest,
  { params: formParams, sort, page }: PlainView,
): EndpointRequest {
  const fixed = positionalOf(endpoint)?.[0];
  const base = createQueryParams(endpoint, params, fixed === undefined ? [] : [fixed], {
    formParams,
    sort,
    loaded: undefined,
  });
  return { endpoint, params: { ...pageSizeParam(endpoint, base), ...base, ...page.params } };
}

/** The actions that can be typed, with their letters. */
export const TYPED_COMMANDS: KeyLabels = (name) =>
  name === "view.refresh" || name === "list.form" || name === "go.usage" ? DEFAULT_KEY_LABELS(name) : undefined;

/** Returns why there is no answer. */
export function problemLines(entry: QueryState, { now, timeZone, source }: Services): readonly string[] {
  const options = { now: now(), unicode: false, timeZone, keyOf: TYPED_COMMANDS, source: source.facts };
  const status = statusLines(entry, options, NO_WRAP_WIDTH);
  const words = status.map((line) => line.map(({ text }) => text).join(""));
  const loginHint = entry.problem?.exit === "auth" ? ["To store a key, quit with q and run: solx auth login"] : [];
  return [...words.filter((text) => text !== ""), ...loginHint];
}

/** Renders an answer, or why there is none. */
export function renderAnswer(
  request: EndpointRequest,
  entry: QueryState,
  view: PlainView,
  { services, data, here }: PlainContext & { readonly here: Route },
): PlainPage {
  const { endpoint, params } = request;
  const { now, timeZone } = services;
  if (!entry.answer) return { lines: problemLines(entry, services), choices: [] };
  const shape = shapeFor(endpoint);
  const { rows } = entry.answer;
  if (rows === undefined)
    return fieldsPage({ value: recordOf(endpoint, entry.answer.data), shape, now: now(), timeZone, here });
  const about = params[positionalOf(endpoint)?.[0] ?? ""];
  const columns = listColumns({ endpoint, shape, rows, subjectId: typeof about === "string" ? about : undefined });
  const clock = { style: "relative", now: now(), timeZone } as const;
  const table = buildTable(rows, columns, endpoint.identity, clock, data.names.of);
  const before = countRowsBefore(endpoint, params, view.page);
  const { filter, sort } = view;
  const filters = describeFilters(request);
  return rowsPage({
    table,
    nameOf: data.nameOf,
    shape,
    clock,
    filter,
    sort,
    filters,
    before,
    total: totalRows(endpoint, entry, before),
  });
}

/** Describes the filters of a request, without its identifier, page and order. */
function describeFilters({ endpoint, params }: EndpointRequest): readonly string[] {
  const about = positionalOf(endpoint)?.[0];
  return Object.entries(params).flatMap(([name, value]) => {
    const role = endpoint.query[name]?.role;
    const isOther = name === about || role === "page" || role === "size" || name.startsWith("sort_");
    return isOther || value === undefined ? [] : [`${name} ${safeText(String(value))}`];
  });
}

/** Width of status lines: the terminal wraps them. */
const NO_WRAP_WIDTH = 10_000;

/** Milliseconds until a pending request is reported. */
const SLOW_MS = 2000;

/** Waits for an answer; calls `onWait` when that takes long, and with the seconds of a rate-limit wait. */
export function waitForAnswer(
  request: EndpointRequest,
  { data, services, signal }: PlainContext,
  onWait: (seconds?: number) => void,
): Promise<QueryState> {
  return new Promise((resolve) => {
    let stopWatching: (() => void) | undefined;
    let waiting: number | undefined;
    const check = () => {
      const entry = data.read(request);
      const { retryAt, isLoading, answer, problem } = entry;
      if (retryAt !== undefined && retryAt !== waiting)
        onWait(Math.max(1, Math.ceil((retryAt - services.now()) / 1000)));
      waiting = retryAt;
      const isSettled = retryAt === undefined && !isLoading && (answer !== undefined || problem !== undefined);
      if (!stopWatching || !(isSettled || signal.aborted)) return;
      stopWatching();
      clearTimeout(timer);
      signal.removeEventListener("abort", check);
      resolve(entry);
    };
    const timer = setTimeout(() => onWait(), SLOW_MS);
    timer.unref();
    stopWatching = data.watch(request, check);
    signal.addEventListener("abort", check);
    check();
  });
}

/** Returns the page size, unless the parameters set one. */
function pageSizeParam({ query }: EndpointRequest["endpoint"], params: ParameterValues): ParameterValues {
  const [name, param] = Object.entries(query).find(([, { role }]) => role === "size") ?? [];
  if (name === undefined || params[name] !== undefined) return {};
  const sizes = (param?.values ?? []).map(Number).toSorted((a, b) => a - b);
  return {
    [name]:
      sizes.find((size) => size >= DEFAULT_ROWS) ?? sizes.at(-1) ?? Math.min(DEFAULT_ROWS, param?.max ?? DEFAULT_ROWS),
  };
}
