/** One-line charts: a bar for a fraction and a sparkline for a series. */
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { extentOf, isDrawable, stepOf } from "./scale.ts";

const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;
const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const ASCII_LEVELS = [".", ":", "-", "=", "+", "*", "#"] as const;

/**
 * Returns a bar of exactly `width` cells, filled by a fraction between 0 and 1. Only 0 is drawn empty and only 1 full,
 * so that small fractions and small remainders stay visible.
 */
export function shareBar(share: number, width: number, unicode: boolean): TextLine {
  const filledShare = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const stepsPerCell = unicode ? LEFT_EIGHTHS.length : 1;
  const totalSteps = Math.max(0, width) * stepsPerCell;
  let filled = Math.round(filledShare * totalSteps);
  if (filledShare > 0 && filled === 0) filled = Math.min(1, totalSteps);
  if (filledShare < 1 && filled === totalSteps && totalSteps > 1) filled = totalSteps - 1;
  const whole = Math.floor(filled / stepsPerCell);
  const rest = LEFT_EIGHTHS[filled % stepsPerCell] ?? "";
  const bar = (unicode ? "█" : "#").repeat(whole) + rest;
  const track = (unicode ? "░" : "-").repeat(Math.max(0, width - whole - (rest === "" ? 0 : 1)));
  return [span(bar, "bar"), span(track, "track")];
}

/** Returns a bar like {@link shareBar} without a track, for many below each other. */
export function comparisonBar(share: number, width: number, unicode: boolean): TextLine {
  return shareBar(share, width, unicode).map((part) =>
    part.role === "track" ? span(" ".repeat(part.text.length), "track") : part,
  );
}

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
