/** The actions of a list. */

import { groupThousands } from "../../../base/index.ts";
import { isQuantity } from "../../../output/index.ts";
import { MAX_LOADED_ROWS } from "../../data/list-loads.ts";
import { withoutPage } from "../../data/query.ts";
import { type Explorer, useExplorer, useHistoryEntry } from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import type { FieldLink } from "../../navigation/popups.ts";
import { isSameRoute } from "../../navigation/route.ts";
import { useTextInput } from "../text-input.ts";
import { type Movement, moveBindings } from "../viewport.ts";
import { type ColumnWidths, clampWidth, WIDTH_LIMITS } from "./column-layout.ts";
import { columnOptions } from "./column-picker.tsx";
import { apiSortKey, type ListColumn } from "./columns.ts";
import {
  applyParams,
  type FilterContext,
  failedOnly,
  filterByCell,
  listChips,
  removeAllFilters,
  removeChips,
  toggleFailedOnly,
} from "./filter-actions.ts";
import { rowLinks } from "./links.ts";
import { typedPages } from "./loading.ts";
import type { ListLayout } from "./model.ts";
import { FIRST_PAGE, pageNumber, parsePageRef } from "./paging.ts";
import {
  editPrompt,
  type ListPrompt,
  type ListState,
  openPage,
  openPreviousPage,
  sortList,
  withLoaded,
  withRows,
} from "./reducer.ts";
import { useRowBindings } from "./row-bindings.ts";
import { isTimeColumn, markedRows, moveByRows, moveCursor, moveToColumn, type Viewport, withFilter } from "./rows.ts";
import { type List, saveListSettings } from "./use-list.ts";

interface ActionContext extends FilterContext {
  readonly openPrompt: (prompt: ListPrompt, onEnter: (state: ListState) => ListState) => void;
}

/** What the mouse does on a list. */
export interface ListPointer {
  readonly moveRows: (movement: Movement) => void;
  /** Opens what the row at the cursor is about, or the link of the cell. */
  readonly openLink: () => void;
  /** Moves the cursor to a column and sorts by it. */
  readonly sortColumn: (index: number) => void;
  readonly removeFilter: (index: number) => void;
}

/** Returns the keys of a list, and what the mouse does on it. @param active whether keys are for this list */
export function useListActions(
  list: List,
  layout: ListLayout,
  { hasPreview, active }: { readonly hasPreview: boolean; readonly active: boolean },
): { readonly bindings: readonly Binding[]; readonly pointer: ListPointer } {
  const explorer = useExplorer();
  const { route } = useHistoryEntry();
  const openPrompt = usePrompt(list, layout.viewport);
  const context: ActionContext = { list, layout, explorer, route, openPrompt };
  const { visible, state, table, shape } = list;
  const { column, selected, viewport } = layout;
  const chips = listChips(list, explorer.data.nameOf);
  const { link, links } = linksAt(context);
  const pointer: ListPointer = {
    moveRows: (movement) => moveRows(context, movement),
    openLink: () => link && explorer.navigation.open(link.route),
    sortColumn(index) {
      const clicked = table.columns[index];
      if (!clicked) return;
      list.set((before) =>
        sortList(
          withRows(before, (rows) => moveToColumn(rows, index, viewport)),
          sortChoice(list, clicked),
        ),
      );
    },
    removeFilter: (index) => removeChips(context, chips.slice(index).slice(0, 1)),
  };
  const rowKeys = useRowBindings(
    {
      set: list.setRows,
      viewport,
      row: visible.rows[selected],
      links,
      shape,
      marked: markedRows(state.rows, table),
      routeOf: (row) => rowLinks(row, { shape, endpoint: list.source.endpoint })[0]?.route,
      hasPreview,
      isFiltered: chips.length > 0,
    },
    {
      sort: () => column && list.set((before) => sortList(before, sortChoice(list, column))),
      filterByCell: (isExcluded) => filterByCell(context, isExcluded),
      removeLastFilter: () => removeChips(context, chips.slice(-1)),
      removeFilters: () => removeAllFilters(context, chips),
    },
    {
      active: true,
      hasRows: table.rows.length > 0,
      hints: { sort: 22, preview: layout.columns.visible.length < table.columns.length ? 23 : 40 },
    },
  );
  const bindings = active
    ? [
        ...cursorBindings(context, pointer, link),
        ...rowKeys,
        ...viewBindings(context),
        ...requestBindings(context),
        ...pageBindings(context),
      ]
    : [];
  return { bindings, pointer };
}

const PROMPT_LABELS = { filter: "apply filter", page: "go to page", load: "load" } as const;

