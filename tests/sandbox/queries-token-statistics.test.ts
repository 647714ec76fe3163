/** Laws of token statistics, of the list by metric, of candles, of the days of a token, and of its search. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, numericText } from "../../src/base/json.ts";
import {
  CANDLE_RESOLUTIONS,
  METRIC_WINDOWS,
  type MetricWindow,
  NATIVE_SOL,
  TOKEN_METRIC_NAMES,
  TOKEN_METRICS,
  TRADE_MEASURES,
  WALLET,
  WRAPPED_SOL,
} from "../../src/catalogue/index.ts";
import { type Ledger, ledgerFromDatabase } from "../../src/chain/ledger/store/store.ts";
import { tinyLedger, worldLedger } from "../support/ledger.ts";
import { allRows, entityProblem, isSorted } from "../support/lists.ts";
import { type ParamInput, queryData, queryRows } from "../support/query.ts";
import { type PriceChange, priceAt, pricesOf, type Trade, tradesOf } from "../support/trades.ts";

const DAY = 86_400;
/** A moment that is no full minute, after the first candles of the API. */
const NOW = Date.UTC(2026, 6, 1, 17, 23, 41) / 1000;
const SECONDS: Readonly<Record<MetricWindow, number>> = {
  "1m": 60,
  "5m": 300,
  "30m": 1800,
  "1h": 3600,
  "4h": 14_400,
  "8h": 28_800,
  "24h": DAY,
  "7d": 7 * DAY,
  "30d": 30 * DAY,
};
const WINDOWS = Object.keys(METRIC_WINDOWS) as readonly MetricWindow[];

