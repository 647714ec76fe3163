/** The permits of all machines that share a Redis or Valkey server. */
import { createHash } from "node:crypto";
import { type ConnectOptions, connectRedis, type RedisConnection, withTimeout } from "./redis-connection.ts";
import { redisKeys, SCRIPT, UNLIMITED } from "./redis-script.ts";
import {
  absenceTime,
  EMPTY_STEP,
  GRACE_MS,
  MACHINE_MEMORY_MS,
  type MachineState,
  OVERDUE_MS,
  PERMITS_PER_STEP,
  pollInterval,
  presenceInterval,
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
  const send = (bucket: RateLimitBucket, request: StepRequest) => {
    const { connection, offset } = current;
    return withTimeout(step(connection, bucket, request, performance.now() + offset));
  };
  const presence = new Presence(send);
  return {
    async step(bucket, request) {
      // A server or a load balancer may have closed the connection while it was idle.
      if (!current.connection.isReady) {
        opening ??= open().finally(() => {
          opening = undefined;
        });
        current = await opening;
      }
      if (request.machine) presence.begin(bucket, request.machine);
      try {
        return await send(bucket, request);
      } catch (error) {
        // The machine continues with its share, so it must not leave.
        presence.end();
        throw error;
      }
    },
    async close() {
      if (current.connection.isReady) await presence.leave();
      presence.end();
      current.connection.close();
    },
  };
}

type StepSender = (bucket: RateLimitBucket, request: StepRequest) => Promise<unknown>;

/**
 * Repeats steps of a machine that has nothing to request. A machine that sends none counts as cut off: others reserve its
 * share for it.
 */
class Presence {
  readonly #send: StepSender;
  readonly #buckets = new Map<RateLimitBucket, { readonly machine: MachineState; readonly timer: NodeJS.Timeout }>();

  constructor(send: StepSender) {
    this.#send = send;
  }

  /** Repeats the steps of a machine in a bucket from now on. */
  begin(bucket: RateLimitBucket, { id, machines }: MachineState): void {
    if (this.#buckets.has(bucket)) return;
    const machine = { id, machines, hasLocalPermits: false };
    // The next request reports a failure.
    const repeat = () => void this.#send(bucket, { ...EMPTY_STEP, machine }).catch(() => {});
    this.#buckets.set(bucket, { machine, timer: setInterval(repeat, presenceInterval(bucket.window)).unref() });
  }

  /** Reports that the machine is not cut off when no further steps follow. */
  async leave(): Promise<void> {
    const leaving = [...this.#buckets].map(([bucket, { machine }]) =>
      this.#send(bucket, { ...EMPTY_STEP, machine: { ...machine, leaves: true } }),
    );
    await Promise.allSettled(leaving);
  }

  /** Repeats nothing any more. */
  end(): void {
    for (const { timer } of this.#buckets.values()) clearInterval(timer);
    this.#buckets.clear();
  }
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
    absence: absenceTime(bucket.window),
    settling: settlingTime(bucket.window),
  });
}

function machineArgument(machine: MachineState | undefined) {
  if (machine === undefined) return undefined;
  const { id, epoch, steps, machines, hasLocalPermits, leaves } = machine;
  return { id: String(id), epoch, steps, machines, has_local_permits: hasLocalPermits, leaves };
}
