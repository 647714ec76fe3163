/** A bar for a fraction. */
import { span, type TextLine } from "../navigation/theme/text-line.ts";

const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

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