type Rows = readonly JsonObject[];
const number = (value: unknown) => Number(numericText(value as number));
const total = (rows: Rows, field: string) => rows.reduce((sum, row) => sum + number(row[field]), 0);
const dateOf = (time: number) => Number(new Date(time * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
const percent = (now: number, before: number) => (before === 0 ? 0 : ((now - before) / before) * 100);

describe.each([
  ["tiny", tinyLedger],
  ["generated", worldLedger],
  ["second generated", () => worldLedger({ seed: "statistics", size: 0.03 })],
])("the statistics of a %s ledger", (_name, open) => {
  let ledger: Ledger;
  let trades: readonly Trade[];
  let prices: readonly PriceChange[];
  let list: Rows;
  beforeAll(async () => {
    const { db } = await open();
    ledger = ledgerFromDatabase(db, { now: NOW });
    const { shift } = ledger.reader.clock;
    trades = tradesOf(db).map((trade) => ({ ...trade, time: trade.time + shift }));
    prices = pricesOf(db).map((price) => ({ ...price, time: price.time + shift }));
    list = allRows(ledger.reader, "v2-token-list-v2", { sort_by: "volume_30d" }, 100);
  });
  afterAll(() => ledger.close());

  const data = (route: string, params: Record<string, ParamInput> = {}) =>
    queryData(ledger.reader, route, params) as JsonObject;
  const rows = (route: string, params: Record<string, ParamInput> = {}) => queryRows(ledger.reader, route, params);
  const addresses = () => list.map(({ token_address }) => String(token_address));
  const tradesWithin = (address: string, after: number, upTo: number) =>
    trades.filter(({ tokens, time }) => tokens.includes(address) && time > after && time <= upTo);

  test("are those of list-v2, for exactly the tokens of the list", () => {
    const listed = allRows(ledger.reader, "v2-token-list", {}, 100);
    expect(addresses().toSorted()).toEqual(listed.map(({ address }) => String(address)).toSorted());
    for (const row of list) {
      expect(data("v2-token-statistic", { address: String(row.token_address) })).toEqual(row);
      expect(Object.keys(row).toSorted()).toEqual(
        ["token_address", "platform", "updated_time", ...TOKEN_METRIC_NAMES].toSorted(),
      );
      expect(entityProblem("v2-token-statistic", row)).toBeUndefined();
      expect(row.updated_time).toBe(NOW);
    }
  });

  test("agree with the token's metadata", () => {
    for (const row of list) {
      const meta = data("v2-token-meta", { address: String(row.token_address) });
      expect(row.market_cap).toEqual(meta.market_cap);
      expect(row.num_holder).toBe(meta.holder);
      expect(row.price_24h_change_pct).toEqual(meta.price_change_24h);
      expect(number(row.volume_24h)).toBeCloseTo(number(meta.volume_24h), 6);
      expect(number(row.volume_24h_change_pct)).toBeCloseTo(number(meta.dex_vol_change_24h), 6);
      expect((number(row.total_supply) * 10 ** number(meta.decimals)) / Number(meta.supply)).toBeCloseTo(1, 9);
      const token = [String(row.token_address)];
      const pools = allRows(ledger.reader, "v2-token-markets", { token }, 100);
      expect(row.num_pool).toBe(pools.length);
      expect(number(row.liquidity)).toBeCloseTo(total(pools, "total_tvl"), 4);
    }
  });

  test("count the trades, traders and prices of each window and of the one before", () => {
    for (const row of list) {
      const address = String(row.token_address);
      for (const window of WINDOWS) {
        const [start, before] = [NOW - SECONDS[window], NOW - 2 * SECONDS[window]];
        const measures = (within: readonly Trade[]) => {
          const sides = {
            buy: within.filter(({ tokens }) => tokens[0] !== address),
            sell: within.filter(({ tokens }) => tokens[0] === address),
          };
          const volume = (some: readonly Trade[]) => Number(some.reduce((sum, { value }) => sum + value, 0n)) / 1e6;
          const traders = (some: readonly Trade[]) => new Set(some.map(({ trader }) => trader)).size;
          return {
            volume: volume(within),
            buy_volume: volume(sides.buy),
            sell_volume: volume(sides.sell),
            num_trade: within.length,
            num_buy_trade: sides.buy.length,
            num_sell_trade: sides.sell.length,
            num_trader: traders(within),
            num_buyer: traders(sides.buy),
            num_seller: traders(sides.sell),
          };
        };
        const now = measures(tradesWithin(address, start, NOW));
        const previous = measures(tradesWithin(address, before, start));
        for (const name of Object.keys(TRADE_MEASURES) as (keyof typeof now)[]) {
          expect(number(row[`${name}_${window}`]), `${address} ${name}_${window}`).toBeCloseTo(now[name], 5);
          expect(number(row[`${name}_${window}_change_pct`])).toBeCloseTo(percent(now[name], previous[name]), 4);
        }
        const [price = 0, earlier] = [priceAt(prices, address, NOW), priceAt(prices, address, start)];
        expect(number(row[`price_${window}_change_pct`])).toBeCloseTo(
          earlier === undefined ? 0 : percent(price, earlier),
          6,
        );
      }
    }
  });

  test("measure the concentration of holders and traders", () => {
    for (const row of list) {
      const address = String(row.token_address);
      const shares = allRows(ledger.reader, "v2-token-holders", { address }, 40).map(({ percentage }) =>
        number(percentage),
      );
      const volumes = new Map<number, number>();
      for (const { trader, value } of tradesWithin(address, NOW - DAY, NOW))
        volumes.set(trader, (volumes.get(trader) ?? 0) + Number(value));
      const traded = [...volumes.values()].toSorted((a, b) => b - a);
      const volume = traded.reduce((sum, value) => sum + value, 0);
      const traderShares = traded.map((value) => (volume === 0 ? 0 : (value / volume) * 100));
      const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
      const squares = (values: readonly number[]) => sumOf(values.map((share) => (share / 100) ** 2));
      for (const top of [1, 5, 20, 100]) {
        expect(number(row[`holder_top_${top}_balance_pct`])).toBeCloseTo(sumOf(shares.slice(0, top)), 6);
        expect(number(row[`trader_top_${top}_volume_pct_24h`])).toBeCloseTo(sumOf(traderShares.slice(0, top)), 6);
      }
      expect(number(row.holder_hhi)).toBeCloseTo(squares(shares), 9);
      expect(number(row.trader_hhi_24h)).toBeCloseTo(squares(traderShares), 9);
      // Mean absolute difference of all pairs, relative to twice the mean.
      const differences = sumOf(shares.flatMap((a) => shares.map((b) => Math.abs(a - b))));
      const gini = shares.length === 0 ? 0 : differences / (2 * shares.length * sumOf(shares));
      expect(number(row.holder_gini)).toBeCloseTo(gini, 6);
    }
  });

  test("sort and filter by every metric, limits included", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TOKEN_METRIC_NAMES),
        fc.constantFrom("asc", "desc"),
        fc.nat(list.length - 1),
        (metric, sort_order, at) => {
          const value = list[at]?.[metric];
          const limit = String(value);
          const sorted = rows("v2-token-list-v2", { sort_by: metric, page_size: 100, sort_order });
          expect(isSorted(sorted, metric, sort_order as "asc")).toBe(true);
          fc.pre(!limit.includes("e") && (number(value) >= 0 || TOKEN_METRICS[metric].kind === "percent"));
          const expected = list.filter((row) => number(row[metric]) === number(value));
          const same = data("v2-token-list-v2", { [`from_${metric}`]: limit, [`to_${metric}`]: limit });
          expect(same.total).toBe(expected.length);
          const above = data("v2-token-list-v2", { [`from_${metric}`]: limit });
          const below = data("v2-token-list-v2", { [`to_${metric}`]: limit });
          expect(number(above.total) + number(below.total)).toBe(list.length + expected.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("combine filters of several metrics and platforms", () => {
    const filters = { from_num_trade_30d: 2, to_num_holder: 40, from_liquidity: 1 };
    const matches = (row: JsonObject) =>
      number(row.num_trade_30d) >= 2 && number(row.num_holder) <= 40 && number(row.liquidity) >= 1;
    const filtered = allRows(ledger.reader, "v2-token-list-v2", filters, 100);
    expect(filtered.length).toBe(list.filter(matches).length);
    expect(filtered.every(matches)).toBe(true);
    const platforms = [...new Set(list.flatMap(({ platform }) => platform as string[]))].slice(0, 2);
    if (platforms.length === 0) return;
    const launched = allRows(ledger.reader, "v2-token-list-v2", { platform: platforms }, 100);
    expect(launched.length).toBe(
      list.filter(({ platform }) => platforms.includes((platform as string[])[0] ?? "")).length,
    );
  });

  test("end with the total after the last row, and with none after row 10,000", () => {
    const beyond = data("v2-token-list-v2", { page: 100, page_size: 100 });
    expect(beyond).toEqual({ list_tokens: [], total: list.length });
    expect(data("v2-token-list-v2", { page: 101, page_size: 100 })).toEqual({ list_tokens: [], total: 0 });
  });

  test("are empty for what is no listed token", () => {
    expect(data("v2-token-statistic", { address: WALLET })).toEqual({});
    expect(data("v2-token-statistic", { address: NATIVE_SOL })).toEqual({});
  });

  test("latest prices are those of the metadata, without unknown tokens", () => {
    const some = addresses().slice(0, 40);
    const latest = rows("v2-token-price-latest", { address: [WALLET, ...some] });
    expect(latest.map(({ address }) => address)).toEqual(some);
    for (const { address, price, price_change_24h, market_cap, updated_time } of latest) {
      const meta = data("v2-token-meta", { address: String(address) });
      expect([price, price_change_24h, market_cap]).toEqual([meta.price, meta.price_change_24h, meta.market_cap]);
      expect(updated_time).toBe(NOW);
    }
  });

  test("daily prices are those of the older endpoint", () => {
    const params = { address: addresses().slice(0, 10), from_time: dateOf(NOW - 5 * DAY), to_time: dateOf(NOW) };
    expect(rows("v2-token-price-history", params)).toEqual(rows("v2-token-price-multi", params));
  });

  describe("candles", () => {
    /** The candles without an earlier state of the newest one. */
    const distinct = (candles: Rows): Rows => [...new Map(candles.map((candle) => [candle.time, candle])).values()];
    const candlesOf = (address: string, params: Record<string, ParamInput> = {}) =>
      data("v2-token-price-ohlcv", { address, ...params }) as JsonObject & { data: Rows };

    test("open at the previous close, contain their prices and end with the latest price", () => {
      for (const address of addresses().slice(0, 25)) {
        for (const res of CANDLE_RESOLUTIONS) {
          const { data: received, ...about } = candlesOf(address, { res, candles: 1000 });
          const candles = distinct(received);
          expect(Object.keys(about)).toEqual(["candles", "res", "cursor"]);
          expect([about.candles, about.res]).toEqual([received.length, res]);
          candles.forEach(({ time, open_price, high_price, low_price, close_price }, n) => {
            expect(number(low_price)).toBeLessThanOrEqual(Math.min(number(open_price), number(close_price)));
            expect(number(high_price)).toBeGreaterThanOrEqual(Math.max(number(open_price), number(close_price)));
            const before = candles[n - 1];
            if (!before) return;
            expect(number(time)).toBeGreaterThan(number(before.time));
            expect(open_price).toBe(before.close_price);
          });
          // A new pool can change the price before the next trade.
          const traded = trades.findLast(({ tokens }) => tokens.includes(address))?.id ?? 0;
          const price = prices.findLast(({ token, id }) => token === address && id <= traded)?.price;
          if (candles.length > 0) expect(candles.at(-1)?.close_price).toBe(price);
        }
      }
    });

    test("have the volume of the trades, of all pools and of each", () => {
      for (const address of addresses().slice(0, 25)) {
        const first = prices.find(({ token }) => token === address)?.id ?? 0;
        const priced = tradesWithin(address, Date.UTC(2026, 0) / 1000 - 1, NOW).filter(({ id }) => id >= first);
        const volume = priced.reduce((sum, { value }) => sum + value, 0n);
        const all = total(distinct(candlesOf(address, { res: "1d", candles: 1000 }).data), "volume");
        expect(all).toBeCloseTo(Number(volume) / 1e6, 3);
        const token = [address];
        const pools = allRows(ledger.reader, "v2-token-markets", { token }, 100).map(({ pool_id }) => String(pool_id));
        const volumes = pools.map((pool_id) =>
          total(distinct(candlesOf(address, { res: "1M", pool_id }).data), "volume"),
        );
        expect(volumes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(all * 1.000001);
      }
    });

    test("of a pool can have the prices of its other token", () => {
      const [pool] = rows("v2-token-markets", { token: [WRAPPED_SOL], sort_by: "trade" });
      fc.pre(pool !== undefined);
      const pool_id = String(pool?.pool_id);
      const direction = pool?.token_1 === WRAPPED_SOL ? "quote" : "base";
      const params = { res: "1h", candles: 1000 } as const;
      const quote = candlesOf(WRAPPED_SOL, { ...params, pool_id, currency: "quote" });
      expect(quote.currency).toBe("quote");
      const market = data("v2-market-price-ohlcv", { address: pool_id, direction, ...params }) as { data: Rows };
      expect(distinct(quote.data).map(({ time, volume }) => [time, volume])).toEqual(
        market.data.map(({ time, volume }) => [time, volume]),
      );
      distinct(quote.data).forEach(({ close_price }, n) => {
        // The prices of markets are rounded.
        expect(number(close_price) / number(market.data[n]?.close_price)).toBeCloseTo(1, 6);
      });
      // Without a pool the currency has no effect.
      const { currency, ...usd } = candlesOf(WRAPPED_SOL, { ...params, currency: "quote" });
      expect([currency, usd]).toEqual(["quote", candlesOf(WRAPPED_SOL, params)]);
    });

    test("of all pages are those of one request; each page repeats the candle of its cursor", () => {
      for (const res of ["1m", "1h", "1d", "1W"]) {
        const whole = distinct(candlesOf(WRAPPED_SOL, { res, candles: 1000 }).data);
        const merged = new Map<unknown, JsonObject>();
        let cursor: ParamInput;
        for (let page = 0; page < 100; page += 1) {
          const answer = candlesOf(WRAPPED_SOL, { res, candles: 20, ...(cursor === undefined ? {} : { cursor }) });
          if (cursor !== undefined) {
            expect(answer.data.at(-1)).toEqual(merged.get(answer.data.at(-1)?.time));
            if (answer.data.length === 1) break;
          }
          for (const candle of distinct(answer.data)) merged.set(candle.time, merged.get(candle.time) ?? candle);
          expect(number(answer.cursor)).toBeGreaterThanOrEqual(number(answer.data[0]?.time));
          cursor = number(answer.cursor);
        }
        const sorted = [...merged.values()].toSorted((a, b) => number(a.time) - number(b.time));
        expect(sorted.slice(-whole.length)).toEqual(whole);
      }
    });

    test("lie within the requested times", () => {
      const [from_time, to_time] = [NOW - 10 * DAY, NOW - 3 * DAY];
      const { data: candles } = candlesOf(WRAPPED_SOL, { res: "1d", from_time, to_time });
      const { data: all } = candlesOf(WRAPPED_SOL, { res: "1d" });
      const isWithin = ({ time }: JsonObject) =>
        number(time) >= dateOf(from_time) * 1e4 && number(time) <= dateOf(to_time) * 1e4;
      expect(candles).toEqual(all.filter(isWithin));
    });

    test("occur twice while they are forming, the current state last", () => {
      let repeated = 0;
      for (const address of addresses()) {
        for (const res of CANDLE_RESOLUTIONS) {
          const { data: candles, candles: count, cursor } = candlesOf(address, { res, candles: 3 });
          expect(candles.length).toBeLessThanOrEqual(3);
          expect(count).toBe(candles.length);
          if (distinct(candles).length === candles.length) continue;
          repeated += 1;
          const [earlier, current] = candles.slice(-2);
          expect(res).not.toBe("1m");
          expect(distinct(candles).length).toBe(candles.length - 1);
          expect([earlier?.time, earlier?.open_price]).toEqual([current?.time, current?.open_price]);
          expect(number(earlier?.volume)).toBeLessThan(number(current?.volume));
          expect(number(earlier?.high_price)).toBeLessThanOrEqual(number(current?.high_price));
          expect(candlesOf(address, { res, candles: 1 }).data).toEqual([current]);
          const older = candlesOf(address, { res, candles: 3, cursor: number(cursor) }).data;
          expect(distinct(older)).toEqual(older);
        }
      }
      if (trades.filter(({ time }) => time >= Math.floor(NOW / 60) * 60).length > 0)
        expect(repeated).toBeGreaterThan(0);
    });

    test("do not exist for what is no token", () => {
      expect(candlesOf(WALLET)).toEqual({ data: [], candles: 0, res: "1m", cursor: null });
    });
  });

  test("days end with the current supply and holders, and agree with trades and transfers", () => {
    for (const address of addresses().slice(0, 12)) {
      const meta = data("v2-token-meta", { address });
      const { token_address, data: days } = data("v2-token-historical-data", { address, range: 30 }) as JsonObject & {
        data: Rows;
      };
      expect(token_address).toBe(address);
      expect(days.length).toBeLessThanOrEqual(30);
      const dates = days.map(({ date }) => number(date));
      expect(dates).toEqual(dates.toSorted((a, b) => a - b));
      expect(dates.at(-1)).toBe(dateOf(NOW));
      expect(days.at(-1)?.num_holders).toBe(meta.holder);
      // Within the precision of doubles: supplies are up to 10^13 whole tokens.
      const supply = Number(meta.supply) / 10 ** number(meta.decimals);
      expect(number(days.at(-1)?.supply) / (supply || 1)).toBeCloseTo(Number(supply > 0), 12);
      expect(data("v2-token-historical-data", { address }).data).toEqual(days.slice(-7));
      for (const day of days) {
        const start =
          Date.UTC(
            Math.floor(number(day.date) / 1e4),
            (Math.floor(number(day.date) / 100) % 100) - 1,
            number(day.date) % 100,
          ) / 1000;
        const within = tradesWithin(address, start - 1, start + DAY - 1);
        expect(number(day.total_trade_volume)).toBeCloseTo(
          Number(within.reduce((sum, { value }) => sum + value, 0n)) / 1e6,
          4,
        );
        expect(number(day.total_volume_buying) + number(day.total_volume_selling)).toBeCloseTo(
          number(day.total_trade_volume),
          4,
        );
        expect(number(day.total_amount_buying) + number(day.total_amount_selling)).toBe(day.total_trade_amount);
        expect(day.num_buyers).toBe(
          new Set(within.filter(({ tokens }) => tokens[0] !== address).map(({ trader }) => trader)).size,
        );
        const window = { from_time: start, to_time: start + DAY - 1 };
        expect(day.num_transfers).toBe(allRows(ledger.reader, "v2-token-transfer", { address, ...window }, 100).length);
      }
    }
  });

  test("days have the holders and the supply of their end", () => {
    const { shift } = ledger.reader.clock;
    const changes = ledger.db.prepare(
      `SELECT c.account_id AS account, c.post, b.time + ? AS time FROM balance_changes c
      JOIN transactions x ON x.id = c.id / 1024 JOIN blocks b ON b.slot = x.id / 8192
      WHERE c.token_id = (SELECT id FROM accounts WHERE address = ?) ORDER BY c.id`,
    );
    changes.setReadBigInts(true);
    for (const address of addresses().slice(0, 12)) {
      const all = changes.all(shift, address);
      const decimals = number(data("v2-token-meta", { address }).decimals);
      for (const day of rows("v2-token-historical-data", { address, range: 30 })) {
        const text = String(day.date);
        const end = Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6)) + 1) / 1000;
        const balances = new Map(
          all.filter(({ time }) => Number(time) < end).map(({ account, post }) => [account, BigInt(post as bigint)]),
        );
        expect(day.num_holders).toBe([...balances.values()].filter((amount) => amount > 0n).length);
        const supply = [...balances.values()].reduce((sum, amount) => sum + amount, 0n);
        expect(number(day.supply)).toBeCloseTo(Number(supply) / 10 ** decimals, 2);
      }
    }
  });

  describe("search", () => {
    const search = (params: Record<string, ParamInput>) =>
      data("v2-token-search", params) as { total: number; items: Rows };
    const tokens = () =>
      ledger.db
        .prepare(
          `SELECT a.address, t.name, t.symbol, t.reputation FROM tokens t JOIN accounts a USING (id)
          WHERE t.kind = 'fungible' AND a.address <> '${NATIVE_SOL}'`,
        )
        .all() as unknown as readonly { address: string; name: string; symbol: string; reputation: number }[];
    const addressesFor = (params: Record<string, ParamInput>) =>
      allRows(ledger.reader, "v2-token-search", params, 40).map(({ address }) => String(address));

    test("finds names, symbols and addresses, also parts of them", () => {
      const known = tokens();
      fc.assert(
        fc.property(fc.nat(known.length - 1), fc.nat(), (at, cut) => {
          const { address, name, symbol } = known[at] as (typeof known)[number];
          fc.pre(/^[\w ]+$/.test(symbol) && name.trim() === name);
          const lower = symbol.toLowerCase();
          expect(addressesFor({ keyword: lower, search_by: "symbol" }).toSorted()).toEqual(
            known
              .filter((token) => token.symbol.toLowerCase() === lower)
              .map((token) => token.address)
              .toSorted(),
          );
          expect(addressesFor({ keyword: name })).toContain(address);
          expect(addressesFor({ keyword: address })).toEqual([address]);
          const part = symbol.slice(0, 1 + (cut % symbol.length));
          expect(addressesFor({ keyword: part, search_mode: "fuzzy" })).toContain(address);
          const prefix = address.slice(0, 3 + (cut % 30));
          expect(addressesFor({ keyword: prefix, search_mode: "fuzzy", search_by: "address" })).toContain(address);
          expect(addressesFor({ keyword: prefix, search_by: "address" })).toEqual([]);
        }),
        { numRuns: 30 },
      );
    });

    test("has the metadata of the tokens, and their reputation as a mark", () => {
      const reputation = new Map(tokens().map((token) => [token.address, token.reputation]));
      for (const item of search({ keyword: "o", search_mode: "fuzzy", page_size: 40 }).items) {
        const { is_verified, ...fields } = item;
        const { mint_authority, freeze_authority, extensions, onchain_extensions, ...meta } = data("v2-token-meta", {
          address: String(item.address),
        });
        expect(fields).toEqual(meta);
        expect(is_verified).toBe((reputation.get(String(item.address)) ?? 0) >= 50);
      }
    });

    test("sorts by reputation first, and excludes what is not verified", () => {
      const reputation = new Map(tokens().map((token) => [token.address, token.reputation]));
      const order = addressesFor({ keyword: "o", search_mode: "fuzzy" }).map((address) => reputation.get(address) ?? 0);
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      const verified = addressesFor({ keyword: "o", search_mode: "fuzzy", exclude_unverified_token: true });
      expect(verified.length).toBe(order.filter((one) => one >= 50).length);
      for (const sort_by of ["market_cap", "volume_24h"] as const) {
        for (const sort_order of ["asc", "desc"] as const) {
          const sorted = allRows(
            ledger.reader,
            "v2-token-search",
            { keyword: "o", search_mode: "fuzzy", sort_by, sort_order },
            40,
          );
          expect(
            isSorted(
              sorted.map((row) => ({ [sort_by]: 0, ...row })),
              sort_by,
              sort_order,
            ),
          ).toBe(true);
        }
      }
    });

    test("knows wrapped SOL by both of its symbols", () => {
      for (const keyword of ["SOL", "wsol"]) {
        const [first] = search({ keyword }).items;
        if (first) expect([first.address, first.symbol]).toEqual([WRAPPED_SOL, "WSOL"]);
      }
      expect(search({ keyword: WRAPPED_SOL }).items[0]?.symbol).toBe("WSOL");
    });
  });
});
