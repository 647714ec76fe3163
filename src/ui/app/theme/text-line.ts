/** Text for the screen: lines of spans, measured in cells before anything is drawn. */
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import type { Role } from "./theme.ts";

/** A piece of harmless text in one look. Text from outside must have passed `safeText` or `formatValue` before. */
export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  /** Drawn as the place of the cursor: the row that it is on, or the very cell. */
  readonly cursor?: "row" | "cell" | undefined;
}

/** One line of the screen. */
export type TextLine = readonly Span[];

/** A line of one span. */
export function textLine(text: string, role?: Role): TextLine {
  return [{ text, role }];
}

/** A span. */
export function span(text: string, role?: Role): Span {
  return { text, role };
}

/** The cells that a line takes. */
export function lineWidth(spans: TextLine): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** A line of exactly so many cells: cut with `…`, or filled with spaces. */
export function fitLine(spans: TextLine, width: number): TextLine {
  const used = lineWidth(spans);
  if (used <= width) return used === width ? spans : [...spans, { text: " ".repeat(width - used) }];
  const fitting: Span[] = [];
  let remaining = width;
  for (const one of spans) {
    const size = textWidth(one.text);
    if (size > remaining - 1) {
      // What comes after is left out, so the cut is marked even where this span would fit.
      if (remaining > 0)
        fitting.push({
          ...one,
          text: pad(size > remaining ? clip(one.text, remaining) : clip(`${one.text} `, remaining), remaining),
        });
      break;
    }
    fitting.push(one);
    remaining -= size;
  }
  return fitting;
}

/** Exactly `height` lines of exactly `width` cells; what is too much is left out at the end. */
export function fitLines(lines: readonly TextLine[], width: number, height: number): readonly TextLine[] {
  const visible = lines.slice(0, Math.max(0, height)).map((one) => fitLine(one, width));
  while (visible.length < height) visible.push([{ text: " ".repeat(Math.max(0, width)) }]);
  return visible;
}

/** One line with something at its left and something at its right end; the left gives way. */
export function joinEnds(left: TextLine, right: TextLine, width: number): TextLine {
  const end = lineWidth(right);
  if (end >= width) return fitLine(right, width);
  return [...fitLine(left, width - end), ...right];
}
