/** Hints of the library's errors: for programs, not for people at a command line. */
import { describe, expect, onTestFinished, test } from "vitest";
import { type Endpoint, endpointByPath } from "../../src/catalogue/index.ts";
import { type ClientOptions, createClient, resolveToken, SolxError } from "../../src/index.ts";
import { sendJson, serve } from "../support/server.ts";
import { USDC } from "./servers.ts";

const COMMAND = /solx [a-z]|--[a-z]|SOLX_/;

async function clientOf(status: number, body: string, options: ClientOptions = {}) {
  const server = await serve((_request, response) => sendJson(response, body, status));
  const client = createClient({ key: "k-0123456789", baseUrl: server.url, retries: 0, maxWait: 0, ...options });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** The error of a call, with its hint for programs. */
async function errorOf(call: () => PromiseLike<unknown>): Promise<SolxError> {
  const error = await (async () => call())().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SolxError)) throw new Error("The call did not fail.");
  expect(error.hint ?? "").not.toMatch(COMMAND);
  return error;
}

describe("the hint of an error", () => {
  test.each([400, 401, 403, 404, 429, 500, 503])("of status %d names no command", async (status) => {
    const client = await clientOf(status, '{"success":false,"errors":{"message":"no"}}');
    await errorOf(() => client.token.meta({ address: USDC }));
    await errorOf(() => client.token.list().all({ limit: 200 }));
  });

  test("says how a program passes a key or a node", async () => {
    const client = await clientOf(401, '{"success":false,"errors":{"message":"Unauthorized"}}');
    expect((await errorOf(() => client.token.meta({ address: USDC }))).hint).toContain("createClient({ key })");
    expect((await errorOf(async () => client.node().call("getSlot"))).hint).toContain("createClient({ rpc })");
    const unknown = await clientOf(200, '{"success":true,"data":[]}');
    expect((await errorOf(() => resolveToken(unknown, "nosuch"))).hint).toContain("client.token.search");
  });

  test("of an item of many, too", async () => {
    const client = await clientOf(401, '{"success":false,"errors":{"message":"Unauthorized"}}');
    const items = client.many(endpointByPath("v2", "/token/meta") as Endpoint, [USDC]);
    const errors: (SolxError | undefined)[] = [];
    await (async () => {
      for await (const { error } of items) errors.push(error);
    })().catch((error) => errors.push(error));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error?.hint ?? "").not.toMatch(COMMAND);
  });
});

test("a closed client answers nothing", async () => {
  const client = await clientOf(200, '{"success":true,"data":{"address":"x"}}');
  await client.close();
  await errorOf(() => client.token.meta({ address: USDC }));
  await errorOf(() => client.token.list().first());
});

test("an error is written with its message", async () => {
  const client = await clientOf(500, '{"success":false,"errors":{"message":"broken"}}');
  const error = await errorOf(() => client.token.meta({ address: USDC }));
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "ServerError", message: error.message, status: 500 });
});
