import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { dice, endpointOf, ListServer, type Params, rowOf } from "../list-server.ts";
import { failure, NOW } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const LEGACY_TRANSFERS = endpointOf("/account/splTransfers", "legacy");
const SIZE = { page_size: 10 };
const LEGACY_SIZE = { limit: 10 };
const START = NOW / 1000 - 10;

/** Rows with times, newest first; `counts` is the number of rows in each second. */
function rowsIn(endpoint: Endpoint, counts: Iterable<number>): JsonObject[] {
  const rows: JsonObject[] = [];
  let second = START;
  for (const count of counts) {
    for (let remaining = count; remaining > 0; remaining -= 1) rows.push(rowOf(endpoint, rows.length, second));
    second -= 1;
  }
  return rows;
}

/** Seconds with random numbers of rows, until there are enough. */
function* rolled(seed: number, most: number, rows: number): Generator<number> {
  const roll = dice(seed);
  for (let remaining = rows; remaining > 0; ) {
    const count = Math.min(remaining, 1 + roll(most - 1));
    yield count;
    remaining -= count;
  }
}

/** The deepest page, or the highest offset in pages, that was requested. */
const depthOf = (server: ListServer) =>
  Math.max(...server.requests.map(({ params }) => Number(params.page ?? Number(params.offset ?? 0) / 10)));

/** Windows that started, by the values of their parameter. */
const windowsOf = (server: ListServer, name = "to_time") =>
  [...new Set(server.requests.map(({ params }) => params[name]))].filter((value) => value !== undefined);

describe("deep lists of events", () => {
  it("are read in time windows, and return every row once, in order, whatever shares a second", async () => {
    const arbitraries = [fc.constantFrom(3, 25, 95), fc.nat(), fc.boolean(), fc.boolean()] as const;
    await fc.assert(
      fc.asyncProperty(...arbitraries, async (most, seed, isLegacy, isAscending) => {
        const endpoint = isLegacy ? LEGACY_TRANSFERS : TRANSFERS;
        const server = new ListServer(endpoint, rowsIn(endpoint, rolled(seed, most, 2500)));
        const roll = dice(seed);
        server.delay = () => roll(3);
        const order = isAscending && !isLegacy ? { sort_order: "asc" } : {};
        const rows = await server.rowsOf({ all: true }, { ...(isLegacy ? LEGACY_SIZE : SIZE), ...order });
        expect(rows).toEqual("sort_order" in order ? server.rows.toReversed() : server.rows);
        expect(depthOf(server)).toBeLessThanOrEqual(isLegacy ? 99 : 100);
      }),
      { numRuns: 12 },
    );
  });

  it("have the same number of equal rows", async () => {
    const rows = rowsIn(TRANSFERS, rolled(7, 20, 2500)).map((row, at, all) => {
      const same = all[at - (at % 4)];
      return same?.block_time === row.block_time ? same : row;
    });
    const server = new ListServer(TRANSFERS, rows as Json[]);
    expect(await server.rowsOf({ all: true }, SIZE)).toEqual(rows);
    expect(windowsOf(server).length).toBeGreaterThan(2);
  });

  it("waste no request at the boundary of a window", async () => {
    const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, new Array(2500).fill(1)));
    server.delay = () => 2;
    await server.rowsOf({ limit: 2500 }, SIZE);
    // One row is repeated with each window, and the first page of each of the three is checked.
    expect(server.requests.length).toBeLessThanOrEqual(251 + 3);
  });

  it("check the previous window while the first page of the next one is requested", async () => {
    const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, new Array(2500).fill(1)));
    server.delay = () => 3;
    const events: string[] = [];
    server.onRead = (number) => {
      const { page, to_time: to } = server.requests[number - 1]?.params ?? {};
      if (number > 1 && Number(page ?? 1) === 1)
        events.push(`${to ?? "start"} with ${server.requests.length - number}`);
    };
    await server.rowsOf({ limit: 2500 }, SIZE);
    // Of each window, the first page is answered after the check of the previous one was sent, and nothing else.
    expect(events.filter((event) => event.endsWith(" with 1"))).toHaveLength(windowsOf(server).length - 1);
    expect(events).toHaveLength(2 * windowsOf(server).length - 1);
  });

  it("check nothing twice where a window cannot be used", async () => {
    const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, new Array(1495).fill(1)));
    // The server excludes the second of the bound.
    server.change = (answer, { to_time: to }) => ({
      ...answer,
      rows: answer.rows?.filter((row) => (row as JsonObject).block_time !== to),
    });
    expect(await server.rowsOf({ all: true }, SIZE)).toHaveLength(1495);
    const first = server.requests.filter(({ params, sending }) => (params.page ?? 1) === 1 && !sending.signal.aborted);
    // The list, its window, and the check at the end.
    expect(first).toHaveLength(3);
  });

  it("continue paging through a second that has more rows than a window", async () => {
    for (const count of [90, 800, 1000, 1001, 2300]) {
      const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, [5, count, ...new Array(1495).fill(1)]));
      expect(await server.rowsOf({ all: true }, SIZE)).toEqual(server.rows);
    }
    const one = new ListServer(TRANSFERS, rowsIn(TRANSFERS, [2505]));
    expect(await one.rowsOf({ all: true }, SIZE)).toEqual(one.rows);
    expect(windowsOf(one)).toEqual([NOW / 1000]);
  });

  it("limit windows to the list: limits, totals and ends apply to all of them", async () => {
    const server = new ListServer(LEGACY_TRANSFERS, rowsIn(LEGACY_TRANSFERS, rolled(3, 4, 3000)));
    expect(await server.rowsOf({ limit: 2222 }, LEGACY_SIZE)).toEqual(server.rows.slice(0, 2222));
    const whole = new ListServer(LEGACY_TRANSFERS, rowsIn(LEGACY_TRANSFERS, rolled(3, 4, 2900)));
    expect(await whole.rowsOf({ all: true }, LEGACY_SIZE)).toEqual(whole.rows);
    expect(windowsOf(whole, "toTime").length).toBe(3);
  });

  it("start where the caller says", async () => {
    const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, rolled(5, 4, 2500)));
    const rows = await server.rowsOf({ all: true }, { ...SIZE, page: "3", to_time: START - 10 });
    const within = server.rows.filter((row) => Number((row as JsonObject).block_time) <= START - 10);
    expect(rows).toEqual(within.slice(20));
    expect(depthOf(server)).toBeLessThanOrEqual(102);
  });

  it("are unchanged when rows arrive, including those of the second at which reading began", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const server = new ListServer(TRANSFERS, rowsIn(TRANSFERS, rolled(seed, 9, 2300)));
        const before = server.rows;
        const roll = dice(seed);
        server.delay = () => roll(4);
        let fresh = 50_000;
        server.onRead = (number) => {
          if (number === 1 || roll(20) > 0) return;
          const second = NOW / 1000 + roll(3);
          server.rows = [rowOf(TRANSFERS, fresh++, second), ...server.rows];
        };
        expect(await server.rowsOf({ all: true }, SIZE)).toEqual(before);
      }),
      { numRuns: 15 },
    );
  });
});

