/** Rows of text with links in them, which may fold: what is on view, and where the cursor is. No React here. */

import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";
import { sliceWidth, textWidth } from "../../../output/index.ts";
import type { Subject } from "../../app/context.ts";
import type { Route } from "../../app/route.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../filter-input.ts";
import { scrollTop } from "../viewport.ts";

/** Cells of a line for which there is no window. */
const UNLIMITED_WIDTH = 1000;

/** The rows that a filter leaves; headings are no rows. */
export function filterTreeRows(text: string, rows: readonly TreeRow[]): FilteredRows<TreeRow> {
  if (text === "") return { rows, problem: undefined };
  const filterable = rows.filter(({ isStatic }) => isStatic !== true);
  const { matches, problem } = applyFilter(
    parseFilter(text),
    filterable.map((row) => searchTexts(row).join("\n")),
  );
  return { rows: matches.map((at) => filterable[at]).filter((row) => row !== undefined), problem };
}

function searchTexts(row: TreeRow): readonly string[] {
  const spans = typeof row.line === "function" ? row.line(UNLIMITED_WIDTH) : row.line;
  const visible = spans.map((one) => one.text).join("");
  return [
    visible,
    ...[row, ...spans].flatMap(linkTexts),
    ...(childrenOf(row) ?? []).flatMap(searchTexts),
    ...rawTexts(row.row),
  ];
}

/** What a link stands for. */
function linkTexts({ target, cell }: Link): readonly string[] {
  return [...(target?.kind === "entity" ? [target.id] : []), ...rawTexts(cell?.value)];
}

/** The values of a row as they came; the names of its fields are no use in a filter. */
function rawTexts(value: Json | undefined): readonly string[] {
  if (isNumeric(value)) return [numericText(value)];
  if (typeof value === "string") return [value];
  if (isArray(value)) return value.flatMap(rawTexts);
  return isObject(value) ? Object.values(value).flatMap(rawTexts) : [];
}

/** What a piece of a row, or a whole one, leads to and stands for. */
export interface Link {
  /** What Enter opens. */
  readonly target?: Route | undefined;
  /** What copying takes. */
  readonly cell?: Subject["cell"];
}

/** A piece of a row, possibly one that the cursor can stop at. */
export type LinkSpan = Span & Link;

/** A row. */
export interface TreeRow extends Link {
  /** Tells the rows of a panel apart. */
  readonly key: string;
  /** What it shows, in so many cells where it depends on them. */
  readonly line: readonly LinkSpan[] | ((width: number) => readonly LinkSpan[]);
  /** Rows below it that fold; a function where they are many and mostly folded. */
  readonly children?: readonly TreeRow[] | (() => readonly TreeRow[]) | undefined;
  /** Whether the rows below are shown before anybody folded or unfolded them. */
  readonly isOpen?: boolean | undefined;
  /** Whether the cursor passes over it, as over headings. */
  readonly isStatic?: boolean | undefined;
  /** What it is made of, for copying it as a whole. */
  readonly row?: Subject["row"];
}

/** A row in its place. */
export interface VisibleRow {
  readonly row: TreeRow;
  readonly depth: number;
  /** Whether the rows below it are shown; undefined where it has none. */
  readonly isOpen: boolean | undefined;
  /** Whether rows beside it fold: then it keeps room for the mark, as do all rows below another one. */
  readonly isAligned: boolean;
}

/** What was folded and unfolded by hand, by the key of the row. */
export type TreeFolds = Readonly<Record<string, boolean>>;

/** Where the cursor is. */
export interface TreeState {
  readonly cursor: number;
  /** The first row on view. */
  readonly top: number;
  /** Which link of the row; 0 is the row itself where it folds or leads somewhere as a whole. */
  readonly stopIndex: number;
  /** Cells that are scrolled away at the left. */
  readonly scrollLeft: number;
  readonly folds: TreeFolds;
}

/** Where everything begins. */
export const INITIAL_TREE_STATE: TreeState = { cursor: 0, top: 0, stopIndex: 0, scrollLeft: 0, folds: {} };

