/** Where lists end, and where they only seem to end. */
import { describe, expect, it } from "vitest";
import { IncompleteError } from "../../../src/base/errors.ts";
import { type Json, type JsonObject, parseJson } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import { MAX_ALIKE_PAGES } from "../../../src/client/paging/deduplicator.ts";
import type { PagingOptions } from "../../../src/client/paging/page.ts";
import { totalRows } from "../../../src/client/paging/page-strategy.ts";
import { MAX_PAGES } from "../../../src/client/paging/prefetch.ts";
import { endpointOf, ListServer, rowOf } from "../list-server.ts";
import { failure, NOW } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const HOLDERS = endpointOf("/token/holders");
const TOKENS = endpointOf("/token/list");
const TRANSACTIONS = endpointOf("/account/transactions");
const LEGACY_TRANSFERS = endpointOf("/account/splTransfers", "legacy");

const serverOf = (endpoint: Endpoint, count: number) =>
  new ListServer(
    endpoint,
    Array.from({ length: count }, (_, at) => rowOf(endpoint, at)),
  );
const cut = (answer: Answer, count: number): Answer => ({ ...answer, rows: (answer.rows ?? []).slice(0, count) });
const withTotal = (answer: Answer, total: Json): Answer => ({
  ...answer,
  data: { ...(answer.data as JsonObject), total },
});

/** Reads a list, and resumes after each of its pages on another equal server. */
async function readResumed(make: () => ListServer, params: JsonObject = {}) {
  const server = make();
  const [states, starts]: [JsonObject[], number[]] = [[], []];
  const { rows, error } = await readToEnd(server, { all: true }, params, (count, state) => {
    starts.push(count);
    states.push(JSON.parse(JSON.stringify(state)) as JsonObject);
  });
  for (const [at, resume] of states.entries())
    expect(await readToEnd(make(), { all: true, resume }, params)).toEqual({ rows: rows.slice(starts[at]), error });
  return { rows, server, error };
}

/** Returns the rows of a list, and the message of the error that ended it. */
async function readToEnd(
  server: ListServer,
  options: PagingOptions = { all: true },
  params: JsonObject = {},
  onPage: (count: number, state: JsonObject) => void = () => {},
) {
  const rows: Json[] = [];
  try {
    for await (const page of server.read(options, params)) {
      rows.push(...page.rows);
      onPage(rows.length, page.state());
    }
  } catch (error) {
    expect(error).toBeInstanceOf(IncompleteError);
    return { rows, error: (error as Error).message };
  }
  return { rows, error: undefined };
}

const GAP = "A page of the list had fewer rows than its size, or those of another page: rows may be missing.";

