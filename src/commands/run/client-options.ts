/** The client's options, from the settings and options of a run: limits, certificates, cache, recordings and counts. */
import { hostname } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { expandTypedPath, HOUR_MS, readInputFile, UsageError } from "../../base/index.ts";
import type { Rate } from "../../catalogue/index.ts";
import {
  type CacheOptions,
  durationText,
  type Exchange,
  isLoopback,
  loadUsageFile,
  type RateLimiter,
  type RequestCount,
  type RequestOutcome,
  type UsageUser,
  userKey,
} from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { isSwitchedOn } from "../../output/index.ts";
import { accountId, loadSharedLimiter, type SharedRateLimiterOptions } from "../../sources/api/index.ts";
import { type ClientOptions, resolveRate } from "../../sources/index.ts";
import { type RpcOptions, resolveNode } from "../../sources/node/index.ts";
import type { RecordOptions } from "../../sources/recording/index.ts";
import { commandPath } from "./command-definition.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";

/** Timeouts of parts of an exchange, in seconds. */
export const CONNECT_SECONDS = 10;
const SILENCE_SECONDS = 30;

/** Returns the client's options. The key only identifies the rate limit here. */
export async function clientOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
  rpc: ClientOptions["rpc"] = nodeOptions(settings),
): Promise<ClientOptions> {
  const { io, globals } = context;
  const total = settings.get("timeout");
  const { facts } = sourceOf(settings);
  const clock = await context.session.clock();
  return {
    keyHeader: settings.get("key-header"),
    baseUrls: settings.baseUrls(),
    plan: settings.get("plan"),
    timeouts: {
      connect: Math.min(CONNECT_SECONDS, total),
      firstByte: Math.min(SILENCE_SECONDS, total),
      idle: Math.min(SILENCE_SECONDS, total),
      total,
    },
    retries: settings.get("retries"),
    concurrency: settings.get("concurrency"),
    maxWait: settings.get("max-wait"),
    maxBody: settings.get("max-answer") * 1_048_576,
    ...rateLimitOptions(settings, context, key, typeof rpc === "string" ? { url: rpc } : rpc),
    ...(facts.isInProcess
      ? { ledger: (await import("../sandbox/world.ts")).ledgerOptions(context, settings) }
      : await networkOptions(settings, context)),
    rpc,
    cache: cacheOptions(settings, context),
    record: await recordOptions(settings, context),
    strict: settings.get("strict") === "on",
    drift: globals.verbose,
    userAgent: `solx/${io.version}`,
    onExchange: facts.chargesUnits ? createRequestMetrics(settings, context, key, clock) : undefined,
    now: clock,
  };
}

async function networkOptions(settings: Settings, context: RunContext): Promise<ClientOptions> {
  const { io } = context;
  if (io.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") await checkUnverified(settings, context);
  return { caCert: await readCertificates(settings), env: io.env };
}

/**
 * Notes that certificates are not verified, so that anyone on the network can read the key.
 * @throws UsageError where it would be sent to another machine, unless that is explicitly allowed
 */
async function checkUnverified(settings: Settings, { globals, io, reporter }: RunContext): Promise<void> {
  const { node: _keyless, ...servers } = settings.baseUrls();
  const addresses = settings.node() ? [] : Object.values(servers).map((address) => new URL(address));
  const remote = addresses.find(({ hostname, protocol }) => protocol === "https:" && !isLoopback(hostname));
  const unverified = "NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of certificates";
  if (remote !== undefined && !isSwitchedOn(io.env.SOLX_INSECURE) && !globals.dryRun && !globals.curl) {
    throw new UsageError(`${unverified}: the API key is not sent to ${remote.host}`, {
      code: "INSECURE",
      hint: "Unset it, and set the missing certificate authority: solx config set ca-cert <file>\nTo send the key anyway: SOLX_INSECURE=1",
    });
  }
  await reporter.note(`${unverified}: the API key is sent unprotected.`);
}

/** Returns the client's options for rate and daily limits. Nothing is opened before the first request. */
export function rateLimitOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
  node: RpcOptions | undefined,
): Pick<ClientOptions, "rateLimiter" | "rate" | "unitsPerDay" | "wait"> {
  const wait = settings.get("max-wait") > 0;
  if (node) {
    const { rate, id, url } = resolveNode(node);
    if (rate === undefined || settings.get("budget") === "process") return { wait };
    // The limits belong to the node. All runs on this machine share them.
    const ofNode = { server: url.href, rate, unitsPerDay: undefined };
    return { wait, rateLimiter: () => openLimiter(sharedOptions(settings, context, id), ofNode) };
  }
  const unitsPerDay = dailyUnitLimit(settings);
  // The sandbox in process has no limits unless a plan or rate is given.
  const isFree = isUnlimited(settings);
  if (isFree && unitsPerDay === undefined) return { wait, rateLimiter: UNLIMITED };
  const rateOption = isFree ? "off" : parseRate(settings.get("rate"));
  const rate = rateOption === undefined ? {} : { rate: rateOption };
  if (settings.get("budget") === "process") return { wait, ...rate, unitsPerDay };
  return { wait, ...rate, unitsPerDay, rateLimiter: () => openLimiter(sharedOptions(settings, context, key)) };
}

