import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, type JsonObject, numericText } from "../../src/base/json.ts";
import { DEFI_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../src/catalogue/constants.ts";
import * as everyEntity from "../../src/catalogue/entities/index.ts";
import { endpoints, isOnCurve, recordOf, returnsList } from "../../src/catalogue/index.ts";
import { createLedgerReader, type LedgerRow } from "../../src/chain/ledger/store/reader.ts";
import { addressFor, signatureFor } from "../support/chain.ts";
import { tinyLedger } from "../support/ledger.ts";
import { type ParamInput, queryCsv, queryData, queryRows, runQuery } from "../support/query.ts";

const { reader, db, at } = await tinyLedger();
const entities: Readonly<Record<string, unknown>> = everyEntity;
const entityOf = (name: string) => entities[name] as typeof everyEntity.Transfer;

/** Wallets, a leader, token accounts, pools, mints, a program, a stake account, and an unknown one. */
const ADDRESSES = (db.prepare("SELECT address FROM accounts").all() as unknown as { address: string }[])
  .map((row) => row.address)
  .concat(addressFor("unknown"));
const BUSY = [at.alice, at.bob, at.whale, at.aliceUsdc, at.aliceWsol, at.solPool, at.usdc, at.closed];

type Filters = Readonly<Record<string, ParamInput>>;

const textOf = (value: unknown): string => JSON.stringify(value);
const texts = (rows: readonly unknown[]): string[] => rows.map(textOf);
const sorted = (rows: readonly unknown[]): string[] => texts(rows).sort();

/** Reads all rows of a list in pages of a size. */
function every(route: string, filters: Filters, size = 100): JsonObject[] {
  const all: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const rows = queryRows(reader, route, { ...filters, page, page_size: size });
    all.push(...rows);
    if (rows.length < size) return all;
  }
}

const transfers = (address: string, filters: Filters = {}) => every("v2-account-transfer", { address, ...filters });
const activities = (address: string, filters: Filters = {}) =>
  every("v2-account-defi-activities", { address, ...filters });
const changes = (address: string, filters: Filters = {}) => every("v2-account-balance-change", { address, ...filters });

/** Paged lists with their page sizes and required parameters. */
const PAGED: readonly (readonly [route: string, sizes: readonly number[], needs: Filters])[] = [
  ["v2-account-transfer", [10, 20, 30, 40, 60], {}],
  ["v2-account-defi-activities", [10, 20, 30, 40, 60], {}],
  ["v2-account-balance-change", [10, 20, 30, 40, 60], {}],
  ["v2-account-token-accounts", [10, 20, 30], { type: "token" }],
  ["v2-account-token-accounts", [10, 20, 30], { type: "nft" }],
];

describe("pages", () => {
  test("of any size neither overlap nor skip rows", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ADDRESSES), fc.constantFrom(...PAGED), fc.nat(), (address, list, pick) => {
        const [route, sizes, needs] = list;
        const size = sizes[pick % sizes.length] ?? 10;
        const largest = route.endsWith("token-accounts") ? 40 : 100;
        const whole = every(route, { address, ...needs }, largest);
        expect(texts(every(route, { address, ...needs }, size))).toEqual(texts(whole));
        expect(new Set(texts(whole)).size).toBe(whole.length);
      }),
    );
  });

  test("ascending order is the reverse of descending order", () => {
    for (const address of BUSY) {
      for (const list of [transfers, activities, changes]) {
        expect(texts(list(address, { sort_order: "asc" })).reverse()).toEqual(texts(list(address)));
      }
    }
  });

  test("before pages through the transactions, also from a signature of other accounts", () => {
    const read = (limit: number) => {
      const all: JsonObject[] = [];
      for (let before: string | undefined; ; before = String(all.at(-1)?.tx_hash)) {
        const rows = queryRows(reader, "v2-account-transactions", { address: at.alice, limit, before });
        all.push(...rows);
        if (rows.length < limit) return all;
      }
    };
    expect(texts(read(10))).toEqual(texts(read(40)));
    const after = queryRows(reader, "v2-account-transactions", { address: at.alice, limit: 40, before: at.vote });
    const [place] = db.prepare("SELECT id FROM transactions WHERE signature = ?").all(at.vote);
    const number = (hash: unknown) =>
      db.prepare("SELECT id FROM transactions WHERE signature = ?").get(String(hash))?.id;
    expect(after.length).toBeGreaterThan(0);
    for (const row of after) expect(Number(number(row.tx_hash))).toBeLessThan(Number(place?.id));
  });

  test("there is nothing before an unknown signature", () => {
    const before = signatureFor("never sent");
    expect(queryData(reader, "v2-account-transactions", { address: at.alice, before })).toEqual([]);
    expect(queryData(reader, "account-transactions", { account: at.alice, beforeHash: before })).toEqual([]);
  });
});

