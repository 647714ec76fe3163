/** A detail view as lines of text. No React here. */
import { isArray, isObject, type Json } from "../../../base/index.ts";
import type { Size } from "../../navigation/context.ts";
import type { KeyLabels } from "../../navigation/keys/key-hints.ts";
import { fitLine, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { windowEnd } from "../viewport.ts";
import { footerHeight, footerLines } from "./footer.ts";
import { searchPattern } from "./format.ts";
import type { DrawableModel, DrawableRows, LiveOptions } from "./model.ts";
import { type DetailState, visibleIndex } from "./reducer.ts";

/** The data to draw. */
export interface DetailView {
  readonly model: DrawableModel;
  readonly state: DetailState;
  readonly size: Size;
  /** Whether the cursor is visible. */
  readonly active: boolean;
  /** The state of the answer, when it deserves a line. */
  readonly notice: TextLine | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly keyOf: KeyLabels;
}

/** Returns the lines of a region: the visible fields and the footer. */
export function detailLines({ model, state, size, active, notice, now, keyOf }: DetailView): readonly TextLine[] {
  const { width, height } = size;
  const rows = model.rows(state);
  const cursor = visibleIndex(rows, state.cursor);
  const live: LiveOptions = { query: searchPattern(state.query), now };
  const footer = footerHeight(size, state, notice !== undefined);
  const matches = model.matches(state);
  const match = matches.indexOf(state.cursor) + 1;
  const position = { index: cursor, count: rows.count, match, matches: matches.length };
  const input = { state, node: model.nodeAt(state.cursor), position, notice, keyOf };
  const window = { top: state.top, cursor: active ? cursor : undefined, width, height: height - footer };
  return [...windowLines(rows, window, live), ...footerLines(input, { ...model.options(state), ...live }, footer)];
}

/** Returns the message for an empty value; undefined for all others. */
export function emptyValueLines(value: Json): readonly TextLine[] | undefined {
  if (value === null) return [[], textLine("  The answer is empty: no data available.", "note")];
  if (isArray(value) && value.length === 0) return [[], textLine("  This list is empty.", "note")];
  return isObject(value) && Object.keys(value).length === 0
    ? [[], textLine("  This object has no fields.", "note")]
    : undefined;
}

/** The visible part of the rows. */
interface DetailWindow {
  /** The index of the first row. */
  readonly top: number;
  /** The index of the row at the cursor; undefined for no cursor. */
  readonly cursor: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** Returns exactly as many lines as the window has. */
function windowLines(
  rows: DrawableRows,
  { top, cursor, width, height }: DetailWindow,
  live: LiveOptions,
): readonly TextLine[] {
  const lines = rows.lines(top, windowEnd(rows, height, top), live).flatMap((row, at) => {
    if (top + at !== cursor) return row;
    // The empty line before a section is not part of the row.
    return row.map((one) => (one.length === 1 && one[0]?.text === "" ? one : cursorLine(one, width)));
  });
  const visible = lines.slice(0, Math.max(0, height));
  return [...visible, ...Array.from({ length: Math.max(0, height - visible.length) }, (): TextLine => [])];
}

/** Highlights the line of the cursor over its whole width; matches of the search stay visible. */
function cursorLine(line: TextLine, width: number): TextLine {
  return fitLine(line, width).map((one) =>
    one.role === "found" ? { ...one, cursor: "cell" } : { ...one, cursor: "row" },
  );
}
