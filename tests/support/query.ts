/** Runs queries as the service does: parameters are validated and completed by the catalogue. */
import { readdirSync } from "node:fs";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { type Endpoint, endpoints, QueryParams, type QueryResult } from "../../src/catalogue/index.ts";
import type { Param } from "../../src/catalogue/param.ts";
import { validateRequest } from "../../src/catalogue/validate.ts";
import { type ApiCaller, answerQuery, type QueriesByRoute, type Query } from "../../src/chain/ledger/queries/query.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";

/** A value of a parameter; the entries of a list or range are an array. */
export type ParamInput = string | number | boolean | undefined | readonly (string | number)[];

const FOLDER = new URL("../../src/chain/ledger/queries/", import.meta.url);

/** Loads all queries by route, from exports named `…Queries`. */
async function loadQueries(): Promise<ReadonlyMap<string, Query>> {
  const files = readdirSync(FOLDER, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts") && name !== "index.ts");
  const modules = await Promise.allSettled(
    files.map(async (name): Promise<Readonly<Record<string, unknown>>> => import(new URL(name, FOLDER).href)),
  );
  const exports = modules.flatMap((module) => (module.status === "fulfilled" ? Object.entries(module.value) : []));
  return new Map(
    exports.flatMap(([name, value]) => (name.endsWith("Queries") ? Object.entries(value as QueriesByRoute) : [])),
  );
}

const queries = await loadQueries();

/** A caller without any usage. */
const UNUSED_CALLER: ApiCaller = { usage: () => ({}) };

/** Returns the parameters of a route from plain values. @throws Error when the catalogue refuses them */
function parseParams(route: string, params: Readonly<Record<string, ParamInput>> = {}): QueryParams {
  const query = endpoints.find((endpoint) => endpoint.route === route)?.query;
  if (!query) throw new Error(`There is no route ${route}.`);
  const values = new Map(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, wireValues(query[name], value)] as const],
    ),
  );
  // The client sends the defaults of required parameters, too.
  for (const [name, { required, default: value }] of Object.entries(query)) {
    if (required && value !== undefined && !values.has(name)) values.set(name, [String(value)]);
  }
  const problem = validateRequest(query, values);
  if (problem !== undefined) throw new Error(`${route}: ${problem.message}`);
  return new QueryParams(query, values);
}

function wireValues(param: Param | undefined, value: Exclude<ParamInput, undefined>): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  return param?.wire === "comma" ? texts.flatMap((text) => text.split(",")) : texts;
}

/** Runs a query. */
export function runQuery(
  db: LedgerReader,
  route: string,
  params: Readonly<Record<string, ParamInput>> = {},
  caller: ApiCaller = UNUSED_CALLER,
): QueryResult {
  const [query, endpoint] = [queries.get(route), endpoints.find((one) => one.route === route)];
  if (!query || !endpoint) throw new Error(`No query answers ${route}.`);
  return answerQuery(query, endpoint, { db, params: parseParams(route, params), caller });
}

/** Runs the query of an endpoint with given parameters. */
export function answerParams(db: LedgerReader, endpoint: Endpoint, params: QueryParams): QueryResult {
  const query = queries.get(endpoint.route);
  if (!query) throw new Error(`No query answers ${endpoint.route}.`);
  return answerQuery(query, endpoint, { db, params, caller: UNUSED_CALLER });
}

/** Returns the `data` of an answer. */
export function queryData(db: LedgerReader, route: string, params: Readonly<Record<string, ParamInput>> = {}): Json {
  const result = runQuery(db, route, params);
  if (!("data" in result)) throw new Error(`${route} answers no data.`);
  return result.data;
}

/** Returns the rows of a list, at the path in `data` that the catalogue defines. */
export function queryRows(
  db: LedgerReader,
  route: string,
  params: Readonly<Record<string, ParamInput>> = {},
): readonly JsonObject[] {
  const data = queryData(db, route, params);
  const at = endpoints.find((endpoint) => endpoint.route === route)?.returns.at;
  return (at === undefined ? data : (data as JsonObject)[at]) as readonly JsonObject[];
}

/** Returns the records of an export, starting with the header. */
export function queryCsv(
  db: LedgerReader,
  route: string,
  params: Readonly<Record<string, ParamInput>> = {},
): readonly (readonly (string | number)[])[] {
  const result = runQuery(db, route, params);
  if (!("csv" in result)) throw new Error(`${route} answers no CSV.`);
  return result.csv;
}
