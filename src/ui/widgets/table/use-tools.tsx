/** Hooks for the tools of a short table. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { clip, createShortener, UNKNOWN_SHAPE } from "../../../output/index.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { type Size, useExplorer, useViewState } from "../../navigation/context.ts";
import type { ActionName } from "../../navigation/keys/actions.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { keyLabelsOf } from "../../navigation/keys/key-hints.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import type { Route } from "../../navigation/route.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { relativeClock } from "../cells.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { cellValues, passesFilters, toggleCellFilter } from "../list/filters/cell-filter.ts";
import { cellChips } from "../list/filters/chips.ts";
import { LinkMenu } from "../list/link-menu.tsx";
import { rowLinks } from "../list/links.ts";
import { layOutPreview, rememberPreview, showsPreview, withPreview } from "../list/preview.ts";
import { clampIndex } from "../viewport.ts";
import type { ShortTableColumn } from "./layout.ts";
import {
  columnIndex,
  filterTableRows,
  INITIAL_ROW_TOOLS,
  listColumnOf,
  localOrder,
  MARK_WIDTH,
  markedRows,
  nextSort,
  type RowIdentity,
  sortableColumns,
  sortRows,
  toggleMark,
  withMarkColumn,
  withSortArrows,
} from "./tools.ts";

/** The row of the cursor: where it was, and which one it was. */
interface SelectedRow {
  readonly at: number;
  readonly id: unknown;
}

/**
 * Returns the index of the selected row and a function that moves it. With a field that identifies rows, the cursor stays
 * on its row when others arrive above it; in the first row it stays there.
 */
export function useSelectedRow(part: string, rows: readonly JsonObject[], idField: string | undefined) {
  const idOf = (row: JsonObject | undefined) => (idField === undefined ? undefined : row?.[idField]);
  const indexIn = ({ at, id }: SelectedRow): number => {
    const index = at === 0 || id === undefined ? -1 : rows.findIndex((row) => idOf(row) === id);
    return index < 0 ? clampIndex(at, rows.length) : index;
  };
  const [stored, set] = useViewState<SelectedRow>(`${part} row`, { at: 0, id: undefined });
  const move = (next: (now: number) => number) =>
    set((now) => {
      const at = clampIndex(next(indexIn(now)), rows.length);
      return { at, id: idOf(rows[at]) };
    });
  return [indexIn(stored), move] as const;
}

/** Returns the sorted rows, the columns and the state of the tools. */
export function useRowTools(
  part: string,
  all: readonly JsonObject[],
  baseColumns: readonly ShortTableColumn[],
  tools: RowIdentity | undefined,
) {
  const { services } = useExplorer();
  const { unicode } = services;
  const [state, set] = useViewState(`${part} tools`, INITIAL_ROW_TOOLS);
  const rows = useMemo(() => {
    const passing = state.cellFilters.length === 0 ? all : all.filter((row) => passesFilters(row, state.cellFilters));
    return tools ? sortRows(passing, state, tools.shape) : passing;
  }, [all, state, tools]);
  const column = tools ? columnIndex(state, baseColumns, tools.shape) : 0;
  const columns = useMemo(
    () => (tools ? withSortArrows(baseColumns, state, column, unicode) : baseColumns),
    [baseColumns, state, column, tools, unicode],
  );
  const marked = useMemo(() => (tools ? markedRows(state, all, tools.idOf) : []), [state, all, tools]);
  return {
    state,
    set,
    rows,
    columns,
    baseColumns,
    column,
    tools,
    marked,
    chips: cellChips(state.cellFilters),
    removeFilter: (index: number) =>
      set((now) => ({ ...now, cellFilters: now.cellFilters.filter((_filter, at) => at !== index) })),
    /** Moves the cursor to a column, among those with text, and sorts by it. */
    sortBy: (index: number) =>
      tools && set((now) => ({ ...now, column: index, sort: nextSort(now, baseColumns, rows, index) })),
    order: localOrder(tools ? state : INITIAL_ROW_TOOLS, baseColumns, tools?.shape ?? UNKNOWN_SHAPE),
  };
}

/** The result of {@link useRowTools}. */
export type RowTools = ReturnType<typeof useRowTools>;

/** The context of the tools. */
interface RowToolsContext {
  readonly row: JsonObject | undefined;
  readonly active: boolean;
  /** Number of visible columns. */
  readonly columnCount: number;
  readonly moveDown: () => void;
  readonly target: (row: JsonObject) => Route | undefined;
  /** Cells of the table with its preview. */
  readonly width: number;
}

/** Maximum width of a value in a chip. */
const MAX_LABEL = 32;

