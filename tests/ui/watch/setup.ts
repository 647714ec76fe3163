/** Usage reports, samples and watchers of a simulated key. */
import type { JsonObject } from "../../../src/base/json.ts";
import { forecastUsage } from "../../../src/client/usage/forecast.ts";
import type { UsageSample } from "../../../src/client/usage/usage-file.ts";
import type { UsageReport } from "../../../src/client/usage/usage-report.ts";
import type { WatchView } from "../../../src/ui/watch/watch-lines.ts";
import type { WatchState } from "../../../src/ui/watch/watcher.ts";
import { RANGES } from "../../../src/ui/widgets/usage-charts.ts";

export const NOW = Date.UTC(2025, 5, 15, 12);
export const HOUR = 3_600_000;

/** Returns the API's answer for a key that has used some of 20 million units. */
export function usageOf(used: number, more: JsonObject = {}): JsonObject {
  return {
    renew_date: "2025-06-01T00:00:00.000Z",
    end_date: "2025-07-01T00:00:00.000Z",
    last_cu_reset_date: "2025-06-01T00:00:00.000Z",
    usage_cus: used,
    remaining_cus: 20_000_000 - used,
    total_requests_24h: 1234,
    success_rate_24h: 99.5,
    total_cu_24h: 123_400,
    ...more,
  };
}

/** Returns a sample some hours ago. */
export const sample = (hoursAgo: number, used: number, more: JsonObject = {}): UsageSample => ({
  at: NOW - hoursAgo * HOUR,
  usage: usageOf(used, more),
});

/** Returns a usage report of now. */
export function readingOf(used: number, more: Partial<UsageReport> = {}): UsageReport {
  const usage = more.usage ?? usageOf(used);
  return {
    at: NOW,
    usage,
    error: undefined,
    forecast: forecastUsage(usage, NOW),
    profile: "work",
    plan: "lite",
    busiest: [
      { endpoint: "account transfer", requests: 1200, failed: 3, units: 120_000 },
      { endpoint: "token meta", requests: 34, failed: 0, units: 3400 },
    ],
    users: [{ profile: "work", machine: "indexer-7", command: "watch", requests: 1100, units: 110_000 }],
    ...more,
  };
}

export function stateOf(more: Partial<WatchState> = {}): WatchState {
  return {
    interval: 60,
    latest: readingOf(5_000_000),
    history: [],
    problem: undefined,
    failures: 0,
    isPolling: false,
    nextAt: NOW + 42_000,
    ...more,
  };
}

export function viewOf(more: Partial<WatchView> = {}): WatchView {
  return {
    width: 80,
    height: 23,
    unicode: true,
    colors: "named",
    now: NOW,
    state: stateOf(),
    range: RANGES[0],
    isSandbox: false,
    cost: 100,
    rate: { requests: 980, of: 1000, seconds: 60 },
    toast: undefined,
    ...more,
  };
}
