/** The address of a database of a ClickHouse server. */
import querystring from "node:querystring";
import { UsageError } from "../../../base/index.ts";

/** Where a database is. */
export interface StoreAddress {
  /** The server, without user and database. */
  readonly url: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** The cluster of ClickHouse whose servers share the tables. */
  readonly cluster: string | undefined;
}

const SCHEMES: Readonly<Record<string, string>> = { "clickhouse:": "http:", "clickhouses:": "https:" };
const [DEFAULT_PORT, DEFAULT_SECURE_PORT] = ["8123", "8443"];
const NAME = /^[A-Za-z_]\w{0,99}$/;
/** A slash in a password would make its rest a path. */
const PASSWORD = /^\w+:\/\/[^@]*:[^@]*@|[?&#][^=]*(password|passwd|secret|token)[^=&]*=/i;
const PORT = /^\w+:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*)(?::([^/?#]*))?/;
const RESERVED = /^(system|information_schema|_temporary_and_external_tables)$/i;

/** The environment variable of the password. */
export const PASSWORD_VARIABLE = "SOLX_CLICKHOUSE_PASSWORD";

/** Whether a text is the address of a database, rather than the name of an index on this machine. */
export const isStoreAddress = (text: string): boolean => /^clickhouses?:\/\//i.test(text);

/** Returns an address as it is typed. */
export function formatStoreAddress({ url, user, database, cluster }: StoreAddress): string {
  const server = url.replace(/^http(s?:\/\/)/, `clickhouse$1${encodeURIComponent(user)}@`);
  return `${server}/${database}${cluster === undefined ? "" : `?cluster=${cluster}`}`;
}

/** Returns what to do without the right password. */
export const passwordHint = (address: string): string =>
  `Set ${PASSWORD_VARIABLE}, or save the password: solx auth login --store ${address}`;

/**
 * Returns the address in a text such as `clickhouse://user@host:8123/solana`.
 * @throws UsageError for an invalid one, and for one with a password: others see the arguments of a command
 */
export function parseStoreAddress(text: string, password: string | undefined): StoreAddress {
  const invalid = (reason: string) =>
    new UsageError(`invalid address of a ClickHouse database: ${reason}`, {
      hint: "Expected clickhouse://user@host:8123/database, or clickhouses:// for TLS.",
    });
  if (!isStoreAddress(text)) throw invalid("it does not begin with clickhouse://");
  if (PASSWORD.test(text))
    throw new UsageError("the address of a ClickHouse database must not contain a password", {
      code: "PASSWORD_IN_ADDRESS",
      hint: passwordHint("clickhouse://user@host:8123/database"),
    });
  const { protocol, hostname, port, username, pathname, searchParams } = parseServer(text, invalid);
  const unknown = [...searchParams.keys()].find((name) => name !== "cluster");
  if (unknown !== undefined) throw invalid(`unknown parameter ${JSON.stringify(unknown)}: only ?cluster=name is known`);
  const database = pathname.slice(1) || "solana";
  const cluster = searchParams.get("cluster") ?? undefined;
  for (const name of [database, cluster ?? database])
    if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name)} is no name: expected a letter or _, then letters, digits and _`);
  if (RESERVED.test(database)) throw invalid(`ClickHouse reserves the database ${database}`);
  const scheme = SCHEMES[protocol];
  const host = `${hostname}:${port || (scheme === "https:" ? DEFAULT_SECURE_PORT : DEFAULT_PORT)}`;
  const user = querystring.unescape(username) || "default";
  return { url: `${scheme}//${host}`, user, password, database, cluster };
}

function parseServer(text: string, invalid: (reason: string) => UsageError): URL {
  const port = PORT.exec(text)?.[1] ?? "";
  if (!/^\d*$/.test(port) || port === "0" || Number(port) > 65_535)
    throw invalid("the port is not a number from 1 to 65535");
  const url = URL.parse(text);
  if (url?.hostname === "") throw invalid("it has no host");
  if (!url || !URL.canParse(text.replace(/^\w+/, "http"))) throw invalid("the host is not valid");
  if (url.hash !== "") throw invalid("it has a fragment (#)");
  return url;
}
