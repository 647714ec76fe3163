/** A list: its answer, what it remembers, and what both make. */
import { useEffect, useMemo, useRef } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../../base/json.ts";
import type { Column, Endpoint, EntityName } from "../../../catalogue/endpoint.ts";
import * as entities from "../../../catalogue/entities/index.ts";
import { type ParameterValues, positionalOf } from "../../../catalogue/index.ts";
import { type Clock, type Shape, shapeOf } from "../../../output/index.ts";
import { type Region, useExplorer, useHistoryEntry, useViewState } from "../../app/context.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import { type Resource, useNow, useResource } from "../../data/hooks.ts";
import { type EndpointRequest, queryKey } from "../../data/store.ts";
import { type ColumnMeasure, measureColumns } from "./column-layout.ts";
import { type ColumnSource, listColumns, tradeSidesFirst } from "./columns.ts";
import { createLinkFinder, type LinkFinder } from "./links.ts";
import { type ListLayout, layOutList, queryParamsOf, selectVisibleRows, type VisibleRows } from "./model.ts";
import { countRowsBefore, nextPageRef, type PageRef, pageSizeParam } from "./paging.ts";
import { INITIAL_LIST_STATE, type ListState, withAnswer } from "./reducer.ts";
import { buildTable, type CellTable } from "./table.ts";

/** What a list is of. */
export interface ListSource {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly region: Region;
  readonly part: string;
  readonly addressEntity?: EntityKind | undefined;
  readonly columns?: readonly Column[] | undefined;
}

/** A list. */
export interface List {
  readonly state: ListState;
  readonly set: (change: (rowsBefore: ListState) => ListState) => void;
  /** The answer that is asked for now, and the one that is on view: the one before while another page loads. */
  readonly resource: Resource;
  readonly displayed: Resource;
  readonly source: ColumnSource;
  readonly shape: Shape;
  readonly table: CellTable;
  readonly visible: VisibleRows;
  readonly measure: ColumnMeasure;
  readonly links: LinkFinder;
  readonly rowsBefore: number;
  readonly nextPage: PageRef | undefined;
  /** What is asked, without page and size. */
  readonly queryParams: ParameterValues;
  readonly clock: Clock;
  /** The parameters that the filter form does not change. */
  readonly identifierParams: readonly string[];
  /** The parameters that are no filter of the user: these, and what the screen around the list asks by itself. */
  readonly presetParams: readonly string[];
  readonly layOut: (size: { readonly width: number; readonly height: number }) => ListLayout;
}

/** Relative times are made anew so often. */
const CLOCK_MS = 30_000;
const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
const NO_ROWS: readonly Json[] = [];

/** The list of a panel. */
export function useList({
  endpoint,
  params,
  region,
  part,
  addressEntity,
  columns = endpoint.columns,
}: ListSource): List {
  const { services, data } = useExplorer();
  const [state, set] = useViewState<ListState>(part, INITIAL_LIST_STATE);
  const identifierParams = useMemo(() => identifierParamsOf(endpoint), [endpoint]);
  const queryParams = queryParamsOf(endpoint, params, identifierParams, state);
  const pageSize = usePageSize(endpoint, queryParams, region, state, set);
  const resource = useResource(endpoint, { ...pageSize, ...queryParams, ...state.page.params });
  const { displayed, page } = useDisplayedPage(resource, state.page);
  const rows = displayed.answer?.rows ?? NO_ROWS;
  const shape = useMemo(() => shapeOf(ENTITIES[endpoint.returns.entity]), [endpoint]);
  const clock = useClock(displayed);
  const chosenKeys = state.chosenColumns ?? services.memory.columns()[endpoint.route];
  const subjectId = identifierIn(displayed, identifierParams);
  const defaults = useMemo(() => tradeSidesFirst(columns, region.width), [columns, region.width]);
  const source = useMemo<ColumnSource>(
    () => ({ endpoint, shape, rows, defaults, chosenKeys, subjectId }),
    [endpoint, shape, rows, defaults, chosenKeys, subjectId],
  );
  const displayColumns = useMemo(() => listColumns(source), [source]);
  const table = useMemo(
    () => buildTable(rows, displayColumns, endpoint.identity, clock, data.nameOf),
    [rows, displayColumns, endpoint, clock, data],
  );
  const measure = useMemo(() => measureColumns(table), [table]);
  const visible = useMemo(
    () => selectVisibleRows(table, state.filter, state.sort, clock),
    [table, state.filter, state.sort, clock],
  );
  const links = useMemo(() => createLinkFinder(table, shape, addressEntity), [table, shape, addressEntity]);
  useAnswerHistory(resource, table, displayed, set);
  const rowsBefore = countRowsBefore(endpoint, displayed.request.params, page);
  const nextPage = resource.isLoading ? undefined : nextPageRef(resource.request.params, resource, rowsBefore);
  usePrefetch(resource, state, nextPage);
  return {
    state,
    set,
    resource,
    displayed,
    source,
    shape,
    table,
    visible,
    measure,
    links,
    rowsBefore,
    nextPage,
    queryParams,
    clock,
    identifierParams,
    presetParams: usePresetParams({ endpoint, params }, identifierParams, queryParams),
    layOut: (pageSize) => layOutList(state, visible, measure, table, pageSize),
  };
}

