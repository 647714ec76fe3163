/** Counts the requests of a run for `solx usage`: in memory, and now and then in the file that all runs share. */
import { HOUR_MS } from "../../base/time.ts";
import {
  accountId,
  type Exchange,
  type RequestCount,
  type RequestOutcome,
  recordRequests,
} from "../../client/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "./context.ts";

/** After so many requests, or milliseconds, a long run writes what it has counted. */
const MAX_REQUESTS = 1000;
const MAX_AGE_MS = 10_000;

/**
 * What counts the exchanges of a client; undefined where none are to be counted. What is left over is written when the
 * frame closes.
 */
export function createRequestMetrics(
  settings: Settings,
  context: RunContext,
  key: string | undefined,
  clock: () => number,
): ((exchange: Exchange) => void) | undefined {
  const folder = settings.paths.state;
  if (settings.get("request-log") === "off" || folder === undefined) return undefined;
  let waiting = new Map<string, RequestCount>();
  let [since, count] = [clock(), 0];
  let writing = Promise.resolve();
  const write = (counts: readonly RequestCount[]) =>
    recordRequests(folder, accountId(key, settings.get("base-url-v2")), counts, clock());
  const flush = () => {
    if (waiting.size === 0) return writing;
    const counts = [...waiting.values()];
    waiting = new Map();
    [since, count] = [clock(), 0];
    writing = writing
      .then(() => write(counts))
      .catch(async (error: Error) => {
        if (context.globals.verbose) await context.reporter.note(`Requests are not counted: ${error.message}.`);
      });
    return writing;
  };
  context.onClose(flush);
  return ({ route = "other", status, units }) => {
    const [hour, outcome] = [Math.floor(clock() / HOUR_MS), toOutcome(status)];
    const name = `${hour} ${route} ${outcome}`;
    const before = waiting.get(name);
    waiting.set(name, {
      hour,
      route,
      outcome,
      requests: (before?.requests ?? 0) + 1,
      units: (before?.units ?? 0) + units,
    });
    count += 1;
    if (count >= MAX_REQUESTS || clock() - since > MAX_AGE_MS) void flush();
  };
}

function toOutcome(status: number | undefined): RequestOutcome {
  if (status === undefined) return "none";
  return status === 429 ? "429" : (`${Math.floor(status / 100)}xx` as RequestOutcome);
}
