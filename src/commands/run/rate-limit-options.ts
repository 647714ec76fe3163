/** Who shares the rate of a run, and how much it is. */
import type { Rate } from "../../catalogue/plans.ts";
import {
  type ClientOptions,
  openSharedRateLimiter,
  type RateLimiter,
  readUnitsSpentToday,
  resolveRate,
  type SharedRateLimiterOptions,
} from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "./context.ts";

/** The options of the client that have to do with its budget. Nothing is opened before the first request. */
export function rateLimitOptions(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
): Pick<ClientOptions, "budget" | "rate" | "unitsPerDay" | "wait"> {
  const wait = context.globals.wait !== false;
  const unitsPerDay = dailyUnitLimit(settings);
  // Nothing holds requests to the sandbox in process back, unless limits are asked for.
  const isFree = isUnlimited(settings);
  if (isFree && unitsPerDay === undefined) return { wait, budget: UNLIMITED };
  const given = isFree ? "off" : parseRate(settings.get("rate"));
  const rate = given === undefined ? {} : { rate: given };
  if (settings.get("budget") === "process") return { wait, ...rate, unitsPerDay };
  const budget = () => openSharedRateLimiter(sharedOptions(settings, context, key));
  return { wait, ...rate, unitsPerDay, budget };
}

/** The budget that the settings name, where it is not this process's alone. */
function sharedOptions(settings: Settings, context: RunContext, key: string | undefined): SharedRateLimiterOptions {
  const given = isUnlimited(settings) ? "off" : parseRate(settings.get("rate"));
  const shared = settings.get("budget");
  return {
    folder: settings.paths.state,
    key,
    server: settings.get("base-url-v2"),
    rate: resolveRate(settings.get("plan") ?? "lite", given),
    unitsPerDay: dailyUnitLimit(settings),
    redis: shared === "machine" || shared === "process" ? undefined : shared,
    onNote: (text) => void context.reporter.note(text),
  };
}

/** The units of a day as they are limited, and those that are spent. */
export interface DailyUnits {
  readonly limit: number;
  readonly spent: number;
}

/** How today's units stand, where they are limited: those of all who share the budget, or of this process alone. */
export async function dailyUnits(context: RunContext): Promise<DailyUnits | undefined> {
  const settings = await context.settings();
  const limit = dailyUnitLimit(settings);
  if (limit === undefined) return undefined;
  if (settings.get("budget") === "process") return { limit, spent: context.remainingRequests()?.units ?? 0 };
  const key = await settings.key(context.io.signal);
  return {
    limit,
    spent: await readUnitsSpentToday({ ...sharedOptions(settings, context, key?.value), onNote: () => {} }),
  };
}

/** The compute units that may be spent in a day; undefined for any number. */
export function dailyUnitLimit(settings: Settings): number | undefined {
  const text = settings.get("units-per-day");
  return text === undefined || text === "off" ? undefined : Number(text);
}

/** Whether nothing holds requests back: those to the sandbox in process, unless limits are asked for. */
export function isUnlimited(settings: Settings): boolean {
  return settings.sandbox && settings.get("plan") === undefined && settings.get("rate") === undefined;
}

/** Reads `200/10`; the form was checked with the settings. */
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
