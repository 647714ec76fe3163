/** Looks at the use of the key: asks the API, keeps a sample, and tells the last known numbers where there is no answer. */

import {
  DAY_MS,
  describeError,
  ignoreFailure,
  isObject,
  type JsonObject,
  ServerError,
  SolxError,
} from "../../base/index.ts";

import { endpointByRoute, PLANS, type PlanName } from "../../catalogue/index.ts";

import {
  accountId,
  type EndpointUsage,
  type Forecast,
  forecastUsage,
  openUsageSamples,
  type RequestCount,
  readRequestCounts,
  spentUsage,
  type UsageReport,
  type UsageSamples,
} from "../../client/index.ts";
import { endpointAt } from "../endpoint/answers.ts";
import type { RunContext } from "../run/context.ts";
import { type DailyUnits, dailyUnits } from "../run/rate-limit-options.ts";

/** What a look found. */
export interface UsageSnapshot extends UsageReport {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How today's units stand, where they are limited on this machine. */
  readonly limit?: DailyUnits | undefined;
  /** The API's refusal, where that is what told that no units are left. */
  readonly refusal?: SolxError;
}

/** Looks as often as it is asked to. */
export interface UsageSource {
  readonly samples: UsageSamples;
  /**
   * Asks the API.
   * @param signal ends the request; without one, the run's own
   * A refusal because the units are spent is an answer too.
   * @throws the typed failure when the API does not answer and no earlier numbers are known, or when a wait for it is no
   * use: a bad key, a wrong option, Ctrl-C
   */
  poll(signal?: AbortSignal): Promise<UsageSnapshot>;
  /** What this machine knows by itself, without asking. */
  localUsage(): Promise<Pick<UsageSnapshot, "busiest" | "limit">>;
  close(): void;
}

const HOURS = 24;
const WEEK_MS = 7 * DAY_MS;
/** Failures after which the numbers that are known are still those of this key. */
const TRANSIENT_EXITS: readonly SolxError["exit"][] = ["server", "network", "rateLimited", "quota"];

/** Makes a looker for the key of this run. SQLite must be loaded. */
export async function createUsageSource(context: RunContext): Promise<UsageSource> {
  const endpoint = endpointAt("/monitor/usage");
  const client = await context.client();
  const settings = await context.settings();
  const clock = await context.clock();
  const account = accountId((await settings.key(context.io.signal))?.value, settings.get("base-url-v2"));
  const folder = settings.paths.state;
  const onNote = (text: string) => void (context.globals.verbose && context.reporter.note(text));
  const samples = openUsageSamples({ folder, account, now: clock, onNote });
  const fetchUsage = async (signal: AbortSignal): Promise<JsonObject> => {
    const { data } = await client.fetch(endpoint, {}, { signal });
    if (isObject(data)) return data;
    throw new ServerError("The usage endpoint answered without an object.", { code: "BAD_BODY" });
  };
  const localUsage: UsageSource["localUsage"] = async () => ({
    limit: await dailyUnits(context).catch(ignoreFailure),
    busiest: groupByEndpoint(folder === undefined ? [] : readLocalRequests(folder, account, clock(), onNote)),
  });
  const createSnapshot = async (at: number, usage: JsonObject, error?: SolxError): Promise<UsageSnapshot> => {
    const now = clock();
    const forecast = forecastUsage(usage, at, samples.since(at - WEEK_MS), now);
    return {
      now,
      at,
      usage,
      error,
      forecast,
      profile: settings.get("profile"),
      plan: settings.get("plan") ?? (settings.sandbox ? undefined : inferPlan(forecast)),
      ...(await localUsage()),
    };
  };
  return {
    samples,
    localUsage,
    async poll(signal = context.io.signal) {
      try {
        const usage = await fetchUsage(signal);
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

/** Whether the API says that no units are left; a limit of this machine says nothing of them. */
function isOutOfUnits({ exit, code }: SolxError): boolean {
  return exit === "quota" && code !== "UNITS_PER_DAY";
}

function readLocalRequests(folder: string, account: string, now: number, onNote: (text: string) => void) {
  try {
    return readRequestCounts(folder, account, HOURS, now);
  } catch (error) {
    onNote(`The counts of requests cannot be read: ${describeError(error)}.`);
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

/** The plan that has as many units in a period. */
function inferPlan({ used, remaining }: Forecast): PlanName | undefined {
  if (!used || !remaining) return undefined;
  const total = used.digits + remaining.digits;
  return (Object.keys(PLANS) as PlanName[]).find((name) => BigInt(PLANS[name].units) === total);
}
