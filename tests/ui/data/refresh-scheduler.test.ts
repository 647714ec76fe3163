import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NetworkError, PermissionError } from "../../../src/base/errors.ts";
import { IDLE_MS, RefreshScheduler } from "../../../src/ui/data/live.ts";
import { hourlyCost, refreshInterval } from "../../../src/ui/data/live-plan.ts";
import { IDLE_QUERY, type QueryState, type QuotaView } from "../../../src/ui/navigation/data-store.ts";
import { NOW } from "../../client/servers.ts";
import { HandClock } from "./setup.ts";

const LITE = { units: 100, rate: { requests: 1000, seconds: 60 }, unitsLeft: 20_000_000 };

describe("the interval", () => {
  it("is half a minute on the smallest plan, and never less than a quarter of a minute", () => {
    expect(refreshInterval({ ...LITE, failures: 0 })).toBe(30_000);
    expect(refreshInterval({ ...LITE, unitsLeft: 1e12, failures: 0 })).toBe(15_000);
    expect(refreshInterval({ units: 0, rate: undefined, unitsLeft: 0, failures: 0 })).toBe(15_000);
    expect(hourlyCost(100, 30_000)).toBe(12_000);
  });

  const costs = fc.record({
    units: fc.integer({ min: 0, max: 100_000 }),
    rate: fc.option(
      fc.record({ requests: fc.integer({ min: 1, max: 5000 }), seconds: fc.integer({ min: 1, max: 3600 }) }),
      {
        nil: undefined,
      },
    ),
    unitsLeft: fc.double({ min: 0, max: 1e10, noNaN: true }),
    failures: fc.integer({ min: 0, max: 60 }),
  });

  it("uses a small share of rate and units per hour on every plan", () => {
    fc.assert(
      fc.property(costs, (cost) => {
        const everyMs = refreshInterval(cost);
        expect(everyMs).toBeGreaterThanOrEqual(15_000);
        expect(Number.isFinite(everyMs)).toBe(true);
        const { rate, units, unitsLeft } = cost;
        if (rate) expect(everyMs / 1000).toBeGreaterThanOrEqual(Math.min(86_400, rate.seconds / rate.requests));
        if (everyMs < 86_400_000)
          expect(hourlyCost(units, everyMs)).toBeLessThanOrEqual(Math.ceil(Math.max(1, unitsLeft * 0.001)));
      }),
    );
  });

  it("never shrinks when less is left, a refresh costs more, or it fails again", () => {
    fc.assert(
      fc.property(costs, (cost) => {
        const everyMs = refreshInterval(cost);
        expect(refreshInterval({ ...cost, failures: cost.failures + 1 })).toBeGreaterThanOrEqual(everyMs);
        expect(refreshInterval({ ...cost, units: cost.units * 2 })).toBeGreaterThanOrEqual(everyMs);
        expect(refreshInterval({ ...cost, unitsLeft: cost.unitsLeft / 2 })).toBeGreaterThanOrEqual(everyMs);
      }),
    );
  });
});

/** A scheduler for a query whose state the test changes. */
function setup(initial: Partial<QueryState> = {}, quota: Partial<QuotaView> = {}) {
  const clock = new HandClock();
  const refreshes: number[] = [];
  const state = { entry: { ...IDLE_QUERY, at: NOW, ...initial } as QueryState };
  const scheduler = new RefreshScheduler({
    now: () => clock.now,
    timing: clock,
    read: () => state.entry,
    quota: () => ({ requests: undefined, units: undefined, waitingUntil: undefined, ...quota }),
    refresh: () => refreshes.push((clock.now - NOW) / 1000),
    interval: (failures) => refreshInterval({ ...LITE, failures }),
    onChange: () => {},
  });
  scheduler.start();
  /** Ends a refresh with a state. */
  const end = (change: Partial<QueryState>) => {
    state.entry = { ...state.entry, isLoading: true };
    scheduler.onStateChange();
    state.entry = { ...state.entry, isLoading: false, problem: undefined, ...change };
    scheduler.onStateChange();
  };
  return { clock, refreshes, scheduler, end, state };
}

describe("automatic refresh", () => {
  it("refreshes at its interval, counted from the age of the answer", () => {
    const { clock, refreshes } = setup({ at: NOW - 20_000 });
    clock.advance(75_000);
    expect(refreshes).toEqual([10, 40, 70]);
  });

  it("restarts the interval after a manual refresh", () => {
    const { clock, refreshes, end } = setup();
    clock.advance(20_000);
    end({});
    clock.advance(29_000);
    expect(refreshes).toEqual([]);
    clock.advance(1000);
    expect(refreshes).toEqual([50]);
  });

  it("waits longer while it fails, and returns to the interval on success", () => {
    const { clock, refreshes, end, scheduler } = setup();
    const failed = { problem: new NetworkError("offline") };
    clock.advance(30_000);
    end(failed);
    clock.advance(60_000);
    end(failed);
    clock.advance(120_000);
    expect(refreshes).toEqual([30, 90, 210]);
    end({});
    expect(scheduler.schedule().everyMs).toBe(30_000);
    clock.advance(30_000);
    expect(refreshes).toEqual([30, 90, 210, 240]);
  });

  it("pauses after ten minutes without a key, and resumes with the next", () => {
    const { clock, refreshes, scheduler } = setup();
    clock.advance(3 * IDLE_MS);
    expect(scheduler.schedule().isPaused).toBe(true);
    expect([refreshes.length, clock.count]).toEqual([19, 0]);
    scheduler.onKeyPress();
    clock.advance(0);
    expect(scheduler.schedule().isPaused).toBe(false);
    expect(refreshes).toHaveLength(20);
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
    const { clock, refreshes, scheduler } = setup();
    scheduler.stop();
    clock.advance(300_000);
    expect([refreshes.length, clock.count]).toEqual([0, 0]);
  });
});
