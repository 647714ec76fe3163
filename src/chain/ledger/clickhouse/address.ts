/** The address of a database of a ClickHouse server. */
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

/** The environment variable of the password. */
export const PASSWORD_VARIABLE = "SOLX_CLICKHOUSE_PASSWORD";

/** What to do without the right password. */
export const PASSWORD_HINT = `Set ${PASSWORD_VARIABLE}, or save the password: solx auth login --store clickhouse://user@host:8123/database`;

/** Whether a text is the address of a database, rather than the name of an index on this machine. */
export const isStoreAddress = (text: string): boolean => /^clickhouses?:\/\//i.test(text);

/**
 * Returns the address in a text such as `clickhouse://user@host:8123/solana`.
 * @throws UsageError for an invalid one, and for one with a password: others see the arguments of a command
 */
export function parseStoreAddress(text: string, password: string | undefined): StoreAddress {
  const url = URL.parse(text);
  const invalid = (reason: string) =>
    new UsageError(`invalid address of a ClickHouse database: ${reason}`, {
      hint: "Expected clickhouse://user@host:8123/database, or clickhouses:// for TLS.",
    });
  const scheme = SCHEMES[url?.protocol ?? ""];
  if (!url || scheme === undefined) throw invalid("it does not begin with clickhouse://");
  if (url.hostname === "") throw invalid("it has no host");
  if (url.password !== "")
    throw new UsageError("the address of a ClickHouse database must not contain a password", {
      code: "PASSWORD_IN_ADDRESS",
      hint: PASSWORD_HINT,
    });
  const database = url.pathname.slice(1) || "solana";
  const cluster = url.searchParams.get("cluster") ?? undefined;
  for (const name of [database, cluster ?? database]) if (!NAME.test(name)) throw invalid(`${name} is no name`);
  const port = url.port || (scheme === "https:" ? DEFAULT_SECURE_PORT : DEFAULT_PORT);
  const user = decodeURIComponent(url.username) || "default";
  return { url: `${scheme}//${url.hostname}:${port}`, user, password, database, cluster };
}
