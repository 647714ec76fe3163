/** Addresses of Redis and Valkey servers, and the reasons why one is lost. The client library is not loaded here. */
import { UsageError } from "../../../base/index.ts";
import { SERVER_TIMEOUT_MS } from "./store.ts";

/** How a server is reached, from its address. */
export interface RedisAddress {
  readonly kind: "server" | "sentinel" | "cluster";
  readonly isTls: boolean;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly socket?: string | undefined;
  /** The name of the server that the sentinels watch. */
  readonly name?: string | undefined;
  readonly database?: number | undefined;
  readonly sentinelUsername?: string | undefined;
  readonly sentinelPassword?: string | undefined;
}

const ADDRESS =
  /^(?<scheme>redis|valkey|unix)(?<tls>s?)(\+(?<kind>sentinel|cluster))?:\/\/((?<user>[^@/]*)@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(\?(?<query>[^#]*))?$/;
const HOST = /^(\[(?<v6>[\da-fA-F:.]+)\]|(?<host>[^:[\]]+))(:(?<port>\d+))?$/;
const PORTS = { server: 6379, cluster: 6379, sentinel: 26_379 } as const;

/**
 * Parses an address: `redis://[user:password@]host[:port][/database]`, `unix://[user:password@]/path[?db=number]`,
 * `redis+sentinel://host[:port],…/name[/database]` or `redis+cluster://host[:port],…`; `rediss` connects with TLS, and
 * `valkey` is the same as `redis`.
 * @throws UsageError for everything else
 */
export function parseRedisAddress(text: string): RedisAddress {
  const { scheme, tls, user = "", hosts = "", path = "", query = "", ...rest } = ADDRESS.exec(text)?.groups ?? {};
  const kind = (rest.kind ?? "server") as RedisAddress["kind"];
  const credentials = parseCredentials(user);
  const parameters = new URLSearchParams(query);
  const isTls = tls === "s";
  if (scheme === "unix" && !isTls && rest.kind === undefined && hosts === "" && path.length > 1) {
    const database = parseDatabase(parameters.get("db") ?? "");
    return { kind, isTls, ...credentials, hosts: [], socket: decodeURIComponent(path), database };
  }
  const parsed = hosts.split(",").map((host) => HOST.exec(host)?.groups);
  const [first = "", second = ""] = path.slice(1).split("/");
  const isComplete =
    parsed.every((host) => host !== undefined) && (kind === "sentinel") === (first !== "" && !/^\d+$/.test(first));
  if (scheme === undefined || scheme === "unix" || !isComplete || (kind === "server" && parsed.length > 1)) {
    throw addressError();
  }
  return {
    kind,
    isTls,
    ...credentials,
    hosts: parsed.map((host) => ({ host: host?.v6 ?? host?.host ?? "", port: Number(host?.port ?? PORTS[kind]) })),
    name: kind === "sentinel" ? decodeURIComponent(first) : undefined,
    database: parseDatabase(kind === "sentinel" ? second : first),
    sentinelUsername: parameters.get("sentinel-username") ?? undefined,
    sentinelPassword: parameters.get("sentinel-password") ?? undefined,
  };
}

function parseCredentials(text: string): Pick<RedisAddress, "username" | "password"> {
  const [username = "", ...password] = text.split(":");
  return {
    username: username === "" ? undefined : decodeURIComponent(username),
    password: password.length === 0 ? undefined : decodeURIComponent(password.join(":")),
  };
}

function parseDatabase(text: string): number | undefined {
  if (text === "") return undefined;
  if (!/^\d+$/.test(text)) throw addressError();
  return Number(text);
}

function addressError(): UsageError {
  return new UsageError("Not the address of a Redis or Valkey server.", {
    code: "BAD_OPTION",
    hint: "Use redis://host:6379, rediss://host:6379 (TLS), unix:///path, redis+sentinel://host:26379/name or redis+cluster://host:6379.",
  });
}

/** Returns an address without its credentials. */
export function displayRedisAddress(text: string): string {
  return text.replace(/^([\w+]+:\/\/)[^@/]*@/, "$1").replace(/\?.*$/, "");
}

/** The reason of a server that does not answer. */
export const NO_ANSWER = `no answer within ${SERVER_TIMEOUT_MS} ms`;
const CLOSED = "the connection was closed";

/** What failures of a connection mean, by the code of the system or the message of the library. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the name of the host cannot be resolved",
  ENOENT: "there is no such socket",
  EACCES: "access to the socket is denied",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the host",
  ETIMEDOUT: NO_ANSWER,
  "The client is closed": CLOSED,
  "The client is offline": CLOSED,
  "Disconnects client": CLOSED,
  "Socket closed unexpectedly": CLOSED,
  "Connection timeout": NO_ANSWER,
  "Too many Cluster redirections": "the nodes of the cluster refer to each other without end",
  "All the root nodes are unavailable": "no node of the cluster can be reached",
};

/** Returns why a server was lost, as the end of a sentence. */
export function describeLoss(cause: unknown): string {
  const { code, errors, message = "" } = cause as NodeJS.ErrnoException & { errors?: unknown[] };
  const reason = REASONS[code ?? ""] ?? REASONS[message];
  if (reason !== undefined) return reason;
  if (message === "" && errors?.[0] !== undefined) return describeLoss(errors[0]);
  return ((message || code || String(cause)).split("\n")[0] ?? "").replace(/\.$/, "");
}
