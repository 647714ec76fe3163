/**
 * Sends a request without a key, through the same proxy and with the same certificates as all requests. It is free, and
 * shows which step fails and how long each one takes.
 */

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

/** The addresses of a host, which the worker writes to standard output. */
export interface HostAddresses {
  readonly addresses: readonly string[];
  /** The error code of the system if there is no address; `EAI_AGAIN` also for a timeout. */
  readonly code?: string;
}

/**
 * Resolves the name of a host in a child process: an unresponsive name server would block this process, and prevent it
 * from exiting. Settles within the time limit; rejects when the signal is aborted.
 */
function lookUpHost(host: string, seconds: number, signal: AbortSignal): Promise<HostAddresses> {
  return new Promise((resolve, reject) => {
    const options = { timeout: seconds * 1000, killSignal: "SIGKILL", signal, windowsHide: true, env: {} } as const;
    const worker = scriptArguments(scriptBeside(import.meta.url, "lookup-worker"));
    execFile(process.execPath, [...worker, host], options, (_error, stdout) => {
      if (signal.aborted) return reject(signal.reason);
      try {
        const { addresses = [], code } = JSON.parse(stdout) as Partial<HostAddresses>;
        resolve(code === undefined ? { addresses } : { addresses, code });
      } catch {
        // The child process was killed before it printed a result.
        resolve({ addresses: [], code: "EAI_AGAIN" });
      }
    });
  });
}

/** Seconds added to the time limit of an exchange, so that the time limit of a step is reported first. */
const GRACE_SECONDS = 1.5;

/** Durations of the steps of an exchange in milliseconds, as far as they could be measured. */
export interface Steps {
  /** Name resolution. */
  readonly name?: number;
  /** Connecting, including TLS. */
  readonly connection?: number;
  /** From the request to the response headers. */
  readonly answer?: number;
}

/** The result of a probe. */
export interface Probe {
  readonly url: URL;
  readonly endpoint: Endpoint;
  /** The proxy in use, without user and password. */
  readonly proxy: string | undefined;
  readonly steps: Steps;
  /** Total duration in milliseconds. */
  readonly milliseconds: number;
  /** The local time before and after, in milliseconds since the epoch. */
  readonly sent: number;
  readonly received: number;
  readonly reply: HttpResponse | undefined;
  /** The failure or the error of the response; undefined for a successful response. */
  readonly error: SolxError | undefined;
}

/** Options of the probes. */
export interface ProbeOptions {
  readonly settings: Settings;
  readonly options: () => Promise<ClientOptions>;
  /** Time limit in seconds of each step, and of all steps after the name resolution. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Sends one request to the server of each family, when it is first needed. */
export class Probes {
  readonly #options: ProbeOptions;
  readonly #probes = new Map<Family, Promise<Probe>>();
  readonly #opened: Transport[] = [];

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Returns the probe of a family. Rejects only when the run is stopped. */
  probe(family: Family): Promise<Probe> {
    const probe = this.#probes.get(family) ?? probeServer(family, this.#options, this.#opened);
    this.#probes.set(family, probe);
    return probe;
  }

