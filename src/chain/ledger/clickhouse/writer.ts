/**
 * Writes ledgers into a database of ClickHouse, range by range. A range is announced before it is written: whoever
 * continues after an interruption sends the same rows again, of which the server stores none twice.
 */
import { ServerError, SolxError } from "../../../base/index.ts";
import { indexedGaps } from "../queries/coverage.ts";
import { LEDGER_VERSION } from "../store/schema.ts";
import type { StoreAddress } from "./address.ts";
import { createRefresh, type RefreshStatistics } from "./refresh.ts";
import { isOfOthers, isOfSlots, readForks } from "./seen.ts";
import { connectToStore, runAnywhere, type StoreServer } from "./server.ts";
import { forkOf, type RowBatch, readRange, type ShippedLedger, type ShippedRange } from "./shipping.ts";
import { type ForkRange, subtractSlots } from "./slots.ts";
import { createStatements, DROPPED, deletionSql, OPENINGS, onCluster, STORE_VERSION } from "./tables.ts";

/** Attempts to insert rows: each is lost once more only when the server is killed in it. */
const MAX_ATTEMPTS = 50;

/** Batches that are inserted while the next one is read. */
const INSERTS_AT_ONCE = 3;

/** What the database has of a ledger. */
export interface StoredBlocks {
  /** The slot after the last one. */
  readonly end: number;
  /** The slot from which on the blocks may still be dropped. */
  readonly final: number;
  /** The version of the ledger's blocks. */
  readonly fork: number;
}

/** A range that follows the one before, or replaces what was not final. Its blocks are final by default. */
export interface NewRange extends Pick<ShippedRange, "from" | "end" | "isComplete" | "writer"> {
  readonly final?: number;
}

/** Properties that all ledgers of a database have in common: the chain, and the filter of its transactions. */
type StoredProperties = Readonly<Partial<Record<keyof typeof DIFFERENCES, string>>>;

const DIFFERENCES = {
  source: {
    code: "INDEX_SOURCE",
    describe: (chain: string) => `another chain: ${chain}`,
    hint: "A local validator that was reset is another chain. Use another database.",
  },
  filter: {
    code: "INDEX_OPTIONS",
    describe: (filter: string) => (filter === "" ? "transactions of all programs" : `the transactions of ${filter}`),
    hint: "Use the same --program, --account and --mint, or another database.",
  },
} as const;

/** Writes ranges of ledgers. */
export interface StoreWriter {
  readonly server: StoreServer;
  /** @throws SolxError when the database has other values of properties of a ledger: another chain, or other transactions */
  checkProperties(properties: StoredProperties): Promise<void>;
  /** Returns what is stored of a ledger; undefined before its first range. Sends again what was interrupted. */
  resume(ledger: ShippedLedger, writer: string): Promise<StoredBlocks | undefined>;
  /** Stores a range. */
  ship(ledger: ShippedLedger, range: NewRange): Promise<void>;
  readonly refreshStatistics: RefreshStatistics;
  close(): Promise<void>;
}

/**
 * Opens the database, and creates it where there is none.
 * @throws SolxError when the server does not answer, or its tables are of another version
 */
