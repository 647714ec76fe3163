/** Exports window by window: no row is lost or returned twice, however the server answers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IncompleteError, RateLimitError } from "../../../src/base/errors.ts";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { endpointByPath } from "../../../src/catalogue/index.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import { type ExportOptions, type ExportSource, readExportWindows } from "../../../src/client/export/read-windows.ts";
import type { ClientEvent } from "../../../src/client/index.ts";
import type { ExportEstimate } from "../../../src/client/paging/estimate.ts";
import { prepare } from "../../../src/client/request/prepare.ts";
import { failure, NOW, WALLET } from "../servers.ts";

const endpoint = (path: string, family: "v2" | "legacy" = "v2") => {
  const match = endpointByPath(family, path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};
const TRANSFERS = endpoint("/account/transfer/export");

/** How a server interprets a window, and which rows it returns if there are too many. */
interface Server {
  readonly most: number;
  readonly fromCounts: boolean;
  readonly toCounts: boolean;
  readonly oldestFirst: boolean;
  /** Whether rows are in random order. */
  readonly isMixed?: boolean;
  /** The time of the oldest row according to the pages, true or not. */
  readonly oldest?: number | undefined;
}

const rowAt = (time: number, name: string): JsonObject => ({ Signature: name, "Block Time": String(time) });

/** A server with a number of rows in each second from `start`. */
function serverWith(start: number, counts: readonly number[], server: Server) {
  const all = counts.flatMap((count, at) =>
    Array.from({ length: count }, (_, row) => rowAt(start + at, `row ${row % 3}`)),
  );
  const place = (row: JsonObject, at: number) => (Number(row["Block Time"]) * 7919 + at * 104_729) % 1009;
  const mixed = all.map((row, at) => ({ row, at: place(row, at) })).toSorted((a, b) => a.at - b.at);
  const inTime = server.oldestFirst ? all : all.toReversed();
  const ordered = server.isMixed ? mixed.map(({ row }) => row) : inTime;
  const requests: JsonObject[] = [];
  const fetch = async (at: typeof TRANSFERS, params: Readonly<Record<string, unknown>>): Promise<Answer> => {
    if (at !== TRANSFERS)
      return answerOf(at, params, server.oldest === undefined ? [] : [{ block_time: server.oldest }]);
    requests.push(params as JsonObject);
    const [from, to] = [Number(params.from_time), Number(params.to_time ?? NOW / 1000)];
    const rows = ordered
      .filter((row) => {
        const time = Number(row["Block Time"]);
        return (time > from || (server.fromCounts && time === from)) && (time < to || (server.toCounts && time === to));
      })
      .slice(0, server.most);
    return answerOf(at, params, rows);
  };
  return { all, ordered, requests, fetch };
}

function answerOf(at: typeof TRANSFERS, params: Readonly<Record<string, unknown>>, rows: readonly Json[]): Answer {
  const request = prepare(at, params, { now: () => NOW });
  return { request, status: 200, headers: {}, body: "", envelope: undefined, data: rows, rows, at: undefined };
}

function sourceOf(fetch: ExportSource["fetch"], most: number, params: Readonly<Record<string, unknown>> = {}) {
  const events: ClientEvent[] = [];
  const source: ExportSource = {
    endpoint: TRANSFERS,
    params: { address: WALLET, ...params },
    fetch,
    now: NOW,
    onEvent: (event) => events.push(event),
    maxRows: most,
  };
  return { source, events };
}

/** The rows and the error of a reading. */
async function readAll(source: ExportSource, options?: ExportOptions) {
  const rows: Json[] = [];
  const states: { readonly state: JsonObject; readonly rows: number }[] = [];
  try {
    for await (const page of readExportWindows(source, options)) {
      rows.push(...page.rows);
      states.push({ state: page.state(), rows: rows.length });
    }
    return { rows, states, error: undefined };
  } catch (error) {
    return { rows, states, error };
  }
}

const keysOf = (rows: readonly Json[]) => rows.map((row) => JSON.stringify(row)).toSorted();
const START = NOW / 1000 - 400;
const server = fc.record({
  most: fc.integer({ min: 1, max: 12 }),
  fromCounts: fc.boolean(),
  toCounts: fc.boolean(),
  oldestFirst: fc.boolean(),
  isMixed: fc.boolean(),
  oldest: fc.option(fc.integer({ min: START - 200, max: START + 80 }), { nil: undefined }),
});
const busy = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(4) }, fc.nat(14));
const seconds = fc.array(busy, { maxLength: 60 });

