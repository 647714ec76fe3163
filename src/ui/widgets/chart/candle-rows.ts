/** Candles of answers, and the lines above their chart. */
import {
  decimalOf,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  percentChange,
  toNumber,
} from "../../../base/index.ts";
import { CANDLE_RESOLUTIONS, type CandleResolution } from "../../../catalogue/index.ts";
import { Candle as CandleEntity } from "../../../catalogue/schemas.ts";
import { type Clock, formatPrice } from "../../../output/index.ts";
import { lineWidth, span, type TextLine } from "../../app/theme/text-line.ts";
import { formatField } from "../cells.ts";
import type { Candle } from "./candles.ts";
import { changeSpan } from "./change.ts";

/** A candle with the row that it comes from, which has all digits. */
export interface CandleRow extends Candle {
  readonly row: JsonObject;
}

/** Parses the number YYYYMMDDHHMM to Unix seconds; undefined when it is no minute. */
function minuteOf(value: Json | undefined): number | undefined {
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
    const time = minuteOf(row.time);
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

/** Returns the resolutions with the current one highlighted; only that one where there is no space. */
export function resolutionLine(resolution: CandleResolution, width: number): TextLine {
  const all = CANDLE_RESOLUTIONS.flatMap(
    (one, at): TextLine => [...(at === 0 ? [] : [span(" ")]), span(one, one === resolution ? "active" : "note")],
  );
  return lineWidth(all) <= width ? all : [span(resolution, "active")];
}

/** The parts of a candle by field and name, in the order of their importance in narrow windows. */
const PARTS = [
  ["open_price", "open"],
  ["high_price", "high"],
  ["low_price", "low"],
  ["close_price", "close"],
  ["volume", "volume"],
] as const;

/** Returns a price as it is compared by eye; the table of candles has all digits. */
function priceText(row: JsonObject, field: string): string {
  const price = decimalOf(row[field]);
  return price ? formatPrice(price) : "-";
}

/** Returns a candle in words: its time, its change, its prices and its volume; with letters, as far as they fit. */
export function candleLine({ row }: CandleRow, clock: Clock, unicode: boolean, width: number): TextLine {
  const format = (field: string) =>
    field.endsWith("_price") ? priceText(row, field) : formatField(CandleEntity, row, field, clock).text;
  const [open, close] = [decimalOf(row.open_price), decimalOf(row.close_price)];
  const change = open && close && percentChange(open, close);
  const head = [span(format("time"), "title"), ...(change ? [span("  "), changeSpan(change, unicode)] : [])];
  const parts = PARTS.map(([field, name]): TextLine => [span(`  ${name} `, "key"), span(format(field))]);
  const line = [...head, ...parts.flat()];
  if (lineWidth(line) <= width) return line;
  const short = PARTS.map(([field, name]): TextLine => [span(` ${name[0]} `, "key"), span(format(field))]);
  const count = short.findLastIndex((_, at) => lineWidth([...head, ...short.slice(0, at + 1).flat()]) <= width) + 1;
  return [...head, ...short.slice(0, count).flat()];
}

/** Returns the visible candles in words: the last price, the change over all of them, and their lowest and highest price. */
export function candlesLine(visible: readonly CandleRow[], unicode: boolean): TextLine {
  const [first, last] = [visible[0], visible.at(-1)];
  if (!first || !last) return [];
  const lowest = visible.reduce((best, one) => (one.low < best.low ? one : best), first);
  const highest = visible.reduce((best, one) => (one.high > best.high ? one : best), first);
  const format = ({ row }: CandleRow, field: string) => priceText(row, field);
  const [open, close] = [decimalOf(first.row.open_price), decimalOf(last.row.close_price)];
  const change = open && close && percentChange(open, close);
  return [
    span(format(last, "close_price"), "title"),
    ...(change ? [span("  "), changeSpan(change, unicode)] : []),
    span("  lowest ", "key"),
    span(format(lowest, "low_price")),
    span("  highest ", "key"),
    span(format(highest, "high_price")),
  ];
}
