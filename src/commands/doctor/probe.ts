/** Requests without a key, through the usual proxy: they are free, and show which step fails or is slow. */

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { isIP } from "node:net";
import { SolxError } from "../../base/index.ts";
import { type Endpoint, endpoints, type Family } from "../../catalogue/index.ts";
import { type DataFacts, decode, type HttpResponse, isLoopback, prepare, requestUrl } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { displayProxy, openTransport, resolveProxy, type Timeouts, toNetworkError } from "../../sources/api/index.ts";
import type { ClientOptions } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";

/** Durations of the steps of an exchange in milliseconds, as far as they could be measured. */
export interface Steps {
  name?: number;
  /** Connecting, including TLS. */
  connection?: number;
  /** From the request to the response headers. */
  answer?: number;
}

/** The result of a probe. */
export interface Probe {
  readonly url: URL;
  /** The proxy in use, without user and password. */
  readonly proxy: string | undefined;
  readonly steps: Readonly<Steps>;
  readonly milliseconds: number;
  /** The local time before and after, in milliseconds since the epoch. */
  readonly sent: number;
  readonly received: number;
  readonly reply: HttpResponse | undefined;
  /** The failure or the error of the response; undefined for a successful response. */
  readonly error: SolxError | undefined;
}

/** Seconds added to the time limit of an exchange, so that the time limit of a step is reported first. */
const GRACE_SECONDS = 1.5;

/** Returns the time limits of an exchange: for each of its steps, and for all of them. */
export const timeoutsOf = (seconds: number, total = seconds): Timeouts => ({
  connect: seconds,
  firstByte: seconds,
  idle: seconds,
  total,
});

interface ProbeContext {
  readonly context: RunContext;
  readonly settings: Settings;
  readonly facts: DataFacts;
  /** Time limit of a step, in seconds. */
  readonly seconds: number;
}

/** Sends one request to the server of a family. Rejects only when the run is stopped. */
export async function probeServer(
  family: Family,
  { context, settings, facts, seconds }: ProbeContext,
  loadOptions: () => Promise<ClientOptions>,
): Promise<Probe> {
  const { signal, version } = context.io;
  const request = prepare(simplestEndpoint(family), {}, { now: Date.now });
  const sent = Date.now();
  const start = performance.now();
  const steps: Steps = {};
  let url = new URL("http://localhost");
  let proxy: string | undefined;
  let reply: HttpResponse | undefined;
  let error: SolxError | undefined;
  try {
    url = requestUrl(request, settings.baseUrls());
    const { transport, env = {}, caCert } = await loadOptions();
    if (!facts.isSimulated) {
      const proxyUrl = resolveProxy(url, env);
      proxy = proxyUrl && displayProxy(proxyUrl);
      const { hostname } = proxyUrl ?? url;
      const code = await timeNameLookup(hostname, steps, seconds, signal);
      if (code !== "OK") {
        const cause = Object.assign(new Error(`${code}: ${hostname}`), { code });
        throw toNetworkError(cause, { url, timeouts: timeoutsOf(seconds), answered: false, proxy });
      }
    }
    const headers = { accept: "application/json", "user-agent": `solx/${version}` };
    const limit = facts.isSimulated ? seconds : seconds + GRACE_SECONDS;
    const used =
      transport ?? (await openTransport({ timeouts: timeoutsOf(seconds, limit), env, caCert, maxBody: 1_000_000 }));
    try {
      reply = await timeExchange(url, steps, () => used.send({ url, headers, signal }, limit));
    } finally {
      if (used !== transport) await used.close();
    }
    await decode(reply, request, Date.now());
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof SolxError)) throw cause;
    error = cause;
  }
  const milliseconds = Math.round(performance.now() - start);
  return { url, proxy, steps, milliseconds, sent, received: Date.now(), reply, error };
}

/** Returns the cheapest endpoint of a family that needs no parameters, not paged if possible. */
function simplestEndpoint(family: Family): Endpoint {
  const free = endpoints
    .filter((endpoint) => endpoint.family === family && !Object.values(endpoint.query).some(({ required }) => required))
    .sort((one, other) => one.cost.units - other.cost.units);
  const [first] = free.filter(({ paging }) => paging === "none").concat(free);
  if (!first) throw new Error(`every endpoint of ${family} needs parameters`);
  return first;
}

/** Resolves the name of a host, if it is one, and times that; returns `OK` or an error code within the time limit. */
async function timeNameLookup(hostname: string, steps: Steps, seconds: number, signal: AbortSignal): Promise<string> {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || isLoopback(hostname)) return "OK";
  const start = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const code = await Promise.race([
    lookup(hostname).then(
      () => "OK",
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    ),
    once(end, "abort").then(() => "EAI_AGAIN"),
  ]);
  signal.throwIfAborted();
  if (code === "OK") steps.name = Math.round(performance.now() - start);
  return code;
}

interface UndiciMessage {
  readonly request?: { readonly origin?: unknown; readonly path?: unknown };
  readonly socket?: object;
}

/** Sends a request and records the durations of its steps, from the diagnostics channels of undici. */
async function timeExchange(url: URL, steps: Steps, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const start = performance.now();
  const connected = new Map<unknown, number>();
  let sentAt = 0;
  const isOurs = ({ request }: UndiciMessage) =>
    String(request?.origin).replace(/\/$/, "") === url.origin && request?.path === url.pathname + url.search;
  const listeners: Readonly<Record<string, (message: UndiciMessage) => void>> = {
    "undici:client:connected": ({ socket }) => connected.set(socket, performance.now()),
    "undici:client:sendHeaders"(message) {
      if (!isOurs(message)) return;
      sentAt = performance.now();
      steps.connection = Math.round((connected.get(message.socket) ?? sentAt) - start);
    },
    "undici:request:headers"(message) {
      if (isOurs(message)) steps.answer = Math.round(performance.now() - sentAt);
    },
  };
  const channels = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of channels) subscribe(channel, listener);
  try {
    return await send();
  } finally {
    for (const [channel, listener] of channels) unsubscribe(channel, listener);
  }
}

/** Whether an API rejected a request for the key: it is missing, or its plan or rate limit does not allow it. */
export const isKeyRelated = ({ exit }: SolxError): boolean =>
  ["auth", "permission", "rateLimited", "quota"].includes(exit);

/** Whether a server responded like the API, including its errors. */
export function isApi({ reply, error }: Probe): boolean {
  return reply !== undefined && (error === undefined || isKeyRelated(error));
}
