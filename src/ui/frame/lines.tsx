/** Components that draw styled lines. */
import { Box, type DOMElement, Transform } from "ink";
import { useLayoutEffect, useRef } from "react";
import { useExplorer, usePane } from "../navigation/context.ts";
import type { PointerArea } from "../navigation/pointer/pointer.ts";
import type { Painter, Surface } from "../navigation/theme/painter.ts";
import { fitLines, type TextLine } from "../navigation/theme/text-line.ts";
import { useTheme } from "../navigation/theme/use-theme.ts";

/** Lines and the region that they fill. */
export interface LinesProps {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
  readonly surface?: Surface | undefined;
}

/**
 * Draws exactly `height` lines of `width` cells. Ink lays out blank text of that size and gets the lines only when it
 * writes: it caches the measurements of thousands of texts, which would otherwise hold every frame of the last hour.
 */
export function Lines({ surface, ...given }: PointerArea & Pick<LinesProps, "surface">) {
  const { lines, width, height, onMouse } = given;
  const { pointer } = useExplorer();
  const { pane, isFocused } = usePane();
  // The first click into a pane only moves the focus there.
  const area: PointerArea = isFocused
    ? given
    : { ...given, onMouse: (event) => (event.type === "click" ? pane?.focus() : onMouse?.(event)) };
  const { paint } = useTheme();
  const element = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    if (element.current) pointer.set(element.current, area);
  });
  useLayoutEffect(() => {
    const drawn = element.current;
    return () => {
      if (drawn) pointer.remove(drawn);
    };
  }, [pointer]);
  return (
    <Box ref={element} width={Math.max(0, width)} height={Math.max(0, height)}>
      <PaintedLines lines={lines} width={width} height={height} surface={surface} paint={paint} />
    </Box>
  );
}

/** Draws lines outside of the explorer. */
export function PaintedLines({ lines, width, height, surface, paint }: LinesProps & { readonly paint: Painter }) {
  if (width <= 0 || height <= 0) return null;
  const painted = fitLines(lines, width, height).map((line) => paint(line, surface));
  return <Transform transform={(_, at) => painted[at] ?? ""}>{blank(width, height)}</Transform>;
}

const blank = (width: number, height: number) => new Array(height).fill(" ".repeat(width)).join("\n");
