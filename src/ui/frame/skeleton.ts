/** What a region shows until its answer arrives: its own layout without values. Pure. */
import { COLUMN_GAP, pad, textWidth } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { type Span, span, type TextLine } from "../navigation/theme/text-line.ts";

const MIN_COLUMN = 10;
const SHARES = [0.8, 0.6, 0.9, 0.5, 0.7, 0.6, 0.8] as const;
const FADE_ROWS = 12;

const BAR = { unicode: "▄", ascii: "-" } as const;

function skeletonBar(width: number, unicode: boolean, fade = 0): Span {
  return { ...span((unicode ? BAR.unicode : BAR.ascii).repeat(Math.max(1, Math.round(width))), "track"), fade };
}

/** Returns headings above rows of bars, which fade out. */
export function skeletonTable(
  heads: readonly string[],
  { width, height }: Size,
  unicode: boolean,
): readonly TextLine[] {
  const columns = columnsWithin(heads, width);
  const gap = span(" ".repeat(COLUMN_GAP));
  const head = columns.flatMap(
    (column, at): TextLine => [...(at === 0 ? [] : [gap]), span(pad(column.head, column.width), "heading")],
  );
  const row = (line: number): TextLine =>
    columns.flatMap(({ width: size }, at) => {
      const bar = skeletonBar(size * (SHARES[(line * 3 + at * 5) % SHARES.length] ?? 1), unicode, line / FADE_ROWS);
      return [...(at === 0 ? [] : [gap]), bar, span(" ".repeat(size - bar.text.length))];
    });
  const rows = Math.max(0, Math.min(FADE_ROWS, height - 1));
  return [...(heads.length === 0 ? [] : [head]), ...Array.from({ length: rows }, (_, line) => row(line))];
}

interface SkeletonColumn {
  readonly head: string;
  readonly width: number;
}

function columnsWithin(heads: readonly string[], width: number): readonly SkeletonColumn[] {
  if (heads.length === 0) {
    const third = Math.floor((width - 2 * COLUMN_GAP) / 3);
    return [third, third, third].map((size) => ({ head: "", width: Math.max(1, size) }));
  }
  let left = width;
  return heads.flatMap((head): readonly SkeletonColumn[] => {
    const size = Math.max(MIN_COLUMN, textWidth(head) + 2);
    left -= size + COLUMN_GAP;
    return left + COLUMN_GAP < 0 ? [] : [{ head, width: size }];
  });
}
