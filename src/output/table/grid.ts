/**
 * Rows as the lines of a table. The widths follow from the first rows and stay, so that later pages can be printed as
 * they arrive. Plain tables are joined here, since long lists in a pipe must be fast; `draw.ts` draws the others.
 */
import type { Json } from "../../base/index.ts";
import { clip, pad } from "../text/width.ts";
import type { TableStyle } from "../types.ts";
import type { Cell } from "../values/cell.ts";
import { COLUMN_GAP, type ColumnDemand, solveWidths } from "./column-widths.ts";
import { alignColumn, demandOf, fitCell, formatCell, type TableColumn } from "./columns.ts";
import type { DrawnColumns, GridDrawer, TableContext } from "./table-context.ts";

/** A table with fixed widths. */
export interface Grid {
  /** The style that fits. */
  readonly style: TableStyle;
  /** The headings of the columns that did not fit. */
  readonly hiddenColumns: readonly string[];
  /** Returns the lines before the first row. */
  header(): string[];
  /** Returns the lines of rows. */
  lines(rows: readonly Json[]): string[];
  /** Returns the lines after the last row. */
  footer(): string[];
}

/** Warnings that are reported. */
const MAX_WARNINGS = 5;
/** Terminal cells between two columns, and at both ends together, of tables with lines (`│ a │ b │`). */
export const RULED_GAP = 3;
export const RULED_EDGES = 4;
/** The lowest width of a table with lines. */
export const MIN_RULED_WIDTH = 16;

/** Returns a table of columns whose widths follow from the first rows. */
export async function createGrid(
  columns: readonly TableColumn[],
  rows: readonly Json[],
  table: TableContext,
): Promise<Grid> {
  const heads = columns.map(({ head }) => table.escape(head));
  const cellOf = (row: Json, column: TableColumn): Cell => {
    const cell = formatCell(row, column, table);
    return { ...cell, text: table.escape(cell.text) };
  };
  const bodies = columns.map((column) => rows.map((row) => cellOf(row, column)));
  const { style, widths } = fitStyle(
    heads.map((head, index) => demandOf(head, bodies[index] ?? [], table.shorten)),
    table,
  );
  const drawer = await createDrawer(style, table, {
    heads: widths.map((width, index) => clip(heads[index] ?? "", width)),
    widths,
    alignments: columns.slice(0, widths.length).map((column, index) => alignColumn(column, bodies[index] ?? [])),
  });
  const fitted = (row: Json) =>
    widths.map((width, index) => {
      const cell = cellOf(row, columns[index] as TableColumn);
      if (cell.warning && table.warnings.size < MAX_WARNINGS) table.warnings.add(cell.warning);
      return table.paint(cell.warning ? "warning" : cell.role, fitCell(cell, width, table.shorten));
    });
  return {
    style,
    hiddenColumns: columns.slice(widths.length).map((column) => column.head),
    header: drawer.header,
    lines: (page) => drawer.lines(page.map(fitted)),
    footer: drawer.footer,
  };
}

/** Returns the style that fits into the width, and the widths of the columns in it. */
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