  /** Closes connections. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((transport) => transport.close()));
  }
}

async function probeServer(family: Family, probeOptions: ProbeOptions, opened: Transport[]): Promise<Probe> {
  const { settings, seconds, signal, version } = probeOptions;
  const endpoint = simplestEndpoint(family);
  const request = prepare(endpoint, {}, { now: Date.now });
  const sent = Date.now();
  const start = performance.now();
  const steps: { -readonly [K in keyof Steps]: Steps[K] } = {};
  let url = new URL("http://localhost");
  let proxy: URL | undefined;
  let reply: HttpResponse | undefined;
  let error: SolxError | undefined;
  try {
    url = requestUrl(request, settings.baseUrls());
    const options = await probeOptions.options();
    if (!sourceOf(settings).facts.isSimulated) {
      proxy = resolveProxy(url, options.env ?? {});
      const name = await timeNameLookup(url, proxy, { seconds, signal });
      if (name !== undefined) steps.name = name;
    }
    const transport = options.transport ?? (await createTransport(options, seconds));
    if (transport !== options.transport) opened.push(transport);
    const headers = { accept: "application/json", "user-agent": `solx/${version}` };
    reply = await timeSteps(url, steps, () =>
      transport.send(
        { url, headers, signal },
        sourceOf(settings).facts.isSimulated ? seconds : seconds + GRACE_SECONDS,
      ),
    );
    await decode(reply, request, Date.now());
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof SolxError)) throw cause;
    error = cause;
  }
  const milliseconds = Math.round(performance.now() - start);
  const received = Date.now();
  const proxyText = proxy && displayProxy(proxy);
  return { url, endpoint, proxy: proxyText, steps, milliseconds, sent, received, reply, error };
}

/** Returns the cheapest endpoint of a family that needs no parameters. */
function simplestEndpoint(family: Family): Endpoint {
  const free = endpoints
    .filter((endpoint) => endpoint.family === family && !Object.values(endpoint.query).some(({ required }) => required))
    .sort((one, other) => one.cost.units - other.cost.units);
  const [first] = free.filter(({ paging }) => paging === "none").concat(free);
  if (!first) throw new Error(`every endpoint of ${family} needs parameters`);
  return first;
}

async function createTransport(options: ClientOptions, seconds: number): Promise<Transport> {
  const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds + GRACE_SECONDS };
  return openTransport({ timeouts, env: options.env ?? {}, caCert: options.caCert, maxBody: 1_000_000 });
}

/**
 * Resolves the name of the server or proxy. Returns the milliseconds that it took, or undefined for an IP address.
 * @throws NetworkError when the name cannot be resolved
 */
async function timeNameLookup(
  url: URL,
  proxy: URL | undefined,
  { seconds, signal }: Pick<ProbeOptions, "seconds" | "signal">,
): Promise<number | undefined> {
  const { hostname } = proxy ?? url;
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 || isLoopback(hostname)) return undefined;
  const start = performance.now();
  const { code } = await lookUpHost(host, seconds, signal);
  if (code === undefined) return Math.round(performance.now() - start);
  const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds };
  const cause = Object.assign(new Error(`${code}: ${host}`), { code });
  throw toNetworkError(cause, { url, timeouts, answered: false, proxy: proxy && displayProxy(proxy) });
}

/** Sends a request and records the durations of its steps, from the diagnostics channels of undici. */
async function timeSteps(
  url: URL,
  steps: { -readonly [K in keyof Steps]: Steps[K] },
  send: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  interface Message {
    readonly request?: { readonly origin?: unknown; readonly path?: unknown };
    readonly socket?: object;
  }
  const start = performance.now();
  const connected = new Map<unknown, number>();
  let sentAt = 0;
  const isOurs = ({ request }: Message) =>
    String(request?.origin).replace(/\/$/, "") === url.origin && request?.path === url.pathname + url.search;
  const onConnected = (message: unknown) => connected.set((message as Message).socket, performance.now());
  const onSent = (message: unknown) => {
    if (!isOurs(message as Message)) return;
    sentAt = performance.now();
    steps.connection = Math.round((connected.get((message as Message).socket) ?? sentAt) - start);
  };
  const onHead = (message: unknown) => {
    if (isOurs(message as Message)) steps.answer = Math.round(performance.now() - sentAt);
  };
  const listeners = [
    ["undici:client:connected", onConnected],
    ["undici:client:sendHeaders", onSent],
    ["undici:request:headers", onHead],
  ] as const;
  for (const [channel, listener] of listeners) subscribe(channel, listener);
  try {
    return await send();
  } finally {
    for (const [channel, listener] of listeners) unsubscribe(channel, listener);
  }
}

/** Whether a server responded like the API, including its errors. */
export function isApi({ reply, error }: Probe): boolean {
  if (reply === undefined) return false;
  return error === undefined || ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
}
