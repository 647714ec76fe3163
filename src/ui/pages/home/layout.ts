/** The layout of the sections of the home page by the size of the window: a grid, a stack, or tabs. */
import type { Region, Size } from "../../app/context.ts";

/** The layout of the sections below the summary of the chain. */
export interface HomeLayout {
  readonly mode: "grid" | "stack" | "tabs";
  /** Number of lines of the summary at the top. */
  readonly summary: number;
  /** Regions of the sections in rows from the top; with tabs, that of the open section. */
  readonly rows: readonly (readonly Region[])[];
}

/** From this width on two sections are side by side. */
const WIDE_WIDTH = 120;
/** From this width on the facts of the chain fit into one line. */
const ONE_LINE_WIDTH = 150;
/** Cells between two sections. */
export const GAP = 2;
/** Minimum useful height of a section with its heading. */
const MIN_HEIGHT = 7;

/** Divides a region among `count` sections. */
export function layOutHome({ width, height, top }: Region, count: number): HomeLayout {
  const summary = summaryHeightFor({ width, height });
  const space = Math.max(1, height - summary);
  const region = (left: number, lines: number, before: number): Region => ({
    width: left,
    height: lines,
    top: top + summary + before,
  });
  const columns = width >= WIDE_WIDTH ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const heights = splitEvenly(space, rows);
  if ((heights.at(-1) ?? 0) < MIN_HEIGHT) {
    // The tab bar takes a line.
    return { mode: "tabs", summary, rows: [[region(width, space - 1, 1)]] };
  }
  const widths = columns === 1 ? [width] : [Math.ceil((width - GAP) / 2), Math.floor((width - GAP) / 2)];
  return {
    mode: columns === 1 ? "stack" : "grid",
    summary,
    rows: heights.map((lines, row) => {
      const before = heights.slice(0, row).reduce((sum, one) => sum + one, 0);
      return widths.slice(0, count - row * columns).map((one) => region(one, lines, before));
    }),
  };
}

/** Returns the lines of the search hint and the facts of the chain. */
function summaryHeightFor({ width, height }: Size): number {
  if (height < 16) return 2;
  const facts = width >= ONE_LINE_WIDTH ? 1 : 2;
  return 1 + facts + (height < 30 ? 0 : 1);
}

/** Returns the index of the section at a position of the body; undefined between sections. */
export function sectionAt({ rows }: HomeLayout, x: number, y: number): number | undefined {
  let at = 0;
  for (const row of rows) {
    let left = 0;
    for (const { width, height, top } of row) {
      if (x >= left && x < left + width && y >= top && y < top + height) return at;
      left += width + GAP;
      at += 1;
    }
  }
  return undefined;
}

/** Splits a number into parts that differ by at most one. */
function splitEvenly(whole: number, parts: number): readonly number[] {
  return Array.from({ length: parts }, (_, at) => Math.floor((whole + parts - 1 - at) / parts));
}

/** Returns the section `by` further, around the ends. */
export function nextSection(at: number, by: number, count: number): number {
  return (at + by + count) % count;
}
