/** Lines on the screen. */
import { Transform } from "ink";
import { useExplorer } from "./context.ts";
import { block, type Line } from "./line.ts";

/**
 * Exactly `height` lines of `width` cells. Ink is given blank text of that size, and the lines only when it writes: it
 * measures each text that it has not seen and remembers thousands of them, which would be every frame of the last hour.
 */
export function Lines({ lines, width, height }: { lines: readonly Line[]; width: number; height: number }) {
  const { paint } = useExplorer();
  if (width <= 0 || height <= 0) return null;
  const painted = block(lines, width, height).map(paint);
  return <Transform transform={(_, at) => painted[at] ?? ""}>{blank(width, height)}</Transform>;
}

const blank = (width: number, height: number) => new Array(height).fill(" ".repeat(width)).join("\n");
