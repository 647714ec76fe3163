/** Candles and positions of pools, days of programs and of the network, and current fees. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, numericText } from "../../src/base/json.ts";
import { CANDLE_RESOLUTIONS } from "../../src/catalogue/index.ts";
import { simulatedChain } from "../../src/chain/ledger/index.ts";
import { type Ledger, ledgerFromDatabase } from "../../src/chain/ledger/store/store.ts";
import { tinyLedger, worldLedger } from "../support/ledger.ts";
import { allRows, isSorted } from "../support/lists.ts";
import { type ParamInput, queryData, queryRows } from "../support/query.ts";
import { type Trade, tradesOf } from "../support/trades.ts";

const DAY = 86_400;
const VOTE = "Vote111111111111111111111111111111111111111";
/** A moment that is no full minute, so that the days of the caller are not those of the ledger. */
const NOW = Date.UTC(2026, 6, 1, 17, 23, 41) / 1000;

type Rows = readonly JsonObject[];
const number = (value: unknown) => Number(numericText(value as number));
const total = (rows: Rows, field: string) => rows.reduce((sum, row) => sum + number(row[field]), 0);
const isoDay = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);
const minuteOf = (time: number) => Number(new Date(time * 1000).toISOString().slice(0, 16).replace(/\D/g, ""));
const secondsOf = (minute: unknown) => {
  const [, year, month, day, hour, min] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(minute)) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(min)) / 1000;
};

