/** Validates the OpenAPI document with independent implementations, and against the sandbox. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { registerSchema, type Validator, validate } from "@hyperjump/json-schema/draft-2020-12";
import { validate as validateOpenapi } from "@hyperjump/json-schema/openapi-3-1";
import { validate as parse } from "@readme/openapi-parser";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Family } from "../../src/catalogue/constants.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { endpointByPath, endpoints } from "../../src/catalogue/index.ts";
import { FAMILY_PATHS } from "../../src/catalogue/servers.ts";
import { prepare } from "../../src/client/index.ts";
import { recordExamples } from "../../src/commands/openapi/examples.ts";
import { openapiDocument } from "../../src/commands/openapi/openapi.ts";
import { pathOf } from "../../src/commands/openapi/paths.ts";
import { openSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { worldsFolder } from "../support/ledger.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read like untyped JSON.
type Loose = any;

const NOW = Date.UTC(2026, 6, 1) / 1000;
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const ID = "https://solx.test/openapi";

const examples = await recordExamples(worldsFolder());
const createDocument = (family?: Family): Loose =>
  JSON.parse(JSON.stringify(openapiDocument({ version: "1.2.3", family, examples })));
const document = createDocument();
const operationOf = (endpoint: Endpoint): Loose => document.paths[pathOf(endpoint)].get;

/** Returns a JSON pointer into the document as a URI fragment. */
const fragment = (...path: readonly (string | number)[]) =>
  `${ID}#${encodeURI(path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""))}`;

/** Returns the compiled schema of the response of an endpoint with a status. */
async function checkOf(endpoint: Endpoint, status: number) {
  const [media = ""] = Object.keys(operationOf(endpoint).responses[status].content);
  const place = ["paths", pathOf(endpoint), "get", "responses", status, "content", media, "schema"];
  return { media, check: await validate(fragment(...place)) };
}

const errorsOf = (check: Validator, value: Loose): unknown => {
  const output: { readonly valid: boolean; readonly errors?: unknown } = check(value, "BASIC");
  return output.valid ? [] : output.errors;
};

function wireOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>) {
  const { path, query } = prepare(endpoint, params, { now: () => NOW * 1000 });
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return { query, url: `${FAMILY_PATHS[endpoint.family]}${path}?${search}` };
}

async function open(options: SandboxOptions) {
  const folder = worldsFolder();
  const sandbox = await openSandbox({ folder, seed: "solx", size: 0.02, now: NOW, usage: "memory", ...options });
  onTestFinished(() => sandbox.close());
  return (url: string, key = sandbox.key) => sandbox.handle({ method: "GET", url, headers: { token: key } });
}

beforeAll(() => registerSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...document }, ID));

