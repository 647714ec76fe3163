/** Requests and answers on the wire; resolves paths to endpoints and queries to values by name. */
import { type Endpoint, endpointByPath, FAMILY_PATHS, type Family, type Param } from "../../catalogue/index.ts";

/** A request, independent of the transport. */
export interface ServiceRequest {
  readonly method: string;
  /** A full URL, or path and query only. */
  readonly url: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Ends the delays of faults. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer, independent of the transport. Header names are in lower case. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The header for hints that the API does not give; bodies never contain them. */
export const HINT_HEADER = "x-solx-hint";

/** The endpoint that a request addresses, with its path and query. */
export interface RequestTarget {
  /** The requested path with the prefix of the family. */
  readonly path: string;
  /** The requested query without the question mark. */
  readonly search: string;
  readonly family: Family;
  /** The path without the prefix of the family. */
  readonly inner: string;
  /** The endpoint with this path. */
  readonly endpoint: Endpoint | undefined;
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
  const path = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  const search = mark < 0 ? "" : beforeHash.slice(mark + 1);
  const family = familyOf(path);
  const inner = path.slice(FAMILY_PATHS[family].length);
  return { path, search, family, inner, endpoint: endpointOf(path, family, inner) };
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

/**
 * Returns the values of a request by name, in the order of the query. Lists and ranges may have any form that clients
 * send: `x[]=a&x[]=b`, `x[0]=a&x[1]=b`, `x=a&x=b`, `x=a,b`. Booleans may be in any case.
 */
export function requestValues(
  endpoint: Endpoint,
  { search, inner }: RequestTarget,
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const add = (name: string, more: readonly string[]) => values.set(name, [...(values.get(name) ?? []), ...more]);
  if (endpoint.path.includes("{")) {
    const segments = inner.split("/");
    for (const [at, segment] of endpoint.path.split("/").entries()) {
      if (segment.startsWith("{")) add(segment.slice(1, -1), [decodeSegment(segments[at] ?? "")]);
    }
  }
  if (search === "") return values;
  for (const [written, value] of new URLSearchParams(search)) {
    const name = written.replace(/\[\d*\]$/, "");
    add(name, Object.hasOwn(endpoint.query, name) ? splitValue(endpoint.query[name], value) : [value]);
  }
  return values;
}

function splitValue(param: Param | undefined, value: string): readonly string[] {
  if (param?.type === "boolean") return [/^(true|false)$/i.test(value) ? value.toLowerCase() : value];
  return param === undefined || param.arity === "one" ? [value] : value.split(",");
}

/** Decodes a path segment; an invalid one is returned unchanged. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the value of a header, the first one if it was sent several times. */
export function headerValue({ headers }: ServiceRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
