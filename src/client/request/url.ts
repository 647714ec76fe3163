/** Addresses on the wire: servers of the families, paths and queries. */
import { UsageError } from "../../base/index.ts";
import { FAMILY_PATHS, type Family, quoteForShell, SERVERS } from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import type { PreparedRequest } from "./prepare.ts";

/** What a printed curl command depends on besides the request. */
export interface CurlOptions {
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
