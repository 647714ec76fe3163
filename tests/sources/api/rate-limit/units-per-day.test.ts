/** The units per day: in one process and over a file, with a fake clock; in several processes, and with Redis. */

import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { RateLimiter } from "../../../../src/client/index.ts";
import { createClient } from "../../../../src/sources/index.ts";
// Loaded before the fake timers start.
import "../../../../src/sources/api/rate-limit/sqlite-store.ts";
import { createRateLimiter } from "../../../../src/sources/api/rate-limit/limiter.ts";
import {
  createSharedRateLimiter,
  readUnitsSpentToday,
  type SharedRateLimiterOptions,
} from "../../../../src/sources/api/rate-limit/shared-limiter.ts";
import { countingServer } from "../../../support/counting-server.ts";
import { testWith } from "../../../support/programs.ts";
import type { WorkerTask } from "../../../support/rate-limit-worker.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { redisServer, startWorker } from "../../../support/workers.ts";

const KEY = "a-key-that-is-secret-0123456789";
const root = createTempFolder();
let folders = 0;
/** The name of a folder that does not exist yet. */
function fresh(): string {
  folders += 1;
  return join(root, String(folders));
}

const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error) => error);
const refused = { exitCode: 7, code: "UNITS_PER_DAY", retryable: false };

