/** The permits of all machines that share a Redis or Valkey server. */
import { createHash } from "node:crypto";
import { type ConnectOptions, connectRedis, type RedisConnection, withTimeout } from "./redis-connection.ts";
import { redisKeys, SCRIPT, UNLIMITED } from "./redis-script.ts";
import {
  GRACE_MS,
  MACHINE_MEMORY_MS,
  type MachineState,
  OVERDUE_MS,
  PERMITS_PER_STEP,
  pollInterval,
  type RateLimitBucket,
  type RateLimitStore,
  RETENTION_MS,
  type StepRequest,
  type StepResult,
  settlingTime,
  utcDay,
} from "./store.ts";

const SHA = createHash("sha1").update(SCRIPT).digest("hex");

/** Returns the time of a server in seconds and microseconds. */
const TIME_SCRIPT = "return redis.call('TIME')";

/**
 * Connects to a server.
 * @param url an address as {@link parseRedisAddress} takes it
 * @throws when it cannot be reached or denies access
 */
export async function openRedisStore(url: string, options: ConnectOptions = {}): Promise<RateLimitStore> {
  const open = async () => {
    const connection = await connectRedis(url, options);
    try {
      // The day is the server's: clients with wrong clocks count on the same one.
      const reply = await withTimeout(connection.eval(TIME_SCRIPT, { keys: ["solx:{time}"], arguments: [] }));
      return { connection, offset: Number((reply as string[])[0]) * 1000 - performance.now() };
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  let current = await open();
  let opening: Promise<typeof current> | undefined;
  return {
    async step(bucket, request) {
      // A server or a load balancer may have closed the connection while it was idle.
      if (!current.connection.isReady) {
        opening ??= open().finally(() => {
          opening = undefined;
        });
        current = await opening;
      }
      const { connection, offset } = current;
      return withTimeout(step(connection, bucket, request, performance.now() + offset));
    },
    close: () => current.connection.close(),
  };
}

async function step(
  connection: RedisConnection,
  bucket: RateLimitBucket,
  request: StepRequest,
  now: number,
): Promise<StepResult> {
  const input = { keys: redisKeys(bucket.account, utcDay(now)), arguments: [scriptArgument(bucket, request)] };
  try {
    return JSON.parse(String(await connection.evalSha(SHA, input)));
  } catch (error) {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return JSON.parse(String(await connection.eval(SCRIPT, input)));
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
    machine: machineArgument(request.machine),
    machine_memory: MACHINE_MEMORY_MS,
    settling: settlingTime(bucket.window),
  });
}

function machineArgument(machine: MachineState | undefined) {
  if (machine === undefined) return undefined;
  const { id, epoch, steps, machines, hasLocalPermits } = machine;
  return { id: String(id), epoch, steps, machines, has_local_permits: hasLocalPermits };
}
