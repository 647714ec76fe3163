/** Rows of text with links in them, which may fold: what is on view, and where the cursor is. No React here. */

import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";
import { sliceWidth, textWidth } from "../../../output/text/width.ts";
import type { Subject } from "../../app/context.ts";
import type { Route } from "../../app/route.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../app/theme/text-line.ts";
import { applyFilter, parseFilter } from "../filter.ts";
import type { FilteredRows } from "../filter-input.ts";
import { scrollTop } from "../viewport.ts";

/** Cells of a line for which there is no window. */
const WIDEST = 1000;

/** The rows that a filter leaves; headings are no rows. */
export function linkRowsLeft(text: string, rows: readonly LinkRow[]): FilteredRows<LinkRow> {
  if (text === "") return { rows, problem: undefined };
  const told = rows.filter(({ still }) => still !== true);
  const { matches, problem } = applyFilter(
    parseFilter(text),
    told.map((row) => textsOf(row).join("\n")),
  );
  return { rows: matches.map((at) => told[at]).filter((row) => row !== undefined), problem };
}

function textsOf(row: LinkRow): readonly string[] {
  const spans = typeof row.line === "function" ? row.line(WIDEST) : row.line;
  const shown = spans.map((one) => one.text).join("");
  return [shown, ...[row, ...spans].flatMap(meant), ...(childrenOf(row) ?? []).flatMap(textsOf), ...wholeOf(row.row)];
}

/** What a link stands for. */
function meant({ target, cell }: Link): readonly string[] {
  return [...(target?.kind === "entity" ? [target.id] : []), ...wholeOf(cell?.value)];
}

