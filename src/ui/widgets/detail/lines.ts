/** A detail as the lines of its region, and back from a line to what stands on it. No React here. */
import { isArray, isObject, type Json } from "../../../base/json.ts";
import type { Size } from "../../app/context.ts";
import type { KeyNames } from "../../app/keys/key-hints.ts";
import { fitted, type Line, line } from "../../app/theme/text-line.ts";
import { endOf, type Items } from "../viewport/items.ts";
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
  readonly notice: Line | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly keyOf: KeyNames;
}

/** The lines of a region: a part of the fields, and the foot. */
export function detailLines({ scene, state, size, active, notice, now, keyOf }: Picture): readonly Line[] {
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
export function emptyLines(value: Json): readonly Line[] | undefined {
  if (value === null) return [[], line("  The answer is empty: nothing is known of this.", "note")];
  if (isArray(value) && value.length === 0) return [[], line("  This list is empty.", "note")];
  return isObject(value) && Object.keys(value).length === 0
    ? [[], line("  This object has no fields.", "note")]
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
function windowLines(view: DrawnView, { top, cursor, width, height }: Window, fresh: Fresh): readonly Line[] {
  const drawn = view.lines(top, endOf(view, height, top), fresh).flatMap((lines, at) => {
    if (top + at !== cursor) return lines;
    // The line that sets a section apart is none of its own.
    return lines.map((one) => (one.length === 1 && one[0]?.text === "" ? one : pointed(one, width)));
  });
  const shown = drawn.slice(0, Math.max(0, height));
  return [...shown, ...Array.from({ length: Math.max(0, height - shown.length) }, (): Line => [])];
}

/** A line as the place of the cursor, over its whole width; what was found in it stays to be seen. */
function pointed(line: Line, width: number): Line {
  return fitted(line, width).map((one) => (one.role === "found" ? { ...one, on: "cell" } : { ...one, on: "row" }));
}

/** The item on a line of a window of so many lines; undefined where there is none. */
export function itemAt(items: Items, window: { readonly top: number; readonly height: number }, y: number) {
  if (y < 0 || y >= window.height) return undefined;
  let left = y;
  for (let index = window.top; index < items.count; index += 1) {
    left -= items.heightAt(index);
    if (left < 0) return index;
  }
  return undefined;
}
