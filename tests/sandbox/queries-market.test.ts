/** Prices by day, pools, programs and the chain. */
import { beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, stringifyJson } from "../../src/base/json.ts";
import { PROGRAM } from "../../src/catalogue/index.ts";
import { simulatedChain } from "../../src/chain/ledger/index.ts";
import { countBlocks } from "../../src/chain/ledger/store/blocks.ts";
import { ledgerFromDatabase } from "../../src/chain/ledger/store/store.ts";
import { type TestLedger, tinyLedger, worldLedger } from "../support/ledger.ts";
import { allRows, isSorted } from "../support/lists.ts";
import { queryData, queryRows } from "../support/query.ts";
import { countTrades, type PriceChange, pricesOf, type Trade, tradesOf } from "../support/trades.ts";

const DAY = 86_400;
const EVER = [19_700_101, 29_991_231] as const;
const dateOf = (time: number) => Number(new Date(time * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
const changeOf = (now: number, before: number) => (before === 0 ? 0 : (now / before - 1) * 100);

interface Pool {
  readonly pool: string;
  readonly program: string;
  readonly token1: string;
  readonly token2: string;
}

describe.each([
  ["tiny", tinyLedger],
  ["generated", worldLedger],
])("markets of a %s ledger", (_name, open) => {
  let ledger: TestLedger;
  let pools: readonly Pool[];
  let trades: readonly Trade[];
  let prices: readonly PriceChange[];
  let end: number;
  beforeAll(async () => {
    ledger = await open();
    const rows = ledger.db.prepare(
      `SELECT a.address AS pool, g.address AS program, s.address AS token1, t.address AS token2 FROM pools
      JOIN accounts a ON a.id = account_id JOIN accounts g ON g.id = program_id
      JOIN accounts s ON s.id = token1_id JOIN accounts t ON t.id = token2_id`,
    );
    pools = rows.all() as unknown as Pool[];
    trades = tradesOf(ledger.db);
    prices = pricesOf(ledger.db);
    end = ledger.reader.clock.end;
  });

  const queryPool = (route: string, pool: string, more = {}) =>
    queryData(ledger.reader, route, { address: pool, ...more }) as JsonObject;

  test("the price of a day is the last one before its end, in the caller's time", () => {
    for (const shift of [0, 5 * 3600, 400 * DAY - 7]) {
      const { reader } = ledgerFromDatabase(ledger.db, { now: end + shift });
      for (const address of new Set(prices.map(({ token }) => token))) {
        const of = prices.filter(({ token }) => token === address);
        const last = new Map(of.map(({ time, price }) => [dateOf(time + shift), price]));
        let price: number | undefined;
        const expected: JsonObject[] = [];
        const first = Math.floor((Number(of[0]?.time) + shift) / DAY);
        for (let day = first; day <= Math.floor((end + shift) / DAY); day += 1) {
          const date = dateOf(day * DAY);
          price = last.get(date) ?? price;
          expected.push({ date, price: Number(price) });
        }
        const [from_time, to_time] = EVER;
        expect(queryRows(reader, "v2-token-price", { address, from_time, to_time })).toEqual(expected);
        expect(queryRows(reader, "v2-token-price", { address, time: EVER })).toEqual(expected);
        expect(queryRows(reader, "v2-token-price", { address })).toEqual(expected.slice(-30));
        expect(queryRows(reader, "v2-token-price-multi", { address, time: EVER })).toEqual([
          { token_address: address, prices: expected },
        ]);
        const some = expected.slice(2, 5);
        const [from, to] = [some[0]?.date, some.at(-1)?.date] as [number, number];
        if (some.length > 0) {
          expect(queryRows(reader, "v2-token-price", { address, from_time: from, to_time: to })).toEqual(some);
          expect(queryRows(reader, "v2-token-price", { address, from_time: to, to_time: from })).toEqual(
            some.length === 1 ? some : [],
          );
        }
      }
    }
  });

  test("the statistics of a token's pools match their trades", () => {
    for (const token of new Set(pools.flatMap(({ token1, token2 }) => [token1, token2]))) {
      const rows = allRows(ledger.reader, "v2-token-markets", { token: [token] }, 20);
      const own = pools.filter(({ token1, token2 }) => token1 === token || token2 === token);
      expect(rows.map((row) => row.pool_id).sort()).toEqual(own.map(({ pool }) => pool).sort());
      for (const row of rows) {
        const of = trades.filter(({ pool }) => pool === row.pool_id);
        const [now, before] = [countTrades(of, end - DAY, end), countTrades(of, end - 2 * DAY, end - DAY)];
        expect([row.total_trades_24h, row.num_trader_24h]).toEqual([now.trades, now.traders]);
        expect(Number(row.total_volume_24h)).toBe(now.volume);
        const previous = [row.total_trades_prev_24h, row.num_trader_prev_24h, row.total_volume_prev_24h];
        if (before.trades === 0) expect(previous).toEqual([undefined, undefined, undefined]);
        else expect(previous.map(Number)).toEqual([before.trades, before.traders, before.volume]);
      }
      const keys = {
        volume: "total_volume_24h",
        trade: "total_trades_24h",
        tvl: "total_tvl",
        trader: "num_trader_24h",
      };
      for (const [sort_by, field] of Object.entries(keys)) {
        const sorted = allRows(ledger.reader, "v2-token-markets", { token: [token], sort_by }, 10);
        expect(isSorted(sorted, field, "desc")).toBe(true);
        expect(sorted.length).toBe(rows.length);
      }
      const program = String(rows[0]?.program_id);
      expect(allRows(ledger.reader, "v2-token-markets", { token: [token], program: [program] })).toEqual(
        rows.filter((row) => row.program_id === program),
      );
    }
  });

  test("a pair has the same pools in both orders", () => {
    for (const { token1, token2 } of pools.slice(0, 20)) {
      const rows = allRows(ledger.reader, "v2-token-markets", { token: [token1, token2] });
      expect(allRows(ledger.reader, "v2-token-markets", { token: [token2, token1] })).toEqual(rows);
      expect(rows.length).toBe(
        pools.filter((one) => [one.token1, one.token2].sort().join() === [token1, token2].sort().join()).length,
      );
    }
  });

  test("the list of pools is complete in every order, by program and by token", () => {
    const keys = { volumes_24h: "total_volume_24h", trades_24h: "total_trades_24h", created_time: "created_time" };
    for (const [sort_by, field] of Object.entries(keys)) {
      const descending = allRows(ledger.reader, "v2-market-list", { sort_by }, 20);
      const ascending = allRows(ledger.reader, "v2-market-list", { sort_by, sort_order: "asc" }, 100);
      expect(isSorted(descending, field, "desc")).toBe(true);
      expect(ascending).toEqual([...descending].reverse());
      expect(descending.map((row) => row.pool_address).sort()).toEqual(pools.map(({ pool }) => pool).sort());
      const program = [...new Set(pools.map((pool) => pool.program))].slice(0, 2);
      const token_address = String(pools[0]?.token1);
      expect(allRows(ledger.reader, "v2-market-list", { sort_by, program, token_address })).toEqual(
        descending.filter(
          (row) => program.includes(String(row.program_id)) && [row.token1, row.token2].includes(token_address),
        ),
      );
    }
  });

  test("days of a pool add up to its trades, and its reserves are the balances of its vaults", () => {
    for (const { pool } of pools) {
      const of = trades.filter((trade) => trade.pool === pool);
      const volume = queryPool("v2-market-volume", pool, { time: EVER });
      const days = volume.days as readonly JsonObject[];
      const micros = days.reduce((sum, { value }) => sum + BigInt(Math.round(Number(value) * 1e6)), 0n);
      expect(micros).toBe(of.reduce((sum, { value }) => sum + value, 0n));
      expect(
        days.every((day, n) => day.value === day.volume && (n === 0 || Number(day.day) > Number(days[n - 1]?.day))),
      ).toBe(true);
      expect(queryPool("v2-market-volume", pool).days as readonly JsonObject[]).toEqual(days.slice(-30));
      const [now, before] = [countTrades(of, end - DAY, end), countTrades(of, end - 2 * DAY, end - DAY)];
      expect(volume).toMatchObject({ pool_address: pool, total_trades_24h: now.trades });
      expect(days.at(-1)?.tvl).toBeCloseTo(Number(volume.tvl), 6);
      expect(Number(volume.total_volume_24h)).toBe(now.volume);
      expect(volume.total_volume_change_24h).toBeCloseTo(changeOf(now.volume, before.volume), 6);
      expect(volume.total_trades_change_24h).toBeCloseTo(changeOf(now.trades, before.trades), 6);
      const info = queryPool("v2-market-info", pool);
      expect(info.tokens_info).toEqual(info.token_infos);
      for (const { token, token_account, amount } of info.token_infos as readonly JsonObject[]) {
        const holder = allRows(ledger.reader, "v2-token-holders", { address: String(token) }, 40).find(
          ({ address }) => address === token_account,
        );
        const units = Number(holder?.amount_str ?? 0) / 10 ** Number(holder?.decimals ?? 0);
        expect(Number(stringifyJson(amount ?? null))).toBeCloseTo(units, 6);
      }
    }
    for (const route of ["v2-market-info", "v2-market-volume"]) {
      expect(queryData(ledger.reader, route, { address: String(pools[0]?.token1) })).toEqual({});
    }
  });

  test("programs are complete in every order, and count the transactions that call them", () => {
    const keys = {
      num_txs: "number_transactions",
      num_txs_success: "number_transactions_success",
      interaction_volume: "number_interaction_volume",
      success_rate: "success_rate",
      active_users_24h: "last_24h_active_users",
    };
    const counted = ledger.db
      .prepare(
        `SELECT u.program, count(DISTINCT u.id) AS n FROM (
          SELECT a.address AS program, i.id / 1024 AS id FROM instructions i
          JOIN instruction_kinds k ON k.id = i.kind_id JOIN accounts a ON a.id = k.program_id
        ) u JOIN transactions x ON x.id = u.id JOIN blocks b ON b.slot = x.id / 8192 WHERE b.time > ? GROUP BY 1`,
      )
      .all(end - 90 * DAY);
    // Votes of a simulated chain are not stored.
    const votes = simulatedChain(ledger.reader) ? countBlocks(ledger.reader, end - 90 * DAY + 1, end + 1).votes : 0;
    for (const [sort_by, field] of Object.entries(keys)) {
      const descending = allRows(ledger.reader, "v2-program-list", { sort_by }, 20);
      const ascending = allRows(ledger.reader, "v2-program-list", { sort_by, sort_order: "asc" }, 10);
      expect(isSorted(descending, field, "desc")).toBe(true);
      expect(ascending).toEqual([...descending].reverse());
      expect(descending.length).toBe((queryData(ledger.reader, "v2-program-list", { sort_by }) as JsonObject).total);
      expect(Object.fromEntries(descending.map((row) => [row.program, row.number_transactions]))).toEqual(
        Object.fromEntries(
          counted.map(({ program, n }) => [program, Number(n) + (program === PROGRAM.vote ? votes : 0)]),
        ),
      );
    }
  });

  test("chain info matches the blocks", () => {
    const blocks = ledger.db
      .prepare("SELECT max(slot) AS slot, max(height) AS height, max(time) AS time FROM blocks")
      .get();
    const first = Number(ledger.db.prepare("SELECT min(height) AS height FROM blocks").get()?.height);
    const count = ledger.db.prepare("SELECT count(*) AS n FROM transactions").get()?.n;
    const votes = simulatedChain(ledger.reader) ? countBlocks(ledger.reader, 0, Number(blocks?.time) + 1).votes : 0;
    const expected = {
      blockHeight: blocks?.height,
      absoluteSlot: blocks?.slot,
      currentEpoch: Math.floor(Number(blocks?.slot) / 432_000),
      transactionCount: Number(count) + votes + (first - 1) * 1243,
    };
    expect(queryData(ledger.reader, "chaininfo")).toEqual(expected);
    expect(queryData(ledger.reader, "chaininfo")).toEqual(expected);
  });
});
