/** A detail as the lines of its region, and back from a line to what stands on it. No React here. */
import { isArray, isObject, type Json } from "../../../base/json.ts";
import type { Size } from "../../app/context.ts";
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import { fitLine, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { windowEnd } from "../viewport.ts";
import { footerHeight, footerLines } from "./footer.ts";
import { searchPattern } from "./format.ts";
import type { DrawableModel, DrawableRows, LiveOptions } from "./model.ts";
import { type DetailState, visibleIndex } from "./reducer.ts";

/** What is drawn. */
export interface DetailView {
  readonly model: DrawableModel;
  readonly state: DetailState;
  readonly size: Size;
  /** Whether the cursor is shown. */
  readonly active: boolean;
  /** How it stands with the answer, where that is worth a line. */
  readonly notice: TextLine | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly keyOf: KeyLabels;
}

/** The lines of a region: a part of the fields, and the foot. */
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

/** What is said of a value that there is nothing in. */
export function emptyValueLines(value: Json): readonly TextLine[] | undefined {
  if (value === null) return [[], textLine("  The answer is empty: nothing is known of this.", "note")];
  if (isArray(value) && value.length === 0) return [[], textLine("  This list is empty.", "note")];
  return isObject(value) && Object.keys(value).length === 0
    ? [[], textLine("  This object has no fields.", "note")]
    : undefined;
}

/** What part of a view is drawn. */
interface DetailWindow {
  /** The index of the first item. */
  readonly top: number;
  /** The index of the item that the cursor is on; undefined for no cursor. */
  readonly cursor: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The lines of a window, exactly as many as there is room for. */
function windowLines(
  rows: DrawableRows,
  { top, cursor, width, height }: DetailWindow,
  live: LiveOptions,
): readonly TextLine[] {
  const lines = rows.lines(top, windowEnd(rows, height, top), live).flatMap((lines, at) => {
    if (top + at !== cursor) return lines;
    // The line that sets a section apart is none of its own.
    return lines.map((one) => (one.length === 1 && one[0]?.text === "" ? one : cursorLine(one, width)));
  });
  const visible = lines.slice(0, Math.max(0, height));
  return [...visible, ...Array.from({ length: Math.max(0, height - visible.length) }, (): TextLine => [])];
}

/** A line as the place of the cursor, over its whole width; what was found in it stays to be seen. */
function cursorLine(line: TextLine, width: number): TextLine {
  return fitLine(line, width).map((one) =>
    one.role === "found" ? { ...one, cursor: "cell" } : { ...one, cursor: "row" },
  );
}
