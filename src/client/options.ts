/** The options of a client, and its settings with all defaults. */

import { type SolxError, sleep, UsageError } from "../base/index.ts";
import { KEY_HEADER, PLANS, type PlanName, type Rate } from "../catalogue/index.ts";
import type { Commitment } from "../chain/solana/index.ts";
import type { Transport } from "../sources/api/http/message.ts";
import type { Timeouts } from "../sources/api/http/network-errors.ts";
import type { ProxyEnv } from "../sources/api/http/proxy.ts";
import type { RateLimiter } from "../sources/api/rate-limit/limiter.ts";
import { type NodeAddress, type RpcOptions, resolveNode } from "../sources/node/connection/address.ts";
import { type BaseUrls, resolveBaseUrls } from "./request/url.ts";

/** What happens while a client works, for tracing. The key is always masked. */
export type ClientEvent =
  /** A value was interpreted: relative times, links. */
  | { readonly type: "note"; readonly text: string }
  /** Something that every user of the answer should know: rows that are doubtful or missing. */
  | { readonly type: "warning"; readonly text: string }
  | {
      readonly type: "request";
      readonly method: "GET" | "POST";
      /** Of a node only scheme and host, because the rest can be a key. */
      readonly url: string;
      /** The JSON-RPC methods that are called; undefined for requests to the API. */
      readonly rpc?: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      /** Counted from 1. */
      readonly attempt: number;
    }
  | {
      readonly type: "response";
      readonly url: string;
      readonly rpc?: string | undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Characters of the body. */
      readonly size: number;
      readonly milliseconds: number;
      readonly attempt: number;
    }
  /** An attempt failed; the next one follows after the wait. */
  | { readonly type: "retry"; readonly error: SolxError; readonly attempt: number; readonly seconds: number }
  /** A request waits for its permit; `seconds` is the expected wait, where it is known. */
  | { readonly type: "wait"; readonly reason: "rate" | "export"; readonly seconds: number | undefined }
  /** An answer came from the cache; `age` is in seconds. */
  | { readonly type: "cached"; readonly url: string; readonly age: number }
  /**
   * A window of an export was read. `of` is the estimated number of windows, `rows` the number of rows so far,
   * `seconds` the estimated remaining time.
   */
  | {
      readonly type: "export";
      readonly window: number;
      readonly of: number;
      readonly rows: number;
      readonly seconds: number;
    }
  /**
   * How far a walk along the signatures of an account is: signatures known so far, whether these are all, transactions
   * that were read, calls that the remaining known transactions take, and rows so far.
   */
  | {
      readonly type: "walk";
      readonly signatures: number;
      readonly complete: boolean;
      readonly done: number;
      readonly calls: number;
      readonly rows: number;
    }
  /** An answer does not match the catalogue. */
  | { readonly type: "drift"; readonly endpoint: string; readonly problems: readonly string[] };

/** An attempt that has ended, for request metrics. */
export interface Exchange {
  /** The route in the catalogue, or `rpc:` and the method of a node; undefined for a path outside of it. */
  readonly route: string | undefined;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Compute units that it may have cost. */
  readonly units: number;
}

/** Where answers are cached, and how the cache is used. */
export interface CacheOptions {
  /** The file; it is created when there is something to store. */
  readonly file: string;
  /**
   * `use` (default) takes answers that are fresh and requests the rest, `refresh` requests everything, `offline` sends
   * nothing and takes what is cached, however old. All but `offline` store new answers.
   */
  readonly mode?: "use" | "refresh" | "offline" | undefined;
  /**
   * Whether fresh answers of servers on this machine are used (default: no). Such a server may restart with other data,
   * so its answers are stored for `offline` only.
   */
  readonly local?: boolean | undefined;
  /** The clock by which answers age, in milliseconds since the epoch (default: the client's). */
  readonly now?: (() => number) | undefined;
}

/** Where exchanges are recorded. */
export interface RecordOptions {
  /** The folder; it is created if necessary. */
  readonly folder: string;
  /**
   * A secret that replaces addresses and signatures by others of the same kind: the same ones with the same secret.
   * Well-known programs and tokens stay. Without it, nothing is replaced.
   */
  readonly pseudonyms?: string | undefined;
  /** Whether only responses with a status from 200 to 299 are recorded (default: all exchanges). */
  readonly successesOnly?: boolean | undefined;
}

