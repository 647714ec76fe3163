/** Requests and answers on the wire; resolves paths to endpoints and queries to values by name. */
import {
  type Endpoint,
  endpointByPath,
  FAMILY_PATHS,
  type Family,
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

/** The endpoint that a request addresses, with its path and query. */
export interface RequestTarget {
  /** The requested path with the prefix of the family, without that of a client. */
  readonly path: string;
  /** The name of the client; "" when the path has none. */
  readonly client: string;
  /** The requested query without the question mark. */
  readonly search: string;
  readonly family: Family;
  /** The path without the prefix of the family. */
  readonly inner: string;
  /** The endpoint with this path. */
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
  const family = familyOf(path);
  const inner = path.slice(FAMILY_PATHS[family].length);
  return { path, client, search, family, inner, endpoint: endpointOf(path, family, inner) };
}

function familyOf(path: string): Family {
  if (path.startsWith(`${FAMILY_PATHS.v2}/`)) return "v2";
  return path.startsWith(`${FAMILY_PATHS.legacy}/`) ? "legacy" : "public";
}

function endpointOf(path: string, family: Family, inner: string): Endpoint | undefined {
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
