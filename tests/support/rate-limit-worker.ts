/**
 * One of several processes that share an API key: sends many requests within a shared rate limit and prints the results.
 * Its argument is a {@link WorkerTask} as JSON.
 */

import { createSharedRateLimiter } from "../../src/sources/api/rate-limit/shared-limiter.ts";
import { createClient } from "../../src/sources/index.ts";

/** The task of a process. */
export interface WorkerTask {
  readonly server: string;
  readonly key: string;
  readonly folder?: string;
  readonly redis?: string;
  readonly requests: number;
  readonly seconds: number;
  readonly calls: number;
  /** Whether it sends requests until a message arrives on its standard input, and that many from then on. */
  readonly isOpenEnded?: boolean;
  /** Maximum number of concurrent calls. */
  readonly at: number;
  readonly priority?: "interactive" | "background";
  readonly unitsPerDay?: number;
  /** Milliseconds by which the clock of the machine is wrong, one after the other with every reading. */
  readonly clock?: readonly number[];
  /** Attempts after the first one (default 0). */
  readonly retries?: number;
  /** Path of the requests. */
  readonly path?: string;
}

/** The results that a process prints at its end. */
export interface WorkerResult {
  readonly answered: number;
  readonly failures: readonly string[];
  readonly notes: readonly string[];
  /** Total duration of all calls in milliseconds. */
  readonly waited: number;
}

process.emitWarning = () => {};
const task: WorkerTask = JSON.parse(process.argv[2] ?? "");
const { server, key, folder, redis, requests, seconds, unitsPerDay, path = "/chaininfo" } = task;
const { priority = "background" } = task;
const rate = { requests, seconds };
if (task.clock) {
  const { clock } = task;
  const { now } = Date;
  let readings = 0;
  Date.now = () => now() + (clock[readings++ % clock.length] ?? 0);
}
const result = { answered: 0, failures: [] as string[], notes: [] as string[], waited: 0 };
const onNote = (text: string) => {
  result.notes.push(text);
  process.stdout.write(`${JSON.stringify({ note: text })}\n`);
};
const client = createClient({
  baseUrl: server,
  key,
  retries: task.retries ?? 0,
  rateLimiter: () => createSharedRateLimiter({ folder, redis, key, server, rate, unitsPerDay, onNote }),
});

let remaining = task.calls;
if (task.isOpenEnded) {
  remaining = Number.POSITIVE_INFINITY;
  process.stdin.once("data", () => {
    remaining = task.calls;
    process.stdin.destroy();
  });
}
await Promise.all(
  Array.from({ length: task.at }, async () => {
    while (remaining > 0) {
      remaining -= 1;
      const before = performance.now();
      try {
        await client.request(path, { priority, family: "v2" });
        result.answered += 1;
        process.stdout.write("{}\n");
      } catch (error) {
        result.failures.push(String(error));
      }
      result.waited += performance.now() - before;
    }
  }),
);
await client.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
