/** Daily series: rows of the API, sorted by day, with their exact digits. */

import {
  compareDecimals,
  DAY_MS,
  type Decimal,
  decimalOf,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  percentChange,
} from "../../../base/index.ts";

/** A day of a series. */
export interface DayValue {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The value for drawing; undefined when unknown. */
  readonly value: number | undefined;
  /** The value with all its digits. */
  readonly exact: Decimal | undefined;
}

/** Maximum number of days of a series, the newest; more cannot be seen in a chart. */
const MAX_DAYS = 4000;

/** Parses a date of the form YYYYMMDD to days since 1970-01-01; undefined when it is invalid. */
export function dayOf(date: Json | undefined): number | undefined {
  const text = isNumeric(date) ? numericText(date) : date;
  const match = typeof text === "string" ? /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) : null;
  if (!match) return undefined;
  const iso = match.slice(1).join("-");
  const moment = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(iso) ? undefined : moment / DAY_MS;
}

/** Formats a day as `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Converts rows in any order to a series, oldest day first; days without a row in between are missing values. The last
 * of several rows of a day counts.
 * @param fields names of the value: the first that a row has is used
 */
export function dailySeries(rows: readonly Json[], date: string, fields: readonly string[]): readonly DayValue[] {
  const days = new Map<number, DayValue>();
  for (const row of rows) {
    const day = isObject(row) ? dayOf(row[date]) : undefined;
    if (day === undefined || !isObject(row)) continue;
    const exact = decimalIn(row, fields);
    days.set(day, { day, exact, value: exact && Number(textOf(exact)) });
  }
  const last = Math.max(...days.keys());
  const first = Math.max(Math.min(...days.keys()), last - MAX_DAYS + 1);
  if (days.size === 0) return [];
  return Array.from(
    { length: last - first + 1 },
    (_, at) => days.get(first + at) ?? { day: first + at, value: undefined, exact: undefined },
  );
}

function decimalIn(row: JsonObject, fields: readonly string[]): Decimal | undefined {
  return decimalOf(fields.map((field) => row[field]).find((value) => value !== undefined && value !== null));
}

function textOf({ negative, digits, scale }: Decimal): string {
  return `${negative ? "-" : ""}${digits}e-${scale}`;
}

/** The key numbers of a series. */
export interface SeriesSummary {
  readonly first: DayValue;
  readonly last: DayValue;
  readonly lowest: DayValue;
  readonly highest: DayValue;
  /** From the first to the last value in percent; undefined when the first is zero. */
  readonly change: Decimal | undefined;
  /** Number of days without a value. */
  readonly holes: number;
}

/** Returns the first, last, lowest and highest value of a series, exactly; undefined when it has no values. */
export function summarizeSeries(points: readonly DayValue[]): SeriesSummary | undefined {
  const known = points.filter((point) => point.exact !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (!first?.exact || !last?.exact) return undefined;
  const order = (a: DayValue, b: DayValue) => (a.exact && b.exact ? compareDecimals(a.exact, b.exact) : 0);
  return {
    first,
    last,
    lowest: known.reduce((best, point) => (order(point, best) < 0 ? point : best), first),
    highest: known.reduce((best, point) => (order(point, best) > 0 ? point : best), first),
    change: percentChange(first.exact, last.exact),
    holes: points.length - known.length,
  };
}
