/** Lists that a node answers by walking signatures. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject, type Numeric, numericText } from "../../../src/base/index.ts";
import { allEndpoints, type Endpoint } from "../../../src/catalogue/index.ts";
import type { ClientEvent } from "../../../src/client/index.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { type ChainIndex, indexChain } from "../../support/node/index-of.ts";
import { SCENARIO_OPTIONS } from "../../support/node/scenario.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();
let client: ConnectedClient;
let index: ChainIndex;

beforeAll(async () => {
  client = createClient({ rpc: shared.node.url });
  index = await indexChain(client.node(), SCENARIO_OPTIONS.firstSlot ?? 0);
});

afterAll(async () => {
  index.close();
  await client.close();
});

const endpointOf = (route: string): Endpoint => {
  const match = allEndpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}`);
  return match;
};

type Params = Readonly<Record<string, string | number | readonly (string | number)[]>>;

/** Reads all rows of a list. */
async function walk(route: string, params: Params, from: ConnectedClient = client): Promise<readonly Json[]> {
  const rows: Json[] = [];
  for await (const page of from.pages(endpointOf(route), params, { all: true })) rows.push(...page.rows);
  return rows;
}

/** Returns the cells of a CSV record by the names in the header, as the client reads them. */
const recordOf = (header: readonly (string | number)[], cells: readonly (string | number)[]): JsonObject =>
  Object.fromEntries(header.map((name, at) => [String(name), String(cells[at])]));

/** Identifiers of legacy rows follow from positions in a ledger, names of tokens from metadata and not from blocks. */
const withoutIdentifier = (row: Json): Json => {
  if (!isObject(row)) return row;
  const { _id, symbol, "Symbol(off-chain)": csvSymbol, "TokenName(off-chain)": csvName, ...rest } = row;
  return rest;
};

/** Returns all rows of a list from the index. */
async function indexed(route: string, params: Params): Promise<readonly Json[]> {
  const endpoint = endpointOf(route);
  const size = endpoint.family === "legacy" ? { limit: 100_000 } : { page_size: 100_000 };
  const result = await index.answer(endpoint, { ...params, ...size });
  if ("csv" in result)
    return result.csv.slice(1).map((cells) => withoutIdentifier(recordOf(result.csv[0] ?? [], cells)));
  const { at } = endpoint.returns;
  const rows = at !== undefined && isObject(result.data) ? result.data[at] : result.data;
  return (isArray(rows) ? rows : []).map(withoutIdentifier);
}

/** The wallets, token accounts, mints and stakes of the story, and one of the many accounts that receive once. */
const accounts = () => {
  const { friends, ...named } = shared.scenario.addresses;
  return [...Object.values(named), friends[0] ?? ""];
};

describe("is what an index of the same chain answers", () => {
  test.each([
    ["v2-account-transfer", "address", {}],
    ["v2-account-transfer", "address", { sort_order: "asc" }],
    ["v2-account-balance-change", "address", {}],
    ["v2-account-defi-activities", "address", {}],
    ["account-spl-transfers", "account", {}],
    ["account-sol-transfers", "account", {}],
    ["account-export-transactions", "account", { type: "all", fromTime: 1, toTime: 4_000_000_000 }],
    ["v2-account-transfer-export", "address", {}],
  ] as const)("%s of every account, %s %j", async (route, subject, more) => {
    let count = 0;
    for (const address of accounts()) {
      const params = { [subject]: address, ...more };
      const rows = (await walk(route, params)).map(withoutIdentifier);
      count += rows.length;
      expect([address, rows]).toEqual([address, await indexed(route, params)]);
    }
    if (route !== "v2-account-defi-activities") expect(count).toBeGreaterThan(50);
  });

  test.each([
    ["flow", { flow: "in" }],
    ["token", { token: "mint" }],
    ["native SOL", { token: "So11111111111111111111111111111111111111111" }],
    ["token account", { token_account: "aliceToken" }],
    ["counterparty", { to: "bob" }],
    ["excluded counterparty", { exclude_to: "bob" }],
    ["type", { activity_type: "ACTIVITY_SPL_BURN" }],
    ["amount", { token: "mint", amount: [1, 100_000_000] }],
    ["time", { from_time: 1_720_180_805, to_time: 1_720_180_815 }],
    ["time, oldest first", { from_time: 1_720_180_805, to_time: 1_720_180_815, sort_order: "asc" }],
  ])("with a filter: %s", async (_, filter) => {
    const named = shared.scenario.addresses as unknown as Readonly<Record<string, string>>;
    const resolved = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [
        name,
        typeof value === "string" ? (named[value] ?? value) : value,
      ]),
    ) as Params;
    for (const address of [named.alice, named.bob]) {
      const params = { address: address ?? "", ...resolved };
      expect(await walk("v2-account-transfer", params)).toEqual(await indexed("v2-account-transfer", params));
    }
  });
});

describe("equals what the balances say", () => {
  test("changes of SOL add up to the balance of a wallet", async () => {
    for (const address of Object.values(shared.scenario.wallets).map((wallet) => wallet.address)) {
      const rows = await walk("v2-account-balance-change", { address, token: SOL });
      expect([address, sumOf(rows)]).toEqual([
        address,
        await shared.node.chain.accountsAt("confirmed").get(address)?.lamports,
      ]);
    }
  });

  test("changes of a token add up to the balances of its accounts", async () => {
    const { mint, alice, bob, carol } = shared.scenario.addresses;
    for (const address of [alice, bob, carol]) {
      const answer = (await client
        .node()
        .call("getTokenAccountsByOwner", [
          address,
          { mint },
          { encoding: "jsonParsed", commitment: "confirmed" },
        ])) as JsonObject;
      const amounts = (answer.value as readonly JsonObject[]).map(({ account }) => amountIn(account as JsonObject));
      const rows = await walk("v2-account-balance-change", { address, token: mint });
      expect([address, sumOf(rows)]).toEqual([address, amounts.reduce((sum, amount) => sum + amount, 0n)]);
    }
  });
});

