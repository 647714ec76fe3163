import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AcquireOptions, RateLimiter } from "../../../../src/client/index.ts";
// Loaded before the fake timers start.
import "../../../../src/sources/api/rate-limit/sqlite-store.ts";
import {
  createSharedRateLimiter,
  type SharedRateLimiterOptions,
} from "../../../../src/sources/api/rate-limit/shared-limiter.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { waitFor } from "../../../support/wait-for.ts";

const KEY = "a-key-that-is-secret-0123456789";
const SECOND = 1000;

const root = createTempFolder();
let folders = 0;
/** The name of a folder that does not exist yet. */
function fresh(): string {
  folders += 1;
  return join(root, String(folders));
}

let open: RateLimiter[] = [];
beforeEach(() => {
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  vi.useFakeTimers();
});
afterEach(async () => {
  await Promise.all(open.map((limiter) => limiter.close()));
  open = [];
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A rate limiter over the file of a folder, as another process would have it; 40 requests in a second. */
function share(folder: string, options: Partial<SharedRateLimiterOptions> = {}): RateLimiter {
  const limiter = createSharedRateLimiter({
    folder,
    key: KEY,
    server: "https://api.example.com/v2.0",
    rate: { requests: 40, seconds: 1 },
    onNote: (text) => expect.unreachable(text),
    ...options,
  });
  open.push(limiter);
  return limiter;
}

async function send(limiter: RateLimiter, options?: AcquireOptions): Promise<number> {
  const permit = await limiter.acquire(100, options);
  permit.release();
  return Date.now();
}

const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error) => error);

/** Advances the time until a result is available. */
async function arrival<T>(promise: Promise<T>): Promise<T> {
  let isThere = false;
  void promise.finally(() => {
    isThere = true;
  });
  for (let step = 0; step < 10_000 && !isThere; step += 1) await vi.advanceTimersByTimeAsync(20);
  return promise;
}

describe("rate limiters that share a folder", () => {
  /** A request: who sends it, when, and at which part of its duration the server counts it. */
  const request = fc.record({
    client: fc.nat(2),
    gap: fc.nat(120),
    priority: fc.constantFrom("interactive", "background"),
    latency: fc.integer({ min: 0, max: 300 }),
    counted: fc.double({ min: 0, max: 1, noNaN: true }),
    answered: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
  });

  it("never make a server count more than the rate, whenever it counts, and starve none", async () => {
    const runs = fc.array(request, { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), runs, async (requests, calls) => {
        const folder = fresh();
        const limiters = [0, 1, 2].map(() => share(folder, { rate: { requests, seconds: 1 } }));
        const counted: number[] = [];
        const started = calls.map(async ({ client, priority, latency, counted: part, answered }, at) => {
          const gap = calls.slice(0, at + 1).reduce((sum, call) => sum + call.gap, 0);
          await new Promise((resolve) => setTimeout(resolve, gap));
          const permit = await limiters[client]?.acquire(100, { priority: priority as AcquireOptions["priority"] });
          counted.push(Date.now() + part * latency);
          if (answered) setTimeout(() => permit?.release(), latency);
        });
        await arrival(Promise.all(started));
        await Promise.all(limiters.map((limiter) => limiter.close()));
        counted.sort((a, b) => a - b);
        counted.forEach((time, at) => {
          const next = counted[at + requests];
          if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(SECOND);
        });
      }),
      { numRuns: 25 },
    );
  });

  it("divide it fairly, in turns", async () => {
    const folder = fresh();
    const limiters = [0, 1, 2, 3].map(() => share(folder));
    const got = [0, 0, 0, 0];
    const continued = limiters.flatMap((limiter, client) =>
      Array.from({ length: 100 }, async () => {
        await failure(send(limiter));
        got[client] = (got[client] ?? 0) + 1;
      }),
    );
    // The first window goes to the first client; in later windows all of them wait.
    await vi.advanceTimersByTimeAsync(0.9 * SECOND);
    got.fill(0);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    const sum = got.reduce((total, count) => total + count, 0);
    expect(sum).toBeGreaterThanOrEqual(190);
    expect(Math.max(...got) - Math.min(...got)).toBeLessThanOrEqual(24);
    await Promise.all(limiters.map((limiter) => limiter.close()));
    await Promise.all(continued);
  });

  it("let an interactive request pass a bulk job of another process", async () => {
    const folder = fresh();
    const [bulk, person] = [share(folder), share(folder)];
    for (let count = 0; count < 100; count += 1) void failure(send(bulk, { priority: "background" }));
    await vi.advanceTimersByTimeAsync(5);
    const begin = Date.now();
    expect(await send(person)).toBe(begin);
    const later = [send(person), send(person)];
    await arrival(Promise.all(later));
    for (const at of await Promise.all(later)) expect(at - begin).toBeLessThan(1.2 * SECOND);
  });

  it("are paused together", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    await send(one);
    one.pause(30 * SECOND);
    await vi.advanceTimersByTimeAsync(1);
    const begin = Date.now();
    const onWait = vi.fn();
    expect((await arrival(send(other, { onWait }))) - begin).toBeGreaterThanOrEqual(30 * SECOND - 1);
    expect(onWait).toHaveBeenCalledOnce();
  });

  it("separate exports by a minute", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    await send(one, { kind: "export" });
    const refused = await failure(other.acquire(100, { kind: "export", maxWaitMs: 0 }));
    expect(refused).toMatchObject({ exitCode: 6, code: "EXPORT_INTERVAL" });
    const begin = Date.now();
    expect((await arrival(send(other, { kind: "export" }))) - begin).toBeGreaterThanOrEqual(60 * SECOND);
  });

  it("sum compute units by the day", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    vi.setSystemTime(Date.UTC(2024, 6, 5, 12));
    await send(one);
    await one.close();
    await send(other);
    expect(other.remaining()).toMatchObject({ units: 200, of: 40 });
    vi.setSystemTime(Date.UTC(2024, 6, 6, 1));
    await send(other);
    expect(other.remaining()).toMatchObject({ units: 100 });
  });

  it("are separate for other keys and servers, and store no key", async () => {
    const folder = fresh();
    const rate = { requests: 1, seconds: 60 };
    await send(share(folder, { rate }));
    for (const other of [{ key: `${KEY}x` }, { key: undefined }, { server: "https://other.example.com" }]) {
      await send(share(folder, { rate, ...other }), { maxWaitMs: 0 });
    }
    const same = share(folder, { rate, server: "https://api.example.com/v1.0" });
    expect(await failure(same.acquire(100, { maxWaitMs: 0 }))).toMatchObject({ exitCode: 6 });
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name)).includes(KEY)).toBe(false);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("stay small", async () => {
    const folder = fresh();
    const limiter = share(folder, { rate: { requests: 2000, seconds: 1 } });
    await arrival(Promise.all(Array.from({ length: 20_000 }, () => send(limiter))));
    await vi.advanceTimersByTimeAsync(90 * SECOND);
    await send(limiter);
    await limiter.close();
    expect(statSync(join(folder, "budget.sqlite")).size).toBeLessThan(2_000_000);
  });

  it("wait at most one window when the clock was set back", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    for (let count = 0; count < 40; count += 1) await send(one);
    one.pause(5 * SECOND);
    await vi.advanceTimersByTimeAsync(200);
    vi.setSystemTime(Date.now() - 86_400_000);
    const begin = Date.now();
    expect((await arrival(send(other))) - begin).toBeLessThanOrEqual(9 * SECOND);
  });
});

