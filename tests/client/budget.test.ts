import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBudget } from "../../src/client/budget.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;

describe("the window", () => {
  it("never holds more starts than the plan allows, wherever it lies, and wastes none", async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), arrivals, async (requestsPerMinute, gaps) => {
        const budget = createBudget({ requestsPerMinute });
        const starts: number[] = [];
        for (const gap of gaps) {
          budget.take(100).then(() => starts.push(Date.now()));
          await vi.advanceTimersByTimeAsync(gap);
        }
        await vi.advanceTimersByTimeAsync(MINUTE * gaps.length);
        expect(starts).toHaveLength(gaps.length);
        starts.forEach((start, at) => {
          const next = starts[at + requestsPerMinute];
          if (next !== undefined) expect(next - start).toBeGreaterThanOrEqual(MINUTE);
        });
      }),
      { numRuns: 50 },
    );
  });

  it("lets through at once what fits", async () => {
    const budget = createBudget({ requestsPerMinute: 3 });
    const begin = Date.now();
    await Promise.all([budget.take(1), budget.take(1), budget.take(1)]);
    expect(Date.now()).toBe(begin);
  });

  it("tells those who must wait", async () => {
    const budget = createBudget({ requestsPerMinute: 1 });
    const onWait = vi.fn();
    await budget.take(1, { onWait });
    expect(onWait).not.toHaveBeenCalled();
    const second = budget.take(1, { onWait });
    expect(onWait).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(MINUTE);
    await second;
  });

  it("serves interactive requests before those in the background", async () => {
    const budget = createBudget({ requestsPerMinute: 1 });
    await budget.take(1);
    const order: string[] = [];
    const waiting = [
      budget.take(1).then(() => order.push("first")),
      budget.take(1, { priority: "background" }).then(() => order.push("second")),
      budget.take(1, { priority: "interactive" }).then(() => order.push("interactive")),
    ];
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await Promise.all(waiting);
    expect(order).toEqual(["interactive", "first", "second"]);
  });

  it("forgets who stops waiting", async () => {
    const budget = createBudget({ requestsPerMinute: 1 });
    const stop = new AbortController();
    await budget.take(1);
    const gone = budget.take(1, { signal: stop.signal }).catch((error) => error);
    const next = budget.take(1).then(() => Date.now());
    const begin = Date.now();
    stop.abort();
    expect(await gone).toMatchObject({ name: "InterruptedError" });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect((await next) - begin).toBeLessThanOrEqual(MINUTE);
  });
});

describe("a pause", () => {
  it("stops everyone, and the longest one counts", async () => {
    const budget = createBudget({ requestsPerMinute: 100 });
    const begin = Date.now();
    budget.pause(10_000);
    budget.pause(20_000);
    budget.pause(5000);
    const onWait = vi.fn();
    const started = Promise.all([1, 2, 3].map(() => budget.take(1, { onWait }).then(() => Date.now() - begin)));
    expect(onWait).toHaveBeenCalledWith(20_000);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await started).toEqual([20_000, 20_000, 20_000]);
  });

  it("ends for those who close", async () => {
    const budget = createBudget({ requestsPerMinute: 1 });
    budget.pause(1_000_000);
    const waiting = budget.take(1).catch((error) => error);
    budget.close();
    expect(await waiting).toMatchObject({ name: "InterruptedError" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("exports", () => {
  it("keep a minute apart", async () => {
    const budget = createBudget({ requestsPerMinute: 1000 });
    const begin = Date.now();
    const waits: (number | undefined)[] = [];
    const onWait = (wait: number | undefined) => waits.push(wait);
    const starts = [1, 2, 3].map(() => budget.take(1, { kind: "export", onWait }).then(() => Date.now() - begin));
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(await Promise.all(starts)).toEqual([0, MINUTE, 2 * MINUTE]);
    expect(waits.length).toBe(2);
  });

  it("are refused when the wait is longer than the patience, and say how long", async () => {
    const budget = createBudget({ requestsPerMinute: 1000 });
    await budget.take(1, { kind: "export", patience: 0 });
    await vi.advanceTimersByTimeAsync(15_000);
    const refused = await budget.take(1, { kind: "export", patience: 44_000 }).catch((error) => error);
    expect(refused).toMatchObject({ name: "RateLimitError", retryAfter: 45, exitCode: 6 });
    const patient = budget.take(1, { kind: "export", patience: 45_000 });
    await vi.advanceTimersByTimeAsync(45_000);
    await patient;
  });

  it("do not hold up other requests", async () => {
    const budget = createBudget({ requestsPerMinute: 1000 });
    await budget.take(1, { kind: "export" });
    const begin = Date.now();
    await budget.take(1);
    expect(Date.now()).toBe(begin);
  });
});
