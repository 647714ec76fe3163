/**
 * Column widths, bars beside numbers, and horizontal scrolling. The first column is frozen: it says what a row is about.
 */

import { decimalText, type Json, toDecimal } from "../../../base/index.ts";
import {
  alignColumn,
  alignNumber,
  type Cell,
  COLUMN_GAP,
  type ColumnDemand,
  measureDemand,
  measureNumbers,
  type NumberWidths,
  solveWidths,
  textWidth,
} from "../../../output/index.ts";
import { comparisonBar } from "../../frame/share-bar.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import { isTrendColumn, type ListColumn, TREND_WIDTH } from "./columns.ts";
import { type CellTable, valueOfColumn } from "./table.ts";

/** The space that the columns of a table demand, measured once. */
export interface ColumnMeasure {
  readonly demands: readonly ColumnDemand[];
  readonly aligns: readonly ("left" | "right")[];
  readonly numbers: readonly (NumberWidths | undefined)[];
  readonly bars: readonly (BarScale | undefined)[];
}

/** The visible columns. */
export interface ColumnLayout {
  /** Indices and widths of the columns, the frozen one first. */
  readonly visible: readonly { readonly index: number; readonly width: number }[];
  /** The first column after the frozen one. */
  readonly firstScrolled: number;
  /** Whether columns are hidden to the left and to the right. */
  readonly hasHiddenLeft: boolean;
  readonly hasHiddenRight: boolean;
}

/** Maximum width that text demands, and the minimum at which it is useful. */
const MAX_TEXT = 60;
const MIN_TEXT = 16;
/** Texts of the frozen column with a common prefix get up to this width, until they differ. */
const MAX_DISTINCT = 32;
/** Maximum width of a heading that is never cut; the other columns are one key press away. */
const MIN_HEAD = 14;
const MIN_CUT_HEAD = 6;

/** Returns the width at which cut texts still differ. */
function distinctWidth(body: readonly Cell[]): number {
  const texts = [...new Set(body.filter(({ elastic }) => elastic).map(({ text }) => text))].sort();
  return texts.reduce((most, text, at) => {
    const before = texts[at - 1] ?? "";
    let alike = 0;
    while (alike < MAX_DISTINCT && alike < before.length && before[alike] === text[alike]) alike += 1;
    // The first character that differs, and the mark of a cut.
    return Math.max(most, Math.min(textWidth(text.slice(0, alike + 1)) + 1, MAX_DISTINCT));
  }, MIN_TEXT);
}

/** Rows that are measured: all of a page, and as many of a longer list. */
const MEASURED_ROWS = 200;

/** Measures the columns of a table; of a long list, the first rows and others at equal distances. */
export function measureColumns({ columns, rows: all, cellsOf, shorten, lookalikes }: CellTable): ColumnMeasure {
  const step = Math.max(1, (all.length - MEASURED_ROWS / 2) / (MEASURED_ROWS / 2));
  const isShort = all.length <= MEASURED_ROWS;
  const rows = Array.from({ length: Math.min(all.length, MEASURED_ROWS) }, (_row, at) =>
    cellsOf(isShort || at < MEASURED_ROWS / 2 ? at : Math.floor(MEASURED_ROWS / 2 + (at - MEASURED_ROWS / 2) * step)),
  );
  const unaligned = columns.map((_column, index) => rows.map((row) => row[index]).filter((cell) => cell !== undefined));
  const numbers = unaligned.map(measureNumbers);
  const bodies = unaligned.map((body, index) => body.map((cell) => alignNumber(cell, numbers[index])));
  const distinct = distinctWidth(bodies[0] ?? []);
  const bare = columns.map(({ head, key }, index): ColumnDemand => {
    if (isTrendColumn({ key })) return { head: head.length, body: TREND_WIDTH, minimum: TREND_WIDTH, stepped: false };
    const texts = { minimum: index === 0 ? distinct : MIN_TEXT, maximum: MAX_TEXT };
    return measureDemand(head, bodies[index] ?? [], shorten, { texts });
  });
  const bars = columns.map((column, index) => {
    const { head = 0, body = 0 } = bare[index] ?? {};
    return barScale(column, all, Math.max(head, body));
  });
  const demands = bare.map((demand, index): ColumnDemand => {
    const body = bodies[index] ?? [];
    const bar = bars[index];
    // The sign of a lookalike precedes its identifier.
    const sign = body.some((cell) => isLookalike(cell, lookalikes)) ? 1 : 0;
    return {
      ...demand,
      minimum: Math.max(demand.minimum + sign, Math.min(demand.head, MIN_HEAD)),
      names: (demand.names ?? 0) + sign,
      short: (demand.short ?? 0) + sign,
      body: bar ? bar.space + BAR_WIDTH : demand.body + sign,
    };
  });
  return {
    demands,
    aligns: columns.map((column, index) => alignColumn(column, bodies[index] ?? [])),
    numbers,
    bars,
  };
}

/**
 * Returns a function that measures the columns of a table. While a list grows, the measure of its first rows serves until
 * their number has doubled, so that a long list is measured a few times instead of with each page.
 */
export function createColumnMeasurer(): (table: CellTable, isGrowing: boolean) => ColumnMeasure {
  let last: { columns: CellTable["columns"]; count: number; measure: ColumnMeasure } | undefined;
  return (table, isGrowing) => {
    const { columns, rows } = table;
    const isCurrent =
      isGrowing && last?.columns === columns && last.count <= rows.length && rows.length < 2 * last.count;
    const measured = last && isCurrent ? last : { columns, count: rows.length, measure: measureColumns(table) };
    last = measured;
    return measured.measure;
  };
}

