/** A short table with a cursor: rows of a single answer, as in the sections of the home page. */

import { useContext, useMemo } from "react";
import type { JsonObject } from "../../../base/index.ts";
import { createShortener } from "../../../output/index.ts";
import { useNameOf } from "../../data/hooks.ts";
import { Lines } from "../../frame/lines.tsx";
import { insidePane, PANE_BORDER, type PaneFrame, paneLines } from "../../frame/pane.tsx";
import {
  type Region,
  type Size,
  useBindings,
  useExplorer,
  usePane,
  usePaneFit,
  useSubject,
} from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf, refreshBinding } from "../../navigation/keys/bindings.ts";
import type { Binding } from "../../navigation/keys/keymap.ts";
import { type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import type { MouseEvent } from "../../terminal/mouse.ts";
import { relativeClock } from "../cells.ts";
import { NO_MATCHES } from "../filter.ts";
import { chipLine, toggleCellFilter } from "../list/filters.ts";
import { rowLinks } from "../list/links.ts";
import { layOutPreview, PreviewContext, showsPreview, withPreview } from "../list/preview.ts";
import { useRowBindings } from "../list/row-bindings.ts";
import { moveCursor, moveToColumn, moveToRow, sortBy, type Viewport, withCellFilters } from "../list/rows.ts";
import {
  centredTop,
  cursorLine,
  fillLines,
  itemAtLine,
  type Movement,
  moveBindings,
  wheelMovement,
} from "../viewport.ts";
import { layOutTable } from "./layout.ts";
import {
  findCellFilter,
  MARK_WIDTH,
  sortableColumns,
  type Table,
  type TableSource,
  useTable,
  withMarkColumn,
} from "./use-table.ts";

interface TablePanelProps {
  readonly source: TableSource;
  readonly region: Region;
  readonly part: string;
  readonly active: boolean;
  readonly onRefresh?: (() => void) | undefined;
  /** Called for a click while the table is not active. */
  readonly onActivate?: (() => void) | undefined;
  /** Returns the lines above the table. */
  readonly top: () => readonly TextLine[];
  /** The border around the table, for the selected row and the number of visible rows. */
  readonly frame?: ((selected: number, visible: number) => PaneFrame) | undefined;
}

/** Shows a short table. */
export function TablePanel({ source, part, active: isActive, frame, ...props }: TablePanelProps) {
  const { pane, isFocused } = usePane();
  const active = isActive && isFocused;
  const explorer = useExplorer();
  const { navigation, services } = explorer;
  const { unicode } = services;
  const { resource, target } = source;
  const region = frame ? insidePane(props.region) : props.region;
  const width = region.width - (frame ? 2 * PADDING : 0);
  const view = useTable(source, part, active);
  const { visible, columns, selected, chips, state, set } = view;
  const hint = formatKeyHints(keyLabelsOf(explorer), [["list.unfilter-all", "remove all"]]);
  const top = [
    ...props.top(),
    ...(chips.length > 0 ? [chipLine(chips, width, { unicode, scope: "these rows", hint })] : []),
    ...(view.filterLine ? [view.filterLine] : []),
  ];
  const hasPreview = showsPreview(state.hasPreview ?? (pane && false), explorer.data, width);
  const layout = useTableLayout(source, view, { width, height: region.height - top.length }, hasPreview);
  const height = Math.max(0, layout.size.height - 1);
  const nameOf = useNameOf();
  const { rows } = visible;
  const table = useMemo(() => layOutTable(rows, columns, layout.width, nameOf), [rows, columns, layout.width, nameOf]);
  const viewport: Viewport = {
    keys: visible.keys,
    height,
    columnIndex: view.columnIndex,
    // All columns that are drawn fit.
    minWidths: sortableColumns(columns.slice(0, table.columnCount)).map(() => 0),
    width: Number.POSITIVE_INFINITY,
  };
  usePaneFit(resource.answer && chips.length === 0 ? top.length + 1 + source.rows.length : undefined);
  const row = rows[selected];
  const route = target(row);
  const open = () => route && navigation.open(route);
  const move = (movement: Movement) => set((before) => moveCursor(before, movement, viewport));
  const removeFilter = (index: number) =>
    set((before) => withCellFilters(before, before.cellFilters.toSpliced(index, 1)));
  const sort = (index: number) => {
    const column = sortableColumns(source.columns)[index];
    if (!column) return;
    const choice = { column: column.path, highestFirst: source.rows.some((one) => column.cell(one).numeric) };
    set((before) => sortBy(moveToColumn(before, index, viewport), choice));
  };
  const rowKeys = useRowBindings(
    {
      set,
      viewport,
      row,
      links: row ? rowLinks(row, { shape: view.shape }) : [],
      shape: view.shape,
      marked: view.marked,
      routeOf: (one) => target(one as JsonObject),
      hasPreview,
      isFiltered: chips.length > 0,
    },
    {
      sort: () => sort(view.columnIndex),
      filterByCell(isExcluded) {
        const filter = findCellFilter(row, sortableColumns(source.columns)[view.columnIndex], view.shape, isExcluded);
        if (!filter) return explorer.toast("The cell is empty: move to another column first.", "warning");
        set((before) => withCellFilters(before, toggleCellFilter(before.cellFilters, filter)));
      },
      removeLastFilter: () => removeFilter(-1),
      removeFilters: () => set((before) => withCellFilters(before, [])),
    },
    { active, hasRows: rows.length > 0, hints: { sort: 26, preview: 42 } },
  );
  const refresh = () => {
    resource.refresh();
    props.onRefresh?.();
  };
  const bindings: readonly Binding[] = [
    ...moveBindings(move, active && rows.length > 1),
    bindAction("go.open", route?.kind === "entity" ? `open ${route.entity}` : "open", open, {
      hint: 10,
      active: active && route !== undefined,
    }),
    ...rowKeys,
    ...view.filterBindings,
    refreshBinding(refresh, active),
  ];
  const firstRow = centredTop({ count: rows.length }, height, selected);
  const click = ({ x, y, hit }: MouseEvent) => {
    if (!active) props.onActivate?.();
    // The preview may be to the right of the rows.
    if (x >= layout.size.width) return;
    const line = y - (frame ? PANE_BORDER : 0) - top.length;
    if (line <= 0 && typeof hit === "number") return line < 0 ? removeFilter(hit) : sort(hit);
    const clicked = itemAtLine({ count: rows.length }, { top: firstRow, height }, line - 1);
    if (clicked === selected && active) open();
    else if (clicked !== undefined) set((before) => moveToRow(before, clicked, viewport));
  };
  const onMouse = (event: MouseEvent) => {
    const wheel = wheelMovement(event);
    if (wheel) move(wheel);
    else if (event.type === "click") click(event);
  };
  useBindings("panel", bindings);
  useSubject(
    active
      ? {
          request: resource.request,
          rows,
          marked: view.marked,
          columns: source.columns.map(({ head, path }) => ({ head, path })),
          row,
          cell: source.cell(row),
          local: view.local,
        }
      : undefined,
  );
  const lines = table.rows
    .slice(firstRow, firstRow + height)
    .map((one, index) => (active && firstRow + index === selected ? cursorLine(one, layout.width) : one));
  const message = source.rows.length > 0 ? `${NO_MATCHES}.` : resource.answer ? source.empty : "";
  const body = rows.length > 0 ? layout.draw([table.head, ...lines], firstRow) : [textLine(message, "note")];
  const content = [...top, ...body];
  const framed = frame
    ? paneLines(content.map(withPadding), frame(selected, rows.length), props.region, unicode)
    : content;
  return <Lines lines={framed} width={props.region.width} height={props.region.height} onMouse={onMouse} />;
}

/** Returns the sizes of the rows and their preview, and a function that draws both. */
function useTableLayout({ target }: TableSource, view: Table, size: Size, hasPreview: boolean) {
  const explorer = useExplorer();
  const { services, data } = explorer;
  const { unicode } = services;
  const previewLines = useContext(PreviewContext);
  const preview = hasPreview ? layOutPreview(size) : undefined;
  const list = preview?.list ?? size;
  const { visible, state, selected, shape } = view;
  /** Returns the lines, headings first, with the marks of the rows from a first one on, and the preview. */
  const draw = (lines: readonly TextLine[], firstRow: number): readonly TextLine[] => {
    const isMarked = (at: number) => at > 0 && state.marks.has(visible.keys[firstRow + at - 1] ?? "");
    const marked = lines.map((one, at) => withMarkColumn(one, isMarked(at), unicode));
    if (!preview) return marked;
    const row = visible.rows[selected];
    const format = {
      shape,
      clock: relativeClock(services),
      shorten: createShortener(),
      subject: row && target(row),
      data,
      unicode,
    };
    return withPreview(fillLines(marked, list.height), row, format, preview, {
      unicode,
      keyOf: keyLabelsOf(explorer),
      previewLines,
    });
  };
  return { size: list, width: Math.max(1, list.width - MARK_WIDTH), draw };
}

/** Cells between the border and a line. The cursor reaches the border. */
const PADDING = 1;

function withPadding(line: TextLine): TextLine {
  const [first] = line;
  const space = { text: " ".repeat(PADDING), cursor: first?.cursor === undefined ? undefined : ("row" as const) };
  return [space, ...line, space];
}
