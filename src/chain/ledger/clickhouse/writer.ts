/**
 * Writes ledgers into a database of ClickHouse, range by range. A range is announced before it is written: whoever
 * continues after an interruption sends the same rows again, of which the server stores none twice.
 */
import { ServerError, SolxError } from "../../../base/index.ts";
import { indexedGaps } from "../queries/coverage.ts";
import { LEDGER_VERSION } from "../store/schema.ts";
import type { Ledger } from "../store/store.ts";
import { connectToStore, type StoreAddress, type StoreServer } from "./server.ts";
import { isInRange, ROW_TABLES, readRange, type ShippedRange } from "./shipping.ts";
import { STATISTICS } from "./statistics.ts";
import { createStatements, STORE_VERSION } from "./tables.ts";

/** Attempts to send a range. */
const MAX_ATTEMPTS = 5;

/** A ledger that is shipped. */
export type ShippedLedger = Pick<Ledger, "db" | "reader">;

/** Writes ranges of ledgers. */
export interface StoreWriter {
  readonly server: StoreServer;
  /** Returns the first slot of a ledger that is not stored; undefined before its first range. Sends again what was interrupted. */
  resume(ledger: ShippedLedger, writer: string): Promise<number | undefined>;
  /** Stores a range, which follows the one before. */
  ship(ledger: ShippedLedger, range: Omit<ShippedRange, "isFirst">): Promise<void>;
  /** Computes the statistics from all rows. */
  refreshStatistics(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database, and creates it where there is none.
 * @throws SolxError when the server does not answer, or its tables are of another version
 */
export async function openStoreWriter(address: StoreAddress, signal?: AbortSignal): Promise<StoreWriter> {
  await createDatabase(address, signal);
  const server = await connectToStore(address, signal);
  try {
    for (const sql of createStatements(address.cluster)) await server.run(sql);
    await checkVersion(server);
    return createWriter(server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function createDatabase(address: StoreAddress, signal: AbortSignal | undefined): Promise<void> {
  // A database that every server has.
  const server = await connectToStore({ ...address, database: "default" }, signal);
  try {
    await server.run(`CREATE DATABASE IF NOT EXISTS ${address.database}`);
  } finally {
    await server.close();
  }
}

const VERSIONS: Readonly<Record<string, number>> = { version: LEDGER_VERSION, store: STORE_VERSION };

async function checkVersion(server: StoreServer): Promise<void> {
  const sql = "SELECT name, value FROM meta_known WHERE name IN ('version', 'store')";
  for (const [name, value] of (await server.ask({ sql, texts: {} })).data) {
    if (String(VERSIONS[String(name)]) === value) continue;
    throw new SolxError("usage", `The database ${server.address.database} has an index of another version of solx.`, {
      code: "INDEX_VERSION",
      hint: "Use another database, or remove this one.",
    });
  }
  for (const [name, value] of Object.entries(VERSIONS))
    await server.run(`INSERT INTO meta_known VALUES ('${name}', '${value}', 1, 0)`);
}

function createWriter(server: StoreServer): StoreWriter {
  const { cluster } = server.address;
  const onCluster = cluster === undefined ? "" : ` ON CLUSTER ${cluster}`;
  const announce = ({ from, end, isFirst, isComplete, writer }: ShippedRange, isDone: boolean) =>
    server.run(
      `INSERT INTO ranges VALUES (${from}, ${end}, '${writer}', ${Number(isFirst)}, ${Number(isComplete)}, ${Number(isDone)})`,
    );
  /** The last range of the ledger. */
  const lastRange = async (writer: string): Promise<(ShippedRange & { readonly isDone: boolean }) | undefined> => {
    const sql = `SELECT from, end, max(is_first), max(is_complete), max(is_done) FROM ranges WHERE writer = '${writer}'
      GROUP BY from, end ORDER BY from DESC, end DESC LIMIT 1`;
    const row = (await server.ask({ sql, texts: {} })).data[0]?.map(Number);
    if (!row) return undefined;
    const [from = 0, end = 0, ...flags] = row;
    const [isFirst = false, isComplete = false, isDone = false] = flags.map((flag) => flag === 1);
    return { from, end, isFirst, isComplete, isDone, writer };
  };
  /** Inserts the rows of tables, and returns their number by table. The same attempt is never stored twice. */
  const insert = async (ledger: ShippedLedger, range: ShippedRange, attempt: number, only?: ReadonlySet<string>) => {
    const counts = new Map<string, number>();
    let part = 0;
    for (const batch of readRange(ledger, range, only)) {
      part += 1;
      const { target, kind } = batch.table;
      counts.set(target, (counts.get(target) ?? 0) + batch.rows);
      await server.insert(batch, kind === "rows" ? `${range.from}-${range.end}-${part}-${attempt}` : undefined);
    }
    return counts;
  };
  /** Returns the tables that have other numbers of rows of a range than were sent. */
  const findIncomplete = async (range: ShippedRange, counts: ReadonlyMap<string, number>) => {
    const tables = ROW_TABLES.filter(({ target }) => counts.has(target));
    const found = await Promise.all(
      tables.map(({ target, position }) =>
        server.ask({ sql: `SELECT count() FROM ${target} WHERE ${isInRange(position, range)}`, texts: {} }),
      ),
    );
    return tables.filter(({ target }, at) => Number(found[at]?.data[0]?.[0]) !== counts.get(target));
  };
  /**
   * Sends a range until the server has all of it. A server that is killed may remember an insert that it has lost, and
   * would ignore it: such rows are removed and sent as another attempt.
   */
  const send = async (ledger: ShippedLedger, range: ShippedRange) => {
    let counts = await insert(ledger, range, 0);
    for (let attempt = 1; ; attempt++) {
      const incomplete = await findIncomplete(range, counts);
      if (incomplete.length === 0) break;
      if (attempt > MAX_ATTEMPTS)
        throw new ServerError(`ClickHouse does not keep the rows of the slots ${range.from} to ${range.end - 1}.`, {
          code: "STORE",
        });
      for (const { target, position } of incomplete)
        await server.run(`DELETE FROM ${target}${onCluster} WHERE ${isInRange(position, range)}`);
      const again = Math.floor(Date.now() / 1000) * MAX_ATTEMPTS + attempt;
      counts = await insert(ledger, range, again, new Set(incomplete.map(({ name }) => name)));
    }
    for (const piece of coveredPieces(ledger, range))
      await server.run(`INSERT INTO covered VALUES (${piece.from}, ${piece.end})`);
    await announce(range, true);
  };
  return {
    server,
    async resume(ledger, writer) {
      const last = await lastRange(writer);
      if (last && !last.isDone) await send(ledger, last);
      return last?.end;
    },
    async ship(ledger, range) {
      const shipped = { ...range, isFirst: (await lastRange(range.writer)) === undefined };
      await announce(shipped, false);
      await send(ledger, shipped);
    },
    async refreshStatistics() {
      for (const [table, sql] of Object.entries(STATISTICS)) {
        await server.run(`CREATE TABLE IF NOT EXISTS ${table}_next${onCluster} AS ${table}`);
        await server.run(`TRUNCATE TABLE ${table}_next${onCluster}`);
        await server.run(`INSERT INTO ${table}_next ${sql}`);
        await server.run(`EXCHANGE TABLES ${table} AND ${table}_next${onCluster}`);
      }
    },
    close: () => server.close(),
  };
}

/** Returns the parts of a range that the ledger has no gaps in. */
function coveredPieces({ reader }: ShippedLedger, { from, end }: ShippedRange) {
  const pieces: { from: number; end: number }[] = [];
  let start = from;
  for (const gap of indexedGaps(reader)) {
    if (gap.to < start || gap.from >= end) continue;
    if (gap.from > start) pieces.push({ from: start, end: gap.from });
    start = gap.to + 1;
  }
  if (start < end) pieces.push({ from: start, end });
  return pieces;
}
