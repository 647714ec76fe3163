/** A bar for a fraction. */
import { fillBar } from "../../output/index.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";

/** Returns a bar of exactly `width` cells, filled by a fraction between 0 and 1. */
export function shareBar(share: number, width: number, unicode: boolean): TextLine {
  const { bar, track } = fillBar(share, width, unicode);
  return [span(bar, "bar"), span(track, "track")];
}

/** Returns a bar like {@link shareBar} without a track, for many below each other. */
export function comparisonBar(share: number, width: number, unicode: boolean): TextLine {
  return shareBar(share, width, unicode).map((part) =>
    part.role === "track" ? span(" ".repeat(part.text.length), "track") : part,
  );
}