async function openLimiter(
  options: Promise<SharedRateLimiterOptions>,
  ofNode: Partial<SharedRateLimiterOptions> = {},
): Promise<RateLimiter> {
  const { createSharedRateLimiter } = await loadSharedLimiter();
  return createSharedRateLimiter({ ...(await options), ...ofNode });
}

/**
 * Returns the options of the node that answers; undefined where the API or this process does.
 * @throws UsageError where several nodes are selected
 */
export function nodeOptions(settings: Settings): RpcOptions | undefined {
  const [node, second] = nodesOptions(settings);
  if (!second) return node;
  throw new UsageError(
    `several nodes are selected (${settings.originOf("rpc-url")}), but only solx index uses several`,
    {
      hint: "Select one: --rpc <node>",
    },
  );
}

/** Returns the options of the nodes that are selected, the preferred one first. */
export function nodesOptions(settings: Settings): readonly RpcOptions[] {
  const rate = parseRate(settings.get("rate"));
  const shared = { commitment: settings.get("commitment"), ...(rate === undefined ? {} : { rate }) };
  return settings.nodes().map(({ url }) => ({ url, ...shared }));
}

/** Returns the options of a rate limiter that processes share. */
export async function sharedOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
): Promise<SharedRateLimiterOptions> {
  const rateOption = isUnlimited(settings) ? "off" : parseRate(settings.get("rate"));
  const shared = settings.get("budget");
  const redis = shared === "machine" || shared === "process" ? undefined : shared;
  return {
    folder: settings.paths.state,
    key,
    server: settings.get("base-url-v2"),
    rate: resolveRate(settings.get("plan") ?? "lite", rateOption),
    unitsPerDay: dailyUnitLimit(settings),
    redis,
    caCert: redis === undefined ? undefined : await readCertificates(settings),
    user: settings.get("request-log") === "off" ? undefined : userKey(usageUser(settings, context)),
    onNote: (text) => void context.reporter.note(text),
  };
}

/** Returns who sends the requests of a run. */
function usageUser({ profile }: Settings, { command }: RunContext): UsageUser {
  const name = command ? commandPath(command).replace(/^solx ?/, "") : "";
  return { profile: profile ?? "default", machine: hostname(), command: name === "" ? "other" : name };
}

/** Maximum size of a file of certificates, in bytes. */
const MAX_CERTIFICATES = 10_000_000;

/**
 * Returns the certificates of the setting `ca-cert`, in PEM form; undefined where it is not set.
 * @throws UsageError when the file cannot be read or contains none
 */
