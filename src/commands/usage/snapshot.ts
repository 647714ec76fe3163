/** Polls the usage of the key and stores samples; falls back to the last known numbers if the API does not respond. */

import {
  DAY_MS,
  decimalText,
  describeError,
  ignoreFailure,
  isObject,
  type JsonObject,
  ServerError,
  SolxError,
} from "../../base/index.ts";
import { endpointByRoute, planWithUnits } from "../../catalogue/index.ts";
import {
  type EndpointUsage,
  forecastUsage,
  type KnownUsage,
  orderUsers,
  type RequestCount,
  readRequestCounts,
  readUserCounts,
  spentUsage,
  type UsageReport,
  UsageSamples,
} from "../../client/index.ts";
import { accountId, loadSharedLimiter } from "../../sources/api/index.ts";
import { fetchUsage } from "../endpoint/answers.ts";
import { type DailyUnits, dailyUnits, sharedOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";

/** The usage of a key at one point in time. */
export interface UsageSnapshot extends UsageReport {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Units spent today and their limit, if one is set on this machine. */
  readonly limit?: DailyUnits | undefined;
  /** The error of the API that reported that no units are left. */
  readonly refusal?: SolxError;
}

/** Polls the usage of a key. */
export interface UsageSource {
  readonly samples: UsageSamples;
  /**
   * Polls the API. An error because no units are left gives a snapshot, too.
   * @param signal aborts the request; default: the signal of the run
   * @throws the SolxError when the API does not respond and no earlier numbers are known, or when retrying is useless
   * (invalid key, invalid option, Ctrl-C)
   */
  poll(signal?: AbortSignal): Promise<UsageSnapshot>;
  /** Returns what is known locally, without a request. */
  localUsage(): Promise<KnownUsage & Pick<UsageSnapshot, "limit">>;
  close(): void;
}

const HOURS = 24;
const WEEK_MS = 7 * DAY_MS;
/** Errors after which the last known numbers are still valid for this key, and a later poll may succeed. */
export const TRANSIENT_EXITS: readonly SolxError["exit"][] = ["server", "network", "rateLimited", "quota"];

/** Creates a source for the key of this run. `node:sqlite` must be loaded. */
export async function createUsageSource(context: RunContext): Promise<UsageSource> {
  const client = await context.session.client();
  const settings = await context.session.settings();
  const clock = await context.session.clock();
  const account = accountId((await settings.key(context.io.signal))?.value, settings.get("base-url-v2"));
  const folder = settings.paths.state;
  const onNote = (text: string) => void (context.globals.verbose && context.reporter.note(text));
  const samples = new UsageSamples({ folder, account, now: clock, onNote });
  const request = async (signal: AbortSignal): Promise<JsonObject> => {
    const { data } = await fetchUsage(client, { signal });
    if (isObject(data)) return data;
    throw new ServerError("the usage endpoint did not return an object", { code: "BAD_BODY" });
  };
  const readUsers = async () => {
    const { readSharedUsers } = await loadSharedLimiter();
    const key = await settings.key(context.io.signal);
    const shared = await readSharedUsers(await sharedOptions(settings, context, key?.value));
    if (shared) return orderUsers(shared);
    return folder === undefined ? [] : readUserCounts(folder, account, HOURS, clock());
  };
  const localUsage: UsageSource["localUsage"] = async () => ({
    limit: await dailyUnits(context).catch(ignoreFailure),
    busiest: groupByEndpoint(folder === undefined ? [] : readLocalRequests(folder, account, clock(), onNote)),
    users: await readUsers().catch((error: unknown) => {
      onNote(`Cannot read who used the units: ${describeError(error)}.`);
      return [];
    }),
  });
  const createSnapshot = async (at: number, usage: JsonObject, error?: SolxError): Promise<UsageSnapshot> => {
    const now = clock();
    const forecast = forecastUsage(usage, at, samples.since(at - WEEK_MS), now);
    const likelyPlan = forecast.total && planWithUnits(Number(decimalText(forecast.total)));
    return {
      now,
      at,
      usage,
      error,
      forecast,
      profile: settings.get("profile"),
      plan: settings.get("plan") ?? (sourceOf(settings).facts.isSimulated ? undefined : likelyPlan),
      ...(await localUsage()),
    };
  };
  return {
    samples,
    localUsage,
    async poll(signal = context.io.signal) {
      try {
        const usage = await request(signal);
        const at = clock();
        samples.add({ at, usage });
        return await createSnapshot(at, usage);
      } catch (error) {
        if (!(error instanceof SolxError && TRANSIENT_EXITS.includes(error.exit))) throw error;
        const [last, now] = [samples.latest(), clock()];
        if (isOutOfUnits(error)) return { ...(await createSnapshot(now, spentUsage(last, now))), refusal: error };
        if (!last) throw error;
        return createSnapshot(last.at, last.usage, error);
      }
    },
    close: () => samples.close(),
  };
}

/** Whether an error of the API means that no units are left, unlike the daily limit of this machine. */
function isOutOfUnits({ exit, code }: SolxError): boolean {
  return exit === "quota" && code !== "UNITS_PER_DAY";
}

function readLocalRequests(folder: string, account: string, now: number, onNote: (text: string) => void) {
  try {
    return readRequestCounts(folder, account, HOURS, now);
  } catch (error) {
    onNote(`Cannot read the request counts: ${describeError(error)}.`);
    return [];
  }
}

function groupByEndpoint(requestCounts: readonly RequestCount[]): readonly EndpointUsage[] {
  const sum = (rows: readonly RequestCount[], field: "requests" | "units") =>
    rows.reduce((total, row) => total + row[field], 0);
  return [...Map.groupBy(requestCounts, ({ route }) => route)]
    .map(([route, rows]) => ({
      endpoint: endpointByRoute(route)?.command ?? route,
      requests: sum(rows, "requests"),
      failed: sum(
        rows.filter(({ outcome }) => !/^[23]/.test(outcome)),
        "requests",
      ),
      units: sum(rows, "units"),
    }))
    .sort((a, b) => b.requests - a.requests || a.endpoint.localeCompare(b.endpoint));
}