describe.each([
  ["tiny", tinyLedger],
  ["generated", worldLedger],
  ["another generated", () => worldLedger({ seed: "another", size: 0.02 })],
])("the days of a %s ledger", (_name, open) => {
  let ledger: Ledger;
  let shift: number;
  let trades: readonly Trade[];
  beforeAll(async () => {
    const { db } = await open();
    ledger = ledgerFromDatabase(db, { now: NOW });
    shift = ledger.reader.clock.shift;
    trades = tradesOf(db).map((trade) => ({ ...trade, time: trade.time + shift }));
  });
  afterAll(() => ledger.close());

  const data = (route: string, params: Record<string, ParamInput> = {}) =>
    queryData(ledger.reader, route, params) as JsonObject;
  const series = (route: string, params: Record<string, ParamInput> = {}) => data(route, params).series as Rows;
  const table = (sql: string) => ledger.db.prepare(sql).all() as readonly Record<string, number>[];

  test("are complete days up to yesterday, as many as the range, and the requested ones", () => {
    const begin = Number(table("SELECT min(time) AS time FROM blocks")[0]?.time) + shift;
    for (const range of [30, 90, 180, 365]) {
      const {
        series: rows,
        updated_time,
        lag_days,
      } = data("analytics-slots", { range }) as JsonObject & { series: Rows };
      expect([updated_time, lag_days]).toEqual([NOW, 1]);
      const first = Math.max(Math.floor(NOW / DAY) - range, Math.floor(begin / DAY));
      const times = Array.from({ length: Math.floor(NOW / DAY) - first }, (_, n) => (first + n) * DAY);
      expect(rows.map((row) => row.block_time)).toEqual(times);
      expect(rows.map((row) => row.block_date)).toEqual(times.map(isoDay));
    }
    const days = series("analytics-fees", { range: 30 });
    const dates = { from_time: 20_260_610, to_time: 20_260_615 };
    expect(series("analytics-fees", { range: 30, ...dates })).toEqual(
      days.filter(({ block_date }) => String(block_date) >= "2026-06-10" && String(block_date) <= "2026-06-15"),
    );
    expect(series("analytics-fees", { from_time: 20_260_615, to_time: 20_260_610 })).toEqual([]);
    expect(series("analytics-fees", { from_time: 20_260_615, to_time: 20_990_101 }).at(-1)).toEqual(days.at(-1));
  });

  test("sum the blocks and their transactions", () => {
    const byDay = Map.groupBy(
      table(`SELECT b.time, b.slot, count(*) AS total, sum(vote) AS vote, sum(vote = 0 AND error IS NULL) AS success,
        sum(vote = 0 AND error IS NOT NULL) AS fail, sum(fee) AS fee, sum(priority_fee) AS priority, sum(compute_units) AS units
        FROM blocks b JOIN transactions x ON x.id / 8192 = b.slot GROUP BY b.slot`),
      ({ time = 0 }) => isoDay(time + shift),
    );
    const sum = (day: unknown, field: string) =>
      (byDay.get(String(day)) ?? []).reduce((all, row) => all + Number(row[field]), 0);
    const totals = series("analytics-transactions");
    expect(totals.some((row) => Number(row.total) > 0)).toBe(true);
    const fees = series("analytics-fees");
    const chain = simulatedChain(ledger.reader);
    /** The votes of a day that are not stored: all of a simulated chain. */
    const votesOf = new Map(totals.map(({ block_date, vote }) => [block_date, chain ? number(vote) : 0]));
    totals.forEach(({ block_date: day, block_time: _, ...row }, n) => {
      const votes = votesOf.get(day) ?? 0;
      expect(votes > 0).toBe(chain !== undefined);
      expect(row).toEqual({
        total: sum(day, "total") + votes,
        vote: sum(day, "vote") + votes,
        nonvote_success: sum(day, "success"),
        nonvote_fail: sum(day, "fail"),
      });
      const { base_fee, priority_fee, total_fee, base_fee_usd, priority_fee_usd, total_fee_usd } = fees[n] ?? {};
      expect(Math.round(number(priority_fee) * 1e9)).toBe(sum(day, "priority"));
      expect(Math.round(number(total_fee) * 1e9)).toBe(sum(day, "fee") + votes * 5000);
      expect(number(base_fee) + number(priority_fee)).toBeCloseTo(number(total_fee), 9);
      expect(number(base_fee_usd) + number(priority_fee_usd)).toBeCloseTo(number(total_fee_usd), 6);
    });
    for (const filter of ["total", "vote", "nonvote_success", "nonvote_fail"]) {
      const { filter: echo, series: rows } = data("analytics-transactions", { filter }) as JsonObject & {
        series: Rows;
      };
      expect(echo).toBe(filter);
      expect(rows).toEqual(
        totals.map(({ block_date, block_time, [filter]: value }) => ({ block_date, block_time, value })),
      );
    }
    for (const { block_date, value } of series("analytics-slots")) {
      const stored = byDay.get(String(block_date))?.length ?? 0;
      if (chain) expect(number(value)).toBeGreaterThan(stored);
      else expect(value).toBe(stored);
    }
    expect(series("analytics-compute-units").map(({ value }) => value)).toEqual(
      totals.map(({ block_date }) => sum(block_date, "units") + (votesOf.get(block_date) ?? 0) * 2100),
    );
  });

  test("count trades, distinct traders and exchanges", () => {
    const programs = new Map(table("SELECT id, program_id FROM routes").map(({ id, program_id }) => [id, program_id]));
    for (const row of series("analytics-dex-activity")) {
      const of = trades.filter(({ time }) => isoDay(time) === row.block_date);
      expect(row).toMatchObject({
        trade_count: of.length,
        trader_count: new Set(of.map(({ trader }) => trader)).size,
        active_dex_count: new Set(of.map(({ id }) => programs.get(id))).size,
      });
      expect(BigInt(Math.round(number(row.volume_usd) * 1e6))).toBe(of.reduce((sum, { value }) => sum + value, 0n));
    }
  });

  test("have the active stake of their epoch", () => {
    const rows = series("analytics-stake", { range: 90 });
    const latest = table(
      `SELECT CAST(e.active AS TEXT) AS active, (SELECT CAST(coalesce(sum(delegated), 0) AS TEXT) FROM stake_accounts
        WHERE activation_epoch < e.epoch AND coalesce(deactivation_epoch, e.epoch) >= e.epoch) AS now
      FROM epoch_stakes e ORDER BY e.epoch DESC LIMIT 1`,
    )[0];
    expect(latest?.active).toBe(latest?.now);
    const stakes = new Set(
      table("SELECT CAST(active AS TEXT) AS active FROM epoch_stakes").map(({ active }) => String(active)),
    );
    for (const { total_stake_sol } of rows) {
      const [whole, fraction = ""] = numericText(total_stake_sol as number).split(".");
      expect(stakes).toContain(BigInt(`${whole}${fraction.padEnd(9, "0")}`).toString());
    }
  });

  test("of programs agree with the list of programs and with the instructions", () => {
    const end = NOW - shift;
    const yesterday = Math.floor(NOW / DAY) * DAY - shift;
    for (const { program } of allRows(ledger.reader, "v2-program-list", {}, 40)) {
      for (const range of [7, 30]) {
        const analytics = data("v2-program-analytics", { address: String(program), range });
        const days = analytics.data as Rows;
        expect(analytics).toMatchObject({ program_id: program, days: range });
        for (const name of ["num_trans", "num_trans_success"]) expect(analytics[name]).toBe(total(days, name));
        expect(number(analytics.interaction_volume)).toBeCloseTo(total(days, "interaction_volume"), 4);
        const id = ledger.reader.idOf(String(program)) ?? 0;
        const isInDays = `b.time >= ${yesterday - range * DAY} AND b.time < ${yesterday}`;
        const counted = table(
          `SELECT count(DISTINCT i.id / 1024) AS num_trans, count(DISTINCT iif(x.error IS NULL, x.id, NULL)) AS success,
            count(*) AS instructions FROM instructions i JOIN instruction_kinds k ON k.id = i.kind_id
          JOIN transactions x ON x.id = i.id / 1024 JOIN blocks b ON b.slot = x.id / 8192
          WHERE k.program_id = ${id} AND ${isInDays}`,
        )[0];
        // Votes of a simulated chain are not stored.
        const hasVotes = program === VOTE && simulatedChain(ledger.reader) !== undefined;
        const votes = hasVotes ? total(series("analytics-transactions", { range: 30 }).slice(-range), "vote") : 0;
        const totals = { all: Number(counted?.num_trans) + votes, success: Number(counted?.success) + votes };
        expect([analytics.num_trans, analytics.num_trans_success]).toEqual([totals.all, totals.success]);
        const instructions = days.flatMap(({ insts }) => Object.values(insts as JsonObject));
        expect(instructions.reduce((sum: number, value) => sum + number(value), 0)).toBe(
          Number(counted?.instructions) + votes,
        );
        for (const { insts } of days) expect(Object.keys(insts as JsonObject).length).toBeLessThanOrEqual(11);
        const users = table(
          `SELECT count(DISTINCT u.user_id) AS users FROM program_uses u JOIN transactions x ON x.id = u.transaction_id
          JOIN blocks b ON b.slot = x.id / 8192 JOIN instruction_kinds k ON k.id = u.kind_id WHERE k.program_id = ${id} AND b.time > ${end - DAY}`,
        )[0]?.users;
        const voters = hasVotes ? table("SELECT count(*) AS voters FROM voters")[0]?.voters : undefined;
        expect(analytics.last_24h_active_users).toBe(voters ?? users);
        expect(analytics.active_users_change_24).toMatch(/^-?\d+\.\d\d$/);
      }
    }
    const listed = allRows(ledger.reader, "v2-program-list", {}, 40);
    for (const row of listed) {
      const analytics = data("v2-program-analytics", { address: String(row.program), range: 7 });
      expect(analytics.last_24h_active_users).toBe(row.last_24h_active_users);
      expect(number(row.number_transactions)).toBeGreaterThanOrEqual(number(analytics.num_trans));
    }
  });

  test("an address that is no program has no analytics", () => {
    expect(queryData(ledger.reader, "v2-program-analytics", { address: ledger.reader.addressOf(1), range: 7 })).toEqual(
      {},
    );
  });

  test("current fees are those of the last hour in SOL", () => {
    const { min_fee, avg_fee, max_fee } = data("v2-transaction-fees");
    const fees = table(
      `SELECT fee FROM transactions x JOIN blocks b ON b.slot = x.id / 8192 WHERE b.time > (SELECT max(time) FROM blocks) - 3600`,
    ).map(({ fee = 0 }) => fee);
    expect([min_fee, max_fee].map((fee) => Math.round(number(fee) * 1e9))).toEqual([
      Math.min(...fees),
      Math.max(...fees),
    ]);
    expect(number(avg_fee)).toBeGreaterThanOrEqual(number(min_fee));
    expect(number(avg_fee)).toBeLessThanOrEqual(number(max_fee));
  });
});

