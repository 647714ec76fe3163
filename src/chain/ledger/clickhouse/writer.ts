/**
 * Writes ledgers into a database of ClickHouse, range by range. A range is announced before it is written: whoever
 * continues after an interruption sends the same rows again, of which the server stores none twice.
 */
import { ServerError, SolxError } from "../../../base/index.ts";
import { indexedGaps } from "../queries/coverage.ts";
import { type Column, LEDGER_VERSION } from "../store/schema.ts";
import type { StoreAddress } from "./address.ts";
import { createRefresh, type RefreshStatistics } from "./refresh.ts";
import { connectToStore, runAnywhere, type StoreServer } from "./server.ts";
import { type RowBatch, readRange, type ShippedLedger, type ShippedRange } from "./shipping.ts";
import { isInRange, subtractSlots } from "./slots.ts";
import { createStatements, onCluster, STORE_VERSION } from "./tables.ts";

/** Attempts to insert rows: each is lost once more only when the server is killed in it. */
const MAX_ATTEMPTS = 50;

/** Batches that are inserted while the next one is read. */
const INSERTS_AT_ONCE = 3;

/** Writes ranges of ledgers. */
export interface StoreWriter {
  readonly server: StoreServer;
  /** Returns the first slot of a ledger that is not stored; undefined before its first range. Sends again what was interrupted. */
  resume(ledger: ShippedLedger, writer: string): Promise<number | undefined>;
  /** Stores a range, which follows the one before. */
  ship(ledger: ShippedLedger, range: Omit<ShippedRange, "isFirst">): Promise<void>;
  readonly refreshStatistics: RefreshStatistics;
  close(): Promise<void>;
}

/**
 * Opens the database, and creates it where there is none.
 * @throws SolxError when the server does not answer, or its tables are of another version
 */
