/** Styled text: lines of spans, measured in terminal cells. */
import { clip, type IdentifierUse, pad, type Role, textWidth } from "../../../output/index.ts";

import type { Route } from "../route.ts";

export type { Role } from "../../../output/index.ts";

/** The colour of a role, faded into the background by a fraction. */
export interface Tint {
  readonly role: Role;
  readonly fade?: number | undefined;
}

/** A piece of text in one style. Untrusted text must have passed `safeText` or `formatValue`. */
export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  /** How far the colour of the role fades into the background: a fraction. */
  readonly fade?: number | undefined;
  /** A colour behind the text. */
  readonly ground?: Tint | undefined;
  /** Whether text and background are exchanged. */
  readonly isInverse?: boolean | undefined;
  /** On the ground of the selected row or of the selected cell, or at the cursor of a text that is edited. */
  readonly cursor?: "row" | "cell" | "caret" | undefined;
  readonly target?: Route | undefined;
  readonly press?: string | undefined;
  /** What it stands for in mouse events, such as the index of a tab. */
  readonly hit?: string | number | undefined;
  /** The identifier that it is, without a name. */
  readonly identifier?: IdentifierUse | undefined;
}

/** One line of styled text. */
export type TextLine = readonly Span[];

/** Creates a line of one span. */
export function textLine(text: string, role?: Role): TextLine {
  return [{ text, role }];
}

/** Creates a span. */
export function span(text: string, role?: Role): Span {
  return { text, role };
}

/** Returns the width of a line in cells. */
export function lineWidth(spans: TextLine): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** Truncates a line with `…` or pads it with spaces to exactly `width` cells. */
export function fitLine(spans: TextLine, width: number): TextLine {
  const used = lineWidth(spans);
  if (used <= width) return used === width ? spans : [...spans, { text: " ".repeat(width - used) }];
  const fitting: Span[] = [];
  let remaining = width;
  for (const one of spans) {
    const size = textWidth(one.text);
    if (size > remaining - 1) {
      // Later spans are dropped, so that the truncation is marked even when this span fits.
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

/** Returns exactly `height` lines of exactly `width` cells; surplus lines are dropped. */
export function fitLines(lines: readonly TextLine[], width: number, height: number): readonly TextLine[] {
  const visible = lines.slice(0, Math.max(0, height)).map((one) => fitLine(one, width));
  while (visible.length < height) visible.push([{ text: " ".repeat(Math.max(0, width)) }]);
  return visible;
}

/** Joins the parts that fit into a width, the most important first; empty ones are omitted. */
export function joinFitting(parts: readonly TextLine[], width: number, separator: Span = span("  ")): TextLine {
  let line: TextLine = [];
  for (const part of parts) {
    if (lineWidth(part) === 0) continue;
    const longer = line.length === 0 ? part : [...line, separator, ...part];
    if (lineWidth(longer) <= width) line = longer;
  }
  return line;
}

/** Joins a left-aligned and a right-aligned part in a line of `width` cells; the left part is truncated. */
export function joinEnds(left: TextLine, right: TextLine, width: number): TextLine {
  const end = lineWidth(right);
  if (end >= width) return fitLine(right, width);
  return [...fitLine(left, width - end), ...right];
}
