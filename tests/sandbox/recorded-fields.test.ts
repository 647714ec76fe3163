/**
 * Recorded answers of the API, where available: the sandbox answers every field of them, with the same type, and omits
 * a field, or sends null, only where they do or where the API is known to.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { isArray, isObject, isRawNumber, type Json, type JsonObject } from "../../src/base/json.ts";
import type { Endpoint, Family } from "../../src/catalogue/endpoint.ts";
import { endpointByPath } from "../../src/catalogue/index.ts";
import { findRows } from "../../src/client/answer/decode.ts";
import { worldLedger } from "../support/ledger.ts";
import { type ParamInput, runQuery } from "../support/query.ts";

const FOLDER = new URL("../../../shared/recorded/", import.meta.url);
const RECORDINGS = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).flatMap((file) => {
  const recording = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as JsonObject;
  const endpoint = endpointByPath(recording.family as Family, String(recording.endpoint));
  const { body } = recording;
  // The usage of a key is not in the ledger.
  if (recording.status !== 200 || !endpoint || endpoint.group === "monitor" || !isObject(body ?? null)) return [];
  // Only choices can be repeated: the recorded addresses and times are not those of the simulated chain.
  const choices = (recording.query as unknown as readonly (readonly [string, string])[]).filter(
    ([name, value]) => endpoint.query[name]?.values?.map(String).includes(value) && name !== "page_size",
  );
  return [[file, endpoint, (body as JsonObject).data ?? null, Object.fromEntries(choices)] as const];
});

/** Values that depend on the program, the minter or the type of an activity. */
const OPEN = [
  /^\.data_decoded\.data\./,
  /\.onchain_extensions\[\]\.state\./,
  /\.metadata\./,
  /\.insts\./,
  /\.version$/,
  /\.meta\.(name|description|seller_fee_basis_points|attributes)/,
];

/** Fields that no recorded answer lacks, but those of other subjects do: one-sided trades, tokens without a price. */
const MAY_BE_MISSING = [
  /^\.data_decoded$/,
  /\.(routers|amount_info)\.(amount2|token2|token2_decimals|routers)$/,
  /\.(account_(icon|label|tags|type)|active_age|funded_by)$/,
  /\.tokens\[\]\.(token_icon|token_price|value)$/,
  /\.(meta\.status\.Ok|instructions\[\]\.(accounts|data))$/,
  /\.(lp_token|currency|token|token_address)$/,
  /\.info\.(data\.id|meta\.\w+)$|\.stats$|\.volumes_change_24h$/,
  // Facts of the creation are all present or all absent.
  /\.(create_tx|created_time|creator|first_mint_time|first_mint_tx)$/,
  /\.(icon|market_cap|market_cap_rank|price|price_change_24h|onchain_extensions)$/,
];

/** The same of null: lists without rows have no cursor. */
const MAY_BE_NULL = [/\.cursor$/, /\.created_time$/, /\.metadata$/];

/** The types at each path, with `absent` where an object lacks a field that others of the answer have. */
type Types = Map<string, Set<string>>;

const typeOf = (value: Json): string =>
  value === null ? "null" : isRawNumber(value) ? "number" : isArray(value) ? "array" : typeof value;

/** Adds the types of a value and everything in it by path, such as `[].amount`. */
function addTypes(types: Types, value: Json, path = ""): Types {
  if (OPEN.some((open) => open.test(path))) return types;
  types.set(path, (types.get(path) ?? new Set()).add(typeOf(value)));
  if (isArray(value)) for (const item of value) addTypes(types, item, `${path}[]`);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) addTypes(types, item, `${path}.${name}`);
  return types;
}

/** Samples of everything that a request can name, by the parameter. */
type Samples = Readonly<Record<string, readonly ParamInput[]>>;

let reader: Awaited<ReturnType<typeof worldLedger>>["reader"];
let samples: Samples;

function column(sql: string): readonly (string | number)[] {
  return reader.all(sql).map((row) => Object.values(row)[0] as string | number);
}
const addresses = (sql: string) => column(`SELECT a.address FROM (${sql} LIMIT 12) s JOIN accounts a ON a.id = s.id`);

