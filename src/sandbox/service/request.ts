/** Requests and answers as they go over the wire; of a request, path to endpoint and query to values by name. */
import { type Endpoint, endpointByPath, FAMILY_PATHS, type Family, type Param } from "../../catalogue/index.ts";

/** A request, of whichever transport. */
export interface ServiceRequest {
  readonly method: string;
  /** A whole address, or path and query alone. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Ends waits that a fault asks for. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer, of whichever transport. Header names are in lower case. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where the sandbox says what the API would not: never in a body. */
export const HINT_HEADER = "x-solx-hint";

/** Where a request goes. */
export interface RequestTarget {
  /** The path as it was asked for, prefix of the family included. */
  readonly path: string;
  /** The query as it was asked for, without the question mark. */
  readonly search: string;
  readonly family: Family;
  /** The path inside the family. */
  readonly inner: string;
  /** The endpoint that has the path. */
  readonly endpoint: Endpoint | undefined;
}

/** Endpoints of paths without parameters: these are few, and asked for again and again. */
const endpointsByPath = new Map<string, Endpoint>();

/** The path, the query and the endpoint of a request's address. */
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
 * The values of a request by name, in the order of the query. Lists and ranges come in any form that clients send:
 * `x[]=a&x[]=b`, `x[0]=a&x[1]=b`, `x=a&x=b`, `x=a,b`. Flags come in any case.
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

/** A path segment without its percent signs; one that is badly written stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The value of a header; the first where it came several times. */
export function headerValue({ headers }: ServiceRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}