export async function openStoreWriter(address: StoreAddress, signal?: AbortSignal): Promise<StoreWriter> {
  await runAnywhere(address, `CREATE DATABASE IF NOT EXISTS ${address.database}${onCluster(address.cluster)}`, signal);
  const server = await connectToStore(address, signal);
  try {
    await checkVersion(server);
    for (const sql of createStatements(address.cluster)) await server.run(sql);
    for (const [name, value] of Object.entries(VERSIONS))
      await server.run(`INSERT INTO meta_known VALUES ('${name}', '${value}', 1, 0, 0)`);
    return createWriter(server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A range as it is announced; the numbers of a writer's ranges increase. */
interface AnnouncedRange extends Omit<ShippedRange, "openingSlot"> {
  readonly final: number;
  readonly number: number;
}

/** Returns the slot from which on what was stored can be replaced. */
const openSlotOf = ({ from, final, isDone }: AnnouncedRange & { readonly isDone: boolean }): number =>
  isDone ? final : Math.min(from, final);

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
  const { cluster } = server.address;
  const announce = ({ from, end, writer, number, fork, final, isFirst, isComplete }: AnnouncedRange, isDone: boolean) =>
    server.run(
      `INSERT INTO ranges VALUES (${from}, ${end}, '${writer}', ${number}, ${fork}, ${final}, ${[isFirst, isComplete, isDone].map(Number).join()})`,
    );
  /** The last range of the ledger. */
  const lastRange = async (writer: string): Promise<(AnnouncedRange & { readonly isDone: boolean }) | undefined> => {
    const sql = `SELECT from, end, number, fork, final, is_first, is_complete, is_done
      FROM ranges WHERE writer = '${writer}' ORDER BY number DESC, is_done DESC LIMIT 1`;
    const row = (await server.ask({ sql, texts: {} })).data[0]?.map(Number);
    if (!row) return undefined;
    const [from = 0, end = 0, number = 0, fork = 0, final = 0, ...flags] = row;
    const [isFirst = false, isComplete = false, isDone = false] = flags.map((flag) => flag === 1);
    return { from, end, writer, number, fork, final, isFirst, isComplete, isDone };
  };
  /**
   * Inserts rows of blocks until the server has them. An attempt is never stored twice, so that others may send the same
   * rows at the same time. A server that is killed may remember an attempt that it has lost: the next one follows.
   */
  const insertRows = async (batch: RowBatch, isNew: boolean, dropped: readonly ForkRange[]) => {
    const { table, range } = batch;
    const insert = (attempt: number) => server.insert(batch, `${range.fork}-${range.from}-${range.end}-${attempt}`);
    if (isNew) await insert(0);
    const seen = [isOfSlots(table, range), ...dropped.map((each) => isOfOthers(table, each))].join(" AND ");
    const sql = `SELECT countIf(fork = ${range.fork}), count() FROM ${table.target} WHERE ${seen}`;
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const [own, all] = ((await server.ask({ sql, texts: {} })).data[0] ?? []).map(Number);
      if (own === batch.rows && all === own) return;
      // The blocks have changed, or another writer has stored them: these are not their rows.
      if (all !== 0) await server.run(deletionSql(table.target, cluster, seen));
      await insert(attempt);
    }
    const { from, end } = batch.range;
    throw new ServerError(`ClickHouse does not keep the rows of the slots ${from} to ${end - 1}.`, { code: "STORE" });
  };
  /** The slots of openings of ledgers, for good: to find that of the database, all of its rows are read. */
  const openingSlots = new Map<string, number | undefined>();
  /** Returns the slot of the opening of a ledger: a database has that of the first one. */
  const findOpeningSlot = async (writer: string): Promise<number | undefined> => {
    if (openingSlots.has(writer)) return openingSlots.get(writer);
    const sql = `SELECT (SELECT minOrNull(known_at) - 1 FROM (${OPENINGS})),
      (SELECT min(from) FROM ranges WHERE writer = '${writer}' AND is_first)`;
    const [known, own] = (await server.ask({ sql, texts: {} })).data[0] ?? [];
    if (known == null) return Number(own);
    openingSlots.set(writer, Number(known) === Number(own) ? Number(own) : undefined);
    return openingSlots.get(writer);
  };
  /** Sends a range until the server has all of it. @param isNew whether this is the first attempt */
  const send = async (ledger: ShippedLedger, range: AnnouncedRange, isNew: boolean) => {
    const inserts = new Set<Promise<void>>();
    const dropped = await readForks(server, DROPPED);
    const insertBatch = (batch: RowBatch) =>
      batch.table.kind === "rows" ? insertRows(batch, isNew, dropped) : server.insert(batch, undefined);
    try {
      const openingSlot = await findOpeningSlot(range.writer);
      for await (const batch of readRange(ledger, { ...range, openingSlot })) {
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
    const earlier = `SELECT maxOrNull(final) FROM ranges WHERE is_done AND writer = '${range.writer}' AND number < ${range.number}`;
    const before = (await server.ask({ sql: earlier, texts: {} })).data[0]?.[0];
    const added = { from: Number(before ?? range.from), end: range.final };
    for (const { from, end } of subtractSlots([added], gaps)) {
      // The slots before it and these are one range.
      const before = `SELECT minOrNull(from) FROM covered WHERE from <= ${from} AND end >= ${from}`;
      await server.run(`INSERT INTO covered SELECT ifNull((${before}), ${from}), ${end}`);
    }
    await announce(range, true);
  };
  const checkProperties = async (properties: StoredProperties) => {
    const sql = "SELECT DISTINCT name, value FROM meta_known WHERE name IN ('source', 'filter')";
    for (const [name, value] of (await server.ask({ sql, texts: {} })).data) {
      const property = name as keyof typeof DIFFERENCES;
      const { code, describe, hint } = DIFFERENCES[property];
      const own = properties[property];
      if (own === undefined || own === value) continue;
      throw new SolxError("usage", `The database contains ${describe(String(value))}, not ${own || describe(own)}.`, {
        code,
        hint,
      });
    }
  };
  const checkLedger = ({ reader }: ShippedLedger) => {
    const property = (name: string) => reader.get("SELECT value FROM meta WHERE name = ?", name)?.value as string;
    return checkProperties({ source: property("source"), filter: property("filter") });
  };
  return {
    server,
    checkProperties,
    async resume(ledger, writer) {
      const last = await lastRange(writer);
      if (!last) return undefined;
      const isSent = last.isDone || last.fork === forkOf(ledger, writer);
      if (!last.isDone && isSent) await send(ledger, last, false);
      return { end: last.end, final: isSent ? last.final : openSlotOf(last), fork: last.fork };
    },
    async ship(ledger, range) {
      await checkLedger(ledger);
      const { writer, from, end, final = end } = range;
      const last = await lastRange(writer);
      const fork = forkOf(ledger, writer);
      if (last && last.fork !== fork && openSlotOf(last) < last.end)
        await server.run(`INSERT INTO dropped (from, end, writer, fork)
          VALUES (${openSlotOf(last)}, ${last.end}, '${writer}', ${last.fork})`);
      const isAgain = last && !last.isDone && last.from === from && last.end === end && last.fork === fork;
      const shipped = {
        ...{ ...range, final, fork },
        number: (last?.number ?? 0) + (isAgain ? 0 : 1),
        isFirst: last === undefined || (!last.isDone && last.isFirst),
      };
      await announce(shipped, false);
      await send(ledger, shipped, !isAgain);
      // Others may have begun at the same time.
      await checkLedger(ledger);
    },
    refreshStatistics: createRefresh(server),
    close: () => server.close(),
  };
}
