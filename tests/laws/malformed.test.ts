/**
 * The law of malformed answers, for every endpoint of the catalogue: a row that is no object, and null or a plain value
 * in place of what is due, are errors, however the server wraps them. They are never rows or records.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type Json, NotFoundError, ServerError, SolxError } from "../../src/base/index.ts";
import { allEndpoints, type Endpoint, hasPages, returnsList } from "../../src/catalogue/index.ts";
import { isNothing } from "../../src/client/answer/decode.ts";
import type { ReadOptions } from "../../src/client/index.ts";
import { type ClientOptions, createClient, describeSource } from "../../src/sources/index.ts";
import { CASES_EACH, UNLIMITED } from "./readings.ts";

const ODD_VALUES: readonly Json[] = [null, 1, "text", true];
const ODD_ROWS: readonly Json[] = [...ODD_VALUES, []];

/** Returns what came of a request that a server answers with a body. */
async function askText(
  endpoint: Endpoint,
  body: string,
  { all = false, type, ...options }: ReadOptions & ClientOptions & { readonly type: string },
) {
  const client = createClient({
    ...{ key: "k", retries: 0, ...options },
    transport: {
      send: async ({ url }) => ({ url, status: 200, headers: { "content-type": type }, body }),
      close: async () => {},
    },
  });
  const rows: Json[] = [];
  try {
    const params = endpoint.examples[0]?.params ?? {};
    if (returnsList(endpoint))
      for await (const page of client.pages(endpoint, params, { all })) rows.push(...page.rows);
    else rows.push((await client.fetch(endpoint, params)).data);
    return rows;
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

/** Returns what came of a request that a server answers with JSON. */
const ask = (endpoint: Endpoint, answer: Json, options: ReadOptions = {}) =>
  askText(endpoint, JSON.stringify(answer), { type: "application/json", rateLimiter: UNLIMITED, ...options });

const { supports } = describeSource({ kind: "api", name: "" });
const answered = allEndpoints.filter((endpoint) => supports(endpoint).level !== "none");

describe.each(answered.map((endpoint) => [endpoint.route, endpoint] as const))("%s", (_, endpoint) => {
  const { shape, at } = endpoint.returns;
  const wraps = (data: Json): readonly Json[] => [
    { success: true, data },
    ...(endpoint.family === "legacy" ? [data] : []),
  ];

  test.runIf(returnsList(endpoint))("has no rows but objects", async () => {
    for (const odd of ODD_ROWS) {
      for (const list of [[odd], [{ a: 1 }, odd]]) {
        const answers = [...wraps(list), ...(at === undefined ? [] : wraps({ [at]: list }))];
        for (const answer of answers)
          expect(await ask(endpoint, answer), JSON.stringify(answer)).toBeInstanceOf(ServerError);
      }
    }
  });

  test.runIf(shape === "object" || shape === "number")("is not a list", async () => {
    for (const answer of wraps([{ a: 1 }]))
      expect(await ask(endpoint, answer), JSON.stringify(answer)).toBeInstanceOf(ServerError);
  });

  test.runIf(shape === "csv")("with an open quote is a malformed answer, not a limit of exports", async () => {
    const names = endpoint.columns.map((column) => (typeof column === "string" ? column : column.path));
    const count = fc.integer({ min: 1, max: 5 });
    const run = async (rows: number, open: number, retries: number, hasBreak: boolean) => {
      const cells = Array.from({ length: rows * names.length }, (_, at) =>
        at === open % (rows * names.length) ? '"a' : "1",
      );
      const lines = Array.from({ length: rows }, (_, at) =>
        cells.slice(at * names.length, (at + 1) * names.length).join(),
      );
      const body = [names.join(), ...lines].join("\n") + (hasBreak ? "\n" : "");
      const options = { type: "text/csv", retries, maxWait: 30, sleep: async () => {} };
      expect(await askText(endpoint, body, options)).toMatchObject({ exit: "server", code: "TRUNCATED" });
    };
    await fc.assert(fc.asyncProperty(count, fc.nat(), fc.nat({ max: 3 }), fc.boolean(), run), { numRuns: CASES_EACH });
  });

  test.runIf(hasPages(endpoint) && shape === "rows")("read to its end has no other object for a page", async () => {
    const others: readonly Json[] = [{ 0: { a: 1 } }, ...(at === undefined ? [] : [{ total: 5 }, { [at]: { a: 1 } }])];
    for (const answer of others.flatMap(wraps))
      expect(await ask(endpoint, answer, { all: true }), JSON.stringify(answer)).toBeInstanceOf(ServerError);
  });

  test("is read as data of its form, or refused, whatever it is", async () => {
    const name = fc.constantFrom(
      at ?? "data",
      endpoint.echo ?? "a",
      "total",
      "data",
      "success",
      "code",
      "message",
      "a",
    );
    const value = fc.letrec<{ readonly json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 2 ** 60, "", "text", "a,b", '"a', "1"),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(name, tie("json"), { maxKeys: 3 }),
      ),
    })).json;
    const answers = fc.tuple(value, value, fc.nat({ max: 3 })).map(([data, other, wrap]): Json => {
      const rows = { ...(at !== undefined && { [at]: [data, other] }), total: other };
      return (
        [data, { success: true, data }, { success: true, data: rows }, { success: true, data: [data, other] }][wrap] ??
        null
      );
    });
    const run = async (answer: Json, all: boolean) => {
      const outcome = await ask(endpoint, answer, { all });
      if (!Array.isArray(outcome))
        return void expect(outcome).toSatisfy((one) => one instanceof SolxError && one.exit !== "unexpected");
      // Nothing is an answer about what has no name.
      const isOfForm = (row: Json) => isObject(row) || shape === "number" || isNothing(row);
      expect(outcome.filter((row) => !isOfForm(row))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(answers, fc.boolean(), run), { numRuns: 4 * CASES_EACH });
  });

  test("is not an envelope without data", async () => {
    for (const answer of [{ success: true }, { success: true, metadata: {} }, { success: true, items: [] }])
      expect([ServerError, NotFoundError], JSON.stringify(answer)).toContain(
        (await ask(endpoint, answer))?.constructor,
      );
  });

  test("is not null or a plain value", async () => {
    for (const odd of ODD_VALUES) {
      for (const answer of wraps(odd)) {
        const outcome = await ask(endpoint, answer);
        // Numbers are sent as text, too.
        const isValue = shape === "number" && (typeof odd === "string" || typeof odd === "number");
        // Some servers say null for a list without rows, and for a thing that does not exist.
        const isNothing = odd === null && answer !== null && shape === "rows" && Array.isArray(outcome);
        if (isNothing) expect(outcome).toEqual([]);
        else if (!isValue) expect([ServerError, NotFoundError], JSON.stringify(answer)).toContain(outcome?.constructor);
      }
    }
  });
});
