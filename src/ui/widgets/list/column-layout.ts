/** How wide the columns are, and which of them are on view. The first one always is: it says what a row is about. */

import {
  alignColumn,
  COLUMN_GAP,
  type ColumnDemand,
  shortenIds,
  solveWidths,
  textWidth,
} from "../../../output/index.ts";
import type { CellTable, ListCell } from "./table.ts";

/** What the columns of a table want, measured once. */
export interface ColumnMeasure {
  readonly demands: readonly ColumnDemand[];
  readonly aligns: readonly ("left" | "right")[];
  /** Of each column, the widths with which the names in front of short identifiers have room, ascending. */
  readonly namedWidths: readonly (readonly number[])[];
}

/** The columns on view. */
export interface ColumnLayout {
  /** Places of the columns, the frozen one first, and their widths. */
  readonly visible: readonly { readonly index: number; readonly width: number }[];
  /** The first column after the frozen one. */
  readonly firstScrolled: number;
  /** Whether columns are hidden before and behind those on view. */
  readonly hasHiddenLeft: boolean;
  readonly hasHiddenRight: boolean;
}

/** Text asks for no more than the first, and is of use down to the second. */
const MAX_TEXT = 60;
const MIN_TEXT = 16;
/** Texts of the frozen column that begin alike get more than that, up to here, until they differ. */
const MAX_DISTINCT = 32;
/** Headings are cut only beyond this: the rest of the columns is a key press away. */
const MIN_HEAD = 14;
/** What `columnWidths` gives a heading at least. */
const MIN_CUT_HEAD = 6;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The width of a text; nearly all text is ASCII, and a page has thousands of cells. */
function widthOfText(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : textWidth(text);
}

/** The cells of the name in front of an identifier, with the space between. */
function nameWidth({ name }: ListCell): number {
  return name === undefined ? 0 : widthOfText(name) + 1;
}

/** The cells in which texts still differ where they are cut. */
function distinctWidth(body: readonly ListCell[]): number {
  const texts = [...new Set(body.filter(({ elastic }) => elastic).map(({ text }) => text))].sort();
  return texts.reduce((most, text, at) => {
    const before = texts[at - 1] ?? "";
    let alike = 0;
    while (alike < MAX_DISTINCT && alike < before.length && before[alike] === text[alike]) alike += 1;
    // The first character that differs, and the sign of a cut.
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
    // Names give way before columns do.
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

/** Whether a cell shows an identifier that looks like another one. */
export function isLookalike({ ids }: ListCell, lookalikes: ReadonlySet<string>): boolean {
  return ids?.some((id) => lookalikes.has(id)) ?? false;
}

/**
 * The first column after the frozen one, moved no further than it takes for the selected one to be on view; nothing is
 * left empty at the end while columns are hidden.
 * @param minWidths the narrowest widths of all columns, in cells
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

/** The narrowest widths with which side scrolling counts: the frozen column takes no more than half of the room. */
export function minWidthsOf({ demands }: ColumnMeasure, width: number): readonly number[] {
  const half = Math.max(1, Math.floor((width - COLUMN_GAP) / 2));
  return demands.map(({ head, minimum: minWidths }, index) =>
    Math.min(Math.max(minWidths, Math.min(head, MIN_CUT_HEAD)), index === 0 ? half : width - half - COLUMN_GAP),
  );
}

/** The narrowest widths of these columns, in order, with the widest names that there is room for. */
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
    // A wish that is cut already asks for no more than it gets at least.
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
