/** How wide the columns are, and which of them are on view. The first one always is: it says what a row is about. */

import { COLUMN_GAP, type ColumnDemand, solveWidths } from "../../../output/table/column-widths.ts";
import { alignColumn, shortenIds } from "../../../output/table/grid.ts";
import { textWidth } from "../../../output/text/width.ts";
import type { ListCell, Table } from "./table.ts";

/** What the columns of a table want, measured once. */
export interface Measure {
  readonly wishes: readonly ColumnDemand[];
  readonly aligns: readonly ("left" | "right")[];
  /** Of each column, the widths with which the names in front of short identifiers have room, ascending. */
  readonly names: readonly (readonly number[])[];
}

/** The columns on view. */
export interface Layout {
  /** Places of the columns, the frozen one first, and their widths. */
  readonly shown: readonly { readonly index: number; readonly width: number }[];
  /** The first column after the frozen one. */
  readonly left: number;
  /** Whether columns are hidden before and behind those on view. */
  readonly hasBefore: boolean;
  readonly hasBehind: boolean;
}

/** Text asks for no more than the first, and is of use down to the second. */
const WIDEST_TEXT = 60;
const LEAST_TEXT = 16;
/** Texts of the frozen column that begin alike get more than that, up to here, until they differ. */
const MOST_TELLING = 32;
/** Headings are cut only beyond this: the rest of the columns is a key press away. */
const LEAST_HEAD = 14;
/** What `columnWidths` gives a heading at least. */
const CUT_HEAD = 6;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The width of a text; nearly all text is ASCII, and a page has thousands of cells. */
function sizeOf(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : textWidth(text);
}

/** The cells of the name in front of an identifier, with the space between. */
function nameSize({ name }: ListCell): number {
  return name === undefined ? 0 : sizeOf(name) + 1;
}

/** The cells in which texts still differ where they are cut. */
function tellingSize(body: readonly ListCell[]): number {
  const texts = [...new Set(body.filter(({ elastic }) => elastic).map(({ text }) => text))].sort();
  return texts.reduce((most, text, at) => {
    const before = texts[at - 1] ?? "";
    let alike = 0;
    while (alike < MOST_TELLING && alike < before.length && before[alike] === text[alike]) alike += 1;
    // The first character that differs, and the sign of a cut.
    return Math.max(most, Math.min(sizeOf(text.slice(0, alike + 1)) + 1, MOST_TELLING));
  }, LEAST_TEXT);
}

/** Measures the columns of a table. */
export function measured({ columns, cells: rows, shorten, twins }: Table): Measure {
  const bodies = columns.map((_column, index) => rows.map((row) => row[index]).filter((cell) => cell !== undefined));
  const signSize = (cell: ListCell) => (isTwin(cell, twins) ? 1 : 0);
  const textSize = ({ elastic, text }: ListCell, most: number) =>
    elastic ? Math.min(sizeOf(text), most) : sizeOf(text);
  const telling = tellingSize(bodies[0] ?? []);
  const bareSize = (cell: ListCell, index: number) =>
    signSize(cell) +
    (cell.ids ? sizeOf(shortenIds(cell, shorten)) : textSize(cell, index === 0 ? telling : LEAST_TEXT));
  const wholeSize = (cell: ListCell) => signSize(cell) + nameSize(cell) + textSize(cell, WIDEST_TEXT);
  const wishes = columns.map(({ head }, index): ColumnDemand => {
    const body = bodies[index] ?? [];
    // Names give way before columns do.
    const least = body.reduce((most, cell) => Math.max(most, bareSize(cell, index)), 0);
    return {
      head: sizeOf(head),
      body: body.reduce((most, cell) => Math.max(most, wholeSize(cell)), 0),
      minimum: Math.max(least, Math.min(sizeOf(head), LEAST_HEAD)),
      stepped: body.some((cell) => cell.ids),
    };
  });
  const namedSizes = (body: readonly ListCell[], index: number) => {
    const named = body.filter(({ name }) => name !== undefined);
    const sizes = named.map((cell) => nameSize(cell) + bareSize(cell, index));
    return [...new Set(sizes)].sort((a, b) => a - b);
  };
  return {
    wishes,
    aligns: columns.map((column, index) => alignColumn(column, bodies[index] ?? [])),
    names: bodies.map(namedSizes),
  };
}

/** Whether a cell shows an identifier that looks like another one. */
export function isTwin({ ids }: ListCell, twins: ReadonlySet<string>): boolean {
  return ids?.some((id) => twins.has(id)) ?? false;
}

/**
 * The first column after the frozen one, moved no further than it takes for the selected one to be on view; nothing is
 * left empty at the end while columns are hidden.
 * @param least the narrowest widths of all columns, in cells
 */
export function sideWindow(least: readonly number[], width: number, left: number, selected: number): number {
  const last = least.length - 1;
  if (last < 1) return 1;
  const room = width - (least[0] ?? 0);
  const fits = (from: number, to: number) => sum(least.slice(from, to + 1)) <= room;
  let first = Math.min(Math.max(1, left), last);
  if (selected >= 1) first = Math.min(first, selected);
  while (first < selected && !fits(first, selected)) first += 1;
  while (first > 1 && fits(first - 1, last)) first -= 1;
  return first;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((all, width) => all + width + COLUMN_GAP, 0);
}

/** The narrowest widths with which side scrolling counts: the frozen column takes no more than half of the room. */
export function leastWidths({ wishes }: Measure, width: number): readonly number[] {
  const half = Math.max(1, Math.floor((width - COLUMN_GAP) / 2));
  return wishes.map(({ head, minimum: least }, index) =>
    Math.min(Math.max(least, Math.min(head, CUT_HEAD)), index === 0 ? half : width - half - COLUMN_GAP),
  );
}

/** The narrowest widths of these columns, in order, with the widest names that there is room for. */
function widthsWithNames(indices: readonly number[], least: readonly number[], { names }: Measure, width: number) {
  let slack = width + COLUMN_GAP - sum(indices.map((index) => least[index] ?? 0));
  return indices.map((index) => {
    const narrowest = least[index] ?? 1;
    const room = narrowest + slack;
    const size = Math.max(narrowest, names[index]?.findLast((wanted) => wanted <= room) ?? 0);
    slack -= size - narrowest;
    return size;
  });
}

/** Lays out the columns in `width` cells. */
export function layoutOf(measure: Measure, width: number, left: number, selected: number): Layout {
  const least = leastWidths(measure, width);
  const first = sideWindow(least, width, left, selected);
  const indices = [0];
  let room = width - (least[0] ?? 0);
  for (let index = first; index < least.length; index += 1) {
    room -= (least[index] ?? 0) + COLUMN_GAP;
    if (room < 0) break;
    indices.push(index);
  }
  const widest = widthsWithNames(indices, least, measure, width);
  const wishes = indices.map((index, at) => {
    const wish = measure.wishes[index] ?? { head: 0, body: 0, minimum: 0, stepped: false };
    const narrowest = widest[at] ?? 1;
    // A wish that is cut already asks for no more than it gets at least.
    return narrowest < wish.minimum || narrowest < Math.min(wish.head, CUT_HEAD)
      ? { head: narrowest, body: narrowest, minimum: narrowest, stepped: false }
      : { ...wish, minimum: narrowest };
  });
  const widths = solveWidths(wishes, width);
  return {
    shown: widths.map((size, at) => ({ index: indices[at] ?? 0, width: size })),
    left: first,
    hasBefore: first > 1,
    hasBehind: (indices.at(-1) ?? 0) < least.length - 1 || widths.length < indices.length,
  };
}
