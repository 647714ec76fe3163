/** A server that enforces a rate limit as the API does, in a separate thread so that nothing else delays it. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A server that refuses requests over the limit. */
export interface CountingServer {
  readonly url: string;
  /** Returns the requests so far: time in milliseconds since the epoch, key, and whether it was refused. */
  received(): Promise<readonly { readonly at: number; readonly key: string; readonly refused: boolean }[]>;
  close(): Promise<void>;
}

const SOURCE = `
const { createServer } = require("node:http");
const { parentPort, workerData: { requests, seconds, retryAfter, refuse } } = require("node:worker_threads");
const counted = new Map();
const seen = [];
const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const key = String(request.headers.token);
  const times = (counted.get(key) ?? []).filter((time) => at - time < seconds * 1000);
  const refused = times.length >= requests || seen.length + 1 === refuse;
  if (!refused) times.push(at);
  counted.set(key, times);
  seen.push({ at, key, refused });
  response.setHeader("content-type", "application/json");
  if (refused && retryAfter) response.setHeader("retry-after", String(retryAfter));
  response.statusCode = refused ? 429 : 200;
  response.end(refused ? '{"success":false,"errors":{"code":1429,"message":"Too many requests"}}' : '{"success":true,"data":{"ok":true}}');
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
parentPort.on("message", () => parentPort.postMessage(seen));
`;

/** The limit of each key, and a request to refuse in any case. */
export interface CountingOptions {
  readonly requests: number;
  readonly seconds: number;
  /** Value of `retry-after` in seconds. */
  readonly retryAfter?: number;
  /** The number of a request that is refused, from 1. */
  readonly refuse?: number;
}

/** Returns the highest number of requests in any window. */
export function highestCount(received: readonly { readonly at: number }[], seconds: number): number {
  const times = received.map(({ at }) => at).sort((a, b) => a - b);
  let first = 0;
  return times.reduce((highest, time, last) => {
    while (time - (times[first] ?? time) >= seconds * 1000) first += 1;
    return Math.max(highest, last - first + 1);
  }, 0);
}

/** Starts a server on a free port. */
export async function countingServer(counting: CountingOptions): Promise<CountingServer> {
  const worker = new Worker(SOURCE, { eval: true, workerData: counting });
  const [port] = await once(worker, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    async received() {
      const answer = once(worker, "message");
      worker.postMessage("seen");
      return (await answer)[0];
    },
    async close() {
      await worker.terminate();
    },
  };
}
