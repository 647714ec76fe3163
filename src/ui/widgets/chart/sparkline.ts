/** A series in one line of text. */
import { extentOf, isDrawable, stepOf } from "./scale.ts";

const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const ASCII_LEVELS = [".", ":", "-", "=", "+", "*", "#"] as const;

/**
 * Returns values as one character each, the newest that fit into `width`. Missing values are blank; zero has its own
 * mark (`·`) where the scale starts at zero, to distinguish nothing from little.
 */
export function sparkline(values: readonly (number | undefined)[], width: number, unicode: boolean): string {
  const visible = values.slice(Math.max(0, values.length - Math.max(0, width)));
  const extent = extentOf(visible);
  if (!extent) return " ".repeat(visible.length);
  const levels = unicode ? LEVELS : ASCII_LEVELS;
  const fromZero = extent.min >= 0 && visible.includes(0);
  return visible
    .map((value) => {
      if (!isDrawable(value)) return " ";
      if (fromZero && value === 0) return unicode ? "·" : "_";
      return levels[stepOf(value, extent, levels.length)] ?? " ";
    })
    .join("");
}
