/**
 * The tables of a ledger in ClickHouse, from the same description as those in SQLite. Rows of blocks are in tables that
 * only grow. What is known about accounts and tokens comes with the slot of who knew it: views of the tables' names
 * select what is known last. Statistics are computed from the rest, and replace the former ones.
 */

import { ALL_TABLES, type Column, firstPosition, INDEXES, isPosition, SLOTS_PER_EPOCH, SOL } from "../store/schema.ts";
import { addressSql } from "./keys.ts";
import { STATISTICS } from "./statistics.ts";

/** Increases when the tables change: a database of another version is not used. */
export const STORE_VERSION = 6;

const TYPES: Readonly<Record<Column["type"], string>> = {
  integer: "Int64",
  flag: "UInt8",
  text: "String",
  real: "Float64",
  any: "Int128",
  blob: "String",
  key: "UInt256",
  kind: "UInt256",
  transaction: "Int64",
  row: "Int64",
};

/** Tables of simulated chains, of prices, and of the writer's own work. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["voters", "prices", "epoch_stakes", "wealth", "token_traders", "stale_holdings", "program_users"],
]);

/** Lists of balances are those of a token. */
const ORDERS: Readonly<Record<string, readonly string[]>> = { balances: ["token_id", "account_id"] };

/** How a table is stored. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Rows of blocks, which are never changed; statistics; or what is known last. */
  readonly kind: "rows" | "statistics" | "state" | "empty";
  /** The table that rows are inserted into. */
  readonly target: string;
  /** The column by which a row belongs to a slot. */
  readonly position: Column | undefined;
  /** The columns by which rows are ordered. */
  readonly order: readonly string[];
}

function describeTable(name: string, described: readonly Column[]): StoredTable {
  // The address of an account is its key.
  const columns = described.filter((column) => name !== "accounts" || column.name !== "address");
  const position = columns.find(isPosition);
  const isStatistic = STATISTICS.some(({ table }) => table === name);
  const kind = LEFT_OUT.has(name) ? "empty" : isStatistic ? "statistics" : position ? "rows" : "state";
  const order = ORDERS[name] ?? columns.filter(({ isKey }) => isKey).map((column) => column.name);
  return { name, columns, kind, position, order, target: kind === "state" ? `${name}_known` : name };
}

/** All tables. */
export const STORED_TABLES: readonly StoredTable[] = [...ALL_TABLES].map(([name, columns]) =>
  describeTable(name, columns),
);

/** The tables whose rows come from writers. */
export const SHIPPED_TABLES: readonly StoredTable[] = STORED_TABLES.filter(
  ({ kind }) => kind === "rows" || kind === "state",
);

/** Returns the SQL for the slot of a position. */
const slotOfPosition = (position: Column): string => `intDiv(${position.name}, ${firstPosition(position, 1)})`;

const typeOf = ({ type, isOptional }: Column): string => (isOptional ? `Nullable(${TYPES[type]})` : TYPES[type]);

/** Bytes of keys that are compressed together: the same ones come back after some blocks. */
const KEYS_TOGETHER = 2 * 1024 * 1024;

/** Rows that are read for one of them, and bytes of what is known last: those of a page are far apart. */
const ROWS_TOGETHER = { rows: 1024, state: 256 } as const;
const STATE_TOGETHER = 16 * 1024;

/** Returns how a column is compressed. Positions differ little from row to row. */
function compressionOf({ type, name }: Column, { kind, order }: Pick<StoredTable, "kind" | "order">): string {
  if (type === "row" || type === "transaction" || name === "slot") return "CODEC(Delta, ZSTD)";
  if (kind !== "rows" || order[0] === name || type !== "key") return "CODEC(ZSTD)";
  return `CODEC(ZSTD(3)) SETTINGS (min_compress_block_size = ${KEYS_TOGETHER}, max_compress_block_size = ${KEYS_TOGETHER})`;
}

const columnsSql = (table: StoredTable): string =>
  table.columns.map((column) => `${column.name} ${typeOf(column)} ${compressionOf(column, table)}`).join(", ");

/** The owner of SOL is its account: SQLite's value of the column, and the one that is stored, as the column. */
export const STORED_OWNER = `iif(token_id = ${SOL}, 0, owner_id)`;
const ownerSql = (table: string) => `if(${table}.owner_id = 0, ${table}.account_id, ${table}.owner_id)`;

