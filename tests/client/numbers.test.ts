/** The option `numbers` of the library: the form of numbers, whatever a server sends. */
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { isArray, isObject, isRawNumber, type Json, numericText } from "../../src/base/json.ts";
import { isUnchecked } from "../../src/catalogue/fields.ts";
import { type Endpoint, endpointByPath, endpoints, type NumberMode } from "../../src/catalogue/index.ts";
import { entities, listFields } from "../../src/catalogue/schemas.ts";
import {
  type ClientEvent,
  createClient,
  parseJson,
  raw,
  resolveToken,
  SolxError,
  stringifyJson,
} from "../../src/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { createExactClient } from "../support/exact-client.ts";
import { worldsFolder } from "../support/ledger.ts";
import { sendJson, serve } from "../support/server.ts";
import { NOW, WALLET } from "./servers.ts";

const MAX = "18446744073709551615";
const MODES = ["number", "bigint", "string"] as const;

/** A client of a server that always sends one text as data. */
async function clientOf<const N extends NumberMode = "bigint">(data: string, numbers?: N) {
  const server = await serve((_request, response) => sendJson(response, `{"success":true,"data":${data}}`));
  const events: ClientEvent[] = [];
  const client = createClient({ baseUrl: server.url, numbers, onEvent: (event) => events.push(event) });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, events };
}

const account = `{"account":"${WALLET}","lamports":${MAX},"type":"x","executable":false,"rent_epoch":0,"extra":${MAX}}`;
const detail = endpointByPath("v2", "/account/detail") as Endpoint;

describe("a number beyond 2^53", () => {
  test("is a rounded number on request: copied, compared and added like any other", async () => {
    const { client, events } = await clientOf(account, "number");
    const { lamports } = await client.account.detail({ address: WALLET });
    expectTypeOf(lamports).toEqualTypeOf<number>();
    expect(structuredClone(lamports)).toBe(Number(MAX));
    expect(lamports > 1).toBe(true);
    expect(lamports + 1).toBe(Number(MAX));
    expect(numericText(lamports)).toBe("18446744073709552000");
    await client.account.detail({ address: WALLET });
    expect(events.filter(({ type }) => type === "note")).toEqual([
      { type: "note", text: expect.stringContaining('numbers: "bigint"') },
    ]);
  });

  test("is a bigint, whatever its size", async () => {
    const { client } = await clientOf(account, "bigint");
    const { lamports, rent_epoch, ...others } = await client.account.detail({ address: WALLET });
    expectTypeOf(lamports).toEqualTypeOf<bigint>();
    expect([lamports, rent_epoch, raw(others).extra]).toEqual([BigInt(MAX), 0n, BigInt(MAX)]);
  });

  test("is text, whatever its size", async () => {
    const { client } = await clientOf(account, "string");
    const { lamports, rent_epoch } = await client.account.detail({ address: WALLET });
    expectTypeOf(lamports).toEqualTypeOf<string>();
    expect([lamports, rent_epoch]).toEqual([MAX, "0"]);
  });

  test("is written with all digits", async () => {
    const { client } = await clientOf(account);
    const { lamports } = await client.account.detail({ address: WALLET });
    const text = stringifyJson({ lamports });
    expect(text).toBe(`{"lamports":${MAX}}`);
    expect(parseJson(text)).toEqual({ lamports });
  });

  test.each([
    ["1e+21", "number", 1e21],
    ["1e+21", "bigint", 10n ** 21n],
    ["1e+21", "string", "1000000000000000000000"],
    ["-9223372036854775808", "bigint", -(2n ** 63n)],
    ["1.50", "bigint", 2n],
    ["null", "bigint", null],
    ['"7"', "bigint", 7n],
    ['"7.5"', "bigint", "7.5"],
  ] as const)("%s in mode %s", async (text, numbers, expected) => {
    const { client } = await clientOf(account.replace(MAX, text), numbers);
    expect((await client.account.detail({ address: WALLET })).lamports).toBe(expected);
  });

  test("elsewhere it goes by the value; numbers of other fields are plain", async () => {
    const { client } = await clientOf(`{"a":[${MAX},1,0.10],"b":{"c":-${MAX}}}`, "bigint");
    const { data, envelope } = await client.request("/v2.0/unknown");
    expect(data).toEqual({ a: [BigInt(MAX), 1, 0.1], b: { c: -BigInt(MAX) } });
    expect(envelope).toEqual({ success: true, data });
  });

  test("an unknown mode is refused", () => {
    expect(() => createClient({ numbers: "decimal" as "bigint" })).toThrow(SolxError);
  });
});

