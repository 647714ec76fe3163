/** What the keys of a list do. */

import type { ParameterValues } from "../../../catalogue/index.ts";
import { type Explorer, useExplorer, useHistoryEntry } from "../../app/context.ts";
import { isSameRoute, type Route } from "../../app/route.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { FilterForm } from "../../form/filter-form.tsx";
import type { Movement } from "../viewport.ts";
import { ColumnPicker } from "./column-picker.tsx";
import { apiSortKey, type ListColumn } from "./columns.ts";
import type { ListFacts, ListOps } from "./keys.ts";
import { LinkMenu } from "./link-menu.tsx";
import { type RowLink, rowLinks } from "./links.ts";
import type { Stand } from "./model.ts";
import { FIRST_PAGE, pageNumber, spotOfPage } from "./paging.ts";
import { usePrompt } from "./prompt.ts";
import {
  backPage,
  byColumns,
  type ListState,
  moveRows,
  type Prompt,
  sortBy,
  toggleMark,
  toPage,
  withAsked,
  withFilter,
} from "./reducer.ts";
import { isQuantity } from "./sort.ts";
import type { List } from "./use-list.ts";

/** What keys are pressed in. */
interface Scene {
  readonly list: List;
  readonly stand: Stand;
  readonly explorer: Explorer;
  readonly place: Route;
  readonly openPrompt: (prompt: Prompt, done: (state: ListState) => ListState) => void;
}

/** What keys do, and what of it would do something now. */
export function useOps(list: List, stand: Stand): { readonly ops: ListOps; readonly facts: ListFacts } {
  const explorer = useExplorer();
  const { route: place } = useHistoryEntry();
  const openPrompt = usePrompt(list.set, stand.sight);
  const scene: Scene = { list, stand, explorer, place, openPrompt };
  const links = linksAt(scene);
  const ops: ListOps = {
    ...moveOps(scene),
    ...pageOps(scene),
    ...viewOps(scene),
    follow: () => follow(explorer, links),
  };
  return { ops, facts: factsOf(scene, links) };
}

function moveOps({ list: { set }, stand: { sight } }: Scene) {
  return {
    moveRows: (movement: Movement) => set((before) => moveRows(before, movement, sight)),
    moveColumns: (columns: number) => set((before) => byColumns(before, columns, sight)),
  };
}

/** The number of the page on view. */
function numberOf({ shown }: List): number | undefined {
  return pageNumber(shown.request.endpoint, shown.request.params);
}

function pageOps({ list, openPrompt, explorer }: Scene) {
  const { set, next, resource, shown } = list;
  const { endpoint } = shown.request;
  const jump = (state: ListState) => {
    const typed = state.prompt?.kind === "page" ? state.prompt.text : "";
    const spot = spotOfPage(endpoint, typed);
    if (!spot && typed !== "") explorer.toast(`${typed} is no page: pages count from 1.`, "warning");
    return spot ? toPage(state, spot) : state;
  };
  return {
    nextPage: () => next && set((before) => toPage(before, next)),
    backPage: () => {
      const fallback = spotOfPage(endpoint, String((numberOf(list) ?? 1) - 1)) ?? FIRST_PAGE;
      set((before) => backPage(before, fallback));
    },
    jump: () => openPrompt({ kind: "page", text: "" }, jump),
    refresh: resource.refresh,
    auto: () => set((before) => ({ ...before, isAuto: !before.isAuto })),
    cancel: () => (resource.isLoading ? resource.cancel() : set((before) => withFilter(before, ""))),
  };
}

function viewOps(scene: Scene) {
  const { list, stand, explorer, openPrompt } = scene;
  const { set, chosen, source } = list;
  const { sight, selected, column } = stand;
  const row = chosen.rows[selected];
  return {
    sort: () => column && set((before) => sortBy(before, sortChoice(list, column))),
    filter: () => openPrompt({ kind: "filter" }, (before) => before),
    mark: () => row !== undefined && set((before) => toggleMark(before, row, sight)),
    compare: () => openComparison(scene),
    preview: () => set((before) => ({ ...before, hasPreview: !before.hasPreview })),
    columns: () =>
      explorer.setOverlay(<ColumnPicker source={source} onDone={(keys) => chooseColumns(scene, keys ?? [])} />),
    form: () => openForm(scene),
  };
}

