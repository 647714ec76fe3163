/** Column widths and horizontal scrolling. The first column is frozen: it says what a row is about. */

import {
  alignColumn,
  COLUMN_GAP,
  type ColumnDemand,
  shortenIds,
  solveWidths,
  textWidth,
} from "../../../output/index.ts";
import type { CellTable, ListCell } from "./table.ts";

/** The space that the columns of a table demand, measured once. */
export interface ColumnMeasure {
  readonly demands: readonly ColumnDemand[];
  readonly aligns: readonly ("left" | "right")[];
  /** For each column, the widths that have space for the names before short identifiers, ascending. */
  readonly namedWidths: readonly (readonly number[])[];
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
/** Minimum width of a heading in `columnWidths`. */
const MIN_CUT_HEAD = 6;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Returns the width of a text. Nearly all text is ASCII, and a page has thousands of cells. */
function widthOfText(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : textWidth(text);
}

/** Returns the width of the name before an identifier, including the space. */
function nameWidth({ name }: ListCell): number {
  return name === undefined ? 0 : widthOfText(name) + 1;
}

/** Returns the width at which cut texts still differ. */
function distinctWidth(body: readonly ListCell[]): number {
  const texts = [...new Set(body.filter(({ elastic }) => elastic).map(({ text }) => text))].sort();
  return texts.reduce((most, text, at) => {
    const before = texts[at - 1] ?? "";
    let alike = 0;
    while (alike < MAX_DISTINCT && alike < before.length && before[alike] === text[alike]) alike += 1;
    // The first character that differs, and the mark of a cut.
    return Math.max(most, Math.min(widthOfText(text.slice(0, alike + 1)) + 1, MAX_DISTINCT));
  }, MIN_TEXT);
}

/** Measures the columns of a table. */
export function measureColumns({ columns, cells: rows, shorten, lookalikes }: CellTable): ColumnMeasure {
  const bodies = columns.map((_column, index) => rows.map((row) => row[index]).filter((cell) => cell !== undefined));
  const signWidth = (cell: ListCell) => (isLookalike(cell, lookalikes) ? 1 : 0);
  const cellTextWidth = ({ elastic, text }: ListCell, most: number) =>
    elastic ? Math.min(widthOfText(text), most) : widthOfText(text);
  const distinct = distinctWidth(bodies[0] ?? []);
  const bareWidth = (cell: ListCell, index: number) =>
    signWidth(cell) +
    (cell.ids ? widthOfText(shortenIds(cell, shorten)) : cellTextWidth(cell, index === 0 ? distinct : MIN_TEXT));
  const wholeWidth = (cell: ListCell) => signWidth(cell) + nameWidth(cell) + cellTextWidth(cell, MAX_TEXT);
  const demands = columns.map(({ head }, index): ColumnDemand => {
    const body = bodies[index] ?? [];
    // Names are dropped before columns are.
    const minWidths = body.reduce((most, cell) => Math.max(most, bareWidth(cell, index)), 0);
    return {
      head: widthOfText(head),
      body: body.reduce((most, cell) => Math.max(most, wholeWidth(cell)), 0),
      minimum: Math.max(minWidths, Math.min(widthOfText(head), MIN_HEAD)),
      stepped: body.some((cell) => cell.ids),
    };
  });
  const namedWidthsOf = (body: readonly ListCell[], index: number) => {
    const named = body.filter(({ name }) => name !== undefined);
    const sizes = named.map((cell) => nameWidth(cell) + bareWidth(cell, index));
    return [...new Set(sizes)].sort((a, b) => a - b);
  };
  return {
    demands,
    aligns: columns.map((column, index) => alignColumn(column, bodies[index] ?? [])),
    namedWidths: bodies.map(namedWidthsOf),
  };
}

/** Returns whether a cell shows an identifier that looks like another one. */
export function isLookalike({ ids }: ListCell, lookalikes: ReadonlySet<string>): boolean {
  return ids?.some((id) => lookalikes.has(id)) ?? false;
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

/** Returns the minimum widths for scrolling: the frozen column takes at most half of the width. */
export function minWidthsOf({ demands }: ColumnMeasure, width: number): readonly number[] {
  const half = Math.max(1, Math.floor((width - COLUMN_GAP) / 2));
  return demands.map(({ head, minimum: minWidths }, index) =>
    Math.min(Math.max(minWidths, Math.min(head, MIN_CUT_HEAD)), index === 0 ? half : width - half - COLUMN_GAP),
  );
}

/** Returns the minimum widths of these columns, enlarged for names as far as there is space. */
function widthsWithNames(
  indices: readonly number[],
  minWidths: readonly number[],
  { namedWidths }: ColumnMeasure,
  width: number,
) {
  let spare = width + COLUMN_GAP - totalWidth(indices.map((index) => minWidths[index] ?? 0));
  return indices.map((index) => {
    const narrowest = minWidths[index] ?? 1;
    const available = narrowest + spare;
    const size = Math.max(narrowest, namedWidths[index]?.findLast((candidate) => candidate <= available) ?? 0);
    spare -= size - narrowest;
    return size;
  });
}

/** Lays out the columns in `width` cells. */
export function layOutColumns(measure: ColumnMeasure, width: number, left: number, selected: number): ColumnLayout {
  const minWidths = minWidthsOf(measure, width);
  const first = firstScrolledColumn(minWidths, width, left, selected);
  const indices = [0];
  let available = width - (minWidths[0] ?? 0);
  for (let index = first; index < minWidths.length; index += 1) {
    available -= (minWidths[index] ?? 0) + COLUMN_GAP;
    if (available < 0) break;
    indices.push(index);
  }
  const widest = widthsWithNames(indices, minWidths, measure, width);
  const demands = indices.map((index, at) => {
    const demand = measure.demands[index] ?? { head: 0, body: 0, minimum: 0, stepped: false };
    const narrowest = widest[at] ?? 1;
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
