/** The list of any endpoint: its lines, and what the mouse does on them. */

import { useContext, useMemo } from "react";
import { fieldOf, textOf } from "../../../base/index.ts";
import { isAddress, positionalOf } from "../../../catalogue/index.ts";
import { COLUMN_GAP } from "../../../output/index.ts";
import { type Resource, useNow, useQuota, useShownPrices, useTrendBinding } from "../../data/hooks.ts";
import { MAX_LOADED_ROWS } from "../../data/list-loads.ts";
import { paceText, useLiveAnswer } from "../../data/live.ts";
import { isEmpty, ResourceStatus, useResourceLine } from "../../data/status.tsx";
import { Lines } from "../../frame/lines.tsx";
import { type Subject, useBindings, useExplorer, usePane, usePaneFit, useSubject } from "../../navigation/context.ts";
import type { DataStore } from "../../navigation/data-store.ts";
import { formatKeyHints, type KeyLabels, keyLabelsOf } from "../../navigation/keys/bindings.ts";
import type { MouseHandler } from "../../navigation/pointer/pointer.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { fillLines, itemAtLine, wheelMovement } from "../viewport.ts";
import { canLoad, type ListPointer, useListActions } from "./actions.ts";
import { isTrendColumn, mintField } from "./columns.ts";
import { listChips } from "./filter-actions.ts";
import { cellChips, chipLine, chipText } from "./filters.ts";
import { type LoadableList, loadPromptLine, progressLine, scopeText, stoppedLine } from "./loading.ts";
import { GUTTER, type ListLayout } from "./model.ts";
import {
  layOutPanel,
  PreviewContext,
  type PreviewLayout,
  type PreviewLines,
  showsPreview,
  withPreview,
} from "./preview.ts";
import { headerLine, type RowsDrawing, rowLines } from "./row-lines.ts";
import { markedRows, moveToColumn, moveToRow } from "./rows.ts";
import { emptyListLines, listStatus, noMatchLines, promptLine, type StatusPart, topLine } from "./status.ts";
import { valueOfColumn } from "./table.ts";
import { MAX_TOKENS, sumColumn, totalsLine } from "./totals.ts";
import { type List, type ListSource, useList } from "./use-list.ts";

/** Returns what the list shows, for copying, exporting and the command line. */
function createSubject(list: List, layout: ListLayout): Subject {
  const { displayed, visible, state, table, load, source } = list;
  const { loaded } = state.query;
  const row = visible.rows[layout.selected];
  const value = row === undefined || !layout.column ? undefined : valueOfColumn(row, layout.column);
  return {
    request: loaded ? { endpoint: source.endpoint, params: loaded.params } : displayed.request,
    rows: visible.rows,
    loaded: load.rows.length > 0 ? { rows: load.rows, isComplete: load.isComplete } : undefined,
    total: list.total,
    marked: markedRows(state.rows, table),
    columns: table.columns
      .filter((column) => !isTrendColumn(column))
      .map(({ head, sources }) => ({ head, path: sources[0]?.path.join(".") ?? "" })),
    row,
    cell: value && { field: value.path.join("."), value: value.value ?? null, kind: value.meta?.kind },
    ...localChanges(list),
  };
}

/** Returns the changes of the screen that cannot be requested from the API, and its order. */
function localChanges(list: List): Pick<Subject, "local" | "sort"> {
  const { state, table } = list;
  const { filter, cellFilters, sort } = state.rows;
  const column = sort && sort.api === undefined ? table.columns.find(({ key }) => key === sort.column) : undefined;
  return {
    local: [
      ...(filter === "" ? [] : [`filter ${filter}`]),
      ...cellChips(cellFilters).map((chip) => `filter ${chipText(chip)}`),
    ],
    sort: sort && column && { sources: column.sources, isDescending: sort.isDescending },
  };
}

/** Refreshes while it is on. Returns a text with the interval and the cost per hour. */
function useAutoRefreshText(resource: Resource, isOn: boolean): string | undefined {
  const live = useLiveAnswer(resource, isOn);
  if (!isOn) return undefined;
  return `${live.status === "paused" ? "auto refresh " : ""}${paceText(live)}`;
}

function describeScope({ load, table, rowsBefore, total }: List): string {
  const count = table.rows.length;
  return scopeText(load, { count, isWhole: rowsBefore === 0 && total === count });
}