/** The first columns of indexes beside the key, by table. */
const SECOND_ORDERS: ReadonlyMap<string, readonly string[]> = readOrders();

function readOrders() {
  const orders = new Map<string, string[]>();
  for (const [, table = "", column = ""] of INDEXES.matchAll(/INDEX \w+ ON (\w+) \((\w+)/g)) {
    const known = orders.get(table) ?? [];
    if (!known.includes(column)) orders.set(table, [...known, column]);
  }
  return orders;
}

/** Returns the columns of a table that lists are read by, beside its order. */
export const secondOrders = ({ name, order, columns }: StoredTable): readonly string[] =>
  (SECOND_ORDERS.get(name) ?? []).filter(
    (column) => column !== order[0] && columns.some((each) => each.name === column && each.type !== "any"),
  );

/** The columns that a second order of rows of blocks has beside the position: what the rows of a key are filtered by. */
const COVERED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  account_keys: { account_id: ["flags"] },
  balance_changes: { account_id: ["token_id"], owner_id: ["token_id"], token_id: ["pre", "post"] },
  transfers: { token_id: ["type"] },
};

/** Returns the columns that can be read of a second order: its own, the position and others. */
export const columnsInOrder = ({ name, position }: StoredTable, column: string): readonly string[] =>
  position === undefined ? [] : [column, position.name, ...(COVERED[name]?.[column] ?? [])];

/** The numbers of the last inserts that are recognised when they are sent again. */
const REMEMBERED_INSERTS = 10_000;

/** Whether a row is of a writer that knew everything before it, and the slot after the last one it knew. */
const STATE_COLUMNS = "is_complete UInt8, known_at Int64 CODEC(Delta, ZSTD)";

/** The version of the blocks that a row is of: another one after each removal of blocks by its writer. */
const FORK_COLUMN = "fork UInt32 CODEC(ZSTD)";

/**
 * What a database contains: the ranges of slots that a writer has announced and completed, of which the last ones are
 * kept, and the first; those whose blocks the chain has dropped; the slots without gaps that are final, of which ranges
 * that touch become one; and sums that statistics are of. `final` is the slot before which a writer drops none.
 */
const OWN_TABLES = [
  {
    name: "ranges",
    body: `from Int64, end Int64, writer String, number UInt32, fork UInt32, final Int64,
      is_first UInt8, is_complete UInt8, is_done UInt8`,
    engine: "ReplacingMergeTree(number)",
    order: "writer, is_done, is_first",
  },
  {
    name: "dropped",
    body: "from Int64, end Int64, writer String, fork UInt32, is_removed UInt8, at DateTime DEFAULT now()",
    engine: "ReplacingMergeTree(is_removed)",
    order: "writer, fork",
  },
  { name: "covered", body: "from Int64, end Int64", engine: "ReplacingMergeTree(end)", order: "from" },
  {
    name: "leases",
    body: `from Int64, end Int64, worker String, first SimpleAggregateFunction(min, DateTime64(3)) DEFAULT now64(3),
      at SimpleAggregateFunction(max, DateTime64(3)) DEFAULT now64(3)`,
    engine: "AggregatingMergeTree",
    order: "from, end, worker",
  },
  { name: "token_sums", body: "token_id UInt256, added Int128", engine: "MergeTree", order: "token_id" },
  { name: "token_holders", body: "token_id UInt256, holders Int64", engine: "MergeTree", order: "token_id" },
  { name: "large_amounts", body: "token_id UInt256, amount Int128", engine: "MergeTree", order: "token_id" },
] as const;

/** The ranges that are being written. A writer announces one when the one before is complete. */
export const UNFINISHED = `SELECT argMax(from, (number, is_done)) AS from, argMax(end, (number, is_done)) AS end,
  argMax(fork, (number, is_done)) AS fork FROM ranges GROUP BY writer HAVING argMax(is_done, (number, is_done)) = 0`;

/** The rows of an opening: they are known at its slot. */
export const OPENINGS = ["balances", "supplies"]
  .map((name) => `SELECT known_at FROM opening_${name}_known`)
  .join(" UNION ALL ");

/** What the chain has dropped, as far as its rows have not been removed. */
export const DROPPED = "SELECT from, end, fork FROM dropped FINAL WHERE is_removed = 0";

/** What has been replaced of it: the first range of the next fork is complete. */
export const REPLACED = `${DROPPED} AND fork NOT IN (SELECT argMax(fork, number) FROM ranges WHERE is_done GROUP BY writer)`;