describe("what cannot be shared", () => {
  it("is reported once, and this process counts for itself", async () => {
    const folder = fresh();
    writeFileSync(folder, "a file in its place");
    const onNote = vi.fn();
    const limiter = share(folder, { onNote });
    for (let count = 0; count < 40; count += 1) await send(limiter, { maxWaitMs: 0 });
    expect(await failure(limiter.acquire(100, { maxWaitMs: 0 }))).toMatchObject({ code: "RATE" });
    expect(onNote.mock.calls).toEqual([
      [expect.stringMatching(/^The rate limit is not shared with other processes: .* is a file, not a folder\.$/)],
    ]);
  });

  it("is tried again, and reported when it is available", async () => {
    const folder = fresh();
    writeFileSync(folder, "a file in its place");
    const onNote = vi.fn();
    const limiter = share(folder, { onNote });
    await send(limiter);
    rmSync(folder);
    await vi.advanceTimersByTimeAsync(6000);
    await send(limiter);
    await waitFor(() => expect(onNote).toHaveBeenCalledTimes(2));
    expect(onNote).toHaveBeenLastCalledWith("The rate limit is shared with other processes again.");
  });

  it("is reported without a home folder", async () => {
    const onNote = vi.fn();
    await send(share("", { folder: undefined, onNote }));
    expect(onNote.mock.calls).toEqual([
      ["The rate limit is not shared with other processes: there is no home folder."],
    ]);
  });

  it("is replaced when it is damaged", async () => {
    const folder = fresh();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "budget.sqlite"), "no database, but long enough to be looked at as one".repeat(100));
    const onNote = vi.fn();
    await arrival(send(share(folder, { onNote })));
    expect(onNote.mock.calls).toEqual([[expect.stringContaining("is damaged")]]);
    expect(existsSync(join(folder, "budget.sqlite.damaged"))).toBe(true);
    await send(share(folder));
  });

  it("is replaced when it is damaged inside", async () => {
    const folder = fresh();
    const one = share(folder);
    await send(one);
    await one.close();
    const path = join(folder, "budget.sqlite");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, 4096));
    const onNote = vi.fn();
    await arrival(send(share(folder, { onNote })));
    expect(onNote.mock.calls).toEqual([[expect.stringContaining("is damaged")]]);
  });
});
