/** Lists whose server returns a cursor beside the rows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import { endpointOf, ListServer, type Params } from "../list-server.ts";
import { failure } from "../servers.ts";

const ENHANCED = endpointOf("/account/transactions/enhanced");
const CANDLES = endpointOf("/token/price-ohlcv");

const transactions = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({ slot: count - at, transaction: { signatures: [`signature ${at}`] } }));

/** Where servers put the cursor. */
const PLACES: Readonly<Record<string, (rows: readonly Json[], cursor: Json) => Partial<Answer>>> = {
  "in data": (rows, cursor) => ({ data: { transactions: rows, cursor }, at: "transactions" }),
  "in metadata": (rows, cursor) => ({ data: rows, at: undefined, envelope: { data: rows, metadata: { cursor } } }),
  "beside data": (rows, cursor) => ({ data: rows, at: undefined, envelope: { data: rows, cursor } }),
};

/** Serves rows by a cursor; the last page has the cursor `last`. */
function cursorServer(count: number, place: keyof typeof PLACES = "in data", last: Json = null): ListServer {
  const server = new ListServer(ENHANCED, transactions(count));
  const { answer } = server;
  server.answer = ({ cursor, limit = 10 }) => {
    const start = cursor === undefined ? 0 : Number(String(cursor).slice(1));
    const rows = server.rows.slice(start, start + Number(limit));
    const next = start + rows.length < server.rows.length ? `c${start + rows.length}` : last;
    return { ...answer.call(server, {}), rows, ...PLACES[place]?.(rows, next) };
  };
  return server;
}

const MINUTE = 202_607_010_000;

/** Serves candles as the API does: newest page first, ascending rows, the candle of the cursor again on the next page. */
function candleServer(times: readonly number[]): ListServer {
  const rows = times.map((time): JsonObject => ({ time, close_price: time % 7 }));
  const server = new ListServer(CANDLES, rows);
  const { answer } = server;
  server.answer = ({ cursor, candles = 600 }) => {
    const older = rows.filter(({ time }) => cursor === undefined || Number(time) <= Number(cursor));
    const page = older.slice(-Number(candles));
    const data = { data: page, candles: page.length, cursor: page[0]?.time ?? null };
    return { ...answer.call(server, {}), data, rows: page, at: "data" };
  };
  return server;
}

async function pagesOf(server: ListServer, options: Params, params: Params = {}) {
  const pages = [];
  for await (const page of server.read(options, params)) pages.push(page);
  return pages;
}