/** The slots between those that are covered, in the form of the property of ledgers. */
const GAPS = `SELECT toJSONString(groupArray(CAST((reached, next - 1), 'Tuple(from Int64, to Int64)'))) FROM (
  SELECT max(end) OVER (ORDER BY from, end ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reached,
    leadInFrame(from) OVER (ORDER BY from, end ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS next FROM covered)
  WHERE next > reached`;

/**
 * Returns the SQL of a second order. Rows of blocks have their positions in it, so that the newest ones of an account
 * are read without the others. A signature is found by its hash, which is an eighth as long.
 */
function orderSql(name: string, table: StoredTable): string {
  const { kind, columns, position } = table;
  const isText = kind === "rows" && columns.some((column) => column.name === name && column.type === "text");
  if (isText)
    return `${name}_hash UInt64 MATERIALIZED sipHash64(${name}) CODEC(NONE), PROJECTION by_${name} INDEX ${name}_hash TYPE basic`;
  if (kind !== "rows") return `PROJECTION by_${name} INDEX ${name} TYPE basic`;
  // Forks are part of what a statement sees while others write.
  const stored = [...columnsInOrder(table, name), "fork"].join();
  return `PROJECTION by_${name} (SELECT ${stored} ORDER BY ${name}, ${position?.name}) WITH SETTINGS (index_granularity = ${ROWS_TOGETHER.rows})`;
}

/** What leads to the rows of a table that have much of a column, without an order of its own. */
const LARGEST: Readonly<Record<string, string>> = { balances: "amount" };
const largestSql = (column: string) => `INDEX largest_${column} ${column} TYPE minmax GRANULARITY 1`;

/** How indexes are compressed. */
const INDEXED = "default_compression_codec = 'ZSTD(3)'";

/** Returns the statements of a table. */
function tableSql(table: StoredTable, cluster: string | undefined): readonly string[] {
  const { kind, target, order, position } = table;
  const indexes =
    kind === "statistics" || kind === "empty" ? [] : secondOrders(table).map((name) => orderSql(name, table));
  const own = { state: [STATE_COLUMNS, FORK_COLUMN], rows: [FORK_COLUMN], statistics: [], empty: [] }[kind];
  const largest = kind === "state" && LARGEST[table.name];
  const body = [columnsSql(table), ...own, ...indexes, ...(largest ? [largestSql(largest)] : [])].join(", ");
  const sorted = order.join();
  if (kind === "state")
    return [
      ...createTable(target, body, "ReplacingMergeTree", cluster, {
        order: `${sorted}, known_at, is_complete, fork`,
        shard: shardSql(table),
        rest: `PRIMARY KEY (${sorted}) SETTINGS ${INDEXED}, index_granularity = ${ROWS_TOGETHER.state},
          min_compress_block_size = ${STATE_TOGETHER}, max_compress_block_size = ${STATE_TOGETHER}, deduplicate_merge_projection_mode = 'rebuild'`,
      }),
      viewSql(table, cluster),
    ];
  if (kind !== "rows" || !position) {
    // A window of tokens is replaced without the others.
    const partition = order[0] === "span" ? "PARTITION BY span" : "";
    return createTable(target, body, "MergeTree", cluster, { order: sorted, partition });
  }
  const epoch = `PARTITION BY intDiv(${slotOfPosition(position)}, ${SLOTS_PER_EPOCH})`;
  const window = `${cluster === undefined ? "non_" : ""}replicated_deduplication_window = ${REMEMBERED_INSERTS}`;
  const rest = `SETTINGS ${INDEXED}, index_granularity = ${ROWS_TOGETHER.rows}, ${window}`;
  return [
    ...createTable(target, body, "MergeTree", cluster, {
      ...{ order: sorted, partition: epoch, rest },
      shard: shardSql(table),
    }),
    ...(cluster === undefined
      ? []
      : [`CREATE OR REPLACE VIEW ${target}${COLLECTED}${onCluster(cluster)} AS SELECT * FROM ${target}`]),
  ];
}

/**
 * Returns the statement that deletes rows. `DELETE FROM` would mark them only, and second orders would still have them.
 */
export const deletionSql = (target: string, cluster: string | undefined, condition: string): string =>
  `ALTER TABLE ${partName(target, cluster)}${onCluster(cluster)} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`;

