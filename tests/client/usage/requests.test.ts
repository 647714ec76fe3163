import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/sqlite.ts";
import { toHour } from "../../../src/base/time.ts";
import {
  type RequestCount,
  readRequestCounts,
  readUserCounts,
  recordRequests,
  USAGE_FILE,
} from "../../../src/client/usage/usage-file.ts";
import { createTempFolder } from "../../support/solx.ts";

const NOW = Date.UTC(2026, 0, 10, 12, 30);
const HOUR = toHour(NOW);
const USER = { profile: "work", machine: "one", command: "account transfer" };
const WHO = { now: NOW, user: USER };
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
    recordRequests(folder, "a", [counted(), counted({ outcome: "429", units: 0 })], WHO);
    recordRequests(folder, "a", [counted({ requests: 4, units: 400 }), counted({ hour: HOUR - 1 })], WHO);
    recordRequests(folder, "b", [counted()], WHO);
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
    recordRequests(folder, "a", [old, ancient, counted()], WHO);
    expect(readRequestCounts(folder, "a", 24, NOW)).toEqual([counted()]);
    expect(readRequestCounts(folder, "a", 1000, NOW)).toEqual([old, counted()]);
  });

  it("add up by profile, machine and command, who used most first", () => {
    const folder = createTempFolder();
    const other = { ...USER, command: "watch" };
    recordRequests(folder, "a", [counted(), counted({ hour: HOUR - 1, outcome: "5xx" })], WHO);
    recordRequests(folder, "a", [counted({ requests: 9, units: 900 })], { now: NOW, user: other });
    recordRequests(folder, "a", [counted({ hour: HOUR - 24 })], { now: NOW, user: { ...USER, machine: "two" } });
    recordRequests(folder, "b", [counted()], WHO);
    expect(readUserCounts(folder, "a", 24, NOW)).toEqual([
      { ...other, requests: 9, units: 900 },
      { ...USER, requests: 2, units: 200 },
    ]);
  });

  it("are added to a file of an earlier version", () => {
    const folder = createTempFolder();
    recordRequests(folder, "a", [counted()], WHO);
    const file = openDatabase(join(folder, USAGE_FILE));
    file.exec("DROP TABLE users");
    file.close();
    recordRequests(folder, "a", [counted()], WHO);
    expect(readRequestCounts(folder, "a", 24, NOW)).toEqual([counted({ requests: 2, units: 200 })]);
    expect(readUserCounts(folder, "a", 24, NOW)).toEqual([{ ...USER, requests: 1, units: 100 }]);
  });
});