/** Rows below others, once they were asked for: folding another row makes none of them anew. */
const childCache = new WeakMap<TreeRow, readonly TreeRow[]>();

/** The rows below a row. */
export function childrenOf(row: TreeRow): readonly TreeRow[] | undefined {
  if (typeof row.children !== "function") return row.children;
  const children = childCache.get(row) ?? row.children();
  childCache.set(row, children);
  return children;
}

const opensRow = (row: TreeRow, folds: TreeFolds) => folds[row.key] ?? row.isOpen ?? false;

/** The rows that are not folded away, from the top. */
export function visibleRows(rows: readonly TreeRow[], folds: TreeFolds): readonly VisibleRow[] {
  const visible: VisibleRow[] = [];
  const add = (list: readonly TreeRow[], depth: number) => {
    const isAligned = list.some(({ children }) => children !== undefined);
    for (const row of list) {
      const open = row.children === undefined ? undefined : opensRow(row, folds);
      visible.push({ row, depth, isOpen: open, isAligned });
      if (open) add(childrenOf(row) ?? [], depth + 1);
    }
  };
  add(rows, 0);
  return visible;
}

/** The places of a row where the cursor can stop: the whole of it (without `at`), or its spans. */
export function linkStops(
  { row }: VisibleRow,
  line: readonly LinkSpan[],
): readonly (Link & { readonly at?: number })[] {
  const isStop = row.target !== undefined || row.cell !== undefined || row.children !== undefined;
  const inside = line.flatMap(({ target, cell }, at) =>
    target === undefined && cell === undefined ? [] : [{ target, cell, at }],
  );
  return isStop || inside.length === 0 ? [{ target: row.target, cell: row.cell }, ...inside] : inside;
}

/** The row `by` further that the cursor may stop at; at the ends, the last one on the way. */
export function cursorAfter(visible: readonly VisibleRow[], from: number, by: number): number {
  const last = visible.length - 1;
  const to = Math.max(0, Math.min(last, from + by));
  const isSelectable = (at: number) => visible[at]?.row.isStatic !== true;
  const step = by < 0 ? -1 : 1;
  for (let at = to; at >= 0 && at <= last; at += step) if (isSelectable(at)) return at;
  for (let at = to; at >= 0 && at <= last; at -= step) if (isSelectable(at)) return at;
  return to;
}

/** The first row on view, so that the cursor is: headings above the first row are shown with it. */
export function treeTop({ top, cursor }: TreeState, visible: readonly VisibleRow[], height: number): number {
  const isFirst = cursor <= cursorAfter(visible, 0, 0) && cursor < height;
  return scrollTop({ count: visible.length }, height, isFirst ? 0 : top, cursor);
}

/** The row of the cursor, whatever was folded away since. */
export function visibleCursor(state: TreeState, visible: readonly VisibleRow[]): number {
  const at = Math.max(0, Math.min(state.cursor, visible.length - 1));
  return visible[at]?.row.isStatic === true ? cursorAfter(visible, at, 0) : at;
}

/** Folds or unfolds the row of the cursor. */
export function toggleRow(state: TreeState, visible: readonly VisibleRow[]): TreeState {
  const cursor = visibleCursor(state, visible);
  const selected = visible[cursor];
  if (selected?.isOpen === undefined) return state;
  return { ...state, cursor, folds: { ...state.folds, [selected.row.key]: !selected.isOpen } };
}

/** Folds all rows, or unfolds all where none is open; the cursor stays with its row, or goes to the one above it. */
export function toggleAll(state: TreeState, rows: readonly TreeRow[]): TreeState {
  const visible = visibleRows(rows, state.folds);
  const open = !visible.some((one) => one.isOpen);
  const folds: Record<string, boolean> = {};
  const fold = (list: readonly TreeRow[]) => {
    for (const row of list) {
      if (row.children === undefined) continue;
      folds[row.key] = open;
      fold(childrenOf(row) ?? []);
    }
  };
  fold(rows);
  let at = visibleCursor(state, visible);
  const after = new Map(visibleRows(rows, folds).map(({ row }, index) => [row.key, index]));
  while (at > 0 && !after.has(visible[at]?.row.key ?? "")) at -= 1;
  return { ...state, cursor: after.get(visible[at]?.row.key ?? "") ?? 0, top: 0, folds };
}

