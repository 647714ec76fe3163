/** A list: its answer, what it remembers, and what both make. */
import { useEffect, useMemo, useRef } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../../base/json.ts";
import type { Column, Endpoint, EntityName } from "../../../catalogue/endpoint.ts";
import * as entities from "../../../catalogue/entities/index.ts";
import { type ParameterValues, positionalOf } from "../../../catalogue/index.ts";
import { shapeOf } from "../../../output/fields/schema.ts";
import type { Shape } from "../../../output/fields/shape.ts";
import type { Clock } from "../../../output/values/time.ts";
import { type Region, useExplorer, useHistoryEntry, useViewState } from "../../app/context.ts";
import type { EntityKind } from "../../app/route.ts";
import { type Resource, useNow, useResource } from "../../data/hooks.ts";
import { type EndpointRequest, queryKey } from "../../data/store.ts";
import { type ColumnMeasure, measureColumns } from "./column-layout.ts";
import { type ColumnSource, listColumns, tradeSidesFirst } from "./columns.ts";
import { createLinkFinder, type LinkFinder } from "./links.ts";
import { type ListLayout, layOutList, queryParamsOf, selectVisibleRows, type VisibleRows } from "./model.ts";
import { countRowsBefore, nextPageRef, type PageRef, pageSizeParam } from "./paging.ts";
import { INITIAL_LIST_STATE, type ListState, withAnswer } from "./reducer.ts";
import { type Table, tableOf } from "./table.ts";

/** What a list is of. */
export interface ListOf {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly region: Region;
  readonly part: string;
  readonly own?: EntityKind | undefined;
  readonly columns?: readonly Column[] | undefined;
}

/** A list. */
export interface List {
  readonly state: ListState;
  readonly set: (change: (before: ListState) => ListState) => void;
  /** The answer that is asked for now, and the one that is on view: the one before while another page loads. */
  readonly resource: Resource;
  readonly shown: Resource;
  readonly source: ColumnSource;
  readonly shape: Shape;
  readonly table: Table;
  readonly chosen: VisibleRows;
  readonly measure: ColumnMeasure;
  readonly links: LinkFinder;
  readonly before: number;
  readonly next: PageRef | undefined;
  /** What is asked, without page and size. */
  readonly base: ParameterValues;
  readonly clock: Clock;
  /** The parameters that the filter form does not change. */
  readonly fixed: readonly string[];
  /** The parameters that are no filter of the user: these, and what the screen around the list asks by itself. */
  readonly given: readonly string[];
  readonly standIn: (size: { readonly width: number; readonly height: number }) => ListLayout;
}

/** Relative times are made anew so often. */
const CLOCK_MS = 30_000;
const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
const NO_ROWS: readonly Json[] = [];

/** The list of a panel. */
export function useList({ endpoint, params, region, part, own: thing, columns = endpoint.columns }: ListOf): List {
  const { services, data } = useExplorer();
  const [state, set] = useViewState<ListState>(part, INITIAL_LIST_STATE);
  const fixed = useMemo(() => fixedNames(endpoint), [endpoint]);
  const base = queryParamsOf(endpoint, params, fixed, state);
  const size = usePageSize(endpoint, base, region, state, set);
  const resource = useResource(endpoint, { ...size, ...base, ...state.page.params });
  const { shown, spot } = useShown(resource, state.page);
  const rows = shown.answer?.rows ?? NO_ROWS;
  const shape = useMemo(() => shapeOf(ENTITIES[endpoint.returns.entity]), [endpoint]);
  const clock = useClock(shown);
  const chosenKeys = state.chosenColumns ?? services.memory.columns()[endpoint.route];
  const about = ownIdentifier(shown, fixed);
  const own = useMemo(() => tradeSidesFirst(columns, region.width), [columns, region.width]);
  const source = useMemo<ColumnSource>(
    () => ({ endpoint, shape, rows, defaults: own, chosenKeys, subjectId: about }),
    [endpoint, shape, rows, own, chosenKeys, about],
  );
  const shownColumns = useMemo(() => listColumns(source), [source]);
  const table = useMemo(
    () => tableOf(rows, shownColumns, endpoint.identity, clock, data.nameOf),
    [rows, shownColumns, endpoint, clock, data],
  );
  const measure = useMemo(() => measureColumns(table), [table]);
  const chosen = useMemo(
    () => selectVisibleRows(table, state.filter, state.sort, clock),
    [table, state.filter, state.sort, clock],
  );
  const links = useMemo(() => createLinkFinder(table, shape, thing), [table, shape, thing]);
  useArrivals(resource, table, shown, set);
  const before = countRowsBefore(endpoint, shown.request.params, spot);
  const next = resource.isLoading ? undefined : nextPageRef(resource.request.params, resource, before);
  usePrefetch(resource, state, next);
  return {
    state,
    set,
    resource,
    shown,
    source,
    shape,
    table,
    chosen,
    measure,
    links,
    before,
    next,
    base,
    clock,
    fixed,
    given: useGiven({ endpoint, params }, fixed, base),
    standIn: (size) => layOutList(state, chosen, measure, table, size),
  };
}

