/** Complete exports of the sandbox, and the same rows by pages. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { endpoints } from "../../../src/catalogue/index.ts";
import { OTHER_WALLET, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { findMissingColumns } from "../../../src/client/export/read-export.ts";
import type { ClientEvent, Page } from "../../../src/client/index.ts";
import { type RunningSandbox, type ServerOptions, startSandbox } from "../../../src/sandbox/index.ts";
import type { ExactClient } from "../../support/exact-client.ts";
import { worldsFolder } from "../../support/ledger.ts";
import { failure, NOW, testClient, WALLET } from "../servers.ts";

/** Large enough that the wallet has more transfers than an export contains. */
const OPTIONS: ServerOptions = { seed: "test", size: 2.5, now: NOW / 1000, port: 0, folder: worldsFolder() };

let shared: RunningSandbox;
beforeAll(async () => {
  shared = await startSandbox(OPTIONS);
});
afterAll(() => shared.close());

const exportAt = (path: string) => {
  const match = endpoints.find((endpoint) => endpoint.path === path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};
const clientOf = (sandbox: RunningSandbox) => testClient(sandbox, { key: sandbox.key });

async function rowsOf(pages: AsyncIterable<Page>): Promise<Json[]> {
  const rows: Json[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}

const all = { all: true } as const;

describe("complete exports", () => {
  test("of a wallet with more transfers than an export contains", async () => {
    const client = clientOf(shared);
    const endpoint = exportAt("/account/transfer/export");
    const one = await client.fetch(endpoint, { address: WALLET });
    expect(one.rows?.length).toBe(5000);
    const rows = await rowsOf(client.pages(endpoint, { address: WALLET }, all));
    const listed = await rowsOf(client.pages(exportAt("/account/transfer"), { address: WALLET }, all));
    expect(rows.length).toBeGreaterThan(5000);
    const signatures = (list: readonly Json[], name: string) => list.map((row) => (row as Record<string, Json>)[name]);
    expect(signatures(rows, "Signature")).toEqual(signatures(listed, "trans_id"));
    expect(rows.slice(0, 4000)).toEqual(one.rows?.slice(0, 4000));
    expect((await rowsOf(client.pages(endpoint, { address: WALLET }, { limit: 5100 }))).length).toBe(5100);
  });

  test("are the same when another client resumes them", async () => {
    const client = clientOf(shared);
    const endpoint = exportAt("/account/transfer/export");
    const pages: Page[] = [];
    for await (const page of client.pages(endpoint, { address: WALLET }, all)) pages.push(page);
    expect(pages.length).toBeGreaterThan(1);
    for (const [at, page] of pages.entries()) {
      const resume = JSON.parse(JSON.stringify(page.state()));
      const rest = await rowsOf(clientOf(shared).pages(endpoint, { address: WALLET }, { ...all, resume }));
      expect(rest).toEqual(pages.slice(at + 1).flatMap(({ rows }) => rows));
    }
  });

  test.each([
    ["/account/transfer/export", { address: OTHER_WALLET }],
    ["/account/defi/activities/export", { address: OTHER_WALLET }],
    ["/account/defi/activities/export", { address: OTHER_WALLET, sort_order: "asc" }],
    ["/token/defi/activities/export", { address: WRAPPED_SOL, from_time: "45d" }],
  ])("of %s, exported and by pages, are equal cell by cell", async (path, params) => {
    const client = clientOf(shared);
    const endpoint = exportAt(path);
    const missing = await findMissingColumns(endpoint);
    expect(missing).toEqual(path.startsWith("/account/transfer") ? ["Value"] : []);
    const exported = await rowsOf(client.pages(endpoint, params, { ...all, via: "export" }));
    const paged = await rowsOf(client.pages(endpoint, params, { ...all, via: "pages" }));
    expect(exported.length).toBeGreaterThan(10);
    const empty = Object.fromEntries(missing.map((name) => [name, ""]));
    const comparable = exported.map((row) => ({ ...(row as Record<string, Json>), ...empty }));
    expect(paged).toEqual(comparable);
    expect(paged.map((row) => Object.keys(row as object))).toEqual(exported.map((row) => Object.keys(row as object)));
  });

  test("of the rewards of a stake account, in one request, without a window", async () => {
    const client = clientOf(shared);
    const rewards = exportAt("/account/reward/export");
    const stakes = await client.account.stake({ address: OTHER_WALLET });
    const address = stakes[0]?.stake_account ?? "";
    const month = await client.fetch(rewards, { address });
    const before = shared.requests().length;
    const rows = await rowsOf(client.pages(rewards, { address }, all));
    expect(shared.requests().length - before).toBe(1);
    expect(rows.length).toBeGreaterThan(month.rows?.length ?? 0);
    const legacy = exportAt("/account/exportRewards");
    expect(await rowsOf(client.pages(legacy, { account: address }, all))).toEqual(rows);
  });

  test("of the legacy transactions, which need no times then", async () => {
    const client = clientOf(shared);
    const endpoint = exportAt("/account/exportTransactions");
    const params = { account: WALLET, type: "all" };
    const rows = await rowsOf(client.pages(endpoint, params, all));
    const half = NOW / 1000 - 45 * 86_400;
    const parts = [
      await rowsOf(client.pages(endpoint, { ...params, fromTime: half + 1 }, all)),
      await rowsOf(client.pages(endpoint, { ...params, toTime: half }, all)),
    ];
    expect(rows.length).toBeGreaterThan(100);
    expect(parts.every((part) => part.length > 0)).toBe(true);
    expect(parts.flat()).toEqual(rows);
  });
});

test("are requested once a minute, however long it takes", async () => {
  let moment = NOW;
  const sandbox = await startSandbox({ ...OPTIONS, now: undefined, plan: "level-2", clock: () => moment });
  onTestFinished(() => sandbox.close());
  const events: ClientEvent[] = [];
  const client: ExactClient = testClient(sandbox, {
    key: sandbox.key,
    retries: 0,
    now: () => moment,
    onEvent: (event) => events.push(event),
    sleep: async (milliseconds) => {
      moment += milliseconds;
    },
  });
  const endpoint = exportAt("/account/transfer/export");
  const rows = await rowsOf(client.pages(endpoint, { address: WALLET }, all));
  expect(rows.length).toBeGreaterThan(5000);
  const exports = sandbox.requests().filter(({ status, path }) => status === 200 && path.endsWith("/export")).length;
  expect(exports).toBeGreaterThan(2);
  expect(moment - NOW).toBeGreaterThanOrEqual((exports - 1) * 60_000);
  expect(events.some((event) => event.type === "wait" && event.reason === "export")).toBe(true);
});

test("of rewards and legacy endpoints have no pages", async () => {
  const client = clientOf(shared);
  for (const path of ["/account/reward/export", "/account/exportTransactions", "/account/exportRewards"]) {
    const pages = client.pages(exportAt(path), { address: WALLET }, { ...all, via: "pages" });
    expect(await failure(pages.next())).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("No paged endpoint has the rows"),
    });
  }
});
