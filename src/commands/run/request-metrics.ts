/** Counts the requests of a run for `solx usage`: in memory, and periodically in the file that all runs share. */

import { HOUR_MS } from "../../base/index.ts";
import { type Exchange, type RequestCount, type RequestOutcome, recordRequests } from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import { accountId } from "../../sources/api/index.ts";
import type { RunContext } from "./context.ts";

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
  const write = (metrics: readonly RequestCount[]) =>
    recordRequests(folder, accountId(key, settings.get("base-url-v2")), metrics, clock());
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
