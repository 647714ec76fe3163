/** The client against the whole API: lists, batches, exports, plans, keys, faults, digits. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Json, stringifyJson } from "../../src/base/json.ts";
import { endpointByPath } from "../../src/catalogue/index.ts";
import type { BatchItem } from "../../src/client/index.ts";
import { type RunningSandbox, type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import type { ClientOptions } from "../../src/sources/index.ts";
import type { ExactClient } from "../support/exact-client.ts";
import { worldsFolder } from "../support/ledger.ts";
import { failure, NOW, testClient, USDC, WALLET } from "./servers.ts";

const OPTIONS: ServerOptions = { seed: "test", size: 0.05, now: NOW / 1000, port: 0, folder: worldsFolder() };
let shared: RunningSandbox;

beforeAll(async () => {
  shared = await startSandbox(OPTIONS);
});
afterAll(() => shared.close());

const clientOf = (sandbox: RunningSandbox, options: ClientOptions = {}) =>
  testClient(sandbox, { key: sandbox.key, ...options });

/** A sandbox of the test, with a client. */
async function startLocal(options: ServerOptions, client: ClientOptions = {}) {
  const sandbox = await startSandbox({ ...OPTIONS, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, client: clientOf(sandbox, client) };
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const endpoint = (path: string) => {
  const match = endpointByPath("v2", path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};

describe("lists", () => {
  const inPages = (client: ExactClient, path: string, params: Readonly<Record<string, Json>>) =>
    collect(client.pages(endpoint(path), params, { all: true })).then((pages) => pages.flatMap(({ rows }) => rows));

  test.each([
    ["/token/transfer", { address: USDC }],
    ["/account/transfer", { address: WALLET }],
    ["/account/balance_change", { address: WALLET }],
    ["/token/holders", { address: USDC }],
    ["/token/list", {}],
  ])("%s has the same rows in pages of any size, including equal ones", async (path, params) => {
    const client = clientOf(shared);
    const large = await inPages(client, path, params);
    const small = await inPages(client, path, { ...params, page_size: 20 });
    expect(large.length).toBeGreaterThan(20);
    expect(small.map((row) => stringifyJson(row))).toEqual(large.map((row) => stringifyJson(row)));
  });

  test("an account's transactions by cursor include those of its transfers", async () => {
    const client = clientOf(shared);
    const hashes = (await collect(client.account.transactions({ address: WALLET }).rows())).map((row) => row.tx_hash);
    expect(new Set(hashes).size).toBe(hashes.length);
    const transfers = await collect(client.account.transfer({ address: WALLET }).rows());
    expect(transfers.filter(({ trans_id }) => !hashes.includes(trans_id))).toEqual([]);
  });

  test("an export has the rows of the list", async () => {
    const client = clientOf(shared);
    const window = { address: WALLET, from_time: "60d" };
    const listed = await collect(client.account.transfer(window).rows());
    const exported = await collect(client.account.transferExport(window).rows());
    expect(exported.length).toBe(Math.min(listed.length, 5000));
    const signatures = exported.map(({ Signature }) => Signature);
    expect(signatures.toSorted()).toEqual(listed.map(({ trans_id }) => trans_id).toSorted());
  });
});

describe("many identifiers", () => {
  const tokens = async (client: ExactClient, count: number) =>
    (await collect(client.token.list().rows({ limit: count }))).map(({ address }) => address);
  const answers = (items: readonly BatchItem[]) => items.map(({ input, data }) => [input, stringifyJson(data ?? null)]);

  test("are packed, in order, with the results of single requests", async () => {
    const client = clientOf(shared);
    const ids = await tokens(client, 45);
    const before = shared.requests().length;
    const packed = await collect(client.many(endpoint("/token/meta"), ids));
    expect(shared.requests().length - before).toBe(3);
    const alone = await Promise.all(ids.map((address) => client.token.meta({ address })));
    expect(answers(packed)).toEqual(ids.map((id, at) => [id, stringifyJson(alone[at] as object as Json)]));
  });

  test("have the same prices packed or alone", async () => {
    const client = clientOf(shared);
    const ids = await tokens(client, 5);
    const packed = await collect(client.many(endpoint("/token/price"), ids, { from_time: "7d" }));
    const alone = await Promise.all(ids.map((address) => client.token.price({ address, from_time: "7d" })));
    expect(packed.map(({ data }) => data)).toEqual(alone);
    expect(alone.flat().length).toBeGreaterThan(0);
  });

  test("are requested one by one with the Lite plan, which refuses packs", async () => {
    const { client, sandbox } = await startLocal({ plan: "lite" });
    const ids = await tokens(client, 25);
    const items = await collect(client.many(endpoint("/token/meta"), ids));
    expect(answers(items)).toEqual(answers(await collect(clientOf(shared).many(endpoint("/token/meta"), ids))));
    expect(sandbox.requests().filter(({ status }) => status === 403).length).toBeGreaterThan(0);
  });

  test("are all returned but the unknown one", async () => {
    const unknown = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngm";
    const items = await collect(clientOf(shared).many(endpoint("/token/meta"), [USDC, unknown]));
    expect(items).toMatchObject([{ data: { address: USDC } }, { error: { name: "NotFoundError" } }]);
  });
});

describe("what the API refuses", () => {
  test("another key", async () => {
    const client = clientOf(shared, { key: "another-key-0123456789" });
    expect(await failure(client.token.meta({ address: USDC }))).toMatchObject({ exitCode: 3, status: 401 });
  });

  test("more requests than the rate limit, with the time to come back", async () => {
    const { client } = await startLocal({ rate: { requests: 2, seconds: 60 } }, { retries: 0 });
    for (let count = 0; count < 2; count += 1) await client.token.meta({ address: USDC });
    expect(await failure(client.token.meta({ address: USDC }))).toMatchObject({ exitCode: 6, status: 429 });
  });

  test("more units than the plan has", async () => {
    const { client, sandbox } = await startLocal({ plan: "level-2", units: 1000 }, { retries: 3 });
    sandbox.setUsage(1000);
    expect(await failure(client.token.meta({ address: USDC }))).toMatchObject({ exitCode: 7 });
    expect(sandbox.requests()).toHaveLength(1);
  });
});

test.each(["503#1", "html#1", "reset#1", "truncate#1", "429:retry-after=1#1"])(
  "%s passes on a retry",
  async (fault) => {
    const { client, sandbox } = await startLocal({ faults: [fault] });
    expect(await client.token.meta({ address: USDC })).toMatchObject({ symbol: "USDC" });
    expect(sandbox.requests()).toHaveLength(2);
  },
);

test("a list is read completely from a server that fails now and then", async () => {
  const { client } = await startLocal({ faults: ["503:20%", "reset:5%"] }, { retries: 8 });
  const rows = await collect(client.token.transfer({ address: USDC }).rows());
  const expected = await collect(clientOf(shared).token.transfer({ address: USDC }).rows());
  expect(rows.map((row) => stringifyJson(row as object as Json))).toEqual(
    expected.map((row) => stringifyJson(row as object as Json)),
  );
});

test("numbers beyond doubles arrive with every digit", async () => {
  const client = clientOf(shared);
  const tokens = await collect(client.token.list().rows({ limit: 100 }));
  let large = 0;
  for (const { address } of tokens) {
    const data = stringifyJson((await client.token.meta({ address })) as unknown as Json);
    const answer = await fetch(`${shared.url}/v2.0/token/meta?address=${address}`, { headers: { token: shared.key } });
    expect(await answer.text()).toContain(data);
    large += /"supply":"?\d{17,}/.test(data) ? 1 : 0;
  }
  expect(large).toBeGreaterThan(0);
});
