/** The hook of a list: its answer, its state and what follows from both. */

import { useEffect, useMemo, useRef } from "react";
import { type Json, omitUndefined } from "../../../base/index.ts";
import type { Shape } from "../../../catalogue/index.ts";
import { type Column, type Endpoint, type ParameterValues, positionalOf } from "../../../catalogue/index.ts";
import { type Clock, fieldNames } from "../../../output/index.ts";
import { type Resource, useAgeTime, useListLoad, useNameOf, usePriceTrends, useResource } from "../../data/hooks.ts";
import {
  type Region,
  type Size,
  useExplorer,
  useHistoryEntry,
  usePane,
  useViewState,
} from "../../navigation/context.ts";
import { type EndpointRequest, type ListLoad, type PriceTrends, queryKey } from "../../navigation/data-store.ts";
import type { ListSettings, ListSort } from "../../navigation/list-settings.ts";
import type { Services } from "../../navigation/services.ts";
import { answerShape } from "../cells.ts";
import { type ColumnWidths, createColumnMeasurer } from "./column-layout.ts";
import {
  apiSortKey,
  type ColumnSource,
  DERIVED_VALUE,
  listColumns,
  mintField,
  rangedFields,
  requestedSort,
  tradeSidesFirst,
} from "./columns.ts";
import { listFormat } from "./kept.ts";
import { createLinkFinder, type LinkFinder } from "./links.ts";
import { createQueryParams, type ListContent, type ListLayout, layOutList } from "./model.ts";
import { countRowsBefore, nextPageRef, type PageRef, pageSizeParam, totalRows } from "./paging.ts";
import { INITIAL_LIST_STATE, type ListState, withAnswer, withRows } from "./reducer.ts";
import { useRowValues } from "./row-values.ts";
import { naturalColumn, type SetRows, selectVisibleRows } from "./rows.ts";
import { buildTable, type CellTable, searchTexts } from "./table.ts";

/** What a list shows, and where. */
export interface ListSource {
  readonly endpoint: Endpoint;
  /** The parameters; the filters and the order of the user are added by the panel and stored with the history entry. */
  readonly params: ParameterValues;
  readonly region: Region;
  /** Distinguishes the panels of a page. */
  readonly part: string;
  /** Columns that replace those of the catalogue. */
  readonly columns?: readonly Column[] | undefined;
}

interface ListRows extends ListContent {
  readonly source: ColumnSource;
  readonly shape: Shape;
  readonly links: LinkFinder;
  readonly clock: Clock;
  /** Prices of the last days of the tokens, where the list has some. */
  readonly trends: PriceTrends | undefined;
}

/** The current request, and the displayed one: the previous page stays while another one loads. */
interface ListRequests {
  readonly resource: Resource;
  readonly displayed: Resource;
  /** The parameters without page and size. */
  readonly queryParams: ParameterValues;
  /** The parameters that the filter form does not change. */
  readonly identifierParams: readonly string[];
  /** The parameters that are no filters of the user: the identifiers and those that the page sets itself. */
  readonly presetParams: readonly string[];
}

interface ListExtent {
  /** What is loaded beyond one page; it is displayed once it has rows. */
  readonly load: ListLoad;
  /** The number of rows of the list, where it is known. */
  readonly total: number | undefined;
  readonly rowsBefore: number;
  readonly nextPage: PageRef | undefined;
}

/** A list. */
export interface List extends ListRows, ListRequests, ListExtent {
  readonly state: ListState;
  /** The order that the user chose or the request sets. */
  readonly sort: ListSort | undefined;
  readonly set: (change: (before: ListState) => ListState) => void;
  readonly setRows: SetRows;
  readonly layOut: (size: Size) => ListLayout;
}

const NO_ROWS: readonly Json[] = [];
const NO_SETTINGS: ListSettings = {};
const NO_WIDTHS: ColumnWidths = {};

