import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AcquireOptions, RateLimiter } from "../../../../src/client/index.ts";
import { allocate, interactiveReserve } from "../../../../src/sources/api/rate-limit/allocate.ts";
import { createRateLimiter } from "../../../../src/sources/api/rate-limit/limiter.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
/** The window is a thousandth and a millisecond longer than the server's. */
const WINDOW = 60_061;

const minute = (requests: number) => createRateLimiter({ rate: { requests, seconds: 60 } });

/** Acquires a permit whose answer arrives at once; returns its time. */
async function request(limiter: RateLimiter, options?: AcquireOptions): Promise<number> {
  const permit = await limiter.acquire(1, options);
  permit.release();
  return Date.now();
}

/** The error that a promise is rejected with. */
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error) => error);

describe("the window", () => {
  it("never contains more starts than the plan allows, wherever it is, and wastes almost nothing", async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), arrivals, async (requests, gaps) => {
        const limiter = minute(requests);
        const starts: number[] = [];
        for (const gap of gaps) {
          void request(limiter).then((start) => starts.push(start));
          await vi.advanceTimersByTimeAsync(gap);
        }
        // Each window takes the time until the loop asks again.
        await vi.advanceTimersByTimeAsync(Math.ceil(gaps.length / requests) * (WINDOW + 1000));
        expect(starts).toHaveLength(gaps.length);
        starts.forEach((start, at) => {
          const next = starts[at + requests];
          if (next !== undefined) expect(next - start).toBeGreaterThan(MINUTE);
        });
      }),
      { numRuns: 50 },
    );
  });

  it("starts with the answer, and two seconds later for a request without one", async () => {
    const limiter = minute(2);
    const begin = Date.now();
    const slow = await limiter.acquire(1);
    await limiter.acquire(1);
    await vi.advanceTimersByTimeAsync(1000);
    slow.release();
    const waits = Promise.all([request(limiter), request(limiter)]);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect((await waits).map((at) => at - begin)).toEqual([WINDOW + 1000, WINDOW + 2000]);
  });

  it("grants at once what fits", async () => {
    const limiter = minute(40);
    const begin = Date.now();
    await Promise.all(Array.from({ length: 40 }, () => limiter.acquire(1)));
    expect(Date.now()).toBe(begin);
    expect(limiter.remaining()).toMatchObject({ requests: 0, of: 40, seconds: 60 });
  });

  it("does not exist without a rate", async () => {
    const limiter = createRateLimiter();
    const begin = Date.now();
    await Promise.all(Array.from({ length: 500 }, () => limiter.acquire(1)));
    expect(Date.now()).toBe(begin);
    expect(limiter.remaining()).toBeUndefined();
  });

  it("calls onWait once, with the wait in milliseconds", async () => {
    const limiter = minute(1);
    const onWait = vi.fn();
    await request(limiter, { onWait });
    expect(onWait).not.toHaveBeenCalled();
    const second = request(limiter, { onWait });
    await vi.advanceTimersByTimeAsync(WINDOW);
    await second;
    expect(onWait.mock.calls).toEqual([[WINDOW]]);
  });

  it("refuses requests that may not wait, and takes no permit from the others", async () => {
    const limiter = minute(1);
    await request(limiter, { maxWaitMs: 0 });
    const refused = await failure(limiter.acquire(1, { maxWaitMs: 0 }));
    expect(refused).toMatchObject({ name: "RateLimitError", exitCode: 6, code: "RATE", retryAfter: 61 });
    await vi.advanceTimersByTimeAsync(WINDOW);
    await request(limiter, { maxWaitMs: 0 });
    await limiter.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("serves interactive requests before background ones", async () => {
    const limiter = minute(1);
    await request(limiter);
    const order: string[] = [];
    const waiting = [
      request(limiter, { priority: "background" }).then(() => order.push("first")),
      request(limiter, { priority: "background" }).then(() => order.push("second")),
      request(limiter, { priority: "interactive" }).then(() => order.push("interactive")),
    ];
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    await Promise.all(waiting);
    expect(order).toEqual(["interactive", "first", "second"]);
  });

  it("reserves permits for interactive requests beside background work", async () => {
    const limiter = minute(200);
    const begin = Date.now();
    for (let count = 0; count < 300; count += 1) void failure(request(limiter, { priority: "background" }));
    await vi.advanceTimersByTimeAsync(10);
    for (let count = 0; count < 2; count += 1) expect((await request(limiter)) - begin).toBe(10);
    await limiter.close();
  });

  it("drops requests that stop waiting", async () => {
    const limiter = minute(1);
    const stop = new AbortController();
    await request(limiter);
    const gone = failure(limiter.acquire(1, { signal: stop.signal }));
    const next = request(limiter);
    await vi.advanceTimersByTimeAsync(1);
    stop.abort();
    expect(await gone).toMatchObject({ name: "AbortError" });
    const begin = Date.now();
    await vi.advanceTimersByTimeAsync(MINUTE + 1000);
    expect((await next) - begin).toBeLessThanOrEqual(WINDOW);
    expect(await failure(limiter.acquire(1, { signal: stop.signal }))).toMatchObject({ name: "AbortError" });
  });

  it.each([-86_400_000, -1000, 1000, 86_400_000])("does not change when the clock jumps by %i ms", async (jump) => {
    const limiter = minute(1);
    await request(limiter);
    vi.setSystemTime(Date.now() + jump);
    const begin = Date.now();
    const next = request(limiter);
    await vi.advanceTimersByTimeAsync(WINDOW);
    expect((await next) - begin).toBe(WINDOW);
  });
});

