/** Properties of token metadata, holders and lists. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { NATIVE_SOL, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import { type TestLedger, tinyLedger, worldLedger } from "../support/ledger.ts";
import { allRows, isSorted } from "../support/lists.ts";
import { queryCsv, queryData, queryRows } from "../support/query.ts";
import { countTrades, type PriceChange, priceAt, pricesOf, type Trade, tradesOf } from "../support/trades.ts";

const DAY = 86_400;
/** Page sizes of holders. */
const SIZES = [10, 20, 30, 40] as const;

const meta = (ledger: TestLedger, address: string) =>
  queryData(ledger.reader, "v2-token-meta", { address }) as JsonObject;
const addressesOf = (rows: readonly JsonObject[], name = "address") => rows.map((row) => String(row[name]));
const amountOf = (row: JsonObject) => BigInt(String(row.amount_str));
const sum = (rows: readonly JsonObject[]) => rows.reduce((total, row) => total + amountOf(row), 0n);

describe.each([
  ["tiny", tinyLedger],
  ["generated", worldLedger],
])("tokens of a %s ledger", (_name, open) => {
  let ledger: TestLedger;
  let fungible: readonly string[];
  let trades: readonly Trade[];
  let prices: readonly PriceChange[];
  let end: number;
  beforeAll(async () => {
    ledger = await open();
    const rows = ledger.db
      .prepare("SELECT address FROM tokens JOIN accounts USING (id) WHERE tokens.kind = 'fungible'")
      .all();
    fungible = rows.map(({ address }) => String(address)).filter((address) => address !== NATIVE_SOL);
    trades = tradesOf(ledger.db);
    prices = pricesOf(ledger.db);
    end = ledger.reader.clock.end;
  });

  test("holders add up to the supply, and their number to the total and the token's holder", () => {
    for (const address of fungible) {
      const token = meta(ledger, address);
      const rows = allRows(ledger.reader, "v2-token-holders", { address }, 40);
      const { total } = queryData(ledger.reader, "v2-token-holders", { address }) as JsonObject;
      // What accounts withhold of transfers is part of the supply, and of no balance.
      const { extensions } =
        ledger.reader.get("SELECT extensions FROM tokens WHERE id = ?", ledger.reader.idOf(address) ?? 0) ?? {};
      const withholds = String(extensions).includes("transferFeeConfig");
      if (withholds) expect(BigInt(sum(rows)), address).toBeLessThanOrEqual(BigInt(String(token.supply)));
      else expect(String(sum(rows)), address).toBe(token.supply);
      expect(rows.length).toBe(token.holder);
      expect(rows.length).toBe(total);
      expect(addressesOf(rows).length).toBe(new Set(addressesOf(rows)).size);
      expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_row, n) => n + 1));
      expect(rows.every((row, n) => n === 0 || amountOf(row) <= amountOf(rows[n - 1] as JsonObject))).toBe(true);
      if (rows.length > 0 && !withholds) {
        expect(rows.reduce((all, { percentage }) => all + Number(percentage), 0)).toBeCloseTo(100, 6);
      }
    }
  });

  test("holders inside and outside a range add up to all holders", () => {
    const some = fungible.filter((address) => meta(ledger, address).price !== undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...some),
        fc.constantFrom(...SIZES),
        fc.constantFrom("amount", "value"),
        fc.nat({ max: 1000 }),
        (address, size, quantity, at) => {
          const all = allRows(ledger.reader, "v2-token-holders", { address }, 40);
          const row = all[at % all.length] as JsonObject;
          const bound = quantity === "amount" ? String(row.amount_str) : String(Number(row.value));
          fc.pre(!bound.includes("e"));
          const within = allRows(ledger.reader, "v2-token-holders", { address, [`from_${quantity}`]: bound }, size);
          const below = allRows(ledger.reader, "v2-token-holders", { address, [`to_${quantity}`]: bound }, size);
          const equal = all.filter((one) =>
            quantity === "amount" ? one.amount_str === row.amount_str : one.value === row.value,
          );
          expect(within.length + below.length - equal.length).toBe(all.length);
          expect(addressesOf(within)).toEqual(addressesOf(all.slice(0, within.length)));
          expect(below[0]?.rank).toBe(1);
          const { total } = queryData(ledger.reader, "v2-token-holders", {
            address,
            [`to_${quantity}`]: bound,
          }) as JsonObject;
          expect(below.length).toBe(total);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("market statistics match the trades and the prices", () => {
    for (const address of fungible) {
      const token = meta(ledger, address);
      const of = trades.filter(({ tokens }) => tokens.includes(address));
      const [now, before] = [countTrades(of, end - DAY, end), countTrades(of, end - 2 * DAY, end - DAY)];
      const [price, earlier] = [priceAt(prices, address, end), priceAt(prices, address, end - DAY)];
      expect(token.price).toBe(price);
      expect(Number(token.volume_24h)).toBe(now.volume);
      expect(token.total_dex_vol_24h).toEqual(token.volume_24h);
      const change = before.volume === 0 ? 0 : (now.volume / before.volume - 1) * 100;
      expect(Number(token.dex_vol_change_24h)).toBeCloseTo(change, 6);
      if (price === undefined) {
        for (const name of ["price", "market_cap", "market_cap_rank", "price_change_24h"])
          expect(token).not.toHaveProperty(name);
        continue;
      }
      expect(token.price_change_24h).toBeCloseTo(earlier === undefined ? 0 : (price / earlier - 1) * 100, 6);
      const units = Number(token.supply) / 10 ** Number(token.decimals);
      expect(Number(token.market_cap) / (units * price || 1)).toBeCloseTo(units === 0 ? 0 : 1, 9);
    }
  });

  test("lists contain every token that has a price, in both orders, with ties", () => {
    const priced = fungible.filter((address) => meta(ledger, address).price !== undefined);
    for (const key of ["market_cap", "holder", "created_time"]) {
      for (const size of [10, 60]) {
        const descending = allRows(ledger.reader, "v2-token-list", { sort_by: key }, size);
        const ascending = allRows(ledger.reader, "v2-token-list", { sort_by: key, sort_order: "asc" }, size);
        expect([...addressesOf(descending)].sort()).toEqual([...priced].sort());
        expect(addressesOf(ascending)).toEqual([...addressesOf(descending)].reverse());
        expect(isSorted(descending, key, "desc")).toBe(true);
        expect(isSorted(ascending, key, "asc")).toBe(true);
      }
    }
  });

  test("ranks are positions in the list, and the top is its start", () => {
    const rows = allRows(ledger.reader, "v2-token-list", {}, 100);
    expect(rows.map((row) => meta(ledger, String(row.address)).market_cap_rank)).toEqual(rows.map((_row, n) => n + 1));
    const { total, items } = queryData(ledger.reader, "v2-token-top") as { total: number; items: JsonObject[] };
    expect(total).toBe(rows.length);
    expect(items).toEqual(rows.slice(0, 50));
    for (const row of rows) {
      const token = meta(ledger, String(row.address));
      for (const name of ["price", "market_cap", "holder", "decimals"]) expect(row[name]).toEqual(token[name]);
      expect(row.price_24h_change).toBe(token.price_change_24h ?? 0);
    }
  });

  test("trending is sorted by the traders of a day", () => {
    const count = new Map(
      fungible.map((address) => {
        const of = trades.filter(({ tokens }) => tokens.includes(address));
        return [address, countTrades(of, end - DAY, end).traders];
      }),
    );
    const rows = queryRows(ledger.reader, "v2-token-trending", { limit: 100 });
    const traderCounts = addressesOf(rows).map((address) => Number(count.get(address)));
    expect(traderCounts.every((traders, n) => traders > 0 && (n === 0 || traders <= Number(traderCounts[n - 1])))).toBe(
      true,
    );
    expect(rows.length).toBe(Math.min(100, [...count.values()].filter((traders) => traders > 0).length));
    expect(queryRows(ledger.reader, "v2-token-trending", { limit: 3 })).toEqual(rows.slice(0, 3));
  });

  test("the newest tokens of all platforms contain those of each", () => {
    const all = allRows(ledger.reader, "v2-token-latest", {}, 20);
    expect(isSorted(all, "created_time", "desc")).toBe(true);
    const platforms = [...new Set(all.map(({ platform }) => String(platform)))];
    for (const platform of platforms) {
      const rows = allRows(ledger.reader, "v2-token-latest", { platform_id: platform }, 10);
      expect(rows).toEqual(all.filter((row) => row.platform === platform));
    }
    expect(all.length).toBeGreaterThan(0);
  });

  test("several tokens are in the order of the request, without duplicates and unknown ones", () => {
    const unknown = "9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E";
    const address = [...fungible.slice(0, 3), unknown, NATIVE_SOL, fungible[0] as string];
    const expected = [...fungible.slice(0, 3), NATIVE_SOL];
    expect(queryRows(ledger.reader, "v2-token-meta-multi", { address })).toEqual(
      expected.map((one) => meta(ledger, one)),
    );
    expect(addressesOf(queryRows(ledger.reader, "v2-token-price-multi", { address }), "token_address")).toEqual(
      expected,
    );
    const answers = ["meta", "holders", "price", "transfer", "defi-activities"].map((route) =>
      queryData(ledger.reader, `v2-token-${route}`, { address: unknown }),
    );
    expect(answers).toEqual([{}, { total: 0, items: [] }, [], [], []]);
    const exported = queryCsv(ledger.reader, "v2-token-defi-activities-export", { address: unknown });
    expect(exported.map(([cell]) => cell)).toEqual(["Signature"]);
  });

  test("SOL has the price of its wrapped form, and NFTs have none", () => {
    const [sol, wrapped] = [meta(ledger, NATIVE_SOL), meta(ledger, WRAPPED_SOL)];
    expect(sol.price).toBe(wrapped.price);
    expect(sol).not.toHaveProperty("market_cap_rank");
    const nft = ledger.db.prepare("SELECT address FROM nfts JOIN accounts ON id = token_id LIMIT 1").get();
    const token = meta(ledger, String(nft?.address));
    expect(token).toMatchObject({ decimals: 0, supply: "1" });
    expect(token).not.toHaveProperty("price");
  });
});

describe.each([
  ["test", 0.05],
  ["cached", 0.02],
  ["solx", 0.02],
])("tokens of the world %s", (seed, size) => {
  let ledger: TestLedger;
  let tokens: readonly string[];
  beforeAll(async () => {
    ledger = await worldLedger({ seed, size });
    tokens = ledger.db
      .prepare("SELECT address FROM tokens JOIN accounts USING (id)")
      .all()
      .map((row) => String(row.address));
  });

  test("have all of their origin or nothing of it", () => {
    const names = ["creator", "create_tx", "created_time", "first_mint_tx", "first_mint_time"];
    const present = tokens.map((address) => names.filter((name) => name in meta(ledger, address)).length);
    expect(new Set(present)).toEqual(new Set([0, names.length]));
  });

  test("have metadata only with its URI", () => {
    for (const address of tokens) {
      const token = meta(ledger, address);
      if (token.metadata === null) expect(token.metadata_uri).toBe("");
    }
  });

  test("have the same price change in the list as alone", () => {
    const listed = allRows(ledger.reader, "v2-token-list", {}, 100);
    expect(listed.length).toBeGreaterThan(20);
    for (const { address, price, price_24h_change, market_cap, holder } of listed) {
      const token = meta(ledger, String(address));
      expect([price_24h_change, price, market_cap, holder]).toEqual([
        token.price_change_24h,
        token.price,
        token.market_cap,
        token.holder,
      ]);
    }
  });

  test("include SOL, whose holders sum to its supply in both forms", () => {
    for (const address of [NATIVE_SOL, WRAPPED_SOL]) {
      const [token, rows] = [meta(ledger, address), allRows(ledger.reader, "v2-token-holders", { address }, 40)];
      expect(String(sum(rows))).toBe(token.supply);
      expect(rows.length).toBe(token.holder);
      expect(rows.reduce((all, { percentage }) => all + Number(percentage), 0)).toBeCloseTo(100, 6);
    }
    expect(meta(ledger, WRAPPED_SOL).symbol).toBe("WSOL");
    const [first] = queryRows(ledger.reader, "v2-token-list");
    expect(first).toMatchObject({ address: WRAPPED_SOL, symbol: "SOL" });
  });

  test("have activities with the names of both servers", () => {
    const { reader } = ledger;
    const rows = [...tokens.slice(0, 20), WRAPPED_SOL, NATIVE_SOL].flatMap((address) =>
      queryRows(reader, "v2-token-defi-activities", { address, page_size: 100 }),
    );
    const [swaps, stakes] = ["ACTIVITY_TOKEN_SWAP", "ACTIVITY_LST_STAKE"].map((type) =>
      rows.filter(({ activity_type }) => activity_type === type),
    );
    expect(swaps?.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).not.toHaveProperty("to_address");
      expect(row.platform).toEqual([expect.any(String)]);
      const { routers: hops, ...amounts } = row.amount_info as JsonObject;
      expect(row.routers).toEqual(hops === undefined ? amounts : { ...amounts, child_routers: hops });
      if (amounts.token2 === undefined) expect(hops).toBeUndefined();
      for (const hop of (hops ?? []) as readonly JsonObject[]) {
        expect(hop).toMatchObject({ amount1: expect.any(String), program_address: expect.any(String) });
      }
    }
    for (const { routers } of stakes ?? []) expect(routers).toMatchObject({ token1: NATIVE_SOL });
  });
});
