/**
 * Asks a server without a key, through the same proxy and with the same certificates as all requests: that costs
 * nothing, and tells how far one gets and how long each step takes.
 */

import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isIP } from "node:net";
import { SolxError } from "../../base/errors.ts";
import type { Family } from "../../catalogue/constants.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import {
  type ClientOptions,
  decode,
  displayProxy,
  type HttpResponse,
  isLoopback,
  openTransport,
  prepare,
  requestUrl,
  resolveProxy,
  type Transport,
  toNetworkError,
} from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";

const SCRIPT = `require("node:dns").lookup(process.argv[1], { all: true }, (error, found) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code } : { addresses: found.map((one) => one.address) })))`;

/** What is known of a host. */
export interface HostAddresses {
  readonly addresses: readonly string[];
  /** Why there are none: the system's code; `EAI_AGAIN` also when there was no answer in time. */
  readonly code?: string;
}

/** Asks for a host; an answer always comes within the seconds. Rejects when the signal fires. */
export function lookUpHost(host: string, seconds: number, signal: AbortSignal): Promise<HostAddresses> {
  return new Promise((resolve, reject) => {
    const options = { timeout: seconds * 1000, killSignal: "SIGKILL", signal, windowsHide: true, env: {} } as const;
    execFile(process.execPath, ["-e", SCRIPT, host], options, (_error, stdout) => {
      if (signal.aborted) return reject(signal.reason);
      try {
        const { addresses = [], code } = JSON.parse(stdout) as Partial<HostAddresses>;
        resolve(code === undefined ? { addresses } : { addresses, code });
      } catch {
        // It was ended before it had said anything.
        resolve({ addresses: [], code: "EAI_AGAIN" });
      }
    });
  });
}

/** Seconds that an exchange may take beyond those of a step: it is a step that is told when one is too long. */
const GRACE_SECONDS = 1.5;

/** How long the steps of an exchange took, in milliseconds, as far as they could be told apart. */
export interface Steps {
  /** Finding the address of the host. */
  readonly name?: number;
  /** Connecting, with TLS where there is one. */
  readonly connection?: number;
  /** From the request to the head of the answer. */
  readonly answer?: number;
}

/** What came of it. */
export interface Probe {
  readonly url: URL;
  readonly endpoint: Endpoint;
  /** The proxy in between, without user and password. */
  readonly proxy: string | undefined;
  readonly steps: Steps;
  /** Milliseconds in all. */
  readonly milliseconds: number;
  /** The clock of this machine before and after, in milliseconds since the epoch. */
  readonly sent: number;
  readonly received: number;
  readonly reply: HttpResponse | undefined;
  /** Why there was no answer, or what it says; undefined for the data that was asked for. */
  readonly error: SolxError | undefined;
}

/** How to probe. */
export interface ProbeOptions {
  readonly settings: Settings;
  readonly options: () => Promise<ClientOptions>;
  /** Seconds for each step, and for all after the name is found. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Makes what probes each family once. */
export function createProbes(probeOptions: ProbeOptions): {
  probe(family: Family): Promise<Probe>;
  close(): Promise<void>;
} {
  const probes = new Map<Family, Promise<Probe>>();
  const opened: Transport[] = [];
  return {
    probe(family) {
      const probe = probes.get(family) ?? probeServer(family, probeOptions, opened);
      probes.set(family, probe);
      return probe;
    },
    close: async () => {
      await Promise.all(opened.map((transport) => transport.close()));
    },
  };
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
    if (!settings.sandbox) {
      proxy = resolveProxy(url, options.env ?? {});
      const name = await timeNameLookup(url, proxy, { seconds, signal });
      if (name !== undefined) steps.name = name;
    }
    const transport = options.transport ?? (await createTransport(options, seconds));
    if (transport !== options.transport) opened.push(transport);
    const headers = { accept: "application/json", "user-agent": `solx/${version}` };
    reply = await timeSteps(url, steps, () =>
      transport.send({ url, headers, signal }, settings.sandbox ? seconds : seconds + GRACE_SECONDS),
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

/** The endpoint that takes the least: nothing has to be given, and one without units before others. */
function simplestEndpoint(family: Family): Endpoint {
  const free = endpoints
    .filter((endpoint) => endpoint.family === family && !Object.values(endpoint.query).some(({ required }) => required))
    .sort((one, other) => one.cost.units - other.cost.units);
  const [first] = free.filter(({ paging }) => paging === "none").concat(free);
  if (!first) throw new Error(`Every endpoint of ${family} needs parameters.`);
  return first;
}

async function createTransport(options: ClientOptions, seconds: number): Promise<Transport> {
  const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds + GRACE_SECONDS };
  return openTransport({ timeouts, env: options.env ?? {}, caCert: options.caCert, maxBody: 1_000_000 });
}

/**
 * Finds the address of the host that is connected to; the answer is the milliseconds that it took, undefined where there is nothing to find.
 * @throws NetworkError when there is none
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

/** Sends, and writes down how long the steps took: undici tells of them. */
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

/** Whether a server answered as the API does, whatever it said. */
export function isApi({ reply, error }: Probe): boolean {
  if (reply === undefined) return false;
  return error === undefined || ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
}
