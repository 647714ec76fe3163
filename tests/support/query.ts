/** Asks queries as the service does, without the service: parameters are checked and filled in by the catalogue. */
import { readdirSync } from "node:fs";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import type { Param } from "../../src/catalogue/param.ts";
import { validateRequest } from "../../src/catalogue/validate.ts";
import type { Reader } from "../../src/sandbox/ledger/reader.ts";
import { type Caller, Params, type Queries, type Query, type Result } from "../../src/sandbox/queries/query.ts";

/** A value of a parameter: entries of a list or range are an array. */
export type Given = string | number | boolean | undefined | readonly (string | number)[];

const FOLDER = new URL("../../src/sandbox/queries/", import.meta.url);

/** Every query of the room, by route: what the modules export as `…Queries`. */
async function gather(): Promise<ReadonlyMap<string, Query>> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && name !== "index.ts");
  const modules = await Promise.allSettled(
    files.map(async (name): Promise<Readonly<Record<string, unknown>>> => import(new URL(name, FOLDER).href)),
  );
  const found = modules.flatMap((module) => (module.status === "fulfilled" ? Object.entries(module.value) : []));
  return new Map(found.flatMap(([name, value]) => (name.endsWith("Queries") ? Object.entries(value as Queries) : [])));
}

const queries = await gather();

/** A caller that has used nothing. */
const NOBODY: Caller = { usage: () => ({}) };

/** Parameters of a route from plain values; refuses what the catalogue refuses. */
export function paramsOf(route: string, given: Readonly<Record<string, Given>> = {}): Params {
  const query = endpoints.find((endpoint) => endpoint.route === route)?.query;
  if (!query) throw new Error(`There is no route ${route}.`);
  const values = new Map(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, entriesOf(query[name], value)] as const],
    ),
  );
  const problem = validateRequest(query, values);
  if (problem !== undefined) throw new Error(`${route}: ${problem.message}`);
  return new Params(query, values);
}

function entriesOf(param: Param | undefined, value: Exclude<Given, undefined>): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  return param?.wire === "comma" ? texts.flatMap((text) => text.split(",")) : texts;
}

/** What a query answers. */
export function ask(
  db: Reader,
  route: string,
  given: Readonly<Record<string, Given>> = {},
  caller: Caller = NOBODY,
): Result {
  const query = queries.get(route);
  if (!query) throw new Error(`No query answers ${route}.`);
  return query({ db, params: paramsOf(route, given), caller });
}

/** The `data` of an answer. */
export function askData(db: Reader, route: string, given: Readonly<Record<string, Given>> = {}): Json {
  const result = ask(db, route, given);
  if (!("data" in result)) throw new Error(`${route} answers no data.`);
  return result.data;
}

/** The rows of a list, whether they are the `data` or stand in it at the place that the catalogue names. */
export function askRows(db: Reader, route: string, given: Readonly<Record<string, Given>> = {}): readonly JsonObject[] {
  const data = askData(db, route, given);
  const at = endpoints.find((endpoint) => endpoint.route === route)?.returns.at;
  return (at === undefined ? data : (data as JsonObject)[at]) as readonly JsonObject[];
}

/** The records of an export, the header first. */
export function askCsv(
  db: Reader,
  route: string,
  given: Readonly<Record<string, Given>> = {},
): readonly (readonly (string | number)[])[] {
  const result = ask(db, route, given);
  if (!("csv" in result)) throw new Error(`${route} answers no CSV.`);
  return result.csv;
}
