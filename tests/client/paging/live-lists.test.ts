/** Lists of a sandbox in which blocks arrive all the time: `all` returns the rows that existed when reading began. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { IncompleteError } from "../../../src/base/errors.ts";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { type RunningSandbox, type ServerOptions, startSandbox } from "../../../src/sandbox/index.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { worldsFolder } from "../../support/ledger.ts";
import { endpointOf, type Params } from "../list-server.ts";
import { NOW, USDC, WALLET } from "../servers.ts";

const OPTIONS: ServerOptions = { seed: "test", size: 0.05, port: 0, folder: worldsFolder(), clock: () => NOW };
/** The same world twice: one is static, the other is live. */
const worlds: { sandbox: RunningSandbox; client: ConnectedClient }[] = [];

beforeAll(async () => {
  for (const live of [false, 4]) {
    const sandbox = await startSandbox({ ...OPTIONS, live });
    const client = createClient({ baseUrl: sandbox.url, key: sandbox.key, rate: "off", now: () => sandbox.now() });
    worlds.push({ sandbox, client });
  }
});
afterAll(async () => {
  for (const { sandbox, client } of worlds) {
    await client.close();
    await sandbox.close();
  }
});

async function rowsOf(client: ConnectedClient, endpoint: Endpoint, params: Params): Promise<Json[]> {
  const rows: Json[] = [];
  for await (const page of client.pages(endpoint, params, { all: true })) rows.push(...page.rows);
  return rows;
}

/** Reads until the order of the rows is proved. */
async function untilComplete<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof IncompleteError)) throw error;
    }
  }
}

const timeOf = (row: Json) => Number((row as JsonObject).block_time ?? (row as JsonObject).blockTime);

const SMALL = { page_size: 10 };
const LISTS = [
  [endpointOf("/account/transfer"), { address: WALLET, ...SMALL }],
  [endpointOf("/account/transfer"), { address: WALLET, sort_order: "asc", ...SMALL }],
  [endpointOf("/account/defi/activities"), { address: "", ...SMALL }],
  [endpointOf("/account/balance_change"), { address: WALLET, ...SMALL }],
  [endpointOf("/token/transfer"), { address: USDC, page_size: 40 }],
  [endpointOf("/token/defi/activities"), { address: USDC, page_size: 40 }],
  [endpointOf("/account/splTransfers", "legacy"), { account: WALLET, limit: 10 }],
] as const;

/** The most active traders. */
async function trader(client: ConnectedClient): Promise<string> {
  const rows = await rowsOf(client, endpointOf("/token/defi/activities"), { address: USDC, page_size: 100 });
  const counts = new Map<string, number>();
  for (const row of rows) {
    const from = String((row as { from_address?: Json }).from_address);
    counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

// The chain of the live world is ahead of its clock: newest first, it may start with rows of the time between.
test.each(LISTS)("all rows are those that existed when reading began ($command)", async (endpoint, extra) => {
  const [still, live] = worlds as [(typeof worlds)[number], (typeof worlds)[number]];
  const params = "address" in extra && extra.address === "" ? { ...extra, address: await trader(still.client) } : extra;
  const before = await rowsOf(still.client, endpoint, params);
  expect(before.length).toBeGreaterThan(10);
  const end = live.sandbox.info().end;
  await expect.poll(() => live.sandbox.info().end, { interval: 5 }).toBeGreaterThan(end);
  const rows = await rowsOf(live.client, endpoint, params);
  expect(rows.slice(-before.length)).toEqual(before);
  const newest = Math.max(...before.map(timeOf));
  for (const row of rows.slice(0, -before.length)) expect(timeOf(row)).toBeGreaterThanOrEqual(newest);
});

// Without times nothing pins the list, and rows are identified by their ids.
test("a list without times has each initial row once, and may start with newer ones", async () => {
  const [still, live] = worlds as [(typeof worlds)[number], (typeof worlds)[number]];
  const endpoint = endpointOf("/token/transfer", "legacy");
  const params = { tokenAddress: USDC, limit: 20 };
  const idOf = (row: Json) => String((row as { _id?: Json })._id);
  const before = (await rowsOf(still.client, endpoint, params)).map(idOf);
  expect(before.length).toBeGreaterThan(100);
  // On a busy machine, the list may move by whole pages while it is read: that is said, and it can be read again.
  const ids = (await untilComplete(() => rowsOf(live.client, endpoint, params))).map(idOf);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.slice(-before.length)).toEqual(before);
});
