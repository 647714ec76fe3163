/**
 * Forecast of compute units: how fast they are used and how long they last. Counted units are exact, units per day are
 * estimates.
 */
import {
  computePercent,
  DAY_MS,
  type Decimal,
  decimalText,
  HOUR_MS,
  type JsonObject,
  sumDecimals,
  toDecimal,
  toNumber,
  toNumeric,
} from "../../base/index.ts";
import { durationText } from "../text.ts";
import type { UsageSample } from "./usage-file.ts";

/** The compute units of a billing period, and how long they last. */
export interface Forecast {
  readonly used: Decimal | undefined;
  readonly remaining: Decimal | undefined;
  /** Both together. */
  readonly total: Decimal | undefined;
  /** Share used, in percent. */
  readonly percent: Decimal | undefined;
  /** Units per day: the average since the reset, in the last 7 days according to samples, and in the last 24 hours. */
  readonly average: number | undefined;
  readonly week: number | undefined;
  readonly today: number | undefined;
  /** The rate of the forecast: the last 24 hours or the usual rate, whichever is higher. */
  readonly perDay: number | undefined;
  /** When the units run out at that rate, in milliseconds since the epoch; undefined where they never do. */
  readonly endsAt: number | undefined;
  /** The ends of the period and the last reset of the units, in milliseconds since the epoch. */
  readonly periodStart: number | undefined;
  readonly periodEnd: number | undefined;
  readonly resetAt: number | undefined;
  /** Whether the period has ended, so that the remaining units are unknown. */
  readonly isOver: boolean;
  readonly state: "none" | "short" | "enough" | "unknown";
}

/** Days after a reset before which an average is meaningless. */
const MIN_DAYS = 0.25;
/** Days beyond which a forecast is not a date. */
const MAX_DAYS = 36_500;
/** Days beyond the period that are not worth stating exactly. */
const FAR_DAYS = 366;
/** Days of samples to use, and the minimum time between the first and the last one. */
const WEEK = { days: 7, minDays: 2 };
const TODAY = { days: 1, minDays: MIN_DAYS };

/**
 * Forecasts from an answer of the usage endpoint.
 * @param at when it arrived, in milliseconds since the epoch
 * @param samples earlier answers, oldest first; a week of them outweighs a busy start of the period
 * @param now the current time, where the answer is an earlier one
 */
export function forecastUsage(usage: JsonObject, at: number, samples: readonly UsageSample[] = [], now = at): Forecast {
  const [used, remaining] = [toDecimal(usage.usage_cus), toDecimal(usage.remaining_cus)];
  const seen = [...samples.filter((sample) => sample.at < at), { at, usage }];
  const today = toNumber(usage.total_cu_24h) ?? unitsPerDay(seen, at, TODAY);
  const week = unitsPerDay(seen, at, WEEK);
  const periodStart = parseTimestamp(usage.renew_date);
  const resetAt = parseTimestamp(usage.last_cu_reset_date) ?? periodStart;
  const average = averagePerDay(toNumber(usage.usage_cus), resetAt, at);
  const total = used && remaining && sumDecimals([used, remaining]);
  const known = [week ?? average, today].filter((one) => one !== undefined);
  const perDay = known.length === 0 ? undefined : Math.max(...known);
  const remainingDays =
    remaining && perDay !== undefined && perDay > 0 ? (toNumber(usage.remaining_cus) ?? 0) / perDay : undefined;
  const endsAt = remainingDays !== undefined && remainingDays <= MAX_DAYS ? at + remainingDays * DAY_MS : undefined;
  const periodEnd = parseTimestamp(usage.end_date);
  const isOver = periodEnd !== undefined && periodEnd <= now;
  return {
    used,
    remaining,
    total,
    percent: used && total && computePercent(used, total),
    average,
    week,
    today,
    perDay,
    endsAt: isOver ? undefined : endsAt,
    periodStart,
    periodEnd,
    resetAt,
    isOver,
    state: isOver ? "unknown" : forecastState(remaining, perDay, endsAt, periodEnd),
  };
}

/** Fields that stay valid for the whole period. */
const PERIOD_FIELDS = ["renew_date", "end_date", "last_cu_reset_date"];

/**
 * Returns what the usage endpoint would answer when it refuses to because the units are spent: none remain of the
 * previous total.
 * @param last the last answer, if there is one
 * @param now milliseconds since the epoch
 */
export function spentUsage(last: UsageSample | undefined, now: number): JsonObject {
  const before = last && forecastUsage(last.usage, last.at, [], now);
  if (!before || before.isOver) return { remaining_cus: 0 };
  const { total } = before;
  const period = Object.entries(last.usage).filter(([name]) => PERIOD_FIELDS.includes(name));
  return {
    ...Object.fromEntries(period),
    remaining_cus: 0,
    ...(total && { usage_cus: toNumeric(decimalText(total)) }),
  };
}

