/** Components that draw styled lines. */
import { Transform } from "ink";
import { useExplorer } from "./context.ts";
import { fitLines, type TextLine } from "./theme/text-line.ts";
import type { Painter } from "./theme/theme.ts";

/** Lines and the region that they fill. */
export interface LinesProps {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
}

/**
 * Draws exactly `height` lines of `width` cells. Ink lays out blank text of that size and gets the lines only when it
 * writes: it caches the measurements of thousands of texts, which would otherwise hold every frame of the last hour.
 */
export function Lines(props: LinesProps) {
  const { paint } = useExplorer();
  return <PaintedLines {...props} paint={paint} />;
}

/** Draws lines outside of the explorer. */
export function PaintedLines({ lines, width, height, paint }: LinesProps & { readonly paint: Painter }) {
  if (width <= 0 || height <= 0) return null;
  const painted = fitLines(lines, width, height).map(paint);
  return <Transform transform={(_, at) => painted[at] ?? ""}>{blank(width, height)}</Transform>;
}

const blank = (width: number, height: number) => new Array(height).fill(" ".repeat(width)).join("\n");
