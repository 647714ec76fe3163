/** Invariants between answers of the whole API, checked through the client on several worlds. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, type JsonObject, type Numeric, numericText } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { endpointByRoute } from "../../src/catalogue/index.ts";
import {
  JUP,
  NATIVE_SOL,
  OTHER_WALLET,
  POOL,
  STAKE_ACCOUNT,
  USDC,
  WALLET,
  WRAPPED_SOL,
} from "../../src/catalogue/samples.ts";
import type { RateLimiter } from "../../src/client/index.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";
import { createClient } from "../../src/sources/index.ts";
import { worldsFolder } from "../support/ledger.ts";

const SEEDS = ["solx", "another", "Ωmega"];
const NOW = Date.UTC(2026, 6, 1) / 1000;

type Row = Readonly<Record<string, Json>>;

const big = (value: Json | undefined): bigint =>
  BigInt(typeof value === "string" ? value : numericText(value as Numeric));
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const route = (name: string): Endpoint => {
  const endpoint = endpointByRoute(name);
  if (!endpoint) throw new Error(`unknown route ${name}`);
  return endpoint;
};

/** Removes all waiting, also that between exports. */
const UNLIMITED: RateLimiter = {
  acquire: async () => ({ release: () => {} }),
  pause: () => {},
  remaining: () => undefined,
  close: async () => {},
};

/** Changes the state of a sandbox by every means. */
async function drive(sandbox: Sandbox): Promise<void> {
  const receiver = "8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh";
  await sandbox.send({ from: OTHER_WALLET, to: receiver, amount: "0.25" });
  await sandbox.advanceTime(3600);
  await sandbox.setBalance({ address: OTHER_WALLET, amount: "5000.5", token: USDC });
  await sandbox.setBalance({ address: WALLET, amount: "12.000000001" });
  await sandbox.setBalance({ address: WALLET, amount: "11" });
  await sandbox.send({ from: OTHER_WALLET, to: receiver, amount: "1000.25", token: USDC });
  await sandbox.send({ from: OTHER_WALLET, to: WALLET, amount: "0.000001", token: USDC });
  await sandbox.setBalance({ address: OTHER_WALLET, amount: "10", token: USDC });
}

const WORLDS = [...SEEDS.map((seed) => ({ seed, state: "untouched" })), { seed: "solx", state: "driven" }] as const;

