/** The end of a list where the clock of this machine is wrong. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ClientEvent, ReadOptions } from "../../../src/client/index.ts";
import { endpointOf, ListServer, type Params, rowOf } from "../list-server.ts";
import { json, NOW, serve, success, testClient, WALLET } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const HOURS = 3_600_000;
const second = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** A server with 250 transfers, one every four minutes, the newest of them now. */
async function transfers(date: number | null = NOW) {
  const rows = Array.from({ length: 250 }, (_, at) => rowOf(TRANSFERS, at, second(NOW) - at * 240));
  const list = new ListServer(TRANSFERS, rows);
  const requests: Params[] = [];
  const server = await serve(({ url = "" }, response) => {
    const params = Object.fromEntries(new URL(url, "http://localhost").searchParams);
    requests.push(params);
    if (date === null) response.sendDate = false;
    else response.setHeader("date", new Date(date).toUTCString());
    json(response, success(list.answer(params).data));
  });
  return { ...server, list, rows, queries: requests };
}

async function read(
  server: { readonly url: string },
  offset: number,
  options: ReadOptions = { all: true },
  params: Params = {},
) {
  const warnings: string[] = [];
  const onEvent = (event: ClientEvent) => void (event.type === "warning" && warnings.push(event.text));
  const client = testClient(server, { now: () => NOW + offset, onEvent });
  const rows: JsonObject[] = [];
  for await (const page of client.pages(TRANSFERS, { address: WALLET, ...params }, options)) {
    rows.push(...(page.rows as JsonObject[]));
  }
  return { rows, warnings };
}

describe("a slow clock", () => {
  test.each([-10 * HOURS, -120_000])("loses no rows of a list (%d ms)", async (offset) => {
    const server = await transfers();
    const { rows, warnings } = await read(server, offset);
    expect(rows).toEqual(server.rows);
    expect(warnings).toEqual([
      expect.stringMatching(/^The clock of this machine is (1 min 59 s|2 min|9 h 59 min|10 h) behind/),
    ]);
  });

  test("loses no rows of a number of rows beyond one page", async () => {
    const server = await transfers();
    expect((await read(server, -10 * HOURS, { limit: 150 })).rows).toEqual(server.rows.slice(0, 150));
  });

  test("loses no rows of an ascending list", async () => {
    const server = await transfers();
    const { rows } = await read(server, -10 * HOURS, { all: true }, { sort_order: "asc" });
    expect(rows).toEqual(server.rows.toReversed());
  });

  test("loses no rows where the server sends no date", async () => {
    const server = await transfers(null);
    const { rows, warnings } = await read(server, -10 * HOURS);
    expect(rows).toEqual(server.rows);
    expect(warnings).toEqual([]);
  });
});

test.each([
  ["the server", NOW + HOURS, 10 * HOURS, second(NOW + HOURS)],
  ["this machine, without a date of the server", null, HOURS, second(NOW + HOURS)],
  ["the newest row, if that is later", NOW - HOURS, 0, second(NOW)],
])("lists end at the time of %s", async (_, date, offset, end) => {
  const server = await transfers(date);
  await read(server, offset);
  const [first, ...others] = server.queries.map(({ to_time }) => to_time);
  expect(first).toBeUndefined();
  expect(new Set(others)).toEqual(new Set([String(end)]));
});

test("an end that the caller set is not changed", async () => {
  const server = await transfers();
  const end = second(NOW) - 10 * 240;
  expect((await read(server, -10 * HOURS, { all: true }, { to_time: end })).rows).toEqual(server.rows.slice(10));
});

test("a resumed reading has the same end", async () => {
  const server = await transfers();
  const client = testClient(server, { now: () => NOW - HOURS });
  const pages = client.pages(TRANSFERS, { address: WALLET }, { all: true, ahead: false });
  const first = (await pages.next()).value;
  await pages.return();
  server.list.rows = [rowOf(TRANSFERS, 1000, second(NOW) + 60), ...server.rows];
  const rest: JsonObject[] = [];
  const later = testClient(server, { now: () => NOW + HOURS });
  const resume = first?.state();
  for await (const page of later.pages(TRANSFERS, { address: WALLET }, { all: true, resume })) {
    rest.push(...(page.rows as JsonObject[]));
  }
  expect([...(first?.rows ?? []), ...rest]).toEqual(server.rows);
});

test("a range that starts in the future of the server is empty", async () => {
  const server = await transfers();
  expect((await read(server, 10 * HOURS, { all: true }, { from_time: "1h" })).rows).toEqual([]);
});

test("clocks that agree are not mentioned", async () => {
  const server = await transfers();
  expect((await read(server, 2000)).warnings).toEqual([]);
});