describe("transfers", () => {
  const owned = (id: number): readonly LedgerRow[] =>
    reader.all(
      "SELECT from_id, to_id, CAST(amount AS TEXT) AS amount FROM transfers WHERE from_id = ? OR to_id = ? ORDER BY id DESC",
      id,
      id,
    );

  test("of a wallet are those of the ledger, out where it is the sender", () => {
    for (const address of [at.alice, at.bob, at.whale, at.solPool, at.cat]) {
      const expected = owned(reader.idOf(address) ?? -1);
      const rows = transfers(address);
      expect(rows.map((row) => [row.from_address, row.to_address, numericText(row.amount as number)])).toEqual(
        expected.map((row) => [
          reader.addressOf(Number(row.from_id)),
          reader.addressOf(Number(row.to_id)),
          String(row.amount),
        ]),
      );
      for (const row of rows) expect(row.flow).toBe(row.from_address === address ? "out" : "in");
    }
  });

  test("of a token account are those that name it", () => {
    for (const address of [at.aliceUsdc, at.aliceWsol, at.bobCat, at.closed]) {
      const id = reader.idOf(address) ?? -1;
      const ids = reader.all(
        "SELECT id FROM transfers WHERE ? IN (from_id, from_account_id, to_id, to_account_id)",
        id,
      );
      expect(transfers(address)).toHaveLength(ids.length);
      expect(ids.length).toBeGreaterThan(0);
    }
  });

  test("a filter and its complement add up to the list", () => {
    for (const address of BUSY) {
      const all = transfers(address);
      const parts = (...lists: JsonObject[][]) => expect(sorted(lists.flat())).toEqual(sorted(all));
      parts(transfers(address, { flow: "in" }), transfers(address, { flow: "out" }));
      for (const party of [at.alice, at.bob, at.aliceUsdc, addressFor("unknown")]) {
        parts(transfers(address, { from: party }), transfers(address, { exclude_from: party }));
        parts(transfers(address, { to: [party, at.whale] }), transfers(address, { exclude_to: [party, at.whale] }));
      }
      parts(...TRANSFER_ACTIVITIES.map((activity) => transfers(address, { activity_type: [activity] })));
      const middle = Number(all[Math.floor(all.length / 2)]?.block_time ?? 0);
      parts(transfers(address, { from_time: middle }), transfers(address, { to_time: middle - 1 }));
      parts(transfers(address, { block_time: [0, middle] }), transfers(address, { from_time: middle + 1 }));
      parts(
        transfers(address, { value: ["0", "100"] }),
        transfers(address, { value: ["100.000001", "1000000000000"] }),
      );
      const tokens = [...new Set(all.map((row) => String(row.token_address)))];
      parts(...tokens.map((token) => transfers(address, { token })));
      parts(
        transfers(address, { exclude_amount_zero: true }),
        all.filter((row) => row.amount === 0),
      );
    }
  });

  test("amounts are inclusive base units, also beyond 2^53", () => {
    const huge = db
      .prepare(
        "SELECT CAST(amount AS TEXT) AS amount, from_id, token_id FROM transfers ORDER BY transfers.amount DESC LIMIT 1",
      )
      .get() as { amount: string; from_id: number; token_id: number };
    const [address, token] = [reader.addressOf(huge.from_id), reader.addressOf(huge.token_id)];
    const exactly = (minimum: bigint, maximum: bigint) =>
      transfers(address, { token, amount: [String(minimum), String(maximum)] });
    const amount = BigInt(huge.amount);
    expect(amount).toBeGreaterThan(2n ** 53n);
    expect(exactly(amount, amount)).toHaveLength(1);
    expect(exactly(amount + 1n, amount + 2n)).toHaveLength(0);
    expect(exactly(0n, 2n ** 80n).length).toBe(transfers(address, { token }).length);
    expect(numericText(exactly(amount, amount)[0]?.amount as number)).toBe(huge.amount);
  });

  test("native SOL and wrapped SOL are two tokens", () => {
    const tokens = (token: string) => new Set(transfers(at.alice, { token }).map((row) => row.token_address));
    expect(tokens(at.sol)).toEqual(new Set([at.sol]));
    expect(tokens(at.wsol)).toEqual(new Set([at.wsol]));
  });

  test("token_account restricts transfers to those through it", () => {
    const through = transfers(at.alice, { token_account: at.aliceUsdc });
    const expected = transfers(at.alice).filter(
      (row) => row.from_token_account === at.aliceUsdc || row.to_token_account === at.aliceUsdc,
    );
    expect(texts(through)).toEqual(texts(expected));
    expect(transfers(at.alice, { token_account: at.bobUsdc }).every((row) => textOf(row).includes(at.bobUsdc))).toBe(
      true,
    );
    expect(transfers(at.aliceUsdc, { token_account: at.bobUsdc, flow: "in" })).toEqual([]);
  });

  test("the export has the same transfers", () => {
    for (const address of BUSY) {
      const [header, ...records] = queryCsv(reader, "v2-account-transfer-export", { address });
      expect(header).toEqual(Object.keys(everyEntity.TransferExportRow.shape));
      const rows = transfers(address);
      expect(records.map((record) => [record[0], record[6], record[7], record[10]])).toEqual(
        rows.map((row) => [row.trans_id, numericText(row.amount as number), row.flow, row.token_address]),
      );
    }
  });
});

