/** Candles: prices and volumes of periods. */
import type { SQLInputValue } from "node:sqlite";
import { DAY_SECONDS, type JsonObject } from "../../../base/index.ts";
import type { CandleResolution } from "../../../catalogue/index.ts";
import type { LedgerReader } from "../store/reader.ts";
import type { Query, QueryContext } from "./query.ts";
import { asText, exactDollars, idOrUnknown } from "./sql.ts";
import { findTokens, pricedToken } from "./token/prices.ts";

/** The API has no candles before this time, in Unix seconds: 2026-01-01. */
const FIRST_CANDLE = 1_767_225_600;
/** With a clock before that time, the candles of so many days at the beginning of the ledger are missing instead. */
const DAYS_WITHOUT_CANDLES = 30;

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
 * The trades of candles: a statement that selects their `id`, `time` (of the ledger), `price` and `value` (in millionths
 * of a dollar), and ends with conditions.
 */
export interface TradeSelection {
  readonly sql: string;
  /** The column of the id. */
  readonly id: string;
  readonly values: readonly SQLInputValue[];
}

/** The trades of a period. Times are the caller's Unix seconds. */
interface Period {
  readonly start: number;
  /** The time of the first trade. */
  readonly first: number;
  /** The price before the period, or its first one. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: bigint;
  readonly isValued: boolean;
}

/**
 * Returns the limits of the candles of a request: the start of the oldest and the time of the newest one, in the caller's
 * Unix seconds, the row id at which the trades of later candles begin, and their number.
 */
function candleWindow({ db, params }: QueryContext, resolution: CandleResolution) {
  const { shift } = db.clock;
  const [from, to, cursor] = [params.integer("from_time"), params.integer("to_time"), params.integer("cursor")];
  const newest = db.clock.end + shift;
  const begin = Number(db.get("SELECT min(time) AS time FROM blocks")?.time) + shift;
  const first = !db.facts.isGenerated
    ? 0
    : newest < FIRST_CANDLE
      ? periodStart("1d", begin, DAYS_WITHOUT_CANDLES)
      : FIRST_CANDLE;
  const last = Math.min(newest, to ?? newest, cursor === undefined ? newest : fromMinute(cursor));
  return {
    from: Math.max(first, from === undefined ? 0 : periodStart(resolution, from)),
    last,
    // The candle of the last time is complete, so that it is the same on every page.
    end: last < newest ? db.firstRowAt(periodStart(resolution, last, 1) - shift) : Number.MAX_SAFE_INTEGER,
    count: params.integer("candles") ?? 1,
  };
}

type CandleWindow = ReturnType<typeof candleWindow>;

/** How many times as long as its candles a page is assumed to be: periods without trades have no candle. */
const SPARSENESS = 4;

function readPeriods(context: QueryContext, resolution: CandleResolution, trades: TradeSelection): readonly Period[] {
  const window = candleWindow(context, resolution);
  const { from, last, count } = window;
  const recent = periodStart(resolution, last, -SPARSENESS * count);
  const periods = groupTrades(context, resolution, trades, { ...window, from: Math.max(from, recent) });
  const isComplete = periods.length >= count || recent <= from;
  return withOpeningPrices(
    context,
    trades,
    (isComplete ? periods : groupTrades(context, resolution, trades, window)).slice(0, count),
  );
}

type TradedPeriod = Period & { readonly row: number };

/** Returns the SQL for the start of the period that contains the time of a trade, as {@link periodStart}. */
function startSql(resolution: CandleResolution, shift: number): string {
  if (resolution === "1M") return `unixepoch(time + ${shift}, 'unixepoch', 'start of month')`;
  if (resolution === "1Y") return `unixepoch(time + ${shift}, 'unixepoch', 'start of year')`;
  const [length, origin] = [LENGTHS[resolution], resolution === "1W" ? FIRST_MONDAY : 0];
  return `(time + ${shift - origin}) / ${length} * ${length} + ${origin}`;
}

/** Returns the periods of a window that have trades, newest first. Each opens at its first price. */
function groupTrades(
  { db }: QueryContext,
  resolution: CandleResolution,
  { sql, id, values }: TradeSelection,
  { from, end, count }: CandleWindow,
): readonly TradedPeriod[] {
  const { shift } = db.clock;
  const groups = db.all(
    `SELECT ${startSql(resolution, shift)} AS start, max(id) AS last, min(id) AS first, max(price) AS high, min(price) AS low,
      ${asText("ifnull(sum(value), 0)")} AS volume, count(value) AS priced FROM (${sql} AND ${id} >= ? AND ${id} < ?)
    GROUP BY start ORDER BY start DESC LIMIT ?`,
    ...values,
    db.firstRowAt(from - shift),
    end,
    count,
  );
  if (groups.length === 0) return [];
  const ids = groups.flatMap(({ first, last }) => [Number(first), Number(last)]);
  const trades = db.all(`${sql} AND ${id} IN (${ids.map(() => "?").join()})`, ...values, ...ids);
  const edges = new Map(trades.map((trade) => [Number(trade.id), trade]));
  return groups.map((row) => {
    const [first, last] = [edges.get(Number(row.first)), edges.get(Number(row.last))];
    return {
      start: Number(row.start),
      first: Number(first?.time) + shift,
      open: Number(first?.price),
      high: Number(row.high),
      low: Number(row.low),
      close: Number(last?.price),
      volume: BigInt(String(row.volume)),
      isValued: db.facts.hasPrices || Number(row.priced) > 0,
      row: Number(row.first),
    };
  });
}

function withOpeningPrices(
  { db }: QueryContext,
  { sql, id, values }: TradeSelection,
  periods: readonly TradedPeriod[],
) {
  const oldest = periods.at(-1);
  if (!oldest) return [];
  const before = db.get(`${sql} AND ${id} < ? ORDER BY ${id} DESC LIMIT ?`, ...values, oldest.row, 1)?.price;
  return periods.map((period, n) => {
    const open = Number(periods[n + 1]?.close ?? before ?? period.open);
    return { ...period, open, high: Math.max(period.high, open), low: Math.min(period.low, open) };
  });
}

/**
 * Returns the newest candle as it was before the last minute, which the API repeats while the candle is forming;
 * undefined where there is none.
 */
function earlierState(
  context: QueryContext,
  resolution: CandleResolution,
  trades: TradeSelection,
  current: Period | undefined,
): Period | undefined {
  const { db, params } = context;
  const window = candleWindow(context, resolution);
  const isForming = current !== undefined && current.start === periodStart(resolution, db.clock.end + db.clock.shift);
  if (!isForming || resolution === "1m" || params.integer("cursor") !== undefined) return undefined;
  const end = db.firstRowAt(periodStart("1m", window.last) - db.clock.shift);
  const [earlier] = groupTrades(context, resolution, trades, { ...window, from: current.start, end, count: 1 });
  if (!earlier || earlier.volume === current.volume) return undefined;
  const { open } = current;
  return { ...earlier, open, high: Math.max(earlier.high, open), low: Math.min(earlier.low, open) };
}

interface CandleFormat {
  /** The fields between the candles and the cursor. */
  readonly about: JsonObject;
  /** Whether the cursor is the time of the oldest trade, and the newest candle occurs twice while it is forming. */
  readonly isOfToken?: boolean;
}

/**
 * Returns the data of a request for candles: those with trades, oldest first, and the cursor of the older page: the time
 * of the oldest candle, or of the oldest trade. A candle opens at the closing price of the previous one.
 * @param trades undefined for what has no trades
 */
export function candleData(
  context: QueryContext,
  trades: TradeSelection | undefined,
  { about, isOfToken = false }: CandleFormat,
): JsonObject {
  const resolution = context.params.required("res") as CandleResolution;
  const periods = trades === undefined ? [] : readPeriods(context, resolution, trades);
  const earlier = trades && isOfToken ? earlierState(context, resolution, trades, periods[0]) : undefined;
  const repeated = earlier ? [...periods.slice(0, 1), earlier, ...periods.slice(1)] : periods;
  const page = repeated.slice(0, context.params.integer("candles"));
  const candles = page
    .map(({ start, open, high, low, close, volume, isValued }) => ({
      time: toMinute(start),
      ...(isValued ? { volume: exactDollars(volume) } : {}),
      high_price: high,
      low_price: low,
      close_price: close,
      open_price: open,
    }))
    .reverse();
  const oldest = page.at(-1)?.[isOfToken ? "first" : "start"];
  const cursor = oldest === undefined ? null : toMinute(oldest);
  return { data: candles, candles: candles.length, ...about, res: resolution, cursor };
}

const tradesOf = (token: number): TradeSelection => ({
  sql: "SELECT id, time, price, value FROM token_trades WHERE token_id = ? AND price IS NOT NULL",
  id: "id",
  values: [token],
});

/** Returns the SQL for the price in the other token of the pool, whose amount is on the other side of the trade. */
function quotePrice(db: LedgerReader, token: number, pool: number): string {
  const units = db.get(
    `SELECT t.decimals, o.decimals AS other FROM pools p CROSS JOIN tokens t ON t.id = ?
      CROSS JOIN tokens o ON o.id = iif(p.token1_id = t.id, p.token2_id, p.token1_id) WHERE p.account_id = ?`,
    token,
    pool,
  );
  return `iif(t.is_buy, r.amount1, r.amount2) / 1e${units?.other ?? 0} / (t.amount / 1e${units?.decimals ?? 0})`;
}

const poolTradesOf = ({ db, params }: QueryContext, token: number, pool: number): TradeSelection => ({
  sql: `SELECT r.id AS id, t.time AS time, ${params.text("currency") === "quote" ? quotePrice(db, token, pool) : "t.price"} AS price, t.value AS value
    FROM routes r CROSS JOIN token_trades t ON t.token_id = ? AND t.id = r.id
    WHERE r.pool_id = ? AND r.is_trade AND r.amount1 > 0 AND r.amount2 > 0 AND t.price IS NOT NULL`,
  id: "r.id",
  values: [token, pool],
});

/**
 * `/token/price-ohlcv`: candles of the token's prices in dollars, of all pools or of one. Only with a pool, prices can be
 * those in its other token. What is not a token has no candles. The currency is answered where it was requested.
 */
export const priceOhlcv: Query = (context) => {
  const { db, params } = context;
  const [[, id] = []] = findTokens(db, [params.required("address")]);
  const [pool, [currency]] = [params.text("pool_id"), params.list("currency")];
  const about: JsonObject = currency === undefined ? {} : { currency };
  if (id === undefined) return { data: candleData(context, undefined, { about, isOfToken: true }) };
  const token = pricedToken(db, id);
  const trades = pool === undefined ? tradesOf(token) : poolTradesOf(context, token, idOrUnknown(db, pool));
  return { data: candleData(context, trades, { about, isOfToken: true }) };
};
