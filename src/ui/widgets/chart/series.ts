/** Series of rows of the API, sorted by time, with their exact digits. */

import {
  compareDecimals,
  DAY_MS,
  type Decimal,
  decimalText,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  percentChange,
  toDecimal,
} from "../../../base/index.ts";
import { isDrawable } from "./scale.ts";

/** A point of a series. */
export interface ChartPoint {
  /** Unix seconds. */
  readonly time: number;
  /** The value for drawing; undefined when unknown. */
  readonly value: number | undefined;
  /** The value with all its digits. */
  readonly exact: Decimal | undefined;
}

const DAY = DAY_MS / 1000;
/** Maximum number of days of a series, the newest; more cannot be seen in a chart. */
const MAX_DAYS = 4000;

/** Parses a date of the form YYYYMMDD to days since 1970-01-01; undefined when it is invalid. */
export function parseDay(date: Json | undefined): number | undefined {
  const text = isNumeric(date) ? numericText(date) : date;
  const match = typeof text === "string" ? /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) : null;
  if (!match) return undefined;
  const iso = match.slice(1).join("-");
  const moment = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(iso) ? undefined : moment / DAY_MS;
}

/** Returns a point with an exact value. */
export function exactPoint(time: number, exact: Decimal | undefined): ChartPoint {
  return { time, exact, value: exact && Number(decimalText(exact)) };
}

/**
 * Converts rows in any order to a series, oldest day first; days without a row in between are missing values. The last
 * of several rows of a day counts.
 * @param fields names of the value: the first that a row has is used
 */
export function dailySeries(rows: readonly Json[], date: string, fields: readonly string[]): readonly ChartPoint[] {
  const days = new Map<number, ChartPoint>();
  for (const row of rows) {
    const day = isObject(row) ? parseDay(row[date]) : undefined;
    if (day === undefined || !isObject(row)) continue;
    days.set(day, exactPoint(day * DAY, decimalIn(row, fields)));
  }
  const last = Math.max(...days.keys());
  const first = Math.max(Math.min(...days.keys()), last - MAX_DAYS + 1);
  if (days.size === 0) return [];
  return trimHoles(
    Array.from(
      { length: last - first + 1 },
      (_, at) => days.get(first + at) ?? exactPoint((first + at) * DAY, undefined),
    ),
  );
}

function trimHoles(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const first = points.findIndex(({ value }) => isDrawable(value));
  const last = points.findLastIndex(({ value }) => isDrawable(value));
  return first < 0 ? [] : points.slice(first, last + 1);
}

function decimalIn(row: JsonObject, fields: readonly string[]): Decimal | undefined {
  return toDecimal(fields.map((field) => row[field]).find((value) => value !== undefined && value !== null));
}

/** Returns the changes since the first value from a time on, in percent. */
export function relativeSeries(points: readonly ChartPoint[], from: number): readonly ChartPoint[] {
  const known = points.filter(({ time, exact }) => time >= from && exact !== undefined);
  const first = known[0]?.exact;
  return known.map(({ time, exact }) => exactPoint(time, first && exact && percentChange(first, exact)));
}

interface SeriesSummary {
  readonly first: ChartPoint;
  readonly last: ChartPoint;
  readonly lowest: ChartPoint;
  readonly highest: ChartPoint;
  /** From the first to the last value in percent; undefined when the first is zero. */
  readonly change: Decimal | undefined;
  /** Number of points without a value. */
  readonly holes: number;
}

/** Returns the first, last, lowest and highest value of a series, exactly; undefined when it has no values. */
export function summarizeSeries(points: readonly ChartPoint[]): SeriesSummary | undefined {
  const known = points.filter((point) => point.exact !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (!first?.exact || !last?.exact) return undefined;
  const order = (a: ChartPoint, b: ChartPoint) => (a.exact && b.exact ? compareDecimals(a.exact, b.exact) : 0);
  return {
    first,
    last,
    lowest: known.reduce((best, point) => (order(point, best) < 0 ? point : best), first),
    highest: known.reduce((best, point) => (order(point, best) > 0 ? point : best), first),
    change: percentChange(first.exact, last.exact),
    holes: points.length - known.length,
  };
}

/** Returns whether points cover more than two days, so that their extremes are described by days. */
export const spansDays = (points: readonly { readonly time: number }[]): boolean =>
  (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0) > 2 * DAY;

const MINUTES = 16;
const DAYS = 10;

/** Formats the time of a point: `2026-11-21` for days, `2026-11-21 08:00` for shorter periods. Times are UTC. */
export function timeText(time: number, isDaily: boolean): string {
  return new Date(time * 1000)
    .toISOString()
    .slice(0, isDaily ? DAYS : MINUTES)
    .replace("T", " ");
}