describe("DeFi activities", () => {
  test("a filter and its complement add up to the list", () => {
    for (const address of BUSY) {
      const all = activities(address);
      const parts = (...lists: JsonObject[][]) => expect(sorted(lists.flat())).toEqual(sorted(all));
      parts(...DEFI_ACTIVITIES.map((activity) => activities(address, { activity_type: [activity] })));
      const platforms = [...new Set(all.map((row) => String(row.platform)))];
      parts(...platforms.map((platform) => activities(address, { platform: [platform] })));
      const starters = [...new Set(all.map((row) => String(row.from_address)))];
      parts(...starters.map((from) => activities(address, { from })));
      parts(
        activities(address, { value: ["0", "100"] }),
        activities(address, { value: ["100.000001", "1000000000000"] }),
      );
    }
  });

  test("source matches pools and programs of venues, token either side", () => {
    const all = activities(at.alice);
    for (const source of [at.solPool, at.catPool, at.raydium, at.jupiter]) {
      const expected = all.filter((row) => textOf([row.sources, row.amount_info]).includes(source));
      expect(texts(activities(at.alice, { source: [source] }))).toEqual(texts(expected));
    }
    for (const token of [at.cat, at.usdc, at.wsol]) {
      const expected = all.filter((row) => {
        const { token1, token2 } = row.amount_info as JsonObject;
        return token1 === token || token2 === token;
      });
      expect(texts(activities(at.alice, { token }))).toEqual(texts(expected));
    }
  });

  test("a pool lists each activity through it once", () => {
    const rows = activities(at.solPool);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(texts(rows)).size).toBe(rows.length);
    for (const row of rows) expect(textOf(row.amount_info)).toContain(at.solPool);
  });

  test("hops are nested, with amounts as text", () => {
    const [row] = activities(at.alice, { activity_type: ["ACTIVITY_AGG_TOKEN_SWAP"] });
    const { amount1, routers } = (row?.amount_info ?? {}) as unknown as { amount1: number; routers: JsonObject[] };
    expect(row?.routers).toMatchObject({ routers, child_routers: routers });
    expect(row?.platform).toEqual(expect.any(String));
    expect(typeof amount1).toBe("number");
    expect(typeof routers[0]?.amount1).toBe("string");
    const count = (hops: JsonObject[]): number =>
      hops.reduce((sum, hop) => sum + 1 + count((hop.child_routers ?? []) as JsonObject[]), 0);
    const id = db.prepare("SELECT id FROM transactions WHERE signature = ?").get(String(row?.trans_id))?.id;
    const routes = reader.all("SELECT id FROM routes WHERE id / 1024 = ?", Number(id));
    expect(count(routers)).toBe(routes.length);
  });

  test("the export has the same activities", () => {
    const [header, ...records] = queryCsv(reader, "v2-account-defi-activities-export", { address: at.alice });
    expect(header).toEqual(Object.keys(everyEntity.DefiExportRow.shape));
    expect(records.map((record) => [record[0], Number(record[11])])).toEqual(
      activities(at.alice).map((row) => [row.trans_id, row.value]),
    );
    for (const record of records) expect(record).toHaveLength(header?.length ?? 0);
  });
});

