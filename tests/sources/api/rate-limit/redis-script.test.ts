/** The Redis script and its TypeScript twin, the SQLite store, grant the same permits. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRedisStore } from "../../../../src/sources/api/rate-limit/redis-store.ts";
import { openSqliteStore } from "../../../../src/sources/api/rate-limit/sqlite-store.ts";
import type { RateLimitStore, StepRequest, StepResult } from "../../../../src/sources/api/rate-limit/store.ts";
import { UNUSED } from "../../../../src/sources/api/rate-limit/store.ts";
import { describeWith } from "../../../support/programs.ts";
import { createTempFolder } from "../../../support/solx.ts";
import { redisServer } from "../../../support/workers.ts";

/** A step of one of several clients; `released` names permits that were granted before, by their place in that list. */
const steps = fc.array(
  fc.record({
    owner: fc.integer({ min: 1, max: 4 }),
    interactive: fc.array(fc.constantFrom(0, 100, 1000), { maxLength: 4 }),
    background: fc.array(fc.constantFrom(0, 100, 1000), { maxLength: 16 }),
    released: fc.array(fc.record({ index: fc.nat(200), ago: fc.constantFrom(0, 5000, 700_000, UNUSED) }), {
      maxLength: 3,
    }),
    units: fc.constantFrom(0, 0, 0, 500, -500),
    pause: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 60_000),
  }),
  { minLength: 1, maxLength: 30 },
);
const buckets = fc.record({
  requests: fc.integer({ min: 1, max: 200 }),
  window: fc.constant(600_000),
  unitsPerDay: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
});

describeWith("redis-server")("the Redis script", () => {
  let stop: () => void = () => {};
  let redis: RateLimitStore | undefined;
  let sqlite: RateLimitStore | undefined;
  let accounts = 0;

  beforeAll(async () => {
    const { port } = await redisServer(undefined, (end) => {
      stop = end;
    });
    redis = await openRedisStore(`redis://127.0.0.1:${port}`);
    const folder = join(createTempFolder(), "state");
    mkdirSync(folder);
    sqlite = await openSqliteStore({ folder, calendar: Date.now, onNote: () => {} });
  });
  afterAll(async () => {
    stop();
    await redis?.close();
    await sqlite?.close();
  });

  test("grants what the SQLite store grants, whatever clients request, release and pause", async () => {
    await fc.assert(
      fc.asyncProperty(buckets, steps, async (limits, sequence) => {
        accounts += 1;
        const granted: number[] = [];
        let ids = 0;
        for (const { owner, interactive, background, released, units, pause } of sequence) {
          const permit = (cost: number) => ({ id: ++ids, cost });
          const request: StepRequest = {
            interactive: interactive.map(permit),
            background: background.map(permit),
            released: released.flatMap(({ index, ago }) => {
              const [id] = granted.splice(index, 1);
              return id === undefined ? [] : [{ id, ago }];
            }),
            units,
            pause,
          };
          const bucket = { ...limits, account: `account-${accounts}`, owner };
          await nextTick();
          const expected = (await sqlite?.step(bucket, request)) as StepResult;
          const actual = (await redis?.step(bucket, request)) as StepResult;
          expect(comparable(actual)).toEqual(comparable(expected));
          expect(Math.abs(actual.wait - expected.wait)).toBeLessThan(1000);
          granted.push(
            ...request.interactive.slice(0, actual.interactive).map(({ id }) => id),
            ...request.background.slice(0, actual.background).map(({ id }) => id),
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** What does not depend on the millisecond in which a store ran the step. */
const comparable = ({ interactive, background, remaining, units, wait }: StepResult) => ({
  interactive,
  background,
  remaining,
  units,
  waits: wait > 0,
});

/** Waits until the clock has moved on: both stores order waiting clients by the millisecond in which they came. */
async function nextTick(): Promise<void> {
  const start = Date.now();
  while (Date.now() < start + 3) await new Promise((resolve) => setImmediate(resolve));
}
