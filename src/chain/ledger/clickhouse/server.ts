/** A database of a ClickHouse server: its statements, and what its errors mean. */
import { text } from "node:stream/consumers";
import type { ClickHouseClient } from "@clickhouse/client";
import { AuthError, NetworkError, ServerError, SolxError } from "../../../base/index.ts";
import { formatStoreAddress, passwordHint, type StoreAddress } from "./address.ts";
import type { StatementResult } from "./batches.ts";
import { QUERY_SETTINGS } from "./dialect.ts";
import type { Statement } from "./reader.ts";
import type { RowBatch } from "./shipping.ts";
import { collectRows, partName } from "./tables.ts";

/** Runs a statement that is about no database of solx, in one that every server has. */
export const runAnywhere = (address: StoreAddress, sql: string, signal?: AbortSignal): Promise<void> =>
  useAnywhere(address, (server) => server.run(sql), signal);

/** Uses a server with the database that every server has. */
export async function useAnywhere<T>(
  address: StoreAddress,
  action: (server: StoreServer) => Promise<T>,
  signal?: AbortSignal,
  timeout?: number,
): Promise<T> {
  const server = await connectToStore({ ...address, database: "default" }, signal, timeout);
  try {
    return await action(server);
  } finally {
    await server.close();
  }
}

/** Seconds that a server has for an answer to a writer. */
const WRITE_TIMEOUT = 120;

