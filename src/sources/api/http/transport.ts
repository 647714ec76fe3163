/// <reference path="./undici-parts.d.ts" />
/**
 * HTTP exchanges over one connection pool per server, without retries.
 *
 * undici's interceptors are not used. `redirect` follows to any server and removes only standard credentials from the
 * request, but the key may be in any header, so redirects are followed here, within the same origin only. `retry` acts
 * below the rate limiter, but every attempt needs a permit and counts against `maxWait`. `decompress` is experimental,
 * removes headers, and cannot read raw deflate or a body that was cut off on purpose (see `exchange.ts`).
 *
 * undici is imported by path: its index would also load fetch, caches and mocks, which takes longer than the rest of the
 * start-up.
 */

import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import { NetworkError } from "../../../base/index.ts";
import { closedError, displayText, type HttpResponse } from "../../../client/index.ts";
import { exchange, type Upstream } from "./exchange.ts";
import type { Transport } from "./message.ts";
import type { Timeouts } from "./network-errors.ts";
import { displayProxy, type ProxyEnv, resolveProxy } from "./proxy.ts";

/** What a transport depends on. */
export interface TransportOptions {
  readonly timeouts: Timeouts;
  readonly env: ProxyEnv;
  readonly caCert?: string | undefined;
  /** The maximum size of a body in bytes, after decompression. */
  readonly maxBody: number;
}

/** Concurrent connections per server. */
const CONNECTIONS = 16;
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates a transport; connections are opened on demand. */
export function createTransport(options: TransportOptions): Transport {
  const upstreams = new Map<string, Promise<Upstream>>();
  let closed = false;

  const upstreamOf = (url: URL): Promise<Upstream> => {
    const upstream = upstreams.get(url.origin) ?? openUpstream(url, options);
    upstreams.set(url.origin, upstream);
    return upstream;
  };

  return {
    async send(request, timeout = options.timeouts.total) {
      if (closed) throw closedError();
      const limits = { maxBody: options.maxBody, timeouts: { ...options.timeouts, total: timeout } };
      const upstream = await upstreamOf(request.url);
      return followRedirects(request.url, (url) => exchange(upstream, { ...request, url }, limits));
    },
    async close() {
      closed = true;
      const opened = await Promise.allSettled(upstreams.values());
      await Promise.all(
        opened.map(async (upstream) => upstream.status === "fulfilled" && upstream.value.dispatcher.destroy()),
      );
    },
  };
}

/** Options of {@link openUpstream}. */
type UpstreamOptions = Pick<TransportOptions, "env" | "caCert"> & {
  readonly timeouts: Pick<Timeouts, "connect">;
  /** Called with each socket that is opened, also to a proxy. Connections are then upgraded: proxies open tunnels. */
  readonly onSocket?: ((socket: Socket) => void) | undefined;
  /** The limits of the messages of websockets. */
  readonly webSocket?: Agent.Options["webSocket"];
};

/** Opens the connections to a server: over the proxy for it, with the certificates that are trusted. */
export async function openUpstream(url: URL, options: UpstreamOptions): Promise<Upstream> {
  const { env, timeouts, caCert, onSocket, webSocket } = options;
  const trust = caCert === undefined ? {} : { ca: await trustedCertificates(caCert) };
  const shared = {
    connections: CONNECTIONS,
    allowH2: false,
    connectTimeout: timeouts.connect * 1000,
    ...(webSocket && { webSocket }),
  };
  const proxy = resolveProxy(url, env);
  if (!proxy) {
    const connect = { ...trust, timeout: shared.connectTimeout };
    const observed = onSocket ? observe((await loadConnector())(connect), onSocket) : connect;
    return { dispatcher: new Agent({ ...shared, connect: observed }), proxy: undefined };
  }
  const ProxyAgent = await loadProxyAgent();
  const tls = { ...trust, allowH2: false };
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  const clientFactory = (origin: URL, { connect }: { connect?: buildConnector.connector }) =>
    new Pool(origin, connect && onSocket ? { connect: observe(connect, onSocket) } : {});
  const upgraded = onSocket ? { clientFactory, proxyTunnel: true } : {};
  return {
    dispatcher: new ProxyAgent({ ...shared, uri: proxy.href, requestTls: tls, proxyTls: tls, ...upgraded }),
    proxy: displayProxy(proxy),
  };
}

const loadConnector = async () => (await import("undici/lib/core/connect.js")).default;

const observe =
  (connect: buildConnector.connector, onSocket: (socket: Socket) => void): buildConnector.connector =>
  (target, done) =>
    connect(target, (...result) => {
      if (result[1]) onSocket(result[1]);
      done(...result);
    });

async function trustedCertificates(caCert: string): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), caCert];
}

async function followRedirects(url: URL, get: (url: URL) => Promise<HttpResponse>): Promise<HttpResponse> {
  let current = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await get(current);
    const location = REDIRECT_STATUSES.has(response.status) ? response.headers.location : undefined;
    if (location === undefined) return response;
    const next = URL.parse(location, current.href);
    if (next?.origin !== url.origin) throw foreignRedirectError(url, next, response.status);
    current = next;
  }
  throw new NetworkError(`${url.host} redirects in a loop: more than ${MAX_REDIRECTS} times.`, {
    code: "REDIRECT",
    retryable: false,
    hint: "Check the URL of the server.",
  });
}

function foreignRedirectError(from: URL, to: URL | null, status: number): NetworkError {
  const isOnHost = to?.host === from.host;
  const target =
    to === null ? "nowhere" : to.host === "" ? displayText(to.href) : isOnHost ? `${to.protocol}//${to.host}` : to.host;
  return new NetworkError(
    `${from.host} redirects to ${target} (${status}); the redirect was not followed, and the key was not sent there.`,
    {
      code: "REDIRECT",
      status,
      retryable: false,
      hint: "If the server has moved there, use its new URL. Otherwise a sign-in page of this network may be answering.",
    },
  );
}

/** Loads the agent for proxies. It opens tunnels with a method that undici's index would add. */
async function loadProxyAgent() {
  const [{ default: Dispatcher }, { default: connect }, { default: ProxyAgent }] = await Promise.all([
    import("undici/lib/dispatcher/dispatcher.js"),
    import("undici/lib/api/api-connect.js"),
    import("undici/lib/dispatcher/proxy-agent.js"),
  ]);
  Object.assign(Dispatcher.prototype, { connect });
  return ProxyAgent;
}
