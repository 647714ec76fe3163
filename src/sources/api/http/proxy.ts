/** Selects the proxy of a request, by the usual environment variables. */

import { isIP } from "node:net";
import { UsageError } from "../../../base/index.ts";
import { isLoopback } from "../../../client/index.ts";

/** Environment variables with the proxies. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy that `HTTPS_PROXY` or `HTTP_PROXY` names for a URL, unless `NO_PROXY` excludes it or it is on this
 * machine. Lower-case names take precedence, as usual.
 * @throws UsageError when the proxy cannot be used
 */
export function resolveProxy(url: URL, env: ProxyEnv): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = readVariable(name, env);
  if (text === "" || isLoopback(url.hostname) || isExcluded(url, readVariable("NO_PROXY", env))) return undefined;
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  const problem = proxyProblem(proxy, text) ?? encodeUserInfo(proxy as URL);
  if (proxy && problem === undefined) return proxy;
  const display = proxy?.host && hasUserInfo(proxy) === text.includes("@") ? ` (${displayProxy(proxy)})` : "";
  throw new UsageError(`The proxy in ${name}${display} ${problem}.`, {
    code: "BAD_PROXY",
    hint: `Use the form http://host:port, or unset ${name}.`,
  });
}

function proxyProblem(proxy: URL | null, text: string): string | undefined {
  if (text.includes("@") && !(proxy && hasUserInfo(proxy))) {
    return "is not a valid URL: write / as %2F, ? as %3F and # as %23 in its user and password";
  }
  if (!proxy || !["http:", "https:", "socks5:", "socks:"].includes(proxy.protocol) || proxy.hostname === "") {
    return "is not a valid URL";
  }
  // TLS identifies the proxy by name, and an IP address is not a name (RFC 6066, section 3).
  if (proxy.protocol === "https:" && isIP(proxy.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return "is an IP address with https, which requires a host name";
  }
  return undefined;
}

const hasUserInfo = ({ username, password }: URL): boolean => username !== "" || password !== "";

/** Encodes a `%` of user and password that encodes nothing. Returns the problem if one of them cannot be decoded. */
function encodeUserInfo(proxy: URL): string | undefined {
  try {
    for (const part of ["username", "password"] as const) {
      proxy[part] = encodeURIComponent(decodeURIComponent(proxy[part].replace(/%(?![0-9a-f]{2})/gi, "%25")));
    }
    return undefined;
  } catch {
    return "has a user or password that is not encoded as UTF-8: write % as %25";
  }
}

/** Returns a proxy for display, without user and password. */
export function displayProxy({ protocol, username, host }: URL): string {
  return `${protocol}//${username === "" ? "" : "***@"}${host}`;
}

function readVariable(name: string, env: ProxyEnv): string {
  return (env[name.toLowerCase()] ?? env[name] ?? "").trim();
}

/** Whether `NO_PROXY` excludes a host: `*`, a host with its subdomains, or `.domain`; each may have a port. */
function isExcluded({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const requestPort = port || (protocol === "https:" ? "443" : "80");
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, name = "", requiredPort] =
      /^\[?(.*?)\]?(?::(\d+))?$/.exec(/^[^[]*:.*:/.test(entry) ? `[${entry}]` : entry) ?? [];
    if (name === "" || (requiredPort !== undefined && requiredPort !== requestPort)) return false;
    const suffix = name.replace(/^\*?\./, "").toLowerCase();
    return name === "*" || host === suffix || host.endsWith(`.${suffix}`);
  });
}
