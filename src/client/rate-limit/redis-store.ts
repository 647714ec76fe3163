/** The turns of all machines that share a Redis or Valkey server. */
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

/** Milliseconds after which a server that does not answer is taken to be lost. */
const ANSWER_MS = 1000;

const SHA = createHash("sha1").update(SCRIPT).digest("hex");

type RedisClient = Pick<ReturnType<typeof createClient>, "eval" | "evalSha">;

/**
 * Connects to a server.
 * @param url such as `redis://user:password@host:6379/0`
 * @throws when it cannot be reached or does not let us in
 */
export async function openRedisStore(url: string, now: () => number): Promise<RateLimitStore> {
  const client = createClient({
    url: url.replace(/^valkey/, "redis"),
    disableOfflineQueue: true,
    socket: { connectTimeout: ANSWER_MS, reconnectStrategy: false },
  });
  // What breaks between two steps is met by the next one.
  client.on("error", () => {});
  try {
    await inTime(client.connect());
    // A socket that waits for nothing keeps no process alive.
    client.unref();
  } catch (error) {
    client.destroy();
    throw error;
  }
  return { step: (lane, ask) => inTime(step(client, lane, ask, now())), close: () => client.destroy() };
}

async function step(client: RedisClient, lane: RateLimitBucket, ask: StepRequest, now: number): Promise<StepResult> {
  const order = { keys: redisKeys(lane.account, utcDay(now)), arguments: [orderOf(lane, ask)] };
  try {
    return JSON.parse(String(await client.evalSha(SHA, order)));
  } catch (error) {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return JSON.parse(String(await client.eval(SCRIPT, order)));
  }
}

function orderOf(lane: RateLimitBucket, ask: StepRequest): string {
  return JSON.stringify({
    owner: String(lane.owner),
    requests: Math.min(lane.requests, UNLIMITED),
    most: lane.unitsPerDay ?? -1,
    window: lane.window,
    heartbeat: pollInterval(lane),
    grace: GRACE_MS,
    keep: RETENTION_MS,
    late: OVERDUE_MS,
    chunk: PERMITS_PER_STEP,
    interactive: ask.interactive.map(({ id, cost }) => [String(id), cost]),
    background: ask.background.map(({ id, cost }) => [String(id), cost]),
    done: ask.released.map(({ id, ago }) => [String(id), ago]),
    units: ask.units,
    pause: ask.pause,
  });
}

/** The timer holds the process while somebody waits for the answer. */
async function inTime<T>(action: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([action, late]);
  } finally {
    clearTimeout(timer);
    action.catch(() => {});
  }
}
