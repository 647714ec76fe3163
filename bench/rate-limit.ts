/**
 * The rate limiter: its cost per request, and how much of the rate several processes use together.
 * Usage: node bench/rate-limit.ts [requests/seconds [processes [calls per process]]]
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RateLimiter } from "../src/client/index.ts";
import { createRateLimiter } from "../src/sources/api/rate-limit/limiter.ts";
import { createSharedRateLimiter } from "../src/sources/api/rate-limit/shared-limiter.ts";
import { countingServer } from "../tests/support/counting-server.ts";
import type { WorkerResult, WorkerTask } from "../tests/support/rate-limit-worker.ts";
import { report } from "./report.ts";

const [rate = "200/10", processes = "4", calls = "250"] = process.argv.slice(2);
const [requests, seconds] = rate.split("/").map(Number) as [number, number];
const WORKER = fileURLToPath(new URL("../tests/support/rate-limit-worker.ts", import.meta.url));
const ROUNDS = 2000;
const TOGETHER = 16;

process.emitWarning = () => {};
const folder = mkdtempSync(join(tmpdir(), "solx-bench-"));

/** Milliseconds per permit, sequentially and with several requests in flight. */
async function overhead(title: string, most: number, make: () => RateLimiter): Promise<void> {
  const measure = async (together: number) => {
    const budget = make();
    (await budget.acquire(100)).release();
    let left = ROUNDS;
    const start = performance.now();
    const one = async () => {
      for (; left > 0; left -= 1) (await budget.acquire(100)).release();
    };
    await Promise.all(Array.from({ length: together }, one));
    const each = (performance.now() - start) / ROUNDS;
    await budget.close();
    return each;
  };
  const [alone, together] = [await measure(1), await measure(TOGETHER)];
  report({
    measure: `a permit, ${title}`,
    value: Math.max(alone, together),
    unit: "ms",
    digits: 3,
    atMost: most,
    note: `one at a time ${alone.toFixed(3)} ms, ${TOGETHER} at a time ${together.toFixed(3)} ms`,
  });
}

const plenty = { requests: 3 * ROUNDS, seconds: 60 };
const shared = { folder, key: "bench", onNote: console.error };
await overhead("in process", 0.3, () => createRateLimiter({ rate: plenty }));
await overhead("shared", 1, () => createSharedRateLimiter({ ...shared, server: "http://bench", rate: plenty }));

const server = await countingServer({ requests, seconds });
const work: WorkerTask = {
  server: server.url,
  key: "bench",
  folder,
  requests,
  seconds,
  calls: Number(calls),
  at: TOGETHER,
};
const runs = await Promise.all(
  Array.from({ length: Number(processes) }, async () => {
    const child = spawn(process.execPath, [WORKER, JSON.stringify({ ...work, priority: "interactive" })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    await once(child, "close");
    return JSON.parse(text.trim().split("\n").at(-1) ?? "") as WorkerResult;
  }),
);
const seen = await server.received();
await server.close();
rmSync(folder, { recursive: true, force: true });

// How soon a free permit is used again: the time between each request and the one that is a whole rate later.
const times = seen.map(({ at }) => at);
const gaps = times.slice(requests).map((time, at) => time - (times[at] as number));
const use = (100 * seconds * 1000) / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length);
const refused = seen.filter((request) => request.refused).length;
const waits = runs.map(({ waited, answered }) => waited / Math.max(1, answered));
const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
const worst = Math.max(...waits) / mean;
const span = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
const note = `${processes} processes, ${requests} per ${seconds} s, ${seen.length} requests in ${span.toFixed(1)} s`;
report({ measure: "use of a shared rate", value: use, unit: "%", digits: 1, atLeast: 97, note });
report({ measure: "requests over the rate", value: refused, unit: "requests", digits: 0, atMost: 0 });
report({ measure: "longest wait", value: worst, unit: "×", atMost: 2, peer: "the mean of all processes" });
