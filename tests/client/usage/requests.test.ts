import { describe, expect, it } from "vitest";
import { type RequestCount, readRequestCounts, recordRequests, toHour } from "../../../src/client/usage/usage-file.ts";
import { createTempFolder } from "../../support/solx.ts";

const NOW = Date.UTC(2026, 0, 10, 12, 30);
const HOUR = toHour(NOW);
const counted = (more: Partial<RequestCount> = {}): RequestCount => ({
  hour: HOUR,
  route: "v2-token-meta",
  outcome: "2xx",
  requests: 1,
  units: 100,
  ...more,
});

describe("request counts", () => {
  it("add up by endpoint, hour and outcome, for each account", () => {
    const folder = createTempFolder();
    recordRequests(folder, "a", [counted(), counted({ outcome: "429", units: 0 })], NOW);
    recordRequests(folder, "a", [counted({ requests: 4, units: 400 }), counted({ hour: HOUR - 1 })], NOW);
    recordRequests(folder, "b", [counted()], NOW);
    expect(readRequestCounts(folder, "a", 24, NOW)).toEqual(
      [counted({ hour: HOUR - 1 }), counted({ requests: 5, units: 500 }), counted({ outcome: "429", units: 0 })].sort(
        (a, b) => a.hour - b.hour || a.outcome.localeCompare(b.outcome),
      ),
    );
    expect(readRequestCounts(folder, "b", 24, NOW)).toEqual([counted()]);
  });

  it("are returned for the requested hours, and stored for a week", () => {
    const folder = createTempFolder();
    const old = counted({ hour: HOUR - 24 });
    const ancient = counted({ hour: HOUR - 168 });
    recordRequests(folder, "a", [old, ancient, counted()], NOW);
    expect(readRequestCounts(folder, "a", 24, NOW)).toEqual([counted()]);
    expect(readRequestCounts(folder, "a", 1000, NOW)).toEqual([old, counted()]);
  });
});
