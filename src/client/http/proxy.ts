/** Selects the proxy of a request, by the usual environment variables. */
import { isIP } from "node:net";
import { UsageError } from "../../base/index.ts";
import { isLoopback } from "../request/url.ts";

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
  const problem = proxyProblem(proxy);
  if (proxy && problem === undefined) return proxy;
  const display = proxy?.host ? ` (${displayProxy(proxy)})` : "";
  throw new UsageError(`The proxy in ${name}${display} ${problem}.`, {
    code: "BAD_PROXY",
    hint: `Use the form http://host:port, or unset ${name}.`,
  });
}

/** Returns why a proxy cannot be used, as the end of a sentence. */
function proxyProblem(proxy: URL | null): string | undefined {
  if (!proxy || !["http:", "https:", "socks5:", "socks:"].includes(proxy.protocol) || proxy.hostname === "") {
    return "is not a valid URL";
  }
  if (![proxy.username, proxy.password].every(isPercentEncoded)) {
    return "has a % in its user or password that is not followed by two hexadecimal digits: write it as %25";
  }
  // TLS identifies the proxy by name, and an IP address is not a name (RFC 6066, section 3).
  if (proxy.protocol === "https:" && isIP(proxy.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return "is an IP address with https, which requires a host name";
  }
  return undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
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
