/** Properties of the NFT lists of the sandbox. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { JsonObject } from "../../src/base/json.ts";
import { NFT_ACTIVITIES } from "../../src/catalogue/constants.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { tinyLedger, worldLedger } from "../support/ledger.ts";
import { type ParamInput, queryRows, runQuery } from "../support/query.ts";
import { asDoubles, planSteps } from "../support/query-plans.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read without static types
type Answer = any;
type Filter = Readonly<Record<string, ParamInput>>;

const SIZES: Readonly<Record<string, readonly number[]>> = {
  "v2-nft-activities": [10, 20, 30, 40, 60, 100],
  "v2-nft-news": [12, 24, 36],
  "v2-nft-collection-lists": [10, 20, 30, 40],
  "v2-nft-collection-items": [12, 24, 36],
};
const DAY = 86_400;

describe.each(["tiny", "world"])("the %s ledger", (name) => {
  let db: LedgerReader;
  let activities: readonly Answer[];
  let collections: readonly Answer[];
  beforeAll(async () => {
    ({ reader: db } = name === "tiny" ? await tinyLedger() : await worldLedger());
    activities = all("v2-nft-activities");
    collections = all("v2-nft-collection-lists");
  });

  const rows = (route: string, filter: Filter = {}): readonly Answer[] =>
    asDoubles(queryRows(db, route, filter) as readonly JsonObject[] as JsonObject[]) as readonly Answer[];
  const all = (route: string, filter: Filter = {}, size = SIZES[route]?.at(-1)): readonly Answer[] => {
    const matches: Answer[] = [];
    for (let page = 1; ; page += 1) {
      const more = rows(route, { page, page_size: size, ...filter });
      matches.push(...more);
      if (more.length < Number(size)) return matches;
    }
  };
  const count = (sql: string): number => Number(db.get(sql)?.n);

  test("pages of any size are the same list", () => {
    const lists: readonly (readonly [string, Filter])[] = [
      ["v2-nft-activities", {}],
      ["v2-nft-news", {}],
      ["v2-nft-collection-lists", { sort_by: "items" }],
      ["v2-nft-collection-items", { collection: collections[0].collection_id }],
      ["v2-nft-collection-items", { collection: collections[0].collection_id, sort_by: "listing_price" }],
    ];
    const choice = fc
      .constantFrom(...lists)
      .chain(([route, filter]) => fc.constantFrom(...(SIZES[route] ?? [])).map((size) => ({ route, filter, size })));
    fc.assert(
      fc.property(choice, ({ route, filter, size }) => {
        expect(all(route, filter, size)).toEqual(all(route, filter));
      }),
      { numRuns: 12 },
    );
  });

  test("activities are complete, newest first", () => {
    expect(activities.length).toBe(count("SELECT COUNT(*) AS n FROM nft_activities"));
    const times = activities.map(({ block_time }) => block_time);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const row of activities) expectEntity(entities.NftActivity, row);
  });

  test("a filter and its complement add up to the list", () => {
    const key = (row: unknown) => JSON.stringify(row);
    const whole = activities.map(key).sort();
    const parts = (...filters: readonly Filter[]) =>
      filters
        .flatMap((filter) => all("v2-nft-activities", filter))
        .map(key)
        .sort();
    const values = (field: string) => [...new Set(activities.map((row) => String(row[field])))];
    expect(parts(...NFT_ACTIVITIES.map((type) => ({ activity_type: [type] })))).toEqual(whole);
    expect(parts(...values("marketplace_address").map((source) => ({ source: [source] })))).toEqual(whole);
    expect(parts(...values("collection_address").map((collection) => ({ collection })))).toEqual(whole);
    expect(parts(...values("currency_token").map((currency_token) => ({ currency_token })))).toEqual(whole);
    const middle = Number(activities[Math.floor(activities.length / 2)].block_time);
    expect(parts({ to_time: middle }, { from_time: middle + 1 })).toEqual(whole);
  });

  test("activities can be filtered by their sides and their NFT", () => {
    const sample = activities.filter((_, index) => index % Math.ceil(activities.length / 12) === 0);
    for (const { from_address: from, to_address: to, token_address: token } of sample) {
      for (const [filter, field, value] of [
        [{ from }, "from_address", from],
        [{ to }, "to_address", to],
        [{ token }, "token_address", token],
      ] as const) {
        if (value === "") continue;
        expect(all("v2-nft-activities", filter)).toEqual(activities.filter((row) => row[field] === value));
      }
    }
    const [one, other] = activities;
    const both = [one.token_address, other.token_address];
    expect(all("v2-nft-activities", { token: both.join() })).toEqual(
      activities.filter(({ token_address }) => both.includes(token_address)),
    );
  });

  test("prices are filtered in whole units, both ends included", () => {
    const { currency_token, currency_decimals, price } = activities[0];
    const unit = 10 ** currency_decimals;
    const limit = (price / unit).toFixed(currency_decimals);
    const own = activities.filter((row) => row.currency_token === currency_token);
    const low = all("v2-nft-activities", { currency_token, price: ["0", limit] });
    expect(low).toEqual(own.filter((row) => row.price <= price));
    const high = all("v2-nft-activities", { currency_token, price: [limit, "99999999999"] });
    expect(high).toEqual(own.filter((row) => row.price >= price));
  });

  test("the list of newest NFTs is complete", () => {
    const news = all("v2-nft-news");
    expect(news.length).toBe(count("SELECT COUNT(*) AS n FROM nfts"));
    expect(new Set(news.map(({ info }) => info.address)).size).toBe(news.length);
    const times = news.map(({ info }) => info.createdTime);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const row of news.slice(0, 200)) {
      expectEntity(entities.Nft, row);
      const { data, meta, retried } = row.info;
      expect([meta.retried, retried]).toEqual([0, 0]);
      expect(meta.tokenId).toBe(data.id);
    }
    const symbols = count("SELECT COUNT(*) AS n FROM nft_collections WHERE symbol = ''");
    expect(collections.filter(({ symbol }) => symbol === null)).toHaveLength(symbols);
  });

  test("a collection counts its NFTs, and its floor is the lowest listing", () => {
    expect(collections.reduce((sum, { items }) => sum + items, 0)).toBe(count("SELECT COUNT(*) AS n FROM nfts"));
    for (const collection of collections.slice(0, 6)) {
      expectEntity(entities.NftCollection, collection);
      const filter = { collection: collection.collection_id };
      expect(all("v2-nft-collection-lists", filter)).toEqual([collection]);
      const listed = all("v2-nft-collection-items", { ...filter, sort_by: "listing_price" });
      expect(listed.length).toBe(collection.items);
      const prices = inSol(listed.flatMap(({ tradeInfo }) => tradeInfo ?? []));
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
      const isSol = listed.every(({ tradeInfo }) => tradeInfo === undefined || prices.length > 0);
      if (isSol && prices.length > 0) expect(collection.floor_price).toBeLessThanOrEqual((prices[0] ?? 0) / 1e9);
    }
  });

  test("volumes are the sales of their time range", () => {
    const { end, shift } = db.clock;
    const now = end + shift;
    const sold = activities.filter(({ activity_type }) => activity_type === "ACTIVITY_NFT_SOLD");
    const volume = (collection: string, from: number, to: number) => {
      const own = sold.filter(
        ({ collection_address, block_time }) =>
          collection_address === collection && block_time > from && block_time <= to,
      );
      const plain = own.every(({ currency_token }) => [NATIVE_SOL, WRAPPED_SOL].includes(currency_token));
      return plain ? inSol(own).reduce((sum, price) => sum + price, 0) / 1e9 : undefined;
    };
    for (const range of [1, 7, 30]) {
      for (const row of all("v2-nft-collection-lists", { range })) {
        const [whole, before] = [
          volume(row.collection_id, now - range * DAY, now),
          volume(row.collection_id, now - 2 * DAY, now - DAY),
        ];
        if (whole !== undefined) expect(row.volumes).toBeCloseTo(whole, 6);
        if (before !== undefined) expect(row.total_vol_prev_24h).toBeCloseTo(before, 6);
      }
    }
  });

  test("collections are in the requested order", () => {
    for (const sort_by of ["items", "floor_price", "volumes"]) {
      const down = all("v2-nft-collection-lists", { sort_by, range: 30 }).map((row) => row[sort_by]);
      expect(down).toEqual(down.toSorted((a, b) => b - a));
      const up = all("v2-nft-collection-lists", { sort_by, range: 30, sort_order: "asc" }).map((row) => row[sort_by]);
      expect(up).toEqual(down.toReversed());
    }
  });

  test("items are sorted by their last trade, those without a trade last", () => {
    const sales = activities.filter(({ activity_type }) => activity_type === "ACTIVITY_NFT_SOLD");
    const [sale] = sales;
    if (!sale) return;
    const collection = sale.collection_address;
    const items = all("v2-nft-collection-items", { collection });
    const traded = items.filter(({ stats }) => stats !== undefined);
    expect(items.slice(0, traded.length)).toEqual(traded);
    const expected = new Map<string, Answer>();
    for (const row of sales) {
      if (row.collection_address === collection && !expected.has(row.token_address))
        expected.set(row.token_address, row);
    }
    expect(traded.map(({ info }) => info.address)).toEqual([...expected.keys()]);
    for (const row of traded) {
      const last = expected.get(row.info.address);
      expect(row.tradeInfo).toEqual(row.stats);
      expect(row.stats).toMatchObject({
        type: "Buy",
        signature: last.trans_id,
        trade_time: last.block_time,
        price: String(last.price),
        seller: last.from_address,
        buyer: last.to_address,
      });
    }
    for (const row of items.slice(0, 100)) expectEntity(entities.NftCollectionItem, row);
  });

  test("a collection can be named by its identifier and by its address", () => {
    const [{ info }] = rows("v2-nft-news");
    const [hex, key] = [info.collectionId, info.collectionKey];
    for (const route of ["v2-nft-activities", "v2-nft-collection-lists", "v2-nft-collection-items"]) {
      expect(rows(route, { collection: key })).toEqual(rows(route, { collection: hex }));
    }
    expect(rows("v2-nft-activities", { collection: "00".repeat(32) })).toEqual([]);
    expect(rows("v2-nft-collection-lists", { collection: "00".repeat(32) })).toEqual([]);
    expect(rows("v2-nft-collection-items", { collection: "00".repeat(32) })).toEqual([]);
  });

  test("queries use indexes", () => {
    const { collectionId: collection, address: token } = rows("v2-nft-news")[0].info;
    for (const [route, filter] of [
      ["v2-nft-news", {}],
      ["v2-nft-activities", {}],
      ["v2-nft-activities", { token }],
      ["v2-nft-activities", { collection, activity_type: ["ACTIVITY_NFT_SOLD"] }],
    ] as const) {
      const steps = planSteps(db, (watched) => runQuery(watched, route, filter));
      expect(steps.filter((step) => /^SCAN (nfts|n|x|b|c|t)$/.test(step))).toEqual([]);
      // Only the page is sorted, after its rows are joined.
      expect(steps.filter((step) => step.startsWith("USE TEMP B-TREE")).length).toBeLessThanOrEqual(1);
    }
  });

  function expectEntity(schema: z.ZodType, value: unknown): void {
    expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  }

  /** Returns the prices that are in SOL. */
  const inSol = (list: readonly Answer[]): readonly number[] =>
    list
      .filter(({ currency_token }) => [NATIVE_SOL, WRAPPED_SOL].includes(currency_token))
      .map(({ price }) => Number(price));
});