describe("without a total", () => {
  it.each([0, 1, 60, 99])("a page of %i rows in the middle is not the end", async (count) => {
    const make = () => {
      const server = serverOf(TRANSFERS, 1030);
      server.change = (answer, { page }) => (page === 5 ? cut(answer, count) : answer);
      return server;
    };
    const { rows, server, error } = await readResumed(make);
    expect(rows).toEqual([...server.rows.slice(0, 400 + count), ...server.rows.slice(500)]);
    expect(error).toBe(GAP);
  });

  it("pages that are smaller than requested do not end the list", async () => {
    for (const endpoint of [TRANSFERS, TOKENS, LEGACY_TRANSFERS]) {
      const server = serverOf(endpoint, 730);
      const { answer } = server;
      const size = endpoint === LEGACY_TRANSFERS ? { limit: 20 } : { page_size: 40 };
      server.answer = (params) => answer.call(server, { ...params, ...size });
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(server.requests.length).toBeLessThan(730 / (endpoint === LEGACY_TRANSFERS ? 20 : 40) + 5);
    }
  });

  it("a page in the middle that was short once is read again", async () => {
    for (const endpoint of [TRANSFERS, TOKENS]) {
      const server = serverOf(endpoint, 730);
      server.change = (answer) => (server.requests.length === 3 ? cut(answer, 44) : answer);
      expect(await server.rowsOf({ all: true, ahead: false })).toEqual(server.rows);
    }
  });

  it("an offset continues where a short page ended, and by a full page after an empty one", async () => {
    for (const count of [0, 7]) {
      const server = serverOf(LEGACY_TRANSFERS, 95);
      server.change = (answer, { offset }) => withTotal(offset === 30 ? cut(answer, count) : answer, 0);
      const lost = count === 0 ? 10 : 0;
      const { rows, error } = await readToEnd(server, { all: true }, { limit: 10 });
      expect(rows).toEqual([...server.rows.slice(0, 30), ...server.rows.slice(30 + lost)]);
      expect(error).toBe(count === 0 ? GAP : undefined);
    }
  });

  it.each([0, 17])("a page of %i rows in the middle of a list with a cursor loses nothing", async (count) => {
    const server = serverOf(TRANSACTIONS, 333);
    server.change = (answer) => (server.requests.length === 3 ? cut(answer, count) : answer);
    expect(await server.rowsOf()).toEqual(server.rows);
    expect(server.requests).toHaveLength(9 + 2 + (count === 0 ? 1 : 0));
  });

  it("the same is true in a time window", async () => {
    const lost: Json[] = [];
    const server = serverOf(TRANSFERS, 0);
    server.rows = Array.from({ length: 1600 }, (_, at) => rowOf(TRANSFERS, at, NOW / 1000 - 10 - at));
    server.change = (answer, { page, to_time }) => {
      if (page !== 5 || to_time === NOW / 1000) return answer;
      lost.push(...(answer.rows ?? []).slice(3));
      return cut(answer, 3);
    };
    const { rows, error } = await readToEnd(server, { all: true }, { page_size: 10 });
    expect(new Set(lost).size).toBe(7);
    expect(rows).toEqual(server.rows.filter((row) => !lost.includes(row)));
    expect(error).toBe(GAP);
  });

  it("a page that is empty twice shows the end", async () => {
    for (const [count, requests] of [
      [0, 2],
      [30, 3],
      [130, 4],
    ] as const) {
      const server = serverOf(TRANSFERS, count);
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(server.requests).toHaveLength(requests);
    }
  });

  it("an empty or a repeated page in place of the last one is requested again", async () => {
    for (const endpoint of [TRANSFERS, TOKENS, TRANSACTIONS, LEGACY_TRANSFERS]) {
      const size = endpoint === TRANSACTIONS ? 40 : endpoint === LEGACY_TRANSFERS ? 50 : 100;
      for (const isEmpty of [true, false]) {
        const server = serverOf(endpoint, size + 7);
        server.change = (answer) => {
          if (server.requests.length !== 2) return withTotal(answer, null);
          return { ...answer, rows: isEmpty ? [] : server.rows.slice(0, size) };
        };
        expect(
          await server.rowsOf(
            { all: true, ahead: false },
            { [endpoint.family === "v2" ? "page_size" : "limit"]: size },
          ),
        ).toEqual(server.rows);
      }
    }
  });

  it("a page that is there again and again is none", async () => {
    for (const endpoint of [TRANSFERS, TOKENS, TRANSACTIONS]) {
      // A server that repeats its last page for every page beyond it, or one that has a page size of 30.
      const server = serverOf(endpoint, 30);
      const { answer } = server;
      server.answer = ({ page: _, before: __, ...params }) => answer.call(server, params);
      const { rows, error } = await readToEnd(server);
      expect(rows).toEqual(server.rows);
      expect(error).toMatch(/the same (rows again and again|last row as before)/);
      expect(server.requests.length).toBeLessThan(6);
    }
  });

  it("pages of one row that is there for ever are an error", async () => {
    for (const endpoint of [TRANSFERS, TOKENS, TRANSACTIONS]) {
      const server = serverOf(endpoint, 130);
      server.change = (answer) => ({ ...answer, rows: server.rows.slice(0, 1) });
      expect((await readToEnd(server)).error).toBeDefined();
    }
  });

  it("pages of another size than requested are counted by it", async () => {
    // A server that has at most 40 rows of a page, whose number counts pages of the size that was requested.
    const server = serverOf(TOKENS, 230);
    for (const most of [40, 37, 15]) {
      server.change = (answer) => cut(answer, most);
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(await server.rowsOf({ limit: 60 })).toEqual(server.rows.slice(0, 60));
    }
  });

  it.each([
    [{ all: true }, 37, 2],
    [{ all: true }, 7, 3],
    [{ limit: 60 }, 37, 2],
    [{ limit: 60 }, 7, 1],
    [{ limit: 30 }, 37, 1],
    [{}, 7, 1],
    [{ limit: 60 }, 100, 1],
  ] as const)("with %j, a list of %i rows takes %i requests", async (options, count, requests) => {
    const server = serverOf(TRANSFERS, count);
    const limit = "limit" in options ? options.limit : 100;
    expect(await server.rowsOf(options)).toEqual(server.rows.slice(0, limit));
    expect(server.requests).toHaveLength(requests);
  });

  it("a list that starts in its middle takes one request more, which shows that the server heeds the page", async () => {
    const server = serverOf(TRANSFERS, 400);
    expect(await server.rowsOf({ limit: 100 }, { page: 3, page_size: 100 })).toEqual(server.rows.slice(200, 300));
    expect(server.requests).toHaveLength(2);
    server.change = (answer) => ({ ...answer, rows: server.rows.slice(0, 100) });
    expect((await readToEnd(server, { limit: 100 }, { page: 3, page_size: 100 })).error).toBe(GAP);
  });

  it("a page that was empty once is read again when rows follow it", async () => {
    const server = serverOf(TOKENS, 45);
    let failures = 1;
    server.change = (answer, { page }) => (Number(page) === 3 && failures-- > 0 ? cut(answer, 0) : answer);
    expect(await server.rowsOf({ all: true }, { page_size: 10 })).toEqual(server.rows);
  });

  it("a reading resumed after a short page requests the next one, too", async () => {
    const states: JsonObject[] = [];
    for await (const page of serverOf(TRANSFERS, 30).read()) states.push(page.state());
    const server = serverOf(TRANSFERS, 30);
    expect(await server.rowsOf({ all: true, resume: states[0] as JsonObject })).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it("empty pages far apart are no cycle", async () => {
    const server = serverOf(TOKENS, 2400);
    const empty = [1270, 2000];
    server.change = (answer, { page }) => (empty.includes(Number(page) * 10) ? cut(answer, 0) : answer);
    const { rows, error } = await readToEnd(server, { all: true }, { page_size: 10 });
    expect(error).toBe(GAP);
    expect(rows).toEqual(server.rows.filter((_, at) => !empty.some((end) => at >= end - 10 && at < end)));
  });

  it("of the prefetched pages, only the one after a short page is awaited", async () => {
    const server = serverOf(TRANSFERS, 950);
    server.delay = (number) => (number > 10 ? 50 : 2);
    const read = server.read();
    for (let page = 1; page <= 10; page += 1) await read.next();
    const aborted = server.requests.slice(10).map(({ sending }) => sending.signal.aborted);
    expect(aborted.length).toBeGreaterThan(1);
    expect(aborted).toEqual([false, ...new Array(aborted.length - 1).fill(true)]);
    expect((await read.next()).value).toMatchObject({ rows: [], hasMore: undefined });
    expect((await read.next()).value).toMatchObject({ rows: [], hasMore: false });
  });

  it("nothing is requested beyond the limit, nor after a single page", async () => {
    const limited = serverOf(TRANSFERS, 130);
    expect(await limited.rowsOf({ limit: 130 })).toHaveLength(130);
    expect(limited.requests).toHaveLength(2);
    for (const options of [{}, { limit: 20 }]) {
      const single = serverOf(TRANSFERS, 5);
      for await (const page of single.read(options)) expect(page.hasMore).toBe(false);
      expect(single.requests).toHaveLength(1);
    }
  });
});

describe("equal rows", () => {
  const equal = { trans_id: "one", amount: 5 };
  const make = (before: number, count: number) => {
    const server = serverOf(TRANSFERS, before + 120);
    server.rows = [
      ...server.rows.slice(0, before),
      ...new Array<Json>(count).fill(equal),
      ...server.rows.slice(before),
    ];
    return server;
  };

  it.each([
    [50, 350],
    [0, 300],
    [7, 193],
    [100, 500],
  ])("after %i others: all %i of them are returned", async (before, count) => {
    const { rows, server } = await readResumed(() => make(before, count));
    expect(rows).toEqual(server.rows);
  });

  it("forever end with an error, and at once where they are of several kinds", async () => {
    for (const [kinds, most] of [
      [1, 2 * MAX_ALIKE_PAGES + 10],
      [2, 10],
    ] as const) {
      const server = serverOf(TRANSFERS, 0);
      server.rows = Array.from({ length: 100 }, (_, at) => ({ trans_id: "one", amount: at % kinds }));
      const { answer } = server;
      server.answer = (params) => answer.call(server, { ...params, page: 1 });
      expect(await failure(server.rowsOf())).toMatchObject({ exitCode: 10, code: "STUCK" });
      expect(server.requests.length).toBeLessThan(most + 16);
    }
  });
});

describe("with a total", () => {
  it.each([40, 400, 1000])("of %i that is too low, every row is read", async (total) => {
    const make = () => {
      const server = serverOf(HOLDERS, 1234);
      server.change = (answer) => withTotal(answer, total);
      return server;
    };
    const { rows, server } = await readResumed(make);
    expect(rows).toEqual(server.rows);
  });

  it("that shrinks to the rows read so far, every row is read", async () => {
    const server = serverOf(HOLDERS, 1234);
    server.change = (answer, { page }) => withTotal(answer, page === 10 ? 400 : 1234);
    expect(await server.rowsOf()).toEqual(server.rows);
  });

  it("that is right, a full last page costs one request, even if it is repeated", async () => {
    for (const last of [Number.POSITIVE_INFINITY, 3]) {
      const server = serverOf(HOLDERS, 120);
      const { answer } = server;
      server.answer = ({ page, ...params }) =>
        answer.call(server, { ...params, page: Math.min(Number(page ?? 1), last) });
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(server.requests).toHaveLength(4);
    }
    const partly = serverOf(HOLDERS, 110);
    await partly.rowsOf();
    expect(partly.requests).toHaveLength(3);
  });

  it("that is right, the probe at its end is prefetched", async () => {
    const server = serverOf(HOLDERS, 1200);
    const read = server.read();
    for (let page = 1; page <= 31 - MAX_PAGES; page += 1) await read.next();
    expect(server.requests).toHaveLength(31);
    await read.return();
  });

  it.each(["1e400", "-5", "12.5", "1e30"])("of %s, the end is not known", (total) => {
    const answer = serverOf(HOLDERS, 3).answer({});
    expect(totalRows(answer)).toBe(3);
    expect(totalRows(withTotal(answer, parseJson(total)))).toBeUndefined();
  });
});

it("a repeated row of the cursor is left out", async () => {
  const server = serverOf(TRANSACTIONS, 333);
  const { answer } = server;
  server.answer = (params) => {
    const at = server.rows.findIndex((row) => (row as JsonObject).tx_hash === params.before);
    const before = (server.rows[at - 1] as JsonObject | undefined)?.tx_hash;
    return answer.call(server, at < 1 ? params : { ...params, before });
  };
  const [rows, states, dropped]: [Json[], JsonObject[], number[]] = [[], [], []];
  for await (const page of server.read()) {
    rows.push(...page.rows);
    states.push(JSON.parse(JSON.stringify(page.state())) as JsonObject);
    dropped.push(page.dropped);
  }
  expect(rows).toEqual(server.rows);
  expect(dropped).toEqual([0, ...new Array(10).fill(1)]);
  expect(await server.rowsOf({ all: true, resume: states[2] as JsonObject })).toEqual(server.rows.slice(118));
});
