/** The permits of all machines that share a Redis or Valkey server: alone, found through Sentinel, or a cluster. */
import { createHash } from "node:crypto";
import { createClient, createCluster, type RedisClientOptions } from "@redis/client";
import { toHour } from "../../../base/index.ts";
import { NO_ANSWER, parseRedisAddress, type RedisAddress } from "./redis-address.ts";
import { UnreadableReplyError } from "./redis-replies.ts";
import { redisKeys, SCRIPT, UNLIMITED, USER_HOURS, USERS_SCRIPT, usersKey } from "./redis-script.ts";
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
  SERVER_TIMEOUT_MS,
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
      return { connection, offset: parseTime(reply) - performance.now() };
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

/** Runs a script at a server, over a connection that is opened again after it was lost. */
export interface RedisScript {
  /** @throws when the server cannot be reached, does not answer in time, or refuses the script */
  run(keys: readonly string[], argument: string): Promise<unknown>;
  close(): void;
}

/** Returns what runs a script; it connects when it first runs. */
export function openRedisScript(url: string, script: string, options: ConnectOptions = {}): RedisScript {
  let current: Promise<RedisConnection> | undefined;
  const discard = (connection: typeof current) => {
    if (current === connection) current = undefined;
    connection?.then((one) => one.close()).catch(() => {});
  };
  return {
    async run(keys, argument) {
      current ??= connectRedis(url, options);
      const opened = current;
      try {
        return await withTimeout((await opened).eval(script, { keys: [...keys], arguments: [argument] }));
      } catch (error) {
        discard(opened);
        throw error;
      }
    },
    close: () => discard(current),
  };
}

/**
 * Reads what each user of an account used in the last hours, as user, requests and units.
 * @throws when the server cannot be reached, does not answer in time, or refuses the script
 */
export async function readUsers(
  url: string,
  { account, now, ...options }: ConnectOptions & { readonly account: string; readonly now: number },
): Promise<readonly (readonly [user: string, requests: number, units: number])[]> {
  const script = openRedisScript(url, USERS_SCRIPT, options);
  try {
    const hour = toHour(now);
    const keys = Array.from({ length: USER_HOURS }, (_, at) => usersKey(account, hour - at));
    const reply = await script.run(keys, "");
    const counts = new Map<string, number>();
    const values = Array.isArray(reply) ? reply.map(String) : [];
    for (let at = 0; at + 1 < values.length; at += 2) {
      const name = values[at] ?? "";
      counts.set(name, (counts.get(name) ?? 0) + Number(values[at + 1]));
    }
    const users = new Set([...counts.keys()].map((name) => name.slice(1)));
    return [...users].map((user) => [user, counts.get(`r${user}`) ?? 0, counts.get(`u${user}`) ?? 0]);
  } finally {
    script.close();
  }
}

/** Returns the time of a server in milliseconds. @throws for a reply that is none */
function parseTime(reply: unknown): number {
  const seconds = Array.isArray(reply) ? Number(reply[0]) : Number.NaN;
  if (!Number.isSafeInteger(seconds)) throw new UnreadableReplyError();
  return seconds * 1000;
}

const STEP_NUMBERS = ["interactive", "background", "wait", "pollAfter", "remaining", "units"] as const;

/** Parses a reply of the script. @throws for one that grants more than was requested, or is none */
function parseStep(reply: unknown, { interactive, background }: StepRequest): StepResult {
  const result = JSON.parse(String(reply)) as StepResult;
  const isCounted = STEP_NUMBERS.every((name) => Number.isFinite(result?.[name]) && result[name] >= 0);
  if (isCounted && result.interactive <= interactive.length && result.background <= background.length) return result;
  throw new UnreadableReplyError();
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
  const input = {
    keys: redisKeys(bucket.account, utcDay(now), toHour(now)),
    arguments: [scriptArgument(bucket, request)],
  };
  try {
    return parseStep(await connection.evalSha(SHA, input), request);
  } catch (error) {
    if (!String(error).includes("NOSCRIPT")) throw error;
    return parseStep(await connection.eval(SCRIPT, input), request);
  }
}

