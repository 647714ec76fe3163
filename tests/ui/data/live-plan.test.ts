import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/base/index.ts";
import { isScarce, LIVE_SHARES, planLive } from "../../../src/ui/data/live-plan.ts";

const BLOCKS = { units: 100, everyMs: 5000 };
const TOKENS = { units: 100, everyMs: 20_000 };

describe("the plan of a page that refreshes by itself", () => {
  it("has the intervals that are wished where the quota is ample, and what they cost", () => {
    const plan = planLive([BLOCKS, TOKENS], { rate: { requests: 1000, seconds: 60 }, unitsLeft: 150_000_000 });
    expect(plan).toEqual({ everyMs: [5000, 20_000], costPerHour: 90_000 });
    expect(planLive([BLOCKS], { rate: undefined, unitsLeft: Number.POSITIVE_INFINITY }).everyMs).toEqual([5000]);
  });

  it("extends all intervals by one factor on the smallest plan", () => {
    const { everyMs, costPerHour } = planLive([BLOCKS, TOKENS], {
      rate: { requests: 1000, seconds: 60 },
      unitsLeft: 20_000_000,
    });
    expect(everyMs).toEqual([12_000, 45_000]);
    expect(costPerHour).toBeLessThanOrEqual(40_000);
  });

  it("never exceeds its share of rate and units, unless the intervals are the longest", () => {
    const parts = fc.array(
      fc.record({ units: fc.integer({ min: 0, max: 10_000 }), everyMs: fc.integer({ min: 1000, max: 600_000 }) }),
      { minLength: 1, maxLength: 6 },
    );
    const limits = fc.record({
      rate: fc.option(
        fc.record({ requests: fc.integer({ min: 1, max: 5000 }), seconds: fc.integer({ min: 1, max: 60 }) }),
        { nil: undefined },
      ),
      unitsLeft: fc.double({ min: 0, max: 1e10, noNaN: true }),
    });
    fc.assert(
      fc.property(parts, limits, (all, { rate, unitsLeft }) => {
        const { everyMs, costPerHour } = planLive(all, { rate, unitsLeft });
        expect(everyMs.every((one, at) => one >= Math.min(HOUR_MS, all[at]?.everyMs ?? 0))).toBe(true);
        if (everyMs.some((one) => one >= HOUR_MS)) return;
        // Each part is rounded up to a whole unit.
        expect(costPerHour).toBeLessThanOrEqual(Math.max(1, unitsLeft * LIVE_SHARES.unitsPerHour) + all.length);
        const perSecond = everyMs.reduce((sum, one) => sum + 1000 / one, 0);
        if (rate) expect(perSecond).toBeLessThanOrEqual((rate.requests / rate.seconds) * LIVE_SHARES.rate * 1.001);
      }),
    );
  });

  it("calls a quota scarce when a tenth is left", () => {
    expect(isScarce({ remaining: 100, limit: 1000 })).toBe(true);
    expect(isScarce({ remaining: 101, limit: 1000 })).toBe(false);
    expect(isScarce(undefined)).toBe(false);
  });
});
