/** Foldable rows of text with links: visible rows and the cursor. No React here. */

import { isArray, isObject, type Json, scalarText } from "../../../base/index.ts";
import { sliceWidth, textWidth } from "../../../output/index.ts";
import type { Subject } from "../../navigation/context.ts";
import type { FieldLink } from "../../navigation/popups.ts";
import { isSameRoute, type Route } from "../../navigation/route.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { View } from "../../navigation/view.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../text-input.ts";
import { scrollTop } from "../viewport.ts";

const UNLIMITED_WIDTH = 1000;

const wholeLine = ({ line }: TreeRow): readonly LinkSpan[] =>
  typeof line === "function" ? line(UNLIMITED_WIDTH) : line;

/**
 * Filters rows; headings are dropped. A row matches by its text, the full text of what is shortened, and its children.
 */
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
  const spans = wholeLine(row);
  const visible = spans.map((one) => one.text).join("");
  return [
    visible,
    ...[row, ...spans].flatMap(linkTexts),
    ...(childrenOf(row) ?? []).flatMap(searchTexts),
    ...rawTexts(row.row),
  ];
}

function linkTexts({ target, cell }: Link): readonly string[] {
  return [...(target?.kind === "entity" ? [target.id] : []), ...rawTexts(cell?.value)];
}

/** Returns the raw values of a row; field names are useless in a filter. */
function rawTexts(value: Json | undefined): readonly string[] {
  const text = scalarText(value);
  if (text !== undefined) return [text];
  if (isArray(value)) return value.flatMap(rawTexts);
  return isObject(value) ? Object.values(value).flatMap(rawTexts) : [];
}

/** The link of a span or of a whole row. */
export interface Link {
  /** The route that Enter opens. */
  readonly target?: Route | undefined;
  /** The cell that is copied. */
  readonly cell?: Subject["cell"];
}

/** A span of a row, possibly with a link. */
export type LinkSpan = Span & Link;

/** A row. */
export interface TreeRow extends Link {
  /** Identifies the row in its panel. */
  readonly key: string;
  /** The spans, possibly depending on the available cells. */
  readonly line: readonly LinkSpan[] | ((width: number) => readonly LinkSpan[]);
  /** The child rows; a function when they are many and mostly folded. */
  readonly children?: readonly TreeRow[] | (() => readonly TreeRow[]) | undefined;
  /** Whether the children start visible. */
  readonly isOpen?: boolean | undefined;
  /** The state of the view that its target is. */
  readonly state?: View["state"];
  /** Whether the cursor skips it, as headings. */
  readonly isStatic?: boolean | undefined;
  /** The value that the row was made from, for copying it as a whole. */
  readonly row?: Subject["row"];
}

/** A visible row. */
export interface VisibleRow {
  readonly row: TreeRow;
  readonly depth: number;
  /** Whether its children are visible; undefined when it has none. */
  readonly isOpen: boolean | undefined;
  /** Whether siblings fold: then it reserves space for the fold mark, as all nested rows do. */
  readonly isAligned: boolean;
}

type TreeFolds = Readonly<Record<string, boolean>>;

/** The state of a tree. */
export interface TreeState {
  readonly cursor: number;
  /** The first visible row. */
  readonly top: number;
  /** The selected link of the row; 0 is the row itself when it folds or is a link as a whole. */
  readonly stopIndex: number;
  /** Cells scrolled off to the left. */
  readonly scrollLeft: number;
  readonly folds: TreeFolds;
}

/** The initial state. */
export const INITIAL_TREE_STATE: TreeState = { cursor: 0, top: 0, stopIndex: 0, scrollLeft: 0, folds: {} };

/** Child rows by parent, so that folding another row does not recreate them. */
const childCache = new WeakMap<TreeRow, readonly TreeRow[]>();

function childrenOf(row: TreeRow): readonly TreeRow[] | undefined {
  if (typeof row.children !== "function") return row.children;
  const children = childCache.get(row) ?? row.children();
  childCache.set(row, children);
  return children;
}

const opensRow = (row: TreeRow, folds: TreeFolds) => folds[row.key] ?? row.isOpen ?? false;

/** Returns the visible rows from the top. */
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

/** Returns the positions of a row where the cursor can stop: the whole row (without `at`) or its spans. */
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

/** Returns the distinct routes that a row links to, with the fields that contain them. */
export function listRowLinks(row: TreeRow): readonly FieldLink[] {
  const links = [row, ...wholeLine(row)].flatMap(({ target, cell }) =>
    target === undefined ? [] : [{ field: cell?.field ?? "", route: target }],
  );
  return links.filter(({ route }, at) => links.findIndex((link) => isSameRoute(link.route, route)) === at);
}

