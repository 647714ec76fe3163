/**
 * Writes a ledger of a chain in a file that other processes read at the same time. Blocks, derived tables and the
 * checkpoint are in the same transaction: a process that is killed leaves the file as of its last transaction.
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createFolder,
  enableWriteAheadLog,
  inTransaction,
  isBusy,
  isDamaged,
  isSqliteError,
  lockBeside,
  openDatabase,
  SolxError,
  systemCode,
  unwritableError,
} from "../../../base/index.ts";
import type { Facts, SourceBlock } from "../source/source.ts";
import { createTables, Ingester } from "./ingester.ts";
import { type KnownFacts, readKnownFacts } from "./known-facts.ts";
import { pruneBlocks } from "./prune.ts";
import { readRemovals } from "./reader.ts";
import { INDEXES, LEDGER_VERSION, WRITER_INDEXES } from "./schema.ts";
import { shippedError } from "./store.ts";

interface ChainBatch {
  readonly opening?: readonly Facts[];
  readonly blocks?: readonly SourceBlock[];
  /** Properties of the ledger that change with it, such as the next slot. */
  readonly meta?: Readonly<Record<string, string | number>>;
  /** Whether the blocks may be dropped by the chain later. */
  readonly mayBeDropped?: boolean;
  /** The latest slot that is final: blocks up to it are not dropped any more. */
  readonly finalSlot?: number | undefined;
  /** From this slot on, blocks are missing: those after it can be removed to add them, and are held. */
  readonly gapSlot?: number | undefined;
  /** Blocks as they were read, to write them once more: those after a gap, and those that were found for it. */
  readonly held?: readonly HeldBlock[];
}

/** A block by slot, in the form of its reader. */
type HeldBlock = readonly [slot: number, block: Uint8Array];

/** A ledger that is being written. */
export interface ChainLedgerWriter {
  readonly db: DatabaseSync;
  meta(name: string): string | undefined;
  /** What the last transaction left. */
  readonly known: KnownFacts;
  /** Writes a batch, or nothing of it when it fails. */
  write(batch: ChainBatch): void;
  /**
   * Removes the blocks from a slot on, and restores the properties of the time before them.
   * @param keepsHeld whether held blocks remain, to be written again
   * @throws SolxError when they were written as final
   */
  removeFrom(slot: number, meta?: Readonly<Record<string, string | number>>, keepsHeld?: boolean): void;
  /** Returns the first held block from a slot on. */
  held(slot: number): HeldBlock | undefined;
  /** Removes the oldest blocks, those before a time in Unix seconds, not all at once. Returns how many are removed. */
  prune(time: number): number;
  /** Bytes of the file, also of what is still in its log. */
  readonly bytes: number;
  close(): void;
}

const BUSY_MS = 10_000;

/**
 * Opens the ledger in a file, a new one where there is none.
 * @param id identifies the source: a file of another one is not written
 * @param isShipped whether another store has the rows, and answers: a new file has what a writer needs
 * @throws SolxError when another process is writing the file, or it is another ledger
 */
export function openChainLedger(path: string, id: string, isShipped = false): ChainLedgerWriter {
  if (path !== ":memory:") createFolder(dirname(path));
  const lock = lockBeside(path, indexInUse);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    db.exec(`PRAGMA page_size = 8192; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA temp_store = FILE`);
    db.exec("PRAGMA cache_size = -65536");
    if (enableWriteAheadLog(db, path)) {
      db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    }
    prepareFile(db, id, isShipped);
    return createWriter(db, lock, path);
  } catch (error) {
    db?.close();
    lock?.close();
    const cause = fileError(error);
    throw isSqliteError(cause) ? unusableError(cause) : cause;
  }
}

const CONTINUES = "It continues where it ended.";

/** Returns an error of the database as one about the file, where it is. */
export function fileError(cause: unknown): unknown {
  if (systemCode(cause) === "ENOSPC") return unwritableError("The index", cause, CONTINUES);
  if (isBusy(cause))
    return new SolxError("server", "The index cannot be used: another program has locked its file.", {
      code: "INDEX_BUSY",
      hint: "Close that program, and run the command again.",
      cause,
    });
  return isDamaged(cause) ? unusableError(cause) : cause;
}