describe("balance changes", () => {
  test("add up to the balance", () => {
    for (const address of [at.alice, at.bob, at.aliceUsdc, at.aliceWsol, at.solPool]) {
      const last = new Map<string, string>();
      for (const row of changes(address, { sort_order: "asc" })) {
        const key = `${row.token_account} ${row.token_address}`;
        expect(numericText(row.pre_balance as number)).toBe(last.get(key) ?? "0");
        last.set(key, numericText(row.post_balance as number));
        const [pre, post, amount] = [row.pre_balance, row.post_balance, row.amount].map((value) =>
          BigInt(numericText(value as number)),
        ) as [bigint, bigint, bigint];
        expect(row.change_type === "inc" ? post - pre : pre - post).toBe(amount);
      }
      expect(last.size).toBeGreaterThan(0);
    }
  });

  test("a filter and its complement add up to the list", () => {
    for (const address of BUSY) {
      const all = changes(address);
      const parts = (...lists: JsonObject[][]) => expect(sorted(lists.flat())).toEqual(sorted(all));
      parts(changes(address, { flow: "in" }), changes(address, { flow: "out" }));
      const tokens = [...new Set(all.map((row) => String(row.token_address)))];
      parts(...tokens.map((token) => changes(address, { token })));
      const accounts = [...new Set(all.map((row) => String(row.token_account)))];
      parts(...accounts.map((account) => changes(address, { token_account: account })));
      for (const token of tokens) {
        const [few, many] = [
          ["0", "1000000"],
          ["1000001", "9223372036854775807"],
        ].map((amount) => changes(address, { token, amount })) as [JsonObject[], JsonObject[]];
        expect(sorted([...few, ...many])).toEqual(sorted(changes(address, { token })));
      }
      const spam = new Set(
        reader.all("SELECT id FROM tokens WHERE reputation < 50").map((row) => reader.addressOf(Number(row.id))),
      );
      parts(
        changes(address, { remove_spam: true }),
        all.filter((row) => spam.has(String(row.token_address))),
      );
    }
  });
});

