import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isNumeric, isObject, type Json, type JsonObject, numericText, parseJson } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { fieldMeta, unwrapSchema } from "../../src/catalogue/fields.ts";
import type { Param } from "../../src/catalogue/param.ts";
import { endpoints } from "../../src/catalogue/registry.ts";
import { validateRequest } from "../../src/catalogue/validate.ts";

/** Returns the v2 endpoints of a group that the specification documents. */
const ofGroup = (name: string) =>
  endpoints.filter(({ family, group, since }) => family === "v2" && group === name && since === "specification");
const catalogued: readonly Endpoint[] = [...ofGroup("account"), ...ofGroup("token")];
const at = (path: string) => catalogued.find((endpoint) => endpoint.path === path) as Endpoint;
const byName = new Map<string, unknown>(Object.entries(entities));
const entityOf = (endpoint: Endpoint) => byName.get(endpoint.returns.entity) as z.ZodObject;

/** The schema of a field, through optional, nullable and array wrappers. */
function inner(schema: z.ZodType): z.ZodType {
  const bare = unwrapSchema(schema);
  return bare instanceof z.ZodArray ? inner(bare.element as z.ZodType) : bare;
}

function fieldAt(schema: z.ZodType, path: readonly string[]): z.ZodType | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const holder = inner(schema);
  const field = holder instanceof z.ZodObject ? (holder.shape[name] as z.ZodType | undefined) : undefined;
  return field && fieldAt(field, rest);
}

/** Paths of the keys in a value that its entity lacks. */
function unknownKeys(schema: z.ZodType, value: Json, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => unknownKeys(schema, item, path));
  const holder = inner(schema);
  if (!isObject(value) || !(holder instanceof z.ZodObject)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const field = holder.shape[key] as z.ZodType | undefined;
    return field ? unknownKeys(field, item, `${path}.${key}`) : [`${path}.${key}`];
  });
}

/** The value with plain numbers, as the schemas check them. */
function plain(value: Json): unknown {
  if (isNumeric(value)) return Number(numericText(value));
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])) : value;
}

describe("the endpoints of the specification", () => {
  it("take their identifier as a required argument", () => {
    for (const { path, query } of catalogued) {
      const positional = Object.entries(query).filter(([, param]) => param.positional);
      const expected = path === "/token/markets" ? ["token"] : "address" in query ? ["address"] : [];
      expect(positional.map(([name]) => name)).toEqual(expected);
      expect(positional.every(([, param]) => param.required)).toBe(true);
    }
  });

  it("limit filters to 5 addresses and multi endpoints to 20", () => {
    for (const { path, query } of catalogued) {
      for (const param of Object.values<Param>(query).filter(
        ({ type, arity }) => type === "address" && arity === "list",
      )) {
        expect(param.maxItems).toBe(path.endsWith("/multi") ? 20 : 5);
      }
    }
  });

  it("have the page sizes of the specification", () => {
    const small = ["/account/token-accounts", "/account/stake", "/token/holders"];
    for (const { path, query } of catalogued) {
      const sizes = query.page_size?.values;
      if (sizes) expect(sizes).toEqual(small.includes(path) ? [10, 20, 30, 40] : [10, 20, 30, 40, 60, 100]);
    }
    expect(at("/account/transactions").query.limit).toMatchObject({ values: [10, 20, 30, 40], default: 10 });
  });

  it("sort by the keys and defaults of the specification", () => {
    const sorting = (path: string) => {
      const { sort_by, sort_order } = at(path).query;
      return [sort_by?.values, sort_by?.default, sort_order?.default];
    };
    expect(sorting("/account/transfer")).toEqual([["block_time"], "block_time", "desc"]);
    expect(sorting("/account/stake")).toEqual([["active_stake", "delegated_stake"], "active_stake", "desc"]);
    expect(sorting("/account/leaderboard")).toEqual([
      ["sol_values", "stake_values", "token_values", "total_values"],
      "total_values",
      "desc",
    ]);
    expect(sorting("/token/markets")).toEqual([["volume", "trade", "tvl", "trader"], undefined, undefined]);
    expect(sorting("/token/list").slice(0, 1)).toEqual([["holder", "market_cap", "created_time"]]);
  });
});

describe.each(catalogued)("$path", (endpoint) => {
  const schema = entityOf(endpoint);

  it("has columns of its entity", () => {
    expect(endpoint.columns).not.toEqual([]);
    for (const column of endpoint.columns) {
      const paths = (typeof column === "string" ? column : column.path).split("|");
      for (const path of paths) expect(fieldAt(schema, path.split(".")), path).toBeDefined();
    }
  });

  it("has echo, identity and cursor fields of its entity", () => {
    const { echo, identity = [], cursorField } = endpoint;
    for (const name of [echo, cursorField, ...identity]) if (name) expect(Object.keys(schema.shape)).toContain(name);
    if (endpoint.returns.shape !== "object") expect(identity).not.toEqual([]);
    if (endpoint.path.endsWith("/multi")) expect(echo).toBeDefined();
  });

  it("has valid examples", () => {
    expect(endpoint.examples).not.toEqual([]);
    for (const { about, params } of endpoint.examples) {
      const wire = Object.entries(params).map(([name, value]) => [name, wireOf(endpoint.query[name], value)] as const);
      expect(validateRequest(endpoint.query, new Map(wire)), about).toBeUndefined();
    }
  });
});