/** What a list is about is no filter of it. */
function identifierParamsOf(endpoint: Endpoint): readonly string[] {
  const [name] = positionalOf(endpoint) ?? [];
  return name === undefined ? [] : [name];
}

/** On a place of its own a list is asked for what the user wants; elsewhere the screen asks by itself as well. */
function usePresetParams(
  { endpoint, params }: EndpointRequest,
  identifierParams: readonly string[],
  queryParams: ParameterValues,
): readonly string[] {
  const { route } = useHistoryEntry();
  if (route.kind === "endpoint" && route.endpointRoute === endpoint.route) return identifierParams;
  return [
    ...identifierParams,
    ...Object.keys(params).filter((name) => String(queryParams[name]) === String(params[name])),
  ];
}

/** The identifier of what the rows on view are of; undefined where they are of several things. */
function identifierIn({ request }: Resource, [name = ""]: readonly string[]): string | undefined {
  const value = request.params[name];
  return typeof value === "string" ? value : undefined;
}

/** The clock that relative times are read from: that of the newest answer, and a later one now and then. */
function useClock(displayed: Resource): Clock {
  const { services } = useExplorer();
  const { timeZone, now } = services;
  const tick = Math.floor(useNow(CLOCK_MS) / CLOCK_MS);
  const { answer } = displayed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the present is read anew with each tick and each answer.
  return useMemo(() => ({ style: "relative", now: now(), timeZone }), [now, timeZone, tick, answer]);
}

/** The size of the pages: the one that fills the window in which the list is first seen. */
function usePageSize(
  endpoint: Endpoint,
  queryParams: ParameterValues,
  { height }: Region,
  state: ListState,
  set: List["set"],
): ParameterValues {
  const size = state.pageSize ?? pageSizeParam(endpoint, queryParams, height);
  const isStored = state.pageSize !== undefined;
  useEffect(() => {
    if (!isStored) set((before) => ({ ...before, pageSize: size }));
  });
  return size;
}

/** An answer on view, and its page. */
interface DisplayedPage {
  readonly displayed: Resource;
  readonly page: PageRef;
}

/** The answer before stays on view until the new one is there, or fails. */
function useDisplayedPage(resource: Resource, page: PageRef): DisplayedPage {
  const last = useRef<DisplayedPage>(undefined);
  const hasAnswer = resource.answer !== undefined;
  useEffect(() => {
    if (hasAnswer) last.current = { displayed: resource, page };
  }, [hasAnswer, resource, page]);
  const current = { displayed: resource, page };
  const isSame = last.current?.displayed.request.endpoint === resource.request.endpoint;
  return hasAnswer || !resource.isLoading || !isSame ? current : (last.current ?? current);
}

/** Counts what answers cost and marks what they bring. */
function useAnswerHistory(resource: Resource, table: CellTable, displayed: Resource, set: List["set"]): void {
  const { answer, at = 0, request } = resource;
  const isDisplayed = displayed === resource;
  const key = queryKey(request);
  useEffect(() => {
    if (!answer || !isDisplayed) return;
    const units = answer.age === undefined ? answer.request.cost : 0;
    set((state) => withAnswer(state, { request: key, answer, at, keys: table.keys, units }));
  });
}

/** Asks for the next page once it is likely to be wanted: it costs units. */
function usePrefetch({ request }: Resource, state: ListState, nextPage: PageRef | undefined): void {
  const { data } = useExplorer();
  const { answers, pageHistory, row } = state;
  const isDeep = answers !== undefined && row >= answers.keys.length / 2;
  const isLikely = nextPage !== undefined && (pageHistory.length > 0 || isDeep);
  useEffect(() => {
    if (isLikely) data.prefetch({ endpoint: request.endpoint, params: { ...request.params, ...nextPage.params } });
  }, [data, request, nextPage, isLikely]);
}
