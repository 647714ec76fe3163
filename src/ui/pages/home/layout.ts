/** The layout of the sections of the home page by the size of the window: a grid, a stack, or tabs. */
import { paneLines } from "../../frame/pane.tsx";
import type { Region, Size } from "../../navigation/context.ts";
import { fitLine, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { ChainGauge } from "./gauges.ts";

/** The layout of the sections below the summary of the chain. */
export interface HomeLayout {
  readonly mode: "grid" | "stack" | "tabs";
  /** Number of lines of the summary at the top, of which the first is the search hint. */
  readonly summary: number;
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

/** Height of a card in lines: a value and its note with a border. */
export const CARD_HEIGHT = 4;
/** Minimum width of a drawing, and cells between it and the value. */
const MIN_DRAWING = 8;
const GAP = 1;
/** Cells that the border of a card and the space inside of it take. */
const CARD_SIDES = 4;

const minDrawing = ({ drawing }: ChainGauge) => (drawing ? Math.min(drawing.max, MIN_DRAWING) : 0);

function valueLine({ value, drawing }: ChainGauge, width: number): TextLine {
  if (!drawing || width <= 0) return value;
  const line = drawing.line(Math.min(drawing.max, width));
  return drawing.isFirst ? [...line, span(" "), ...value] : [...value, span(" "), ...line];
}

const valueWidth = (gauge: ChainGauge) => lineWidth(gauge.value) + (gauge.drawing ? GAP + minDrawing(gauge) : 0);

const withValues = (gauges: readonly ChainGauge[]) => gauges.filter(({ value }) => lineWidth(value) > 0);

/** Returns the first gauges that fit into one line. */
export function gaugeLine(gauges: readonly ChainGauge[], width: number): TextLine {
  const line: TextLine[] = [];
  let used = 0;
  for (const gauge of withValues(gauges)) {
    const next = [
      ...(used === 0 ? [] : [span("   ")]),
      span(`${gauge.title} `, "key"),
      ...valueLine(gauge, minDrawing(gauge)),
    ];
    used += lineWidth(next);
    if (used > width) break;
    line.push(next);
  }
  return line.flat();
}

/** Returns the first gauges that fit beside each other as cards, which fill the width. */
export function gaugeCards(gauges: readonly ChainGauge[], width: number, unicode: boolean): readonly TextLine[] {
  const cards: { readonly gauge: ChainGauge; readonly minimum: number }[] = [];
  let free = width;
  for (const gauge of withValues(gauges)) {
    const inside = Math.max(valueWidth(gauge), lineWidth(gauge.note ?? []), gauge.title.length + 2);
    if (inside + CARD_SIDES > free) break;
    cards.push({ gauge, minimum: inside + CARD_SIDES });
    free -= inside + CARD_SIDES;
  }
  const widths = grow(cards, free);
  const drawn = cards.map(({ gauge }, at) => cardLines(gauge, widths[at] ?? 0, unicode));
  return Array.from({ length: CARD_HEIGHT }, (_, line) => drawn.flatMap((card) => card[line] ?? []));
}

/** Distributes free cells: first to drawings, up to their maximum, the rest evenly. */
function grow(
  cards: readonly { readonly gauge: ChainGauge; readonly minimum: number }[],
  free: number,
): readonly number[] {
  const widths = cards.map(({ minimum }) => minimum);
  const missing = cards.map(({ gauge }) => (gauge.drawing ? gauge.drawing.max - minDrawing(gauge) : 0));
  for (let left = free, at = 0; left > 0 && cards.length > 0; at = (at + 1) % cards.length) {
    const isMissing = (missing[at] ?? 0) > 0;
    if (!isMissing && missing.some((one) => one > 0)) continue;
    widths[at] = (widths[at] ?? 0) + 1;
    missing[at] = (missing[at] ?? 0) - 1;
    left -= 1;
  }
  return widths;
}

function cardLines(gauge: ChainGauge, width: number, unicode: boolean): readonly TextLine[] {
  const inside = width - CARD_SIDES;
  const drawing = gauge.drawing ? inside - lineWidth(gauge.value) - GAP : 0;
  const content = [valueLine(gauge, drawing), gauge.note ?? []].map(
    (line): TextLine => [span(" "), ...fitLine(line, inside)],
  );
  return paneLines(content, { title: gauge.title }, { width, height: CARD_HEIGHT }, unicode);
}