describe("the document", () => {
  test("is valid OpenAPI 3.1 for two validators, also for single families", async () => {
    const output = await validateOpenapi("https://spec.openapis.org/oas/3.1/schema-base", document, "BASIC");
    expect(output).toMatchObject({ valid: true });
    for (const part of [createDocument(), createDocument("legacy"), createDocument("public")]) {
      expect(await parse(part)).toMatchObject({ valid: true, warnings: [] });
    }
  });

  test("has every endpoint with a unique operation id", () => {
    const operations = endpoints.map(operationOf);
    expect(Object.keys(document.paths)).toHaveLength(endpoints.length);
    const ids = operations.map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(endpoints.length);
    expect(ids).toEqual(
      expect.arrayContaining(["getAccountTransfer", "getLegacyBlockDetail", "getChaininfo", "getTokenMetaMulti"]),
    );
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
    const tags = new Set(document.tags.map((tag: Loose) => tag.name));
    for (const operation of operations) expect([...tags]).toEqual(expect.arrayContaining(operation.tags));
    expect(document.tags.every((tag: Loose) => tag.description.length > 10)).toBe(true);
  });

  test("references every component", () => {
    for (const one of [document, createDocument("v2"), createDocument("legacy"), createDocument("public")]) {
      const text = JSON.stringify(one.paths) + JSON.stringify(one.components);
      const referenced = new Set([...text.matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, ref]) => ref));
      const defined = ["examples", "schemas"].flatMap((part) =>
        Object.keys(one.components[part]).map((name) => `#/components/${part}/${name}`),
      );
      expect([...referenced].sort()).toEqual(defined.sort());
    }
  });

  test("has a key that clients do not take for the query parameter of the same name", () => {
    const schemes: Loose[] = Object.values(document.components.securitySchemes);
    const named = (operation: Loose, where: string) =>
      operation.parameters.filter((one: Loose) => one.in === where).map((one: Loose) => one.name);
    const names = endpoints.flatMap((endpoint) => named(operationOf(endpoint), "query"));
    expect(names).toContain("token");
    for (const { name } of schemes) {
      expect(names).not.toContain(name);
      expect(name.toLowerCase()).toBe("token");
    }
    expect(Object.keys(document.security[0])).toEqual(Object.keys(document.components.securitySchemes));
  });

  test("has no names that differ in case only, which would be one file in generated code", () => {
    const titles = endpoints.map((one) => operationOf(one).responses[200].content["application/json"]?.schema.title);
    const ids = endpoints.map((endpoint) => operationOf(endpoint).operationId);
    const names = [...Object.keys(document.components.schemas), ...ids, ...titles.filter(Boolean)];
    const byName = Map.groupBy(names, (name) => name.toLowerCase());
    expect([...byName.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  test("has nothing but keywords of JSON Schema and extensions in schemas, and describes every property", () => {
    const keywords = new Set([
      ...["$ref", "type", "title", "description", "properties", "required", "additionalProperties", "items", "anyOf"],
      ...["oneOf", "const", "enum", "default", "format", "pattern", "minimum", "maximum", "minLength", "maxLength"],
      ...["minItems", "maxItems", "maxProperties"],
    ]);
    const unknown: string[] = [];
    const bare: string[] = [];
    const visit = (schema: Loose, place: string) => {
      for (const key of Object.keys(schema))
        if (!keywords.has(key) && !key.startsWith("x-")) unknown.push(`${place}: ${key}`);
      for (const [name, property] of Object.entries<Loose>(schema.properties ?? {})) {
        if (!property.description && !property.$ref) bare.push(`${place}.${name}`);
        visit(property, `${place}.${name}`);
      }
      const inner = [schema.items, schema.additionalProperties, schema["x-row"], schema.anyOf, schema.oneOf].flat();
      for (const one of inner.filter((part) => typeof part === "object")) visit(one, place);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
    for (const { operationId, parameters, responses } of endpoints.map(operationOf)) {
      for (const { name, schema } of parameters) visit(schema, `${operationId} ${name}`);
      for (const { content } of Object.values<Loose>(responses))
        for (const { schema } of Object.values<Loose>(content)) visit(schema, operationId);
    }
    expect({ unknown, bare }).toEqual({ unknown: [], bare: [] });
  });

  test("has a recorded example of every response, which matches its schema and has a row", async () => {
    expect(examples).toEqual(await recordExamples(worldsFolder()));
    for (const endpoint of endpoints) {
      for (const [status, { content }] of Object.entries<Loose>(operationOf(endpoint).responses)) {
        const [{ examples: named }] = Object.values<Loose>(content) as [Loose];
        const { check } = await checkOf(endpoint, Number(status));
        const found = Object.values<Loose>(named).map((one) =>
          one.$ref === undefined ? one.value : document.components.examples[one.$ref.split("/").at(-1)].value,
        );
        expect(found.length, `${endpoint.command} ${status}`).toBeGreaterThan(0);
        for (const value of found) expect(errorsOf(check, value), `${endpoint.command} ${status}`).toEqual([]);
      }
      const { shape, at } = endpoint.returns;
      const { value } = Object.values<Loose>(operationOf(endpoint).responses[200].content)[0].examples.recorded;
      const data = value.data ?? value;
      if (shape === "csv") expect(value.trimEnd().split("\n"), endpoint.command).toHaveLength(2);
      if (shape === "rows") expect(Array.isArray(data) ? data : data[at ?? ""], endpoint.command).toHaveLength(1);
    }
  });

  test("uses int64 only where a double is exact", () => {
    const { properties } = document.components.schemas.AccountDetail;
    expect(properties.lamports).toMatchObject({ format: "uint64", description: expect.stringContaining("2^53") });
    const large: Loose[] = [];
    const visit = (node: Loose) => {
      if (typeof node !== "object" || node === null) return;
      if (node.format === "int64" && ["lamports", "tokenAmount"].includes(node["x-kind"])) large.push(node);
      Object.values(node).forEach(visit);
    };
    visit(document);
    expect(large).toEqual([]);
  });

  test("names its licence and its authors", () => {
    const { license, author, homepage } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );
    expect(document.info).toMatchObject({
      license: { identifier: license },
      contact: { name: author, url: homepage.replace(/#.*/, "") },
    });
  });

  test("of a family has no parts of other families", () => {
    const part = createDocument("v2");
    expect(Object.keys(part.paths).every((path) => path.startsWith("/v2.0/"))).toBe(true);
    expect(part.servers[0].url + Object.keys(part.paths)[0]).toBe("https://pro-api.solscan.io/v2.0/account/detail");
    expect(Object.keys(part.components.schemas).filter((name) => name.startsWith("Legacy"))).toEqual([]);
    expect(createDocument("public").servers[0].url).toBe("https://public-api.solscan.io");
    expect(document.paths["/chaininfo"].servers).toEqual(createDocument("public").servers);
  });

  test("describes values", () => {
    const { properties } = document.components.schemas.Transfer;
    expect(properties.amount).toMatchObject({
      type: "integer",
      "x-kind": "tokenAmount",
      "x-decimals": "token_decimals",
    });
    expect(properties.amount).not.toHaveProperty("maximum");
    expect(properties.amount.description).toContain("2^53");
    expect(properties.flow).toEqual(expect.not.objectContaining({ enum: expect.anything() }));
    expect(properties.flow["x-extensible-enum"]).toEqual(["in", "out"]);
    expect(document.components.schemas.TransactionDetail.properties.confirmations.type).toEqual(["integer", "null"]);
  });

  test("describes the serialization and dependencies of parameters", () => {
    const { parameters, ...operation } = document.paths["/v2.0/account/transfer"].get;
    const named = Object.fromEntries(parameters.map((parameter: Loose) => [parameter.name, parameter]));
    expect(named.token).toMatchObject({ style: "form", explode: false, schema: { type: "array", maxItems: 5 } });
    expect(named["activity_type[]"]).toMatchObject({ style: "form", explode: true, schema: { type: "array" } });
    expect(named["amount[]"]).toMatchObject({ schema: { minItems: 2, maxItems: 2 }, "x-requires": ["token"] });
    expect(named["amount[]"].description).toContain("Requires `token`.");
    expect(named["block_time[]"].deprecated).toBe(true);
    expect(named.page_size.schema).toMatchObject({ enum: [10, 20, 30, 40, 60, 100], default: 10 });
    expect(operation["x-paging"]).toMatchObject({ by: "page", parameters: { page: "page", size: "page_size" } });
    expect(document.paths["/v2.0/token/meta/multi"].get["x-cost"]).toEqual({ units: 100, per: "item" });
    expect(document.paths["/v2.0/token/meta/multi"].get.responses[403].description).toContain("Lite");
  });

  test("has an example of every required parameter, and lists the paths that plans exclude", () => {
    const required = endpoints.flatMap((one) => operationOf(one).parameters.filter((two: Loose) => two.required));
    expect(required.filter(({ example }: Loose) => example === undefined)).toEqual([]);
    const { refuses } = document["x-plans"].lite;
    expect(refuses).toEqual(expect.arrayContaining(["/v2.0/account/metadata", "/v2.0/token/meta/multi"]));
    expect(refuses.filter((path: string) => document.paths[path] === undefined)).toEqual([]);
    expect(createDocument("legacy")["x-plans"].lite).not.toHaveProperty("refuses");
  });

  test("has exactly the extensions that the guide documents", () => {
    const guide = readFileSync(new URL("../../docs/openapi.md", import.meta.url), "utf8");
    const named = [...guide.matchAll(/^\| `(x-[\w-]+)`/gm)].map(([, name]) => name);
    const used = new Set([...JSON.stringify(document).matchAll(/"(x-[A-Za-z-]+)":/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(named.sort());
  });

  test("describes the requests that the client sends", async () => {
    for (const endpoint of endpoints) {
      const named = new Map<string, Loose>(operationOf(endpoint).parameters.map((one: Loose) => [one.name, one]));
      for (const { params } of endpoint.examples) {
        const byName = Map.groupBy(wireOf(endpoint, params).query, ([name]) => name);
        for (const [name, pairs] of byName) {
          const values = pairs.map(([, value]) => value);
          const index = [...named.keys()].indexOf(name);
          const { schema, explode } = named.get(name) ?? {};
          const check = await validate(fragment("paths", pathOf(endpoint), "get", "parameters", index, "schema"));
          const entries = explode === false ? values.flatMap((value) => value.split(",")) : values;
          const typed = entries.map((text) => ((schema.items ?? schema).type === "string" ? text : JSON.parse(text)));
          expect(errorsOf(check, schema.type === "array" ? typed : typed[0]), `${endpoint.route} ${name}`).toEqual([]);
        }
      }
    }
  });
});

describe.each<[string, SandboxOptions]>([
  ["sandbox", {}],
  ["chain info without an envelope, rows alone and amounts as text", { shapes: ["bare", "rows", "text"] }],
  ["hostile sandbox", { hostile: true }],
])("%s", (_name, options) => {
  test("every response matches the document", async () => {
    const get = await open(options);
    for (const endpoint of endpoints) {
      const { media, check } = await checkOf(endpoint, 200);
      for (const { params } of endpoint.examples) {
        const { url } = wireOf(endpoint, params);
        const { status, headers, body } = await get(url);
        expect(status, url).toBe(200);
        expect(headers["content-type"]).toContain(media);
        expect(errorsOf(check, media === "text/csv" ? body : JSON.parse(body)), url).toEqual([]);
      }
    }
  });
});

test("a response that does not match the document is detected", async () => {
  const [transfer] = endpoints.filter(({ route }) => route === "v2-account-transfer") as [Endpoint];
  const get = await open({});
  const answer = JSON.parse((await get(wireOf(transfer, transfer.examples[0]?.params ?? {}).url)).body);
  const { check } = await checkOf(transfer, 200);
  expect(errorsOf(check, answer)).toEqual([]);
  answer.data[0].amount = String(answer.data[0].amount);
  expect(JSON.stringify(errorsOf(check, answer))).toContain("#/data/0/amount");
  answer.data[0].amount = 1.5;
  expect(JSON.stringify(errorsOf(check, answer))).toContain("#/data/0/amount");
});

test("error responses match the document", async () => {
  const get = await open({ plan: "lite", rate: { requests: 4, seconds: 60 }, faults: ["500@/token/trending"] });
  const named = (route: string) => endpoints.find((endpoint) => endpoint.route === route) as Endpoint;
  const requests: readonly (readonly [string, string, number, string?])[] = [
    ["v2-token-meta", "/v2.0/token/meta?address=nope", 400],
    ["v2-token-meta", `/v2.0/token/meta?address=${USDC}`, 401, "another"],
    ["v2-token-meta-multi", `/v2.0/token/meta/multi?address[]=${USDC}`, 403],
    ["v2-transaction-detail", "/v2.0/transaction/detail", 400],
    ["v2-token-trending", "/v2.0/token/trending", 500],
    ["v2-token-meta", `/v2.0/token/meta?address=${USDC}`, 429],
    ["chaininfo", "/chaininfo", 403],
    ["chaininfo", "/chaininfo", 401, "another"],
    ["v2-token-meta", `/v2.0/token/meta?address=${USDC}`, 401, ""],
    ["v2-monitor-usage", "/v2.0/monitor/usage", 400, "another"],
  ];
  for (const [route, url, status, key] of requests) {
    const answer = await get(url, key);
    expect([url, answer.status]).toEqual([url, status]);
    expect(errorsOf((await checkOf(named(route), status)).check, JSON.parse(answer.body)), url).toEqual([]);
  }
});

test("error examples are what the sandbox answers", async () => {
  const limited = await open({ plan: "lite", rate: { requests: 6, seconds: 60 }, faults: ["500@/token/trending"] });
  const spent = await open({ units: 1 });
  const meta = `/v2.0/token/meta?address=${USDC}`;
  const answers = [
    await limited("/v2.0/token/meta?address=nope"),
    await limited("/v2.0/token/meta"),
    await limited("/v2.0/token/meta?adress=1"),
    await limited(meta, "another"),
    await limited(meta, ""),
    await limited(`/v2.0/token/meta/multi?address[]=${USDC}`),
    await limited("/v2.0/token/trending"),
    await limited("/v2.0/nothing"),
    await limited(meta),
    await limited(meta),
    await limited("/chaininfo"),
    await spent(meta),
  ];
  const bodies = answers.filter(({ status }) => status !== 200).map(({ body }) => JSON.parse(body));
  const documented = Object.values<Loose>(document.components.examples).map(({ value }) => value);
  expect(bodies).toEqual(expect.arrayContaining(documented));
});

const recorded = new URL("../../../shared/recorded/", import.meta.url);

test.skipIf(!existsSync(recorded))("recorded responses match the document", async () => {
  let seen = 0;
  for (const file of readdirSync(recorded)) {
    const {
      endpoint: path,
      family,
      status,
      body,
      body_text,
      fragment,
    } = JSON.parse(readFileSync(new URL(file, recorded), "utf8"));
    const endpoint = endpointByPath(family, path);
    if (!endpoint || fragment !== undefined) continue;
    expect(errorsOf((await checkOf(endpoint, status)).check, body ?? body_text), file).toEqual([]);
    seen += 1;
  }
  expect(seen).toBeGreaterThan(40);
});