/** Returns the list of a panel. */
export function useList({ endpoint, params, region, part, columns = endpoint.columns }: ListSource): List {
  const sentShape = useMemo(() => answerShape(endpoint), [endpoint]);
  const { state, set, saved } = useListState({ endpoint, params }, part, sentShape);
  // The identifier of a list is not a filter.
  const [identifier] = positionalOf(endpoint) ?? [];
  const identifierParams = identifier === undefined ? [] : [identifier];
  const queryParams = createQueryParams(endpoint, params, identifierParams, { ...state.query, sort: state.rows.sort });
  const pageSize = usePageSize(endpoint, queryParams, region, state, set);
  const resource = useResource(endpoint, { ...pageSize, ...queryParams, ...state.query.page.params });
  const { displayed, page } = useDisplayedPage(resource, state.query.page);
  const sent = useDisplayedRows(endpoint, state, displayed);
  const { load, isLoaded, columnRows } = sent;
  const chosenKeys = state.chosenColumns ?? saved.columns;
  const sortKeys = [state.rows.sort?.column ?? queryParams.sort_by ?? []].flat().map(String);
  const neededKeys = [
    ...sortKeys,
    ...rangedFields(endpoint, displayed.request.params, fieldNames(sentShape, columnRows)),
  ];
  const isValued = [...neededKeys, ...(chosenKeys ?? [])].includes(DERIVED_VALUE);
  const { rows, shape } = useRowValues(sent.rows, sentShape, isValued, part);
  const clock = useClock(displayed);
  const subjectId = identifierIn(displayed, identifierParams);
  const trends = usePriceTrends(mintField(endpoint) !== undefined);
  const defaults = useMemo(() => tradeSidesFirst(columns, region.width), [columns, region.width]);
  const hasTrends = trends !== undefined;
  const needed = neededKeys.join();
  const source = useMemo(
    () => ({
      ...{ endpoint, shape, rows: columnRows, defaults, subjectId, hasTrends, chosenKeys },
      neededKeys: needed.split(","),
    }),
    [endpoint, shape, columnRows, defaults, subjectId, hasTrends, chosenKeys, needed],
  );
  const content = {
    ...useListContent(rows, source, state, { clock, isGrowing: load.isLoading }),
    widths: state.widths ?? saved.widths ?? NO_WIDTHS,
  };
  const { table } = content;
  const links = useMemo(() => createLinkFinder(table, { endpoint, shape }), [table, endpoint, shape]);
  useAnswerHistory(resource, isLoaded ? undefined : table, displayed, set);
  useSearchTexts(isLoaded ? table : undefined, clock);
  const rowsBefore = isLoaded ? 0 : countRowsBefore(endpoint, displayed.request.params, page);
  const nextPage =
    resource.isLoading || isLoaded ? undefined : nextPageRef(resource.request.params, resource, rowsBefore);
  // A pane shows the beginning of a list.
  usePrefetch(resource, state, usePane().pane ? undefined : nextPage);
  return {
    ...content,
    state,
    sort: state.rows.sort ?? requestedSort(endpoint, queryParams, table.columns),
    set,
    setRows: (change) => set((before) => withRows(before, change)),
    resource,
    displayed,
    load,
    total: load.isComplete ? load.rows.length : (load.total ?? totalRows(endpoint, displayed, rowsBefore)),
    source,
    shape,
    links,
    rowsBefore,
    nextPage,
    queryParams,
    clock,
    trends,
    identifierParams,
    presetParams: usePresetParams({ endpoint, params }, identifierParams, queryParams),
    layOut: (pageSize) => layOutList(state.rows, content, pageSize),
  };
}

/**
 * Returns the state of a list, and what the user chose for its endpoint before. A new list has the order of that, too,
 * unless its parameters set one or it is a part of a page.
 */
function useListState({ endpoint, params }: EndpointRequest, part: string, shape: Shape) {
  const { services } = useExplorer();
  const { route } = useHistoryEntry();
  const saved = services.memory.lists()[endpoint.route] ?? NO_SETTINGS;
  const { sort } = saved;
  const isSorted = sort !== undefined && params.sort_by === undefined && route.kind !== "page";
  const initial = isSorted ? withRows(INITIAL_LIST_STATE, (rows) => ({ ...rows, sort })) : INITIAL_LIST_STATE;
  const [state, set] = useViewState<ListState>(part, initial, listFormat(shape));
  useSavedSort(endpoint, state);
  return { state, set, saved };
}

function useSavedSort({ route }: Endpoint, { rows: { sort } }: ListState): void {
  const { services } = useExplorer();
  const last = useRef(sort);
  useEffect(() => {
    if (last.current === sort) return;
    last.current = sort;
    saveListSettings(services, route, { sort });
  }, [services, route, sort]);
}

