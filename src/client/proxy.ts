/** Which proxy a request goes through: the variables that other programs read too. */
import { UsageError } from "../base/errors.ts";
import { isLoopback } from "./url.ts";

/** Environment variables, as far as a proxy is concerned. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/** The proxies of an environment; an absent one is an empty text. */
export interface Proxies {
  readonly httpsProxy: string;
  readonly httpProxy: string;
  readonly noProxy: string;
}

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; the lower-case names win, as elsewhere. Undefined when no proxy is
 * named, or when the request goes to this machine.
 * @throws UsageError when a proxy is no address
 */
export function proxiesFor(url: URL, env: ProxyEnv): Proxies | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const httpsProxy = proxyUrl("HTTPS_PROXY", env);
  const httpProxy = proxyUrl("HTTP_PROXY", env);
  if ((url.protocol === "https:" ? httpsProxy : httpProxy) === "") return undefined;
  return { httpsProxy, httpProxy, noProxy: variable("NO_PROXY", env) };
}

/** The address of the proxy for a request as messages show it: without user and password. */
export function shownProxy(url: URL, { httpsProxy, httpProxy }: Proxies): string {
  const proxy = new URL(url.protocol === "https:" ? httpsProxy : httpProxy);
  return `${proxy.protocol}//${proxy.username === "" ? "" : "***@"}${proxy.host}`;
}

function variable(name: string, env: ProxyEnv): string {
  return (env[name.toLowerCase()] ?? env[name] ?? "").trim();
}

function proxyUrl(name: string, env: ProxyEnv): string {
  const text = variable(name, env);
  if (text === "") return "";
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url && ["http:", "https:", "socks5:", "socks:"].includes(url.protocol) && url.hostname !== "") return url.href;
  throw new UsageError(`The proxy in ${name} is not an address.`, {
    code: "BAD_PROXY",
    hint: `Write it as http://host:port, or unset ${name}.`,
  });
}
