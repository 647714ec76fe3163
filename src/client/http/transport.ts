/**
 * One HTTP exchange after another over a pool of its own. Nothing here knows of retries or JSON. The head of a request
 * goes only to the host it was made for: redirects to the same origin are followed, others are refused.
 */
import { NetworkError, UsageError } from "../../base/index.ts";
import { displayText } from "../text.ts";
import { exchange, type Upstream } from "./exchange.ts";
import type { HttpResponse, Transport } from "./message.ts";
import type { Timeouts } from "./network-errors.ts";
import { displayProxy, type ProxyEnv, resolveProxy } from "./proxy.ts";
import { Agent, loadProxyAgent } from "./undici.ts";

/** What a transport depends on. */
export interface TransportOptions {
  readonly timeouts: Timeouts;
  /** Proxy variables. */
  readonly env: ProxyEnv;
  /** Certificates (PEM) to trust beside those of the system. */
  readonly caCert?: string | undefined;
  /** The greatest body, in bytes, after decompression. */
  readonly maxBody: number;
}

/** Connections to one host at a time. */
const CONNECTIONS = 16;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Makes a transport; connections are opened when they are first needed. */
export function createTransport(options: TransportOptions): Transport {
  const routes = new Map<string, Promise<Upstream>>();
  let closed = false;

  const routeOf = (url: URL): Promise<Upstream> => {
    const route = routes.get(url.origin) ?? openRoute(url, options);
    routes.set(url.origin, route);
    return route;
  };

  return {
    async send(request, timeout = options.timeouts.total) {
      if (closed) throw new UsageError("This client is closed.", { code: "CLOSED" });
      const limits = { maxBody: options.maxBody, timeouts: { ...options.timeouts, total: timeout } };
      const route = await routeOf(request.url);
      return follow(request.url, (url) => exchange(route, { ...request, url }, limits));
    },
    async close() {
      closed = true;
      const opened = await Promise.allSettled(routes.values());
      await Promise.all(opened.map(async (route) => route.status === "fulfilled" && route.value.dispatcher.destroy()));
    },
  };
}

async function openRoute(url: URL, { env, timeouts, caCert }: TransportOptions): Promise<Upstream> {
  const trust = caCert === undefined ? {} : { ca: await authorities(caCert) };
  const shared = { connections: CONNECTIONS, allowH2: false, connectTimeout: timeouts.connect * 1000 };
  const proxy = resolveProxy(url, env);
  if (!proxy) {
    const connect = { ...trust, timeout: shared.connectTimeout };
    return { dispatcher: new Agent({ ...shared, connect }), proxy: undefined };
  }
  const ProxyAgent = await loadProxyAgent();
  const tls = { ...trust, allowH2: false };
  return {
    dispatcher: new ProxyAgent({ ...shared, uri: proxy.href, requestTls: tls, proxyTls: tls }),
    proxy: displayProxy(proxy),
  };
}

/** The system's authorities and the one given. */
async function authorities(caCert: string): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), caCert];
}

async function follow(url: URL, get: (url: URL) => Promise<HttpResponse>): Promise<HttpResponse> {
  let at = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const reply = await get(at);
    const location = REDIRECTS.has(reply.status) ? reply.headers.location : undefined;
    if (location === undefined) return reply;
    const next = URL.parse(location, at.href);
    if (next?.origin !== url.origin) throw foreignRedirect(url, next, reply.status);
    at = next;
  }
  throw new NetworkError(`${url.host} redirects in circles: more than ${MAX_REDIRECTS} times.`, {
    code: "REDIRECT",
    retryable: false,
    hint: "Check the base URL.",
  });
}

function foreignRedirect(from: URL, to: URL | null, status: number): NetworkError {
  const isOnHost = to?.host === from.host;
  const target =
    to === null ? "nowhere" : to.host === "" ? displayText(to.href) : isOnHost ? `${to.protocol}//${to.host}` : to.host;
  return new NetworkError(
    `${from.host} redirects to ${target} (${status}); it was not followed, and the key not sent there.`,
    {
      code: "REDIRECT",
      status,
      retryable: false,
      hint: "If that is where the API is now, set the base URL. Otherwise a sign-in page of this network may be answering.",
    },
  );
}
