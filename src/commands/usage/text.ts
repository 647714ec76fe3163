/** The usage of a key as text for people. States are words as well as colours. */

import { percentToFraction } from "../../base/index.ts";
import { PLANS } from "../../catalogue/index.ts";
import {
  describePace,
  describePeriod,
  describeRequests,
  durationText,
  type Forecast,
  forecastText,
  hasLowSuccess,
  STATE_ROLES,
} from "../../client/index.ts";
import {
  fillBar,
  formatUnix,
  formatUsedShare,
  groupDigits,
  type Paint,
  type Role,
  type TimeStyle,
  wrap,
} from "../../output/index.ts";
import { formatCount } from "./limits.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** Width and style of the text. */
export interface TextLayout {
  /** Width of a line in terminal cells; infinite without a terminal. */
  readonly width: number;
  readonly paint: Paint;
  readonly unicode: boolean;
  readonly time: TimeStyle | undefined;
}

const LABEL_WIDTH = 12;
const NARROW_INDENT = 2;
/** Below this width labels are printed on separate lines. */
const MIN_TWO_COLUMN_WIDTH = 44;
const MAX_BAR_WIDTH = 40;
const MAX_TEXT_WIDTH = 100;

const STATES = {
  none: "NONE LEFT",
  short: "SHORT",
  enough: "OK",
  unknown: "UNKNOWN",
} as const satisfies Readonly<Record<Forecast["state"], string>>;

/** Formats a snapshot; each line ends with a line break. */
export function usageText(snapshot: UsageSnapshot, layout: TextLayout): string {
  const { forecast, usage } = snapshot;
  const { used, remaining, state } = forecast;
  // The state of stale numbers may have changed.
  const role = snapshot.error ? "note" : STATE_ROLES[state];
  const date = (moment: number) => dateText(moment, snapshot.now, layout.time);
  const isLow = hasLowSuccess(usage);
  const requests = describeRequests(usage).join(", ") || "-";
  const labelled = (label: string, text: string, role?: Role) => labelledLines(label, text, layout, role);
  const lines = [
    ...staleLines(snapshot, layout),
    ...labelled("plan", planText(snapshot)),
    ...labelled("period", describePeriod(forecast, snapshot.now, date)),
    ...labelled("units", barText(forecast, layout)),
    ...labelled("", `${used ? groupDigits(used) : "-"} used, ${remaining ? groupDigits(remaining) : "-"} left`),
    ...labelled("burn rate", describePace(forecast).join(", ") || "-"),
    ...labelled("forecast", `${STATES[state]}: ${forecastText(forecast)}`, role),
    ...limitLines(snapshot, layout),
    ...labelled("24 hours", isLow ? `${requests} (low)` : requests, isLow ? "warning" : undefined),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Formats a label with its text wrapped beside it, or below it in a narrow window. */
function labelledLines(label: string, text: string, { width, paint }: TextLayout, role?: Role): string[] {
  const indent = width < MIN_TWO_COLUMN_WIDTH ? NARROW_INDENT : LABEL_WIDTH;
  const available = Math.max(8, Math.min(MAX_TEXT_WIDTH, width - indent));
  // A bar is already coloured.
  const lines = text.includes("\u001b") ? [text] : wrap(text, available).map((line) => paint(role, line));
  if (width < MIN_TWO_COLUMN_WIDTH) {
    return [...(label === "" ? [] : [paint("key", label)]), ...lines.map((line) => " ".repeat(indent) + line)];
  }
  return lines.map((line, at) => paint("key", (at === 0 ? label : "").padEnd(indent)) + line);
}

function staleLines({ error, at, now }: UsageSnapshot, { width, paint }: TextLayout): string[] {
  if (!error) return [];
  const age = durationText(Math.max(0, (now - at) / 1000));
  const text = `STALE: no newer numbers available. These are ${age} old (${dateText(at, now, "iso")}).`;
  return [...wrap(text, Math.min(width, MAX_TEXT_WIDTH)).map((line) => paint("warning", line)), ""];
}

/** Formats the daily limit of this machine; empty without one. */
export function limitLines({ limit }: Pick<UsageSnapshot, "limit">, layout: TextLayout): string[] {
  if (!limit) return [];
  const { spent, limit: maximum } = limit;
  const isReached = spent >= maximum;
  const text = `${formatCount(spent)} of ${formatCount(maximum)} units spent here (daily limit)`;
  const [end, role] = isReached ? [": REACHED", "warning" as const] : [""];
  return labelledLines("today", text + end, layout, role);
}

function planText({ plan, forecast: { total } }: UsageSnapshot): string {
  const units = total ? `${groupDigits(total)} units per period` : "";
  return [plan === undefined ? "" : PLANS[plan].title, units].filter(Boolean).join(", ") || "-";
}

/** Formats a time in the selected style; by default the day, with the time unless it is midnight. */
function dateText(moment: number, now: number, style: TimeStyle | undefined): string {
  if (style !== undefined) return formatUnix(moment / 1000, { style, now }) ?? "-";
  const minute = new Date(moment).toISOString().slice(0, 16).replace("T", " ");
  return minute.endsWith(" 00:00") ? minute.slice(0, 10) : `${minute}Z`;
}

function barText({ percent, state }: Forecast, { width, unicode, paint }: TextLayout): string {
  if (!percent) return "-";
  const available = Math.min(MAX_BAR_WIDTH, width - (width < MIN_TWO_COLUMN_WIDTH ? NARROW_INDENT : LABEL_WIDTH) - 12);
  const { bar, track } = fillBar(percentToFraction(percent), Math.max(8, available), unicode);
  return `${paint(STATE_ROLES[state], bar)}${paint("note", track)} ${formatUsedShare(percent)}`;
}