/** Options of a client; all have defaults. Times are in seconds. */
export interface ClientOptions {
  /**
   * A Solana node that answers instead of the API, as far as it can (see `nodeSupportOf`): a URL, or the name of a
   * cluster such as `mainnet` or `localnet`. Nothing is sent to the API then.
   */
  readonly rpc?: string | RpcOptions | undefined;
  /** The API key; without one, only the public family and servers on this machine can be used. */
  readonly key?: string | undefined;
  /** The request header that carries the key (default `token`). */
  readonly keyHeader?: string | undefined;
  /** One server for all families: v2 under `/v2.0`, legacy under `/v1.0`, public at its root. */
  readonly baseUrl?: string | undefined;
  /** Servers of single families; they take precedence over `baseUrl`. */
  readonly baseUrls?: Partial<BaseUrls> | undefined;
  /** The plan of the key, which sets the number of requests per minute (default `lite`). */
  readonly plan?: PlanName | undefined;
  /** A rate limit to use instead of the plan's, or none. */
  readonly rate?: Rate | "off" | undefined;
  /**
   * Compute units that may be spent in a day (UTC); beyond them requests fail with a QuotaError, unsent (default: no
   * limit).
   */
  readonly unitsPerDay?: number | undefined;
  /** Requests that are sent at a time, at most (default: as many as a reading or batch prepares, up to 16). */
  readonly concurrency?: number | undefined;
  /** Whether requests wait for a permit and before retries (default), or fail instead. */
  readonly wait?: boolean | undefined;
  /** Defaults: connect 10, first byte 30, idle 30, total 120. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Attempts after a transient failure (default 3). */
  readonly retries?: number | undefined;
  /** Seconds that one request may wait for a busy server or for the next export, in total (default 90). */
  readonly maxWait?: number | undefined;
  /** Certificates (PEM) to trust besides those of the system. */
  readonly caCert?: string | undefined;
  /** Environment variables with the proxies, such as `process.env`; without them no proxy is used. */
  readonly env?: ProxyEnv | undefined;
  /** Whether an answer that does not match the catalogue is an error (code `DRIFT`). */
  readonly strict?: boolean | undefined;
  /** Whether such an answer is reported as an event. */
  readonly drift?: boolean | undefined;
  /** The maximum size of a body in bytes (default 256 MiB). */
  readonly maxBody?: number | undefined;
  /** The `user-agent` header. */
  readonly userAgent?: string | undefined;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Called after every attempt, also after failed ones. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /**
   * The rate limiter (see `createRateLimiter`); without it, each client counts for itself. A given limiter may be
   * shared by several clients, which do not close it; a limiter from a function is created with the first request and
   * closed with the client.
   */
  readonly rateLimiter?: RateLimiter | (() => RateLimiter | Promise<RateLimiter>) | undefined;
  /** Replaces the network; it is closed with the client. */
  readonly transport?: Transport | undefined;
  /**
   * A folder in which all exchanges are recorded, without keys and data of the account. Cached answers are not used.
   */
  readonly record?: string | RecordOptions | undefined;
  /** A folder of recordings that answer in place of the API or the node; nothing is sent, and no key is needed. */
  readonly replay?: string | undefined;
  /** Caches answers; without it, none are cached. */
  readonly cache?: CacheOptions | undefined;
  /** Returns the time in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Waits; must reject with an InterruptedError when the signal fires. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns a random number between 0 and 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
}

/** The options with their defaults. */
export interface ClientSettings {
  /** The node that answers instead of the API. */
  readonly node: NodeAddress | undefined;
  readonly key: string | undefined;
  readonly keyHeader: string;
  readonly baseUrls: BaseUrls;
  /** Undefined for no limit. */
  readonly rate: Rate | undefined;
  readonly unitsPerDay: number | undefined;
  readonly concurrency: number | undefined;
  readonly wait: boolean;
  readonly timeouts: Timeouts;
  readonly retries: number;
  /** Milliseconds. */
  readonly maxWait: number;
  readonly caCert: string | undefined;
  readonly env: ProxyEnv;
  readonly drift: "ignore" | "report" | "error";
  readonly maxBody: number;
  readonly userAgent: string;
  readonly onEvent: (event: ClientEvent) => void;
  readonly onExchange: ClientOptions["onExchange"];
  readonly limiter: RateLimiter | (() => RateLimiter | Promise<RateLimiter>) | undefined;
  readonly transport: Transport | undefined;
  readonly record: RecordOptions | undefined;
  readonly replay: string | undefined;
  readonly cache: CacheOptions | undefined;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10, firstByte: 30, idle: 30, total: 120 };
const DEFAULT_MAX_BODY = 268_435_456;

/** Longer timers would fire at once in Node. */
const MAX_SECONDS = 2_000_000;

/**
 * Adds the defaults to options.
 * @throws UsageError for an invalid option
 */
export function resolveOptions(options: ClientOptions): ClientSettings {
  const { plan = "lite", keyHeader = KEY_HEADER, retries = 3, maxWait = 90, record, replay } = options;
  if (!Object.hasOwn(PLANS, plan)) throw optionError("plan", `one of ${Object.keys(PLANS).join(", ")}`);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(keyHeader)) throw optionError("keyHeader", "a header name");
  checkCount("retries", retries, 0);
  checkCount("unitsPerDay", options.unitsPerDay, 0);
  checkCount("concurrency", options.concurrency, 1);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  for (const [name, value] of Object.entries(timeouts)) checkSeconds(`timeouts.${name}`, value, 0.001);
  checkSeconds("maxWait", maxWait, 0);
  const node = nodeOf(options);
  return {
    node,
    key: options.key,
    keyHeader,
    baseUrls: baseUrlsOf(options, node),
    rate: rateOf(options, plan, node),
    unitsPerDay: options.unitsPerDay,
    concurrency: options.concurrency,
    wait: options.wait ?? true,
    timeouts,
    retries,
    maxWait: maxWait * 1000,
    caCert: options.caCert,
    env: options.env ?? {},
    drift: options.strict ? "error" : options.drift ? "report" : "ignore",
    maxBody: options.maxBody ?? DEFAULT_MAX_BODY,
    userAgent: options.userAgent ?? "solx",
    onEvent: options.onEvent ?? (() => {}),
    onExchange: options.onExchange,
    limiter: options.rateLimiter,
    transport: options.transport,
    record: typeof record === "string" ? { folder: record } : record,
    replay,
    cache: cacheOf(options),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
  };
}

