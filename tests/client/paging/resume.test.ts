import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import type { PagingOptions } from "../../../src/client/paging/page.ts";
import { dice, endpointOf, ListServer, type Params, rowOf } from "../list-server.ts";
import { failure, json, NOW, serve, success, testClient, WALLET } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const LEGACY_TRANSFERS = endpointOf("/account/splTransfers", "legacy");
const KINDS = [
  TRANSFERS,
  LEGACY_TRANSFERS,
  endpointOf("/token/holders"),
  endpointOf("/token/list"),
  endpointOf("/account/transactions"),
  endpointOf("/account/transactions", "legacy"),
  endpointOf("/token/holders", "legacy"),
  endpointOf("/market/token/{tokenAddress}", "legacy"),
] as const;

/** Small pages, so that little data has many of them. */
const sizeOf = ({ query }: Endpoint): Params => ("page_size" in query ? { page_size: 10 } : { limit: 10 });

interface List {
  readonly endpoint: Endpoint;
  readonly count: number;
  readonly seed: number;
  readonly options: PagingOptions;
  /** Rows that arrive, by the number of the request before which they arrive. */
  readonly arrivals: readonly (readonly [at: number, count: number])[];
}

/** A server whose list moves the same way however it is read: its answer to a page depends on the page only. */
function serverOf({ endpoint, count, seed, arrivals }: List): ListServer {
  const roll = dice(seed);
  let second = NOW / 1000 - 5;
  let subject = 0;
  const rows = Array.from({ length: count }, (_, at) => {
    if (roll(2) === 0) second -= 1;
    // Some equal the row before in everything but their position.
    subject = endpoint === TRANSFERS && roll(3) === 0 ? subject : at;
    return rowOf(endpoint, subject, second);
  });
  const server = new ListServer(
    endpoint,
    rows.map((row, at) => (endpoint.identity ? row : { ...row, at })),
  );
  const { answer } = server;
  server.answer = (params) => {
    const place = Number(params.page ?? Number(params.offset ?? 0) / 10 + 1);
    const arrived = arrivals.filter(([at]) => at <= place).reduce((sum, [, more]) => sum + more, 0);
    server.rows = [...Array.from({ length: arrived }, (_, at) => rowOf(endpoint, 90_000 - at, NOW / 1000)), ...rows];
    return answer.call(server, params);
  };
  return server;
}

/** The rows of a reading, and the state after each page, as it is stored in a file. */
async function readAll(list: List, resume?: JsonObject) {
  const [rows, states]: [Json[][], string[]] = [[], []];
  let error: unknown;
  const server = serverOf(list);
  const read = server.read({ ...list.options, resume }, sizeOf(list.endpoint));
  try {
    let late: (() => JsonObject) | undefined;
    for await (const page of read) {
      // The state of the previous page is unchanged.
      if (late) states.push(JSON.stringify(late()));
      late = page.state;
      rows.push([...page.rows]);
    }
    if (late) states.push(JSON.stringify(late()));
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { rows, states, error, server };
}

const lists = (most: number) =>
  fc.record({
    endpoint: fc.constantFrom(...KINDS),
    count: fc.integer({ min: 0, max: most }),
    seed: fc.nat(),
    options: fc.oneof(fc.constant({ all: true }), fc.record({ limit: fc.integer({ min: 11, max: most }) })),
    arrivals: fc.array(fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 4 })), { maxLength: 3 }),
  });

/** Interrupts a reading after a page and resumes from its state. */
async function expectSame(list: List, part: number) {
  const whole = await readAll(list);
  if (whole.states.length === 0) return;
  const cut = Math.min(whole.states.length - 1, Math.floor(part * whole.states.length));
  const rest = await readAll(list, JSON.parse(whole.states[cut] ?? "") as JsonObject);
  expect([...whole.rows.slice(0, cut + 1), ...rest.rows].flat()).toEqual(whole.rows.flat());
  expect(rest.error).toBe(whole.error);
}

