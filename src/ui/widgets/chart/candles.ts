/**
 * Candles with their volumes, a price axis and a time axis. The chart fills exactly the given lines and cells and
 * shows the candles that fit, up to a given last one.
 */
import { textWidth } from "../../../output/index.ts";
import { fitLines, type Role, span, type TextLine, textLine } from "../../app/theme/text-line.ts";
import { axisText, type Extent } from "./scale.ts";

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

/** How candles are drawn. */
export interface CandleChartOptions {
  readonly width: number;
  readonly height: number;
  readonly unicode: boolean;
  /** Whether colours distinguish rising from falling candles; without them their bodies do. */
  readonly colored: boolean;
  /** Cells per candle; 1 leaves no gaps. */
  readonly step: number;
  /** Whether periods are days or longer, so that the axis has no times of day. */
  readonly isDaily: boolean;
  /** The index of the last visible candle; the newest by default. */
  readonly last?: number;
  /** The index of the selected candle, which gets a crosshair. */
  readonly selected?: number | undefined;
  /** The message when there are no candles. */
  readonly empty: string;
}

/** Minimum size with axes. */
const MIN_SIZE = { width: 24, height: 6 } as const;
/** Minimum height with volumes, and the part of the height that they take. */
const VOLUME = { minHeight: 9, part: 0.2 } as const;
/** Cells of the price axis: a space, and the widest usual label. */
const AXIS_WIDTH = 11;
/** Lines between two prices of the axis, approximately. */
const LINES_PER_TICK = 3;
/** Minimum cells between the beginnings of two times of the axis. */
const TIME_GAP = 11;

/** Returns how many candles a chart of this width shows. */
export function candleCapacity(width: number, step: number): number {
  const field = width < MIN_SIZE.width ? width : width - AXIS_WIDTH;
  return Math.max(1, Math.floor(field / step));
}

/** Returns the index after the last visible candle that keeps a selected one in view. */
export function visibleEnd(count: number, capacity: number, selected: number | undefined, before: number): number {
  if (selected === undefined) return count;
  const end = Math.min(count, Math.max(before, capacity));
  if (selected >= end) return selected + 1;
  return selected < end - capacity ? Math.min(count, selected + capacity) : end;
}

/** Cells of a chart with the role of each. */
interface Canvas {
  set(x: number, y: number, character: string, role: Role): void;
  /** Sets a cell that is empty. */
  fill(x: number, y: number, character: string, role: Role): void;
  line(y: number): TextLine;
}

