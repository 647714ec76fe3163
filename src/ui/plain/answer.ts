/** What is asked at a place, waited for and made into a page. */
import type { ZodType } from "zod";
import type { EntityName } from "../../catalogue/endpoint.ts";
import * as entities from "../../catalogue/entities/index.ts";
import { type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { shapeOf } from "../../output/fields/schema.ts";
import type { Shape } from "../../output/fields/shape.ts";
import { safeText } from "../../output/text/safe.ts";
import { DEFAULT_KEY_LABELS, type KeyLabels } from "../app/keys/key-hints.ts";
import type { Route } from "../app/route.ts";
import type { Services } from "../app/services.ts";
import { statusLines } from "../data/status-text.ts";
import type { DataStore, EndpointRequest, QueryState } from "../data/store.ts";
import { listColumns } from "../widgets/list/columns.ts";
import { baseParams } from "../widgets/list/model.ts";
import { FIRST_PAGE, rowsBefore, type Spot, totalRows } from "../widgets/list/paging.ts";
import type { ListSort } from "../widgets/list/reducer.ts";
import { tableOf } from "../widgets/list/table.ts";
import { fieldsPage, type Page, rowsPage } from "./page.ts";

/** What asking needs. */
export interface Asking {
  readonly services: Services;
  readonly data: DataStore;
  readonly signal: AbortSignal;
}

/** What a visit is looked at with. */
export interface View {
  readonly filter: string;
  readonly sort: ListSort | undefined;
  readonly asked: ParameterValues | undefined;
  readonly spot: Spot;
  readonly trail: readonly Spot[];
}

/** What a visit begins with. */
export const FIRST_VIEW: View = { filter: "", sort: undefined, asked: undefined, spot: FIRST_PAGE, trail: [] };

const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;

/** Rows of a page that can be listened to. */
const ROWS = 10;

/** The form of what an endpoint answers. */
export function shapeFor({ returns }: EndpointRequest["endpoint"]): Shape {
  return shapeOf(ENTITIES[returns.entity]);
}

/** The request of a view: its filters and order, its page, rows that can be listened to. */
export function requestOf({ endpoint, params }: EndpointRequest, { asked, sort, spot }: View): EndpointRequest {
  const fixed = positionalOf(endpoint)?.[0];
  const base = baseParams(endpoint, params, fixed === undefined ? [] : [fixed], { asked, sort });
  return { endpoint, params: { ...sizeOf(endpoint, base), ...base, ...spot.at } };
}

/** What is typed instead of pressed; the rest cannot be done here. */
export const TYPED: KeyLabels = (name) =>
  name === "view.refresh" || name === "list.form" || name === "go.usage" ? DEFAULT_KEY_LABELS(name) : undefined;

/** An answer as a page, or why there is none. */
export function pageOf(
  request: EndpointRequest,
  entry: QueryState,
  view: View,
  { services, data, here }: Asking & { readonly here: Route },
): Page {
  const { endpoint, params } = request;
  const { now, timeZone } = services;
  if (!entry.answer) {
    const told = statusLines(entry, { now: now(), unicode: false, timeZone, keyOf: TYPED }, WIDEST);
    const words = told.map((line) => line.map(({ text }) => text).join(""));
    const way = entry.problem?.exit === "auth" ? ["To store a key, leave with q and type: solx auth login"] : [];
    return { lines: [...words.filter((text) => text !== ""), ...way], choices: [] };
  }
  const shape = shapeFor(endpoint);
  const { rows } = entry.answer;
  if (rows === undefined) return fieldsPage({ value: entry.answer.data, shape, now: now(), timeZone, here });
  const about = params[positionalOf(endpoint)?.[0] ?? ""];
  const columns = listColumns({ endpoint, shape, rows, about: typeof about === "string" ? about : undefined });
  const clock = { style: "relative", now: now(), timeZone } as const;
  const table = tableOf(rows, columns, endpoint.identity, clock, data.nameOf);
  const before = rowsBefore(endpoint, params, view.spot);
  const { filter, sort } = view;
  const asked = askedWords(request);
  return rowsPage({ table, shape, clock, filter, sort, asked, before, total: totalRows(endpoint, entry, before) });
}

/** What a request filters by, in words; its page, its order and what it is about are told elsewhere. */
function askedWords({ endpoint, params }: EndpointRequest): readonly string[] {
  const about = positionalOf(endpoint)?.[0];
  return Object.entries(params).flatMap(([name, value]) => {
    const role = endpoint.query[name]?.role;
    const isOther = name === about || role === "page" || role === "size" || name.startsWith("sort_");
    return isOther || value === undefined ? [] : [`${name} ${safeText(String(value))}`];
  });
}

/** Lines are as long as they are: the terminal breaks them. */
const WIDEST = 10_000;

/** Milliseconds of silence that nobody wonders about. */
const PATIENCE_MS = 2000;

/** Waits for an answer; says when that takes long, and for how many seconds the API lets everybody wait. */
export function answerTo(
  request: EndpointRequest,
  { data, services, signal }: Asking,
  onWait: (seconds?: number) => void,
): Promise<QueryState> {
  return new Promise((resolve) => {
    let leave: (() => void) | undefined;
    let waiting: number | undefined;
    const look = () => {
      const entry = data.read(request);
      const { retryAt, isLoading, answer, problem } = entry;
      if (retryAt !== undefined && retryAt !== waiting)
        onWait(Math.max(1, Math.ceil((retryAt - services.now()) / 1000)));
      waiting = retryAt;
      const isThere = retryAt === undefined && !isLoading && (answer !== undefined || problem !== undefined);
      if (!leave || !(isThere || signal.aborted)) return;
      leave();
      clearTimeout(timer);
      signal.removeEventListener("abort", look);
      resolve(entry);
    };
    const timer = setTimeout(() => onWait(), PATIENCE_MS);
    timer.unref();
    leave = data.watch(request, look);
    signal.addEventListener("abort", look);
    look();
  });
}

/** Rows that can be listened to; a caller's own number goes before. */
function sizeOf({ query }: EndpointRequest["endpoint"], params: ParameterValues): ParameterValues {
  const [name, param] = Object.entries(query).find(([, { role }]) => role === "size") ?? [];
  if (name === undefined || params[name] !== undefined) return {};
  const sizes = (param?.values ?? []).map(Number).toSorted((a, b) => a - b);
  return { [name]: sizes.find((size) => size >= ROWS) ?? sizes.at(-1) ?? Math.min(ROWS, param?.max ?? ROWS) };
}