function useTotals({ visible, source, displayed }: List, { column }: ListLayout): StatusPart | undefined {
  const { data, services } = useExplorer();
  const totals = useMemo(() => sumColumn(visible.rows, column), [visible.rows, column]);
  if (!totals) return undefined;
  const [name = ""] = positionalOf(source.endpoint) ?? [];
  const own = String(displayed.request.params[name] ?? "");
  // The parameter of the list may be a symbol.
  const symbolOf = (mint: string) =>
    mint === "" ? (data.nameOf(own) ?? (isAddress(own) ? undefined : own)) : data.nameOf(mint);
  const line = (tokens: number) => totalsLine(totals, symbolOf, { unicode: services.unicode, tokens });
  return { full: line(MAX_TOKENS), short: line(1) };
}

function useLoadable({ source, load, total }: List): LoadableList {
  const { services } = useExplorer();
  const { endpoint } = source;
  const { facts, supports } = services.source;
  return {
    endpoint,
    progress: { rows: load.rows.length, requests: load.requests, units: load.units },
    maxRows: MAX_LOADED_ROWS,
    total,
    rate: services.identity.rate,
    chargesUnits: facts.chargesUnits,
    isWalk: supports(endpoint).isWalk,
  };
}

function useProgressLine(list: List, loadable: LoadableList, width: number, keyOf: KeyLabels): TextLine | undefined {
  const { services } = useExplorer();
  const { waitingUntil } = useQuota();
  const { isLoading, problem } = list.load;
  const now = useNow(1000, isLoading && waitingUntil !== undefined);
  const { unicode } = services;
  if (isLoading) {
    const hint = formatKeyHints(keyOf, [["view.cancel", "stop"]]);
    return progressLine(loadable, width, { unicode, now, waitingUntil, hint });
  }
  return problem && stoppedLine(loadable, problem, formatKeyHints(keyOf, [["list.load", "continue"]]));
}

/** Returns the tokens in the visible rows, where their prices have a column. */
function shownTokens(
  { visible, source, table }: List,
  { top, columns }: ListLayout,
  height: number,
): readonly string[] {
  const isShown = columns.visible.some(({ index }) => isTrendColumn(table.columns[index] ?? { key: "" }));
  const field = mintField(source.endpoint);
  if (!isShown || field === undefined) return [];
  return visible.rows.slice(top, top + height).flatMap((row) => textOf(fieldOf(row, field)) ?? []);
}

interface ListPanelProps extends ListSource {
  /** What the rows are called, in the plural (default: according to the summary of the endpoint). */
  readonly noun?: string | undefined;
}

/** Shows the rows of an endpoint as a list. */
export function ListPanel(props: ListPanelProps) {
  const { region, noun } = props;
  const { pane, isFocused: active } = usePane();
  const explorer = useExplorer();
  const { services } = explorer;
  const keyOf = keyLabelsOf(explorer);
  const previewLines = useContext(PreviewContext);
  const list = useList(props);
  const { state, resource, displayed, table } = list;
  const chips = listChips(list, explorer.data.nameOf);
  const head = 1 + (chips.length === 0 ? 0 : 1);
  const hasPreview = showsPreview(state.rows.hasPreview ?? (pane && false), explorer.data, region.width);
  const panel = layOutPanel(
    { width: region.width, height: region.height - head + 1 },
    { hasPreview, prompt: state.prompt },
  );
  const layout = list.layOut(panel.rows);
  const { bindings, pointer } = useListActions(list, layout, { hasPreview, active });
  const trendBinding = useTrendBinding(mintField(props.endpoint) !== undefined);
  useShownPrices(list.trends, props.part, shownTokens(list, layout, panel.rows.height));
  useBindings("panel", active ? [...bindings, ...trendBinding] : []);
  useSubject(active ? createSubject(list, layout) : undefined);
  const autoRefresh = useAutoRefreshText(resource, state.isAutoRefreshing);
  const resourceLine = useResourceLine(resource);
  const loadable = useLoadable(list);
  const progress = useProgressLine(list, loadable, region.width, keyOf);
  const totals = useTotals(list, layout);
  const quota = useQuota();
  const all = chips.length > 0 || list.nextPage !== undefined ? undefined : head + 1 + Math.max(2, table.rows.length);
  usePaneFit(displayed.answer && all);
  if (!displayed.answer) {
    return <ResourceStatus resource={resource} region={region} heads={table.columns.map(({ head: text }) => text)} />;
  }
  // Without rows the body says so, with the filters.
  const notice = resource.isLoading || resource.problem || !isEmpty(resource) ? resourceLine : undefined;
  const { unicode } = services;
  const { width } = region;
  const scope = describeScope(list);
  const status = listStatus(list, layout, { ...loadable, unicode, keyOf, autoRefresh, scope, totals });
  const hint = formatKeyHints(keyOf, [["list.unfilter-all", "remove all"]]);
  const top = [
    progress ?? topLine(status, notice, width),
    ...(chips.length === 0 ? [] : [chipLine(chips, width, { unicode, scope, hint })]),
  ];
  const prompt =
    state.prompt?.kind === "load"
      ? loadPromptLine(state.prompt.text, loadable, quota.units, width)
      : state.prompt && promptLine(state, scope);
  const { rows: size, preview } = panel;
  const drawing = { list, layout, size, isActive: active, unicode };
  const body = () => [
    ...bodyLines({ ...drawing, preview, keyOf, scope, data: explorer.data, previewLines }),
    ...(prompt ? [prompt] : []),
  ];
  const rest = table.rows.length === 0 ? emptyListLines(list, noun, width, keyOf) : body();
  const onMouse = mouseHandler({ list, layout, pointer, width: panel.rows.width, head });
  return <Lines lines={[...top, ...rest]} width={region.width} height={region.height} onMouse={onMouse} />;
}

