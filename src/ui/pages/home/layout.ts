/** The layout of the sections of the home page by the size of the window: a grid, a stack, or tabs. */
import type { Region, Size } from "../../navigation/context.ts";
import { CARD_HEIGHT } from "./gauges.ts";

/** The layout of the sections below the summary of the chain. */
export interface HomeLayout {
  readonly mode: "grid" | "stack" | "tabs";
  /** Number of lines of the summary at the top, of which the first is the search hint. */
  readonly summary: number;
  /** Whether the summary has cards in place of a line. */
  readonly hasCards: boolean;
  /** Regions of the sections in rows from the top; with tabs, that of the open section. */
  readonly rows: readonly (readonly Region[])[];
}

/** From this width on two sections are side by side. */
const WIDE_WIDTH = 110;
/** The region from which on the summary has cards. */
const MIN_CARDS: Size = { width: 100, height: 30 };
/** The lowest region with a line of gauges. */
const MIN_GAUGES_HEIGHT = 14;
/** Minimum useful height of a section with its border and headings. */
const MIN_HEIGHT = 8;

/** Divides a region among `count` sections. */
export function layOutHome({ width, height, top }: Region, count: number): HomeLayout {
  const hasCards = width >= MIN_CARDS.width && height >= MIN_CARDS.height;
  const summary = 1 + (hasCards ? CARD_HEIGHT : height >= MIN_GAUGES_HEIGHT ? 1 : 0);
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
    return { mode: "tabs", summary, hasCards, rows: [[region(width, space, 0)]] };
  }
  const widths = columns === 1 ? [width] : splitEvenly(width, 2);
  return {
    mode: columns === 1 ? "stack" : "grid",
    summary,
    hasCards,
    rows: heights.map((lines, row) => {
      const before = heights.slice(0, row).reduce((sum, one) => sum + one, 0);
      return widths.slice(0, count - row * columns).map((one) => region(one, lines, before));
    }),
  };
}

/** Splits a number into parts that differ by at most one. */
function splitEvenly(whole: number, parts: number): readonly number[] {
  return Array.from({ length: parts }, (_, at) => Math.floor((whole + parts - 1 - at) / parts));
}

/** Returns the section `by` further, around the ends. */
export function nextSection(at: number, by: number, count: number): number {
  return (at + by + count) % count;
}