const unusableError = (cause: unknown) =>
  new SolxError("server", "The index cannot be used: its file is damaged.", {
    code: "INDEX",
    hint: "Remove it and index again.",
    cause,
  });

/** What identifies the file at a path; undefined where there is none. */
const fileAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

const replacedError = () =>
  new SolxError("usage", "The file of the index was removed or replaced while it was written.", {
    code: "INDEX_REPLACED",
    hint: "Run the command again: it continues the file that is there, or begins a new one.",
  });

/** Pages of the log that are written back together: most pages of indexes change with every batch. */
const LOG_PAGES = 8000;

const indexInUse = (cause: unknown) =>
  new SolxError("usage", "Another process is writing this index.", {
    code: "INDEX_IN_USE",
    hint: "Wait until it ends, or index into another file.",
    cause,
  });

function prepareFile(db: DatabaseSync, id: string, isShipped: boolean): void {
  const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (isEmpty) {
    inTransaction(db, () => {
      createTables(db);
      db.exec((isShipped ? WRITER_INDEXES : INDEXES) + CHAIN_TABLES);
      setMeta(db, { version: LEDGER_VERSION, source: id, end: 0, chain: 1, ...(isShipped && { shipped: 1 }) });
    });
  }
  if (readMeta(db, "version") !== String(LEDGER_VERSION)) {
    throw new SolxError("usage", "The index was made by another version of solx.", {
      code: "INDEX_VERSION",
      hint: "Remove the file and index again.",
    });
  }
  const source = readMeta(db, "source");
  if (source !== id) {
    throw new SolxError("usage", `The index contains another chain: ${source}, not ${id}.`, {
      code: "INDEX_SOURCE",
      hint: "A local validator that was reset is another chain. Index into another file.",
    });
  }
  if (!isShipped && readMeta(db, "shipped") !== undefined) throw shippedError();
}

function readMeta(db: DatabaseSync, name: string): string | undefined {
  const value = db.prepare("SELECT value FROM meta WHERE name = ?").get(name)?.value;
  return typeof value === "string" ? value : undefined;
}

function setMeta(db: DatabaseSync, meta: Readonly<Record<string, string | number>>): void {
  const set = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  for (const [name, value] of Object.entries(meta)) set.run(name, String(value));
}