function averagePerDay(used: number | undefined, resetAt: number | undefined, now: number): number | undefined {
  const days = resetAt === undefined ? 0 : (now - resetAt) / DAY_MS;
  return used !== undefined && days >= MIN_DAYS ? used / days : undefined;
}

/** Returns the units per day according to the samples of the last days; undefined where they cover too little time. */
function unitsPerDay(samples: readonly UsageSample[], now: number, { days, minDays }: typeof WEEK): number | undefined {
  const isUsable = ({ at, usage }: UsageSample) => at >= now - days * DAY_MS && toNumber(usage.usage_cus) !== undefined;
  const intervals = usageIntervals(samples.filter(isUsable));
  const [first, last] = [intervals.at(0), intervals.at(-1)];
  const span = first && last ? (last.to - first.from) / DAY_MS : 0;
  return span < minDays ? undefined : intervals.reduce((sum, { units }) => sum + units, 0) / span;
}

function forecastState(
  remaining: Decimal | undefined,
  perDay: number | undefined,
  endsAt: number | undefined,
  periodEnd: number | undefined,
): Forecast["state"] {
  if (!remaining) return "unknown";
  if (remaining.negative || remaining.digits === 0n) return "none";
  if (perDay === undefined) return "unknown";
  if (endsAt === undefined) return "enough";
  if (periodEnd === undefined) return "unknown";
  return endsAt < periodEnd ? "short" : "enough";
}

/** Describes the state in a sentence. */
export function forecastText({ state, endsAt, periodEnd, isOver }: Forecast): string {
  const until = periodEnd === undefined ? "the period ends" : `${formatDay(periodEnd)}, the end of the period`;
  switch (state) {
    case "none":
      return `No units are left: requests are refused until ${until}.`;
    case "short":
      return `At this pace the units end on ${formatDay(endsAt ?? 0)}, ${shortageText((periodEnd ?? 0) - (endsAt ?? 0))} before the period ends.`;
    case "enough":
      if (endsAt === undefined) return "At this pace the units do not run out.";
      return endsAt - (periodEnd ?? endsAt) > FAR_DAYS * DAY_MS
        ? `At this pace the units last far beyond ${until}.`
        : `At this pace the units last until ${formatDay(endsAt)}, beyond ${until}.`;
    case "unknown":
      if (!isOver && endsAt !== undefined) {
        return `At this pace the units end on ${formatDay(endsAt)}; the end of the period is unknown.`;
      }
      return isOver
        ? `The numbers are those of the period that ended on ${formatDay(periodEnd ?? 0)}; the remaining units are not yet known.`
        : "How long the units last is unknown.";
    default:
      return state satisfies never;
  }
}

/** Returns how long units are missing: beside a date, 3.6 days are 4. */
function shortageText(milliseconds: number): string {
  const days = Math.round(milliseconds / DAY_MS);
  return durationText((days < 2 ? milliseconds : days * DAY_MS) / 1000);
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function parseTimestamp(value: JsonObject[string] | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Returns the units per hour in `count` parts of a time range, oldest first; undefined where there are no samples. Usage is
 * spread evenly over the time between two samples.
 */
export function hourlyRates(
  samples: readonly UsageSample[],
  { from, to, count }: { readonly from: number; readonly to: number; readonly count: number },
): readonly (number | undefined)[] {
  const width = (to - from) / count;
  const [units, known] = [new Array<number>(count).fill(0), new Array<number>(count).fill(0)];
  for (const interval of usageIntervals(samples)) {
    const first = Math.max(0, Math.floor((interval.from - from) / width));
    const last = Math.min(count - 1, Math.floor((interval.to - from) / width));
    for (let at = first; at <= last; at += 1) {
      const begin = from + at * width;
      const overlap = Math.min(interval.to, begin + width) - Math.max(interval.from, begin);
      if (overlap <= 0) continue;
      units[at] = (units[at] ?? 0) + (interval.units * overlap) / (interval.to - interval.from);
      known[at] = (known[at] ?? 0) + overlap;
    }
  }
  return known.map((time, at) => (time > 0 ? ((units[at] ?? 0) / time) * HOUR_MS : undefined));
}

/** Returns the interval between each two samples; after a reset of the counter, its usage is the new count. */
function usageIntervals(samples: readonly UsageSample[]) {
  return samples.slice(1).flatMap(({ at, usage }, index) => {
    const before = samples[index];
    const [used, usedBefore] = [toNumber(usage.usage_cus), toNumber(before?.usage.usage_cus)];
    if (!before || used === undefined || usedBefore === undefined || at <= before.at) return [];
    const [reset, resetBefore] = [usage.last_cu_reset_date, before.usage.last_cu_reset_date];
    const isReset = used < usedBefore || (reset && resetBefore && reset !== resetBefore);
    return [{ from: before.at, to: at, units: isReset ? used : used - usedBefore }];
  });
}