/** Returns the end of a statement that all servers of a cluster execute. */
export const onCluster = (cluster: string | undefined): string =>
  cluster === undefined ? "" : ` ON CLUSTER ${cluster}`;

/** Returns the name of the table that has a shard's part of the rows of a table. */
export const partName = (target: string, cluster: string | undefined): string =>
  cluster === undefined ? target : `${target}_part`;

/** What follows the name of a table in that of the view whose rows are collected by the server that is asked. */
const COLLECTED = "_collected";

const NAMED_ROWS = new RegExp(
  String.raw`\b(FROM|JOIN) (${STORED_TABLES.flatMap(({ kind, name }) => (kind === "rows" ? [name] : [])).join("|")})\b( (?:AS )?(?!(?:WHERE|ORDER|GROUP|INNER|LEFT|CROSS|ON|LIMIT|UNION|HAVING)\b)\w+)?`,
  "g",
);

/** Returns a statement of a cluster that shards cannot execute on their own: its rows are collected first. */
export const collectRows = (sql: string): string =>
  sql.replace(NAMED_ROWS, (_, word, table, alias = ` AS ${table}`) => `${word} ${table}${COLLECTED}${alias}`);

/** Returns the SQL for what decides on which shard of a cluster a row is: the slot of blocks, or the first key. */
export const shardSql = ({ position, order: [first = ""] }: StoredTable): string =>
  position ? slotOfPosition(position) : `cityHash64(${first})`;

/** How rows of a table are kept. */
interface Storage {
  readonly order: string;
  readonly partition?: string;
  readonly rest?: string;
  /** What decides on which shard a row is; without it, each server has all rows. */
  readonly shard?: string;
}

/** Returns the statements of a table; on a cluster, of its parts, and of the table that has them all. */
function createTable(
  name: string,
  body: string,
  engine: string,
  cluster: string | undefined,
  { order, partition = "", rest = "", shard }: Storage,
): readonly string[] {
  const create = (table: string, engineSql: string) =>
    `CREATE TABLE IF NOT EXISTS ${table}${onCluster(cluster)} (${body}) ENGINE = ${engineSql} ${partition} ORDER BY (${order}) ${rest}`;
  if (cluster === undefined) return [create(name, engine)];
  if (shard === undefined) return [create(name, onAllServers(engine))];
  const part = partName(name, cluster);
  return [
    create(part, `Replicated${engine}`),
    `CREATE TABLE IF NOT EXISTS ${name}${onCluster(cluster)} AS ${part} ENGINE = Distributed(${cluster}, currentDatabase(), ${part}, ${shard})`,
  ];
}

/** Returns the engine of a table of which each server has a copy, whatever its shard. */
function onAllServers(engine: string): string {
  const [name, version = ""] = engine.split(/[()]/);
  const arguments_ = ["'/clickhouse/tables/{uuid}/all'", "'{shard}-{replica}'", ...(version && [version])];
  return `Replicated${name}(${arguments_.join(", ")})`;
}

/**
 * Returns the statement of the view of what is known last. NULL of a writer that began in the middle of the chain says
 * nothing.
 */
function viewSql({ name, columns, order, target }: StoredTable, cluster: string | undefined): string {
  const values = columns.map((column) => {
    if (order.includes(column.name)) return column.name;
    const stored = name === "balances" && column.name === "owner_id" ? ownerSql(target) : `${target}.${column.name}`;
    if (!column.isOptional) return `argMax(${stored}, known_at) AS ${column.name}`;
    const isKnown = `is_complete OR isNotNull(${target}.${column.name})`;
    return `argMaxIf(tuple(${target}.${column.name}), known_at, ${isKnown}).1 AS ${column.name}`;
  });
  const gaps = name === "meta" ? ` UNION ALL SELECT 'gaps', (${GAPS})` : "";
  return `CREATE OR REPLACE VIEW ${name}${onCluster(cluster)} AS
    SELECT ${[...values, ...(name === "accounts" ? [`${addressSql("id")} AS address`] : [])].join(", ")} FROM ${target} GROUP BY ${order.join()}${gaps}`;
}

/** Returns the statements that create the tables of a database. @param cluster whose servers have the same tables */
export const createStatements = (cluster?: string): readonly string[] => [
  ...OWN_TABLES.flatMap(({ name, body, engine, order }) => createTable(name, body, engine, cluster, { order })),
  ...STORED_TABLES.flatMap((table) => tableSql(table, cluster)),
];
