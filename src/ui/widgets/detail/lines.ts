/** A detail as the lines of its region, and back from a line to what stands on it. No React here. */
import { isArray, isObject, type Json } from "../../../base/json.ts";
import type { Size } from "../../app/context.ts";
import type { KeyLabels } from "../../app/keys/key-hints.ts";
import { fitLine, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { windowEnd } from "../viewport.ts";
import { footHeight, footLines } from "./footer.ts";
import { patternOf } from "./format.ts";
import type { DetailScene, DrawnView, Fresh } from "./model.ts";
import { type DetailState, indexIn } from "./reducer.ts";

/** What is drawn. */
export interface Picture {
  readonly scene: DetailScene;
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
export function detailLines({ scene, state, size, active, notice, now, keyOf }: Picture): readonly TextLine[] {
  const { width, height } = size;
  const view = scene.view(state);
  const cursor = indexIn(view, state.cursor);
  const fresh: Fresh = { query: patternOf(state.query), now };
  const foot = footHeight(size, state, notice !== undefined);
  const matches = scene.matches(state);
  const match = matches.indexOf(state.cursor) + 1;
  const standing = { index: cursor, count: view.count, match, matches: matches.length };
  const told = { state, node: scene.nodeAt(state.cursor), standing, notice, keyOf };
  const window = { top: state.top, cursor: active ? cursor : undefined, width, height: height - foot };
  return [...windowLines(view, window, fresh), ...footLines(told, { ...scene.sheet(state), ...fresh }, foot)];
}

/** What is said of a value that there is nothing in. */
export function emptyLines(value: Json): readonly TextLine[] | undefined {
  if (value === null) return [[], textLine("  The answer is empty: nothing is known of this.", "note")];
  if (isArray(value) && value.length === 0) return [[], textLine("  This list is empty.", "note")];
  return isObject(value) && Object.keys(value).length === 0
    ? [[], textLine("  This object has no fields.", "note")]
    : undefined;
}

/** What part of a view is drawn. */
interface Window {
  /** The index of the first item. */
  readonly top: number;
  /** The index of the item that the cursor is on; undefined for no cursor. */
  readonly cursor: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The lines of a window, exactly as many as there is room for. */
function windowLines(view: DrawnView, { top, cursor, width, height }: Window, fresh: Fresh): readonly TextLine[] {
  const drawn = view.lines(top, windowEnd(view, height, top), fresh).flatMap((lines, at) => {
    if (top + at !== cursor) return lines;
    // The line that sets a section apart is none of its own.
    return lines.map((one) => (one.length === 1 && one[0]?.text === "" ? one : pointed(one, width)));
  });
  const shown = drawn.slice(0, Math.max(0, height));
  return [...shown, ...Array.from({ length: Math.max(0, height - shown.length) }, (): TextLine => [])];
}

/** A line as the place of the cursor, over its whole width; what was found in it stays to be seen. */
function pointed(line: TextLine, width: number): TextLine {
  return fitLine(line, width).map((one) =>
    one.role === "found" ? { ...one, cursor: "cell" } : { ...one, cursor: "row" },
  );
}