/** Returns the position of the row with a key among those that start visible; 0 where there is none. */
export function rowWithKey(rows: readonly TreeRow[], key: string | undefined): number {
  return key === undefined
    ? 0
    : Math.max(
        0,
        visibleRows(rows, {}).findIndex(({ row }) => row.key === key),
      );
}

/** Returns the selectable row `by` rows further; at the ends, the last one on the way. */
export function cursorAfter(visible: readonly VisibleRow[], from: number, by: number): number {
  const last = visible.length - 1;
  const to = Math.max(0, Math.min(last, from + by));
  const isSelectable = (at: number) => visible[at]?.row.isStatic !== true;
  const step = by < 0 ? -1 : 1;
  for (let at = to; at >= 0 && at <= last; at += step) if (isSelectable(at)) return at;
  for (let at = to; at >= 0 && at <= last; at -= step) if (isSelectable(at)) return at;
  return to;
}

/** Returns the first visible row; headings above the first row are visible with it. */
export function treeTop({ top, cursor }: TreeState, visible: readonly VisibleRow[], height: number): number {
  const isFirst = cursor <= cursorAfter(visible, 0, 0) && cursor < height;
  return scrollTop({ count: visible.length }, height, isFirst ? 0 : top, cursor);
}

/** Returns the row of the cursor after rows were folded. */
export function visibleCursor(state: TreeState, visible: readonly VisibleRow[]): number {
  const at = Math.max(0, Math.min(state.cursor, visible.length - 1));
  return visible[at]?.row.isStatic === true ? cursorAfter(visible, at, 0) : at;
}

/** Folds or unfolds the row at the cursor. */
export function toggleRow(state: TreeState, visible: readonly VisibleRow[]): TreeState {
  const cursor = visibleCursor(state, visible);
  const selected = visible[cursor];
  if (selected?.isOpen === undefined) return state;
  return { ...state, cursor, folds: { ...state.folds, [selected.row.key]: !selected.isOpen } };
}

/** Folds all rows, or unfolds all when none is open; the cursor stays on its row or moves to the one above. */
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

const FOLD_MARKS = { unicode: { open: "▾ ", shut: "▸ " }, ascii: { open: "- ", shut: "+ " } } as const;
const INDENT = 2;

/** Spans by row for the latest width, so that moving the cursor lays out nothing again. */
const spanCache = new WeakMap<TreeRow, { readonly space: number; readonly spans: readonly LinkSpan[] }>();

function layOutSpans(row: TreeRow, space: number): readonly LinkSpan[] {
  if (typeof row.line !== "function") return row.line;
  const cached = spanCache.get(row);
  if (cached?.space === space) return cached.spans;
  const spans = row.line(space);
  spanCache.set(row, { space, spans });
  return spans;
}

/** Returns the spans of a row with its indentation and fold mark. */
export function rowLine(one: VisibleRow, width: number, unicode: boolean): readonly LinkSpan[] {
  const { open, shut } = FOLD_MARKS[unicode ? "unicode" : "ascii"];
  const mark = one.isOpen === undefined ? (one.isAligned || one.depth > 0 ? "  " : "") : one.isOpen ? open : shut;
  const indent = Math.min(one.depth * INDENT, Math.floor(width / 3));
  const space = Math.max(0, width - indent - mark.length);
  return [span(" ".repeat(indent)), span(mark, "hotkey"), ...layOutSpans(one.row, space)];
}

/** Removes the first cells of a line. */
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

/** Removes the first cells of a text; half of a wide character becomes a space. */
function withoutCells(text: string, by: number): string {
  const cut = sliceWidth(text, by);
  const rest = text.slice(cut.length);
  return textWidth(cut) === by ? rest : ` ${rest.slice(sliceWidth(rest, 2).length)}`;
}

function stopExtent(line: TextLine, at: number | undefined): readonly [start: number, end: number] {
  if (at === undefined) return [0, 0];
  const start = lineWidth(line.slice(0, at));
  return [start, start + textWidth(line[at]?.text ?? "")];
}

/** Cells by which a long line scrolls when it has no further link. */
const SIDE_STEP = 10;

/** Selects the next or previous link of the row and scrolls to it; after the last one, only scrolls. */
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

/** Highlights the row at the cursor over the whole width, and the selected link in it. */
export function highlightRow(line: TextLine, at: number | undefined, width: number, scrollLeft: number): TextLine {
  const highlighted = line.map((one, index): Span => ({ ...one, cursor: index === at ? "cell" : "row" }));
  return fitLine(scrollLine(highlighted, scrollLeft), width).map((one) =>
    one.cursor ? one : { ...one, cursor: "row" as const },
  );
}
