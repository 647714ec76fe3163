/** Candles of answers, and what is said about them. */
import {
  type Decimal,
  decimalOf,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  sumDecimals,
  toNumber,
} from "../../../base/index.ts";
import { CANDLE_RESOLUTIONS, type CandleResolution } from "../../../catalogue/index.ts";
import { formatPrice, formatUsd, MISSING } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { Candle } from "./candles.ts";
import { type ChartPoint, exactPoint, spansDays, timeText } from "./series.ts";

/** A candle with the row that it comes from, which has all digits. */
export interface CandleRow extends Candle {
  readonly row: JsonObject;
}

/** Parses the number YYYYMMDDHHMM to Unix seconds; undefined when it is no minute. */
function parseMinute(value: Json | undefined): number | undefined {
  const text = typeof value === "number" ? numericText(value) : "";
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  const time = match ? Date.parse(`${match.slice(1, 4).join("-")}T${match.slice(4).join(":")}:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}

/** Converts rows in any order to candles, oldest first, one per time; rows with a missing or invalid field are skipped. */
export function candleRows(rows: readonly Json[]): readonly CandleRow[] {
  const candles = new Map<number, CandleRow>();
  for (const row of rows) {
    if (!isObject(row)) continue;
    const time = parseMinute(row.time);
    const [open, high, low, close, volume] = ["open_price", "high_price", "low_price", "close_price", "volume"].map(
      (name) => toNumber(row[name]) ?? Number.NaN,
    ) as [number, number, number, number, number];
    if (time === undefined || ![open, high, low, close].every(Number.isFinite)) continue;
    candles.set(time, { time, open, high, low, close, volume: Number.isFinite(volume) ? volume : 0, row });
  }
  return [...candles.values()].sort((a, b) => a.time - b.time);
}

/** Whether candles are days or longer. */
export const isDailyResolution = (resolution: CandleResolution): boolean => /[dWMY]$/.test(resolution);

/** Returns the next shorter or longer resolution; stops at the ends. */
export function nextResolution(resolution: CandleResolution, by: number): CandleResolution {
  const at = CANDLE_RESOLUTIONS.indexOf(resolution) + by;
  return CANDLE_RESOLUTIONS[Math.max(0, Math.min(CANDLE_RESOLUTIONS.length - 1, at))] ?? resolution;
}

/** Returns the closing prices of candles. */
export const closingPrices = (candles: readonly CandleRow[]): readonly ChartPoint[] =>
  candles.map(({ time, row }) => exactPoint(time, decimalOf(row.close_price)));

/** The parts of a candle by field and name, in the order of their importance in narrow windows. */
const PARTS = [
  ["open_price", "open"],
  ["high_price", "high"],
  ["low_price", "low"],
  ["close_price", "close"],
  ["volume", "volume"],
] as const;

/** Returns the prices and the volume of a candle, each with its name. */
export function candleParts(row: JsonObject): readonly TextLine[] {
  return PARTS.map(([field, name]) => {
    const value = decimalOf(row[field]);
    const format = field === "volume" ? (amount: Decimal) => formatUsd(amount, "brief") : formatPrice;
    return [span(`${name} `, "key"), span(value ? format(value) : MISSING.text)];
  });
}

/** Returns the volume of candles in words; nothing where there is none. */
export function volumeParts(candles: readonly CandleRow[]): readonly TextLine[] {
  const volumes = candles.map(({ row }) => decimalOf(row.volume)).filter((volume) => volume !== undefined);
  const sum = sumDecimals(volumes);
  return sum.digits === 0n ? [] : [[span("volume ", "key"), span(formatUsd(sum, "brief"))]];
}

/** Returns the lowest and the highest price of candles, with their times. */
export function candleExtremes(candles: readonly CandleRow[], isDaily: boolean): readonly TextLine[] {
  const [first] = candles;
  if (!first) return [];
  const lowest = candles.reduce((best, one) => (one.low < best.low ? one : best), first);
  const highest = candles.reduce((best, one) => (one.high > best.high ? one : best), first);
  const part = (name: string, { row, time }: CandleRow, field: string): TextLine => {
    const price = decimalOf(row[field]);
    return [
      span(`${name} `, "key"),
      span(price ? formatPrice(price) : MISSING.text),
      span(` ${timeText(time, isDaily || spansDays(candles))}`, "note"),
    ];
  };
  return [part("lowest", lowest, "low_price"), part("highest", highest, "high_price")];
}
