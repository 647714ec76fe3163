/** One line of a chart: a bar for a share, and a sparkline for a row of values. */
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { extentOf, isDrawn, stepOf } from "./scale.ts";

const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;
const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const ASCII_LEVELS = [".", ":", "-", "=", "+", "*", "#"] as const;

/**
 * A bar of exactly `width` cells, filled by a share between 0 and 1. Only nothing is empty and only all is full: a
 * small share is seen, and so is a small rest.
 */
export function shareBar(share: number, width: number, unicode: boolean): TextLine {
  const part = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const grain = unicode ? LEFT_EIGHTHS.length : 1;
  const all = Math.max(0, width) * grain;
  let filled = Math.round(part * all);
  if (part > 0 && filled === 0) filled = Math.min(1, all);
  if (part < 1 && filled === all && all > 1) filled = all - 1;
  const whole = Math.floor(filled / grain);
  const rest = LEFT_EIGHTHS[filled % grain] ?? "";
  const bar = (unicode ? "█" : "#").repeat(whole) + rest;
  const track = (unicode ? "░" : "-").repeat(Math.max(0, width - whole - (rest === "" ? 0 : 1)));
  return [span(bar, "bar"), span(track, "track")];
}

/**
 * Values as one character each, the newest that fit into `width`: holes are blank, and zero has a mark of its own (`·`)
 * where the values begin at it, so that nothing is told apart from little.
 */
export function sparkline(values: readonly (number | undefined)[], width: number, unicode: boolean): string {
  const shown = values.slice(Math.max(0, values.length - Math.max(0, width)));
  const extent = extentOf(shown);
  if (!extent) return " ".repeat(shown.length);
  const levels = unicode ? LEVELS : ASCII_LEVELS;
  const fromZero = extent.least >= 0 && shown.includes(0);
  return shown
    .map((value) => {
      if (!isDrawn(value)) return " ";
      if (fromZero && value === 0) return unicode ? "·" : "_";
      return levels[stepOf(value, extent, levels.length)] ?? " ";
    })
    .join("");
}
