/** The shares of machines that have lost the server they share a rate limit through. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeShare } from "../../../../src/sources/api/rate-limit/machine-share.ts";
import type { RateLimitBucket } from "../../../../src/sources/api/rate-limit/store.ts";

/** Milliseconds between two attempts of a machine. */
const STEP = 5;
/** Time of the server, long after all of them have lost it. */
const START = 1_000_000;

/**
 * Returns the times at which machines send requests, by the clock of the server; each sends one whenever it may.
 * @param offsets by how many milliseconds the time of the server is ahead of each machine's
 */
function sentRequests(bucket: RateLimitBucket, offsets: readonly number[], duration: number) {
  const machines = offsets.map((ahead, rank) => ({ ahead, rank, sent: [] as number[] }));
  for (let time = START; time < START + duration; time += STEP) {
    for (const { ahead, rank, sent } of machines) {
      const record = { machines: machines.length, rank, ahead, lostAt: -START };
      const share = computeShare(record, bucket, time - ahead);
      if (!share || share.delay > 0) continue;
      if (sent.filter((at) => time - at < share.window).length < share.requests) sent.push(time);
    }
  }
  return machines.map(({ sent }) => sent);
}

describe("machines that outnumber the requests of a window", () => {
  it("take turns: together they stay within the limit in every window, and each of them sends", () => {
    const anySize = fc.record({ requests: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(
        anySize,
        fc.infiniteStream(fc.integer({ min: -100_000, max: 100_000 })),
        ({ requests, more }, ahead) => {
          const bucket = { account: "account", owner: 1, requests, window: 1000, unitsPerDay: undefined };
          const sent = sentRequests(bucket, [...ahead.take(requests + more)], 20_000);
          for (const times of sent) expect(times.length).toBeGreaterThan(1);
          const all = sent.flat().toSorted((a, b) => a - b);
          for (const [at, time] of all.entries())
            expect(all.slice(at).filter((other) => other - time < bucket.window).length).toBeLessThanOrEqual(requests);
        },
      ),
      { numRuns: 30 },
    );
  });
});
