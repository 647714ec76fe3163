/** Candles: bodies from open to close, and wicks to the highest and the lowest price. */
import type { Role } from "../../navigation/theme/text-line.ts";
import type { CellStyle } from "./canvas.ts";
import type { ChartStyle, Field, Plot, PlotOf } from "./plot.ts";

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

/** Options of {@link candlesPlot}. */
export interface CandlesOptions {
  /** Cells per candle; 1 leaves no gaps. */
  readonly step: number;
  /** The index after the last visible candle. */
  readonly end: number;
}

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

/** Lays out the candles that fit, up to a last one; the newest is at the right end. */
export function candlesPlot(candles: readonly Candle[], { step, end }: CandlesOptions): PlotOf {
  return (width, style): Plot | undefined => {
    const first = Math.max(0, end - candleCapacity(width, step));
    const visible = candles.slice(first, end);
    const newest = visible.at(-1);
    if (!newest) return undefined;
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

const STYLES: Readonly<Record<"good" | "bad", CellStyle>> = { good: { role: "good" }, bad: { role: "bad" } };

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
  const style = isRising(candle) ? STYLES.good : STYLES.bad;
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