/** Returns the rows that are displayed: those of the page, or all that are loaded, and those that decide on columns. */
function useDisplayedRows(endpoint: Endpoint, { query: { loaded } }: ListState, { answer }: Resource) {
  const load = useListLoad(endpoint, loaded?.params);
  const isLoaded = load.rows.length > 0;
  const pageRows = answer?.rows ?? NO_ROWS;
  return {
    load,
    isLoaded,
    rows: isLoaded ? load.rows : pageRows,
    // The columns of a long list follow from its first page.
    columnRows: isLoaded ? load.firstRows : pageRows,
  };
}

function useListContent(
  rows: readonly Json[],
  source: ColumnSource,
  state: ListState,
  { clock, isGrowing }: { readonly clock: Clock; readonly isGrowing: boolean },
): Omit<ListContent, "widths"> {
  const nameOf = useNameOf();
  const { endpoint } = source;
  const columns = useMemo(() => listColumns(source), [source]);
  const table = useMemo(
    () => buildTable(rows, columns, endpoint.identity, clock, nameOf),
    [rows, columns, endpoint, clock, nameOf],
  );
  const measureColumns = useMemo(createColumnMeasurer, []);
  const measure = useMemo(() => measureColumns(table, isGrowing), [measureColumns, table, isGrowing]);
  const { filter, cellFilters, sort } = state.rows;
  const visible = useMemo(
    () => selectVisibleRows(table, { filter, cellFilters, sort }, () => searchTexts(table, clock)),
    [table, filter, cellFilters, sort, clock],
  );
  return {
    table,
    measure,
    visible,
    naturalColumn: useMemo(
      () => naturalColumn(columns, (column) => apiSortKey(endpoint, column, columns) !== undefined),
      [endpoint, columns],
    ),
  };
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
function useClock({ answer }: Resource): Clock {
  const { timeZone } = useExplorer().services;
  const now = useAgeTime(answer);
  return useMemo(() => ({ style: "relative", now, timeZone }), [now, timeZone]);
}

/** Returns the page size, chosen once from the first size of the window. */
function usePageSize(
  endpoint: Endpoint,
  queryParams: ParameterValues,
  { height }: Region,
  state: ListState,
  set: List["set"],
): ParameterValues {
  const { pane } = usePane();
  const size = state.query.pageSize ?? pageSizeParam(endpoint, queryParams, pane?.fullHeight ?? height);
  const isStored = state.query.pageSize !== undefined;
  useEffect(() => {
    if (!isStored) set((before) => ({ ...before, query: { ...before.query, pageSize: size } }));
  });
  return size;
}

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

function useAnswerHistory(
  resource: Resource,
  table: CellTable | undefined,
  displayed: Resource,
  set: List["set"],
): void {
  const { answer, at = 0, request } = resource;
  const isDisplayed = displayed === resource;
  const key = queryKey(request);
  useEffect(() => {
    if (!answer || !isDisplayed || !table) return;
    const units = answer.age === undefined ? answer.request.cost : undefined;
    set((state) => withAnswer(state, { request: key, answer, at, keys: table.keys, units }));
  });
}

/** Creates the search texts of a long list while it is loaded, so that a filter need not wait for them. */
function useSearchTexts(table: CellTable | undefined, clock: Clock): void {
  useEffect(() => {
    if (table) searchTexts(table, clock);
  }, [table, clock]);
}

/**
 * Prefetches the next page once it is likely to be opened, since it costs units. While a list refreshes by itself, each
 * refresh has another next page.
 */
function usePrefetch({ request }: Resource, state: ListState, nextPage: PageRef | undefined): void {
  const { data, services } = useExplorer();
  const { answers, query, rows, isAutoRefreshing } = state;
  const isDeep = answers !== undefined && rows.row >= answers.keys.length / 2;
  // Where a row may cost a call, the next page is read when it is opened.
  const isCheap = !services.source.facts.omitsUnknown && !isAutoRefreshing;
  const isLikely = nextPage !== undefined && isCheap && (query.pageHistory.length > 0 || isDeep);
  useEffect(() => {
    if (isLikely) data.prefetch({ endpoint: request.endpoint, params: { ...request.params, ...nextPage.params } });
  }, [data, request, nextPage, isLikely]);
}

/** Changes the settings of an endpoint for later lists; what is undefined is that of the catalogue again. */
export function saveListSettings(
  { memory }: Pick<Services, "memory">,
  route: string,
  changes: Partial<ListSettings>,
): void {
  const { [route]: before, ...others } = memory.lists();
  const after: ListSettings = omitUndefined<unknown>({ ...before, ...changes });
  // The memory logs a failure.
  void memory.setLists(Object.keys(after).length === 0 ? others : { ...others, [route]: after });
}