/** What a list is about is no filter of it. */
function fixedNames(endpoint: Endpoint): readonly string[] {
  const [name] = positionalOf(endpoint) ?? [];
  return name === undefined ? [] : [name];
}

/** On a place of its own a list is asked for what the user wants; elsewhere the screen asks by itself as well. */
function useGiven(
  { endpoint, params }: EndpointRequest,
  fixed: readonly string[],
  base: ParameterValues,
): readonly string[] {
  const { route: place } = useHistoryEntry();
  if (place.kind === "endpoint" && place.endpointRoute === endpoint.route) return fixed;
  return [...fixed, ...Object.keys(params).filter((name) => String(base[name]) === String(params[name]))];
}

/** The identifier of what the rows on view are of; undefined where they are of several things. */
function ownIdentifier({ request }: Resource, [name = ""]: readonly string[]): string | undefined {
  const value = request.params[name];
  return typeof value === "string" ? value : undefined;
}

/** The clock that relative times are read from: that of the newest answer, and a later one now and then. */
function useClock(shown: Resource): Clock {
  const { services } = useExplorer();
  const { timeZone, now } = services;
  const tick = Math.floor(useNow(CLOCK_MS) / CLOCK_MS);
  const { answer } = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the present is read anew with each tick and each answer.
  return useMemo(() => ({ style: "relative", now: now(), timeZone }), [now, timeZone, tick, answer]);
}

/** The size of the pages: the one that fills the window in which the list is first seen. */
function usePageSize(
  endpoint: Endpoint,
  base: ParameterValues,
  { height }: Region,
  state: ListState,
  set: List["set"],
): ParameterValues {
  const size = state.pageSize ?? pageSizeParam(endpoint, base, height);
  const isKept = state.pageSize !== undefined;
  useEffect(() => {
    if (!isKept) set((before) => ({ ...before, pageSize: size }));
  });
  return size;
}

/** An answer on view, and its page. */
interface Shown {
  readonly shown: Resource;
  readonly spot: PageRef;
}

/** The answer before stays on view until the new one is there, or fails. */
function useShown(resource: Resource, spot: PageRef): Shown {
  const last = useRef<Shown>(undefined);
  const isThere = resource.answer !== undefined;
  useEffect(() => {
    if (isThere) last.current = { shown: resource, spot };
  }, [isThere, resource, spot]);
  const now = { shown: resource, spot };
  const isSame = last.current?.shown.request.endpoint === resource.request.endpoint;
  return isThere || !resource.isLoading || !isSame ? now : (last.current ?? now);
}

/** Counts what answers cost and marks what they bring. */
function useArrivals(resource: Resource, table: Table, shown: Resource, set: List["set"]): void {
  const { answer, at = 0, request } = resource;
  const isShown = shown === resource;
  const key = queryKey(request);
  useEffect(() => {
    if (!answer || !isShown) return;
    const units = answer.age === undefined ? answer.request.cost : 0;
    set((state) => withAnswer(state, { request: key, answer, at, keys: table.keys, units }));
  });
}

/** Asks for the next page once it is likely to be wanted: it costs units. */
function usePrefetch({ request }: Resource, state: ListState, next: PageRef | undefined): void {
  const { data } = useExplorer();
  const { answers: arrived, pageHistory: trail, row } = state;
  const isDeep = arrived !== undefined && row >= arrived.keys.length / 2;
  const isLikely = next !== undefined && (trail.length > 0 || isDeep);
  useEffect(() => {
    if (isLikely) data.prefetch({ endpoint: request.endpoint, params: { ...request.params, ...next.params } });
  }, [data, request, next, isLikely]);
}