export async function readCertificates(settings: Settings): Promise<string | undefined> {
  const path = settings.get("ca-cert");
  if (path === undefined) return undefined;
  const text = await readInputFile(path, { maxBytes: MAX_CERTIFICATES });
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new UsageError(`cannot use the certificates in ${path}: it contains no certificate`);
}

/** The daily limit of compute units, and the units spent today. */
export interface DailyUnits {
  readonly limit: number;
  readonly spent: number;
}

/** Returns today's compute units, of all processes that share the rate limiter; undefined without a daily limit. */
export async function dailyUnits(context: RunContext): Promise<DailyUnits | undefined> {
  const settings = await context.session.settings();
  const limit = dailyUnitLimit(settings);
  if (limit === undefined) return undefined;
  if (settings.get("budget") === "process") return { limit, spent: context.session.remainingRequests()?.units ?? 0 };
  const key = await settings.key(context.io.signal);
  const { readUnitsSpentToday } = await loadSharedLimiter();
  return {
    limit,
    spent: await readUnitsSpentToday({ ...(await sharedOptions(settings, context, key?.value)), onNote: () => {} }),
  };
}

/** Returns the compute units that may be spent per day; undefined without a limit, and where they are not charged. */
export function dailyUnitLimit(settings: Settings): number | undefined {
  if (!sourceOf(settings).facts.chargesUnits) return undefined;
  const text = settings.get("units-per-day");
  return text === undefined || text === "off" ? undefined : Number(text);
}

/** Returns whether the API's rate limit does not apply: in process, unless a plan or rate is given, and to a node. */
export function isUnlimited(settings: Settings): boolean {
  if (settings.node()) return true;
  return (
    sourceOf(settings).facts.isInProcess && settings.get("plan") === undefined && settings.get("rate") === undefined
  );
}

/** Parses `200/10`; the settings have checked the form. */
export function parseRate(text: string | undefined): Rate | "off" | undefined {
  if (text === undefined || text === "off") return text;
  const [requests, seconds] = text.split("/").map(Number);
  return { requests: requests as number, seconds: seconds as number };
}

const UNLIMITED: RateLimiter = {
  acquire: async () => ({ release: () => {} }),
  pause: () => {},
  remaining: () => undefined,
  close: async () => {},
};

/** Returns the file of cached answers; undefined without a home folder. */
export function answerCacheFile({ paths }: Settings): string | undefined {
  return paths.cache && join(paths.cache, "answers.sqlite");
}

/**
 * Returns the cache of a run; undefined if it has none. A sandbox or an index in process is as fast as a cache. Answers of local
 * servers are cached only if the cache is turned on explicitly.
 * @throws UsageError for contradicting options
 */
export function cacheOptions(settings: Settings, context: RunContext): CacheOptions | undefined {
  const mode = settings.get("cache");
  const { follow } = context.globals;
  const contradiction =
    follow !== undefined ? "--follow" : recordFolder(context) === undefined ? undefined : "--record";
  if (mode === "only" && contradiction) {
    throw new UsageError(`--cache only and ${contradiction} cannot be used together`);
  }
  if (sourceOf(settings).facts.isInProcess || mode === "off") return undefined;
  const file = answerCacheFile(settings);
  if (mode === "only" && file === undefined) {
    throw new UsageError("there is no folder for cached answers", { hint: "Set HOME or SOLX_HOME." });
  }
  if (file === undefined) {
    void context.reporter.note("Answers are not cached: there is no home folder. Set HOME or SOLX_HOME.");
    return undefined;
  }
  const { outcome } = context;
  context.reporter.onEvent((event) => {
    if (event.type === "cached") outcome.oldestCachedAge = Math.max(outcome.oldestCachedAge ?? 0, event.age);
    return false;
  });
  return {
    file,
    mode: CLIENT_MODES[mode],
    local: settings.resolve("cache").level !== "default",
    now: context.io.now,
  };
}

const CLIENT_MODES = { on: "use", fresh: "refresh", only: "offline" } as const;

