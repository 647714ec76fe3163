/** Round values and times for axes, and their labels. */
import {
  type CountableTimeInterval,
  type TimeInterval,
  utcDay,
  utcHour,
  utcMinute,
  utcMonday,
  utcMonth,
  utcYear,
} from "d3-time";
import { DAY_MS } from "../../../base/index.ts";
import type { AxisLabel } from "./plot.ts";
import { type Extent, isDrawable, suffixOf } from "./scale.ts";

/** A vertical axis: an extent that begins and ends at a tick. */
export interface ValueScale extends Extent {
  /** In ascending order. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** Formats a value with the digits of the ticks and, for values between them, some more. */
  readonly format: (value: number, more: number) => string;
}

/** The distance between two ticks: `mantissa` × 10^`exponent`. */
interface Step {
  readonly mantissa: number;
  readonly exponent: number;
}

/** The round mantissas; 2.5 is 25 with a lower exponent, so that multiples are whole numbers. */
const MANTISSAS = [
  { mantissa: 1, exponent: 0 },
  { mantissa: 2, exponent: 0 },
  { mantissa: 25, exponent: -1 },
  { mantissa: 5, exponent: 0 },
] as const satisfies readonly Step[];

/** An axis needs three ticks where its extent contains zero. */
const MIN_TICKS = 3;
/** Relative distance of values that count as equal: doubles have no more digits to label. */
const FLAT = 1e-9;

const at = ({ mantissa, exponent }: Step, count: number): number => Number(`${count * mantissa}e${exponent}`);

function* stepsFrom(size: number): Generator<Step> {
  for (let power = Math.floor(Math.log10(size)); ; power += 1) {
    for (const { mantissa, exponent } of MANTISSAS) {
      const step = { mantissa, exponent: exponent + power };
      if (at(step, 1) >= size * (1 - FLAT)) yield step;
    }
  }
}

/** Widens an extent of equal values, so that they have a middle. */
function spread({ min, max }: Extent): Extent {
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min > size * FLAT) return { min, max };
  if (size === 0) return { min: 0, max: 1 };
  return { min: min - size / 50, max: max + size / 50 };
}

/** How the numbers of an axis are written. */
export interface NumberStyle {
  /** Precedes each number, such as `$`, or follows it, such as `%`. */
  readonly unit?: string | undefined;
  /** Whether ticks are whole numbers. */
  readonly isWhole?: boolean | undefined;
  /** Whether zeros after the point can be counted: `0.0₄176`. */
  readonly unicode?: boolean | undefined;
}

/**
 * Returns the axis of an extent: multiples of 1, 2, 2.5 or 5 × 10ⁿ that cover it.
 * @param count the maximum number of ticks, at least 3
 */
export function valueScale(extent: Extent, count: number, style: NumberStyle = {}): ValueScale {
  const { unit = "", isWhole = false } = style;
  const { min, max } = spread(extent);
  const most = Math.max(MIN_TICKS, count);
  if (!Number.isFinite((max - min) * 10) || max - min < Number.MIN_VALUE * 1e20) return boundsOnly(min, max, unit);
  for (const step of stepsFrom((max - min) / (most - 1))) {
    const size = at(step, 1);
    if (isWhole && !Number.isInteger(size)) continue;
    const [first, last] = [Math.floor(min / size + FLAT), Math.ceil(max / size - FLAT)];
    if (last - first >= most) continue;
    const format = formatter(step, Math.max(Math.abs(at(step, first)), Math.abs(at(step, last))), style);
    return {
      min: at(step, first),
      max: at(step, last),
      ticks: Array.from({ length: last - first + 1 }, (_, index) => {
        const value = at(step, first + index);
        return { value, label: format(value, 0) };
      }),
      format,
    };
  }
  return boundsOnly(min, max, unit);
}

/** The axis of numbers that are too large or too small for doubles between them. */
function boundsOnly(min: number, max: number, unit: string): ValueScale {
  const format = (value: number) => withUnit(value.toExponential(1).replace("e+", "e"), unit);
  const ticks = [min, max].filter(isDrawable).map((value) => ({ value, label: format(value) }));
  return { min, max, ticks, format };
}

/** Numbers from here on have a suffix. */
const MIN_SUFFIXED = 10_000;
/** Smaller steps are labelled in scientific notation, unless their zeros are counted. */
const MAX_DECIMALS = { plain: 8, counted: 20 } as const;
/** Axes of smaller numbers have counted zeros, or are in scientific notation where these cannot be written. */
const MIN_PLAIN = 0.001;

/** Returns a function that formats numbers with the decimals of a step, all with the same suffix. */
function formatter({ exponent }: Step, largest: number, { unit = "", unicode = false }: NumberStyle) {
  const [suffix, divisor] = largest < MIN_SUFFIXED ? ["", 1] : suffixOf(largest);
  const decimals = Math.max(0, Math.log10(divisor) - exponent);
  const isTiny = largest < MIN_PLAIN;
  const isScientific =
    decimals > (isTiny ? (unicode ? MAX_DECIMALS.counted : 0) : MAX_DECIMALS.plain) ||
    largest / divisor >= MIN_SUFFIXED;
  return (value: number, more: number): string => {
    if (value === 0) return withUnit("0", unit);
    if (isScientific) {
      const digits = Math.max(0, Math.floor(Math.log10(Math.abs(value))) - exponent + more);
      return withUnit(value.toExponential(Math.min(digits, MAX_DECIMALS.plain)).replace("e+", "e"), unit);
    }
    const text = trimZeros((value / divisor).toFixed(decimals + more), more);
    if (isTiny) return withUnit(countZeros(text), unit);
    const [whole = "", fraction] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return withUnit(`${grouped}${fraction === undefined ? "" : `.${fraction}`}${suffix}`, unit);
  };
}

