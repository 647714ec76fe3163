/** Candles: those of an answer, how they are drawn, and what is said about them. */
import {
  type Decimal,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  sumDecimals,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import type { CandleResolution } from "../../../catalogue/index.ts";
import { formatPrice, formatUsd, MISSING } from "../../../output/index.ts";
import { type Role, span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { ChartStyle, Field, Plot, PlotOf } from "./plot.ts";
import { type ChartPoint, exactPoint, spansDays, timeText } from "./series.ts";

/** A candle. Doubles are sufficient for drawing. */
export interface Candle {
  /** Start of the period in Unix seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Cells of a candle at most, where there are few. */
const WIDEST = 8;

/** Returns how many candles a field of this width shows. */
export function candleCapacity(width: number, step: number): number {
  return Math.max(1, Math.floor(width / step));
}

/** Returns the index after the last visible candle that keeps a selected one in view. */
export function visibleEnd(count: number, capacity: number, selected: number | undefined, before: number): number {
  if (selected === undefined) return count;
  const end = Math.min(count, Math.max(before, capacity));
  if (selected >= end) return selected + 1;
  return selected < end - capacity ? Math.min(count, selected + capacity) : end;
}

/**
 * Lays out the candles that fit, up to a last one; the newest is at the right end. Few are wider, to fill the field.
 * @param step cells per candle at least; 1 leaves no gaps
 * @param end the index after the last visible candle
 * @param most how many are visible at most
 */
export function candlesPlot(
  candles: readonly Candle[],
  { step: least, end, most = candles.length }: { readonly step: number; readonly end: number; readonly most?: number },
): PlotOf {
  return (width, style): Plot | undefined => {
    const first = Math.max(0, end - Math.min(most, candleCapacity(width, least)));
    const visible = candles.slice(first, end);
    const newest = visible.at(-1);
    if (!newest) return undefined;
    const step = Math.max(least, Math.min(WIDEST, Math.floor(width / visible.length)));
    const offset = Math.max(0, width - visible.length * step);
    const centre = (at: number) => offset + at * step + (bodyWidth(step) - 1) / 2;
    return {
      points: visible.map((candle, at) => ({
        index: first + at,
        x: centre(at),
        time: candle.time,
        value: candle.close,
        volume: { value: candle.volume, role: candleRole(candle) },
      })),
      extent: {
        min: Math.min(...visible.map(({ low }) => low)),
        max: Math.max(...visible.map(({ high }) => high)),
      },
      pointWidth: bodyWidth(step),
      role: candleRole(newest),
      highlight: "none",
      draw(field) {
        for (const [at, candle] of visible.entries()) drawCandle(field, candle, centre(at), step, style);
      },
    };
  };
}

/** The characters of a candle by what is in the upper and the lower half of a cell: nothing, the wick or the body. */
type Glyphs = Readonly<Record<`${"." | "w" | "b"}${"." | "w" | "b"}`, string>>;

const WICKS = { "..": " ", "w.": "╵", ".w": "╷", ww: "│" } as const;
/** Bodies of candles without gaps. */
const THIN: Glyphs = { ...WICKS, "b.": "╹", ".b": "╻", bb: "┃", bw: "╿", wb: "╽" };
/** There is no character with half a block and a line: such cells are full, so that bodies and wicks touch. */
const SOLID: Glyphs = { ...WICKS, "b.": "▀", ".b": "▄", bb: "█", bw: "█", wb: "█" };
/** Bodies of rising candles where there are no colours. */
const HOLLOW: Glyphs = { ...WICKS, "b.": "░", ".b": "░", bb: "░", bw: "░", wb: "░" };

/** A body in ASCII covers the cells that it touches. */
const asciiGlyphs = (body: string): Glyphs => ({
  ...{ "..": " ", "w.": "|", ".w": "|", ww: "|" },
  ...{ "b.": body, ".b": body, bb: body, bw: body, wb: body },
});
const ASCII_RISING = asciiGlyphs("o");
const ASCII_FALLING = asciiGlyphs("#");

function chooseGlyphs(isRising: boolean, step: number, { unicode, colors }: ChartStyle): Glyphs {
  if (!unicode) return isRising ? ASCII_RISING : ASCII_FALLING;
  if (colors === "none" && isRising) return HOLLOW;
  return step === 1 ? THIN : SOLID;
}

const isRising = ({ open, close }: Candle): boolean => close >= open;

/** Returns the role of a candle: whether the price rose. */
export const candleRole = (candle: Candle): Role => (isRising(candle) ? "good" : "bad");

/** Cells of a body: an odd number with a gap beside it. */
function bodyWidth(step: number): number {
  const free = step > 1 ? step - 1 : 1;
  return free % 2 === 1 ? free : free - 1;
}

/** Draws a candle: what is in each half line decides the character of a cell. */
function drawCandle(field: Field, candle: Candle, centre: number, step: number, chartStyle: ChartStyle): void {
  const { canvas, height } = field;
  /** The half line of a price, counted from the top. */
  const halfLine = (price: number) => Math.min(height * 2 - 1, height * 2 - Math.round(field.level(price, 2)));
  const [top, bottom] = [halfLine(candle.high), halfLine(candle.low)];
  const bodyTop = halfLine(Math.max(candle.open, candle.close));
  const bodyBottom = halfLine(Math.min(candle.open, candle.close));
  const partAt = (half: number) => {
    if (half >= bodyTop && half <= bodyBottom) return "b";
    return half >= top && half <= bottom ? "w" : ".";
  };
  const glyphs = chooseGlyphs(isRising(candle), step, chartStyle);
  const style = { role: candleRole(candle) };
  const side = (bodyWidth(step) - 1) / 2;
  for (let y = Math.floor(top / 2); y <= Math.floor(bottom / 2); y += 1) {
    const [upper, lower] = [partAt(2 * y), partAt(2 * y + 1)] as const;
    const glyph = glyphs[`${upper}${lower}`];
    canvas.set(centre, y, glyph, style);
    for (let x = 1; x <= side && (upper === "b" || lower === "b"); x += 1) {
      canvas.set(centre - x, y, glyph, style);
      canvas.set(centre + x, y, glyph, style);
    }
  }
}

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

/** Returns the closing prices of candles. */
export const closingPrices = (candles: readonly CandleRow[]): readonly ChartPoint[] =>
  candles.map(({ time, row }) => exactPoint(time, toDecimal(row.close_price)));

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
    const value = toDecimal(row[field]);
    const format = field === "volume" ? (amount: Decimal) => formatUsd(amount, "brief") : formatPrice;
    return [span(`${name} `, "key"), span(value ? format(value) : MISSING.text)];
  });
}

/** Returns the volume of candles in words; nothing where there is none. */
export function volumeParts(candles: readonly CandleRow[]): readonly TextLine[] {
  const volumes = candles.map(({ row }) => toDecimal(row.volume)).filter((volume) => volume !== undefined);
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
    const price = toDecimal(row[field]);
    return [
      span(`${name} `, "key"),
      span(price ? formatPrice(price) : MISSING.text),
      span(` ${timeText(time, isDaily || spansDays(candles))}`, "note"),
    ];
  };
  return [part("lowest", lowest, "low_price"), part("highest", highest, "high_price")];
}
