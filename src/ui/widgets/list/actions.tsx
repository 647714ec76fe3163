/** The actions of a list. */

import type { ParameterValues } from "../../../catalogue/index.ts";
import { type Explorer, useExplorer, useHistoryEntry } from "../../app/context.ts";
import { isSameRoute, type Route } from "../../app/route.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { FilterForm } from "../../form/filter-form.tsx";
import type { Movement } from "../viewport.ts";
import { ColumnPicker } from "./column-picker.tsx";
import { apiSortKey, type ListColumn } from "./columns.ts";
import type { ListActions, ListFlags } from "./keys.ts";
import { LinkMenu } from "./link-menu.tsx";
import { type RowLink, rowLinks } from "./links.ts";
import type { ListLayout } from "./model.ts";
import { FIRST_PAGE, pageNumber, pageRefOf } from "./paging.ts";
import { usePrompt } from "./prompt.ts";
import {
  type ListPrompt,
  type ListState,
  moveByColumns,
  moveCursor,
  openPage,
  openPreviousPage,
  sortBy,
  toggleMark,
  withFilter,
  withFormParams,
} from "./reducer.ts";
import { isQuantity } from "./sort.ts";
import type { List } from "./use-list.ts";

/** The context of the actions. */
interface ActionContext {
  readonly list: List;
  readonly layout: ListLayout;
  readonly explorer: Explorer;
  readonly route: Route;
  readonly openPrompt: (prompt: ListPrompt, onDone: (state: ListState) => ListState) => void;
}

/** Returns the actions of a list, and which of them are available. */
export function useListActions(
  list: List,
  layout: ListLayout,
): { readonly actions: ListActions; readonly flags: ListFlags } {
  const explorer = useExplorer();
  const { route } = useHistoryEntry();
  const openPrompt = usePrompt(list.set, layout.viewport);
  const context: ActionContext = { list, layout, explorer, route, openPrompt };
  const links = linksAt(context);
  const actions: ListActions = {
    ...moveActions(context),
    ...pageActions(context),
    ...viewActions(context),
    openLink: () => openLinks(explorer, links),
  };
  return { actions, flags: flagsOf(context, links) };
}

function moveActions({ list: { set }, layout: { viewport } }: ActionContext) {
  return {
    moveRows: (movement: Movement) => set((before) => moveCursor(before, movement, viewport)),
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
    refresh: resource.refresh,
    toggleAutoRefresh: () => set((before) => ({ ...before, isAutoRefreshing: !before.isAutoRefreshing })),
    cancel: () => (resource.isLoading ? resource.cancel() : set((before) => withFilter(before, ""))),
  };
}

function viewActions(context: ActionContext) {
  const { list, layout, explorer, openPrompt } = context;
  const { set, visible, source } = list;
  const { viewport, selected, column } = layout;
  const row = visible.rows[selected];
  return {
    sort: () => column && set((before) => sortBy(before, sortChoice(list, column))),
    filter: () => openPrompt({ kind: "filter" }, (before) => before),
    toggleMark: () => row !== undefined && set((before) => toggleMark(before, row, viewport)),
    compare: () => showComparison(context),
    togglePreview: () => set((before) => ({ ...before, hasPreview: !before.hasPreview })),
    chooseColumns: () =>
      explorer.setOverlay(<ColumnPicker source={source} onDone={(keys) => saveColumns(context, keys ?? [])} />),
    openForm: () => showForm(context),
  };
}

/** Opens a comparison of the marked rows, each with its main link. */
function showComparison({ list, explorer }: ActionContext): void {
  const rows = [...list.state.marks.values()];
  const marked = rows.slice(0, MAX_COMPARED).map((row) => ({ row, route: rowLinks(row, list.shape)[0]?.route }));
  explorer.setOverlay(<Compare marked={marked} shape={list.shape} />);
  if (rows.length > MAX_COMPARED)
    explorer.toast(`${rows.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
}

function sortChoice({ displayed, table }: List, column: ListColumn) {
  const { endpoint } = displayed.request;
  return {
    column: column.key,
    highestFirst: isQuantity(column.sources[0]?.meta?.kind),
    api: apiSortKey(endpoint, column, table.columns),
    apiAscends: endpoint.query.sort_order !== undefined,
  };
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

function showForm({ list, explorer, route }: ActionContext): void {
  const { source, queryParams, identifierParams } = list;
  const { endpoint } = source;
  const onDone = (entered: ParameterValues | undefined) => {
    if (!entered) return;
    if (route.kind !== "endpoint" || route.endpointRoute !== endpoint.route)
      return list.set((before) => withFormParams(before, entered));
    // When the route is this list, its parameters are in the route, where bookmarks and the command line read them.
    const identifiers = Object.fromEntries(
      Object.entries(route.params).filter(([name]) => identifierParams.includes(name)),
    );
    explorer.navigation.replace({ ...route, params: { ...identifiers, ...entered } });
    list.set((before) => withFormParams(before, undefined));
  };
  explorer.setOverlay(<FilterForm endpoint={endpoint} params={queryParams} fixed={identifierParams} onDone={onDone} />);
}

/** Returns the links that Enter opens: those of the cell, otherwise those of the row, without the current route. */
function linksAt({ list, layout, route }: ActionContext): readonly RowLink[] {
  const row = list.visible.matches[layout.selected];
  if (row === undefined) return [];
  const others = (links: readonly RowLink[]) => links.filter((link) => !isSameRoute(link.route, route));
  const ofCell = others(list.links.cell(row, layout.columnIndex));
  return ofCell.length > 0 ? ofCell : others(list.links.row(row));
}

function openLinks({ navigation, setOverlay }: Explorer, links: readonly RowLink[]): void {
  const [first, second] = links;
  if (first && second) setOverlay(<LinkMenu links={links} />);
  else if (first) navigation.open(first.route);
}

function flagsOf({ list }: ActionContext, links: readonly RowLink[]): ListFlags {
  const { state, resource, table, nextPage, source, identifierParams } = list;
  const { endpoint } = source;
  const pageNumber = pageNumberOf(list) ?? 1;
  const filterKey = state.filter === "" ? undefined : "clear filter";
  return {
    hasRows: table.rows.length > 0,
    columnCount: table.columns.length,
    canOpen: links.length > 0,
    hasNext: nextPage !== undefined,
    hasPrevious: state.pageHistory.length > 0 || pageNumber > 1,
    canJump: endpoint.paging === "page" && (nextPage !== undefined || pageNumber > 1),
    hasForm: Object.keys(endpoint.query).some((name) => !identifierParams.includes(name)),
    hasPreview: state.hasPreview,
    markedCount: state.marks.size,
    // Exports are limited to one a minute, and are not lists that grow.
    canAutoRefresh: endpoint.returns.shape !== "csv",
    isAutoRefreshing: state.isAutoRefreshing,
    cancelLabel: resource.isLoading ? "stop loading" : filterKey,
  };
}
