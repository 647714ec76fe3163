/** Addresses on the wire: servers of the families, paths and queries, and requests to any path. */
import { UsageError } from "../../base/index.ts";
import {
  endpointByPath,
  FAMILY_PATHS,
  type Family,
  familyOfPath,
  quoteForShell,
  SERVERS,
} from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { computeCost, type PreparedRequest } from "./prepare.ts";

interface CurlOptions {
  readonly baseUrl: string;
  readonly keyHeader: string;
  /** The text for the key: by default a variable, since a key must not appear in shell histories and logs. */
  readonly keyText?: string;
}

/** The curl command that sends the request. */
export function curlCommand(
  request: PreparedRequest,
  { baseUrl, keyHeader, keyText = "$SOLX_API_KEY" }: CurlOptions,
): string {
  const url = quoteForShell(baseUrl + requestPath(request));
  return `curl --compressed -H "${keyHeader}: ${keyText}" ${url}`;
}

/** The base address of each family. */
export type BaseUrls = Readonly<Record<Family, string>>;

/**
 * The base addresses that options describe: one server for all families, single ones, or the defaults.
 * @throws UsageError when one is no http(s) address, or carries a user, a query or a fragment
 */
export function resolveBaseUrls(options: {
  readonly baseUrl?: string;
  readonly baseUrls?: Partial<BaseUrls>;
}): BaseUrls {
  const { baseUrl, baseUrls = {} } = options;
  const common = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl);
  const baseUrlOf = (family: Family) => {
    const specific = baseUrls[family];
    if (specific !== undefined) return parseBaseUrl(specific);
    return common === undefined ? SERVERS[family] : common + FAMILY_PATHS[family];
  };
  return { v2: baseUrlOf("v2"), legacy: baseUrlOf("legacy"), public: baseUrlOf("public"), node: baseUrlOf("node") };
}

function parseBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError(`The base URL ${displayText(text)} is not an http or https address.`, {
      hint: "Give one such as https://pro-api.solscan.io or http://127.0.0.1:8899.",
    });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`The base URL of ${url.host} must have neither user, query nor fragment.`);
  }
  return url.href.replace(/\/+$/, "");
}

/** Path and query of a request, URL-encoded; commas stay readable. */
export function requestPath({ path, query }: Pick<PreparedRequest, "path" | "query">): string {
  if (query.length === 0) return path;
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",");
  return `${path}?${query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")}`;
}

/** The whole address of a request. */
export function requestUrl(request: PreparedRequest, baseUrls: BaseUrls): URL {
  return new URL(baseUrls[request.family] + requestPath(request));
}

/** Whether a host is this machine: nothing that is sent there leaves it. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Options of a raw request. */
export interface RawOptions {
  /** The family; by default, the one whose version prefix the path has, else the one that has the path. */
  readonly family?: Family;
  /** Query parameters to append to those of the path. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The servers, for paths given as a complete URL. */
  readonly baseUrls?: BaseUrls;
}

/** Compute units of a path that the catalogue does not know: the most common cost. */
const UNKNOWN_COST = 100;

/**
 * Turns `/account/detail?address=…`, `account/detail`, `/v2.0/account/detail` or a complete URL of the API into a
 * request. Parameters are sent unchanged.
 * @throws UsageError when the path leads to another host or out of the API, or contains invalid characters
 */
export function rawRequest(input: string, options: RawOptions = {}): PreparedRequest {
  const text = input.trim();
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw pathError(input, "looks like a file: the shell rewrote the leading slash", "Omit the slash: account/detail");
  }
  const local = stripServer(text, options.baseUrls ?? SERVERS);
  const [pathPart = "", ...queryParts] = local.rest.split("?");
  const path = `/${pathPart.replace(/^\/+/, "")}`;
  checkPath(input, path);
  const { family, bare } = resolveFamily(path, options.family ?? local.family);
  const endpoint = endpointByPath(family, bare);
  const query = [...new URLSearchParams(queryParts.join("?")), ...(options.query ?? [])] as const;
  const unknown = family === "public" ? 0 : UNKNOWN_COST;
  return {
    ...(endpoint && { endpoint }),
    family,
    path: bare,
    query,
    cost: endpoint ? computeCost(endpoint, collectValues(query)) : unknown,
    notes: [],
  };
}

function collectValues(query: PreparedRequest["query"]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [wire, value] of query) {
    const name = wire.replace(/\[\]$/, "");
    values.set(name, [...(values.get(name) ?? []), ...value.split(",")]);
  }
  return values;
}

/** Returns the part of a URL below the server, and the family that the server belongs to. */
function stripServer(text: string, baseUrls: BaseUrls): { readonly rest: string; readonly family?: Family } {
  if (!/^([a-z][a-z0-9+.-]*:)?\/\//i.test(text)) return { rest: text };
  const families = (["v2", "legacy", "public"] as const).toSorted((a, b) => baseUrls[b].length - baseUrls[a].length);
  const family = families.find((name) => text === baseUrls[name] || text.startsWith(`${baseUrls[name]}/`));
  if (family !== undefined) return { rest: text.slice(baseUrls[family].length), family };
  throw pathError(text, "is on another host than the API", "Use the path only, or set the base URL.");
}

function checkPath(input: string, path: string): void {
  const decoded = path.replace(/%2e/gi, ".").replace(/%2f/gi, "/").replace(/%5c/gi, "\\");
  if (path === "/") throw pathError(input, "names no endpoint", "Use one such as /account/detail.");
  if (decoded.split(/[/\\]/).some((segment) => segment === ".." || segment === ".")) {
    throw pathError(input, "leads out of the API: it contains . or ..");
  }
  if (/[\\#]|%2f|%5c|\/\//i.test(path) || !/^[!-~]+$/.test(path) || /%(?![0-9a-f]{2})/i.test(path)) {
    throw pathError(input, "contains a character that is not allowed in a path", "Pass values as query parameters.");
  }
}

function resolveFamily(
  path: string,
  requested: Family | undefined,
): { readonly family: Family; readonly bare: string } {
  for (const family of ["v2", "legacy"] as const) {
    if (path.startsWith(`${FAMILY_PATHS[family]}/`) && (requested ?? family) === family) {
      return { family, bare: path.slice(FAMILY_PATHS[family].length) };
    }
  }
  return { family: requested ?? familyOfPath(path), bare: path };
}

function pathError(input: string, reason: string, hint?: string): UsageError {
  return new UsageError(`The path ${displayText(input)} ${reason}.`, { hint });
}
