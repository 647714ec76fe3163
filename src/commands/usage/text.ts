/** The use of a key as lines for people: every state in words, colour beside them. */

import { toNumber } from "../../base/json.ts";
import { percentToFraction, sumDecimals } from "../../base/ratio.ts";
import { PLANS } from "../../catalogue/plans.ts";
import { durationText, type Forecast, forecastText, LOW_SUCCESS_RATE, successRate } from "../../client/index.ts";
import { createPainter, type Paint, type Role } from "../../output/text/theme.ts";
import { wrap } from "../../output/text/width.ts";
import type { TimeStyle } from "../../output/types.ts";
import { formatUsedShare, groupDigits } from "../../output/values/number.ts";
import { formatUnix } from "../../output/values/time.ts";
import { countText } from "./limit-check.ts";
import type { Look } from "./snapshot.ts";

/** How the lines look. */
export interface Looks {
  /** Cells of a line; infinite where no terminal reads. */
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly time: TimeStyle | undefined;
}

const LABEL = 12;
const NARROW_LABEL = 2;
/** Below this many cells labels stand on lines of their own. */
const NARROW = 44;
const WIDEST_BAR = 40;
const WIDEST_TEXT = 100;

const STATES = {
  none: ["NONE LEFT", "bad"],
  short: ["SHORT", "warning"],
  enough: ["OK", "good"],
  unknown: ["NOT KNOWN", "note"],
} as const satisfies Readonly<Record<Forecast["state"], readonly [word: string, role: Role]>>;

/** The lines, each with its line break. */
export function usageText(look: Look, looks: Looks): string {
  const { forecast, usage } = look;
  const paint = createPainter(looks.color);
  const { used, remaining: left } = forecast;
  const [word, known] = STATES[forecast.state];
  // What was well earlier may not be so any more.
  const role = look.error ? "note" : known;
  const lines = [
    ...staleLines(look, looks, paint),
    ...fact("plan", planText(look), looks, paint),
    ...fact("period", periodText(look, looks), looks, paint),
    ...fact("units", barText(forecast, looks, paint), looks, paint),
    ...fact("", `${used ? groupDigits(used) : "-"} used, ${left ? groupDigits(left) : "-"} left`, looks, paint),
    ...fact("burn rate", burnText(forecast), looks, paint),
    ...fact("forecast", `${word}: ${forecastText(forecast)}`, looks, paint, role),
    ...limitLines(look, looks, paint),
    ...fact("24 hours", requestsText(usage), looks, paint, successRole(usage)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A label and its text, wrapped beside it or, in a narrow window, below it. */
function fact(label: string, text: string, { width }: Looks, paint: Paint, role?: Role): string[] {
  const indent = width < NARROW ? NARROW_LABEL : LABEL;
  const room = Math.max(8, Math.min(WIDEST_TEXT, width - indent));
  // A bar brings its own colours.
  const lines = text.includes("\u001b") ? [text] : wrap(text, room).map((line) => paint(role, line));
  if (width < NARROW) {
    return [...(label === "" ? [] : [paint("key", label)]), ...lines.map((line) => " ".repeat(indent) + line)];
  }
  return lines.map((line, at) => paint("key", (at === 0 ? label : "").padEnd(indent)) + line);
}

function staleLines({ error, at, now }: Look, looks: Looks, paint: Paint): string[] {
  if (!error) return [];
  const age = durationText(Math.max(0, (now - at) / 1000));
  const text = `STALE: there are no newer numbers. These are ${age} old, of ${dateText(at, now, "iso")}.`;
  return [...wrap(text, Math.min(looks.width, WIDEST_TEXT)).map((line) => paint("warning", line)), ""];
}

/** The limit of this machine for a day as lines, where there is one. */
export function limitLines({ limit }: Pick<Look, "limit">, looks: Looks, paint = createPainter(looks.color)): string[] {
  if (!limit) return [];
  const { spent, limit: most } = limit;
  const isReached = spent >= most;
  const text = `${countText(spent)} of ${countText(most)} units spent here, the limit for a day`;
  return fact("today", isReached ? `${text}: REACHED` : text, looks, paint, isReached ? "warning" : undefined);
}

function planText({ plan, forecast: { used, remaining: left } }: Look): string {
  const units = used && left ? `${groupDigits(sumDecimals([used, left]))} units in the period` : "";
  return [plan === undefined ? "" : PLANS[plan].title, units].filter(Boolean).join(", ") || "-";
}

function periodText({ usage, forecast: { periodEnd }, now }: Look, { time }: Looks): string {
  const start = typeof usage.renew_date === "string" ? Date.parse(usage.renew_date) : Number.NaN;
  const date = (moment: number | undefined) =>
    moment === undefined || Number.isNaN(moment) ? "-" : dateText(moment, now, time);
  const rest = periodEnd !== undefined && periodEnd > now ? `, ${durationText((periodEnd - now) / 1000)} to go` : "";
  return `${date(start)} to ${date(periodEnd)}${rest}`;
}

/** A moment in the style of the run; where none was asked for, the day, and the minute unless it is the first one. */
function dateText(moment: number, now: number, style: TimeStyle | undefined): string {
  if (style !== undefined) return formatUnix(moment / 1000, { style, now }) ?? "-";
  const minute = new Date(moment).toISOString().slice(0, 16).replace("T", " ");
  return minute.endsWith(" 00:00") ? minute.slice(0, 10) : `${minute}Z`;
}

function barText({ percent, state }: Forecast, { width, unicode }: Looks, paint: Paint): string {
  if (!percent) return "-";
  const room = Math.min(WIDEST_BAR, width - (width < NARROW ? NARROW_LABEL : LABEL) - 12);
  const cells = Math.max(8, room);
  const share = percentToFraction(percent);
  const filled = share === 0 ? 0 : share === 1 ? cells : Math.min(cells - 1, Math.max(1, Math.round(share * cells)));
  const [full, rest] = unicode ? ["█", "░"] : ["#", "-"];
  const [, role] = STATES[state];
  return `${paint(role, full.repeat(filled))}${paint("note", rest.repeat(cells - filled))} ${formatUsedShare(percent)}`;
}

function burnText({ today, week, average }: Forecast): string {
  const told = [
    today === undefined ? "" : `${countText(today)} units in the last 24 hours`,
    week === undefined ? "" : `${countText(week)} a day in the last 7 days`,
    average === undefined ? "" : `${countText(average)} a day since the reset`,
  ];
  return told.filter(Boolean).join(", ") || "-";
}

function requestsText(usage: Look["usage"]): string {
  const [requests, rate] = [toNumber(usage.total_requests_24h), successRate(usage)];
  if (requests === undefined) return "-";
  const share = rate === undefined ? "" : `, ${Math.round(rate * 100) / 100}% succeeded`;
  return `${countText(requests)} ${requests === 1 ? "request" : "requests"}${share}${isLow(rate) ? " (low)" : ""}`;
}

const isLow = (rate: number | undefined) => rate !== undefined && rate < LOW_SUCCESS_RATE;

function successRole(usage: Look["usage"]): Role | undefined {
  return isLow(successRate(usage)) ? "warning" : undefined;
}
