/** Properties of the legacy token lists, and of all answers about tokens and markets. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import { type TestLedger, tinyLedger, worldLedger } from "../support/ledger.ts";
import { allRows, entityProblem, explainQuery, recordStatements } from "../support/lists.ts";
import { type ParamInput, queryData, queryRows } from "../support/query.ts";
import { type PriceChange, priceAt, pricesOf } from "../support/trades.ts";

const DAY = 86_400;
const PERIODS = { "24h": 1, "7d": 7, "14d": 14, "30d": 30, "60d": 60, "200d": 200, "1y": 365 };
/** Tables and subqueries that are small enough to be scanned. */
const SMALL =
  /^SCAN (p|s|t|r|place|programs|program_stats|platforms|\d+ CONSTANT ROWS?|\(subquery-\d+\)|CONSTANT ROW)\b/;

const data = (ledger: TestLedger, route: string, params: Readonly<Record<string, ParamInput>> = {}) =>
  queryData(ledger.reader, route, params) as JsonObject;

describe.each([
  ["tiny", tinyLedger],
  ["generated", worldLedger],
])("legacy tokens of a %s ledger", (_name, open) => {
  let ledger: TestLedger;
  let fungible: readonly string[];
  let prices: readonly PriceChange[];
  beforeAll(async () => {
    ledger = await open();
    const rows = ledger.db.prepare(
      "SELECT address FROM tokens JOIN accounts USING (id) WHERE tokens.kind = 'fungible' AND address <> ?",
    );
    fungible = rows.all(NATIVE_SOL).map(({ address }) => String(address));
    prices = pricesOf(ledger.db);
  });

  /** Returns the value of the sort key; null where there is none. */
  const keyOf = (row: JsonObject, sortBy: string): number | null => {
    const [, period] = sortBy.split("price_change_");
    if (period !== undefined) {
      const { marketData } = row.coingeckoInfo as { marketData: JsonObject };
      return marketData[`priceChangePercentage${period}`] as number | null;
    }
    const values = {
      market_cap: row.marketCapFD,
      volume: (row.volume as JsonObject).volumeUsd,
      holder: row.holder,
      price: row.priceUst,
    };
    return values[sortBy as keyof typeof values] as number | null;
  };

  test("the list is complete in every order, tokens without a value last", () => {
    for (const sortBy of [
      "market_cap",
      "volume",
      "holder",
      "price",
      ...Object.keys(PERIODS).map((n) => `price_change_${n}`),
    ]) {
      for (const direction of ["asc", "desc"]) {
        const rows = allRows(ledger.reader, "token-list", { sortBy, direction }, 50);
        expect(rows.map((row) => String(row.mintAddress)).sort()).toEqual([...fungible].sort());
        expect(data(ledger, "token-list", { sortBy }).total).toBe(rows.length);
        const keys = rows.map((row) => keyOf(row, sortBy));
        const known = keys.filter((key) => key !== null).map(Number);
        expect(keys.slice(known.length).every((key) => key === null)).toBe(true);
        const expected = [...known].sort((a, b) => (direction === "asc" ? a - b : b - a));
        expect(known).toEqual(expected);
      }
    }
  });

  test("price changes match the prices", () => {
    const { end } = ledger.reader.clock;
    for (const row of allRows(ledger.reader, "token-list", {}, 50)) {
      const address = String(row.mintAddress);
      const now = priceAt(prices, address, end);
      expect(row.priceUst).toBe(now ?? null);
      for (const [name, days] of Object.entries(PERIODS)) {
        const before = priceAt(prices, address, end - days * DAY);
        const change = keyOf(row, `price_change_${name}`);
        if (now === undefined || before === undefined) expect(change).toBeNull();
        else expect(change).toBeCloseTo((now / before - 1) * 100, 6);
      }
    }
  });

  test("answers match those of the v2 family", () => {
    for (const address of fungible) {
      const [old, meta] = [
        data(ledger, "token-meta", { tokenAddress: address }),
        data(ledger, "v2-token-meta", { address }),
      ];
      for (const name of ["address", "name", "decimals", "supply", "holder", "price"]) {
        expect(old[name]).toEqual(meta[name]);
      }
      if (address !== WRAPPED_SOL) expect(old.symbol).toBe(meta.symbol);
      const market = data(ledger, "market-token-detail", { tokenAddress: address });
      expect(market.priceUsdt).toBe(meta.price ?? null);
      expect(market.priceChange24h).toBe(meta.price_change_24h ?? null);
      expect(market.marketCapRank).toBe(meta.market_cap_rank ?? null);
      expect(market.markets).toEqual(queryRows(ledger.reader, "v2-token-markets", { token: [address] }));
      const holders = allRows(ledger.reader, "token-holders", { tokenAddress: address }, 50);
      expect(holders.map((row) => row.address)).toEqual(
        allRows(ledger.reader, "v2-token-holders", { address }, 40).map((row) => row.address),
      );
    }
  });

  test("slices of any length add up to the list of changes, also by owner and account", () => {
    for (const tokenAddress of fungible.slice(0, 8)) {
      const all = allRows(ledger.reader, "token-transfer", { tokenAddress }, 50);
      expect(data(ledger, "token-transfer", { tokenAddress }).total).toBe(all.length);
      expect(new Set(all.map((row) => row._id)).size).toBe(all.length);
      expect(all.every((row, n) => n === 0 || Number(row.blockTime) <= Number(all[n - 1]?.blockTime))).toBe(true);
      for (const row of all) {
        const change = BigInt(String(row.postBalance)) - BigInt(String(row.preBalance));
        expect(change < 0n ? "dec" : "inc").toBe(row.changeType);
      }
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 50 }), fc.nat({ max: all.length }), (limit, offset) => {
          expect(queryRows(ledger.reader, "token-transfer", { tokenAddress, limit, offset })).toEqual(
            all.slice(offset, offset + limit),
          );
        }),
        { numRuns: 10 },
      );
      for (const field of ["owner", "address"]) {
        for (const address of [...new Set(all.map((row) => String(row[field])))].slice(0, 5)) {
          expect(allRows(ledger.reader, "token-transfer", { tokenAddress, address }, 40)).toEqual(
            all.filter((row) => row[field] === address),
          );
        }
      }
    }
  });

  test("every answer matches the catalogue, and no large table is scanned", () => {
    const { reader, statements } = recordStatements(ledger.reader);
    const address = String(fungible.find((one) => data(ledger, "v2-token-meta", { address: one }).price !== undefined));
    const owner = String(queryRows(reader, "v2-token-holders", { address })[0]?.owner);
    const pool = String(queryRows(reader, "v2-market-list")[0]?.pool_address);
    const token = { tokenAddress: address };
    const requests: readonly (readonly [route: string, params?: Readonly<Record<string, ParamInput>>])[] = [
      ...["meta", "holders", "price", "transfer", "defi-activities"].map(
        (name) => [`v2-token-${name}`, { address }] as const,
      ),
      ["v2-token-holders", { address, from_value: 1, to_amount: "1000000000" }],
      ...["meta-multi", "price-multi"].map((name) => [`v2-token-${name}`, { address: fungible.slice(0, 20) }] as const),
      ...["volume", "trade", "tvl", "trader"].map(
        (sort_by) => ["v2-token-markets", { token: [address], sort_by }] as const,
      ),
      ...["holder", "market_cap", "created_time"].map((sort_by) => ["v2-token-list", { sort_by }] as const),
      ...["top", "trending", "latest"].map((name) => [`v2-token-${name}`] as const),
      ["v2-token-latest", { platform_id: "pumpfun" }],
      ...["created_time", "volumes_24h", "trades_24h"].map((sort_by) => ["v2-market-list", { sort_by }] as const),
      ["v2-market-list", { token_address: address, sort_order: "asc" }],
      ...["info", "volume"].map((name) => [`v2-market-${name}`, { address: pool }] as const),
      ["v2-program-list"],
      ["v2-program-popular-platforms"],
      ["chaininfo"],
      ...["meta", "holders", "transfer"].map((name) => [`token-${name}`, token] as const),
      ["token-transfer", { ...token, address: owner }],
      ["token-list", { sortBy: "price_change_30d" }],
      ["market-token-detail", token],
    ];
    for (const [route, params = {}] of requests) {
      const rows = queryRows(reader, route, params);
      for (const row of Array.isArray(rows) ? rows : [rows]) expect(entityProblem(route, row)).toBeUndefined();
    }
    for (const [sql, values] of statements) {
      const lines = explainQuery(ledger.db, sql, values).filter(
        (line) => line.startsWith("SCAN") && !SMALL.test(line) && !line.startsWith("SCAN (subquery-"),
      );
      expect(lines, sql).toEqual([]);
    }
  });
});
