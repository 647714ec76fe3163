/** The permits of all machines that share a Redis or Valkey server. */
import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import { redisKeys, SCRIPT, UNLIMITED } from "./redis-script.ts";
import {
  GRACE_MS,
  OVERDUE_MS,
  PERMITS_PER_STEP,
  pollInterval,
  type RateLimitBucket,
  type RateLimitStore,
  RETENTION_MS,
  type StepRequest,
  type StepResult,
  utcDay,
} from "./store.ts";

/** Milliseconds after which a server that does not answer counts as lost. */
const TIMEOUT_MS = 1000;

const SHA = createHash("sha1").update(SCRIPT).digest("hex");

type RedisClient = Pick<ReturnType<typeof createClient>, "eval" | "evalSha">;

/**
 * Connects to a server.
 * @param url such as `redis://user:password@host:6379/0`
 * @throws when it cannot be reached or denies access
 */
export async function openRedisStore(url: string): Promise<RateLimitStore> {
  const client = createClient({
    url: url.replace(/^valkey/, "redis"),
    disableOfflineQueue: true,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // A failure between two steps surfaces in the next one.
  client.on("error", () => {});
  // The day is the server's: clients with wrong clocks count on the same one.
  let offset = 0;
  try {
    await withTimeout(client.connect());
    const [seconds = "0"] = await withTimeout(client.sendCommand<string[]>(["TIME"]));
    offset = Number(seconds) * 1000 - performance.now();
    // An idle socket does not hold the process.
    client.unref();
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    step: (bucket, request) => withTimeout(step(client, bucket, request, performance.now() + offset)),
    close: () => client.destroy(),
  };
}

async function step(
  client: RedisClient,
  bucket: RateLimitBucket,
  request: StepRequest,
  now: number,
): Promise<StepResult> {
  const input = { keys: redisKeys(bucket.account, utcDay(now)), arguments: [scriptArgument(bucket, request)] };
  try {
    return JSON.parse(String(await client.evalSha(SHA, input)));
  } catch (error) {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return JSON.parse(String(await client.eval(SCRIPT, input)));
  }
}

/** The script's argument. Ids are strings, because Lua would round them. */
function scriptArgument(bucket: RateLimitBucket, request: StepRequest): string {
  return JSON.stringify({
    owner: String(bucket.owner),
    requests: Math.min(bucket.requests, UNLIMITED),
    units_per_day: bucket.unitsPerDay ?? -1,
    window: bucket.window,
    poll_interval: pollInterval(bucket),
    grace: GRACE_MS,
    retention: RETENTION_MS,
    overdue: OVERDUE_MS,
    permits_per_step: PERMITS_PER_STEP,
    interactive: request.interactive.map(({ id, cost }) => [String(id), cost]),
    background: request.background.map(({ id, cost }) => [String(id), cost]),
    released: request.released.map(({ id, ago }) => [String(id), ago]),
    units: request.units,
    pause: request.pause,
  });
}

/** Rejects when the server does not answer in time. The timer holds the process while the answer is awaited. */
async function withTimeout<T>(action: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([action, timeout]);
  } finally {
    clearTimeout(timer);
    action.catch(() => {});
  }
}