const SOL = "So11111111111111111111111111111111111111111";

const amountIn = ({ data }: JsonObject): bigint => {
  const { parsed } = data as {
    readonly parsed: { readonly info: { readonly tokenAmount: { readonly amount: string } } };
  };
  return BigInt(parsed.info.tokenAmount.amount);
};

const sumOf = (rows: readonly Json[]): bigint =>
  (rows as readonly JsonObject[]).reduce(
    (sum, { change_type, amount }) => sum + (change_type === "inc" ? 1n : -1n) * BigInt(numericText(amount as Numeric)),
    0n,
  );

describe("resuming", () => {
  const request = () => ["v2-account-transfer", { address: shared.scenario.addresses.alice }] as const;

  test("continues after any number of rows, in another client, although transactions arrived since", async () => {
    const [route, params] = request();
    const all = await walk(route, params);
    await shared.node.airdrop(params.address, 1n);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: all.length - 1 }), async (limit) => {
        const first: Json[] = [];
        let state: JsonObject = {};
        for await (const page of client.pages(endpointOf(route), params, { limit })) {
          first.push(...page.rows);
          state = JSON.parse(JSON.stringify(page.state()));
        }
        await using other = createClient({ rpc: shared.node.url });
        const rest: Json[] = [];
        const resume = { ...state, left: undefined } as unknown as JsonObject;
        for await (const page of other.pages(endpointOf(route), params, { all: true, resume })) rest.push(...page.rows);
        // The row that arrived since is the first of a new walk.
        const expected = first[0] && isObject(first[0]) && first[0].amount === 1 ? 1 : 0;
        expect([...first, ...rest].slice(expected)).toEqual(all);
      }),
      { numRuns: 6 },
    );
  });

  test("refuses the state of something else", async () => {
    const [route, params] = request();
    const read = client.pages(endpointOf(route), params, { all: true, resume: { kind: "pages" } });
    await expect(read.next()).rejects.toMatchObject({ code: "BAD_STATE" });
  });
});

describe("costs", () => {
  test("are known before the first transaction is read, and are what is called", async () => {
    const { node, scenario } = shared;
    const events: ClientEvent[] = [];
    await using other = createClient({ rpc: node.url, onEvent: (event) => events.push(event) });
    node.resetCounters();
    const rows = await walk("v2-account-transfer", { address: scenario.addresses.carol }, other);
    const progress = events.filter((event) => event.type === "walk");
    expect(progress[0]).toMatchObject({ complete: true, done: 0, rows: 0 });
    expect(node.calls().getTransaction).toBe(progress[0]?.calls);
    expect(progress.at(-1)).toMatchObject({ done: progress[0]?.signatures, calls: 0, rows: rows.length });
  });

  test("of the next page are those of its transactions only", async () => {
    const { node, scenario } = shared;
    await using other = createClient({ rpc: node.url });
    const endpoint = endpointOf("v2-account-transfer");
    const all = await walk("v2-account-transfer", { address: scenario.addresses.alice });
    const read = async (page: number) =>
      (await other.fetch(endpoint, { address: scenario.addresses.alice, page, page_size: 10 })).rows ?? [];
    const first = await read(1);
    node.resetCounters();
    const [second, third] = await Promise.all([read(2), read(3)]);
    expect([...first, ...second, ...third]).toEqual(all.slice(0, 30));
    const lists = node.received().filter(({ method }) => method === "getSignaturesForAddress");
    expect(lists.map(({ params }) => params[0])).not.toContain(scenario.addresses.alice);
    const called = node.calls().getTransaction ?? 0;
    expect(await read(2)).toEqual(second);
    expect(node.calls().getTransaction ?? 0).toBe(called);
  });

  test("of failed transactions are saved where they have no rows", async () => {
    const { node, scenario } = shared;
    await using other = createClient({ rpc: node.url });
    node.resetCounters();
    await walk("v2-account-transfer", { address: scenario.addresses.bob }, other);
    const requested = node.received().filter(({ method }) => method === "getTransaction");
    const signatures = requested.map(({ params }) => params[0]);
    expect(signatures).toContain(scenario.signatures.solTransfer);
    expect(signatures).not.toContain(scenario.signatures.failedSolTransfer);
  });
});

test("a walk that is aborted continues with the next request", async () => {
  const { node, scenario } = shared;
  await using other = createClient({ rpc: node.url, retries: 0 });
  const [endpoint, params] = [endpointOf("v2-account-transfer"), { address: scenario.addresses.alice, page_size: 10 }];
  const first = await other.fetch(endpoint, { ...params, page: 1 });
  const abort = new AbortController();
  const when = () => {
    abort.abort();
    return true;
  };
  const removeFault = node.fail({ method: "getTransaction", latency: 60_000, when });
  const aborted = other.fetch(endpoint, { ...params, page: 4 }, { signal: abort.signal });
  await expect(aborted).rejects.toMatchObject({ exit: "interrupted" });
  removeFault();
  const fourth = await other.fetch(endpoint, { ...params, page: 4 });
  const all = await walk("v2-account-transfer", { address: scenario.addresses.alice });
  expect([...(first.rows ?? []), ...(fourth.rows ?? [])]).toEqual([...all.slice(0, 10), ...all.slice(30, 40)]);
});