function usePrompt({ set, setRows }: List, viewport: Viewport): ActionContext["openPrompt"] {
  const openInput = useTextInput(() => set((state) => (state.prompt ? { ...state, prompt: undefined } : state)));
  const moveBy = (rows: number) => () => setRows((before) => moveByRows(before, rows, viewport));
  return (prompt, onEnter) => {
    const isFilter = prompt.kind === "filter";
    const cancel = (state: ListState) => (isFilter ? editPrompt(state, () => "") : state);
    openInput({
      labels: [PROMPT_LABELS[prompt.kind], isFilter ? "clear filter" : "cancel"],
      edit: (change) => set((state) => editPrompt(state, change)),
      end: (isAccepted) => set((state) => ({ ...(isAccepted ? onEnter(state) : cancel(state)), prompt: undefined })),
      bindings: [
        { keys: ["down"], label: "next row", group: "view", run: moveBy(1) },
        { keys: ["up"], label: "previous row", group: "view", run: moveBy(-1) },
      ],
    });
    set((state) => ({ ...state, prompt }));
  };
}

function moveRows({ list, layout: { viewport }, explorer }: ActionContext, movement: Movement): void {
  list.setRows((before) => moveCursor(before, movement, viewport));
  const isEnd = movement.distance === "end" && movement.direction > 0;
  const hint = formatKeyHints(keyLabelsOf(explorer), [["list.load", "load more"]]);
  if (isEnd && canLoad(list) && hint !== "")
    explorer.toast(`Last of the ${groupThousands(list.table.rows.length)} rows that are loaded · ${hint}`);
}

function cursorBindings(
  { list, openPrompt }: ActionContext,
  pointer: ListPointer,
  link: FieldLink | undefined,
): readonly Binding[] {
  const hasRows = list.table.rows.length > 0;
  const isLoaded = list.load.rows.length > 0;
  const openLabel = link?.route.kind === "entity" ? `open ${link.route.entity}` : "open";
  return [
    ...moveBindings(pointer.moveRows, hasRows).map((one) =>
      isLoaded && one.name === "move.last" ? { ...one, hint: 14 } : one,
    ),
    bindAction("go.open", openLabel, pointer.openLink, { hint: 10, active: link !== undefined }),
    bindAction("list.filter", "filter", () => openPrompt({ kind: "filter" }, (before) => before), {
      hint: 20,
      active: hasRows,
    }),
  ];
}

function pageNumberOf({ displayed }: List): number | undefined {
  return pageNumber(displayed.request.endpoint, displayed.request.params);
}

function pageBindings({ list, openPrompt, explorer }: ActionContext): readonly Binding[] {
  const { set, nextPage, displayed, load, state } = list;
  const { endpoint } = displayed.request;
  const isLoaded = load.rows.length > 0;
  const number = pageNumberOf(list) ?? 1;
  const isLaterPage = !isLoaded && (state.query.pageHistory.length > 0 || number > 1);
  const jump = (before: ListState) => {
    const entered = before.prompt?.kind === "page" ? before.prompt.text : "";
    const page = parsePageRef(endpoint, entered);
    if (!page && entered !== "") explorer.toast(`invalid page ${entered}: expected a number from 1`, "warning");
    return page ? openPage(before, page) : before;
  };
  const openNext = () => nextPage && set((before) => openPage(before, nextPage));
  const openPrevious = () =>
    set((before) => openPreviousPage(before, parsePageRef(endpoint, String(number - 1)) ?? FIRST_PAGE));
  const startLoad = () => openPrompt({ kind: "load", text: "" }, (before) => startLoading(list, explorer, before));
  return [
    bindAction("list.load", "load more", startLoad, { hint: 25, active: canLoad(list) }),
    bindAction("list.next-page", "next page", openNext, { hint: 30, active: nextPage !== undefined }),
    bindAction("list.previous-page", "previous page", openPrevious, { hint: 31, active: isLaterPage }),
    bindAction("list.jump", "jump to page", () => openPrompt({ kind: "page", text: "" }, jump), {
      hint: isLaterPage ? 29 : 60,
      active: !isLoaded && endpoint.paging === "page" && (nextPage !== undefined || number > 1),
    }),
  ];
}

function requestBindings(context: ActionContext): readonly Binding[] {
  const { list, explorer } = context;
  const { state, set, source, identifierParams, resource, load, table } = list;
  const { endpoint } = source;
  const isLoaded = load.rows.length > 0;
  const isLoading = resource.isLoading || load.isLoading;
  const isFailed = failedOnly(list);
  // Exports are limited to one a minute, and are not lists that grow.
  const canAutoRefresh = endpoint.returns.shape !== "csv" && !isLoaded;
  const isGrowing =
    canAutoRefresh && state.query.pageHistory.length === 0 && (pageNumberOf(list) ?? 1) === 1 && !state.rows.sort;
  const isOn = state.isAutoRefreshing;
  const refresh = () => {
    discardLoad(list, explorer);
    resource.refresh();
  };
  const cancel = () => {
    if (load.isLoading) return explorer.data.loads.stop(loadRequest(list, list.state));
    return resource.isLoading ? resource.cancel() : list.setRows((before) => withFilter(before, ""));
  };
  return [
    bindAction("view.cancel", isLoading ? "stop loading" : "clear filter", cancel, {
      hint: 15,
      active: isLoading || state.rows.filter !== "",
    }),
    bindAction("list.failed", isFailed ? "all transactions" : "failed only", () => toggleFailedOnly(context), {
      hint: 26,
      active: isFailed !== undefined && (table.rows.length > 0 || isFailed),
    }),
    bindAction("list.form", "filter form", () => showForm(context), {
      hint: 24,
      active: Object.keys(endpoint.query).some((name) => !identifierParams.includes(name)),
    }),
    bindAction("view.refresh", "refresh", refresh, { hint: 50 }),
    bindAction(
      "list.auto",
      isOn ? "stop auto refresh" : "auto refresh",
      () => set((before) => ({ ...before, isAutoRefreshing: !before.isAutoRefreshing })),
      { hint: isOn || (isGrowing && table.columns.some(isTimeColumn)) ? 24 : 62, active: canAutoRefresh },
    ),
  ];
}