interface ListBody extends RowsDrawing {
  readonly preview: PreviewLayout | undefined;
  readonly keyOf: KeyLabels;
  /** The rows that filters and orders apply to: `this page`. */
  readonly scope: string;
  readonly data: DataStore;
  readonly previewLines: PreviewLines;
}

function bodyLines(listBody: ListBody): readonly TextLine[] {
  const { list, preview, unicode, scope, keyOf, data } = listBody;
  const { width, height } = listBody.size;
  const { visible, state, links, shape, clock, table } = list;
  const rows = visible.matches.length > 0 ? rowLines(listBody) : noMatchLines(state.rows, scope, keyOf, canLoad(list));
  const lines = [headerLine(listBody), ...fillLines(rows.slice(0, height), height)];
  if (!preview) return lines;
  const { selected } = listBody.layout;
  const [subject] = links.row(visible.matches[selected] ?? -1);
  const format = { shape, clock, shorten: table.shorten, subject: subject?.route, data, unicode };
  const layout = { ...preview, list: { width, height: height + 1 } };
  return withPreview(lines, visible.rows[selected], format, layout, listBody);
}

interface MouseContext {
  readonly list: List;
  readonly layout: ListLayout;
  readonly pointer: ListPointer;
  /** Cells of the rows; the preview may be to their right. */
  readonly width: number;
  /** Lines above the headings: the status, and the filters if there are any. */
  readonly head: number;
}

/** Returns the mouse handler of a list. */
export function mouseHandler({ list, layout, pointer, width, head }: MouseContext): MouseHandler {
  const clickCell = (column: number | undefined, line: number) => {
    const { keys, height } = layout.viewport;
    const row = itemAtLine({ count: keys.length }, { top: layout.top, height }, line);
    if (row === undefined) return;
    if (row === layout.selected && (column === undefined || column === layout.columnIndex)) return pointer.openLink();
    list.setRows((before) => {
      const moved = moveToRow(before, row, layout.viewport);
      return column === undefined ? moved : moveToColumn(moved, column, layout.viewport);
    });
  };
  return (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) return pointer.moveRows(wheel);
    const { type, x, y, hit } = event;
    if (type !== "click") return;
    if (y < head) return typeof hit === "number" ? pointer.removeFilter(hit) : undefined;
    if (x >= width) return;
    const column = columnAt(layout, x);
    if (y > head) clickCell(column, y - head - 1);
    else if (column !== undefined) pointer.sortColumn(column);
  };
}

/** Returns the column at a cell of a line. */
export function columnAt({ columns }: Pick<ListLayout, "columns">, x: number): number | undefined {
  let end = GUTTER;
  for (const { index, width } of columns.visible) {
    if (x >= end && x < end + width) return index;
    end += width + COLUMN_GAP;
  }
  return undefined;
}
