/**
 * Rows as the lines of a table. The widths follow from the first rows and stay, so that later pages can be printed as
 * they arrive. Plain tables are joined here, since long lists in a pipe must be fast; `draw.ts` draws the others.
 */
import type { Json } from "../../base/index.ts";
import type { Kind } from "../../catalogue/index.ts";
import { valueAt } from "../fields/paths.ts";
import { nameCells } from "../names/cell-names.ts";
import { clip, pad } from "../text/width.ts";
import type { TableStyle } from "../types.ts";
import type { Cell } from "../values/cell.ts";
import {
  alignColumn,
  alignNumber,
  COLUMN_GAP,
  type ColumnDemand,
  cellStyles,
  fitCellParts,
  formatCell,
  measureDemand,
  measureNumbers,
  solveWidths,
  type TableColumn,
} from "./columns.ts";
import { type DrawnColumns, type GridDrawer, prepareNames, type TableContext } from "./table-context.ts";

/** A table with fixed widths. */
export interface Grid {
  readonly style: TableStyle;
  /** The headings of the columns that did not fit. */
  readonly hiddenColumns: readonly string[];
  prepare(rows: readonly Json[]): Promise<void>;
  header(): string[];
  lines(rows: readonly Json[]): string[];
  footer(): string[];
}

const MAX_WARNINGS = 5;
/** Terminal cells between two columns, and at both ends together, of tables with lines (`│ a │ b │`). */
export const RULED_GAP = 3;
export const RULED_EDGES = 4;
/** The lowest width of a table with lines. */
export const MIN_RULED_WIDTH = 16;

/** The value of a cell, and its text with styles; undefined before the first row. */
interface PaintedValue {
  value: Json | undefined;
  text: string | undefined;
}

/** Kinds whose text depends on other fields of the row; a name, on the mint beside it. */
const DEPENDENT_KINDS: ReadonlySet<Kind | undefined> = new Set(["tokenAmount", "text"]);

/** Returns a table of columns whose widths follow from the first rows. */
export async function createGrid(
  columns: readonly TableColumn[],
  rows: readonly Json[],
  table: TableContext,
): Promise<Grid> {
  const heads = columns.map(({ head }) => table.escape(head));
  const styleOf = cellStyles(columns, table.cellStyle);
  const cellOf = (row: Json, column: TableColumn): Cell => {
    const cell = formatCell(row, column, { clock: styleOf(column) });
    return { ...cell, text: table.escape(cell.text) };
  };
  const rowOf = (row: Json, visible: readonly TableColumn[]): readonly Cell[] => {
    const cells = visible.map((column) => cellOf(row, column));
    return table.names ? nameCells(cells, table.names.of) : cells;
  };
  const prepare = (page: readonly Json[], shown: readonly TableColumn[]) =>
    prepareNames(table, page, () =>
      shown.flatMap((column) => page.map((row) => formatCell(row, column, { clock: table.cellStyle }))),
    );
  await prepare(rows, columns);
  const cells = rows.map((row) => rowOf(row, columns));
  const unaligned = columns.map((_column, at) => cells.map((row) => row[at] as Cell));
  const numbers = unaligned.map(measureNumbers);
  const bodies = unaligned.map((body, at) => body.map((cell) => alignNumber(cell, numbers[at])));
  const { style, widths } = fitStyle(
    heads.map((head, index) => measureDemand(head, bodies[index] ?? [], table.shorten, table)),
    table,
  );
  const visible = columns.slice(0, widths.length);
  const drawer = await createDrawer(style, table, {
    heads: widths.map((width, index) => clip(heads[index] ?? "", width)),
    widths,
    alignments: visible.map((column, index) => alignColumn(column, bodies[index] ?? [])),
  });
  const paintAt = (source: Cell, index: number) => {
    const cell = alignNumber(source, numbers[index]);
    if (cell.warning && table.warnings.size < MAX_WARNINGS) table.warnings.add(cell.warning);
    return paintCell(cell, widths[index] as number, table);
  };
  const previous = visible.map(({ sources: [source] }): PaintedValue | undefined =>
    DEPENDENT_KINDS.has(source?.meta?.kind) ? undefined : { value: undefined, text: undefined },
  );
  /** Many rows of a long list have the value of the row before. */
  const paintAgain = (row: Json, column: TableColumn, index: number) => {
    const before = previous[index];
    const value = valueAt(row, column.sources[0]?.path ?? []);
    if (before?.text !== undefined && before.value === value && typeof value === "string") return before.text;
    const text = paintAt(cellOf(row, column), index);
    if (before) [before.value, before.text] = [value, text];
    return text;
  };
  // Names depend on the other cells of a row.
  const fitted = table.names
    ? (row: Json) => rowOf(row, visible).map(paintAt)
    : (row: Json) => visible.map((column, index) => paintAgain(row, column, index));
  return {
    style,
    prepare: (page) => prepare(page, visible),
    hiddenColumns: columns.slice(widths.length).map((column) => column.head),
    header: drawer.header,
    lines: (page) => drawer.lines(page.map(fitted)),
    footer: drawer.footer,
  };
}

/** Returns the text of a cell in a number of terminal cells, with styles. */
export function paintCell(cell: Cell, width: number, { link, paint, shorten, isWide }: TableContext): string {
  const role = cell.warning === undefined || cell.names ? undefined : "warning";
  return fitCellParts(cell, width, shorten, isWide)
    .map((part) => {
      const text = paint(role ?? part.role, part.text);
      return link && part.entity ? link(part.entity.id, part.entity.role, text) : text;
    })
    .join("");
}

function fitStyle(
  demands: readonly ColumnDemand[],
  { width, style }: TableContext,
): { readonly style: TableStyle; readonly widths: readonly number[] } {
  const plain = solveWidths(demands, width);
  const available = width - RULED_EDGES;
  if (style === "plain" || width < MIN_RULED_WIDTH || plain.length === 0) return { style: "plain", widths: plain };
  const widths = solveWidths(demands, available, RULED_GAP);
  if (style !== "auto") return { style, widths };
  return isAffordable(demands, plain, widths) ? { style: "border", widths } : { style: "plain", widths: plain };
}

/**
 * Whether a border costs nothing that people need: no column, no text, and no whole identifier, unless only some of the
 * columns showed theirs whole.
 */
function isAffordable(
  demands: readonly ColumnDemand[],
  plain: readonly number[],
  bordered: readonly number[],
): boolean {
  const isWhole = ({ head, body }: ColumnDemand, size = 0) => size >= Math.max(head, body);
  const allWhole = plain.every((size, index) => !demands[index]?.stepped || isWhole(demands[index], size));
  return plain.every((size, index) => {
    const { stepped = false, head = 0, minimum = 0 } = demands[index] ?? {};
    const needed = stepped && !allWhole ? Math.min(size, Math.max(head, minimum)) : size;
    return (bordered[index] ?? 0) >= needed;
  });
}

/** Returns what draws the rows of a table in a style. */
export async function createDrawer(style: TableStyle, table: TableContext, columns: DrawnColumns): Promise<GridDrawer> {
  if (style === "plain") return createPlainDrawer(table, columns);
  return (await import("./draw.ts")).createRuledDrawer(style, table, columns);
}

function createPlainDrawer({ paint }: TableContext, { heads, widths, alignments }: DrawnColumns): GridDrawer {
  const gap = " ".repeat(COLUMN_GAP);
  const join = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(text, widths[index] ?? 0, alignments[index]))
      .join(gap)
      .trimEnd();
  return {
    header: () => [paint("heading", join(heads))],
    lines: (rows) => rows.map(join),
    footer: () => [],
  };
}