describe("allocation", () => {
  const view = fc
    .record({ used: fc.nat(400), interactive: fc.nat(400), others: fc.nat(40), behind: fc.nat(40) })
    .map(({ others, behind, ...state }) => ({
      ...state,
      aheadInteractive: others,
      aheadBackground: others + behind,
      pause: 0,
    }));
  const requested = fc.record({ interactive: fc.nat(16), background: fc.nat(16) });

  it("never exceeds the window, and interactive requests come first", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), view, requested, (requests, seen, requestedPermits) => {
        const { interactive, background, missing } = allocate({ requests }, seen, requestedPermits);
        expect(seen.used + interactive + background).toBeLessThanOrEqual(Math.max(requests, seen.used));
        if (background > 0) expect(interactive).toBe(requestedPermits.interactive);
        expect(missing > 0).toBe(
          interactive < requestedPermits.interactive || background < requestedPermits.background,
        );
      }),
    );
  });

  it("leaves at least 97 % to the background when it is alone, and at least 80 % beside others", () => {
    for (let requests = 1; requests <= 3000; requests += 1) {
      expect(requests - interactiveReserve(requests, 0)).toBeGreaterThanOrEqual(requests * 0.97);
      expect(requests - interactiveReserve(requests, requests)).toBeGreaterThanOrEqual(requests * 0.8);
    }
  });
});

describe("a pause", () => {
  it.each([
    ["of a limited rate", () => minute(100)],
    ["without a limit", () => createRateLimiter()],
  ])("%s stops all requests, and the longest one counts", async (_what, create) => {
    const limiter = create();
    const begin = Date.now();
    expect(await request(limiter)).toBe(begin);
    limiter.pause(10_000);
    limiter.pause(20_000);
    limiter.pause(5000);
    const onWait = vi.fn();
    const started = Promise.all([1, 2, 3].map(() => limiter.acquire(1, { onWait }).then(() => Date.now() - begin)));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onWait).toHaveBeenCalledWith(20_000);
    expect(await started).toEqual([20_000, 20_000, 20_000]);
    expect(await request(limiter)).toBe(begin + 20_000);
  });

  it("ends when the limiter is closed", async () => {
    const limiter = minute(1);
    limiter.pause(1_000_000);
    const waiting = failure(limiter.acquire(1));
    await vi.advanceTimersByTimeAsync(1);
    await limiter.close();
    expect(await waiting).toMatchObject({ name: "AbortError" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("exports", () => {
  it("are a minute apart", async () => {
    const limiter = minute(1000);
    const begin = Date.now();
    const onWait = vi.fn();
    const starts = [1, 2, 3].map(() => request(limiter, { kind: "export", onWait }).then((at) => at - begin));
    await vi.advanceTimersByTimeAsync(2 * WINDOW);
    expect(await Promise.all(starts)).toEqual([0, WINDOW, 2 * WINDOW]);
    // It is not yet known that the first one is answered at once.
    expect(onWait.mock.calls).toEqual([[WINDOW + 2000], [2 * WINDOW + 2000]]);
  });

  it("are refused when the wait exceeds the maximum, with the time", async () => {
    const limiter = minute(1000);
    await request(limiter, { kind: "export", maxWaitMs: 0 });
    await vi.advanceTimersByTimeAsync(15_000);
    const refused = await failure(limiter.acquire(1, { kind: "export", maxWaitMs: 44_000 }));
    expect(refused).toMatchObject({ code: "EXPORT_INTERVAL", retryAfter: 46, exitCode: 6 });
    const patient = request(limiter, { kind: "export", maxWaitMs: 46_000 });
    await vi.advanceTimersByTimeAsync(46_000);
    await patient;
  });

  it("do not delay other requests", async () => {
    const limiter = minute(1000);
    await request(limiter, { kind: "export" });
    const begin = Date.now();
    expect(await request(limiter)).toBe(begin);
  });

  it("release their permit when they do not start", async () => {
    const limiter = minute(1);
    const stop = new AbortController();
    await request(limiter);
    const gone = failure(limiter.acquire(1, { kind: "export", signal: stop.signal }));
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    await gone;
    await vi.advanceTimersByTimeAsync(WINDOW);
    const begin = Date.now();
    expect(await request(limiter, { kind: "export" })).toBe(begin);
  });
});