function createWriter(db: DatabaseSync, lock: DatabaseSync | undefined, path: string): ChainLedgerWriter {
  const file = fileAt(path);
  const createIngester = () =>
    new Ingester(db, { isChain: true, derives: readMeta(db, "shipped") === undefined ? "all" : "rows" });
  let ingester = createIngester();
  const holdBlock = db.prepare("INSERT OR REPLACE INTO held VALUES (?, ?)");
  const nextHeld = db.prepare("SELECT slot, block FROM held WHERE slot >= ? ORDER BY slot LIMIT 1");
  const ingest = (blocks: readonly SourceBlock[]) => {
    for (const block of blocks) ingester.add(block);
    ingester.settle();
  };
  const write = (batch: ChainBatch) => {
    const { opening = [], blocks = [], meta = {}, mayBeDropped = false, finalSlot, gapSlot, held = [] } = batch;
    const dropped = mayBeDropped ? blocks.filter(({ slot }) => slot > (finalSlot ?? 0)) : [];
    const final = blocks.slice(0, blocks.length - dropped.length);
    if (opening.length + final.length > 0) {
      const [first] = final;
      if (first && gapSlot !== undefined && first.slot > gapSlot) recordUndo(db, first.slot);
      else recordNothing(db, opening.length > 0 || final.length > FEW_BLOCKS);
      for (const facts of opening) ingester.addOpening(facts);
      ingest(final);
    }
    // One by one, so that each can be undone.
    for (const block of dropped) {
      recordUndo(db, block.slot);
      ingest([block]);
    }
    const times = blocks.flatMap(({ time }) => time ?? []);
    setMeta(db, { ...meta, ...(times.length > 0 && { end: Math.max(...times) }) });
    const last = blocks.at(-1)?.slot ?? -1;
    const forgotten = finalSlot ?? (mayBeDropped ? -1 : last);
    db.prepare(`DELETE FROM ${TABLE} WHERE slot <= ?`).run(Math.min(forgotten, gapSlot ?? forgotten));
    db.prepare("DELETE FROM held WHERE slot <= ?").run(Math.min(last, gapSlot ?? last));
    for (const [slot, block] of held) holdBlock.run(slot, block);
  };
  /** Runs an action in a transaction. What the ingester remembers is that of the last one after a failure. */
  const transact = (action: () => void) => {
    if (fileAt(path) !== file) throw replacedError();
    try {
      inTransaction(db, action);
    } catch (error) {
      resetTemporaryTables(db);
      ingester = createIngester();
      throw fileError(error);
    }
  };
  return {
    db,
    known: readKnownFacts(db),
    meta: (name) => readMeta(db, name),
    write: (batch) => transact(() => write(batch)),
    held(slot) {
      const row = nextHeld.get(slot);
      return row && [Number(row.slot), row.block as Uint8Array];
    },
    removeFrom(slot, meta = {}, keepsHeld = false) {
      transact(() => {
        const writer = readMeta(db, "writer");
        if (!undoFrom(db, slot)) throw finalError(slot);
        if (writer !== undefined) setMeta(db, { writer });
        if (!keepsHeld) db.prepare("DELETE FROM held WHERE slot >= ?").run(slot);
        setMeta(db, meta);
        db.exec(`PRAGMA user_version = ${readRemovals(db) + 1}`);
      });
      resetTemporaryTables(db);
      ingester = createIngester();
    },
    prune(time) {
      let count = 0;
      // Of a block that can be removed, this is recorded as its effect.
      transact(() => {
        count = pruneBlocks(db, time);
        if (count > 0) setMeta(db, { pruned: 1 });
      });
      return count;
    },
    get bytes() {
      const value = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
      return value("page_count") * value("page_size");
    },
    close() {
      if (db.isOpen) db.close();
      if (lock?.isOpen) lock.close();
    },
  };
}

/** Removes the temporary tables of an ingester, so that another one can create its own. */
function resetTemporaryTables(db: DatabaseSync): void {
  stopRecording(db);
  const tables = db.prepare("SELECT name FROM temp.sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) db.exec(`DROP TABLE temp.${String(name)}`);
}

const finalError = (slot: number) =>
  new SolxError("unexpected", `The block of slot ${slot} was indexed as final, but is no longer part of the chain.`, {
    code: "DIFFERENT_CHAIN",
    hint: "The cluster may have been reset: index into a new file.",
  });

const TABLE = "undo";
/** Tables whose changes are not undone. */
const EXCLUDED = new Set([TABLE, "held"]);

/** Creates the table of statements; `seq` is their order. */
const UNDO_TABLE = `CREATE TABLE ${TABLE} (seq INTEGER PRIMARY KEY, slot INTEGER NOT NULL, sql TEXT NOT NULL) STRICT;
CREATE INDEX undo_slot ON ${TABLE} (slot);`;

/** The tables by which the latest blocks of a chain can be removed. */
export const CHAIN_TABLES = `${UNDO_TABLE}
CREATE TABLE held (slot INTEGER PRIMARY KEY, block BLOB NOT NULL) STRICT;`;

/** The temporary table with the slot of the block that is being written. */
const RECORDED_SLOT = "temp.recorded_slot";

interface Column {
  readonly name: string;
  readonly isKey: boolean;
}

function readColumns(db: DatabaseSync, table: string): readonly Column[] {
  return db
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name, pk }) => ({ name: String(name), isKey: Number(pk) > 0 }));
}

const tablesOf = (db: DatabaseSync): readonly string[] =>
  db
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !EXCLUDED.has(name));

/** Returns the SQL for the literal of a value. `quote` alone would end a text at its first NUL. */
const literal = (value: string): string =>
  `iif(typeof(${value}) = 'text', 'CAST(x''' || hex(${value}) || ''' AS TEXT)', quote(${value}))`;

