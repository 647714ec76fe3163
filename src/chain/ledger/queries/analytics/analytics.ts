/** Queries about the days of the network. */

import {
  DAY_SECONDS,
  type Json,
  type JsonObject,
  type Numeric,
  numericOf,
  omitMissing,
} from "../../../../base/index.ts";
import type { QueryParams } from "../../../../catalogue/index.ts";
import { epochAt } from "../../store/epochs.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { SOL } from "../../store/schema.ts";
import { wholeText } from "../account/holdings.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import { asText, toUnixTime, volumeOf } from "../sql.ts";
import { type CalendarDay, dayOf, dayOfDate, daysBetween, pricesBefore } from "../token/prices.ts";

/** Days that the statistics are behind: the current day is omitted. */
const LAG_DAYS = 1;

/** Returns the days of a request: from_time to to_time, or else as many as its range. */
function requestedDays(db: LedgerReader, params: QueryParams): readonly CalendarDay[] {
  const latest = dayOf(db.clock, db.clock.end) - LAG_DAYS;
  const [from, to] = [params.text("from_time"), params.text("to_time")];
  const last = to === undefined ? latest : Math.min(latest, dayOfDate(to));
  return daysBetween(db, from === undefined ? last - (params.integer("range") ?? 0) + 1 : dayOfDate(from), last);
}

/** The values of days: a function of the day and its index. */
type DayValues = (day: CalendarDay, at: number) => JsonObject;

/** Creates the query for a series of days. */
const series =
  (valuesOf: (db: LedgerReader, days: readonly CalendarDay[], params: QueryParams) => DayValues): Query =>
  ({ db, params }) => {
    const days = requestedDays(db, params);
    const valuesOfDay = valuesOf(db, days, params);
    const filter = params.text("filter");
    const rows: readonly Json[] = days.map((day, at) => ({
      block_date: new Date(day.time * 1000).toISOString().slice(0, "YYYY-MM-DD".length),
      block_time: day.time,
      ...valuesOfDay(day, at),
    }));
    const data = {
      updated_time: toUnixTime(db.clock, db.clock.end),
      lag_days: LAG_DAYS,
      ...(filter === undefined ? {} : { filter }),
      series: rows,
    };
    return { data };
  };

/** Returns a function to the row of a day, from sums over its blocks `b` and their statistics `s`. */
function sumBlocks(db: LedgerReader, days: readonly CalendarDay[], sums: string): (day: CalendarDay) => LedgerRow {
  const { shift } = db.clock;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return () => ({});
  const rows = db.all(
    `SELECT (b.time + CAST(? AS INTEGER)) / ${DAY_SECONDS} AS day, ${sums} FROM blocks b CROSS JOIN block_stats s ON s.slot = b.slot
    WHERE b.time >= ? AND b.time < ? GROUP BY 1`,
    shift,
    first.time - shift,
    last.time + DAY_SECONDS - shift,
  );
  const byDay = new Map(rows.map((row) => [Number(row.day), row]));
  return (day) => byDay.get(day.time / DAY_SECONDS) ?? {};
}

const countOrZero = (value: unknown): number => Number(value ?? 0);
const solOf = (lamports: unknown): Numeric => numericOf(wholeText(lamports ?? 0, 9));
const LAMPORTS_PER_SOL = 1e9;

/** Returns functions from lamports to cents, by the price of SOL at the end of each day; NaN where it is unknown. */
function centsOf(db: LedgerReader, days: readonly CalendarDay[]): (lamports: unknown, at: number) => number {
  const ends = days.map(({ end }) => end);
  const prices = pricesBefore(db, SOL, ends);
  const unknown = db.facts.assume(0) ?? Number.NaN;
  return (lamports, at) => Math.round((countOrZero(lamports) / LAMPORTS_PER_SOL) * (prices[at] ?? unknown) * 100);
}

/** Returns cents in dollars; undefined for NaN. */
const centsToDollars = (cents: number): number | undefined => (Number.isNaN(cents) ? undefined : cents / 100);

const transactions = series((db, days, params) => {
  const sums = sumBlocks(db, days, "sum(b.transactions) AS total, sum(b.votes) AS votes, sum(s.failures) AS failures");
  const filter = params.required("filter");
  return (day) => {
    const row = sums(day);
    const [total, vote, nonvote_fail] = [countOrZero(row.total), countOrZero(row.votes), countOrZero(row.failures)];
    const totals = { total, vote, nonvote_success: total - vote - nonvote_fail, nonvote_fail };
    return filter === "all" ? totals : { value: totals[filter as keyof typeof totals] };
  };
});

/** The stake of a day is that of the epoch in which it ends. */
const stake = series((db, days) => {
  const cents = centsOf(db, days);
  return ({ time }, at) => {
    const slot = db.get(
      "SELECT slot FROM blocks WHERE time < ? ORDER BY time DESC, slot DESC LIMIT 1",
      time + DAY_SECONDS - db.clock.shift,
    )?.slot;
    const row = db.get(
      `SELECT ${asText("active")} AS active FROM epoch_stakes WHERE epoch <= ? ORDER BY epoch DESC LIMIT 1`,
      epochAt(db, countOrZero(slot)),
    );
    if (!db.facts.isComplete && row?.active == null) return {};
    return omitMissing({
      total_stake_sol: solOf(row?.active),
      total_stake_usd: centsToDollars(cents(row?.active, at)),
    });
  };
});

const fees = series((db, days) => {
  const cents = centsOf(db, days);
  const sums = sumBlocks(
    db,
    days,
    `${asText("sum(s.base_fees)")} AS base, ${asText("sum(s.priority_fees)")} AS priority,
    ${asText("sum(s.base_fees + s.priority_fees)")} AS total`,
  );
  return (day, at) => {
    const { base, priority, total } = sums(day);
    const [baseCents, priorityCents] = [cents(base, at), cents(priority, at)];
    return omitMissing({
      base_fee: solOf(base),
      base_fee_usd: centsToDollars(baseCents),
      priority_fee: solOf(priority),
      priority_fee_usd: centsToDollars(priorityCents),
      total_fee: solOf(total),
      total_fee_usd: centsToDollars(baseCents + priorityCents),
    });
  };
});

const slots = series((db, days) => {
  const sums = sumBlocks(db, days, "count(*) AS blocks");
  return (day) => ({ value: countOrZero(sums(day).blocks) });
});

const computeUnits = series((db, days) => {
  const sums = sumBlocks(db, days, "sum(s.compute_units) AS units");
  return (day) => ({ value: countOrZero(sums(day).units) });
});

/** An exchange is a program with trades in its pools. */
const dexActivity = series((db) => ({ first, end }) => {
  const row = db.get(
    `SELECT count(*) AS trades, count(DISTINCT trader_id) AS traders, count(DISTINCT program_id) AS programs,
      ${asText("ifnull(sum(value), 0)")} AS volume
    FROM routes WHERE id >= ? AND id < ? AND is_trade`,
    first,
    end,
  );
  return {
    trade_count: countOrZero(row?.trades),
    trader_count: countOrZero(row?.traders),
    ...omitMissing({ volume_usd: volumeOf(db, row?.volume, row?.trades) }),
    active_dex_count: countOrZero(row?.programs),
  };
});

/** Queries of `/analytics/…`. */
export const analyticsQueries: QueriesByRoute = {
  "analytics-transactions": transactions,
  "analytics-stake": stake,
  "analytics-fees": fees,
  "analytics-slots": slots,
  "analytics-dex-activity": dexActivity,
  "analytics-compute-units": computeUnits,
};