/** Notes how old the cached answers of a run are, after the output. */
export async function noteCacheAge(context: RunContext, oldest: number): Promise<void> {
  const age = `From the cache, ${durationText(oldest)} old`;
  const mode = (await context.session.settings()).get("cache");
  if (mode === "only") return context.reporter.note(`${age}.`);
  await context.reporter.hint(`${age}; --cache fresh bypasses it.`);
}

/** Follows the folder where addresses and signatures are replaced: `--record calls,pseudonyms`. */
const PSEUDONYMS = ",pseudonyms";

/** Returns the value of `--record` or SOLX_RECORD; undefined where nothing is recorded. */
const recordText = ({ globals, io }: RunContext): string | undefined =>
  globals.record ?? (io.env.SOLX_RECORD?.trim() || undefined);

/** Returns the folder of recordings; undefined where nothing is recorded. */
export function recordFolder(context: RunContext): string | undefined {
  const text = recordText(context);
  if (text === undefined) return undefined;
  const folder = text.endsWith(PSEUDONYMS) ? text.slice(0, -PSEUDONYMS.length) : text;
  if (folder === "") throw new UsageError("flag needs a value: --record <folder>");
  const path = expandTypedPath(folder, context.io.env);
  return isAbsolute(path) ? path : resolve(path);
}

/**
 * Returns how exchanges are recorded.
 * @throws UsageError without a folder, and when the secret of pseudonyms cannot be created
 */
export async function recordOptions(settings: Settings, context: RunContext): Promise<RecordOptions | undefined> {
  const folder = recordFolder(context);
  if (folder === undefined) return undefined;
  if (!recordText(context)?.endsWith(PSEUDONYMS)) return { folder };
  const { state } = settings.paths;
  if (state === undefined) {
    throw new UsageError("there is no folder for the secret of pseudonyms", { hint: "Set HOME or SOLX_HOME." });
  }
  const { loadPseudonyms } = await import("../../sources/recording/index.ts");
  return { folder, pseudonyms: (await loadPseudonyms()).loadPseudonymSecret(state) };
}

/** A long run writes its counts after this many requests or milliseconds. */
const MAX_REQUESTS = 1000;
const MAX_AGE_MS = 10_000;

/**
 * Returns a function that counts the exchanges of a client; undefined if requests are not counted. The rest is written
 * when the context closes.
 */
export function createRequestMetrics(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
  clock: () => number,
): ((exchange: Exchange) => void) | undefined {
  const folder = settings.paths.state;
  if (settings.get("request-log") === "off" || folder === undefined) return undefined;
  let pending = new Map<string, RequestCount>();
  let [since, count] = [clock(), 0];
  let writing = Promise.resolve();
  const write = async (metrics: readonly RequestCount[]) => {
    const { recordRequests } = await loadUsageFile();
    const user = usageUser(settings, context);
    recordRequests(folder, accountId(key, settings.get("base-url-v2")), metrics, { now: clock(), user });
  };
  const flush = () => {
    if (pending.size === 0) return writing;
    const metrics = [...pending.values()];
    pending = new Map();
    [since, count] = [clock(), 0];
    writing = writing
      .then(() => write(metrics))
      .catch(async (error: Error) => {
        if (context.globals.verbose) await context.reporter.note(`requests are not counted: ${error.message}`);
      });
    return writing;
  };
  context.session.onClose(flush);
  return ({ route = "other", status, units }) => {
    const [hour, outcome] = [Math.floor(clock() / HOUR_MS), toOutcome(status)];
    const name = `${hour} ${route} ${outcome}`;
    const previous = pending.get(name);
    pending.set(name, {
      hour,
      route,
      outcome,
      requests: (previous?.requests ?? 0) + 1,
      units: (previous?.units ?? 0) + units,
    });
    count += 1;
    if (count >= MAX_REQUESTS || clock() - since > MAX_AGE_MS) void flush();
  };
}

function toOutcome(status: number | undefined): RequestOutcome {
  if (status === undefined) return "none";
  return status === 429 ? "429" : (`${Math.floor(status / 100)}xx` as RequestOutcome);
}