describe("the state of a page", () => {
  it("resumes exactly where the page ended, wherever it is interrupted", async () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(fc.asyncProperty(lists(330), part, expectSame), { numRuns: 150 });
  });

  it("resumes in time windows, too", async () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    const deep = lists(2600).map((list) => ({ ...list, endpoint: TRANSFERS, count: 2500, arrivals: [] }));
    await fc.assert(fc.asyncProperty(deep, part, expectSame), { numRuns: 6 });
    // At the start of a window, and next to it.
    const list = { endpoint: LEGACY_TRANSFERS, count: 2500, seed: 4, options: { all: true }, arrivals: [] };
    for (const page of [98, 99, 100, 101]) await expectSame(list, page / 251);
  });

  it("is small, plain JSON", async () => {
    for (const endpoint of KINDS) {
      const { states } = await readAll({ endpoint, count: 2300, seed: 1, options: { all: true }, arrivals: [] });
      expect(Math.max(...states.map(({ length }) => length))).toBeLessThan(48_000);
    }
  });

  it("of the last page has no further rows, and sends no request", async () => {
    for (const options of [{ all: true }, { limit: 25 }, {}]) {
      const list = { endpoint: TRANSFERS, count: 55, seed: 1, options, arrivals: [] };
      const { states } = await readAll(list);
      const rest = await readAll(list, JSON.parse(states.at(-1) ?? "") as JsonObject);
      expect(rest.rows).toEqual([]);
      expect(rest.server.requests).toEqual([]);
    }
  });

  it("says whether a list ended too early, and requests an empty page again", async () => {
    const list = { endpoint: endpointOf("/token/holders"), count: 300, seed: 1, options: { all: true }, arrivals: [] };
    const broken = serverOf(list);
    broken.change = (answer, { page }) => (page === 8 ? { ...answer, rows: [] } : answer);
    let state: JsonObject = {};
    const rows: Json[] = [];
    const all = async () => {
      for await (const page of broken.read({ all: true }, { page_size: 10 })) {
        state = page.state();
        rows.push(...page.rows);
      }
    };
    expect(await failure(all())).toMatchObject({ code: "INCOMPLETE_LIST" });
    const rest = await readAll(list, state);
    expect([...rows, ...rest.rows.flat()]).toEqual(broken.rows);
  });

  it("is refused when it is invalid", async () => {
    const server = serverOf({ endpoint: TRANSFERS, count: 5, seed: 1, options: {}, arrivals: [] });
    expect(await failure(server.rowsOf({ all: true, resume: { some: "thing" } }))).toMatchObject({
      exitCode: 2,
      code: "BAD_STATE",
    });
    expect(server.requests).toEqual([]);
  });

  it("contains the time at which reading began", async () => {
    const page = (count: number) =>
      success(Array.from({ length: count < 4 ? 100 : 0 }, (_, at) => ({ trans_id: `${count} ${at}` })));
    const date = new Date(NOW).toUTCString();
    const server = await serve((_request, response, count) => json(response, page(count), 200, { date }));
    let clock = NOW;
    const client = testClient(server, { now: () => clock });
    const call = () => client.account.transfer({ address: WALLET, from_time: "7d" });
    let state: JsonObject = {};
    for await (const first of call().pages()) {
      state = first.state();
      break;
    }
    clock += 3_600_000;
    for await (const _ of call().pages({ resume: JSON.parse(JSON.stringify(state)) as JsonObject }));
    const times = server.requests.map(({ url }) => {
      const { searchParams } = new URL(url ?? "", server.url);
      return `${searchParams.get("from_time")} ${searchParams.get("to_time")}`;
    });
    expect(times.length).toBeGreaterThan(1);
    const from = NOW / 1000 - 7 * 86_400;
    expect(new Set(times)).toEqual(new Set([`${from} null`, `${from} ${NOW / 1000}`]));
  });
});
