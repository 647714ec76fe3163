import { describe, expect, it } from "vitest";
import { NetworkError, PermissionError } from "../../../src/base/errors.ts";
import { createEmitter } from "../../../src/base/index.ts";
import { IDLE_MS, RELAXED_MS, startRefreshing } from "../../../src/ui/data/live.ts";
import { IDLE_QUERY, type QueryState, type QuotaView } from "../../../src/ui/navigation/data-store.ts";
import { createKeyMap } from "../../../src/ui/navigation/keys/keymap.ts";
import { NOW } from "../../client/servers.ts";
import { apiIdentity, fakeData, fakeServices } from "../support.tsx";
import { endpoint, HandClock } from "./setup.ts";

const REQUEST = { endpoint: endpoint("v2-account-transfer"), params: { address: "x" }, everyMs: 15_000 };

/** Refreshes a query whose state the test changes. */
function setup(initial: Partial<QueryState> = {}, quota: Partial<QuotaView> = {}) {
  const clock = new HandClock();
  const refreshes: number[] = [];
  const paces: string[] = [];
  let entry: QueryState = { ...IDLE_QUERY, at: NOW, ...initial };
  const [changes, inputs] = [createEmitter(), createEmitter()];
  const stop = startRefreshing(
    {
      services: fakeServices({ identity: { ...apiIdentity(), units: 20_000_000 }, now: () => clock.now }),
      data: {
        ...fakeData(),
        read: () => entry,
        watch: (_request, listener) => changes.on(listener),
        quota: () => ({ requests: undefined, units: undefined, waitingUntil: undefined, ...quota }),
        refresh: () => refreshes.push((clock.now - NOW) / 1000),
      },
      keys: { ...createKeyMap(), onInput: inputs.on },
    },
    [REQUEST],
    clock,
    (pace) => paces.push(pace),
  );
  /** Ends a refresh with a state. */
  const end = (change: Partial<QueryState>) => {
    entry = { ...entry, isLoading: true };
    changes.emit();
    entry = { ...entry, isLoading: false, problem: undefined, ...change };
    changes.emit();
  };
  return { clock, refreshes, paces, pressKey: inputs.emit, stop, end };
}

describe("automatic refresh", () => {
  it("refreshes at its interval, counted from the age of the answer", () => {
    const { clock, refreshes } = setup({ at: NOW - 10_000 });
    clock.advance(55_000);
    expect(refreshes).toEqual([5, 20, 35, 50]);
  });

  it("restarts the interval after a manual refresh", () => {
    const { clock, refreshes, end } = setup();
    clock.advance(10_000);
    end({});
    clock.advance(14_000);
    expect(refreshes).toEqual([]);
    clock.advance(1000);
    expect(refreshes).toEqual([25]);
  });

  it("waits longer while it fails, and returns to the interval on success", () => {
    const { clock, refreshes, end, pressKey } = setup();
    const failed = { problem: new NetworkError("offline") };
    clock.advance(15_000);
    end(failed);
    clock.advance(30_000);
    pressKey();
    end(failed);
    clock.advance(59_000);
    pressKey();
    clock.advance(1000);
    expect(refreshes).toEqual([15, 45, 105]);
    end({});
    clock.advance(15_000);
    expect(refreshes).toEqual([15, 45, 105, 120]);
  });

  it("slows down after a minute without a key, and is as fast as before with the next", () => {
    const { clock, refreshes, paces, pressKey } = setup();
    clock.advance(RELAXED_MS + 60_000);
    expect([refreshes, paces]).toEqual([[15, 30, 45, 60, 120], ["relaxed"]]);
    pressKey();
    clock.advance(15_000);
    expect([refreshes.at(-1), paces.at(-1)]).toEqual([135, "full"]);
  });

  it("pauses after ten minutes without a key, and resumes with the next", () => {
    const { clock, refreshes, paces, pressKey } = setup();
    clock.advance(3 * IDLE_MS);
    expect([refreshes.length, clock.count, paces.at(-1)]).toEqual([12, 0, "paused"]);
    pressKey();
    clock.advance(0);
    expect([refreshes.length, paces.at(-1)]).toEqual([13, "full"]);
  });

  it.each([
    ["it failed permanently", { problem: new PermissionError("no") }, {}],
    ["a retry is scheduled", { retryAt: NOW + 1 }, {}],
    ["a request is in flight", { isLoading: true }, {}],
    ["other requests wait", {}, { waitingUntil: NOW + 1 }],
    ["few requests are left", {}, { requests: { remaining: 100, limit: 1000 } }],
  ] as const)("sends nothing while %s", (_when, entry, quota) => {
    const { clock, refreshes } = setup(entry, quota);
    clock.advance(300_000);
    expect(refreshes).toEqual([]);
  });

  it("sends nothing once it is stopped", () => {
    const { clock, refreshes, stop } = setup();
    stop();
    clock.advance(300_000);
    expect([refreshes.length, clock.count]).toEqual([0, 0]);
  });
});