describe("every row of the range once", () => {
  test("is returned whatever the server does with bounds and order, or the full seconds are reported", async () => {
    await fc.assert(
      fc.asyncProperty(seconds, server, async (counts, how) => {
        const { all, ordered, fetch } = serverWith(START, counts, how);
        const { source } = sourceOf(fetch, how.most);
        const { rows, error } = await readAll(source);
        const full = counts.flatMap((count, at) => (count >= how.most ? [START + at] : []));
        const isFull = (row: Json) => full.includes(Number((row as JsonObject)["Block Time"]));
        expect(keysOf(rows.filter((row) => !isFull(row)))).toEqual(keysOf(all.filter((row) => !isFull(row))));
        for (const second of full) {
          const rowsOfSecond = rows.filter((row) => Number((row as JsonObject)["Block Time"]) === second);
          expect(rowsOfSecond.length).toBe(how.most);
        }
        if (full.length === 0) expect(error).toBeUndefined();
        else {
          expect(error).toBeInstanceOf(IncompleteError);
          for (const second of full) expect((error as Error).message).toContain(`(${second})`);
        }
        const times = rows.map((row) => Number((row as JsonObject)["Block Time"]));
        const sorted = times.toSorted((a, b) => (how.oldestFirst ? a - b : b - a));
        // The first answer shows the order if it has more than one time.
        const firstTimes = new Set(ordered.slice(0, how.most).map((row) => row["Block Time"]));
        if (firstTimes.size > 1 && !how.isMixed) expect(times).toEqual(sorted);
      }),
      { numRuns: 300 },
    );
  });

  test("is returned when reading resumes after any page, with the rows and the failure of an uninterrupted run", async () => {
    await fc.assert(
      fc.asyncProperty(seconds, server, fc.option(fc.integer({ min: 1, max: 60 })), async (counts, how, limit) => {
        const { fetch } = serverWith(START, counts, how);
        const params = { from_time: START - 100 };
        const options = limit === null ? {} : { limit };
        const whole = await readAll(sourceOf(fetch, how.most, params).source, options);
        for (const { state, rows } of whole.states) {
          const resume = JSON.parse(JSON.stringify(state)) as JsonObject;
          const later = { ...sourceOf(fetch, how.most, params).source, now: NOW + 3_600_000 };
          const rest = await readAll(later, { ...options, resume });
          expect(rest.rows).toEqual(whole.rows.slice(rows));
          expect((rest.error as Error | undefined)?.message).toBe((whole.error as Error | undefined)?.message);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("is returned up to the limit, newest first", async () => {
    const counts = Array.from({ length: 50 }, () => 2);
    const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
    const { all, fetch } = serverWith(START, counts, how);
    const { rows } = await readAll(sourceOf(fetch, 10).source, { limit: 37 });
    expect(rows).toEqual(all.toReversed().slice(0, 37));
  });

  test("is returned when exactly as many rows exist as an export contains, after splitting", async () => {
    const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
    const { all, requests, fetch } = serverWith(START, [5, 0, 5], how);
    const { rows, error } = await readAll(sourceOf(fetch, 10).source);
    expect(keysOf(rows)).toEqual(keysOf(all));
    expect(error).toBeUndefined();
    expect(requests.length).toBeGreaterThan(1);
  });
});

describe("the columns", () => {
  const counts = Array.from({ length: 300 }, () => 1);
  /** A server whose later answers have other columns. */
  const changing = (change: (row: JsonObject) => JsonObject) => {
    const { all, fetch } = serverWith(START, counts, {
      most: 100,
      fromCounts: true,
      toCounts: true,
      oldestFirst: false,
    });
    let answers = 0;
    const changed: ExportSource["fetch"] = async (...args) => {
      const answer = await fetch(...args);
      answers += 1;
      return answers <= 4 ? answer : { ...answer, rows: (answer.rows as JsonObject[]).map(change) };
    };
    return { all, source: sourceOf(changed, 100).source };
  };

  test("of a later window must be the same: the rows before are returned, also when reading resumes", async () => {
    const { source } = changing((row) => ({ ...row, Fee: "1" }));
    const first = await readAll(source);
    expect(first.rows.length).toBeGreaterThan(10);
    expect(first.error).toMatchObject({ code: "COLUMNS", exitCode: 8, retryable: true });
    expect((first.error as Error).message).toContain("they are Signature, Block Time, Fee; before");
    const resumed = await readAll(source, { resume: first.states.at(-1)?.state });
    expect(resumed.rows).toEqual([]);
    expect(resumed.error).toMatchObject({ code: "COLUMNS" });
  });

  test("may be in another order, and rows may lack the last ones", async () => {
    for (const change of [
      (row: JsonObject): JsonObject => ({ "Block Time": row["Block Time"] ?? "", Signature: row.Signature ?? "" }),
      (row: JsonObject): JsonObject => ({ ...row }),
    ]) {
      const { all, source } = changing(change);
      const { rows, error } = await readAll(source);
      expect(error).toBeUndefined();
      expect(rows).toHaveLength(all.length);
    }
  });
});

describe("the range", () => {
  const how: Server = { most: 100, fromCounts: true, toCounts: true, oldestFirst: false };

  test("is the whole chain until now, in one request where that is sufficient", async () => {
    const { requests, fetch } = serverWith(START, [3, 2, 1], how);
    const { rows } = await readAll(sourceOf(fetch, 100).source);
    expect(rows.length).toBe(6);
    expect(requests).toEqual([{ address: WALLET, from_time: 1_584_316_800 }]);
  });

  test.each([-10 * 3600, -120, 7200])(
    "ends at the time of the server with a clock that is %d s wrong",
    async (skew) => {
      const counts = Array.from({ length: 400 }, () => 1);
      const { all, requests, fetch } = serverWith(START, counts, how);
      const date = new Date(NOW).toUTCString();
      const dated: ExportSource["fetch"] = async (...args) => ({ ...(await fetch(...args)), headers: { date } });
      const { rows, error } = await readAll({ ...sourceOf(dated, 100).source, now: NOW + skew * 1000 });
      expect(error).toBeUndefined();
      expect(keysOf(rows)).toEqual(keysOf(all));
      expect(Math.max(...requests.map(({ to_time }) => Number(to_time ?? 0)))).toBeLessThanOrEqual(NOW / 1000);
    },
  );

  test("is not earlier than the newest row, where the server sends no date", async () => {
    const { all, fetch } = serverWith(
      START,
      Array.from({ length: 300 }, () => 1),
      how,
    );
    const { rows } = await readAll({ ...sourceOf(fetch, 100).source, now: (START + 100) * 1000 });
    expect(keysOf(rows)).toEqual(keysOf(all));
  });

  test("is requested again with the time of the server, where the endpoint needs an end", async () => {
    const ends: number[] = [];
    const fetch: ExportSource["fetch"] = async (at, params) => {
      ends.push(Number(params.toTime));
      return { ...answerOf(at, params, []), headers: { date: new Date(NOW).toUTCString() } };
    };
    const legacy = endpoint("/account/exportTransactions", "legacy");
    const params = { account: WALLET, type: "all" };
    const readWith = (now: number) => readAll({ ...sourceOf(fetch, 100).source, endpoint: legacy, params, now });
    await readWith(NOW - 2000);
    expect(ends.splice(0)).toEqual([NOW / 1000 - 2]);
    await readWith(NOW - 120_000);
    expect(ends).toEqual([NOW / 1000 - 120, NOW / 1000]);
  });

  test("is the requested one, in any form, including the deprecated one", async () => {
    for (const input of [
      { from_time: "390s", to_time: String(START + 20) },
      { block_time: [START + 10, START + 20] },
    ]) {
      const { requests, fetch } = serverWith(
        START,
        Array.from({ length: 40 }, () => 1),
        how,
      );
      const { rows } = await readAll(sourceOf(fetch, 100, input).source);
      expect(rows.length).toBe(11);
      expect(requests[0]).toEqual({ address: WALLET, from_time: START + 10, to_time: START + 20 });
    }
  });

  test("uses the names of the endpoint, and the newer ones if they are set", async () => {
    const names = async (path: string, params: JsonObject, family: "v2" | "legacy" = "v2") => {
      const requests: string[][] = [];
      const fetch = async (at: typeof TRANSFERS, params: Readonly<Record<string, unknown>>) => {
        requests.push(Object.keys(params).filter((name) => /time/i.test(name)));
        return answerOf(at, params, []);
      };
      await readAll({ ...sourceOf(fetch, 100).source, endpoint: endpoint(path, family), params });
      return requests;
    };
    expect(await names("/account/reward/export", { address: WALLET })).toEqual([["time_from"]]);
    expect(await names("/account/reward/export", { address: WALLET, from_time: "7d", to_time: "1d" })).toEqual([
      ["from_time", "to_time"],
    ]);
    expect(await names("/account/exportTransactions", { account: WALLET, type: "all" }, "legacy")).toEqual([
      ["fromTime", "toTime"],
    ]);
  });

  test("is refused before a request when it is empty or reversed", async () => {
    const { requests, fetch } = serverWith(START, [1], how);
    const { error } = await readAll(sourceOf(fetch, 100, { from_time: "1d", to_time: "2d" }).source);
    expect(error).toMatchObject({ exitCode: 2 });
    expect(requests).toEqual([]);
  });

  test("is not split further where the oldest row is known", async () => {
    const counts = Array.from({ length: 60 }, () => 5);
    const { all, requests, fetch } = serverWith(START, counts, { ...how, oldest: START });
    const { rows } = await readAll(sourceOf(fetch, 100).source);
    expect(keysOf(rows)).toEqual(keysOf(all));
    // The whole range, and 300 rows in windows of about 70.
    expect(requests.length).toBeLessThan(8);
    expect(requests.at(-1)).toMatchObject({ from_time: 1_584_316_800 });
  });

  test("grows over empty years", async () => {
    const counts = [...Array.from({ length: 20 }, () => 1), ...Array.from({ length: 300 }, () => 7)];
    const { all, requests, fetch } = serverWith(START, counts, how);
    const { rows } = await readAll(sourceOf(fetch, 100).source);
    expect(keysOf(rows)).toEqual(keysOf(all));
    // 2120 rows in windows of about 70 rows, and four years in tenfold steps.
    expect(requests.length).toBeLessThan(50);
  });
});

describe("missing rows are reported", () => {
  test("of a server that ignores the times", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => rowAt(START + at, "row"));
    const fetch: ExportSource["fetch"] = async (at, params) => answerOf(at, params, rows.slice(0, 10));
    const { error } = await readAll(sourceOf(fetch, 10).source);
    expect(error).toMatchObject({ exitCode: 10, code: "STUCK" });
  });

  test("of other times, which are not counted twice", async () => {
    const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
    const { all, fetch } = serverWith(
      START,
      Array.from({ length: 20 }, () => 1),
      how,
    );
    const stray = rowAt(START - 9000, "stray");
    const withStray: ExportSource["fetch"] = async (at, params) => {
      const answer = await fetch(at, params);
      return answer.rows?.length === 10 ? answer : answerOf(at, params, [...(answer.rows ?? []), stray]);
    };
    const { rows, error } = await readAll(sourceOf(withStray, 10).source);
    expect(keysOf(rows.filter((row) => row !== stray))).toEqual(keysOf(all));
    expect(rows.filter((row) => row === stray).length).toBeLessThanOrEqual(1);
    expect(error).toMatchObject({ exitCode: 10, code: "INCOMPLETE_EXPORT" });
  });

  test("of a full answer whose rows have no time", async () => {
    const fetch: ExportSource["fetch"] = async (at, params) =>
      answerOf(
        at,
        params,
        Array.from({ length: 10 }, () => ({ Signature: "row", "Block Time": "" })),
      );
    expect((await readAll(sourceOf(fetch, 10).source)).error).toMatchObject({ exitCode: 10, code: "STUCK" });
  });

  test("and text times are used only with a time zone", async () => {
    const times = (cells: JsonObject) =>
      readAll({
        ...sourceOf(
          async (at, params) =>
            answerOf(
              at,
              params,
              Array.from({ length: 10 }, () => cells),
            ),
          10,
        ).source,
        endpoint: endpoint("/account/reward/export"),
      });
    const moment = new Date(NOW - 5000).toISOString().slice(0, 19);
    expect((await times({ "Effective Time": moment })).error).toMatchObject({ code: "STUCK" });
    expect((await times({ "Effective Time": moment, "Effective Time Unix": String(START) })).error).toMatchObject({
      code: "STUCK",
      message: expect.stringContaining("times outside the request"),
    });
  });
});

describe("waiting", () => {
  test("for the next export is not a failure", async () => {
    const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
    const { all, fetch } = serverWith(START, [3], how);
    let calls = 0;
    const slept: number[] = [];
    const busy: ExportSource["fetch"] = async (at, params) => {
      calls += 1;
      if (calls % 4 !== 0) throw new RateLimitError("Too many requests, please try again later.", { retryAfter: 20 });
      return fetch(at, params);
    };
    const { source, events } = sourceOf(busy, 10);
    const sleep = async (milliseconds: number) => void slept.push(milliseconds);
    const { rows, error } = await readAll({ ...source, sleep });
    expect(error).toBeUndefined();
    expect(keysOf(rows)).toEqual(keysOf(all));
    expect(slept).toEqual([60_000, 60_000, 60_000]);
    expect(events.filter(({ type }) => type === "wait").length).toBe(3);
    calls = 0;
    expect((await readAll(source)).error).toMatchObject({ exitCode: 6 });
  });

  test("is reported with the windows that were read and those that remain", async () => {
    const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
    const { fetch } = serverWith(
      START,
      Array.from({ length: 100 }, () => 3),
      how,
    );
    const { source, events } = sourceOf(fetch, 10, { from_time: START });
    const { rows } = await readAll(source);
    const windows = events.filter((event) => event.type === "export");
    expect(windows.map(({ window }) => window)).toEqual(windows.map((_, at) => at + 1));
    expect(windows.at(-1)).toMatchObject({ of: windows.length, rows: rows.length, seconds: 0 });
    expect(windows[0]?.seconds).toBe(((windows[0]?.of ?? 0) - 1) * 60);
  });
});

test("the effort is reported before the first row when one export does not contain all rows", async () => {
  const how = { most: 10, fromCounts: true, toCounts: true, oldestFirst: false };
  const estimates = async (counts: readonly number[], options: ExportOptions = {}) => {
    const { fetch } = serverWith(START, counts, how);
    const first = START + counts.findIndex((count) => count > 0);
    const requests: string[] = [];
    const both: ExportSource["fetch"] = async (at, params) => {
      requests.push(at.command);
      return at === TRANSFERS ? fetch(at, params) : answerOf(at, params, [{ block_time: first }]);
    };
    const events: ExportEstimate[] = [];
    const pages = readExportWindows(sourceOf(both, 10).source, {
      ...options,
      onEstimate: (one) => void events.push(one),
    });
    await pages.next();
    return { events, requests };
  };
  expect(await estimates([1, 1])).toEqual({ events: [], requests: ["account transfer-export"] });
  const { events } = await estimates(Array.from({ length: 200 }, () => 1));
  expect(events.length).toBe(1);
  expect(events[0]?.rows).toBeGreaterThan(180);
  expect(events[0]?.rows).toBeLessThan(260);
  expect(events[0]?.pages?.requests).toBe(Math.ceil((events[0]?.rows ?? 0) / 100));
  expect(events[0]?.exports?.requests).toBe(1 + Math.ceil((events[0]?.rows ?? 0) / 7));
  const limited = await estimates(
    Array.from({ length: 200 }, () => 1),
    { limit: 50 },
  );
  expect(limited.events[0]).toMatchObject({ rows: 50, pages: { requests: 1, units: 100 } });
  expect(limited.requests).not.toContain("account transfer");
});

test("an invalid state is refused", async () => {
  const { fetch } = serverWith(START, [1], { most: 10, fromCounts: true, toCounts: true, oldestFirst: false });
  const reading = readExportWindows(sourceOf(fetch, 10).source, { resume: { page: 3 } });
  expect(await failure(reading.next())).toMatchObject({ exitCode: 2, code: "BAD_STATE" });
});