function loadRequest({ source: { endpoint }, queryParams }: List, { query: { loaded } }: ListState) {
  return loaded ? { endpoint, params: loaded.params } : withoutPage({ endpoint, params: queryParams });
}

function startLoading(list: List, { data }: Explorer, state: ListState): ListState {
  const request = loadRequest(list, state);
  const text = state.prompt?.kind === "load" ? state.prompt.text : "";
  data.loads.start(request, typedPages(text));
  return withLoaded(state, { params: request.params, queryParams: list.queryParams });
}

/** Shows the first page instead of loaded rows. */
function discardLoad(list: List, { data }: Explorer): void {
  if (!list.state.query.loaded) return;
  data.loads.discard(loadRequest(list, list.state));
  list.set((before) => withLoaded(before, undefined));
}

/** Returns whether further rows of a list can be loaded. */
export function canLoad({ load, nextPage, source: { endpoint }, rowsBefore, table }: List): boolean {
  if (endpoint.returns.shape === "csv" || load.isLoading) return false;
  if (load.rows.length > 0) return !load.isComplete && load.rows.length < MAX_LOADED_ROWS;
  return nextPage !== undefined || (rowsBefore > 0 && table.rows.length > 0);
}

function viewBindings(context: ActionContext): readonly Binding[] {
  const { list, explorer } = context;
  const options = { active: list.table.rows.length > 0 };
  const chooseColumns = () =>
    explorer.openPopup({
      kind: "columns",
      options: columnOptions(list.source, list.widths),
      defaults: columnOptions({ ...list.source, chosenKeys: undefined }),
      onDone(keys, widths) {
        saveColumns(context, keys ?? []);
        saveWidths(context, widths);
      },
    });
  return [
    bindAction("list.columns", "columns", chooseColumns, { ...options, hint: 42 }),
    bindAction("list.wider", "wider column", () => resizeColumn(context, 1), options),
    bindAction("list.narrower", "narrower column", () => resizeColumn(context, -1), options),
  ];
}

function sortChoice({ displayed, table, state }: List, column: ListColumn) {
  const { endpoint } = displayed.request;
  return {
    column: column.key,
    highestFirst: isQuantity(column.sources[0]?.meta?.kind),
    // Loaded rows are sorted as they are, without requesting them again.
    api: state.query.loaded ? undefined : apiSortKey(endpoint, column, table.columns),
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
  saveListSettings(explorer.services, list.source.endpoint.route, { widths: isDefault ? undefined : widths });
}

/** Applies other columns, here and whenever this endpoint is listed; an empty list restores the defaults. */
function saveColumns({ list, explorer }: ActionContext, keys: readonly string[]): void {
  list.set((before) => ({
    ...before,
    chosenColumns: keys,
    rows: { ...before.rows, column: 0, firstScrolled: 1 },
  }));
  saveListSettings(explorer.services, list.source.endpoint.route, { columns: keys.length === 0 ? undefined : keys });
}

function showForm(context: ActionContext): void {
  const { source, queryParams, identifierParams } = context.list;
  context.explorer.openPopup({
    kind: "filter-form",
    endpoint: source.endpoint,
    params: queryParams,
    fixed: identifierParams,
    onDone: (entered) => applyParams(context, entered),
  });
}

/**
 * Returns the links of the row at the cursor, without the current route, and the one that opens: what the row is about,
 * or the link of the cell once the cursor was moved to it.
 */
function linksAt({ list, layout, route }: ActionContext) {
  const row = list.visible.matches[layout.selected];
  if (row === undefined) return { link: undefined, links: [] };
  const others = (links: readonly FieldLink[]) => links.filter((link) => !isSameRoute(link.route, route));
  const isMoved = list.state.rows.column !== undefined && layout.columnIndex > 0;
  const links = others(list.links.row(row));
  const [ofCell] = isMoved ? others(list.links.cell(row, layout.columnIndex)) : [];
  return { link: ofCell ?? links[0], links };
}