/** A connection to a database. */
export interface StoreServer {
  readonly address: StoreAddress;
  /** Runs a statement of a query. @param filters conditions on rows, by table */
  ask(statement: Statement, filters?: Readonly<Record<string, string>>): Promise<StatementResult>;
  /** Executes a statement without an answer. @param filters conditions on rows that it reads, by table */
  run(sql: string, filters?: Readonly<Record<string, string>>): Promise<void>;
  /** Inserts rows. Rows that were inserted with the same name before are not inserted again. */
  insert(batch: RowBatch, name: string | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Connects to a server. Nothing is sent yet. @param timeout seconds that it has for an answer */
export async function connectToStore(
  address: StoreAddress,
  signal?: AbortSignal,
  timeout = WRITE_TIMEOUT,
): Promise<StoreServer> {
  const { createClient, ClickHouseLogLevel } = await import("@clickhouse/client");
  const client = createClient({
    url: address.url,
    username: address.user,
    ...(address.password !== undefined && { password: address.password }),
    database: address.database,
    request_timeout: timeout * 1000,
    application: "solx",
    log: { level: ClickHouseLogLevel.OFF },
  }) as ClickHouseClient;
  const clusterSettings = address.cluster === undefined ? {} : CLUSTER_SETTINGS;
  const settingsWith = (sql: string, filters: Readonly<Record<string, string>>) => {
    const rows = filterText(address, sql, filters);
    return { ...QUERY_SETTINGS, ...clusterSettings, ...(rows && { additional_table_filters: `{${rows}}` }) };
  };
  /** Sends a statement. Returns the body of the answer. */
  const send = async (query: string, settings: object, more: object = {}): Promise<string> => {
    const request = { query, clickhouse_settings: settings, ignore_error_response: true, ...more };
    try {
      const answer = await client.exec({ ...request, ...(signal && { abort_signal: signal }) } as never);
      const body = await text(answer.stream);
      const { http_status_code: status = 0, response_headers: headers } = answer;
      const code = headers["x-clickhouse-exception-code"] ?? /^Code: (\d+)\./.exec(body)?.[1];
      if (code !== undefined) throw answeredError(address, String(code), body);
      if (status < 200 || status > 299) throw foreignError(address, status, body);
      return body;
    } catch (error) {
      throw signal?.aborted
        ? signal.reason
        : error instanceof SolxError
          ? error
          : networkError(address, error, timeout);
    }
  };
  return {
    address,
    ask: async ({ sql, texts }, filters = {}) => {
      const ask = async (statement: string) => {
        const more = { query_params: texts };
        const body = await send(`${statement}\nFORMAT JSONCompact`, settingsWith(sql, filters), more);
        return readResult(address, body);
      };
      return ask(sql).catch((error) => {
        if (address.cluster === undefined || error.cause?.code !== NOT_ON_SHARDS) throw error;
        return ask(collectRows(sql));
      });
    },
    run: async (query, filters = {}) => void (await send(query, settingsWith(query, filters))),
    insert: async ({ table, columns, bytes }, name) => {
      const { Readable } = await import("node:stream");
      const settings = {
        ...clusterSettings,
        ...(name !== undefined && { insert_deduplication_token: name, insert_deduplicate: 1 }),
        // The rows are one block, which is stored or not, before the answer.
        async_insert: 0,
        max_insert_block_size: String(Number.MAX_SAFE_INTEGER),
        min_insert_block_size_rows: "0",
        min_insert_block_size_bytes: "0",
      };
      const query = `INSERT INTO ${table.target} (${columns.join()}) FORMAT RowBinary`;
      await send(query, settings, { values: Readable.from([bytes]) });
    },
    close: () => client.close(),
  };
}

/** Returns the rows of an answer. @throws ServerError when it is none of ClickHouse's */
function readResult(address: StoreAddress, body: string): StatementResult {
  let result: (StatementResult & { readonly exception?: string }) | null = null;
  try {
    result = JSON.parse(body);
  } catch {}
  if (Array.isArray(result?.meta) && Array.isArray(result.data) && result.exception === undefined) return result;
  // An error after the first rows follows them.
  const code = /Code: (\d+)\. DB::Exception/.exec(body.slice(-10_000))?.[1];
  throw code === undefined ? foreignError(address, 200, body) : answeredError(address, code, body);
}

/**
 * Settings of tables that are divided between shards: what is selected to compare or join is read from all of them, an
 * insert ends when they have it, and whoever reads or writes asks the same copy as long as it answers, so that nobody
 * misses what was written.
 */
const CLUSTER_SETTINGS = {
  distributed_product_mode: "global",
  prefer_global_in_and_join: 1,
  distributed_foreground_insert: 1,
  load_balancing: "in_order",
  prefer_localhost_replica: 0,
} as const;

/** The code of a statement that the shards of a cluster cannot execute: with a subquery about a row of another table. */
const NOT_ON_SHARDS = "48";

/**
 * Returns the conditions on the tables that a statement names, or whose views it names. Names have the database: without
 * it, they would be those of aliases too.
 */
const filterText = (
  { database, cluster }: StoreAddress,
  sql: string,
  filters: Readonly<Record<string, string>>,
): string =>
  Object.entries(filters)
    .filter(([table]) => sql.includes(table.replace(/_known$/, "")))
    .map(([table, condition]) => `'${database}.${partName(table, cluster)}': '${condition}'`)
    .join(", ");

/** What a code of the server means. */
const MEANINGS: Readonly<Record<string, (address: StoreAddress) => SolxError>> = {
  "516": (address) => {
    const refused = `ClickHouse refused the password of the user ${address.user}.`;
    const missing = `ClickHouse refused the user ${address.user}: no password is set.`;
    const hint = passwordHint(formatStoreAddress(address));
    return new AuthError(address.password === undefined ? missing : refused, { code: "STORE_PASSWORD", hint });
  },
  // A setting that it does not know.
  "115": ({ url }) =>
    new ServerError(`ClickHouse at ${hostOf(url)} is too old: solx needs 26.7 or newer.`, { code: "STORE_OLD" }),
  "81": (address) => noIndexError(address),
  "60": (address) => noIndexError(address),
};

const noIndexError = (address: StoreAddress) =>
  new SolxError("notFound", `The database ${address.database} has no index.`, {
    code: "NO_INDEX",
    hint: `To create one: solx index --rpc <node> --store ${formatStoreAddress(address)}`,
  });

const hostOf = (url: string): string => new URL(url).host;

/** Codes of a server that has too little of something at the moment: memory, disk, queries, parts. */
const OVERLOADED = new Set(["159", "202", "241", "242", "243", "252", "319"]);

/** Returns the error for a code of ClickHouse. */
function answeredError(address: StoreAddress, code: string, body: string): SolxError {
  const [, message = body] = /Exception: (.+?)\s*(\([A-Z_]{3,}\)|$)/s.exec(body) ?? [];
  const [first = ""] = message.split("\n");
  return (
    MEANINGS[code]?.(address) ??
    new ServerError(`ClickHouse at ${hostOf(address.url)} answered with an error: ${first.slice(0, 1500)}`, {
      code: OVERLOADED.has(code) ? "STORE_OVERLOADED" : "STORE",
      cause: { code },
    })
  );
}

/** Returns what a server said, in a line. */
const oneLine = (said: string): string =>
  said
    .slice(0, 5000)
    .replace(/<[^>]*>/g, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);

/** Returns the error for an answer that is none of ClickHouse's: of what is before it, or of another server. */
function foreignError({ url }: StoreAddress, status: number, body: string): SolxError {
  const said = `it answered with status ${status}${body.trim() === "" ? "" : `: ${oneLine(body)}`}`;
  if (status >= 500) return new NetworkError(`ClickHouse at ${hostOf(url)} does not answer: ${said}`, UNREACHABLE);
  return new ServerError(`${hostOf(url)} is not a ClickHouse server: ${said}`, { code: "STORE_FOREIGN", hint: PORTS });
}

const UNREACHABLE = { code: "STORE_UNREACHABLE" };
const PORTS = "solx uses the HTTP interface of ClickHouse: port 8123, or 8443 with clickhouses:// (TLS).";

/** Returns the error for a server that did not answer. */
function networkError({ url }: StoreAddress, cause: unknown, timeout: number): SolxError {
  const { code = "", message = String(cause) } = cause as { readonly code?: string; readonly message?: string };
  if (/^HPE_/.test(code))
    return new ServerError(`${hostOf(url)} is not a ClickHouse server: it does not speak HTTP`, {
      ...{ code: "STORE_FOREIGN", hint: PORTS, cause },
    });
  if (/SSL_WRONG_VERSION|^EPROTO$/.test(code))
    return new NetworkError(`ClickHouse at ${hostOf(url)} does not speak TLS on this port.`, {
      ...{ code: "STORE_TLS", hint: "Use clickhouse:// for a port without TLS.", retryable: false, cause },
    });
  const reason = message === "Timeout error." ? `no answer within ${timeout} seconds` : oneLine(message) || code;
  return new NetworkError(`ClickHouse at ${hostOf(url)} does not answer: ${reason}`, { ...UNREACHABLE, cause });
}
