/** A database of a ClickHouse server: its statements, and what its errors mean. */
import type { ClickHouseClient } from "@clickhouse/client";
import { AuthError, NetworkError, ServerError, SolxError } from "../../../base/index.ts";
import { PASSWORD_HINT, type StoreAddress } from "./address.ts";
import type { StatementResult } from "./batches.ts";
import { QUERY_SETTINGS } from "./dialect.ts";
import type { Statement } from "./reader.ts";
import type { RowBatch } from "./shipping.ts";
import { collectRows, partName } from "./tables.ts";

/** Runs a statement that is about no database of solx, in one that every server has. */
export async function runAnywhere(address: StoreAddress, sql: string, signal?: AbortSignal): Promise<void> {
  const server = await connectToStore({ ...address, database: "default" }, signal);
  try {
    await server.run(sql);
  } finally {
    await server.close();
  }
}

/** Seconds that a server has for an answer. */
const TIMEOUT_SECONDS = 120;

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

/** Connects to a server. Nothing is sent yet. */
export async function connectToStore(address: StoreAddress, signal?: AbortSignal): Promise<StoreServer> {
  const { createClient, ClickHouseLogLevel } = await import("@clickhouse/client");
  const client = createClient({
    url: address.url,
    username: address.user,
    ...(address.password !== undefined && { password: address.password }),
    database: address.database,
    request_timeout: TIMEOUT_SECONDS * 1000,
    application: "solx",
    log: { level: ClickHouseLogLevel.OFF },
  });
  const attempt = async <T>(action: (client: ClickHouseClient) => Promise<T>): Promise<T> => {
    try {
      return await action(client as ClickHouseClient);
    } catch (error) {
      throw signal?.aborted ? signal.reason : storeError(address, error);
    }
  };
  const abort = signal && { abort_signal: signal };
  const clusterSettings = address.cluster === undefined ? {} : CLUSTER_SETTINGS;
  const settingsWith = (sql: string, filters: Readonly<Record<string, string>>) => {
    const text = filterText(address, sql, filters);
    return { ...QUERY_SETTINGS, ...clusterSettings, ...(text && { additional_table_filters: `{${text}}` }) } as never;
  };
  return {
    address,
    ask: ({ sql, texts }, filters = {}) =>
      attempt(async (to) => {
        const ask = async (statement: string) => {
          const options = {
            query: statement,
            format: "JSONCompact",
            query_params: texts,
            clickhouse_settings: settingsWith(sql, filters),
            ...abort,
          };
          return (await to.query(options as never)).json() as Promise<StatementResult>;
        };
        return ask(sql).catch((error) => {
          if (address.cluster === undefined || error.code !== NOT_ON_SHARDS) throw error;
          return ask(collectRows(sql));
        });
      }),
    run: (query, filters = {}) =>
      attempt(
        async (to) => void (await to.command({ query, clickhouse_settings: settingsWith(query, filters), ...abort })),
      ),
    insert: ({ table, columns, bytes }, name) =>
      attempt(async (to) => {
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
        await to
          .exec({ query, values: Readable.from([bytes]) as never, clickhouse_settings: settings as never, ...abort })
          .then(({ stream }) => stream.resume());
      }),
    close: () => client.close(),
  };
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
const MEANINGS: Readonly<Record<string, (address: StoreAddress, text: string) => SolxError>> = {
  "516": ({ user }) =>
    new AuthError(`ClickHouse refused the password of the user ${user}.`, {
      code: "STORE_PASSWORD",
      hint: PASSWORD_HINT,
    }),
  // A setting that it does not know.
  "115": ({ url }) =>
    new ServerError(`ClickHouse at ${new URL(url).host} is too old: solx needs 26.7 or newer.`, { code: "STORE_OLD" }),
  "81": ({ database }) => noIndexError(database),
  "60": ({ database }) => noIndexError(database),
};

const noIndexError = (database: string) =>
  new SolxError("notFound", `The database ${database} has no index.`, {
    code: "NO_INDEX",
    hint: "To create one: solx index --rpc <node> --store clickhouse://user@host:8123/database",
  });

/** Codes of a server that has too little of something at the moment: memory, disk, queries, parts. */
const OVERLOADED = new Set(["159", "202", "241", "242", "243", "252", "319"]);

/** Returns the error for what a server answered, or for one that did not answer. */
function storeError(address: StoreAddress, cause: unknown): SolxError {
  if (cause instanceof SolxError) return cause;
  const { code, message = String(cause) } = cause as { readonly code?: string; readonly message?: string };
  const host = new URL(address.url).host;
  const meaning = MEANINGS[code ?? ""];
  if (meaning) return meaning(address, message);
  if (/^\d+$/.test(code ?? "")) {
    const [first = ""] = message.split("\n");
    return new ServerError(`ClickHouse at ${host} answered with an error: ${first.slice(0, 1500)}`, {
      code: OVERLOADED.has(code ?? "") ? "STORE_OVERLOADED" : "STORE",
      cause,
    });
  }
  return new NetworkError(`ClickHouse at ${host} does not answer: ${message}`, { code: "STORE_UNREACHABLE", cause });
}