/** The script's argument. Ids are strings, because Lua would round them. */
function scriptArgument(bucket: RateLimitBucket, request: StepRequest): string {
  return JSON.stringify({
    owner: String(bucket.owner),
    user: bucket.user,
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

interface ScriptInput {
  readonly keys: string[];
  readonly arguments: string[];
}

interface RedisConnection {
  /** Whether a script can be run; false after the connection was closed. */
  readonly isReady: boolean;
  eval(script: string, input: ScriptInput): Promise<unknown>;
  evalSha(sha: string, input: ScriptInput): Promise<unknown>;
  close(): void;
}

interface ConnectOptions {
  /** Certificates of authorities that are trusted besides those of the system, in PEM form. */
  readonly caCert?: string | undefined;
}

/** Connects to a server. @throws when it cannot be reached or denies access */
async function connectRedis(text: string, options: ConnectOptions): Promise<RedisConnection> {
  const address = parseRedisAddress(text);
  const tls = address.isTls ? await tlsOptions(options) : {};
  if (address.kind === "cluster") return connectCluster(address, tls);
  const server = address.kind === "sentinel" ? await findMaster(address, tls) : address.hosts[0];
  const client = await connect({ ...clientOptions(address), socket: socketOptions(server ?? address, tls) });
  // An idle socket does not hold the process.
  client.unref();
  return {
    get isReady() {
      return client.isReady;
    },
    eval: (script, input) => client.eval(script, input),
    evalSha: (sha, input) => client.evalSha(sha, input),
    close: () => client.destroy(),
  };
}

type TlsOptions = { readonly tls?: true; readonly ca?: string[] };
type Target = { readonly host: string; readonly port: number } | Pick<RedisAddress, "socket">;

async function tlsOptions({ caCert }: ConnectOptions): Promise<TlsOptions> {
  if (caCert === undefined) return { tls: true };
  const { getCACertificates } = await import("node:tls");
  return { tls: true, ca: [...getCACertificates("default"), caCert] };
}

function socketOptions(target: Target, tls: TlsOptions): NonNullable<RedisClientOptions["socket"]> {
  if ("host" in target) return { reconnectStrategy: false, ...tls, host: target.host, port: target.port };
  return { reconnectStrategy: false, path: target.socket ?? "" };
}

const clientOptions = ({ username, password, database }: RedisAddress) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(database === undefined ? {} : { database }),
  disableOfflineQueue: true,
});

async function connect(options: RedisClientOptions) {
  const client = createClient(options);
  let failure: unknown;
  // A failure between two steps surfaces in the next one. What follows an unreadable reply cannot be read either.
  client.on("error", (error) => {
    failure ??= error;
    if (client.isOpen) client.destroy();
  });
  try {
    await withTimeout(client.connect());
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw failure ?? error;
  }
}

/** Asks the sentinels, one after the other, which server is the master. @throws the last failure when none knows */
async function findMaster(address: RedisAddress, tls: TlsOptions): Promise<{ host: string; port: number }> {
  const { hosts, name = "", sentinelUsername: username, sentinelPassword: password } = address;
  let failure: unknown;
  for (const sentinel of hosts) {
    try {
      const options = clientOptions({ ...address, username, password, database: undefined });
      const client = await connect({ ...options, socket: socketOptions(sentinel, tls) });
      try {
        const reply = await withTimeout(
          client.sendCommand<string[] | null>(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", name]),
        );
        if (reply) return parseMaster(reply);
        failure = new Error(`the sentinel ${sentinel.host}:${sentinel.port} knows no server named ${name}`);
      } finally {
        client.destroy();
      }
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Parses what a sentinel says. @throws UnreadableReplyError for anything but a host and a port */
function parseMaster([host, port]: readonly unknown[]): { host: string; port: number } {
  const number = Number(port);
  if (typeof host !== "string" || !(Number.isInteger(number) && number > 0 && number < 65_536))
    throw new UnreadableReplyError();
  return { host, port: number };
}

async function connectCluster(address: RedisAddress, tls: TlsOptions): Promise<RedisConnection> {
  const { hosts, username, password } = address;
  const { host: _, port: __, ...socket } = { host: "", port: 0, ...socketOptions({ host: "", port: 0 }, tls) };
  const cluster = createCluster({
    rootNodes: hosts.map((target) => ({ socket: socketOptions(target, tls) })),
    defaults: { ...clientOptions({ ...address, username, password, database: undefined }), socket },
    minimizeConnections: true,
  });
  let isOpen = true;
  const close = (error: unknown) => {
    if (!(error instanceof UnreadableReplyError) || !isOpen) return;
    isOpen = false;
    cluster.destroy();
  };
  cluster.on("error", close);
  cluster.on("node-error", close);
  try {
    await withTimeout(cluster.connect());
  } catch (error) {
    cluster.destroy();
    throw error;
  }
  return {
    get isReady() {
      return isOpen;
    },
    eval: (script, input) => cluster.eval(script, input),
    evalSha: (sha, input) => cluster.evalSha(sha, input),
    close() {
      if (isOpen) cluster.destroy();
      isOpen = false;
    },
  };
}

/** Parts of the limit for an answer. */
const TICKS = 10;

/**
 * Rejects when the server does not answer in time. The limit is counted in parts of which none is made up for: time in
 * which a busy machine did not run this process does not count, and an answer that arrived meanwhile is read first. The
 * timer holds the process.
 */
async function withTimeout<T>(action: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    let ticks = 0;
    timer = setInterval(() => {
      ticks += 1;
      if (ticks === TICKS) reject(new Error(NO_ANSWER));
    }, SERVER_TIMEOUT_MS / TICKS);
  });
  try {
    return await Promise.race([action, timeout]);
  } finally {
    clearInterval(timer);
    action.catch(() => {});
  }
}