/** The values of a row as they came; the names of its fields are no use in a filter. */
function wholeOf(value: Json | undefined): readonly string[] {
  if (isNumeric(value)) return [numericText(value)];
  if (typeof value === "string") return [value];
  if (isArray(value)) return value.flatMap(wholeOf);
  return isObject(value) ? Object.values(value).flatMap(wholeOf) : [];
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
export interface LinkRow extends Link {
  /** Tells the rows of a panel apart. */
  readonly key: string;
  /** What it shows, in so many cells where it depends on them. */
  readonly line: readonly LinkSpan[] | ((width: number) => readonly LinkSpan[]);
  /** Rows below it that fold; a function where they are many and mostly folded. */
  readonly children?: readonly LinkRow[] | (() => readonly LinkRow[]) | undefined;
  /** Whether the rows below are shown before anybody folded or unfolded them. */
  readonly open?: boolean | undefined;
  /** Whether the cursor passes over it, as over headings. */
  readonly still?: boolean | undefined;
  /** What it is made of, for copying it as a whole. */
  readonly row?: Subject["row"];
}

/** A row in its place. */
export interface Shown {
  readonly row: LinkRow;
  readonly depth: number;
  /** Whether the rows below it are shown; undefined where it has none. */
  readonly open: boolean | undefined;
  /** Whether rows beside it fold: then it keeps room for the mark, as do all rows below another one. */
  readonly beside: boolean;
}

/** What was folded and unfolded by hand, by the key of the row. */
export type Folds = Readonly<Record<string, boolean>>;

/** Where the cursor is. */
export interface LinkState {
  readonly cursor: number;
  /** The first row on view. */
  readonly top: number;
  /** Which link of the row; 0 is the row itself where it folds or leads somewhere as a whole. */
  readonly stop: number;
  /** Cells that are scrolled away at the left. */
  readonly shift: number;
  readonly folds: Folds;
}

/** Where everything begins. */
export const AT_START: LinkState = { cursor: 0, top: 0, stop: 0, shift: 0, folds: {} };

/** Rows below others, once they were asked for: folding another row makes none of them anew. */
const made = new WeakMap<LinkRow, readonly LinkRow[]>();

/** The rows below a row. */
export function childrenOf(row: LinkRow): readonly LinkRow[] | undefined {
  if (typeof row.children !== "function") return row.children;
  const children = made.get(row) ?? row.children();
  made.set(row, children);
  return children;
}

const isOpen = (row: LinkRow, folds: Folds) => folds[row.key] ?? row.open ?? false;

/** The rows that are not folded away, from the top. */
export function shownRows(rows: readonly LinkRow[], folds: Folds): readonly Shown[] {
  const shown: Shown[] = [];
  const add = (list: readonly LinkRow[], depth: number) => {
    const beside = list.some(({ children }) => children !== undefined);
    for (const row of list) {
      const open = row.children === undefined ? undefined : isOpen(row, folds);
      shown.push({ row, depth, open, beside });
      if (open) add(childrenOf(row) ?? [], depth + 1);
    }
  };
  add(rows, 0);
  return shown;
}

/** The places of a row where the cursor can stop: the whole of it (without `at`), or its spans. */
export function stopsOf({ row }: Shown, line: readonly LinkSpan[]): readonly (Link & { readonly at?: number })[] {
  const own = row.target !== undefined || row.cell !== undefined || row.children !== undefined;
  const inside = line.flatMap(({ target, cell }, at) =>
    target === undefined && cell === undefined ? [] : [{ target, cell, at }],
  );
  return own || inside.length === 0 ? [{ target: row.target, cell: row.cell }, ...inside] : inside;
}

/** The row `by` further that the cursor may stop at; at the ends, the last one on the way. */
export function cursorAfter(shown: readonly Shown[], from: number, by: number): number {
  const last = shown.length - 1;
  const to = Math.max(0, Math.min(last, from + by));
  const free = (at: number) => shown[at]?.row.still !== true;
  const step = by < 0 ? -1 : 1;
  for (let at = to; at >= 0 && at <= last; at += step) if (free(at)) return at;
  for (let at = to; at >= 0 && at <= last; at -= step) if (free(at)) return at;
  return to;
}

/** The first row on view, so that the cursor is: headings above the first row are shown with it. */
export function topFor({ top, cursor }: LinkState, shown: readonly Shown[], height: number): number {
  const isFirst = cursor <= cursorAfter(shown, 0, 0) && cursor < height;
  return scrollTop({ count: shown.length }, height, isFirst ? 0 : top, cursor);
}

/** The row of the cursor, whatever was folded away since. */
export function cursorOf(state: LinkState, shown: readonly Shown[]): number {
  const at = Math.max(0, Math.min(state.cursor, shown.length - 1));
  return shown[at]?.row.still === true ? cursorAfter(shown, at, 0) : at;
}

/** Folds or unfolds the row of the cursor. */
export function toggled(state: LinkState, shown: readonly Shown[]): LinkState {
  const cursor = cursorOf(state, shown);
  const here = shown[cursor];
  if (here?.open === undefined) return state;
  return { ...state, cursor, folds: { ...state.folds, [here.row.key]: !here.open } };
}

/** Folds all rows, or unfolds all where none is open; the cursor stays with its row, or goes to the one above it. */
export function allToggled(state: LinkState, rows: readonly LinkRow[]): LinkState {
  const shown = shownRows(rows, state.folds);
  const open = !shown.some((one) => one.open);
  const folds: Record<string, boolean> = {};
  const fold = (list: readonly LinkRow[]) => {
    for (const row of list) {
      if (row.children === undefined) continue;
      folds[row.key] = open;
      fold(childrenOf(row) ?? []);
    }
  };
  fold(rows);
  let at = cursorOf(state, shown);
  const after = new Map(shownRows(rows, folds).map(({ row }, index) => [row.key, index]));
  while (at > 0 && !after.has(shown[at]?.row.key ?? "")) at -= 1;
  return { ...state, cursor: after.get(shown[at]?.row.key ?? "") ?? 0, top: 0, folds };
}

/** Marks of rows that fold. */
const MARKS = { unicode: { open: "▾ ", shut: "▸ " }, ascii: { open: "- ", shut: "+ " } } as const;
const INDENT = 2;

/** Rows as they were laid out last: moving the cursor lays out none of them anew. */
const laidOut = new WeakMap<LinkRow, { readonly room: number; readonly spans: readonly LinkSpan[] }>();

function spansOf(row: LinkRow, room: number): readonly LinkSpan[] {
  if (typeof row.line !== "function") return row.line;
  const known = laidOut.get(row);
  if (known?.room === room) return known.spans;
  const spans = row.line(room);
  laidOut.set(row, { room, spans });
  return spans;
}

/** A row's spans in a width, with its indentation and its mark in front. */
export function lineOf(one: Shown, width: number, unicode: boolean): readonly LinkSpan[] {
  const { open: opened, shut } = MARKS[unicode ? "unicode" : "ascii"];
  const mark = one.open === undefined ? (one.beside || one.depth > 0 ? "  " : "") : one.open ? opened : shut;
  const indent = Math.min(one.depth * INDENT, Math.floor(width / 3));
  const room = Math.max(0, width - indent - mark.length);
  return [span(" ".repeat(indent)), span(mark, "hotkey"), ...spansOf(one.row, room)];
}

/** A line without its first cells. */
export function shifted(spans: TextLine, by: number): TextLine {
  let away = by;
  return spans.flatMap((one): TextLine => {
    const size = textWidth(one.text);
    const cut = Math.min(away, size);
    away -= cut;
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
export function extentOf(line: TextLine, at: number | undefined): readonly [start: number, end: number] {
  if (at === undefined) return [0, 0];
  const start = lineWidth(line.slice(0, at));
  return [start, start + textWidth(line[at]?.text ?? "")];
}

/** Cells by which a long line is moved sideways where it has no further link. */
const SIDE_STEP = 10;

/** The link `by` further in the row of the cursor, scrolled to where it is seen; beyond the last one, only scrolled. */
export function sideways(
  state: LinkState,
  here: Shown | undefined,
  by: 1 | -1,
  line: TextLine,
  width: number,
): LinkState {
  const stops = here ? stopsOf(here, line) : [];
  const next = Math.min(state.stop, stops.length - 1) + by;
  const stop = stops[next];
  if (stop === undefined) {
    const most = Math.max(0, lineWidth(line) - width, state.shift);
    return { ...state, shift: Math.max(0, Math.min(state.shift + by * SIDE_STEP, most)) };
  }
  const [start, end] = extentOf(line, stop.at);
  return { ...state, stop: next, shift: Math.max(Math.min(state.shift, start), end - width, 0) };
}

/** The line of the cursor: its row is lit over the whole width, and the very piece. */
export function litLine(line: TextLine, at: number | undefined, width: number, shift: number): TextLine {
  const marked = line.map((one, index): Span => ({ ...one, cursor: index === at ? "cell" : "row" }));
  return fitLine(shifted(marked, shift), width).map((one) => (one.cursor ? one : { ...one, cursor: "row" as const }));
}
