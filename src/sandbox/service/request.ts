/** Requests and answers on the wire; resolves paths to endpoints and queries to values by name. */
import type { Json } from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  FAMILY_PATHS,
  type Family,
  KEY_HEADER,
  type ParsedQuery,
  requestValues,
} from "../../catalogue/index.ts";

/** A request, independent of the transport. */
export interface ServiceRequest {
  readonly method: string;
  /** A full URL, or path and query only. */
  readonly url: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, for services that read bodies. */
  readonly body?: string | undefined;
  /** Ends the delays of faults. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer, independent of the transport. Header names are in lower case. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer whose body may be compressed. */
export interface EncodedAnswer extends Omit<ServiceAnswer, "body"> {
  readonly body: string | Buffer;
}

/** The endpoint that a request addresses, with its path and query. */
export interface RequestTarget {
  /** The requested path with the prefix of the family, without that of a client. */
  readonly path: string;
  /** The name of the client; "" when the path has none. */
  readonly client: string;
  /** The requested query without the question mark. */
  readonly search: string;
  /** The path without the prefix of the family. */
  readonly inner: string;
  readonly endpoint: Endpoint | undefined;
}

/** The name of a client, which it sends as `/_client/<name>` at the end of its base URL. */
export const CLIENT_NAME = /^[\w.-]{1,64}$/;
const CLIENT_PREFIX = "/_client/";

/** Splits a path into the name of the client and the rest. */
function splitClient(path: string): readonly [client: string, path: string] {
  if (!path.startsWith(CLIENT_PREFIX)) return ["", path];
  const end = path.indexOf("/", CLIENT_PREFIX.length);
  const client = path.slice(CLIENT_PREFIX.length, end);
  return end > 0 && CLIENT_NAME.test(client) ? [client, path.slice(end)] : ["", path];
}

/** Cached endpoints by paths without parameters: there are few, and they are requested repeatedly. */
const endpointsByPath = new Map<string, Endpoint>();

/** Resolves the path, query and endpoint of a URL. */
export function resolveTarget(url: string): RequestTarget {
  const scheme = url.startsWith("/") ? -1 : url.indexOf("://");
  const slash = scheme < 0 ? 0 : url.indexOf("/", scheme + 3);
  const local = slash < 0 ? "/" : url.slice(slash);
  const [beforeHash = ""] = local.split("#", 1);
  const mark = beforeHash.indexOf("?");
  const [client, path] = splitClient(mark < 0 ? beforeHash : beforeHash.slice(0, mark));
  const search = mark < 0 ? "" : beforeHash.slice(mark + 1);
  const family = findFamily(path);
  const inner = path.slice(FAMILY_PATHS[family].length);
  return { path, client, search, inner, endpoint: findEndpoint(path, family, inner) };
}

function findFamily(path: string): Family {
  if (path.startsWith(`${FAMILY_PATHS.v2}/`)) return "v2";
  return path.startsWith(`${FAMILY_PATHS.legacy}/`) ? "legacy" : "public";
}

function findEndpoint(path: string, family: Family, inner: string): Endpoint | undefined {
  const known = endpointsByPath.get(path);
  if (known) return known;
  const endpoint = endpointByPath(family, inner);
  if (endpoint?.path === inner) endpointsByPath.set(path, endpoint);
  return endpoint;
}

/** Returns the values of a request's path and query by parameter name, or why the API refuses the request. */
export const valuesOf = (endpoint: Endpoint, { search, inner }: RequestTarget): ParsedQuery =>
  requestValues(endpoint, inner, search === "" ? [] : new URLSearchParams(search));

/** Returns the value of a header, the first one if it was sent several times. */
export function headerValue({ headers }: ServiceRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** A request and its outcome. */
export interface RequestEntry {
  /** Consecutive number, from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The name of the client, from its base URL; absent when it has none. */
  readonly client?: string;
  /** The query, for requests with the sandbox's key only: otherwise it could contain another key. */
  readonly query?: string;
  /** The documentation route; absent when no endpoint matches the path. */
  readonly route?: string;
  /** The status of the answer, regardless of connection faults. */
  readonly status: number;
  /** Compute units charged. */
  readonly units: number;
  /** Milliseconds to create the answer, without the latency of faults. */
  readonly milliseconds: number;
  /** The faults that were injected. */
  readonly faults?: readonly string[];
  /** The error message of the API. */
  readonly message?: string;
  /** A note for the user. */
  readonly note?: string;
}

const MAX_ENTRIES = 1000;

/** Stores the latest requests. */
export class RequestLog {
  readonly #entries: RequestEntry[] = [];
  #count = 0;

  /** Total number of requests. */
  get count(): number {
    return this.#count;
  }

  /** Adds a request and returns its entry, in which keys are masked. */
  record(
    request: ServiceRequest,
    { path, client, search, endpoint }: RequestTarget,
    { message, note, faults = [], hasQuery, ...outcome }: RequestOutcome,
  ): RequestEntry {
    const key = headerValue(request, KEY_HEADER);
    const entry = {
      number: this.#count + 1,
      method: request.method,
      path: maskKeys(path, key),
      ...outcome,
      ...(client !== "" && { client: maskKeys(client, key) }),
      ...(search !== "" && hasQuery && { query: maskKeys(search, key) }),
      ...(endpoint && { route: endpoint.route }),
      ...(faults.length > 0 && { faults }),
      ...(message !== undefined && { message: maskKeys(message, key) }),
      ...(note !== undefined && { note }),
    };
    this.#entries[this.#count % MAX_ENTRIES] = entry;
    this.#count += 1;
    return entry;
  }

  /** Returns the stored entries, oldest first. */
  list(): readonly RequestEntry[] {
    const start = this.#count <= MAX_ENTRIES ? 0 : this.#count % MAX_ENTRIES;
    return [...this.#entries.slice(start), ...this.#entries.slice(0, start)];
  }
}

interface RequestOutcome extends Pick<RequestEntry, "time" | "status" | "units" | "milliseconds"> {
  readonly message: string | undefined;
  readonly note: string | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly hasQuery: boolean;
}

const MASK = "***";
/** Shorter keys would match ordinary words. */
const MIN_MASKED_LENGTH = 6;
/** The format of API keys: a JSON Web Token. */
const TOKEN = /eyJ[\w-]{8,}(\.[\w-]+)*/g;

/** Masks a key, and anything that looks like one, in a text. */
export function maskKeys(text: string, key: string | undefined): string {
  const plain = text.includes("eyJ") ? text.replace(TOKEN, MASK) : text;
  return key === undefined || key.length < MIN_MASKED_LENGTH ? plain : plain.replaceAll(key, MASK);
}

/** A control endpoint below `/_sandbox`: returns a JSON value for a body, or throws a UsageError. */
export interface ControlEndpoint {
  readonly method: string;
  readonly path: string;
  answer(body: Json): unknown;
}
