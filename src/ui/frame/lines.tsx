/** Lines on the screen. */
import { Text } from "ink";
import { useExplorer } from "./context.ts";
import { block, type Line } from "./line.ts";

/** Exactly `height` lines of `width` cells: nothing is measured or wrapped again, so that a frame is never taller. */
export function Lines({ lines, width, height }: { lines: readonly Line[]; width: number; height: number }) {
  const { paint } = useExplorer();
  if (width <= 0 || height <= 0) return null;
  return <Text wrap="truncate">{block(lines, width, height).map(paint).join("\n")}</Text>;
}
