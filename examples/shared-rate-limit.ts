/**
 * Worker threads that share a rate limit, as processes of a machine do:
 * node shared-rate-limit.ts <state folder> <mint>...
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createClient } from "solx";
import { createSharedRateLimiter } from "solx/redis";

const RATE = { requests: 50, seconds: 10 };

interface WorkerInput {
  readonly folder: string;
  readonly mints: readonly string[];
}

if (isMainThread) {
  const [folder = "", ...mints] = process.argv.slice(2);
  if (mints.length === 0) {
    console.error("Usage: node shared-rate-limit.ts <state folder> <mint>...");
    process.exit(2);
  }
  const workers = [0, 1].map((worker) => {
    const input: WorkerInput = { folder, mints: mints.filter((_, index) => index % 2 === worker) };
    return new Worker(new URL(import.meta.url), { workerData: input });
  });
  for (const worker of workers) worker.on("message", (line: string) => console.log(line));
} else {
  const { folder, mints } = workerData as WorkerInput;
  const key = process.env.SOLX_API_KEY;
  const server = process.env.SOLX_BASE_URL ?? "https://pro-api.solscan.io";
  const onNote = (text: string) => console.error(text);
  const limiter = createSharedRateLimiter({ folder, key, server, rate: RATE, onNote });
  const client = createClient({ key, baseUrl: process.env.SOLX_BASE_URL, rateLimiter: limiter });
  for (const address of mints) {
    const { symbol } = await client.token.meta({ address });
    parentPort?.postMessage(`${address} ${symbol}, ${limiter.remaining()?.requests} requests left`);
  }
  await client.close();
  // A shared rate limiter is not closed with a client.
  await limiter.close();
}