describe("rows and objects", () => {
  /** Parameters of requests about an account, by route. */
  const QUERIES: Readonly<Record<string, (address: string) => Filters>> = {
    "v2-account-token-accounts": (address) => ({ address, type: "token" }),
    "v2-account-metadata-multi": (address) => ({ address: [address] }),
    "v2-account-leaderboard": () => ({}),
    "v2-account-reward-export": (address) => ({ address, time_from: 1 }),
    "account-export-transactions": (account) => ({ account, type: "all", fromTime: 1, toTime: 4_000_000_000 }),
    "account-export-rewards": (account) => ({ account, fromTime: 1 }),
  };
  const accountEndpoints = endpoints.filter(({ route }) => /^(v2-)?account-/.test(route));

  test.each(accountEndpoints.map(({ route }) => route))("%s matches the entity of the catalogue", (route) => {
    const endpoint = endpoints.find((one) => one.route === route);
    if (!endpoint) throw new Error(`There is no route ${route}.`);
    const { entity, at: place } = endpoint.returns;
    const plain = route.startsWith("v2-") ? (address: string) => ({ address }) : (account: string) => ({ account });
    let seen = 0;
    for (const address of ADDRESSES) {
      const result = runQuery(reader, route, (QUERIES[route] ?? plain)(address));
      if ("csv" in result) {
        const [header, ...records] = result.csv;
        expect(header?.map((name) => String(name).trim())).toEqual(Object.keys(entityOf(entity).shape));
        for (const record of records) expect(record).toHaveLength(header?.length ?? 0);
        seen += records.length;
        continue;
      }
      const { data } = result;
      const rows = isArray(data) || place === undefined ? data : (data as JsonObject)[place];
      const list = returnsList(endpoint) ? rows : [recordOf(endpoint, data)];
      for (const row of JSON.parse(JSON.stringify(list)) as JsonObject[]) {
        const parsed = entityOf(entity).safeParse(row);
        expect(parsed.error?.issues, JSON.stringify(row)).toBeUndefined();
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(0);
  });

  test("lamports of an account include wrapped SOL", () => {
    const total = ADDRESSES.map((address) => queryData(reader, "v2-account-detail", { address }) as JsonObject)
      .map((data) => BigInt(numericText(data.lamports as number)))
      .reduce((sum, lamports) => sum + lamports, 0n);
    const [{ sum }] = db
      .prepare("SELECT CAST(sum(amount) AS TEXT) AS sum FROM balances WHERE token_id IN (1, ?)")
      .all(reader.idOf(at.wsol) ?? -1) as unknown as [{ sum: string }];
    expect(String(total)).toBe(sum);
  });

  test("an unknown account is an empty wallet", () => {
    const address = addressFor("unknown");
    expect(queryData(reader, "v2-account-detail", { address })).toMatchObject({ lamports: 0, type: "system_account" });
    expect(JSON.stringify(queryData(reader, "v2-account-detail", { address }))).toContain(
      '"rent_epoch":18446744073709552000',
    );
    expect(queryData(reader, "v2-account-metadata", { address })).toEqual({ account_address: address });
    expect(queryData(reader, "v2-account-data-decoded", { address })).toEqual({ account: address, data_base64: "" });
    expect(queryData(reader, "v2-account-portfolio", { address })).toMatchObject({ total_value: 0, tokens: [] });
  });

  test("a portfolio's values are balance times price, and its total their exact sum", () => {
    const data = queryData(reader, "v2-account-portfolio", { address: at.alice }) as unknown as {
      total_value: number;
      native_balance: JsonObject;
      tokens: JsonObject[];
    };
    expect(Object.keys(data.native_balance)).not.toContain("balance_str");
    const holdings = [data.native_balance, ...data.tokens];
    const priced = holdings.filter((holding) => holding.value !== undefined);
    expect(priced.length).toBeGreaterThan(2);
    const scale = 20;
    const units = (value: unknown) => {
      const [whole = "", fraction = ""] = numericText(value as number).split(".");
      return BigInt(whole + fraction.padEnd(scale, "0"));
    };
    for (const { value, balance, token_price } of priced) {
      expect(value).toBe(Number(numericText(balance as number)) * Number(token_price));
    }
    expect(units(data.total_value)).toBe(priced.reduce((sum, { value }) => sum + units(value), 0n));
  });

  test("positions are shares of pools, not part of the total", () => {
    const { positions } = queryData(reader, "v2-account-portfolio", { address: at.alice }) as {
      positions: JsonObject[];
    };
    expect(positions.map(({ position_type }) => position_type).toSorted()).toEqual(["clmm", "spot"]);
    for (const { pool_id, token_address, position_id, position_value, position_type } of positions) {
      const id = reader.idOf(String(pool_id)) ?? -1;
      const pool = reader.get(
        "SELECT lp_id, tvl FROM pools JOIN pool_stats ON pool_id = account_id WHERE account_id = ?",
        id,
      );
      expect(Number(position_value)).toBeGreaterThan(0);
      expect(Number(position_value)).toBeLessThanOrEqual(Number(pool?.tvl) * (1 + Number.EPSILON));
      // The pool lists the same position.
      const listed = queryRows(reader, "v2-market-positions", { address: String(pool_id) });
      const same = listed.find((row) => row.position_id === position_id);
      expect([same?.token_address, same?.position_value]).toEqual([token_address, position_value]);
      if (position_type === "spot") {
        expect([token_address, position_id]).toEqual([reader.addressOf(Number(pool?.lp_id)), at.aliceLp]);
      } else {
        // The mint of a deposit is no token of the ledger, and the pool has no liquidity token.
        expect([pool?.lp_id, reader.idOf(String(token_address))]).toEqual([null, undefined]);
      }
    }
  });

  test("times in answers and requests are the caller's", () => {
    const shift = 86_400 * 365;
    const later = createLedgerReader(db, () => ({ shift, end: reader.clock.end }));
    const rows = queryRows(reader, "v2-account-transfer", { address: at.alice });
    const shifted = queryRows(later, "v2-account-transfer", { address: at.alice });
    expect(shifted.map((row) => Number(row.block_time) - shift)).toEqual(rows.map((row) => row.block_time));
    expect(shifted[0]?.time).toBe(new Date(Number(shifted[0]?.block_time) * 1000).toISOString());
    const time = Number(rows[3]?.block_time);
    const window = (moment: number) => ({ address: at.alice, from_time: moment, to_time: moment });
    expect(queryRows(later, "v2-account-transfer", window(time + shift)).map((row) => row.trans_id)).toEqual(
      queryRows(reader, "v2-account-transfer", window(time)).map((row) => row.trans_id),
    );
    expect(queryRows(later, "v2-account-transfer", window(time))).toEqual([]);
  });

  test("decoded data matches the bytes of the layout", () => {
    const sizes = { [at.aliceUsdc]: 165, [at.usdc]: 82, [at.stake]: 200 };
    for (const [address, size] of Object.entries(sizes)) {
      const { data_base64 } = queryData(reader, "v2-account-data-decoded", { address }) as JsonObject;
      expect(Buffer.from(String(data_base64), "base64")).toHaveLength(size);
    }
    const { data_base64, data_decoded } = queryData(reader, "v2-account-data-decoded", { address: at.aliceUsdc }) as {
      data_base64: string;
      data_decoded: { data: { amount: { type: string; data: string } } };
    };
    const amount = Buffer.from(data_base64, "base64").readBigUInt64LE(64);
    expect(data_decoded.data.amount).toEqual({ type: "u64", data: String(amount) });
  });

  test("metadata of several accounts is in the order of the request, without duplicates", () => {
    const address = [at.bob, at.alice, at.bob];
    const rows = queryRows(reader, "v2-account-metadata-multi", { address });
    expect(rows.map((row) => row.account_address)).toEqual([at.bob, at.alice]);
  });

  test("rewards of a stake account are whole SOL and percent of the balance before", () => {
    const [header, ...records] = queryCsv(reader, "v2-account-reward-export", { address: at.stake, time_from: 1 });
    expect(header?.slice(0, 3)).toEqual(["Epoch", " Effective Slot", " Effective Time Unix"]);
    expect(records.length).toBeGreaterThan(0);
    for (const [, , unix, time, amount, percent, post] of records) {
      const ahead = new Date((Number(unix) + 7 * 3600) * 1000).toISOString();
      expect(time).toBe(ahead.replace(".000Z", ""));
      expect(Number(percent)).toBeCloseTo((100 * Number(amount)) / (Number(post) - Number(amount)), 9);
    }
    expect(queryCsv(reader, "v2-account-reward-export", { address: at.alice, time_from: 1 })).toHaveLength(1);
  });

  test("distinguishes points of ed25519 from other addresses", () => {
    const bytes = (hex: string) => Buffer.from(hex, "hex");
    // The base point, and y = 2, which is not a point.
    expect(isOnCurve(bytes("5866666666666666666666666666666666666666666666666666666666666666"))).toBe(true);
    expect(isOnCurve(bytes("0200000000000000000000000000000000000000000000000000000000000000"))).toBe(false);
  });
});

describe("query plans", () => {
  /** Returns the statements that a request runs. */
  function statements(
    route: string,
    filters: Filters,
  ): readonly (readonly [sql: string, values: readonly unknown[]])[] {
    const seen: (readonly [string, readonly unknown[]])[] = [];
    const spy = new Proxy(reader, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (name !== "all" && name !== "get") return value;
        return (sql: string, ...values: readonly unknown[]) => {
          seen.push([sql, values]);
          return (value as (sql: string, ...values: readonly unknown[]) => unknown).call(target, sql, ...values);
        };
      },
    });
    runQuery(spy, route, filters);
    return seen;
  }

  const BIG =
    "transactions|account_keys|instructions|transfers|balance_changes|rewards|defi|routes|balances|accounts|account_transfers|defi_tokens|token_accounts|blocks";
  const ALIASES = new RegExp(`^SCAN (?:${BIG}|[a-z])\\b`);
  const requests: readonly (readonly [route: string, filters: Filters])[] = [
    ["v2-account-transfer", { address: at.alice, page: 50 }],
    [
      "v2-account-transfer",
      { address: at.alice, flow: "in", token: [at.usdc, at.sol], from_time: 1, value: ["1", "2"] },
    ],
    ["v2-account-transfer", { address: at.aliceUsdc, page: 3, from_time: 1 }],
    ["v2-account-transfer", { address: at.alice, token_account: at.aliceUsdc, exclude_from: at.bob }],
    ["v2-account-defi-activities", { address: at.alice, source: [at.solPool], token: at.usdc, from_time: 1 }],
    ["v2-account-defi-activities", { address: at.solPool, to_time: 2_000_000_000 }],
    ["v2-account-balance-change", { address: at.alice, remove_spam: true, from_time: 1, flow: "in" }],
    ["v2-account-balance-change", { address: at.aliceUsdc, token: at.usdc }],
    ["v2-account-transactions", { address: at.alice, before: at.lastSwap }],
    ["v2-account-portfolio", { address: at.alice }],
    ["v2-account-token-accounts", { address: at.alice, type: "nft", page: 4 }],
    ["v2-account-stake", { address: at.carol }],
    ["v2-account-metadata", { address: at.alice }],
    ["account-spl-transfers", { account: at.alice, fromTime: 1 }],
    ["account-sol-transfers", { account: at.alice, fromTime: 1, offset: 100 }],
  ];

  test.each(requests)("%s %j scans no table and sorts at most a page", (route, filters) => {
    for (const [sql, values] of statements(route, filters)) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(values as number[])) as { detail: string }[];
      for (const { detail } of plan) {
        const isPage = /^SCAN p\b/.test(detail);
        expect(isPage ? "" : detail, sql).not.toMatch(ALIASES);
      }
      // The order comes from an index; only the page is sorted.
      const sorts = plan.filter(({ detail }) => detail.includes("TEMP B-TREE FOR ORDER BY"));
      expect(sorts.length, sql).toBeLessThanOrEqual(/\) p\b/.test(sql) ? 1 : 0);
    }
  });
});
