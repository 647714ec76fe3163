/** Requests without a key, through the usual proxy: they are free, and show which step fails or is slow. */

import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isIP } from "node:net";
import { SolxError, scriptArguments, scriptBeside } from "../../base/index.ts";
import { type Endpoint, endpoints, type Family } from "../../catalogue/index.ts";
import { decode, type HttpResponse, isLoopback, prepare, requestUrl } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { displayProxy, openTransport, resolveProxy, type Transport, toNetworkError } from "../../sources/api/index.ts";
import type { ClientOptions } from "../../sources/index.ts";
import { sourceOf } from "../run/data-source.ts";

/** Durations of the steps of an exchange in milliseconds, as far as they could be measured. */
export interface Steps {
  readonly name?: number;
  /** Connecting, including TLS. */
  readonly connection?: number;
  /** From the request to the response headers. */
  readonly answer?: number;
}

/** The result of a probe. */
export interface Probe {
  readonly url: URL;
  /** The proxy in use, without user and password. */
  readonly proxy: string | undefined;
  readonly steps: Steps;
  readonly milliseconds: number;
  /** The local time before and after, in milliseconds since the epoch. */
  readonly sent: number;
  readonly received: number;
  readonly reply: HttpResponse | undefined;
  /** The failure or the error of the response; undefined for a successful response. */
  readonly error: SolxError | undefined;
}

type WritableSteps = { -readonly [K in keyof Steps]: Steps[K] };

interface UndiciMessage {
  readonly request?: { readonly origin?: unknown; readonly path?: unknown };
  readonly socket?: object;
}

interface ProbeOptions {
  readonly settings: Settings;
  readonly loadOptions: () => Promise<ClientOptions>;
  /** Time limit in seconds of each step, and of all steps after the name resolution. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Seconds added to the time limit of an exchange, so that the time limit of a step is reported first. */
const GRACE_SECONDS = 1.5;

/** Sends one request to the server of a family. Rejects only when the run is stopped. */
export async function probeServer(
  family: Family,
  { settings, loadOptions, seconds, signal, version }: ProbeOptions,
): Promise<Probe> {
  const { isSimulated } = sourceOf(settings).facts;
  const request = prepare(simplestEndpoint(family), {}, { now: Date.now });
  const sent = Date.now();
  const start = performance.now();
  const steps: WritableSteps = {};
  let url = new URL("http://localhost");
  let proxy: URL | undefined;
  let reply: HttpResponse | undefined;
  let error: SolxError | undefined;
  try {
    url = requestUrl(request, settings.baseUrls());
    const options = await loadOptions();
    if (!isSimulated) {
      proxy = resolveProxy(url, options.env ?? {});
      await timeNameLookup(url, proxy, steps, { seconds, signal });
    }
    const headers = { accept: "application/json", "user-agent": `solx/${version}` };
    const limit = isSimulated ? seconds : seconds + GRACE_SECONDS;
    reply = await timeExchange(url, steps, () => sendRequest(options, { url, headers, signal }, seconds, limit));
    await decode(reply, request, Date.now());
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof SolxError)) throw cause;
    error = cause;
  }
  const milliseconds = Math.round(performance.now() - start);
  const received = Date.now();
  return { url, proxy: proxy && displayProxy(proxy), steps, milliseconds, sent, received, reply, error };
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

/** Sends a request through the transport of the client, or through one of its own. */
async function sendRequest(
  { transport, env = {}, caCert }: ClientOptions,
  request: Parameters<Transport["send"]>[0],
  seconds: number,
  limit: number,
): Promise<HttpResponse> {
  if (transport) return transport.send(request, limit);
  const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: limit };
  const own = await openTransport({ timeouts, env, caCert, maxBody: 1_000_000 });
  try {
    return await own.send(request, limit);
  } finally {
    await own.close();
  }
}

/** Resolves the name of the server or proxy and times that. Throws NetworkError when it cannot be resolved. */
async function timeNameLookup(
  url: URL,
  proxy: URL | undefined,
  steps: WritableSteps,
  { seconds, signal }: Pick<ProbeOptions, "seconds" | "signal">,
): Promise<void> {
  const { hostname } = proxy ?? url;
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 || isLoopback(hostname)) return;
  const start = performance.now();
  const code = await lookUpHost(host, seconds, signal);
  if (code === "OK") {
    steps.name = Math.round(performance.now() - start);
    return;
  }
  const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds };
  const cause = Object.assign(new Error(`${code}: ${host}`), { code });
  throw toNetworkError(cause, { url, timeouts, answered: false, proxy: proxy && displayProxy(proxy) });
}

/**
 * Resolves the name of a host in a child process: an unresponsive name server would block this process, and prevent it
 * from exiting. Returns `OK` or an error code within the time limit; rejects when the signal is aborted.
 */
function lookUpHost(host: string, seconds: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: seconds * 1000, killSignal: "SIGKILL", signal, windowsHide: true, env: {} } as const;
    const worker = scriptArguments(scriptBeside(import.meta.url, "lookup-worker"));
    execFile(process.execPath, [...worker, host], options, (_error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      // A process that was killed has printed nothing.
      else resolve(stdout || "EAI_AGAIN");
    });
  });
}

/** Sends a request and records the durations of its steps, from the diagnostics channels of undici. */
async function timeExchange(url: URL, steps: WritableSteps, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
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

/** Whether a server responded like the API, including its errors. */
export function isApi({ reply, error }: Probe): boolean {
  if (reply === undefined) return false;
  return error === undefined || ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
}
