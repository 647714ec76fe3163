/** What a page reports about answers to requests for several identifiers. */
import { describe, expect, it } from "vitest";
import { stringifyJson } from "../../../src/base/index.ts";
import { OTHER_WALLET, WALLET } from "../../../src/catalogue/samples.ts";
import { createClient } from "../../../src/sources/index.ts";
import { runQuery } from "../../../src/ui/data/query.ts";
import { FUNDED_BY } from "../../../src/ui/pages/account/record.ts";
import { UNLIMITED } from "../../laws/readings.ts";

/** Requests funders that nobody knows, and returns what is reported as lacking. */
async function lackingFunders(address: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  const body = stringifyJson({ success: true, data: [] });
  const headers = { "content-type": "application/json" };
  await using client = createClient({
    key: "k",
    rateLimiter: UNLIMITED,
    onEvent: (event) => void (event.type === "coverage" && texts.push(event.text)),
    transport: { send: async ({ url }) => ({ url, status: 200, headers, body }), close: async () => {} },
  });
  const { answer } = await runQuery(client, { endpoint: FUNDED_BY, params: { address } }, { priority: "interactive" });
  expect(answer.rows).toEqual([]);
  return texts;
}

describe("an answer without rows", () => {
  it("lacks nothing where it is about one identifier: the page says that there is none", async () => {
    expect(await lackingFunders([WALLET])).toEqual([]);
  });

  it("names what it lacks where it is about several", async () => {
    expect(await lackingFunders([WALLET, OTHER_WALLET])).toEqual([`The answer lacks ${WALLET}, ${OTHER_WALLET}.`]);
  });
});