/** Marks of rows that fold. */
const FOLD_MARKS = { unicode: { open: "▾ ", shut: "▸ " }, ascii: { open: "- ", shut: "+ " } } as const;
const INDENT = 2;

/** Rows as they were laid out last: moving the cursor lays out none of them anew. */
const spanCache = new WeakMap<TreeRow, { readonly room: number; readonly spans: readonly LinkSpan[] }>();

function spansOf(row: TreeRow, room: number): readonly LinkSpan[] {
  if (typeof row.line !== "function") return row.line;
  const cached = spanCache.get(row);
  if (cached?.room === room) return cached.spans;
  const spans = row.line(room);
  spanCache.set(row, { room, spans });
  return spans;
}

/** A row's spans in a width, with its indentation and its mark in front. */
export function rowLine(one: VisibleRow, width: number, unicode: boolean): readonly LinkSpan[] {
  const { open, shut } = FOLD_MARKS[unicode ? "unicode" : "ascii"];
  const mark = one.isOpen === undefined ? (one.isAligned || one.depth > 0 ? "  " : "") : one.isOpen ? open : shut;
  const indent = Math.min(one.depth * INDENT, Math.floor(width / 3));
  const room = Math.max(0, width - indent - mark.length);
  return [span(" ".repeat(indent)), span(mark, "hotkey"), ...spansOf(one.row, room)];
}

/** A line without its first cells. */
export function scrollLine(spans: TextLine, by: number): TextLine {
  let remaining = by;
  return spans.flatMap((one): TextLine => {
    const size = textWidth(one.text);
    const cut = Math.min(remaining, size);
    remaining -= cut;
    if (cut === 0) return [one];
    return cut === size ? [] : [{ ...one, text: withoutCells(one.text, cut) }];
  });
}

/** A text without its first cells; where that cuts a wide character in two, a space stands for the rest of it. */
function withoutCells(text: string, by: number): string {
  const cut = sliceWidth(text, by);
  const rest = text.slice(cut.length);
  return textWidth(cut) === by ? rest : ` ${rest.slice(sliceWidth(rest, 2).length)}`;
}

/** Where a stop begins and ends in its line. */
export function stopExtent(line: TextLine, at: number | undefined): readonly [start: number, end: number] {
  if (at === undefined) return [0, 0];
  const start = lineWidth(line.slice(0, at));
  return [start, start + textWidth(line[at]?.text ?? "")];
}

/** Cells by which a long line is moved sideways where it has no further link. */
const SIDE_STEP = 10;

/** The link `by` further in the row of the cursor, scrolled to where it is seen; beyond the last one, only scrolled. */
export function moveSideways(
  state: TreeState,
  selected: VisibleRow | undefined,
  by: 1 | -1,
  line: TextLine,
  width: number,
): TreeState {
  const stops = selected ? linkStops(selected, line) : [];
  const next = Math.min(state.stopIndex, stops.length - 1) + by;
  const stop = stops[next];
  if (stop === undefined) {
    const most = Math.max(0, lineWidth(line) - width, state.scrollLeft);
    return { ...state, scrollLeft: Math.max(0, Math.min(state.scrollLeft + by * SIDE_STEP, most)) };
  }
  const [start, end] = stopExtent(line, stop.at);
  return { ...state, stopIndex: next, scrollLeft: Math.max(Math.min(state.scrollLeft, start), end - width, 0) };
}

/** The line of the cursor: its row is lit over the whole width, and the very piece. */
export function cursorLine(line: TextLine, at: number | undefined, width: number, scrollLeft: number): TextLine {
  const highlighted = line.map((one, index): Span => ({ ...one, cursor: index === at ? "cell" : "row" }));
  return fitLine(scrollLine(highlighted, scrollLeft), width).map((one) =>
    one.cursor ? one : { ...one, cursor: "row" as const },
  );
}
