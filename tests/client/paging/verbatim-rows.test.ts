/** Lists that are printed as they were received have the lines and states of exact rows, however the list changes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, type JsonObject, numericOf, stringifyJson } from "../../../src/base/json.ts";
import { hasDoubles, receivedLines } from "../../../src/base/received-lines.ts";
import { decode } from "../../../src/client/answer/decode.ts";
import type { Page, PagingOptions } from "../../../src/client/paging/page.ts";
import { readPages } from "../../../src/client/paging/read-pages.ts";
import { releasePage } from "../../../src/commands/endpoint/answers.ts";
import { endpointOf, ListServer, rowOf } from "../list-server.ts";
import { NOW } from "../servers.ts";

const ENDPOINTS = [
  endpointOf("/account/transfer"),
  endpointOf("/token/holders"),
  endpointOf("/account/balance_change"),
];
const url = new URL("https://api.example.test/x");

/** What happens when a request arrives: rows arrive or disappear at the front. */
interface Change {
  readonly request: number;
  readonly arriving: number;
  readonly leaving: number;
}

/** A list, and how it is read. */
interface Scenario {
  readonly kind: number;
  /** The amount of each row, as JSON. */
  readonly amounts: readonly string[];
  /** Rows whose pages cannot be printed as received. */
  readonly unusual: readonly number[];
  readonly changes: readonly Change[];
  readonly options: PagingOptions;
  /** Rows per second. */
  readonly rate: number;
  /** The page after which another reading resumes. */
  readonly pause?: number | undefined;
}

/** Reads the list and returns what NDJSON prints, with the number of pages that were printed as received. */
async function print({ kind, amounts, unusual, changes, options, rate, pause }: Scenario, verbatim: boolean) {
  const endpoint = ENDPOINTS[kind] as (typeof ENDPOINTS)[number];
  const row = (number: number): Json => ({
    ...rowOf(endpoint, number >> 1, NOW / 1000 - Math.floor((number + 1000) / rate)),
    amount: numericOf(amounts[Math.abs(number) % amounts.length] as string),
    ...(unusual.includes(number) && { memo: "é" }),
  });
  const server = new ListServer(
    endpoint,
    Array.from({ length: 260 }, (_, number) => row(number)),
  );
  let next = -1;
  server.onRead = (number) => {
    for (const { arriving, leaving } of changes.filter(({ request }) => request === number)) {
      server.rows = server.rows.slice(leaving);
      for (let count = 0; count < arriving; count += 1) {
        server.rows = [row(next), ...server.rows];
        next -= 1;
      }
    }
  };
  const fetch: typeof server.fetch = async (params, sending) => {
    const { request, data } = await server.fetch(params, sending);
    const body = stringifyJson({ success: true, data });
    return decode({ url, status: 200, headers: {}, body }, request, NOW, { verbatim });
  };
  const [lines, states]: [string[], string[]] = [[], []];
  let received = 0;
  const print = (page: Page) => {
    const { rows } = page;
    if (hasDoubles(rows)) received += 1;
    lines.push(
      hasDoubles(rows)
        ? Buffer.from(receivedLines(rows) ?? []).toString()
        : rows.map((one) => `${stringifyJson(one)}\n`).join(""),
    );
    releasePage(page);
    states.push(JSON.stringify(page.state()));
  };
  const read = (resume?: JsonObject) => readPages({ endpoint, params: {}, fetch, now: NOW }, { ...options, resume });
  let error: unknown;
  try {
    for await (const page of read()) {
      print(page);
      if (states.length === pause) break;
    }
    if (states.length === pause) for await (const page of read(JSON.parse(states.at(-1) ?? "{}"))) print(page);
  } catch (cause) {
    error = cause;
  }
  return { text: lines.join(""), states, error: String(error), received, requests: server.requests.length };
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  kind: fc.nat({ max: ENDPOINTS.length - 1 }),
  amounts: fc.array(fc.constantFrom("1", "1.0", "18446744073709551615", "18446744073709551614", "0.10", "-0", "5e-7"), {
    minLength: 1,
    maxLength: 5,
  }),
  unusual: fc.array(fc.integer({ min: -40, max: 260 }), { maxLength: 3 }),
  changes: fc.array(
    fc.record({
      request: fc.integer({ min: 2, max: 8 }),
      arriving: fc.constantFrom(0, 0, 1, 3, 40, 120),
      leaving: fc.constantFrom(0, 0, 1, 5),
    }),
    { maxLength: 3 },
  ),
  options: fc.oneof(
    fc.constant({ all: true }),
    fc.integer({ min: 1, max: 300 }).map((limit) => ({ limit })),
    fc.constant({ all: true, ahead: false }),
  ),
  rate: fc.constantFrom(1, 7, 1000),
  pause: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

test("the lines and states are those of exact rows", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (list) => {
      const [exact, verbatim] = [await print(list, false), await print(list, true)];
      expect({ ...verbatim, received: 0 }).toEqual(exact);
    }),
    { numRuns: 200 },
  );
});

test("whole pages are printed as received, and others are not", async () => {
  const list: Scenario = {
    kind: 0,
    amounts: ["18446744073709551615", "2"],
    unusual: [150],
    changes: [],
    options: { limit: 240 },
    rate: 7,
  };
  const { text, received } = await print(list, true);
  expect(text.split("\n")).toHaveLength(241);
  expect(text).toContain("18446744073709551615");
  expect(received).toBe(1);
});
