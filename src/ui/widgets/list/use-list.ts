/** The hook of a list: its answer, its state and what follows from both. */
import { useEffect, useMemo, useRef } from "react";
import type { ZodType } from "zod";
import type { Json } from "../../../base/index.ts";
import {
  type Column,
  type Endpoint,
  type EntityName,
  type ParameterValues,
  positionalOf,
} from "../../../catalogue/index.ts";
import * as entities from "../../../catalogue/schemas.ts";
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

/** The source of a list. */
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
  /** The current request, and the displayed one: the previous page stays while another one loads. */
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
  /** The parameters without page and size. */
  readonly queryParams: ParameterValues;
  readonly clock: Clock;
  /** The parameters that the filter form does not change. */
  readonly identifierParams: readonly string[];
  /** The parameters that are no filters of the user: the identifiers and those that the page sets itself. */
  readonly presetParams: readonly string[];
  readonly layOut: (size: { readonly width: number; readonly height: number }) => ListLayout;
}

/** How often relative times are updated. */
const CLOCK_MS = 30_000;
const ENTITIES: Readonly<Record<EntityName, ZodType>> = entities;
const NO_ROWS: readonly Json[] = [];

/** Returns the list of a panel. */
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

/** The identifier of a list is not a filter. */
function identifierParamsOf(endpoint: Endpoint): readonly string[] {
  const [name] = positionalOf(endpoint) ?? [];
  return name === undefined ? [] : [name];
}

/** On its own route all parameters of a list are the user's; elsewhere the page sets some itself. */
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

/** Returns the identifier that the displayed rows belong to; undefined for several. */
function identifierIn({ request }: Resource, [name = ""]: readonly string[]): string | undefined {
  const value = request.params[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the clock of relative times: the time of the latest answer, updated periodically. */
function useClock(displayed: Resource): Clock {
  const { services } = useExplorer();
  const { timeZone, now } = services;
  const tick = Math.floor(useNow(CLOCK_MS) / CLOCK_MS);
  const { answer } = displayed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current time is read again with each tick and each answer.
  return useMemo(() => ({ style: "relative", now: now(), timeZone }), [now, timeZone, tick, answer]);
}

/** Returns the page size, chosen once from the first size of the window. */
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

/** A displayed answer and its page. */
interface DisplayedPage {
  readonly displayed: Resource;
  readonly page: PageRef;
}

/** Returns the previous answer until the new one has arrived or failed. */
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

/** Records the cost of answers and their new rows. */
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

/** Prefetches the next page once it is likely to be opened, since it costs units. */
function usePrefetch({ request }: Resource, state: ListState, nextPage: PageRef | undefined): void {
  const { data } = useExplorer();
  const { answers, pageHistory, row } = state;
  const isDeep = answers !== undefined && row >= answers.keys.length / 2;
  const isLikely = nextPage !== undefined && (pageHistory.length > 0 || isDeep);
  useEffect(() => {
    if (isLikely) data.prefetch({ endpoint: request.endpoint, params: { ...request.params, ...nextPage.params } });
  }, [data, request, nextPage, isLikely]);
}