describe.each([
  { seed: "test", size: 0.05 },
  { seed: "another", size: 0.02 },
])("pools of the seed $seed", (world) => {
  let ledger: Ledger;
  let pools: Rows;
  let trades: readonly Trade[];
  beforeAll(async () => {
    const { db } = await worldLedger(world);
    ledger = ledgerFromDatabase(db, { now: NOW });
    pools = allRows(ledger.reader, "v2-market-list", { sort_by: "trades_24h" }, 100);
    trades = tradesOf(db).map((trade) => ({ ...trade, time: trade.time + ledger.reader.clock.shift }));
  });
  afterAll(() => ledger.close());

  const candlesOf = (address: unknown, params: Record<string, ParamInput> = {}) =>
    queryData(ledger.reader, "v2-market-price-ohlcv", { address: String(address), ...params }) as JsonObject & {
      data: Rows;
    };
  const reciprocal = (value: unknown) => 1 / number(value);

  test("candles are ordered, contain their prices, and open at the previous close", () => {
    for (const { pool_address, token1, token2 } of pools.slice(0, 20)) {
      for (const res of CANDLE_RESOLUTIONS) {
        const answer = candlesOf(pool_address, { res, candles: 1000 });
        expect(answer).toMatchObject({ token: token1, currency: token2, direction: "quote", res });
        expect([answer.candles, answer.cursor]).toEqual([answer.data.length, answer.data[0]?.time ?? null]);
        answer.data.forEach(({ open_price, high_price, low_price, close_price, time }, n) => {
          const [open, high, low, close] = [open_price, high_price, low_price, close_price].map(number) as [
            number,
            number,
            number,
            number,
          ];
          expect(low).toBeLessThanOrEqual(Math.min(open, close));
          expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
          expect(low).toBeGreaterThan(0);
          const before = answer.data[n - 1];
          if (!before) return;
          expect(number(time)).toBeGreaterThan(number(before.time));
          expect(open_price).toEqual(before.close_price);
        });
      }
    }
  });

  test("the volume of candles is that of their trades, and of the days of the pool", () => {
    for (const { pool_address } of pools.slice(0, 20)) {
      const of = trades.filter(({ pool }) => pool === pool_address);
      const { data: hours } = candlesOf(pool_address, { res: "1h", candles: 1000 });
      for (const { time, volume } of hours) {
        const start = secondsOf(time);
        const within = of.filter((trade) => trade.time >= start && trade.time < start + 3600);
        expect(BigInt(Math.round(number(volume) * 1e6))).toBe(within.reduce((sum, { value }) => sum + value, 0n));
      }
      const { data: candles } = candlesOf(pool_address, { res: "1d", candles: 1000 });
      const { days } = queryData(ledger.reader, "v2-market-volume", {
        address: String(pool_address),
        time: [20_200_101, 20_991_231],
      }) as JsonObject & { days: Rows };
      const traded = days.filter(({ volume }) => number(volume) > 0);
      expect(candles.map(({ time, volume }) => [number(time), volume])).toEqual(
        traded.map(({ day, volume }) => [number(day) * 1e4, volume]),
      );
      expect(total(candlesOf(pool_address, { res: "1Y" }).data, "volume")).toBeCloseTo(total(candles, "volume"), 4);
    }
  });

  test("periods begin with minutes, hours, days, Mondays, months and years", () => {
    const address = pools[0]?.pool_address;
    const starts = (res: string) =>
      candlesOf(address, { res, candles: 1000 }).data.map(({ time }) => new Date(secondsOf(time) * 1000));
    const minutes = { "1m": 1, "5m": 5, "15m": 15, "30m": 30, "1h": 60, "4h": 240, "8h": 480, "1d": 1440 };
    for (const [res, length] of Object.entries(minutes)) {
      for (const start of starts(res)) expect((start.getTime() / 60_000) % length).toBe(0);
    }
    for (const start of starts("1W")) expect([start.getUTCDay(), start.getUTCHours()]).toEqual([1, 0]);
    for (const start of starts("1M")) expect([start.getUTCDate(), start.getUTCHours()]).toEqual([1, 0]);
    expect(starts("1Y").map((start) => start.toISOString())).toEqual(["2026-01-01T00:00:00.000Z"]);
  });

  test("the prices of the second token are the reciprocals", () => {
    for (const { pool_address, token1, token2 } of pools.slice(0, 10)) {
      const quote = candlesOf(pool_address, { res: "4h" });
      const base = candlesOf(pool_address, { res: "4h", direction: "base" });
      expect(base).toMatchObject({ token: token2, currency: token1, direction: "base" });
      expect(base.data.map(({ time, volume }) => [time, volume])).toEqual(
        quote.data.map(({ time, volume }) => [time, volume]),
      );
      base.data.forEach((candle, n) => {
        const other = quote.data[n] ?? {};
        const pairs = {
          open_price: "open_price",
          close_price: "close_price",
          high_price: "low_price",
          low_price: "high_price",
        };
        for (const [name, same] of Object.entries(pairs)) {
          expect(number(candle[name]) / reciprocal(other[same])).toBeCloseTo(1, 6);
        }
      });
    }
  });

  test("pages that follow the cursor are those of a long page, and repeat its candle", () => {
    fc.assert(
      fc.property(
        fc.nat(9),
        fc.integer({ min: 2, max: 40 }),
        fc.constantFrom(...CANDLE_RESOLUTIONS),
        fc.option(fc.integer({ min: NOW - 95 * DAY, max: NOW }), { nil: undefined }),
        (pool, candles, res, from_time) => {
          const address = pools[pool]?.pool_address;
          const complete = candlesOf(address, { res, candles: 1000, from_time }).data;
          if (complete.length === 1000) return;
          const rows: JsonObject[] = [];
          let cursor: number | undefined;
          for (;;) {
            const page = candlesOf(address, { res, candles, from_time, cursor });
            expect(page.data.length).toBeLessThanOrEqual(candles);
            if (cursor !== undefined) expect(page.data.at(-1)?.time).toBe(cursor);
            rows.unshift(...(cursor === undefined ? page.data : page.data.slice(0, -1)));
            if (page.data.length < candles) break;
            if (page.cursor === cursor) break;
            cursor = Number(page.cursor);
          }
          expect(rows).toEqual(complete);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("a time window has the candles that begin in it, complete", () => {
    const address = pools[0]?.pool_address;
    const all = candlesOf(address, { res: "1h", candles: 1000 }).data;
    for (const [from, to] of [
      [5, 1],
      [30, 3],
      [2, 2],
    ] as const) {
      const [from_time, to_time] = [NOW - from * DAY, NOW - to * DAY];
      const first = Math.floor(from_time / 3600) * 3600;
      const expected = all.filter(({ time }) => secondsOf(time) >= first && secondsOf(time) <= to_time);
      expect(candlesOf(address, { res: "1h", candles: 1000, from_time, to_time }).data).toEqual(expected);
    }
    expect(candlesOf(address, { to_time: 1_700_000_000 })).toMatchObject({ data: [], candles: 0 });
  });

  test("there are no candles before 2026, and none of a mint", () => {
    const early = ledgerFromDatabase(ledger.db, { now: Date.UTC(2026, 0, 20) / 1000 });
    const address = String(pools[0]?.pool_address);
    const { data: rows } = queryData(early.reader, "v2-market-price-ohlcv", {
      address,
      res: "1d",
      candles: 1000,
    }) as JsonObject & {
      data: Rows;
    };
    expect(rows.length).toBeGreaterThan(0);
    for (const { time } of rows) expect(number(time)).toBeGreaterThanOrEqual(minuteOf(Date.UTC(2026, 0, 1) / 1000));
    expect(candlesOf(pools[0]?.token1)).toMatchObject({ data: [], candles: 0 });
  });

  test("positions share the value and the reserves of their pool", () => {
    let ranges = 0;
    for (const { pool_address, program_id } of pools) {
      const address = String(pool_address);
      const rows = allRows(ledger.reader, "v2-market-positions", { address }, 40);
      const tvl = Number((queryData(ledger.reader, "v2-market-volume", { address }) as JsonObject).tvl);
      if (rows.length > 0) expect(total(rows, "position_value") / tvl).toBeCloseTo(1, 6);
      expect(new Set(rows.map(({ position_id }) => position_id)).size).toBe(rows.length);
      for (const row of rows) {
        expect(row).toMatchObject({ pool_id: address, program: program_id });
        const info = row.price_info as JsonObject;
        const [lower, price, upper] = [info.lower_price, info.current_price, info.upper_price].map(number) as [
          number,
          number,
          number,
        ];
        expect(info).toMatchObject({ value: row.position_value, is_in_range: row.is_pos_in_range });
        expect(row.is_pos_in_range).toBe(lower <= price && price <= upper);
        const { amount_1, amount_2 } = row.token_info as JsonObject;
        if (!row.is_pos_in_range) expect([amount_1, amount_2]).toContain(0);
        if (row.position_type === "clmm") ranges += 1;
      }
    }
    expect(ranges).toBeGreaterThan(0);
  });

  test("positions are filtered by range and sorted", () => {
    const long = pools
      .map(({ pool_address }) => String(pool_address))
      .toSorted((a, b) => positionsIn(b).length - positionsIn(a).length)
      .slice(0, 5);
    for (const address of long) {
      const rows = positionsIn(address);
      expect(isSorted(rows, "position_value", "desc")).toBe(true);
      for (const in_range of [true, false]) {
        expect(allRows(ledger.reader, "v2-market-positions", { address, in_range }, 10)).toEqual(
          rows.filter(({ is_pos_in_range }) => is_pos_in_range === in_range),
        );
      }
      const byTime = allRows(
        ledger.reader,
        "v2-market-positions",
        { address, sort_by: "created_time", sort_order: "asc" },
        10,
      );
      expect(isSorted(byTime, "created_time", "asc")).toBe(true);
      expect(byTime.length).toBe(rows.length);
    }
  });

  const positionsIn = (address: string) => allRows(ledger.reader, "v2-market-positions", { address }, 40);

  test("portfolios list the same positions", () => {
    const byOwner = Map.groupBy(
      pools.flatMap(({ pool_address }) => positionsIn(String(pool_address))),
      ({ position_owner }) => String(position_owner),
    );
    expect(byOwner.size).toBeGreaterThan(5);
    for (const [address, expected] of byOwner) {
      const { positions } = queryData(ledger.reader, "v2-account-portfolio", { address }) as JsonObject & {
        positions: Rows;
      };
      const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(" ")).sort();
      expect(
        sorted(
          positions.map((row) => [
            row.position_id,
            row.position_value,
            row.pool_id,
            row.is_position_in_range,
            row.position_type,
          ]),
        ),
      ).toEqual(
        sorted(
          expected.map((row) => [
            row.position_id,
            row.position_value,
            row.pool_id,
            row.is_pos_in_range,
            row.position_type,
          ]),
        ),
      );
    }
  });

  test("an unknown pool has no positions", () => {
    expect(queryRows(ledger.reader, "v2-market-positions", { address: String(pools[0]?.token1) })).toEqual([]);
  });
});
