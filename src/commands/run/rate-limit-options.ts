/** The rate limit and the daily limit of a run, with whom they are shared, and the certificates of those. */

import { UsageError } from "../../base/index.ts";
import type { Rate } from "../../catalogue/index.ts";
import type { RateLimiter } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { openSharedRateLimiter, readUnitsSpentToday, type SharedRateLimiterOptions } from "../../sources/api/index.ts";
import { type ClientOptions, resolveRate } from "../../sources/index.ts";
import { type RpcOptions, resolveNode } from "../../sources/node/index.ts";
import type { RunContext } from "./context.ts";
import { sourceOf } from "./data-source.ts";

/** Returns the client's options for rate and daily limits. Nothing is opened before the first request. */
export function rateLimitOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
): Pick<ClientOptions, "rateLimiter" | "rate" | "unitsPerDay" | "wait"> {
  const wait = settings.get("max-wait") > 0;
  const node = nodeOptions(settings);
  if (node) {
    const { rate, id, url } = resolveNode(node);
    if (rate === undefined || settings.get("budget") === "process") return { wait };
    // The limits belong to the node. All runs on this machine share them.
    const ofNode = { server: url.href, rate, unitsPerDay: undefined };
    const rateLimiter = async () =>
      openSharedRateLimiter({ ...(await sharedOptions(settings, context, id)), ...ofNode });
    return { wait, rateLimiter };
  }
  const unitsPerDay = dailyUnitLimit(settings);
  // The sandbox in process has no limits unless a plan or rate is given.
  const isFree = isUnlimited(settings);
  if (isFree && unitsPerDay === undefined) return { wait, rateLimiter: UNLIMITED };
  const rateOption = isFree ? "off" : parseRate(settings.get("rate"));
  const rate = rateOption === undefined ? {} : { rate: rateOption };
  if (settings.get("budget") === "process") return { wait, ...rate, unitsPerDay };
  const rateLimiter = async () => openSharedRateLimiter(await sharedOptions(settings, context, key));
  return { wait, ...rate, unitsPerDay, rateLimiter };
}

/** Returns the options of the node that answers; undefined where the API or this process does. */
export function nodeOptions(settings: Settings): RpcOptions | undefined {
  const node = settings.node();
  if (node === undefined) return undefined;
  const rate = parseRate(settings.get("rate"));
  return { url: node.url, commitment: settings.get("commitment"), ...(rate === undefined ? {} : { rate }) };
}

/** Returns the options of a rate limiter that processes share. */
async function sharedOptions(
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
    onNote: (text) => void context.reporter.note(text),
  };
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
  const refused = (reason: string, cause?: unknown) =>
    new UsageError(`cannot use the certificates in ${path}: ${reason}`, cause === undefined ? {} : { cause });
  try {
    const { readFile, stat } = await import("node:fs/promises");
    const about = await stat(path);
    if (!about.isFile() || about.size > MAX_CERTIFICATES) throw refused("not a regular file of certificates");
    const text = await readFile(path, "utf8");
    if (!text.includes("-----BEGIN CERTIFICATE-----")) throw refused("it contains no certificate");
    return text;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw refused((cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
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
