/** Compute units at the right end of a line, as a number and as a bar. */
import { groupThousands } from "../../../base/index.ts";
import { clip, textWidth } from "../../../output/index.ts";
import { shareBar } from "../../frame/share-bar.ts";
import { lineWidth, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";

const UNITS_WIDTH = 9;
/** Cells of the bar in narrow and in wide lines, and from which width on it is wide. */
const BAR_WIDTH = { narrow: 6, wide: 12 };
const WIDE_WIDTH = 80;
/** Minimum width of a line that is left for the instruction itself. */
const MIN_TEXT = 36;

/** How compute units are drawn. */
interface UnitsDrawing {
  /** The units of a full bar. */
  readonly limit: number;
  readonly width: number;
  readonly unicode: boolean;
}

/** Returns a line with compute units and their bar at its right end; without them where space is short or unknown. */
export function withUnits(
  line: readonly LinkSpan[],
  units: number | undefined,
  { limit, width, unicode }: UnitsDrawing,
): readonly LinkSpan[] {
  const size = width >= WIDE_WIDTH ? BAR_WIDTH.wide : BAR_WIDTH.narrow;
  const used = UNITS_WIDTH + 1 + size;
  if (limit <= 0 || width < MIN_TEXT + used) return line;
  const space = width - used;
  const cut = fitLinks(line, space);
  if (units === undefined) return cut;
  const right: TextLine = [
    span(" ".repeat(Math.max(0, space - lineWidth(cut)))),
    span(`${groupThousands(units).padStart(UNITS_WIDTH)} `, "note"),
    // Tracks of bars below each other would hide the tree.
    ...shareBar(units / limit, size, unicode).map((one) =>
      one.role === "track" ? span(" ".repeat(textWidth(one.text))) : one,
    ),
  ];
  return [...cut, ...right];
}

/** Returns the spans that fit into a width, with their links; the last one is cut. */
function fitLinks(line: readonly LinkSpan[], width: number): readonly LinkSpan[] {
  const visible: LinkSpan[] = [];
  let left = width;
  for (const one of line) {
    const size = lineWidth([one]);
    if (size > left) {
      if (left > 1) visible.push({ ...one, text: clip(one.text, left) });
      return visible;
    }
    visible.push(one);
    left -= size;
  }
  return visible;
}