/** Returns the SQL for a text with the literals of columns, each after a text. */
const textWith = (
  row: "old" | "new",
  columns: readonly Column[],
  before: (name: string, at: number) => string,
): string => columns.map(({ name }, at) => `'${before(name, at)}' || ${literal(`${row}.${name}`)}`).join(" || ");

function readTriggers(db: DatabaseSync, table: string): readonly string[] {
  const columns = readColumns(db, table);
  const keys = columns.filter(({ isKey }) => isKey);
  const where = textWith("new", keys, (name, at) => `${at === 0 ? " WHERE" : " AND"} ${name} = `);
  const statements = {
    insert: `'DELETE FROM ${table}' || ${where}`,
    update: `'UPDATE ${table} SET ' || ${textWith("old", columns, (name, at) => `${at === 0 ? "" : ", "}${name} = `)} || ${where}`,
    delete: `'INSERT INTO ${table} VALUES (' || ${textWith("old", columns, (_, at) => (at === 0 ? "" : ", "))} || ')'`,
  };
  return Object.entries(statements).map(
    ([event, sql]) =>
      `CREATE TEMP TRIGGER undo_${table}_${event} AFTER ${event} ON main.${table} BEGIN
         INSERT INTO ${TABLE} (slot, sql) SELECT slot, ${sql} FROM ${RECORDED_SLOT}; END`,
  );
}

const namesOf = (db: DatabaseSync): readonly string[] =>
  db
    .prepare("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'")
    .all()
    .map(({ name }) => String(name));

/** Records from now on how to undo what is written for the block of a slot. */
function recordUndo(db: DatabaseSync, slot: number): void {
  if (namesOf(db).length === 0) {
    // Without this, a row that replaces another one would not be known to have deleted it.
    db.exec(`PRAGMA recursive_triggers = 1; CREATE TABLE ${RECORDED_SLOT} (slot INTEGER)`);
    for (const table of tablesOf(db)) for (const sql of readTriggers(db, table)) db.exec(sql);
  }
  db.exec(`DELETE FROM ${RECORDED_SLOT}`);
  db.prepare(`INSERT INTO ${RECORDED_SLOT} VALUES (?)`).run(slot);
}

/** Up to so many blocks, idle triggers cost less than dropping and creating them: 80 ms. */
const FEW_BLOCKS = 16;

/** Records nothing until the next block. @param isLong whether much is written until then */
function recordNothing(db: DatabaseSync, isLong: boolean): void {
  if (isLong) stopRecording(db);
  else if (namesOf(db).length > 0) db.exec(`DELETE FROM ${RECORDED_SLOT}`);
}

function stopRecording(db: DatabaseSync): void {
  for (const name of namesOf(db)) db.exec(`DROP TRIGGER temp.${name}`);
  db.exec(`DROP TABLE IF EXISTS ${RECORDED_SLOT}`);
}

/** Restores the state before the blocks from a slot on. Returns whether all of them could be undone. */
function undoFrom(db: DatabaseSync, slot: number): boolean {
  stopRecording(db);
  const statements = db.prepare(`SELECT sql FROM ${TABLE} WHERE slot >= ? ORDER BY seq DESC`).all(slot);
  for (const { sql } of statements) db.exec(String(sql));
  db.prepare(`DELETE FROM ${TABLE} WHERE slot >= ?`).run(slot);
  return db.prepare("SELECT 1 FROM blocks WHERE slot >= ? LIMIT 1").get(slot) === undefined;
}

/**
 * Hides the blocks from a slot on that can still be removed, until the returned function is called. Meanwhile, nothing
 * may be written.
 */
export function hideBlocksFrom(db: DatabaseSync, slot: number): () => void {
  if (db.prepare(`SELECT 1 FROM ${TABLE} WHERE slot >= ? LIMIT 1`).get(slot) === undefined) return () => {};
  db.exec("BEGIN");
  undoFrom(db, slot);
  return () => {
    if (db.isTransaction) db.exec("ROLLBACK");
  };
}
