/** Text for the screen: lines of spans, measured in cells before anything is drawn. */
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import type { Role } from "./theme.ts";

/** A piece of harmless text in one look. Text from outside must have passed `safeText` or `formatValue` before. */
export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  /** Drawn as the place of the cursor: the row that it is on, or the very cell. */
  readonly on?: "row" | "cell" | undefined;
}

/** One line of the screen. */
export type Line = readonly Span[];

/** A line of one span. */
export function line(text: string, role?: Role): Line {
  return [{ text, role }];
}

/** A span. */
export function span(text: string, role?: Role): Span {
  return { text, role };
}

/** The cells that a line takes. */
export function widthOf(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** A line of exactly so many cells: cut with `…`, or filled with spaces. */
export function fitted(spans: Line, width: number): Line {
  const used = widthOf(spans);
  if (used <= width) return used === width ? spans : [...spans, { text: " ".repeat(width - used) }];
  const kept: Span[] = [];
  let room = width;
  for (const one of spans) {
    const size = textWidth(one.text);
    if (size > room - 1) {
      // What comes after is left out, so the cut is marked even where this span would fit.
      if (room > 0)
        kept.push({ ...one, text: pad(size > room ? clip(one.text, room) : clip(`${one.text} `, room), room) });
      break;
    }
    kept.push(one);
    room -= size;
  }
  return kept;
}

/** Exactly `height` lines of exactly `width` cells; what is too much is left out at the end. */
export function block(lines: readonly Line[], width: number, height: number): readonly Line[] {
  const shown = lines.slice(0, Math.max(0, height)).map((one) => fitted(one, width));
  while (shown.length < height) shown.push([{ text: " ".repeat(Math.max(0, width)) }]);
  return shown;
}

/** One line with something at its left and something at its right end; the left gives way. */
export function between(left: Line, right: Line, width: number): Line {
  const end = widthOf(right);
  if (end >= width) return fitted(right, width);
  return [...fitted(left, width - end), ...right];
}
