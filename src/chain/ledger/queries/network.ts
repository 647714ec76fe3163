/** The state of the chain, the days of the network, and the usage of the API key. */

import { DAY_SECONDS, type Json, type JsonObject, omitMissing } from "../../../base/index.ts";
import type { QueryParams } from "../../../catalogue/index.ts";
import { countBlocks, simulatedChain } from "../store/blocks.ts";
import { epochAt, type LedgerReader, type LedgerRow } from "../store/reader.ts";
import { VOTE_FEE, VOTE_UNITS } from "../store/schedule.ts";
import { SOL } from "../store/schema.ts";
import type { QueriesByRoute, Query } from "./query.ts";
import { asText, columnNumber, solOf, toUnixTime, volumeOf } from "./sql.ts";
import { type CalendarDay, dayOf, dayOfDate, daysBetween, pricesBefore } from "./token/prices.ts";

/** Average number of transactions per block of the cluster, votes included; used for the blocks before the ledger. */
const AVERAGE_BLOCK_TRANSACTIONS = 1_243;

/** Whether all transactions can be counted: a ledger of a chain has to begin with its first block. */
const isComplete = (db: LedgerReader): boolean =>
  db.facts.isComplete || db.get("SELECT parent_slot FROM blocks ORDER BY slot LIMIT 1")?.parent_slot === 0;

function transactionsBefore(db: LedgerReader): number {
  if (!db.facts.isGenerated) return 0;
  const first = db.get("SELECT height FROM blocks WHERE slot = (SELECT min(slot) FROM blocks)");
  return Math.max(0, Number(first?.height ?? 1) - 1) * AVERAGE_BLOCK_TRANSACTIONS;
}

/** Transactions up to a slot, cached while the ledger only grows: each block is counted once. */
const transactionCounts = new WeakMap<LedgerReader, { slot: number; transactions: number; removals: number }>();

function transactionsUpTo(db: LedgerReader, slot: number): number {
  const cached = transactionCounts.get(db);
  const { removals } = db;
  const before = cached?.removals === removals ? cached : { slot: -1, transactions: transactionsBefore(db) };
  if (before.slot === slot) return before.transactions;
  const schedule = simulatedChain(db)?.schedule;
  const row = db.get(
    `SELECT min(slot) AS first, sum(${schedule ? "stored" : "transactions"}) AS more FROM blocks WHERE slot > ? AND slot <= ?`,
    before.slot,
    slot,
  );
  const from = before.slot < 0 ? Number(row?.first) : before.slot + 1;
  const transactions = before.transactions + Number(row?.more) + (schedule?.count(from, slot + 1).votes ?? 0);
  transactionCounts.set(db, { slot, transactions, removals });
  return transactions;
}

/**
 * `/chaininfo`: the newest block, and the number of all transactions with votes: those of the ledger plus an estimate
 * for the blocks before it.
 */
const chaininfo: Query = ({ db }) => {
  const block = db.get("SELECT slot, height FROM blocks WHERE slot = (SELECT max(slot) FROM blocks)");
  if (!block) return { data: {} };
  const slot = Number(block.slot);
  const data = omitMissing({
    blockHeight: columnNumber(block.height),
    currentEpoch: epochAt(db, slot),
    absoluteSlot: slot,
    transactionCount: isComplete(db) ? transactionsUpTo(db, slot) : undefined,
  });
  return { data };
};

/** Days that the statistics are behind: the current day is omitted. */
const LAG_DAYS = 1;

/** Returns the days of a request: from_time to to_time, or else as many as its range. */
function requestedDays(db: LedgerReader, params: QueryParams): readonly CalendarDay[] {
  const latest = dayOf(db.clock, db.clock.end) - LAG_DAYS;
  const [from, to] = [params.text("from_time"), params.text("to_time")];
  const last = to === undefined ? latest : Math.min(latest, dayOfDate(to));
  return daysBetween(db, from === undefined ? last - (params.integer("range") ?? 0) + 1 : dayOfDate(from), last);
}

type DayValues = (day: CalendarDay, at: number) => JsonObject;

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

/** Counts the blocks of a day and their votes. */
function countDay(db: LedgerReader, { time }: CalendarDay) {
  const start = time - db.clock.shift;
  return countBlocks(db, start, start + DAY_SECONDS);
}

/** Returns the lamports and compute units of the votes of a day that are not stored. */
function unstoredVotes(db: LedgerReader, day: CalendarDay) {
  const votes = simulatedChain(db) ? countDay(db, day).votes : 0;
  return { fees: votes * VOTE_FEE, units: votes * VOTE_UNITS };
}

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
const LAMPORTS_PER_SOL = 1e9;

/** Returns functions from lamports to cents, by the price of SOL at the end of each day; NaN where it is unknown. */
function centsOf(db: LedgerReader, days: readonly CalendarDay[]): (lamports: unknown, at: number) => number {
  const ends = days.map(({ end }) => end);
  const prices = pricesBefore(db, SOL, ends);
  const unknown = db.facts.assume(0) ?? Number.NaN;
  return (lamports, at) => Math.round((countOrZero(lamports) / LAMPORTS_PER_SOL) * (prices[at] ?? unknown) * 100);
}

const centsToDollars = (cents: number): number | undefined => (Number.isNaN(cents) ? undefined : cents / 100);

const transactions = series((db, days, params) => {
  const sums = sumBlocks(db, days, "sum(b.transactions - ifnull(b.votes, 0)) AS others, sum(s.failures) AS failures");
  const filter = params.required("filter");
  return (day) => {
    const row = sums(day);
    const [others, nonvote_fail, { votes: vote }] = [
      countOrZero(row.others),
      countOrZero(row.failures),
      countDay(db, day),
    ];
    const totals = { total: others + vote, vote, nonvote_success: others - nonvote_fail, nonvote_fail };
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
    `${asText("sum(s.base_fees)")} AS base_fees, ${asText("sum(s.priority_fees)")} AS priority`,
  );
  return (day, at) => {
    const { base_fees, priority } = sums(day);
    const base = BigInt(base_fees ?? 0) + BigInt(unstoredVotes(db, day).fees);
    const [baseCents, priorityCents] = [cents(base, at), cents(priority, at)];
    return omitMissing({
      base_fee: solOf(base),
      base_fee_usd: centsToDollars(baseCents),
      priority_fee: solOf(priority),
      priority_fee_usd: centsToDollars(priorityCents),
      total_fee: solOf(base + BigInt(priority ?? 0)),
      total_fee_usd: centsToDollars(baseCents + priorityCents),
    });
  };
});

const computeUnits = series((db, days) => {
  const sums = sumBlocks(db, days, "sum(s.compute_units) AS units");
  return (day) => ({ value: countOrZero(sums(day).units) + unstoredVotes(db, day).units });
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

/** The endpoints of the state of the chain, of its days, and of the usage of the API key. */
export const networkQueries: QueriesByRoute = {
  chaininfo,
  "v2-monitor-usage": ({ caller }) => ({ data: caller.usage() }),
  "analytics-transactions": transactions,
  "analytics-stake": stake,
  "analytics-fees": fees,
  "analytics-slots": series((db) => (day) => ({ value: countDay(db, day).blocks })),
  "analytics-dex-activity": dexActivity,
  "analytics-compute-units": computeUnits,
};