/** Removes zeros from the end of a fraction, at most as many as given. */
function trimZeros(text: string, most: number): string {
  if (most === 0) return text;
  return text.replace(new RegExp(`(\\.\\d*?)0{1,${most}}$`), "$1").replace(/\.$/, "");
}

/** Writes the number of zeros after the point in their place: `0.0000176` as `0.0₄176`. */
const countZeros = (text: string): string =>
  text.replace(/\.(000+)(?=[1-9])/, (_, zeros: string) => `.0${[...String(zeros.length)].map(lowerDigit).join("")}`);

const lowerDigit = (digit: string): string => String.fromCodePoint(0x2080 + Number(digit));

function withUnit(text: string, unit: string): string {
  if (unit === "%") return `${text}%`;
  return text.startsWith("-") ? `-${unit}${text.slice(1)}` : `${unit}${text}`;
}

/** A distance between ticks of a time axis, and the unit of its labels. */
interface Period {
  readonly interval: TimeInterval;
  readonly unit: "minute" | "day" | "month";
}

const every = (unit: Period["unit"], base: CountableTimeInterval, counts: readonly number[]): readonly Period[] =>
  counts.flatMap((count) => {
    const interval = base.every(count);
    return interval ? [{ interval, unit }] : [];
  });

/** From the shortest to the longest; days of a month are its first and its sixteenth. */
const PERIODS: readonly Period[] = [
  ...every("minute", utcMinute, [1, 2, 5, 10, 15, 30]),
  ...every("minute", utcHour, [1, 2, 3, 4, 6, 12]),
  { unit: "day", interval: utcDay },
  { unit: "day", interval: utcDay.filter((day) => (day.getTime() / DAY_MS) % 2 === 0) },
  { unit: "day", interval: utcMonday },
  { unit: "day", interval: utcDay.filter((day) => [1, 16].includes(day.getUTCDate())) },
  ...every("month", utcMonth, [1, 2, 3, 6]),
  ...every("month", utcYear, [1, 2, 5, 10, 20]),
];

const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

const LABEL_GAP = 3;

/**
 * Returns the times of an axis where a minute, day or month begins that is round: as many as fit.
 * @param times the time in Unix seconds of each cell with a value, in ascending order
 * @param width the cells for labels
 */
export function timeTicks(times: ReadonlyMap<number, number>, width: number): readonly AxisLabel[] {
  const cells = [...times];
  for (const period of PERIODS) {
    const ticks = findTicks(cells, period, width);
    if (ticks && ticks.length > 0) return ticks;
  }
  // A chart of less than a period names its first day.
  const [first] = cells;
  if (!first) return [];
  const label = dateText(first[1]);
  return label.length > width ? [] : [{ x: Math.max(0, Math.min(first[0], width - label.length)), label }];
}

/** Returns the ticks where periods begin; undefined where two of them overlap. */
function findTicks(
  cells: readonly (readonly [x: number, time: number])[],
  period: Period,
  width: number,
): readonly AxisLabel[] | undefined {
  const ticks: AxisLabel[] = [];
  let before: number | undefined;
  let last: number | undefined;
  for (const [x, time] of cells) {
    const start = period.interval.floor(new Date(time * 1000)).getTime() / 1000;
    const isNew = before !== undefined && start !== before;
    before = start;
    if (!isNew) continue;
    const label = timeLabel(start, last, period.unit);
    const previous = ticks.at(-1);
    if (previous && x < previous.x + previous.label.length + LABEL_GAP) return undefined;
    if (x + label.length > width) continue;
    ticks.push({ x, label });
    last = start;
  }
  return ticks;
}

/** Returns the time of day, the day where it changes, the month, or the year where that changes. */
function timeLabel(time: number, before: number | undefined, unit: Period["unit"]): string {
  const [date, previous] = [new Date(time * 1000), before === undefined ? undefined : new Date(before * 1000)];
  const [year, month] = [date.getUTCFullYear(), MONTH_NAMES[date.getUTCMonth()] ?? ""];
  const isNewYear = previous !== undefined && previous.getUTCFullYear() !== year;
  if (unit === "month") return isNewYear || !previous ? `${month} ${year}` : month;
  if (isNewYear) return dateText(time);
  const [day, clock] = [`${month} ${date.getUTCDate()}`, date.toISOString().slice(11, 16)];
  if (unit === "day" || clock === "00:00") return day;
  if (!previous) return `${day} ${clock}`;
  return previous.getUTCDate() === date.getUTCDate() ? clock : day;
}

/** Formats a time as its day: `2026-11-21`. */
function dateText(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}
