/** The actions of a list. */

import { groupThousands } from "../../../base/index.ts";
import { isQuantity } from "../../../output/index.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { MAX_LOADED_ROWS } from "../../data/list-loads.ts";
import { saveListSettings } from "../../data/list-settings.ts";
import { withoutPage } from "../../data/query.ts";
import { FilterForm } from "../../form/filter-form.tsx";
import { type Explorer, useExplorer, useHistoryEntry } from "../../navigation/context.ts";
import { formatKeyHints, keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import { isSameRoute } from "../../navigation/route.ts";
import type { Movement } from "../viewport.ts";
import { type ColumnWidths, clampWidth, WIDTH_LIMITS } from "./column-layout.ts";
import { ColumnPicker } from "./column-picker.tsx";
import { apiSortKey, type ListColumn } from "./columns.ts";
import {
  applyParams,
  chipsOf,
  type FilterContext,
  failedOnly,
  filterByCell,
  removeAllFilters,
  removeChips,
  toggleFailedOnly,
} from "./filters/filter-actions.ts";
import type { ListActions, ListFlags } from "./keys.ts";
import { LinkMenu } from "./link-menu.tsx";
import { type RowLink, rowLinks } from "./links.ts";
import type { ListLayout } from "./model.ts";
import { typedPages } from "./pages/loading.ts";
import { FIRST_PAGE, pageNumber, pageRefOf } from "./pages/paging.ts";
import { rememberPreview } from "./preview.ts";
import { usePrompt } from "./prompt.ts";
import {
  type ListPrompt,
  type ListState,
  moveByColumns,
  moveCursor,
  moveToColumn,
  openPage,
  openPreviousPage,
  sortBy,
  toggleMark,
  withFilter,
  withLoaded,
} from "./reducer.ts";
import { isTimeColumn } from "./sort.ts";
import type { List } from "./use-list.ts";

/** The context of the actions. */
interface ActionContext extends FilterContext {
  /** Whether the preview is shown. */
  readonly hasPreview: boolean;
  readonly openPrompt: (prompt: ListPrompt, onDone: (state: ListState) => ListState) => void;
}

/** Returns the actions of a list, and which of them are available. */
export function useListActions(
  list: List,
  layout: ListLayout,
  hasPreview: boolean,
): { readonly actions: ListActions; readonly flags: ListFlags } {
  const explorer = useExplorer();
  const { route } = useHistoryEntry();
  const openPrompt = usePrompt(list.set, layout.viewport);
  const context: ActionContext = { list, layout, explorer, route, openPrompt, hasPreview };
  const actions: ListActions = {
    ...moveActions(context),
    ...pageActions(context),
    ...viewActions(context),
    ...filterActions(context),
    ...linkActions(context),
  };
  return { actions, flags: flagsOf(context) };
}

function moveActions({ list, layout: { viewport }, explorer }: ActionContext) {
  const { set, table } = list;
  return {
    moveRows: (movement: Movement) => {
      set((before) => moveCursor(before, movement, viewport));
      const isEnd = movement.distance === "end" && movement.direction > 0;
      const hint = formatKeyHints(keyLabelsOf(explorer), [["list.load", "load more"]]);
      if (isEnd && canLoad(list) && hint !== "")
        explorer.toast(`Last of the ${groupThousands(table.rows.length)} rows that are loaded · ${hint}`);
    },
    moveColumns: (columns: number) => set((before) => moveByColumns(before, columns, viewport)),
  };
}

/** Returns the number of the displayed page. */
function pageNumberOf({ displayed }: List): number | undefined {
  return pageNumber(displayed.request.endpoint, displayed.request.params);
}

function pageActions({ list, openPrompt, explorer }: ActionContext) {
  const { set, nextPage, resource, displayed } = list;
  const { endpoint } = displayed.request;
  const jump = (state: ListState) => {
    const typed = state.prompt?.kind === "page" ? state.prompt.text : "";
    const page = pageRefOf(endpoint, typed);
    if (!page && typed !== "") explorer.toast(`invalid page ${typed}: expected a number from 1`, "warning");
    return page ? openPage(state, page) : state;
  };
  return {
    nextPage: () => nextPage && set((before) => openPage(before, nextPage)),
    previousPage: () => {
      const fallback = pageRefOf(endpoint, String((pageNumberOf(list) ?? 1) - 1)) ?? FIRST_PAGE;
      set((before) => openPreviousPage(before, fallback));
    },
    jumpToPage: () => openPrompt({ kind: "page", text: "" }, jump),
    load: () => openPrompt({ kind: "load", text: "" }, (state) => startLoading(list, explorer, state)),
    refresh: () => {
      discardLoad(list, explorer);
      resource.refresh();
    },
    toggleAutoRefresh: () => set((before) => ({ ...before, isAutoRefreshing: !before.isAutoRefreshing })),
    cancel: () => {
      if (list.load.isLoading) return explorer.data.loads.stop(loadRequest(list, list.state));
      return resource.isLoading ? resource.cancel() : set((before) => withFilter(before, ""));
    },
  };
}

/** Returns the request of a list without its page, as it is loaded. */
function loadRequest({ source: { endpoint }, queryParams }: List, { loaded }: Pick<ListState, "loaded">) {
  return loaded ? { endpoint, params: loaded.params } : withoutPage({ endpoint, params: queryParams });
}

/** Loads as many pages as the prompt says, or all. */
function startLoading(list: List, { data }: Explorer, state: ListState): ListState {
  const request = loadRequest(list, state);
  const text = state.prompt?.kind === "load" ? state.prompt.text : "";
  data.loads.start(request, typedPages(text));
  return withLoaded(state, { params: request.params, queryParams: list.queryParams });
}

/** Shows the first page instead of loaded rows. */
function discardLoad(list: List, { data }: Explorer): void {
  if (!list.state.loaded) return;
  data.loads.discard(loadRequest(list, list.state));
  list.set((before) => withLoaded(before, undefined));
}

/** Returns whether a list has rows that are not loaded and that can be. */
function canLoad({ load, nextPage, source: { endpoint }, rowsBefore, table }: List): boolean {
  if (endpoint.returns.shape === "csv" || load.isLoading) return false;
  if (load.rows.length > 0) return !load.isComplete && load.rows.length < MAX_LOADED_ROWS;
  return nextPage !== undefined || (rowsBefore > 0 && table.rows.length > 0);
}

function viewActions(context: ActionContext) {
  const { list, layout, explorer, openPrompt } = context;
  const { set, visible, source } = list;
  const { viewport, selected, column } = layout;
  const row = visible.rows[selected];
  return {
    sort: () => column && set((before) => sortBy(before, sortChoice(list, column))),
    sortColumn: (index: number) => {
      const clicked = list.table.columns[index];
      if (clicked) set((before) => sortBy(moveToColumn(before, index, viewport), sortChoice(list, clicked)));
    },
    resizeColumn: (direction: 1 | -1) => resizeColumn(context, direction),
    filter: () => openPrompt({ kind: "filter" }, (before) => before),
    toggleMark: () => row !== undefined && set((before) => toggleMark(before, row, viewport)),
    compare: () => showComparison(context),
    togglePreview: () => {
      rememberPreview(explorer.data, !context.hasPreview);
      set((before) => ({ ...before, hasPreview: !context.hasPreview }));
    },
    chooseColumns: () =>
      explorer.setOverlay(
        <ColumnPicker
          source={source}
          widths={list.widths}
          onDone={(keys, widths) => {
            saveColumns(context, keys ?? []);
            saveWidths(context, widths);
          }}
        />,
      ),
    openForm: () => showForm(context),
  };
}

const rowOptions = ({ shape, source: { endpoint } }: List) => ({ shape, endpoint });

/** Opens a comparison of the marked rows, each with its main link. */
function showComparison({ list, explorer }: ActionContext): void {
  const rows = [...list.state.marks.values()];
  const marked = rows.slice(0, MAX_COMPARED).map((row) => ({ row, route: rowLinks(row, rowOptions(list))[0]?.route }));
  explorer.setOverlay(<Compare marked={marked} shape={list.shape} />);
  if (rows.length > MAX_COMPARED)
    explorer.toast(`${rows.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
}

function sortChoice({ displayed, table, state }: List, column: ListColumn) {
  const { endpoint } = displayed.request;
  return {
    column: column.key,
    highestFirst: isQuantity(column.sources[0]?.meta?.kind),
    // Loaded rows are sorted as they are, without requesting them again.
    api: state.loaded ? undefined : apiSortKey(endpoint, column, table.columns),
    apiAscends: endpoint.query.sort_order !== undefined,
  };
}

/** Makes the column at the cursor wider or narrower, here and whenever this endpoint is listed. */
function resizeColumn({ list, layout, explorer }: ActionContext, direction: 1 | -1): void {
  const { column, columnIndex, columns } = layout;
  const current = columns.visible.find(({ index }) => index === columnIndex)?.width;
  if (!column || current === undefined) return;
  const width = clampWidth(current + direction * WIDTH_LIMITS.step);
  saveWidths({ list, explorer }, { ...list.widths, [column.key]: width });
}

function saveWidths({ list, explorer }: Pick<ActionContext, "list" | "explorer">, widths: ColumnWidths): void {
  list.set((before) => ({ ...before, widths }));
  const isDefault = Object.keys(widths).length === 0;
  saveListSettings(explorer.services, list.source.endpoint.route, ({ widths: _before, ...others }) =>
    isDefault ? others : { ...others, widths },
  );
}

/** Applies other columns, here and whenever this endpoint is listed; an empty list restores the defaults. */
function saveColumns({ list, explorer }: ActionContext, keys: readonly string[]): void {
  const { memory } = explorer.services;
  const { route } = list.source.endpoint;
  const { [route]: _before, ...others } = memory.columns();
  list.set((before) => ({ ...before, chosenColumns: keys, column: 0, firstScrolled: 1 }));
  memory
    .setColumns(keys.length === 0 ? others : { ...others, [route]: keys })
    .catch(() => explorer.toast("The columns could not be saved.", "warning"));
}

function showForm(context: ActionContext): void {
  const { source, queryParams, identifierParams } = context.list;
  context.explorer.setOverlay(
    <FilterForm
      endpoint={source.endpoint}
      params={queryParams}
      fixed={identifierParams}
      onDone={(entered) => entered && applyParams(context, entered)}
    />,
  );
}

function filterActions(context: ActionContext) {
  const { list, explorer } = context;
  const chips = () => chipsOf(list, explorer.data.nameOf);
  return {
    onlyValue: () => filterByCell(context, false),
    withoutValue: () => filterByCell(context, true),
    toggleFailed: () => toggleFailedOnly(context),
    removeFilter: (index?: number) =>
      removeChips(
        context,
        chips()
          .slice(index ?? -1)
          .slice(0, 1),
      ),
    removeFilters: () => removeAllFilters(context, chips()),
  };
}

function linkActions(context: ActionContext) {
  const { explorer } = context;
  const { link, links } = linksAt(context);
  return {
    openLink: () => link && explorer.navigation.open(link.route),
    chooseLink: () => explorer.setOverlay(<LinkMenu links={links} />),
  };
}

/** The link that opens, and all links of the row. */
interface LinkChoice {
  readonly link: RowLink | undefined;
  readonly links: readonly RowLink[];
}

/**
 * Returns the links of the row at the cursor, without the current route: what the row is about opens, or the link of the
 * cell once the cursor was moved to it.
 */
function linksAt({ list, layout, route }: ActionContext): LinkChoice {
  const row = list.visible.matches[layout.selected];
  if (row === undefined) return { link: undefined, links: [] };
  const others = (links: readonly RowLink[]) => links.filter((link) => !isSameRoute(link.route, route));
  const isMoved = list.state.column !== undefined && layout.columnIndex > 0;
  const links = others(list.links.row(row));
  const [ofCell] = isMoved ? others(list.links.cell(row, layout.columnIndex)) : [];
  return { link: ofCell ?? links[0], links };
}

function flagsOf(context: ActionContext): ListFlags {
  const { list, layout, explorer, hasPreview } = context;
  const { state, resource, load, table, nextPage, source, identifierParams } = list;
  const { endpoint } = source;
  const { link, links } = linksAt(context);
  const pageNumber = pageNumberOf(list) ?? 1;
  const filterKey = state.filter === "" ? undefined : "clear filter";
  const isLoaded = load.rows.length > 0;
  const isLaterPage = !isLoaded && (state.pageHistory.length > 0 || pageNumber > 1);
  // Exports are limited to one a minute, and are not lists that grow.
  const canAutoRefresh = endpoint.returns.shape !== "csv" && !isLoaded;
  return {
    hasRows: table.rows.length > 0,
    columnCount: table.columns.length,
    openLabel: link && (link.route.kind === "entity" ? `open ${link.route.entity}` : "open"),
    linkCount: links.length,
    hasNext: nextPage !== undefined,
    hasPrevious: isLaterPage,
    isLaterPage,
    canJump: !isLoaded && endpoint.paging === "page" && (nextPage !== undefined || pageNumber > 1),
    canLoad: canLoad(list),
    isLoaded,
    hasForm: Object.keys(endpoint.query).some((name) => !identifierParams.includes(name)),
    hasPreview,
    hasHiddenColumns: layout.columns.visible.length < table.columns.length,
    isGrowing: canAutoRefresh && !isLaterPage && !state.sort && table.columns.some(isTimeColumn),
    markedCount: state.marks.size,
    failedOnly: failedOnly(list),
    filterCount: chipsOf(list, explorer.data.nameOf).length,
    canAutoRefresh,
    isAutoRefreshing: state.isAutoRefreshing,
    cancelLabel: resource.isLoading || load.isLoading ? "stop loading" : filterKey,
  };
}
