/** Hooks for the tools of a short table. */
import { useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { createShortener } from "../../../output/index.ts";
import { type Size, useExplorer, useViewState } from "../../app/context.ts";
import { type ActionName, actionBinding } from "../../app/keys/actions.ts";
import { keyLabelsOf } from "../../app/keys/key-hints.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import type { Route } from "../../app/route.ts";
import type { TextLine } from "../../app/theme/text-line.ts";
import { Compare, MAX_COMPARED } from "../../compare/compare-popup.tsx";
import { relativeClock } from "../cells.ts";
import { filterLine, useFilterInput } from "../filter-input.ts";
import { layOutPreview, withPreview } from "../list/preview.ts";
import type { ShortTableColumn } from "./layout.ts";
import {
  filterTableRows,
  INITIAL_ROW_TOOLS,
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
  const rows = useMemo(() => (tools ? sortRows(all, state, tools.shape) : all), [all, state, tools]);
  const columns = useMemo(
    () => (tools ? withSortArrows(baseColumns, state, unicode) : baseColumns),
    [baseColumns, state, tools, unicode],
  );
  const marked = useMemo(() => (tools ? markedRows(state, all, tools.idOf) : []), [state, all, tools]);
  return {
    state,
    set,
    rows,
    columns,
    baseColumns,
    tools,
    marked,
    order: localOrder(tools ? state : INITIAL_ROW_TOOLS, baseColumns),
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
}

/** Returns the bindings of the tools; none for a table without tools. */
export function useToolBindings(
  { state, set, baseColumns, rows, tools, marked }: RowTools,
  context: RowToolsContext,
): readonly Binding[] {
  const { setOverlay, toast } = useExplorer();
  if (!tools) return [];
  const { row } = context;
  const last = sortableColumns(baseColumns.slice(0, context.columnCount)).length - 1;
  const active = context.active && rows.length > 0;
  const binding = (name: ActionName, label: string, run: () => void, more: Partial<Binding> = {}): Binding => ({
    ...actionBinding(name),
    label,
    group: "view",
    active,
    run,
    ...more,
  });
  const moveColumn = (by: number) => () =>
    set((now) => ({ ...now, column: Math.max(0, Math.min(last, Math.min(now.column, last) + by)) }));
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
  return [
    binding("move.left", "previous column", moveColumn(-1), { group: "move" }),
    binding("move.right", "next column", moveColumn(1), { group: "move" }),
    binding("list.sort", "sort", () => set((now) => ({ ...now, sort: nextSort(now, baseColumns, rows) })), {
      hint: 26,
    }),
    binding("list.mark", "mark", mark, { hint: 44 }),
    binding("list.compare", "compare", compare, { hint: 12, active: active && marked.length > 1 }),
    binding(
      "list.preview",
      state.hasPreview ? "close preview" : "preview",
      () => set((now) => ({ ...now, hasPreview: !now.hasPreview })),
      { hint: 42 },
    ),
  ];
}

/** Returns the sizes of rows and preview, and a function that draws them. */
export function useToolLayout({ state, tools }: RowTools, size: Size) {
  const explorer = useExplorer();
  const { services } = explorer;
  if (!tools) return { size, width: size.width, draw: (lines: readonly TextLine[]) => lines };
  const layout = state.hasPreview ? layOutPreview(size) : undefined;
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
    const format = { shape: tools.shape, clock: relativeClock(services), shorten: createShortener() };
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
