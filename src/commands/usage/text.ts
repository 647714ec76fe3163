/** The usage of a key as text for people. States are words as well as colours. */

import { percentToFraction, sumDecimals, toNumber } from "../../base/index.ts";
import { PLANS } from "../../catalogue/index.ts";
import { durationText, type Forecast, forecastText, LOW_SUCCESS_RATE, successRate } from "../../client/index.ts";
import {
  createPainter,
  formatUnix,
  formatUsedShare,
  groupDigits,
  type Paint,
  type Role,
  type Theme,
  type TimeStyle,
  wrap,
} from "../../output/index.ts";
import { formatCount } from "./limit-check.ts";
import type { UsageSnapshot } from "./snapshot.ts";

/** Width and style of the text. */
export interface TextLayout {
  /** Width of a line in terminal cells; infinite without a terminal. */
  readonly width: number;
  readonly theme: Theme | undefined;
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
  none: ["NONE LEFT", "bad"],
  short: ["SHORT", "warning"],
  enough: ["OK", "good"],
  unknown: ["UNKNOWN", "note"],
} as const satisfies Readonly<Record<Forecast["state"], readonly [word: string, role: Role]>>;

/** Formats a snapshot; each line ends with a line break. */
export function usageText(snapshot: UsageSnapshot, layout: TextLayout): string {
  const { forecast, usage } = snapshot;
  const paint = createPainter(layout.theme);
  const { used, remaining } = forecast;
  const [word, stateRole] = STATES[forecast.state];
  // The state of stale numbers may have changed.
  const role = snapshot.error ? "note" : stateRole;
  const lines = [
    ...staleLines(snapshot, layout, paint),
    ...labelledLines("plan", planText(snapshot), layout, paint),
    ...labelledLines("period", periodText(snapshot, layout), layout, paint),
    ...labelledLines("units", barText(forecast, layout, paint), layout, paint),
    ...labelledLines(
      "",
      `${used ? groupDigits(used) : "-"} used, ${remaining ? groupDigits(remaining) : "-"} left`,
      layout,
      paint,
    ),
    ...labelledLines("burn rate", burnText(forecast), layout, paint),
    ...labelledLines("forecast", `${word}: ${forecastText(forecast)}`, layout, paint, role),
    ...limitLines(snapshot, layout, paint),
    ...labelledLines("24 hours", requestsText(usage), layout, paint, successRole(usage)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Formats a label with its text wrapped beside it, or below it in a narrow window. */
function labelledLines(label: string, text: string, { width }: TextLayout, paint: Paint, role?: Role): string[] {
  const indent = width < MIN_TWO_COLUMN_WIDTH ? NARROW_INDENT : LABEL_WIDTH;
  const available = Math.max(8, Math.min(MAX_TEXT_WIDTH, width - indent));
  // A bar is already coloured.
  const lines = text.includes("\u001b") ? [text] : wrap(text, available).map((line) => paint(role, line));
  if (width < MIN_TWO_COLUMN_WIDTH) {
    return [...(label === "" ? [] : [paint("key", label)]), ...lines.map((line) => " ".repeat(indent) + line)];
  }
  return lines.map((line, at) => paint("key", (at === 0 ? label : "").padEnd(indent)) + line);
}

function staleLines({ error, at, now }: UsageSnapshot, layout: TextLayout, paint: Paint): string[] {
  if (!error) return [];
  const age = durationText(Math.max(0, (now - at) / 1000));
  const text = `STALE: no newer numbers available. These are ${age} old (${dateText(at, now, "iso")}).`;
  return [...wrap(text, Math.min(layout.width, MAX_TEXT_WIDTH)).map((line) => paint("warning", line)), ""];
}

/** Formats the daily limit of this machine; empty without one. */
export function limitLines(
  { limit }: Pick<UsageSnapshot, "limit">,
  layout: TextLayout,
  paint = createPainter(layout.theme),
): string[] {
  if (!limit) return [];
  const { spent, limit: maximum } = limit;
  const isReached = spent >= maximum;
  const text = `${formatCount(spent)} of ${formatCount(maximum)} units spent here (daily limit)`;
  return labelledLines(
    "today",
    isReached ? `${text}: REACHED` : text,
    layout,
    paint,
    isReached ? "warning" : undefined,
  );
}

function planText({ plan, forecast: { used, remaining } }: UsageSnapshot): string {
  const units = used && remaining ? `${groupDigits(sumDecimals([used, remaining]))} units per period` : "";
  return [plan === undefined ? "" : PLANS[plan].title, units].filter(Boolean).join(", ") || "-";
}

function periodText({ usage, forecast: { periodEnd }, now }: UsageSnapshot, { time }: TextLayout): string {
  const start = typeof usage.renew_date === "string" ? Date.parse(usage.renew_date) : Number.NaN;
  const date = (moment: number | undefined) =>
    moment === undefined || Number.isNaN(moment) ? "-" : dateText(moment, now, time);
  const remainder =
    periodEnd !== undefined && periodEnd > now ? `, ${durationText((periodEnd - now) / 1000)} left` : "";
  return `${date(start)} to ${date(periodEnd)}${remainder}`;
}

/** Formats a time in the selected style; by default the day, with the time unless it is midnight. */
function dateText(moment: number, now: number, style: TimeStyle | undefined): string {
  if (style !== undefined) return formatUnix(moment / 1000, { style, now }) ?? "-";
  const minute = new Date(moment).toISOString().slice(0, 16).replace("T", " ");
  return minute.endsWith(" 00:00") ? minute.slice(0, 10) : `${minute}Z`;
}

function barText({ percent, state }: Forecast, { width, unicode }: TextLayout, paint: Paint): string {
  if (!percent) return "-";
  const available = Math.min(MAX_BAR_WIDTH, width - (width < MIN_TWO_COLUMN_WIDTH ? NARROW_INDENT : LABEL_WIDTH) - 12);
  const cells = Math.max(8, available);
  const share = percentToFraction(percent);
  const filled = share === 0 ? 0 : share === 1 ? cells : Math.min(cells - 1, Math.max(1, Math.round(share * cells)));
  const [full, remainder] = unicode ? ["█", "░"] : ["#", "-"];
  const [, role] = STATES[state];
  return `${paint(role, full.repeat(filled))}${paint("note", remainder.repeat(cells - filled))} ${formatUsedShare(percent)}`;
}

function burnText({ today, week, average }: Forecast): string {
  const rates = [
    today === undefined ? "" : `${formatCount(today)} units in the last 24 hours`,
    week === undefined ? "" : `${formatCount(week)} per day in the last 7 days`,
    average === undefined ? "" : `${formatCount(average)} per day since the reset`,
  ];
  return rates.filter(Boolean).join(", ") || "-";
}

function requestsText(usage: UsageSnapshot["usage"]): string {
  const [requests, rate] = [toNumber(usage.total_requests_24h), successRate(usage)];
  if (requests === undefined) return "-";
  const share = rate === undefined ? "" : `, ${Math.round(rate * 100) / 100}% succeeded`;
  return `${formatCount(requests)} ${requests === 1 ? "request" : "requests"}${share}${isLow(rate) ? " (low)" : ""}`;
}

const isLow = (rate: number | undefined) => rate !== undefined && rate < LOW_SUCCESS_RATE;

function successRole(usage: UsageSnapshot["usage"]): Role | undefined {
  return isLow(successRate(usage)) ? "warning" : undefined;
}