/** Returns whether a cell shows an identifier that looks like another one. A built-in name says which one it is. */
export function isLookalike({ ids, names }: Cell, lookalikes: ReadonlySet<string>): boolean {
  return ids?.some((id, at) => lookalikes.has(id) && !names?.[at]?.isTrusted) ?? false;
}

/**
 * Returns the first column after the frozen one, scrolled no further than necessary to show the selected one; no space
 * stays empty at the end while columns are hidden.
 * @param minWidths minimum widths of all columns in cells
 */
export function firstScrolledColumn(
  minWidths: readonly number[],
  width: number,
  left: number,
  selected: number,
): number {
  const last = minWidths.length - 1;
  if (last < 1) return 1;
  const available = width - (minWidths[0] ?? 0);
  const fits = (from: number, to: number) => totalWidth(minWidths.slice(from, to + 1)) <= available;
  let first = Math.min(Math.max(1, left), last);
  if (selected >= 1) first = Math.min(first, selected);
  while (first < selected && !fits(first, selected)) first += 1;
  while (first > 1 && fits(first - 1, last)) first -= 1;
  return first;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((all, width) => all + width + COLUMN_GAP, 0);
}

/** Widths that the user chose, by the key of the column. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** The narrowest and the widest column that can be chosen, and the cells of one step. */
export const WIDTH_LIMITS = { minimum: 4, maximum: 120, step: 2 } as const;

/** Returns a width within the limits. */
export const clampWidth = (width: number): number =>
  Math.max(WIDTH_LIMITS.minimum, Math.min(width, WIDTH_LIMITS.maximum));

/** Returns the measure of columns of which the user chose some widths: these demand neither less nor more. */
export function withWidths(
  measure: ColumnMeasure,
  columns: readonly { readonly key: string }[],
  widths: ColumnWidths,
): ColumnMeasure {
  if (Object.keys(widths).length === 0) return measure;
  const demands = measure.demands.map((demand, index): ColumnDemand => {
    const width = widths[columns[index]?.key ?? ""];
    return width === undefined ? demand : { head: width, body: width, minimum: width, stepped: false };
  });
  return { ...measure, demands };
}

/** Returns the minimum widths for scrolling: the frozen column takes at most half of the width. */
export function computeMinWidths({ demands }: ColumnMeasure, width: number): readonly number[] {
  const half = Math.max(1, Math.floor((width - COLUMN_GAP) / 2));
  return demands.map(({ head, minimum }, index) =>
    Math.min(Math.max(minimum, Math.min(head, MIN_CUT_HEAD)), index === 0 ? half : width - half - COLUMN_GAP),
  );
}

/** Lays out the columns in `width` cells. */
export function layOutColumns(measure: ColumnMeasure, width: number, left: number, selected: number): ColumnLayout {
  const minWidths = computeMinWidths(measure, width);
  const first = firstScrolledColumn(minWidths, width, left, selected);
  const indices = [0];
  let available = width - (minWidths[0] ?? 0);
  for (let index = first; index < minWidths.length; index += 1) {
    available -= (minWidths[index] ?? 0) + COLUMN_GAP;
    if (available < 0) break;
    indices.push(index);
  }
  const demands = indices.map((index) => {
    const demand = measure.demands[index] ?? { head: 0, body: 0, minimum: 0, stepped: false };
    const narrowest = minWidths[index] ?? 1;
    // A demand that is cut already demands no more than its minimum.
    return narrowest < demand.minimum || narrowest < Math.min(demand.head, MIN_CUT_HEAD)
      ? { head: narrowest, body: narrowest, minimum: narrowest, stepped: false }
      : { ...demand, minimum: narrowest };
  });
  const widths = solveWidths(demands, width);
  return {
    visible: widths.map((size, at) => ({ index: indices[at] ?? 0, width: size })),
    firstScrolled: first,
    hasHiddenLeft: first > 1,
    hasHiddenRight: (indices.at(-1) ?? 0) < minWidths.length - 1 || widths.length < indices.length,
  };
}

/** Cells of a bar and the gap before it; narrower bars than the minimum are left out. */
const BAR_WIDTH = 11;
const MIN_BAR = 4;

interface BarScale {
  readonly column: ListColumn;
  readonly maximum: number;
  /** Cells of the numbers, or of the heading above them. */
  readonly space: number;
}

/**
 * Returns the scale of a column; undefined for columns without bars, and where there is nothing to compare.
 * @param space cells of the numbers, or of the heading above them
 */
function barScale(column: ListColumn, rows: readonly Json[], space: number): BarScale | undefined {
  if (column.sources[0]?.meta?.isCompared === undefined || rows.length < 2) return undefined;
  const maximum = rows.reduce<number>((most, row) => Math.max(most, readQuantity(row, column) ?? 0), 0);
  return maximum > 0 ? { column, maximum, space } : undefined;
}

function readQuantity(row: Json, column: ListColumn): number | undefined {
  const number = toDecimal(valueOfColumn(row, column).value);
  return number && Number(decimalText(number));
}

/** Returns the cells of a bar with the gap before it, in a column of `width` cells. */
export function barWidth(scale: BarScale | undefined, width: number): number {
  const space = scale ? width - scale.space : 0;
  return space > MIN_BAR ? Math.min(space, BAR_WIDTH) : 0;
}

/** Returns the bar of a row after a gap, in exactly `width` cells. */
export function barCell(row: Json, { column, maximum }: BarScale, width: number, unicode: boolean): TextLine {
  return [{ text: " " }, ...comparisonBar((readQuantity(row, column) ?? 0) / maximum, width - 1, unicode)];
}
