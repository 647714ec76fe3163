/**
 * The cluster `duo` of one ClickHouse without Keeper: two shards are the same server and have the same tables, of which
 * each sees the rows that would be its own. So `Distributed` tables are read as from two servers. What is written goes
 * to the tables at once, which are not replicated.
 */
import { Buffer } from "node:buffer";
import { partName, SHIPPED_TABLES, shardSql } from "../../../src/chain/ledger/clickhouse/tables.ts";
import type { Query } from "./server.ts";

const SHARD = "<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>";

/** The configuration, which the engine reads in the folder in which it is started. */
export const SHARDS_CONFIG = `<clickhouse><tcp_port>9000</tcp_port><remote_servers><duo>${SHARD}${SHARD}</duo></remote_servers></clickhouse>`;

const CLUSTER = "duo";
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/ ON CLUSTER \w+/g, ""],
  [/\bReplicated(\w*MergeTree)(?:\('[^']*', '[^']*'(?:, )?([^)]*)\))?/g, "$1($2)"],
  [/\breplicated_deduplication_window/g, "non_replicated_deduplication_window"],
  [
    new RegExp(`^INSERT INTO (${SHIPPED_TABLES.map(({ target }) => target).join("|")})\\b`),
    `INSERT INTO ${partName("$1", CLUSTER)}`,
  ],
];
const rewrite = (sql: string): string =>
  REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sql);

/** Returns what is executed of a query. */
export function onShards({ parameters, start, body }: Query): Query {
  const database = parameters.get("database") ?? "default";
  const given = new Map(
    [...(parameters.get("additional_table_filters") ?? "").matchAll(/'([^']+)': '([^']*)'/g)].map(
      ([, table = "", condition = ""]) => [table, condition],
    ),
  );
  const filters = SHIPPED_TABLES.map((table) => {
    const name = `${database}.${partName(table.target, CLUSTER)}`;
    const own = `toUInt8(${shardSql(table)} % 2) = shardNum() - 1`;
    return `'${name}': '${[own, given.get(name)].filter(Boolean).join(" AND ")}'`;
  });
  const settings = { additional_table_filters: `{${filters.join(", ")}}`, prefer_localhost_replica: "1" };
  return {
    parameters: new Map([...parameters, ...Object.entries(settings)]),
    start: rewrite(start),
    // The rest of an insert is rows.
    body: start === "" ? Buffer.from(rewrite(`${body}`)) : body,
  };
}
