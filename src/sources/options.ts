/** The options of sources, and their settings with all defaults. */
import { MAX_RECEIVED_BYTES } from "../base/index.ts";
import { KEY_HEADER, PLANS, type PlanName, type Rate } from "../catalogue/index.ts";
import type { Commitment } from "../chain/solana/index.ts";
import {
  type BaseUrls,
  checkCount,
  checkSeconds,
  type Exchange,
  optionError,
  type RateLimiter,
  resolveBaseUrls,
  resolveSharedOptions,
  type SharedOptions,
} from "../client/index.ts";
import type { ApiSettings, ProxyEnv, Timeouts, Transport } from "./api/index.ts";
import type { LedgerOptions } from "./ledger/index.ts";
import { type NodeAddress, type RpcOptions, resolveNode } from "./node/index.ts";
import type { RecordOptions } from "./recording/index.ts";

/** Options of a source; all have defaults. Times are in seconds. */
export interface SourceOptions extends SharedOptions {
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
  /** The maximum size of a body in bytes (default 20 MiB, at most 64 MiB). */
  readonly maxBody?: number | undefined;
  /** The `user-agent` header. */
  readonly userAgent?: string | undefined;
  /** Called after every attempt, also after failed ones. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /**
   * The rate limiter (see `createRateLimiter`); without it, each client counts for itself. A given limiter may be
   * shared by several clients, which do not close it; a limiter from a function is created with the first request and
   * closed with the client.
   */
  readonly rateLimiter?: RateLimiter | (() => RateLimiter | Promise<RateLimiter>) | undefined;
  /** A ledger in this process that answers instead of a server. */
  readonly ledger?: LedgerOptions | undefined;
  /** Replaces the network; it is closed with the client. */
  readonly transport?: Transport | undefined;
  /**
   * A folder in which all exchanges are recorded, without keys and data of the account. Cached answers are not used.
   */
  readonly record?: string | RecordOptions | undefined;
  /** A folder of recordings that answer in place of the API or the node; nothing is sent, and no key is needed. */
  readonly replay?: string | undefined;
  /** Returns a random number between 0 and 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
}

/** The options with their defaults. */
export interface SourceSettings extends ApiSettings {
  readonly node: NodeAddress | undefined;
  /** Undefined for no limit. */
  readonly rate: Rate | undefined;
  readonly unitsPerDay: number | undefined;
  readonly limiter: SourceOptions["rateLimiter"];
  readonly timeouts: Timeouts;
  readonly maxBody: number;
  readonly caCert: string | undefined;
  readonly env: ProxyEnv;
  readonly record: RecordOptions | undefined;
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10, firstByte: 30, idle: 30, total: 120 };

/**
 * The size of an answer in bytes. Pages and exports of the API have up to 2 MiB, blocks of a node up to 17. An answer is
 * decoded at once, a MiB in up to 50 ms, and signals wait for that.
 */
const MAX_ANSWER_BYTES = 20_971_520;

/** Adds the defaults to options. @throws UsageError for an invalid option */
export function resolveSourceOptions(options: SourceOptions): SourceSettings {
  const { plan = "lite", keyHeader = KEY_HEADER, retries = 3, maxWait = 90, record, replay } = options;
  if (!Object.hasOwn(PLANS, plan)) throw optionError("plan", `one of ${Object.keys(PLANS).join(", ")}`);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(keyHeader)) throw optionError("keyHeader", "a header name");
  checkCount("retries", retries, 0);
  checkCount("unitsPerDay", options.unitsPerDay, 0);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  for (const [name, value] of Object.entries(timeouts)) checkSeconds(`timeouts.${name}`, value, 0.001);
  checkSeconds("maxWait", maxWait, 0);
  const node = parseNode(options);
  return {
    ...resolveSharedOptions(options),
    node,
    key: options.key,
    keyHeader,
    sendsKey: replay === undefined,
    baseUrls: baseUrlsOf(options, node),
    rate: chooseRate(options, plan, node),
    unitsPerDay: options.unitsPerDay,
    limiter: options.rateLimiter,
    timeouts,
    retries,
    maxWait: maxWait * 1000,
    caCert: options.caCert,
    env: options.env ?? {},
    maxBody: Math.min(options.maxBody ?? MAX_ANSWER_BYTES, MAX_RECEIVED_BYTES),
    userAgent: options.userAgent ?? "solx",
    onExchange: options.onExchange,
    record: typeof record === "string" ? { folder: record } : record,
    random: options.random ?? Math.random,
  };
}

function chooseRate({ rate, replay }: SourceOptions, plan: PlanName, node: NodeAddress | undefined): Rate | undefined {
  if (node) return node.rate;
  return replay === undefined ? resolveRate(plan, rate) : undefined;
}

/** Returns the node of a source; the source's rate applies to it unless it has its own. */
function parseNode({ rpc, rate, replay }: SourceOptions): NodeAddress | undefined {
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
function baseUrlsOf({ baseUrl, baseUrls }: SourceOptions, node: NodeAddress | undefined): BaseUrls {
  if (node) return resolveBaseUrls({ baseUrl: node.origin });
  return resolveBaseUrls({ ...(baseUrl !== undefined && { baseUrl }), ...(baseUrls && { baseUrls }) });
}

const PLAN_SECONDS = 60;

/** Returns the rate limit: the given one, else the plan's. */
export function resolveRate(plan: PlanName, rate: Rate | "off" | undefined): Rate | undefined {
  if (rate === "off") return undefined;
  return rate ?? { requests: PLANS[plan].requestsPerMinute, seconds: PLAN_SECONDS };
}
