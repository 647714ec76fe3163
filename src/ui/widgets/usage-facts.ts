/** The usage of a key as lines: on its page, and on the screen of `solx usage --watch`. */
import { percentToFraction } from "../../base/index.ts";
import {
  describePace,
  describePeriod,
  describeRequests,
  hasLowSuccess,
  STATE_ROLES,
  type UsageReport,
} from "../../client/index.ts";
import { formatUsedShare, groupDigits, wrap } from "../../output/index.ts";
import { shareBar } from "../frame/share-bar.ts";
import { span, type TextLine } from "../navigation/theme/text-line.ts";

const LABEL_WIDTH = 12;
const MAX_BAR_WIDTH = 40;

/** Returns a value behind its label. */
export const usageFact = (label: string, ...value: TextLine): TextLine => [
  span(label.padEnd(LABEL_WIDTH), "key"),
  ...value,
];

interface UsageFactOptions {
  readonly width: number;
  readonly unicode: boolean;
  readonly now: number;
}

/** Returns the units, the period, the burn rate and the requests of the last day. */
export function usageFacts(
  { usage, forecast }: Pick<UsageReport, "usage" | "forecast">,
  { width, unicode, now }: UsageFactOptions,
): readonly TextLine[] {
  const { percent, used, remaining, state } = forecast;
  const size = Math.max(10, Math.min(MAX_BAR_WIDTH, width - LABEL_WIDTH - 12));
  const pace = describePace(forecast).join(", ") || "unknown yet";
  const [requests = "unknown", ...share] = describeRequests(usage);
  const isLow = hasLowSuccess(usage);
  return [
    usageFact(
      "units",
      ...shareBar(percentToFraction(percent), size, unicode),
      span(` ${percent ? formatUsedShare(percent) : "-"}`, STATE_ROLES[state]),
    ),
    usageFact("", span(`${used ? groupDigits(used) : "-"} used, ${remaining ? groupDigits(remaining) : "-"} left`)),
    usageFact("period", span(describePeriod(forecast, now))),
    ...wrap(pace, Math.max(1, width - LABEL_WIDTH)).map((text, at) =>
      usageFact(at === 0 ? "burn rate" : "", span(text)),
    ),
    usageFact(
      "24 hours",
      span(requests),
      ...share.flatMap((text) => [span(", "), span(isLow ? `${text}: LOW` : text, isLow ? "warning" : undefined)]),
    ),
  ];
}