/** Lays the marked rows beside each other, each with the thing that it is about. */
function openComparison({ list, explorer }: Scene): void {
  const rows = [...list.state.marks.values()];
  const marked = rows.slice(0, MAX_COMPARED).map((row) => ({ row, place: rowLinks(row, list.shape)[0]?.place }));
  explorer.setOverlay(<Compare marked={marked} shape={list.shape} />);
  if (rows.length > MAX_COMPARED)
    explorer.toast(`${rows.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
}

function sortChoice({ shown, table }: List, column: ListColumn) {
  const { endpoint } = shown.request;
  return {
    column: column.key,
    greatestFirst: isQuantity(column.sources[0]?.meta?.kind),
    api: apiSortKey(endpoint, column, table.columns),
    apiAscends: endpoint.query.sort_order !== undefined,
  };
}

/** Shows other columns, here and whenever this endpoint is listed; none stands for the usual ones. */
function chooseColumns({ list, explorer }: Scene, keys: readonly string[]): void {
  const { memory } = explorer.services;
  const { route } = list.source.endpoint;
  const { [route]: _before, ...others } = memory.columns();
  list.set((before) => ({ ...before, chosen: keys, column: 0, left: 1 }));
  memory
    .setColumns(keys.length === 0 ? others : { ...others, [route]: keys })
    .catch(() => explorer.toast("The columns could not be kept for the next time.", "warning"));
}

function openForm({ list, explorer, place }: Scene): void {
  const { source, base, fixed } = list;
  const { endpoint } = source;
  const done = (entered: ParameterValues | undefined) => {
    if (!entered) return;
    if (place.kind !== "endpoint" || place.endpointRoute !== endpoint.route)
      return list.set((before) => withAsked(before, entered));
    // A place that is this list tells what is asked itself: bookmarks and the command line know of it.
    const kept = Object.fromEntries(Object.entries(place.params).filter(([name]) => fixed.includes(name)));
    explorer.navigation.replace({ ...place, params: { ...kept, ...entered } });
    list.set((before) => withAsked(before, undefined));
  };
  explorer.setOverlay(<FilterForm endpoint={endpoint} params={base} fixed={fixed} onDone={done} />);
}

/** The places that Enter leads to: those of the cell, else those of the row; where one is already is none. */
function linksAt({ list, stand, place }: Scene): readonly RowLink[] {
  const row = list.chosen.matches[stand.selected];
  if (row === undefined) return [];
  const others = (links: readonly RowLink[]) => links.filter((link) => !isSameRoute(link.place, place));
  const own = others(list.links.cell(row, stand.columnIndex));
  return own.length > 0 ? own : others(list.links.row(row));
}

function follow({ navigation, setOverlay }: Explorer, links: readonly RowLink[]): void {
  const [first, second] = links;
  if (first && second) setOverlay(<LinkMenu links={links} />);
  else if (first) navigation.open(first.place);
}

function factsOf({ list }: Scene, links: readonly RowLink[]): ListFacts {
  const { state, resource, table, next, source, fixed } = list;
  const { endpoint } = source;
  const number = numberOf(list) ?? 1;
  const filterKey = state.filter === "" ? undefined : "clear filter";
  return {
    hasRows: table.rows.length > 0,
    columns: table.columns.length,
    canFollow: links.length > 0,
    hasNext: next !== undefined,
    hasBack: state.trail.length > 0 || number > 1,
    canJump: endpoint.paging === "page" && (next !== undefined || number > 1),
    hasForm: Object.keys(endpoint.query).some((name) => !fixed.includes(name)),
    hasPreview: state.hasPreview,
    marked: state.marks.size,
    // Exports are asked for once a minute at most, and are no lists to look at while they grow.
    canAuto: endpoint.returns.shape !== "csv",
    isAuto: state.isAuto,
    cancels: resource.isLoading ? "stop loading" : filterKey,
  };
}
