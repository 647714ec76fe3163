/** A bar for a fraction. */

const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/**
 * Returns the bar and the track of `width` cells together, filled by a fraction between 0 and 1. Only 0 is drawn empty
 * and only 1 full, so that small fractions and small remainders stay visible.
 */
export function fillBar(
  share: number,
  width: number,
  unicode: boolean,
): { readonly bar: string; readonly track: string } {
  const filledShare = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const stepsPerCell = unicode ? LEFT_EIGHTHS.length : 1;
  const totalSteps = Math.max(0, width) * stepsPerCell;
  let filled = Math.round(filledShare * totalSteps);
  if (filledShare > 0 && filled === 0) filled = Math.min(1, totalSteps);
  if (filledShare < 1 && filled === totalSteps && totalSteps > 1) filled = totalSteps - 1;
  const whole = Math.floor(filled / stepsPerCell);
  const rest = LEFT_EIGHTHS[filled % stepsPerCell] ?? "";
  return {
    bar: (unicode ? "█" : "#").repeat(whole) + rest,
    track: (unicode ? "░" : "-").repeat(Math.max(0, width - whole - (rest === "" ? 0 : 1))),
  };
}
