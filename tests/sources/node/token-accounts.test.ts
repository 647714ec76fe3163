/** Token accounts of a wallet, from nodes that repeat some or return those of others. */
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../src/base/index.ts";
import { type Endpoint, endpointByPath } from "../../../src/catalogue/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { useScenario } from "../../support/node/use-test-node.ts";
import { serve } from "../../support/server.ts";

const shared = useScenario();

/** Serves the node with other parameters and results of `getTokenAccountsByOwner`. */
async function serveNode(
  changeParams: (params: readonly Json[]) => readonly Json[],
  changeRows: (rows: readonly Json[]) => readonly Json[],
) {
  const isList = (call: JsonObject) => call.method === "getTokenAccountsByOwner";
  const server = await serve(async (request, response) => {
    const asked = parseJson(await text(request)) as JsonObject | readonly JsonObject[];
    const calls = [asked].flat() as readonly JsonObject[];
    const sent = calls.map((call) => (isList(call) ? { ...call, params: changeParams(call.params as Json[]) } : call));
    const headers = { "content-type": "application/json" };
    const answer = await fetch(shared.node.url, { method: "POST", headers, body: stringifyJson(sent) });
    const replies = (parseJson(await answer.text()) as readonly JsonObject[]).map((reply) => {
      const { result } = reply;
      const isChanged = calls.some((call) => call.id === reply.id && isList(call));
      if (!isChanged || !isObject(result) || !isArray(result.value)) return reply;
      return { ...reply, result: { ...result, value: changeRows(result.value) } };
    });
    response.setHeader("content-type", "application/json");
    response.end(stringifyJson(isArray(asked) ? replies : (replies[0] as Json)));
  });
  onTestFinished(server.close);
  return createClient({ rpc: server.url, retries: 0 });
}

const endpointAt = (path: string): Endpoint => endpointByPath("v2", path) as Endpoint;
const same = <T>(values: T) => values;

test("an account that is repeated is one row, and its amount counts once", async () => {
  const { alice } = shared.scenario.addresses;
  await using whole = createClient({ rpc: shared.node.url });
  await using repeating = await serveNode(same, (rows) => [...rows, ...rows]);
  for (const path of ["/account/portfolio", "/account/token-accounts"]) {
    const [expected, actual] = await Promise.all(
      [whole, repeating].map((client) => client.fetch(endpointAt(path), { address: alice })),
    );
    expect(actual?.data).toEqual(expected?.data);
  }
});

test("accounts of another wallet are refused", async () => {
  const { alice, bob } = shared.scenario.addresses;
  await using client = await serveNode(([, ...rest]) => [bob as Json, ...rest], same);
  const answer = client.fetch(endpointAt("/account/portfolio"), { address: alice });
  await expect(answer).rejects.toMatchObject({ code: "MALFORMED_ANSWER" });
});
