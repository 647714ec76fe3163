/**
 * The law of answers about many identifiers: whatever a server does with their rows, the answer has one about each
 * identifier, or says which are missing and that it has some twice. With a row about another one, it is an error.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, stringifyJson } from "../../src/base/index.ts";
import { allEndpoints } from "../../src/catalogue/index.ts";
import { findPacking } from "../../src/client/batch/items.ts";
import { createClient } from "../../src/sources/index.ts";
import { addressFor } from "../support/chain.ts";
import { CASES_EACH, UNLIMITED } from "./readings.ts";

const IDS = Array.from({ length: 8 }, (_, at) => addressFor(`item ${at}`));

/** Returns a row about an identifier. */
const rowOf = (echo: string, id: string): JsonObject =>
  echo.split(".").reduceRight<JsonObject | string>((value, name) => ({ [name]: value }), id) as JsonObject;

const multis = allEndpoints.flatMap((endpoint) => {
  const multi = endpoint.isMulti && findPacking({ endpoint, params: {} });
  return multi && endpoint.query[multi.name]?.type === "address" ? [[endpoint.route, multi] as const] : [];
});

describe("answers about many identifiers", () => {
  test("are found", () => expect(multis.length).toBeGreaterThan(4));

  test.each(multis)("%s", async (_, { endpoint, name, echo, size }) => {
    const many = Math.min(size, 5);
    const sent = fc.array(fc.nat({ max: IDS.length - 1 }), { maxLength: 8 });
    const run = async (answered: readonly number[]) => {
      const rows = answered.map((at) => rowOf(echo, IDS[at] ?? ""));
      const items = endpoint.returns.at ? { [endpoint.returns.at]: rows } : rows;
      const body = stringifyJson({ success: true, data: items });
      const headers = { "content-type": "application/json" };
      await using client = createClient({
        key: "k",
        rateLimiter: UNLIMITED,
        transport: { send: async ({ url }) => ({ url, status: 200, headers, body }), close: async () => {} },
      });
      const asked = IDS.slice(0, many);
      const reading = client.pages(endpoint, { [name]: asked }).next();
      if (answered.some((at) => at >= many))
        return void (await expect(reading).rejects.toMatchObject({ code: "MALFORMED" }));
      const { answer } = (await reading).value ?? {};
      const { coverage } = answer ?? {};
      const missing = asked.filter((_, at) => !answered.includes(at));
      for (const id of missing) expect(coverage?.incomplete).toContain(id);
      const isExact = missing.length === 0 && answered.length === many;
      expect(coverage?.incomplete === undefined).toBe(isExact);
    };
    await run(IDS.slice(0, many).map((_, at) => many - 1 - at));
    await fc.assert(fc.asyncProperty(sent, run), { numRuns: CASES_EACH });
  });
});
