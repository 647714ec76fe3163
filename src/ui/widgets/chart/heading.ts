/** The lines above a chart: what it shows, its values, and the choice of its range. */
import { fitLine, joinEnds, lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type ChartChoice, choiceLine } from "./range.ts";

/** What is said about a chart, or about the point of its cursor. */
export interface ChartHeading {
  /** What it shows: `JUP in USD`. */
  readonly title: TextLine;
  /** The value, its change and its time; the most important first, as many as fit. */
  readonly values: readonly TextLine[];
  /** Further numbers, such as the extremes. */
  readonly details: readonly TextLine[];
  /** What the data is and what it leaves out. */
  readonly notes?: readonly TextLine[];
}

/** Minimum height of a region with two lines above the chart. */
const MIN_TALL = 10;
const GAP = span("  ");

/** Returns as many of the parts as fit into a line. */
export function joinFitting(parts: readonly TextLine[], width: number): TextLine {
  let line: TextLine = [];
  for (const part of parts) {
    if (lineWidth(part) === 0) continue;
    const longer: TextLine = line.length === 0 ? part : [...line, GAP, ...part];
    if (lineWidth(longer) > width) break;
    line = longer;
  }
  return line;
}

/**
 * Returns one line above a low chart and two above a high one, whatever they say, so that the chart does not move with
 * the cursor.
 */
export function headingLines(
  { title, values, details, notes = [] }: ChartHeading,
  choice: ChartChoice | undefined,
  width: number,
  height: number,
): readonly TextLine[] {
  const choices = choice ? choiceLine(choice, Math.max(0, width - lineWidth(title) - 12)) : [];
  const space = width - (choices.length === 0 ? 0 : lineWidth(choices) + 2);
  const isTall = height >= MIN_TALL;
  const first = joinFitting([title, ...values, ...(isTall ? [] : details)], space);
  const lines = [joinEnds(lineWidth(first) === 0 ? fitLine(title, space) : first, choices, width)];
  if (!isTall) return lines;
  return [...lines, fitLine(joinFitting([...details, ...notes], width), width)];
}