function createCanvas(width: number, height: number): Canvas {
  const cells = Array.from({ length: height }, () =>
    Array.from({ length: width }, (): { text: string; role: Role | undefined } => ({ text: " ", role: undefined })),
  );
  const set = (x: number, y: number, text: string, role: Role) => {
    const line = cells[y];
    if (line && x >= 0 && x < width) line[x] = { text, role };
  };
  return {
    set,
    fill(x, y, text, role) {
      if (cells[y]?.[x]?.text === " ") set(x, y, text, role);
    },
    line(y) {
      const spans: { text: string; role: Role | undefined }[] = [];
      for (const { text, role } of cells[y] ?? []) {
        const last = spans.at(-1);
        if (last && (last.role === role || text === " ")) last.text += text;
        else spans.push({ text, role });
      }
      return spans;
    },
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

function glyphsOf(isRising: boolean, { unicode, colored, step }: CandleChartOptions): Glyphs {
  if (!unicode) return isRising ? ASCII_RISING : ASCII_FALLING;
  if (!colored && isRising) return HOLLOW;
  return step === 1 ? THIN : SOLID;
}

const isRising = ({ open, close }: Candle): boolean => close >= open;
const roleOf = (candle: Candle): Role => (isRising(candle) ? "good" : "bad");

/** Cells of a body: an odd number with a gap beside it. */
function bodyWidth(step: number): number {
  const free = step > 1 ? step - 1 : 1;
  return free % 2 === 1 ? free : free - 1;
}

/** The visible candles, their extent and the space for them. */
interface Layout {
  readonly candles: readonly Candle[];
  readonly extent: Extent;
  /** Cells of the field and lines of prices and of volumes. */
  readonly width: number;
  readonly priceLines: number;
  readonly volumeLines: number;
  /** The middle cell of a candle by its position among the visible ones. */
  readonly centre: (at: number) => number;
  /** The half line of a price, counted from the top. */
  readonly halfLine: (price: number) => number;
}

function layoutOf(visible: readonly Candle[], options: CandleChartOptions, hasAxes: boolean): Layout {
  const { width, height, step } = options;
  const [fieldWidth, fieldHeight] = hasAxes ? [width - AXIS_WIDTH, height - 1] : [width, height];
  const volumeLines = fieldHeight < VOLUME.minHeight ? 0 : Math.max(2, Math.round(fieldHeight * VOLUME.part));
  const priceLines = fieldHeight - volumeLines;
  const extent = {
    min: Math.min(...visible.map(({ low }) => low)),
    max: Math.max(...visible.map(({ high }) => high)),
  };
  const halves = priceLines * 2 - 1;
  const range = extent.max - extent.min;
  // The newest candle is at the right end.
  const offset = Math.max(0, fieldWidth - visible.length * step);
  return {
    candles: visible,
    extent,
    width: fieldWidth,
    priceLines,
    volumeLines,
    centre: (at) => offset + at * step + (bodyWidth(step) - 1) / 2,
    halfLine: (price) => (range > 0 ? Math.round(((extent.max - price) / range) * halves) : Math.floor(halves / 2)),
  };
}

/** Draws a candle: what is in each half line decides the character of a cell. */
function drawCandle(canvas: Canvas, candle: Candle, centre: number, layout: Layout, options: CandleChartOptions): void {
  const [top, bottom] = [layout.halfLine(candle.high), layout.halfLine(candle.low)];
  const bodyTop = layout.halfLine(Math.max(candle.open, candle.close));
  const bodyBottom = layout.halfLine(Math.min(candle.open, candle.close));
  const partAt = (half: number) => {
    if (half >= bodyTop && half <= bodyBottom) return "b";
    return half >= top && half <= bottom ? "w" : ".";
  };
  const glyphs = glyphsOf(isRising(candle), options);
  const side = (bodyWidth(options.step) - 1) / 2;
  for (let y = Math.floor(top / 2); y <= Math.floor(bottom / 2); y += 1) {
    const [upper, lower] = [partAt(2 * y), partAt(2 * y + 1)] as const;
    const glyph = glyphs[`${upper}${lower}`];
    canvas.set(centre, y, glyph, roleOf(candle));
    for (let x = 1; x <= side && (upper === "b" || lower === "b"); x += 1) {
      canvas.set(centre - x, y, glyph, roleOf(candle));
      canvas.set(centre + x, y, glyph, roleOf(candle));
    }
  }
}

const EIGHTHS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Draws the volumes below the prices, from zero. */
function drawVolumes(canvas: Canvas, layout: Layout, { unicode, step }: CandleChartOptions): void {
  const { candles, priceLines, volumeLines } = layout;
  const max = Math.max(...candles.map(({ volume }) => volume));
  if (volumeLines === 0 || !(max > 0)) return;
  const steps = unicode ? EIGHTHS.length : 1;
  // The first line stays empty, as a distance to the prices.
  const lines = volumeLines - 1;
  const side = (bodyWidth(step) - 1) / 2;
  for (const [at, candle] of candles.entries()) {
    const level = candle.volume > 0 ? Math.max(1, Math.round((candle.volume / max) * lines * steps)) : 0;
    for (let above = 0; above * steps < level; above += 1) {
      const character = unicode ? (EIGHTHS[Math.min(steps, level - above * steps) - 1] ?? " ") : ":";
      for (let x = -side; x <= side; x += 1) {
        canvas.set(layout.centre(at) + x, priceLines + volumeLines - 1 - above, character, roleOf(candle));
      }
    }
  }
}

/** Returns the round prices of an axis, at most as many as given: multiples of 1, 2, 2.5 or 5 and a power of ten. */
export function niceTicks(
  { min, max }: Extent,
  count: number,
): { readonly step: number; readonly ticks: readonly number[] } {
  const range = max - min;
  if (!(range > 0) || !Number.isFinite(range)) return { step: Math.abs(min) / 100, ticks: [min] };
  const raw = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(min / step - 1e-9);
  const ticks = Array.from({ length: Math.floor(max / step + 1e-9) - first + 1 }, (_, at) => (first + at) * step);
  return { step, ticks };
}

/** Prices from here on, and below here, are written with a suffix or a power of ten. */
const PLAIN_PRICES = [1e-6, 1e6] as const;

/** Formats a price with the decimals that distinguish a step. */
export function priceText(price: number, step: number): string {
  if (price === 0) return "0";
  const size = Math.abs(price);
  if (size < PLAIN_PRICES[0] || size >= PLAIN_PRICES[1] || !(step > 0)) return axisText(price, step);
  const digits = (decimals: number) =>
    Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6 * step * 10 ** decimals;
  const minimum = Math.max(0, -Math.floor(Math.log10(step)));
  const decimals = digits(minimum) ? minimum : minimum + 1;
  return price.toFixed(Math.min(12, decimals));
}

/** Returns the labels of the price axis by line, and draws the lines to them. */
function drawPriceAxis(canvas: Canvas, layout: Layout, { unicode }: CandleChartOptions): ReadonlyMap<number, TextLine> {
  const { extent, priceLines, halfLine, width, candles } = layout;
  const { step, ticks } = niceTicks(extent, Math.max(1, Math.floor(priceLines / LINES_PER_TICK)));
  const labels = new Map<number, TextLine>();
  for (const tick of ticks) {
    const y = Math.floor(halfLine(tick) / 2);
    labels.set(y, [span(priceText(tick, step), "frame")]);
    for (let x = 0; x < width; x += 2) canvas.fill(x, y, unicode ? "·" : ".", "track");
  }
  const newest = candles.at(-1);
  if (newest) {
    const fine = extent.max > extent.min ? (extent.max - extent.min) / (priceLines * 2) : step;
    const y = Math.floor(halfLine(newest.close) / 2);
    labels.set(y, [span(`${unicode ? "◂" : "<"}${priceText(newest.close, niceStep(fine))}`, roleOf(newest))]);
  }
  return labels;
}

/** Returns the power of ten that is at most a step. */
const niceStep = (step: number): number => 10 ** Math.floor(Math.log10(step));

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Returns the label of a time: the time of day, the day where it changes, and the year where that changes. */
function timeLabel(time: number, before: number | undefined, isDaily: boolean): string {
  const date = new Date(time * 1000);
  const previous = before === undefined ? undefined : new Date(before * 1000);
  const [day, clock] = [`${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`, date.toISOString().slice(11, 16)];
  if (previous === undefined || previous.getUTCFullYear() !== date.getUTCFullYear()) {
    return isDaily ? date.toISOString().slice(0, 10) : `${day} ${clock}`;
  }
  const isSameDay = previous.toISOString().slice(0, 10) === date.toISOString().slice(0, 10);
  return isDaily || !isSameDay ? day : clock;
}

/** Returns the line of times below the candles. */
function timeAxis({ candles, centre, width }: Layout, { isDaily }: CandleChartOptions): string {
  let line = "";
  let before: number | undefined;
  for (const [at, { time }] of candles.entries()) {
    const label = timeLabel(time, before, isDaily);
    // The first label has space to its left.
    const x = line === "" ? Math.max(0, Math.min(centre(at), width - label.length)) : centre(at);
    if (x < line.length + (line === "" ? 0 : 2) || x + textWidth(label) > width) continue;
    if (before !== undefined && x - line.length < TIME_GAP - label.length) continue;
    line = line.padEnd(x) + label;
    before = time;
  }
  return line;
}

/** Draws candles with axes and volumes. */
export function candleChart(candles: readonly Candle[], options: CandleChartOptions): readonly TextLine[] {
  const { width, height, unicode, step, selected } = options;
  const end = (options.last ?? candles.length - 1) + 1;
  const first = Math.max(0, end - candleCapacity(width, step));
  const visible = candles.slice(first, end);
  if (visible.length === 0) {
    const above = Array.from({ length: Math.max(0, Math.floor((height - 1) / 2)) }, () => textLine(""));
    return fitLines([...above, textLine(options.empty, "note")], width, height);
  }
  const hasAxes = width >= MIN_SIZE.width && height >= MIN_SIZE.height;
  const layout = layoutOf(visible, options, hasAxes);
  const canvas = createCanvas(layout.width, layout.priceLines + layout.volumeLines);
  for (const [at, candle] of visible.entries()) drawCandle(canvas, candle, layout.centre(at), layout, options);
  drawVolumes(canvas, layout, options);
  if (selected !== undefined && selected >= first && selected < end) {
    for (let y = 0; y < layout.priceLines + layout.volumeLines; y += 1) {
      canvas.fill(layout.centre(selected - first), y, unicode ? "┊" : ":", "marked");
    }
  }
  if (!hasAxes)
    return fitLines(
      Array.from({ length: height }, (_, y) => canvas.line(y)),
      width,
      height,
    );
  const labels = drawPriceAxis(canvas, layout, options);
  const maxVolume = Math.max(...visible.map(({ volume }) => volume));
  const edge = unicode ? "│" : "|";
  const lines = Array.from({ length: layout.priceLines + layout.volumeLines }, (_, y): TextLine => {
    const volumeLabel = y === layout.priceLines + 1 && layout.volumeLines > 0;
    const label = labels.get(y) ?? (volumeLabel ? [span(axisText(maxVolume, maxVolume / 10, "$"), "frame")] : []);
    return [...canvas.line(y), span(` ${edge}`, "frame"), ...label];
  });
  return fitLines([...lines, textLine(timeAxis(layout, options), "frame")], width, height);
}
