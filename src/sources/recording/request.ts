/** Requests in the form in which recordings are stored and compared: equal requests have equal forms. */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  sha256,
  stringifyJson,
  tryParseJson,
} from "../../base/index.ts";
import { type Endpoint, endpointByPath, FAMILY_PATHS, type Family, requestValues } from "../../catalogue/index.ts";

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  /** The path with the prefix of the family, as the sandbox serves it; the root for calls of a node. */
  readonly path: string;
  readonly query: Iterable<readonly [name: string, value: string]>;
  /** The body of a POST request. */
  readonly body?: string | undefined;
}

/** Parameters by name; several values are a list. */
export type RecordedQuery = Readonly<Record<string, string | readonly string[]>>;

/** A request in its normalised form. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: RecordedQuery;
  /** The body: the calls of a node as JSON, anything else as text. */
  readonly body?: Json;
}

/** A call of a node's method. */
export interface RecordedCall {
  /** The id, by which the reply is recognised. */
  readonly id: Json;
  readonly method: string;
  readonly params: Json;
}

/** Returns the family that a path with its prefix belongs to, and the path below the prefix. */
function splitFamily(path: string): { readonly family: Family; readonly inner: string } {
  const family = (["v2", "legacy"] as const).find((name) => path.startsWith(`${FAMILY_PATHS[name]}/`)) ?? "public";
  return { family, inner: path.slice(FAMILY_PATHS[family].length) };
}

/** Returns the endpoint of a path with the prefix of its family. */
export function endpointOfPath(path: string): Endpoint | undefined {
  const { family, inner } = splitFamily(path);
  return endpointByPath(family, inner);
}

/**
 * Normalises a request: parameters are ordered by name, lists by value, both forms of a list are one, and values that
 * are the default are left out. Requests that the API refuses are only ordered.
 */
export function normaliseRequest({ method, path, query, body }: SentRequest): RecordedRequest {
  const request = { method, path, query: normaliseQuery(path, [...query]) };
  return body === undefined ? request : { ...request, body: tryParseJson(body) ?? body };
}

function normaliseQuery(path: string, pairs: readonly (readonly [string, string])[]): RecordedQuery {
  const endpoint = endpointOfPath(path);
  const parsed = endpoint && requestValues(endpoint, splitFamily(path).inner, pairs);
  const isValid = endpoint !== undefined && parsed?.problem === undefined;
  const values = isValid && parsed ? parsed.values : groupByName(pairs);
  const entries = [...values].flatMap(([name, list]) => {
    const param = isValid ? endpoint.query[name] : undefined;
    const isDefault = param?.default !== undefined && list.length === 1 && list[0] === String(param.default);
    if (isDefault || param?.in === "path") return [];
    const ordered = param?.arity === "list" ? list.toSorted() : list;
    return [[name, ordered.length === 1 ? (ordered[0] as string) : ordered] as const];
  });
  return sortQuery(Object.fromEntries(entries));
}

/** Returns a query with its parameters ordered by name. */
export function sortQuery(query: RecordedQuery): RecordedQuery {
  return Object.fromEntries(Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function groupByName(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name.replace(/\[\]$/, ""));
  return new Map([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]));
}

/** Returns the calls in the body of a request to a node; none for other requests. */
export function callsOf({ body }: RecordedRequest): readonly RecordedCall[] {
  const calls = isArray(body) ? body : [body];
  return calls.flatMap((call) =>
    isObject(call) && typeof call.method === "string"
      ? [{ id: call.id ?? null, method: call.method, params: call.params ?? [] }]
      : [],
  );
}

/** Returns a text that is equal for equal requests. */
export function requestKey(request: RecordedRequest): string {
  const calls = callsOf(request);
  if (calls.length > 0) return calls.map(callKey).join("\n");
  const { method, path, query, body } = request;
  return `${method} ${path} ${JSON.stringify(query)}${body === undefined ? "" : ` ${stringifyJson(body)}`}`;
}

/** Returns a text that is equal for equal calls, whatever their ids and the order of members. */
export const callKey = ({ method, params }: Pick<RecordedCall, "method" | "params">): string =>
  `${method} ${stringifyJson(withSortedMembers(params))}`;

function withSortedMembers(value: Json): Json {
  if (isArray(value)) return value.map(withSortedMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, withSortedMembers(inner)])) as JsonObject;
}

/** Characters of the hash in the names of files. */
const HASH_LENGTH = 10;

/** Returns the beginning of the name of a request's files: the route or the method, and a hash of the request. */
export function fileStem(request: RecordedRequest): string {
  const calls = callsOf(request);
  const [call] = calls;
  const name = call
    ? `rpc-${calls.length > 1 ? "batch" : call.method}`
    : (endpointOfPath(request.path)?.route ?? request.path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, ""));
  return `${name.replace(/[^\w-]/g, "-").slice(0, 80) || "root"}-${sha256(requestKey(request)).slice(0, HASH_LENGTH)}`;
}
