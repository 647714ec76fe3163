/** The estimated length of a list, with as few requests as possible. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import { endpointByPath, type ParameterValues } from "../../../src/catalogue/index.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import { estimateExports, estimateLength, estimateRequests, maxPageSize } from "../../../src/client/paging/estimate.ts";
import { prepare } from "../../../src/client/request/prepare.ts";
import { NOW, WALLET } from "../servers.ts";

const endpoint = (path: string) => {
  const match = endpointByPath("v2", path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};
const TRANSFERS = endpoint("/account/transfer");
const END = NOW / 1000;

function answerOf(at: typeof TRANSFERS, params: ParameterValues, data: Json, rows: readonly Json[]): Answer {
  const request = prepare(at, params, { now: () => NOW });
  return { request, status: 200, headers: {}, body: "", envelope: undefined, data, rows, at: undefined };
}

/** The length of a list of events at these times, newest first, and the requests it took. */
async function lengthBy(times: readonly number[], matters: number, extra: ParameterValues = {}) {
  const requests: ParameterValues[] = [];
  const page = (params: ParameterValues) => {
    const [from, to] = [Number(params.from_time ?? 0), Number(params.to_time ?? END)];
    const inside = times.filter((time) => time >= from && time <= to);
    const ordered = params.sort_order === "asc" ? inside.toReversed() : inside;
    const rows = ordered.slice(0, Number(params.page_size ?? 10)).map((time) => ({ block_time: time }));
    return answerOf(TRANSFERS, params, rows, rows);
  };
  const params = { address: WALLET, ...extra };
  const first = page({ ...params, page_size: 100 });
  const fetch = async (one: ParameterValues) => {
    requests.push(one);
    return page(one);
  };
  const length = await estimateLength({ endpoint: TRANSFERS, params, first, fetch }, matters);
  return { length, requests };
}

const every = (seconds: number, count: number) => Array.from({ length: count }, (_, at) => END - at * seconds);

test("a total is exact", async () => {
  const holders = endpoint("/token/holders");
  const first = answerOf(holders, { address: WALLET, page_size: 40 }, { total: 1234, items: [] }, []);
  const fetch = () => Promise.reject(new Error("Nothing is to be requests."));
  const length = await estimateLength({ endpoint: holders, params: { address: WALLET }, first, fetch }, 1);
  expect(length).toEqual({ rows: 1234, isExact: true });
});

test("a page that is not full is the whole list", async () => {
  expect(await lengthBy(every(60, 99), 1)).toEqual({ length: { rows: 99, isExact: true }, requests: [] });
});

test("a list that cannot be long enough to matter takes no request", async () => {
  const { length, requests } = await lengthBy(every(100_000, 500), 1_000_000);
  expect(length?.rows).toBeLessThan(1_000_000);
  expect(requests).toEqual([]);
});

test("the length of an even list is accurate, also from a start time", async () => {
  const { length, requests } = await lengthBy(every(60, 50_000), 1000);
  expect(length?.rows).toBeGreaterThan(45_000);
  expect(length?.rows).toBeLessThan(55_000);
  expect(requests.length).toBe(5);
  const later = await lengthBy(every(60, 50_000), 1000, { from_time: END - 600_000 });
  expect(later.length?.rows).toBeGreaterThan(9000);
  expect(later.length?.rows).toBeLessThan(11_000);
  expect(later.requests.length).toBe(4);
});

test("a burst at the end does not count for the whole list", async () => {
  const times = [...every(1, 200), ...every(600, 20_000).map((time) => time - 200)];
  const { length } = await lengthBy(times, 1000);
  expect(length?.rows).toBeGreaterThan(10_000);
  expect(length?.rows).toBeLessThan(40_000);
});

test("lists that become denser or thinner are rather estimated too long than too short", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 300 }),
      fc.integer({ min: 10, max: 300 }),
      fc.integer({ min: 2000, max: 20_000 }),
      async (newest, oldest, count) => {
        let time = END;
        const times = Array.from({ length: count }, (_, at) => {
          time -= Math.round(newest + ((oldest - newest) * at) / count);
          return time;
        });
        const { length } = await lengthBy(times, 1000);
        expect(length?.rows).toBeGreaterThanOrEqual(count);
        expect(length?.rows).toBeLessThan(3 * count);
      },
    ),
    { numRuns: 50 },
  );
});

test("it takes at most five requests and is never negative", async () => {
  const gaps = fc.array(fc.nat(5000), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(1000), async (steps, matters) => {
      let time = END;
      const times = steps.map((step) => {
        time -= step;
        return time;
      });
      const { length, requests } = await lengthBy(times, matters);
      expect(requests.length).toBeLessThanOrEqual(5);
      if (length) expect(length.rows).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 100 },
  );
});

test("efforts follow the rate", () => {
  expect(maxPageSize(TRANSFERS)).toBe(100);
  const rate = { requests: 1000, seconds: 60 };
  expect(estimateRequests(TRANSFERS, 1000, rate)).toEqual({ requests: 1000, units: 100_000, seconds: 0 });
  expect(estimateRequests(TRANSFERS, 11_000, rate)).toEqual({ requests: 11_000, units: 1_100_000, seconds: 600 });
  expect(estimateRequests(TRANSFERS, 11_000, undefined).seconds).toBe(0);
  expect(estimateExports(endpoint("/account/transfer/export"), 5)).toEqual({ requests: 5, units: 500, seconds: 240 });
});