beforeAll(async () => {
  ({ reader } = await worldLedger());
  const everything = [
    "SELECT from_id AS id FROM defi GROUP BY from_id ORDER BY count(*) DESC",
    "SELECT id FROM tokens WHERE kind = 'fungible' ORDER BY created DESC",
    "SELECT id FROM tokens WHERE kind = 'fungible' ORDER BY id",
    "SELECT pool_id AS id FROM pool_stats ORDER BY trades_24h DESC",
    "SELECT account_id AS id FROM pools WHERE lp_id IS NOT NULL",
    "SELECT account_id AS id FROM stake_accounts",
    "SELECT staker_id AS id FROM stake_accounts",
    "SELECT account_id AS id FROM labels WHERE icon IS NOT NULL AND tags IS NOT NULL",
    "SELECT account_id AS id FROM programs",
  ].flatMap(addresses);
  samples = {
    address: everything,
    token: everything,
    block: column("SELECT slot FROM blocks ORDER BY slot DESC LIMIT 3"),
    tx: column("SELECT signature FROM transactions WHERE vote = 0 ORDER BY id DESC LIMIT 20"),
    collection: column("SELECT hex FROM nft_collections LIMIT 20"),
    keyword: ["JUP", ...column("SELECT symbol FROM tokens WHERE created IS NOT NULL AND kind = 'fungible' LIMIT 12")],
    range: [7],
  };
});

type Choices = Readonly<Record<string, ParamInput>>;

/** Returns requests of an endpoint that name each sample of its required parameters. */
function requestsOf({ query }: Endpoint, choices: Choices): readonly Readonly<Record<string, ParamInput>>[] {
  const rest = Object.entries(query).flatMap(([name, { required, values }]) =>
    required && values && !samples[name] ? [[name, values[0]] as const] : [],
  );
  const [subject, param] = Object.entries(query).find(([name, { required }]) => required && samples[name]) ?? [];
  const listed = param?.arity === "list" || param?.wire === "brackets";
  const subjects = subject === undefined ? [undefined] : (samples[subject] ?? []);
  return subjects.map((sample) => ({
    ...Object.fromEntries(rest),
    ...(subject !== undefined && { [subject]: listed ? [sample as string] : sample }),
    ...choices,
  }));
}

/** Returns the types in the answers to all requests; a request that the endpoint refuses has none. */
function answeredTypes(endpoint: Endpoint, choices: Choices, isRecordedList: boolean): Types {
  const answers: Json[] = [];
  for (const params of requestsOf(endpoint, choices)) {
    try {
      const result = runQuery(reader, endpoint.route, params);
      if (!("data" in result)) continue;
      // Where servers differ, the rows may be recorded without the object around them.
      const list =
        isRecordedList && endpoint.returns.unwrapped && findRows(result.data, endpoint.returns.at, true)?.rows;
      const data = list || result.data;
      // What does not exist has no fields.
      if (!isObject(data) || Object.keys(data).length > 0) answers.push(data);
    } catch {
      // Not every address is a token, a pool or a program.
    }
  }
  return typesOf(answers);
}

/** Adds `absent` to the types of fields that some objects of a value lack. */
function addAbsent(types: Types, value: Json, path = ""): Types {
  if (isArray(value)) for (const item of value) addAbsent(types, item, `${path}[]`);
  else if (isObject(value)) {
    for (const [field, found] of types) {
      const name = field.startsWith(`${path}.`) ? field.slice(path.length + 1) : undefined;
      if (name !== undefined && /^\w+$/.test(name) && !(name in value)) found.add("absent");
    }
    for (const [name, item] of Object.entries(value)) addAbsent(types, item, `${path}.${name}`);
  }
  return types;
}

function typesOf(values: readonly Json[]): Types {
  const types: Types = new Map();
  for (const value of values) addTypes(types, value);
  for (const value of values) addAbsent(types, value);
  return types;
}

describe.skipIf(RECORDINGS.length === 0)("the sandbox answers the fields of", () => {
  test.for(RECORDINGS)("%s", ([, endpoint, data, choices]) => {
    const [answered, recorded] = [answeredTypes(endpoint, choices, isArray(data)), typesOf([data])];
    const differences: string[] = [];
    for (const [path, types] of recorded) {
      const known = [...types].filter((type) => type !== "null" && type !== "absent");
      const all = answered.get(path) ?? new Set();
      const own = [...all].filter((type) => type !== "null" && type !== "absent");
      for (const [nothing, allowed] of [
        ["absent", MAY_BE_MISSING],
        ["null", MAY_BE_NULL],
      ] as const) {
        if (all.has(nothing) && !types.has(nothing) && !allowed.some((pattern) => pattern.test(path)))
          differences.push(`${path} may be ${nothing}`);
      }
      if (!answered.has(path)) differences.push(`${path} is missing`);
      else if (known.length > 0 && own.some((type) => !types.has(type)))
        differences.push(`${path} is ${own.join(" or ")}, not ${known.join(" or ")}`);
    }
    expect(differences).toEqual([]);
  });
});
