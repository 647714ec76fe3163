/** How fast compute units are used, and how long they last: exact where they are counted, per day where they are foreseen. */

import type { Decimal } from "../../base/decimal.ts";
import { decimalOf } from "../../base/decimal.ts";
import type { JsonObject } from "../../base/json.ts";
import { percentOf, sumOf } from "../chart/ratio.ts";

/** How the units of a billing period stand. */
export interface Forecast {
  readonly used: Decimal | undefined;
  readonly left: Decimal | undefined;
  /** Used, in percent of all. */
  readonly percent: Decimal | undefined;
  /** Units a day: on average since the reset, and in the last 24 hours. */
  readonly average: number | undefined;
  readonly today: number | undefined;
  /** The faster of the two, by which is foreseen. */
  readonly perDay: number | undefined;
  /** When the units end at that speed, in milliseconds since the epoch; undefined where they never do. */
  readonly endsAt: number | undefined;
  /** The end of the period, in milliseconds since the epoch. */
  readonly periodEnd: number | undefined;
  readonly state: "none" | "short" | "enough" | "unknown";
}

const DAY_MS = 86_400_000;
/** Less than this after a reset an average says nothing. */
const LEAST_DAYS = 0.25;
/** Beyond this a forecast is no date any more. */
const MOST_DAYS = 36_500;

/** Foresees from an answer of the usage endpoint. */
export function forecastOf(usage: JsonObject, now: number): Forecast {
  const [used, left] = [decimalOf(usage.usage_cus), decimalOf(usage.remaining_cus)];
  const today = numberOf(decimalOf(usage.total_cu_24h));
  const reset = momentOf(usage.last_cu_reset_date) ?? momentOf(usage.renew_date);
  const days = reset === undefined ? undefined : (now - reset) / DAY_MS;
  const average = used && days !== undefined && days >= LEAST_DAYS ? (numberOf(used) ?? 0) / days : undefined;
  const known = [average, today].filter((one) => one !== undefined);
  const perDay = known.length === 0 ? undefined : Math.max(...known);
  const daysLeft = left && perDay !== undefined && perDay > 0 ? (numberOf(left) ?? 0) / perDay : undefined;
  const endsAt = daysLeft !== undefined && daysLeft <= MOST_DAYS ? now + daysLeft * DAY_MS : undefined;
  const periodEnd = momentOf(usage.end_date);
  return {
    used,
    left,
    percent: used && left && percentOf(used, sumOf([used, left])),
    average,
    today,
    perDay,
    endsAt,
    periodEnd,
    state: stateOf(left, perDay, endsAt, periodEnd),
  };
}

function stateOf(
  left: Decimal | undefined,
  perDay: number | undefined,
  endsAt: number | undefined,
  periodEnd: number | undefined,
): Forecast["state"] {
  if (!left || perDay === undefined) return "unknown";
  if (left.negative || left.digits === 0n) return "none";
  return endsAt !== undefined && periodEnd !== undefined && endsAt < periodEnd ? "short" : "enough";
}

/** The state in a sentence. */
export function forecastText({ state, endsAt, periodEnd }: Forecast): string {
  const until = periodEnd === undefined ? "the period ends" : `${dateText(periodEnd)}, the end of the period`;
  switch (state) {
    case "none":
      return `No units are left: requests are refused until ${until}.`;
    case "short":
      return `At this pace the units end on ${dateText(endsAt ?? 0)}, ${spanText((periodEnd ?? 0) - (endsAt ?? 0))} before the period does.`;
    case "enough":
      return endsAt === undefined
        ? "At this pace the units do not end."
        : `At this pace the units last until ${dateText(endsAt)}, beyond ${until}.`;
    case "unknown":
      return "How long the units last is not known.";
    default:
      return state satisfies never;
  }
}

function spanText(milliseconds: number): string {
  const hours = Math.max(1, Math.round(milliseconds / 3_600_000));
  if (hours < 48) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${Math.round(hours / 24)} days`;
}

/** A day, in UTC. */
function dateText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function momentOf(value: JsonObject[string] | undefined): number | undefined {
  const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function numberOf(value: Decimal | undefined): number | undefined {
  return value && Number(`${value.negative ? "-" : ""}${value.digits}e-${value.scale}`);
}
