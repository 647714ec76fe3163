/** Candles: prices and volumes of periods. */
import { DAY_SECONDS, type Json, type JsonObject } from "../../base/index.ts";
import type { CandleResolution } from "../../catalogue/index.ts";
import type { LedgerRow } from "../ledger/reader.ts";
import type { QueryContext } from "./query.ts";
import { exactDollars } from "./sql.ts";

/** The API has no candles before this time, in Unix seconds: 2026-01-01. */
const FIRST_CANDLE = 1_767_225_600;

/** Number of trades that are read at a time. */
const CHUNK = 2000;

const MINUTE = 60;
const HOUR = 3600;
/** Monday, 5 January 1970: weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY_SECONDS;

const LENGTHS: Readonly<Record<Exclude<CandleResolution, "1M" | "1Y">, number>> = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "30m": 30 * MINUTE,
  "1h": HOUR,
  "4h": 4 * HOUR,
  "8h": 8 * HOUR,
  "1d": DAY_SECONDS,
  "1W": 7 * DAY_SECONDS,
};

/** Returns the start of the period that contains a time, or of a later one. Unix seconds. */
function periodStart(resolution: CandleResolution, time: number, later = 0): number {
  if (resolution === "1M" || resolution === "1Y") {
    const date = new Date(time * 1000);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return (resolution === "1M" ? Date.UTC(year, month + later) : Date.UTC(year + later, 0)) / 1000;
  }
  const length = LENGTHS[resolution];
  const origin = resolution === "1W" ? FIRST_MONDAY : 0;
  return (Math.floor((time - origin) / length) + later) * length + origin;
}

/** Returns Unix seconds as the number YYYYMMDDHHMM. */
const toMinute = (time: number): number => Number(new Date(time * 1000).toISOString().slice(0, 16).replace(/\D/g, ""));

/** Returns the Unix seconds of a number YYYYMMDDHHMM. */
function fromMinute(minute: number): number {
  const part = (divisor: number, modulus: number) => Math.floor(minute / divisor) % modulus;
  const [year, month, day] = [part(1e8, 1e4), part(1e6, 100), part(1e4, 100)];
  return Date.UTC(year, month - 1, day, part(100, 100), part(1, 100)) / 1000;
}

/**
 * Reads trades before a row id, newest first: at most `limit` rows with `id`, `time` (of the ledger), `price` and the
 * `value` as text.
 */
export type TradeReader = (beforeRow: number, limit: number) => readonly LedgerRow[];

/** The trades of a candle, while they are read from the newest to the oldest. */
interface Period {
  readonly start: number;
  readonly close: number;
  /** The price before the candle, or its first one. */
  open: number;
  high: number;
  low: number;
  volume: bigint;
}

/** Limits of the candles of a request. */
interface CandleWindow {
  /** Unix seconds of the caller. */
  readonly from: number;
  /** The row id at which the trades of later candles begin. */
  readonly end: number;
  readonly count: number;
}

function candleWindow({ db, params }: QueryContext, resolution: CandleResolution): CandleWindow {
  const { shift } = db.clock;
  const [from, to, cursor] = [params.integer("from_time"), params.integer("to_time"), params.integer("cursor")];
  const last = Math.min(
    to ?? Number.POSITIVE_INFINITY,
    cursor === undefined ? Number.POSITIVE_INFINITY : fromMinute(cursor),
  );
  // The candle of the last time is complete, so that it is the same on every page.
  const isOpen = !(last < db.clock.end + shift);
  return {
    from: Math.max(FIRST_CANDLE, from === undefined ? 0 : periodStart(resolution, from)),
    end: isOpen ? Number.MAX_SAFE_INTEGER : db.firstRowAt(periodStart(resolution, last, 1) - shift),
    count: params.integer("candles") ?? 1,
  };
}

/** Returns the newest candles of a window, newest first. */
function readPeriods(context: QueryContext, resolution: CandleResolution, read: TradeReader): readonly Period[] {
  const { shift } = context.db.clock;
  const { from, end, count } = candleWindow(context, resolution);
  const periods: Period[] = [];
  let current: Period | undefined;
  for (let row = end; ; ) {
    const trades = read(row, CHUNK);
    for (const trade of trades) {
      const [time, price] = [Number(trade.time) + shift, Number(trade.price)];
      if (current === undefined || time < current.start) {
        if (current) current.open = price;
        const start = periodStart(resolution, time);
        if (start < from || periods.length === count) return closePeriods(periods);
        current = { start, close: price, open: price, high: price, low: price, volume: 0n };
        periods.push(current);
      }
      current.open = price;
      current.high = Math.max(current.high, price);
      current.low = Math.min(current.low, price);
      current.volume += BigInt(String(trade.value));
    }
    if (trades.length < CHUNK) return closePeriods(periods);
    row = Number(trades.at(-1)?.id);
  }
}

/** Extends the prices of candles to their opening prices, which are those of earlier trades. */
const closePeriods = (periods: readonly Period[]): readonly Period[] =>
  periods.map((period) => ({
    ...period,
    high: Math.max(period.high, period.open),
    low: Math.min(period.low, period.open),
  }));

/**
 * Returns the data of a request for candles: those with trades, oldest first, and the cursor of the page before.
 * A candle opens at the closing price of the previous one.
 * @param about the fields between the candles and the cursor
 */
export function candleData(context: QueryContext, read: TradeReader, about: JsonObject): JsonObject {
  const resolution = context.params.required("res") as CandleResolution;
  const candles = readPeriods(context, resolution, read)
    .map(({ start, open, high, low, close, volume }) => ({
      time: toMinute(start),
      volume: exactDollars(volume),
      high_price: high,
      low_price: low,
      close_price: close,
      open_price: open,
    }))
    .reverse();
  const cursor: Json = candles[0]?.time ?? null;
  return { data: candles, candles: candles.length, ...about, res: resolution, cursor };
}