export async function openStoreWriter(address: StoreAddress, signal?: AbortSignal): Promise<StoreWriter> {
  await runAnywhere(address, `CREATE DATABASE IF NOT EXISTS ${address.database}`, signal);
  const server = await connectToStore(address, signal);
  try {
    await checkVersion(server);
    for (const sql of createStatements(address.cluster)) await server.run(sql);
    for (const [name, value] of Object.entries(VERSIONS))
      await server.run(`INSERT INTO meta_known VALUES ('${name}', '${value}', 1, 0)`);
    return createWriter(server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

const VERSIONS: Readonly<Record<string, number>> = { version: LEDGER_VERSION, store: STORE_VERSION };

async function checkVersion(server: StoreServer): Promise<void> {
  const { data } = await server.ask({ sql: "EXISTS meta_known", texts: {} });
  if (Number(data[0]?.[0]) === 0) return;
  const sql = "SELECT name, value FROM meta_known WHERE name IN ('version', 'store')";
  for (const [name, value] of (await server.ask({ sql, texts: {} })).data) {
    if (String(VERSIONS[String(name)]) === value) continue;
    throw new SolxError("usage", `The database ${server.address.database} has an index of another version of solx.`, {
      code: "INDEX_VERSION",
      hint: "Use another database, or remove this one.",
    });
  }
}

function createWriter(server: StoreServer): StoreWriter {
  const everywhere = onCluster(server.address.cluster);
  const announce = ({ from, end, isFirst, isComplete, writer }: ShippedRange, isDone: boolean) =>
    server.run(
      `INSERT INTO ranges VALUES (${from}, ${end}, '${writer}', ${Number(isFirst)}, ${Number(isComplete)}, ${Number(isDone)})`,
    );
  /** The last range of the ledger. */
  const lastRange = async (writer: string): Promise<(ShippedRange & { readonly isDone: boolean }) | undefined> => {
    const sql = `SELECT from, end, is_first, is_complete, is_done FROM ranges WHERE writer = '${writer}'
      ORDER BY end DESC, is_done DESC LIMIT 1`;
    const row = (await server.ask({ sql, texts: {} })).data[0]?.map(Number);
    if (!row) return undefined;
    const [from = 0, end = 0, ...flags] = row;
    const [isFirst = false, isComplete = false, isDone = false] = flags.map((flag) => flag === 1);
    return { from, end, isFirst, isComplete, isDone, writer };
  };
  /**
   * Inserts rows of blocks until the server has them. An attempt is never stored twice, so that others may send the same
   * rows at the same time. A server that is killed may remember an attempt that it has lost: the next one follows.
   */
  const insertRows = async (batch: RowBatch, target: string, position: Column, isNew: boolean) => {
    const where = isInRange(position, batch.range);
    const insert = (attempt: number) => server.insert(batch, `${batch.range.from}-${batch.range.end}-${attempt}`);
    if (isNew) await insert(0);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const { data } = await server.ask({ sql: `SELECT count() FROM ${target} WHERE ${where}`, texts: {} });
      const found = Number(data[0]?.[0]);
      if (found === batch.rows) return;
      // The blocks have changed: these are not their rows.
      if (found > 0) await server.run(`DELETE FROM ${target}${everywhere} WHERE ${where}`);
      await insert(attempt);
    }
    const { from, end } = batch.range;
    throw new ServerError(`ClickHouse does not keep the rows of the slots ${from} to ${end - 1}.`, { code: "STORE" });
  };
  /** Sends a range until the server has all of it. @param isNew whether this is the first attempt */
  const send = async (ledger: ShippedLedger, range: ShippedRange, isNew: boolean) => {
    const inserts = new Set<Promise<void>>();
    const insertBatch = async (batch: RowBatch) => {
      const { kind, target, position } = batch.table;
      if (kind === "rows" && position) await insertRows(batch, target, position, isNew);
      else await server.insert(batch, undefined);
    };
    try {
      for await (const batch of readRange(ledger, range)) {
        const insert = insertBatch(batch).then(() => void inserts.delete(insert));
        // It is awaited below.
        insert.catch(() => {});
        inserts.add(insert);
        if (inserts.size >= INSERTS_AT_ONCE) await Promise.race(inserts);
      }
      await Promise.all(inserts);
    } finally {
      await Promise.allSettled(inserts);
    }
    const gaps = indexedGaps(ledger.reader).map(({ from, to }) => ({ from, end: to + 1 }));
    for (const { from, end } of subtractSlots([range], gaps)) {
      // The slots before it and these are one range.
      const before = `SELECT minOrNull(from) FROM covered WHERE from <= ${from} AND end >= ${from}`;
      await server.run(`INSERT INTO covered SELECT ifNull((${before}), ${from}), ${end}`);
    }
    await announce(range, true);
  };
  /** @throws SolxError when the database has the blocks of another chain */
  const checkChain = async ({ reader }: ShippedLedger) => {
    const source = (table: string) => `SELECT value FROM ${table} WHERE name = 'source' LIMIT 1`;
    const { data } = await server.ask({ sql: source("meta_known"), texts: {} });
    const [stored, shipped] = [data[0]?.[0], reader.get(source("meta"))?.value];
    if (stored === undefined || stored === shipped) return;
    throw new SolxError("usage", `The database contains another chain: ${stored}, not ${shipped}.`, {
      code: "INDEX_SOURCE",
      hint: "A local validator that was reset is another chain. Use another database.",
    });
  };
  return {
    server,
    async resume(ledger, writer) {
      const last = await lastRange(writer);
      if (last && !last.isDone) await send(ledger, last, false);
      return last?.end;
    },
    async ship(ledger, range) {
      await checkChain(ledger);
      const last = await lastRange(range.writer);
      const isNew = last?.from !== range.from;
      const shipped = { ...range, isFirst: last === undefined || (!isNew && last.isFirst) };
      await announce(shipped, false);
      await send(ledger, shipped, isNew);
    },
    refreshStatistics: createRefresh(server),
    close: () => server.close(),
  };
}