/** Returns the bindings of the tools; none for a table without tools. */
export function useToolBindings(
  { state, set, baseColumns, column, rows, tools, marked, chips }: RowTools,
  context: RowToolsContext,
): readonly Binding[] {
  const { setOverlay, toast, data } = useExplorer();
  if (!tools) return [];
  const { row } = context;
  const hasPreview = showsPreview(state.hasPreview, data, context.width);
  const last = sortableColumns(baseColumns.slice(0, context.columnCount)).length - 1;
  const active = context.active && rows.length > 0;
  const binding = (name: ActionName, label: string, run: () => void, options: Partial<Binding> = {}) =>
    bindAction(name, label, run, { active, ...options });
  const moveColumn = (by: number) => () =>
    set((now) => ({ ...now, column: Math.max(0, Math.min(last, Math.min(now.column ?? column, last) + by)) }));
  const mark = () => {
    if (!row) return;
    set((now) => toggleMark(now, row, tools.idOf));
    context.moveDown();
  };
  const compare = () => {
    const compared = marked
      .slice(0, MAX_COMPARED)
      .map((one) => ({ row: one, route: context.target(one as JsonObject) }));
    setOverlay(<Compare marked={compared} shape={tools.shape} />);
    if (marked.length > MAX_COMPARED)
      toast(`${marked.length} rows are marked: the first ${MAX_COMPARED} are compared.`, "warning");
  };
  const filter = (isExcluded: boolean) => () => {
    const chosen = sortableColumns(baseColumns)[column];
    const listColumn = chosen && listColumnOf(chosen, tools.shape);
    const [value] = row && listColumn ? cellValues(row, listColumn) : [];
    if (!row || !chosen || !listColumn || value === undefined) {
      toast("The cell is empty: move to another column first.", "warning");
      return;
    }
    const label = clip(chosen.cell(row).text, MAX_LABEL);
    const one = { column: listColumn, value, label, isExcluded };
    set((now) => ({ ...now, cellFilters: toggleCellFilter(now.cellFilters, one) }));
  };
  const links = row ? rowLinks(row, { shape: tools.shape }) : [];
  const isFiltered = context.active && chips.length > 0;
  return [
    binding("go.links", "links", () => setOverlay(<LinkMenu links={links} />), {
      hint: 46,
      active: active && links.length > 1,
    }),
    binding("list.only", "only this value", filter(false), { hint: 32 }),
    binding("list.without", "without it", filter(true), { hint: 33 }),
    binding(
      "list.unfilter",
      "remove last filter",
      () => set((now) => ({ ...now, cellFilters: now.cellFilters.slice(0, -1) })),
      { active: isFiltered },
    ),
    binding("list.unfilter-all", "remove filters", () => set((now) => ({ ...now, cellFilters: [] })), {
      hint: 16,
      active: isFiltered,
    }),
    binding("move.left", "previous column", moveColumn(-1), { group: "move" }),
    binding("move.right", "next column", moveColumn(1), { group: "move" }),
    binding("list.sort", "sort", () => set((now) => ({ ...now, sort: nextSort(now, baseColumns, rows, column) })), {
      hint: 26,
    }),
    binding("list.mark", "mark", mark, { hint: 44 }),
    binding("list.compare", "compare", compare, { hint: 12, active: active && marked.length > 1 }),
    binding(
      "list.preview",
      hasPreview ? "close preview" : "preview",
      () => {
        rememberPreview(data, !hasPreview);
        set((now) => ({ ...now, hasPreview: !hasPreview }));
      },
      { hint: 42 },
    ),
  ];
}

/** Returns the sizes of rows and preview, and a function that draws them. */
export function useToolLayout({ state, tools }: RowTools, size: Size, target: (row: JsonObject) => Route | undefined) {
  const explorer = useExplorer();
  const { services } = explorer;
  if (!tools) return { size, width: size.width, draw: (lines: readonly TextLine[]) => lines };
  const hasPreview = showsPreview(state.hasPreview, explorer.data, size.width);
  const layout = hasPreview ? layOutPreview(size) : undefined;
  const list = layout?.list ?? size;
  /** Returns the lines with their marks, headings first, and the preview of the selected row. */
  const draw = (
    lines: readonly TextLine[],
    visible: readonly JsonObject[],
    row: JsonObject | undefined,
  ): readonly TextLine[] => {
    const isMarked = (one: JsonObject | undefined) => one !== undefined && state.marks.has(tools.idOf(one));
    const all = lines.map((one, at) => withMarkColumn(one, at > 0 && isMarked(visible[at - 1]), services.unicode));
    if (!layout) return all;
    const format = {
      shape: tools.shape,
      clock: relativeClock(services),
      shorten: createShortener(),
      subject: row && target(row),
      data: explorer.data,
      unicode: services.unicode,
    };
    const filler: readonly TextLine[] = Array.from({ length: Math.max(0, list.height - all.length) }, () => []);
    const style = { unicode: services.unicode, keyOf: keyLabelsOf(explorer) };
    return withPreview([...all, ...filler], row, format, layout, style);
  };
  return { size: list, width: Math.max(1, list.width - MARK_WIDTH), draw };
}

/** {@link useFilterInput} for the rows of a table: the matching rows and the line of the filter. */
export function useTableFilter(
  part: string,
  rows: readonly JsonObject[],
  columns: readonly ShortTableColumn[],
  active: boolean,
) {
  const explorer = useExplorer();
  const { input, bindings } = useFilterInput(part, rows.length > 1, active);
  const result = useMemo(() => filterTableRows(input.text, rows, columns), [input.text, rows, columns]);
  return { ...result, text: input.text, line: filterLine(input, result, rows.length, keyLabelsOf(explorer)), bindings };
}
