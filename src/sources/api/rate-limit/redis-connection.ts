/** Connections to a Redis or Valkey server: alone, found through Sentinel, or a cluster. */
import { createClient, createCluster, type RedisClientOptions } from "@redis/client";
import { NO_ANSWER, parseRedisAddress, type RedisAddress } from "./redis-address.ts";
import { SERVER_TIMEOUT_MS } from "./store.ts";

/** What a script is run with. */
export interface ScriptInput {
  readonly keys: string[];
  readonly arguments: string[];
}

/** An open connection. */
export interface RedisConnection {
  /** Whether a script can be run; false after the connection was closed. */
  readonly isReady: boolean;
  eval(script: string, input: ScriptInput): Promise<unknown>;
  evalSha(sha: string, input: ScriptInput): Promise<unknown>;
  close(): void;
}

/** What a connection is opened with besides its address. */
export interface ConnectOptions {
  /** Certificates of authorities that are trusted besides those of the system, in PEM form. */
  readonly caCert?: string | undefined;
}

/**
 * Connects to a server.
 * @throws when it cannot be reached or denies access
 */
export async function connectRedis(text: string, options: ConnectOptions): Promise<RedisConnection> {
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
  const limits = { connectTimeout: SERVER_TIMEOUT_MS, reconnectStrategy: false } as const;
  if ("host" in target) return { ...limits, ...tls, host: target.host, port: target.port };
  return { ...limits, path: target.socket ?? "" };
}

const clientOptions = ({ username, password, database }: RedisAddress) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(database === undefined ? {} : { database }),
  disableOfflineQueue: true,
});

async function connect(options: RedisClientOptions) {
  const client = createClient(options);
  // A failure between two steps surfaces in the next one.
  client.on("error", () => {});
  try {
    await withTimeout(client.connect());
    return client;
  } catch (error) {
    client.destroy();
    throw error;
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
        if (reply) return { host: String(reply[0]), port: Number(reply[1]) };
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

async function connectCluster(address: RedisAddress, tls: TlsOptions): Promise<RedisConnection> {
  const { hosts, username, password } = address;
  const { host: _, port: __, ...socket } = { host: "", port: 0, ...socketOptions({ host: "", port: 0 }, tls) };
  const cluster = createCluster({
    rootNodes: hosts.map((target) => ({ socket: socketOptions(target, tls) })),
    defaults: { ...clientOptions({ ...address, username, password, database: undefined }), socket },
    minimizeConnections: true,
  });
  cluster.on("error", () => {});
  let isOpen = true;
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
      isOpen = false;
      cluster.destroy();
    },
  };
}

/** Rejects when the server does not answer in time. The timer holds the process while the answer is awaited. */
export async function withTimeout<T>(action: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(NO_ANSWER)), SERVER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([action, timeout]);
  } finally {
    clearTimeout(timer);
    action.catch(() => {});
  }
}