describe("with a clock", () => {
  let open: RateLimiter[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(Date.UTC(2024, 6, 5, 21));
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  });
  afterEach(async () => {
    await Promise.all(open.map((limiter) => limiter.close()));
    open = [];
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const options = (folder: string, more: Partial<SharedRateLimiterOptions> = {}): SharedRateLimiterOptions => ({
    folder,
    key: KEY,
    server: "https://api.example.com/v2.0",
    rate: { requests: 1000, seconds: 1 },
    unitsPerDay: 1000,
    onNote: (text) => expect.unreachable(text),
    ...more,
  });
  function share(folder: string, more: Partial<SharedRateLimiterOptions> = {}): RateLimiter {
    const limiter = createSharedRateLimiter(options(folder, more));
    open.push(limiter);
    return limiter;
  }

  it.each([
    ["this process", () => createRateLimiter({ unitsPerDay: 1000 })],
    ["the machine", () => share(fresh())],
    ["the machine, at any rate", () => share(fresh(), { rate: undefined })],
  ])("%s is stopped before more is spent, and may continue the next day (UTC)", async (_, make) => {
    const limiter = make();
    for (const cost of [400, 500]) (await limiter.acquire(cost)).release();
    const error = await failure(limiter.acquire(101));
    expect(error).toMatchObject(refused);
    expect(error.message).toContain("900 of 1000 compute units are spent today, and the request costs 101");
    expect(error.hint).toContain("in 3 h, at 00:00 UTC");
    expect(error.hint).toContain("SOLX_UNITS_PER_DAY=");
    // What still fits is allowed, and so is what costs nothing.
    for (const cost of [100, 0]) (await limiter.acquire(cost)).release();
    expect(await failure(limiter.acquire(1))).toMatchObject(refused);
    vi.setSystemTime(Date.UTC(2024, 6, 6, 0, 0, 0));
    (await limiter.acquire(1000)).release();
    expect(await failure(limiter.acquire(1))).toMatchObject(refused);
  });

  it.each([
    ["in this process", () => createRateLimiter({ unitsPerDay: 1000 })],
    ["on the machine", () => share(fresh())],
  ])("does not forget today when the clock was wrong for a while, %s", async (_, make) => {
    const limiter = make();
    const noon = Date.UTC(2024, 6, 5, 12);
    vi.setSystemTime(noon);
    (await limiter.acquire(900)).release();
    for (const days of [-1, 1, -40, 400]) {
      vi.setSystemTime(noon + days * 86_400_000);
      (await limiter.acquire(500)).release();
      vi.setSystemTime(noon);
      expect(await failure(limiter.acquire(101))).toMatchObject(refused);
    }
  });

  it("counts what another process spends, and what it is about to spend", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    const permit = await one.acquire(600);
    expect(await failure(other.acquire(600))).toMatchObject(refused);
    permit.release();
    (await other.acquire(400)).release();
    expect(await failure(one.acquire(500))).toMatchObject({
      ...refused,
      message: expect.stringContaining("1000 of 1000"),
    });
    expect(await readUnitsSpentToday(options(folder))).toBe(1000);
    expect(await readUnitsSpentToday(options(folder, { key: "another" }))).toBe(0);
  });

  it("gives back what cost nothing, and what was aborted while it waited", async () => {
    const folder = fresh();
    const [one, other] = [share(folder), share(folder)];
    (await one.acquire(1000)).release(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(await readUnitsSpentToday(options(folder))).toBe(0);
    const stop = new AbortController();
    const gone = failure(one.acquire(1000, { signal: stop.signal }));
    stop.abort();
    expect(await gone).toMatchObject({ exitCode: 130 });
    await vi.advanceTimersByTimeAsync(200);
    (await other.acquire(1000)).release();
    // What started yesterday is not given back today.
    vi.setSystemTime(Date.UTC(2024, 6, 5, 23, 59, 59));
    const lifted = share(folder, { unitsPerDay: 5000 });
    const late = await lifted.acquire(700);
    vi.setSystemTime(Date.UTC(2024, 6, 6, 0, 0, 1));
    (await other.acquire(800)).release();
    late.release(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(await readUnitsSpentToday(options(folder))).toBe(800);
  });

  it("allows nothing that costs units when none may be spent, and refuses invalid numbers", async () => {
    const limiter = createRateLimiter({ unitsPerDay: 0 });
    expect(await failure(limiter.acquire(1))).toMatchObject(refused);
    (await limiter.acquire(0)).release();
    for (const unitsPerDay of [-1, 1.5, Number.NaN]) {
      expect(() => createRateLimiter({ unitsPerDay })).toThrow(/unitsPerDay must be a whole number/);
      expect(() => createClient({ unitsPerDay })).toThrow(/unitsPerDay must be a whole number/);
    }
  });

  it("counts this process only where nothing can be written, and reports it", async () => {
    const onNote = vi.fn();
    const limiter = share("/dev/null/no", { onNote });
    (await limiter.acquire(1000)).release();
    expect(await failure(limiter.acquire(1))).toMatchObject(refused);
    expect(onNote.mock.calls).toEqual([[expect.stringContaining("the daily limit of units counts this process only")]]);
  });
});

it("applies to a client, which sends nothing beyond it and is charged for successes only", async () => {
  const statuses = [200, 503, 404, 200, 200];
  let sent = 0;
  const client = createClient({
    key: KEY,
    unitsPerDay: 250,
    sleep: async () => {},
    transport: {
      async send({ url }) {
        const status = statuses[sent++] ?? 200;
        const body = status === 200 ? '{"success":true,"data":[]}' : '{"success":false,"errors":{"message":"no"}}';
        return { url, status, headers: { "content-type": "application/json" }, bytes: Buffer.from(body), body };
      },
      close: async () => {},
    },
  });
  const call = () => client.request("/account/transfer?address=5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1");
  await call();
  // The first answer is a 503, the second one a 404.
  expect(await failure(call())).toMatchObject({ exitCode: 5 });
  await call();
  expect(await failure(call())).toMatchObject(refused);
  expect(sent).toBe(4);
  await client.close();
});

describe("processes", () => {
  /** Processes that together request five times what may be spent. */
  async function race(
    count: number,
    options: (at: number) => Partial<WorkerTask>,
  ): Promise<{ sent: number; answered: number }> {
    const server = await countingServer({ requests: 10_000, seconds: 60 });
    onTestFinished(() => server.close());
    const workers = Array.from({ length: count }, (_, at) =>
      startWorker({
        server: server.url,
        key: "one-key",
        requests: 5000,
        seconds: 60,
        path: "/account/transfer?address=5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
        calls: Math.ceil(500 / count),
        at: 4,
        unitsPerDay: 10_050,
        ...options(at),
      }),
    );
    const outcomes = await Promise.all(workers.map(({ outcome }) => outcome));
    for (const { failures, notes } of outcomes) {
      expect(notes).toEqual([]);
      for (const text of failures) expect(text).toContain("The daily limit of units is reached: 10000 of 10050");
    }
    const answered = outcomes.reduce((sum, one) => sum + one.answered, 0);
    return { sent: (await server.received()).length, answered };
  }

  it("of a machine spend all of it together, and nothing more", async () => {
    const folder = fresh();
    expect(await race(5, () => ({ folder }))).toEqual({ sent: 100, answered: 100 });
  });

  testWith("redis-server")("of machines with a Redis server do so too", async () => {
    const { port } = await redisServer();
    const [one, other] = [fresh(), fresh()];
    const redis = `redis://127.0.0.1:${port}`;
    expect(await race(3, (at) => ({ redis, folder: at % 2 === 0 ? one : other }))).toEqual({
      sent: 100,
      answered: 100,
    });
  });
});
