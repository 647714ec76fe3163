/** Lines on the screen. */
import { Transform } from "ink";
import { useExplorer } from "./context.ts";
import { fitLines, type TextLine } from "./theme/text-line.ts";
import type { Painter } from "./theme/theme.ts";

export interface LinesProps {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
}

/**
 * Exactly `height` lines of `width` cells. Ink is given blank text of that size, and the lines only when it writes: it
 * measures each text that it has not seen and remembers thousands of them, which would be every frame of the last hour.
 */
export function Lines(props: LinesProps) {
  const { paint } = useExplorer();
  return <PaintedLines {...props} paint={paint} />;
}

/** The same where there is no explorer. */
export function PaintedLines({ lines, width, height, paint }: LinesProps & { readonly paint: Painter }) {
  if (width <= 0 || height <= 0) return null;
  const painted = fitLines(lines, width, height).map(paint);
  return <Transform transform={(_, at) => painted[at] ?? ""}>{blank(width, height)}</Transform>;
}

const blank = (width: number, height: number) => new Array(height).fill(" ".repeat(width)).join("\n");
