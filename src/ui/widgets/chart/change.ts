/** Formats a percentage change. */
import type { Decimal } from "../../../base/index.ts";
import { formatChange, MISSING } from "../../../output/index.ts";
import { type Span, span } from "../../navigation/theme/text-line.ts";

/** Formats a change in percent with a sign for its direction: `▲ 3.2%`, `▼ 0.4%`, `0%`. */
export function changeSpan(change: Decimal | undefined, unicode: boolean): Span {
  if (!change) return span(MISSING.text, "missing");
  if (change.digits === 0n) return span("0%");
  const text = formatChange(change, "brief");
  return span(unicode ? text : text.replace("▲ ", "+").replace("▼ ", "-"), change.negative ? "bad" : "good");
}

/**
 * Returns the change of a measure of trades between two windows; undefined where there were no trades before. The API has
 * zero there, for the volume too, which is never the same twice.
 */
export function tradeChange(change: Decimal | undefined, volumeChange: Decimal | undefined): Decimal | undefined {
  return change?.digits === 0n && volumeChange?.digits === 0n ? undefined : change;
}