describe.each(WORLDS)("the world of seed $seed, $state", ({ seed, state }) => {
  let sandbox: Sandbox;
  let client: ConnectedClient;

  beforeAll(async () => {
    sandbox = await openSandbox({ folder: worldsFolder(), seed, size: 0.02, now: NOW, usage: "memory" });
    if (state === "driven") await drive(sandbox);
    client = createClient({
      now: () => sandbox.now(),
      retries: 0,
      rateLimiter: UNLIMITED,
      transport: {
        async send({ url, headers, signal }) {
          const reply = await sandbox.handle({ method: "GET", url: url.href, headers, signal });
          return { ...reply, url, bytes: Buffer.from(reply.body) };
        },
        close: async () => {},
      },
      key: sandbox.key,
      baseUrls: { v2: "http://127.0.0.1/v2.0", legacy: "http://127.0.0.1/v1.0", public: "http://127.0.0.1" },
    });
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  const one = async (name: string, params: Record<string, unknown> = {}) =>
    (await client.fetch(route(name), params)).data as JsonObject;
  const all = async (name: string, params: Record<string, unknown> = {}) => {
    const rows: Row[] = [];
    for await (const page of client.pages(route(name), params, { all: true })) rows.push(...(page.rows as Row[]));
    return rows;
  };

  /** Reads page after page as the server returns them, without the client's handling of lists that change. */
  const pages = async (name: string, params: Record<string, unknown>) => {
    const { query, paging, cursorField = "" } = route(name);
    const nameOf = (role: string) => Object.entries(query).find(([, param]) => param.role === role)?.[0] ?? "";
    const size = Number(params[nameOf("size")]);
    const rows: Row[] = [];
    for (;;) {
      const at = { page: { [nameOf("page")]: rows.length / size + 1 }, offset: { [nameOf("offset")]: rows.length } };
      const cursor = rows.length === 0 ? {} : { [nameOf("cursor")]: rows.at(-1)?.[cursorField] };
      const next = paging === "cursor" ? cursor : at[paging as keyof typeof at];
      const page = (await client.fetch(route(name), { ...params, ...next })).rows ?? [];
      rows.push(...(page as Row[]));
      if (page.length < size) return rows;
    }
  };

  test("a balance is the sum of its changes, each of which starts at the end of the previous one", async () => {
    for (const address of [WALLET, OTHER_WALLET]) {
      const changes = await all("v2-account-balance-change", { address, sort_order: "asc" });
      expect(changes.length).toBeGreaterThan(0);
      const balances = new Map<string, bigint>();
      for (const change of changes) {
        const id = `${change.token_account} ${change.token_address}`;
        const [pre, post] = [big(change.pre_balance), big(change.post_balance)];
        expect(pre).toBe(balances.get(id) ?? 0n);
        expect(post - pre).toBe(change.change_type === "inc" ? big(change.amount) : -big(change.amount));
        balances.set(id, post);
      }
      const detail = await one("v2-account-detail", { address });
      expect(balances.get(`${address} ${NATIVE_SOL}`)).toBe(big(detail.lamports));
      for (const type of ["token", "nft"]) {
        for (const { token_account, token_address, amount } of await all("v2-account-token-accounts", {
          address,
          type,
        })) {
          expect(balances.get(`${token_account} ${token_address}`) ?? 0n).toBe(big(amount));
        }
      }
    }
  });

  test("the holders of a token sum to its supply", async () => {
    const tokens = (await all("v2-token-list", { page_size: 100 })).map(({ address }) => String(address));
    expect(tokens.length).toBeGreaterThanOrEqual(20);
    for (const address of tokens) {
      const [meta, holders] = [await one("v2-token-meta", { address }), await all("v2-token-holders", { address })];
      expect(sum(holders.map(({ amount }) => big(amount)))).toBe(big(meta.supply));
      expect(holders.length).toBe(meta.holder);
      const first = await one("v2-token-holders", { address });
      expect(first.total).toBe(holders.length);
    }
  });

  test("sender, receiver, token and transaction list the same transfer", async () => {
    const [sent] = await all("v2-account-transfer", {
      address: OTHER_WALLET,
      flow: "out",
      activity_type: "transfer",
      token: USDC,
    });
    if (sent === undefined) throw new Error("the wallet sends no USDC");
    const { flow: _, ...transfer } = sent;
    const at = { from_time: sent.block_time, to_time: sent.block_time };
    const same = (rows: readonly Row[]) =>
      rows.filter(
        ({ trans_id, amount, to_address }) =>
          trans_id === sent.trans_id && big(amount) === big(sent.amount) && to_address === sent.to_address,
      );
    const [received] = same(await all("v2-account-transfer", { address: sent.to_address, flow: "in", ...at }));
    expect(received).toEqual({ ...transfer, flow: "in" });
    const [listed] = same(await all("v2-token-transfer", { address: USDC, ...at }));
    expect(listed).toMatchObject({ trans_id: sent.trans_id, from_address: sent.from_address });
    const actions = await one("v2-transaction-actions", { tx: sent.trans_id });
    const expected: Record<string, unknown> = {
      source_owner: sent.from_address,
      destination_owner: sent.to_address,
      token_address: USDC,
      amount_str: numericText(sent.amount as Numeric),
    };
    expect(actions.transfers as unknown[]).toContainEqual(expect.objectContaining(expected));
    const block = await all("v2-block-transactions", { block: sent.block_id });
    expect(block.map(({ tx_hash }) => tx_hash)).toContain(sent.trans_id);
  });

  test("a transaction changes the sum of lamports only by its fee", async () => {
    const transactions = await all("v2-account-transactions", { address: OTHER_WALLET });
    for (const { tx_hash, fee } of transactions.slice(0, 40)) {
      const detail = await one("v2-transaction-detail", { tx: tx_hash });
      const changes = (detail.sol_bal_change as Row[]).map(({ change_amount }) => big(change_amount));
      expect(sum(changes)).toBe(-big(fee));
    }
  });

  test("the value of a portfolio is the sum of amounts times prices", async () => {
    const portfolio = await one("v2-account-portfolio", { address: OTHER_WALLET });
    const holdings = [portfolio.native_balance as Row, ...(portfolio.tokens as Row[])];
    for (const { amount_str, token_decimals, token_price, value } of holdings) {
      const expected =
        (Number(amount_str) / 10 ** Number(token_decimals)) * Number(numericText((token_price ?? 0) as Numeric));
      expect(Number(numericText((value ?? 0) as Numeric))).toBeCloseTo(expected, 4);
    }
    const total = holdings.reduce((whole, { value }) => whole + Number(numericText((value ?? 0) as Numeric)), 0);
    expect(Number(numericText(portfolio.total_value as Numeric))).toBeCloseTo(total, 4);
  });

  test("a portfolio lists the tokens of the account's token accounts, and none of a token account", async () => {
    const held = await all("v2-account-token-accounts", { address: OTHER_WALLET, type: "token", hide_zero: true });
    const mints = (rows: readonly Row[]) => [...new Set(rows.map(({ token_address }) => String(token_address)))].sort();
    const portfolio = await one("v2-account-portfolio", { address: OTHER_WALLET });
    expect(mints(portfolio.tokens as Row[])).toEqual(mints(held));
    const [{ token_account: address } = {}] = held;
    expect(await all("v2-account-token-accounts", { address, type: "token" })).toEqual([]);
    expect((await one("v2-account-portfolio", { address })).tokens).toEqual([]);
  });

  test("usage grows with every request", async () => {
    const before = await one("v2-monitor-usage");
    for (let count = 0; count < 7; count += 1) await one("v2-token-meta", { address: USDC });
    const after = await one("v2-monitor-usage");
    expect(big(after.total_requests_24h) - big(before.total_requests_24h)).toBe(8n);
    expect(big(after.usage_cus) - big(before.usage_cus)).toBe(800n);
    expect(big(after.remaining_cus) + big(after.usage_cus)).toBe(big(before.remaining_cus) + big(before.usage_cus));
  });

  /** Lists with more rows than a page, and their parameters. */
  const LISTS: readonly (readonly [name: string, params: Record<string, unknown>])[] = [
    ["v2-account-transfer", { address: OTHER_WALLET }],
    ["v2-account-defi-activities", { address: OTHER_WALLET }],
    ["v2-account-balance-change", { address: OTHER_WALLET }],
    ["v2-account-transactions", { address: OTHER_WALLET }],
    ["v2-account-token-accounts", { address: WALLET, type: "token" }],
    ["v2-account-leaderboard", {}],
    ["v2-token-transfer", { address: JUP }],
    ["v2-token-defi-activities", { address: JUP }],
    ["v2-token-holders", { address: USDC }],
    ["v2-token-list", { sort_by: "holder" }],
    ["v2-token-markets", { token: [USDC] }],
    ["v2-token-latest", {}],
    ["v2-market-list", {}],
    ["v2-program-list", {}],
    ["v2-nft-news", { filter: "created_time" }],
    ["v2-nft-activities", {}],
    ["v2-nft-collection-lists", { range: 30 }],
    ["account-transactions", { account: OTHER_WALLET }],
    ["account-spl-transfers", { account: OTHER_WALLET }],
    ["account-sol-transfers", { account: OTHER_WALLET }],
    ["token-holders", { tokenAddress: USDC }],
    ["token-transfer", { tokenAddress: JUP }],
    ["token-list", {}],
  ];

  test("pages of any size form the same list", async () => {
    const lists = new Map<string, readonly Row[]>();
    const pick = fc.constantFrom(...LISTS).chain(([name, params]) => {
      const [size, param] = Object.entries(route(name).query).find(([, { role }]) => role === "size") ?? [];
      const sizes = param?.values ? fc.constantFrom(...param.values) : fc.integer({ min: 7, max: param?.max ?? 50 });
      return sizes.map((value) => ({ name, params: { ...params, [String(size)]: value } }));
    });
    await fc.assert(
      fc.asyncProperty(pick, async ({ name, params }) => {
        const rows = await pages(name, params);
        const known = lists.get(name) ?? rows;
        lists.set(name, known);
        expect(rows).toEqual(known);
      }),
      { numRuns: 40 },
    );
  });

  test("a filter and its complement return all rows", async () => {
    const key = (row: Row) => JSON.stringify(row);
    const address = OTHER_WALLET;
    const whole = (await all("v2-account-transfer", { address })).map(key).sort();
    expect(whole.length).toBeGreaterThan(10);
    const both = async (...filters: Record<string, unknown>[]) =>
      (await Promise.all(filters.map((filter) => all("v2-account-transfer", { address, ...filter }))))
        .flat()
        .map(key)
        .sort();
    expect(await both({ flow: "in" }, { flow: "out" })).toEqual(whole);
    expect(await both({ from: [WALLET] }, { exclude_from: [WALLET] })).toEqual(whole);
    const middle = JSON.parse(whole[0] as string).block_time as number;
    expect(await both({ to_time: middle }, { from_time: middle + 1 })).toEqual(whole);
  });

  test("all endpoints return the same volume of a pool", async () => {
    const volume = await one("v2-market-volume", { address: POOL });
    const listed = (await all("v2-market-list", { token_address: WRAPPED_SOL })).find(
      (row) => row.pool_address === POOL,
    );
    const market = (await all("v2-token-markets", { token: [WRAPPED_SOL] })).find((row) => row.pool_id === POOL);
    expect(listed).toMatchObject({
      total_volume_24h: volume.total_volume_24h,
      total_trades_24h: volume.total_trades_24h,
    });
    expect(market).toMatchObject({
      total_volume_24h: volume.total_volume_24h,
      total_trades_24h: volume.total_trades_24h,
    });
    const dayBefore = sandbox.now() / 1000 - 86_400 + 1;
    // A route through the pool ends, or begins, with a token of the pool.
    const through = await Promise.all(
      [WRAPPED_SOL, USDC].map((address) =>
        all("v2-token-defi-activities", { address, source: [POOL], from_time: dayBefore }),
      ),
    );
    const swaps = through.flat().filter(({ activity_type }) => String(activity_type).endsWith("TOKEN_SWAP"));
    expect(swaps.length > 0).toBe(Number(volume.total_trades_24h) > 0);
  });

  test("the rewards of a stake account match its balances, to the lamport", async () => {
    const { rows = [] } = await client.fetch(route("v2-account-reward-export"), {
      address: STAKE_ACCOUNT,
      from_time: "100d",
    });
    expect(rows.length).toBeGreaterThan(40);
    const lamports = (sol: Json | undefined) => {
      const [whole = "", fraction = ""] = String(sol).split(".");
      return BigInt(whole + fraction.padEnd(9, "0"));
    };
    const rewards = rows as Row[];
    rewards.slice(1).forEach((before, at) => {
      const { "Post Balance": post, "Reward Amount": amount } = rewards[at] as Row;
      expect(lamports(post) - lamports(amount)).toBe(lamports(before["Post Balance"]));
    });
    const decoded = JSON.stringify(await one("v2-account-data-decoded", { address: STAKE_ACCOUNT }));
    const staker = /"staker":\{"type":"pubkey","data":"(\w+)"/.exec(decoded)?.[1];
    const stake = (await all("v2-account-stake", { address: staker })).find(
      (row) => row.stake_account === STAKE_ACCOUNT,
    );
    expect(big(stake?.total_reward)).toBe(sum(rewards.map((row) => lamports(row["Reward Amount"]))));
    expect(big(stake?.sol_balance)).toBe(lamports(rewards[0]?.["Post Balance"]));
  });
});