/** The wire values of an example, with any valid time for times in human form. */
function wireOf(param: Param | undefined, value: unknown): string[] {
  if (param?.type === "time") return ["1720000000"];
  if (param?.type === "date") return ["20240705"];
  return (Array.isArray(value) ? value : [value]).map(String);
}

describe("names of commands", () => {
  it.each(["account", "token"])("are unique within the group %s", (group) => {
    const names = ofGroup(group).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

/** All fields of an entity with their names, including nested ones; hops of hops are excluded. */
function fieldsOf(schema: z.ZodObject, seen = new Set<z.ZodType>()): [z.ZodObject, string, z.ZodType][] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const nested = inner(field as z.ZodType);
    const below = nested instanceof z.ZodObject ? fieldsOf(nested, seen) : [];
    return [[schema, name, field as z.ZodType], ...below];
  });
}

describe("entities", () => {
  const used = [...new Set(catalogued.map(entityOf))];

  it("have a kind and a description for every field", () => {
    for (const [, name, field] of used.flatMap((schema) => fieldsOf(schema))) {
      expect(fieldMeta(field)?.kind, name).toBeDefined();
      expect(fieldMeta(field)?.description, name).toBeTruthy();
    }
  });

  it("have the decimals of every token amount beside it", () => {
    const amounts = used
      .flatMap((schema) => fieldsOf(schema))
      .filter(([, , field]) => fieldMeta(field)?.kind === "tokenAmount");
    expect(amounts.length).toBeGreaterThan(10);
    for (const [holder, name, field] of amounts) {
      expect(Object.keys(holder.shape), name).toContain(fieldMeta(field)?.decimals);
    }
  });

  it("validate hops at any depth", () => {
    const leg = { token1: "a", token1_decimals: 6, amount1: "1" };
    const hops = { ...leg, amount1: 1, child_routers: [{ ...leg, routers: [{ ...leg, child_routers: [leg] }] }] };
    expect(entities.Router.safeParse(hops).success).toBe(true);
    const bad = { ...leg, child_routers: [{ ...leg, routers: [{ ...leg, child_routers: [{ token1: 7 }] }] }] };
    expect(entities.Router.safeParse(bad).success).toBe(false);
  });

  it("distinguish lamports, base units and whole units", () => {
    const kind = (schema: z.ZodObject, name: string) => fieldMeta(schema.shape[name] as z.ZodType)?.kind;
    expect(kind(entities.StakeAccount, "sol_balance")).toBe("lamports");
    expect(kind(entities.StakeAccount, "total_reward")).toBe("lamports");
    expect(kind(entities.RewardExportRow, "Reward Amount")).toBe("sol");
    expect(kind(entities.TokenMeta, "supply")).toBe("tokenAmount");
    expect(kind(entities.TokenListItem, "price_24h_change")).toBe("change");
    expect(kind(entities.LeaderboardRow, "sol_values")).toBe("usd");
    expect(fieldMeta(fieldAt(entities.Portfolio, ["tokens", "balance"]) as z.ZodType)?.kind).toBe("amount");
    expect(fieldMeta(fieldAt(entities.Portfolio, ["tokens", "amount"]) as z.ZodType)?.kind).toBe("tokenAmount");
  });
});

const folder = new URL("../../../shared/recorded/", import.meta.url);
const recorded = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => /^v2-(account|token)-.*\.json$/.test(file))
  .map((file) => ({ file, answer: parseJson(readFileSync(new URL(file, folder), "utf8")) as JsonObject }))
  .filter(({ answer }) => answer.status === 200 && at(String(answer.endpoint)));

describe.skipIf(recorded.length === 0)("recorded answers", () => {
  const json = recorded.filter(({ answer }) => isObject(answer.body ?? null));
  const csv = recorded.flatMap(({ file, answer }) => {
    const text = answer.body_text ?? answer.body;
    return typeof text === "string" ? [{ file, text, endpoint: at(String(answer.endpoint)) }] : [];
  });

  it.for(json)("$file matches its entity", ({ answer }) => {
    const endpoint = at(String(answer.endpoint));
    const { returns } = endpoint;
    const data = (answer.body as JsonObject).data as Json;
    const content = returns.at === undefined ? data : ((data as JsonObject)[returns.at] as Json);
    const values = (returns.shape === "rows" ? content : [content]) as readonly Json[];
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      expect(entityOf(endpoint).safeParse(plain(value)).error?.issues ?? []).toEqual([]);
      expect(unknownKeys(entityOf(endpoint), value)).toEqual([]);
    }
    if (returns.total) expect((data as JsonObject)[returns.total]).toEqual(expect.any(Number));
  });

  it.for(csv)("$file has the header and cells of its entity", ({ text, endpoint }) => {
    const [header = [], ...rows] = parse(text, { relax_column_count: true, trim: true }) as string[][];
    expect(header).toEqual(Object.keys(entityOf(endpoint).shape));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const cells = Object.fromEntries(row.map((cell, index) => [header[index], cell]));
      expect(entityOf(endpoint).safeParse(cells).error?.issues ?? []).toEqual([]);
    }
  });
});
