/** Which proxy a request goes through: the variables that other programs read too. */
import { isIP } from "node:net";
import { UsageError } from "../../base/index.ts";
import { isLoopback } from "../request/url.ts";

/** Environment variables, as far as a proxy is concerned. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that `HTTPS_PROXY` or `HTTP_PROXY` names for an address, unless `NO_PROXY` excepts it or it is on this
 * machine. The lower-case names win, as elsewhere.
 * @throws UsageError when the proxy cannot be used
 */
export function resolveProxy(url: URL, env: ProxyEnv): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = readVariable(name, env);
  if (text === "" || isLoopback(url.hostname) || isExcluded(url, readVariable("NO_PROXY", env))) return undefined;
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  const problem = proxyProblem(proxy);
  if (proxy && problem === undefined) return proxy;
  const display = proxy?.host ? ` (${displayProxy(proxy)})` : "";
  throw new UsageError(`The proxy in ${name}${display} ${problem}.`, {
    code: "BAD_PROXY",
    hint: `Write it as http://host:port, or unset ${name}.`,
  });
}

/** Why a proxy cannot be used, as the end of a sentence. */
function proxyProblem(proxy: URL | null): string | undefined {
  if (!proxy || !["http:", "https:", "socks5:", "socks:"].includes(proxy.protocol) || proxy.hostname === "") {
    return "is not an address";
  }
  if (![proxy.username, proxy.password].every(isPercentEncoded)) {
    return "has a % in its user or password that no two hexadecimal digits follow: write it as %25";
  }
  // TLS names the host that is meant, and an IP address is no name (RFC 6066, 3).
  if (proxy.protocol === "https:" && isIP(proxy.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return "is an IP address with https, which needs a host name";
  }
  return undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // That is the question.
    return false;
  }
}

/** A proxy as messages show it: without user and password. */
export function displayProxy({ protocol, username, host }: URL): string {
  return `${protocol}//${username === "" ? "" : "***@"}${host}`;
}

function readVariable(name: string, env: ProxyEnv): string {
  return (env[name.toLowerCase()] ?? env[name] ?? "").trim();
}

/** Whether `NO_PROXY` names the host: `*`, a host with its subdomains, or `.domain`; each may have a port. */
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