/** Returns the rate limit of a client: that of its node, or of its plan. Recordings have none. */
function rateOf({ rate, replay }: ClientOptions, plan: PlanName, node: NodeAddress | undefined): Rate | undefined {
  if (node) return node.rate;
  return replay === undefined ? resolveRate(plan, rate) : undefined;
}

/** Returns the cache of a client: recordings are complete, so answers are requested even if they are cached. */
function cacheOf({ cache, record, replay }: ClientOptions): CacheOptions | undefined {
  if (replay !== undefined) return undefined;
  return cache && record !== undefined ? { ...cache, mode: "refresh" } : cache;
}

/** Returns the node of a client; the client's rate applies to it unless it has its own. */
function nodeOf({ rpc, rate, replay }: ClientOptions): NodeAddress | undefined {
  if (rpc === undefined) return undefined;
  const node: RpcOptions = typeof rpc === "string" ? { url: rpc } : rpc;
  // Programs without types pass anything, and the message of a TypeError would not name the option.
  if (typeof node?.url !== "string") throw optionError("rpc", "a URL or the name of a cluster as text, or { url }");
  const { commitment = "confirmed" } = node;
  if (!Object.hasOwn(COMMITMENTS, commitment)) {
    throw optionError("rpc.commitment", `one of ${Object.keys(COMMITMENTS).join(", ")}`);
  }
  return resolveNode({ ...node, rate: replay === undefined ? (node.rate ?? rate) : "off" });
}

/** The module of Solana's formats is not loaded for its list. */
const COMMITMENTS: Readonly<Record<Commitment, true>> = { processed: true, confirmed: true, finalized: true };

/** Returns the base URLs; of a node only its host, because the rest can be a key. */
function baseUrlsOf({ baseUrl, baseUrls }: ClientOptions, node: NodeAddress | undefined): BaseUrls {
  if (node) return resolveBaseUrls({ baseUrl: node.origin });
  return resolveBaseUrls({ ...(baseUrl !== undefined && { baseUrl }), ...(baseUrls && { baseUrls }) });
}

/** @throws UsageError when it is not a whole number from `min` on */
function checkCount(name: string, value: number | undefined, min: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min)) return;
  throw optionError(name, `a whole number from ${min}`);
}

const PLAN_SECONDS = 60;

/** Returns the rate limit: the given one, else the plan's. */
export function resolveRate(plan: PlanName, rate: Rate | "off" | undefined): Rate | undefined {
  if (rate === "off") return undefined;
  return rate ?? { requests: PLANS[plan].requestsPerMinute, seconds: PLAN_SECONDS };
}

/** @throws UsageError when it is not a valid number of seconds */
export function checkSeconds(name: string, value: number, min: number): void {
  if (!(value >= min && value <= MAX_SECONDS))
    throw optionError(name, `a number of seconds from ${min} to ${MAX_SECONDS}`);
}

function optionError(name: string, what: string): UsageError {
  return new UsageError(`The option ${name} must be ${what}.`, { code: "BAD_OPTION" });
}