describe("every answer of the sandbox", () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: "test", size: 0.05, now: NOW / 1000, port: 0, folder: worldsFolder() });
  });
  afterAll(() => sandbox.close());
  const open = <const N extends NumberMode>(numbers: N) => {
    const client = createClient({ key: sandbox.key, baseUrl: sandbox.url, now: sandbox.now, rate: "off", numbers });
    onTestFinished(() => client.close());
    return client;
  };

  const exactClient = () => {
    const client = createExactClient({ key: sandbox.key, baseUrl: sandbox.url, now: sandbox.now, rate: "off" });
    onTestFinished(() => client.close());
    return client;
  };

  test.each(endpoints.filter(({ returns }) => returns.shape !== "csv").map((endpoint) => [endpoint.command, endpoint]))(
    "%s has the types of its fields",
    async (_command, endpoint) => {
      const params = endpoint.examples[0]?.params ?? {};
      const exact = await exactClient().fetch(endpoint, params);
      for (const mode of MODES) {
        const { data } = await open(mode).fetch(endpoint, params);
        expect(structuredClone(data)).toEqual(data);
        // The usage counts these requests.
        if (endpoint.path !== "/monitor/usage") expect(withDoubles(data)).toEqual(withDoubles(exact.data));
        expect(wrongTypes(endpoint, data as Json, exact.at, mode)).toEqual([]);
      }
    },
  );

  test("rows, pages, batches and symbols have them too", async () => {
    const client = open("bigint");
    for await (const row of client.account.transfer({ address: WALLET }).rows({ limit: 1 })) {
      expectTypeOf(row.amount).toEqualTypeOf<bigint>();
      expect(typeof row.amount).toBe("bigint");
    }
    for await (const page of client.account.transfer({ address: WALLET }).pages({ limit: 2 })) {
      expect(page.rows.map(({ amount }) => typeof amount)).toEqual(["bigint", "bigint"]);
      expect(page.answer.rows?.length).toBeGreaterThanOrEqual(page.rows.length);
    }
    for await (const { data } of client.many(detail, [WALLET])) {
      expect(data).toMatchObject({ lamports: expect.any(BigInt) });
    }
    const token = (await open("string").token.list())[0];
    expect(await resolveToken(client, token?.address ?? "")).toMatchObject({ mint: token?.address });
  });
});

/** A value in which everything that is a number, in any form, is a double. */
function withDoubles(value: unknown): unknown {
  if (typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value))) return Number(value);
  if (isRawNumber(value)) return Number(numericText(value));
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}

/** The paths of numbers that do not have the type of their field. */
function wrongTypes({ returns }: Endpoint, data: Json, at: string | undefined, mode: (typeof MODES)[number]) {
  const rows = at === undefined ? data : (data as Readonly<Record<string, Json>>)[at];
  const large = new Set(["lamports", "tokenAmount"]);
  const schema = entities[returns.entity];
  return listFields(schema).flatMap(({ path, kind }) => {
    if (isUnchecked(schema, path.replaceAll("[]", "").split("."))) return [];
    const values = valuesAt(rows, path.split("."));
    const allowed = large.has(kind) ? [mode, "string"] : kind === "json" ? [] : ["number", "string", "boolean"];
    const isLarge = /^(rent_?epoch|total_amount_(buying|selling))$/i.test(path);
    if (isLarge || allowed.length === 0) return [];
    return values.some((value) => value !== null && !allowed.includes(typeof value)) ? [path] : [];
  });
}

function valuesAt(value: Json | undefined, [name, ...rest]: readonly string[]): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isArray(value)) return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  return isObject(value) ? valuesAt(value[name.replace("[]", "")], rest) : [];
}