describe("a cursor beside the rows", () => {
  it.each(Object.keys(PLACES))("%s leads through the whole list", async (place) => {
    for (const count of [0, 1, 100, 250]) {
      const server = cursorServer(count, place);
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(server.requests).toHaveLength(Math.max(1, Math.ceil(count / 40)));
    }
  });

  it.each([null, "", undefined])("that is %j ends the list", async (last) => {
    const server = cursorServer(20, "in data", last as Json);
    expect(await server.rowsOf({ all: true }, { limit: 10 })).toEqual(server.rows);
    expect(server.requests).toHaveLength(2);
  });

  it("is sent as the server returned it, after a resume too", async () => {
    const [first] = await pagesOf(cursorServer(250), { all: true });
    const server = cursorServer(250);
    expect(await server.rowsOf({ all: true, resume: first?.state() })).toEqual(server.rows.slice(40));
    expect(server.requests.map(({ params }) => params.cursor)).toEqual(["c40", "c80", "c120", "c160", "c200", "c240"]);
  });

  it("of a page without rows is followed once", async () => {
    const server = cursorServer(60);
    server.change = (answer, { cursor }) =>
      cursor === "c20" ? { ...answer, rows: [], data: { transactions: [], cursor: "c20 again" } } : answer;
    const { answer } = server;
    server.answer = (params) => answer.call(server, { ...params, cursor: String(params.cursor ?? "c0").split(" ")[0] });
    expect(await server.rowsOf({ all: true }, { limit: 10 })).toEqual(server.rows);
  });

  it("that is missing with the rows is no end before the page is empty again", async () => {
    const server = cursorServer(60);
    server.change = (answer) =>
      server.requests.length === 3 ? { ...answer, rows: [], data: { transactions: [], cursor: null } } : answer;
    expect(await server.rowsOf({ all: true }, { limit: 10 })).toEqual(server.rows);
    expect(server.requests).toHaveLength(7);
  });

  it("of pages that have known rows only is no end", async () => {
    const server = cursorServer(60);
    const { answer } = server;
    server.answer = (params) => ({
      ...answer.call(server, { ...params, cursor: undefined }),
      data: { transactions: [], cursor: `c${server.requests.length}` },
    });
    expect((await failure(server.rowsOf({ all: true }, { limit: 10 }))).code).toBe("STUCK");
  });

  it("that repeats although rows are new is an error, after the rows", async () => {
    const server = cursorServer(60);
    server.change = (answer) => ({ ...answer, data: { transactions: answer.rows ?? [], cursor: "c20" } });
    const rows: Json[] = [];
    const reading = (async () => {
      for await (const page of server.read({ all: true }, { limit: 10 })) rows.push(...page.rows);
    })();
    expect((await failure(reading)).code).toBe("STUCK");
    expect(rows).toEqual([...server.rows.slice(0, 10), ...server.rows.slice(20, 30)]);
  });

  it.each([{ a: 1 }, 7, true])("that is %j is an error", async (cursor) => {
    const server = cursorServer(60, "in data");
    server.change = (answer) => ({ ...answer, data: { transactions: answer.rows ?? [], cursor } });
    expect((await failure(server.rowsOf())).code).toBe("STUCK");
  });

  it("stops a single page from being called complete", async () => {
    const [[page], [last]] = [await pagesOf(cursorServer(11), {}), await pagesOf(cursorServer(10), {})];
    expect([page?.hasMore, page?.next]).toEqual([undefined, { cursor: "c10" }]);
    expect([last?.hasMore, last?.next]).toEqual([false, undefined]);
  });
});

describe("candles", () => {
  const series = fc
    .uniqueArray(fc.nat(5000), { maxLength: 120 })
    .map((minutes) => minutes.sort((a, b) => a - b).map((minute) => MINUTE + minute));

  it("are one list, newest first, whatever the page size, and each part of it can be resumed", async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.integer({ min: 2, max: 40 }), fc.nat(150), async (times, candles, limit) => {
        const server = () => candleServer(times);
        const expected = server().rows.toReversed();
        const pages = await pagesOf(server(), { all: true }, { candles });
        expect(pages.flatMap(({ rows }) => rows)).toEqual(expected);
        expect(await server().rowsOf({ limit: limit + 1 })).toEqual(expected.slice(0, limit + 1));
        let count = 0;
        for (const { rows, state } of pages) {
          count += rows.length;
          const resume = JSON.parse(JSON.stringify(state())) as JsonObject;
          expect(await server().rowsOf({ all: true, resume }, { candles })).toEqual(expected.slice(count));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("of pages that contain the candle of the cursor only are an error, not the end", async () => {
    const server = candleServer([MINUTE, MINUTE + 1, MINUTE + 2]);
    expect((await failure(server.rowsOf({ all: true }, { candles: 1 }))).code).toBe("STUCK");
    expect(await server.rowsOf({ limit: 1 })).toEqual([server.rows.at(-1)]);
  });

  it("that occur twice at the end of a page count once, with the later values", async () => {
    const server = candleServer([MINUTE, MINUTE + 1]);
    server.change = (answer) => {
      const forming = { time: MINUTE + 1, close_price: 99 };
      return { ...answer, rows: [...(answer.rows ?? []), forming] };
    };
    expect((await server.rowsOf({ limit: 5 })).slice(0, 1)).toEqual([{ time: MINUTE + 1, close_price: 99 }]);
    expect(await server.rowsOf({ limit: 5 })).toHaveLength(2);
  });

  it("of a single request are as the server returns them", async () => {
    const server = candleServer([MINUTE, MINUTE + 1]);
    expect(await server.rowsOf({})).toEqual(server.rows);
  });
});