describe("deep lists are read by pages", () => {
  const plain = () => new ListServer(TRANSFERS, rowsIn(TRANSFERS, rolled(1, 5, 1505)));
  const expectPaged = async (server: ListServer, params: Params = {}) => {
    const rows = await server.rowsOf({ all: true }, { ...SIZE, ...params });
    expect(rows).toEqual(server.rows);
    expect(depthOf(server)).toBeGreaterThanOrEqual(150);
  };

  it("where the caller set a time range, or the rows have no times", async () => {
    await expectPaged(plain(), { block_time: [1, NOW / 1000] });
    const server = plain();
    server.rows = server.rows.map((_, at) => rowOf(TRANSFERS, at));
    await expectPaged(server);
  });

  it("where they are not sorted by time", async () => {
    const server = plain();
    server.rows = server.rows.map((row, at) => ({ ...(row as JsonObject), block_time: START - ((at * 7) % 1000) }));
    const rows: Json[] = [];
    const reading = (async () => {
      for await (const page of server.read({ all: true }, SIZE)) rows.push(...page.rows);
    })();
    expect(await failure(reading)).toMatchObject({ code: "INCOMPLETE_LIST", exitCode: 10 });
    expect(rows).toEqual(server.rows);
    expect(depthOf(server)).toBeGreaterThanOrEqual(150);
    const endpoint = { ...TRANSFERS, query: { ...TRANSFERS.query } } as Endpoint;
    const other = new ListServer(endpoint, plain().rows);
    await expectPaged(other, { sort_by: "value" });
  });

  it("where the server ignores the time, or excludes its second", async () => {
    for (const shift of [Number.POSITIVE_INFINITY, -1]) {
      const server = plain();
      const answer = server.answer.bind(server);
      server.answer = ({ to_time, ...params }) =>
        answer(
          to_time === undefined || to_time === NOW / 1000 ? params : { ...params, to_time: Number(to_time) + shift },
        );
      await expectPaged(server);
    }
  });
});
