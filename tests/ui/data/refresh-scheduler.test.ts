import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NetworkError, PermissionError } from "../../../src/base/errors.ts";
import { hourlyCost, refreshInterval } from "../../../src/ui/data/refresh-interval.ts";
import { IDLE_MS, RefreshScheduler } from "../../../src/ui/data/refresh-scheduler.ts";
import { IDLE_QUERY, type QueryState, type QuotaView } from "../../../src/ui/data/store.ts";
import { NOW } from "../../client/servers.ts";
import { HandClock } from "./world.ts";

const LITE = { units: 100, rate: { requests: 1000, seconds: 60 }, unitsLeft: 20_000_000 };

describe("the interval", () => {
  it("is half a minute on the smallest plan, and never less than a quarter of a minute", () => {
    expect(refreshInterval({ ...LITE, failures: 0 })).toBe(30_000);
    expect(refreshInterval({ ...LITE, unitsLeft: 1e12, failures: 0 })).toBe(15_000);
    expect(refreshInterval({ units: 0, rate: undefined, unitsLeft: 0, failures: 0 })).toBe(15_000);
    expect(hourlyCost(100, 30_000)).toBe(12_000);
  });

  const burdens = fc.record({
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
      fc.property(burdens, (burden) => {
        const everyMs = refreshInterval(burden);
        expect(everyMs).toBeGreaterThanOrEqual(15_000);
        expect(Number.isFinite(everyMs)).toBe(true);
        const { rate, units, unitsLeft } = burden;
        if (rate) expect(everyMs / 1000).toBeGreaterThanOrEqual(Math.min(86_400, rate.seconds / rate.requests));
        if (everyMs < 86_400_000)
          expect(hourlyCost(units, everyMs)).toBeLessThanOrEqual(Math.max(1, unitsLeft * 0.001));
      }),
    );
  });

  it("never shrinks when less is left, a refresh costs more, or it fails again", () => {
    fc.assert(
      fc.property(burdens, (burden) => {
        const everyMs = refreshInterval(burden);
        expect(refreshInterval({ ...burden, failures: burden.failures + 1 })).toBeGreaterThanOrEqual(everyMs);
        expect(refreshInterval({ ...burden, units: burden.units * 2 })).toBeGreaterThanOrEqual(everyMs);
        expect(refreshInterval({ ...burden, unitsLeft: burden.unitsLeft / 2 })).toBeGreaterThanOrEqual(everyMs);
      }),
    );
  });
});

/** A pacer over an entry that the test changes. */
function setup(given: Partial<QueryState> = {}, gauge: Partial<QuotaView> = {}) {
  const clock = new HandClock();
  const asked: number[] = [];
  const state = { entry: { ...IDLE_QUERY, at: NOW, ...given } as QueryState };
  const pacer = new RefreshScheduler({
    now: () => clock.now,
    timing: clock,
    read: () => state.entry,
    quota: () => ({ requests: undefined, units: undefined, waitingUntil: undefined, ...gauge }),
    refresh: () => asked.push((clock.now - NOW) / 1000),
    cost: () => LITE,
    onChange: () => {},
  });
  pacer.start();
  /** A look that ends so. */
  const end = (change: Partial<QueryState>) => {
    state.entry = { ...state.entry, isLoading: true };
    pacer.onStateChange();
    state.entry = { ...state.entry, isLoading: false, problem: undefined, ...change };
    pacer.onStateChange();
  };
  return { clock, asked, pacer, end, state };
}

describe("automatic refresh", () => {
  it("refreshes at its interval, counted from the age of the answer", () => {
    const { clock, asked } = setup({ at: NOW - 20_000 });
    clock.advance(75_000);
    expect(asked).toEqual([10, 40, 70]);
  });

  it("restarts the interval after a manual refresh", () => {
    const { clock, asked, end } = setup();
    clock.advance(20_000);
    end({});
    clock.advance(29_000);
    expect(asked).toEqual([]);
    clock.advance(1000);
    expect(asked).toEqual([50]);
  });

  it("waits longer while it fails, and returns to the interval on success", () => {
    const { clock, asked, end, pacer } = setup();
    const failed = { problem: new NetworkError("offline") };
    clock.advance(30_000);
    end(failed);
    clock.advance(60_000);
    end(failed);
    clock.advance(120_000);
    expect(asked).toEqual([30, 90, 210]);
    end({});
    expect(pacer.schedule().everyMs).toBe(30_000);
    clock.advance(30_000);
    expect(asked).toEqual([30, 90, 210, 240]);
  });

  it("pauses after ten minutes without a key, and resumes with the next", () => {
    const { clock, asked, pacer } = setup();
    clock.advance(3 * IDLE_MS);
    expect(pacer.schedule().isPaused).toBe(true);
    expect([asked.length, clock.count]).toEqual([19, 0]);
    pacer.onKeyPress();
    clock.advance(0);
    expect(pacer.schedule().isPaused).toBe(false);
    expect(asked).toHaveLength(20);
  });

  it.each([
    ["it fails for good", { problem: new PermissionError("no") }, {}],
    ["it comes back by itself", { retryAt: NOW + 1 }, {}],
    ["it is asked already", { isLoading: true }, {}],
    ["others wait", {}, { waitingUntil: NOW + 1 }],
    ["few requests are left", {}, { requests: { remaining: 100, limit: 1000 } }],
  ] as const)("sends nothing while %s", (_when, entry, gauge) => {
    const { clock, asked } = setup(entry, gauge);
    clock.advance(300_000);
    expect(asked).toEqual([]);
  });

  it("sends nothing once it is stopped", () => {
    const { clock, asked, pacer } = setup();
    pacer.stop();
    clock.advance(300_000);
    expect([asked.length, clock.count]).toEqual([0, 0]);
  });
});
