/**
 * Undoes blocks that a chain has dropped. While blocks are written that are not final, triggers record for each changed
 * row the statement that restores it; derived rows are restored exactly, too.
 */
import type { DatabaseSync } from "node:sqlite";

const TABLE = "undo";
/** Tables that blocks do not change, or whose changes are not undone. */
const EXCLUDED = new Set([TABLE, "meta"]);

/** Creates the table of statements; `seq` is their order. */
export const UNDO_TABLE = `CREATE TABLE ${TABLE} (seq INTEGER PRIMARY KEY, slot INTEGER NOT NULL, sql TEXT NOT NULL) STRICT;
CREATE INDEX undo_slot ON ${TABLE} (slot);`;

/** The temporary table with the slot of the block that is being written. */
const RECORDED_SLOT = "temp.recorded_slot";

interface Column {
  readonly name: string;
  readonly isKey: boolean;
}

function columnsOf(db: DatabaseSync, table: string): readonly Column[] {
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

function triggersOf(db: DatabaseSync, table: string): readonly string[] {
  const columns = columnsOf(db, table);
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
export function recordUndo(db: DatabaseSync, slot: number): void {
  if (namesOf(db).length === 0) {
    // Without this, a row that replaces another one would not be known to have deleted it.
    db.exec(`PRAGMA recursive_triggers = 1; CREATE TABLE ${RECORDED_SLOT} (slot INTEGER)`);
    for (const table of tablesOf(db)) for (const sql of triggersOf(db, table)) db.exec(sql);
  }
  db.exec(`DELETE FROM ${RECORDED_SLOT}`);
  db.prepare(`INSERT INTO ${RECORDED_SLOT} VALUES (?)`).run(slot);
}

/** Stops recording. */
export function stopRecording(db: DatabaseSync): void {
  for (const name of namesOf(db)) db.exec(`DROP TRIGGER temp.${name}`);
  db.exec(`DROP TABLE IF EXISTS ${RECORDED_SLOT}`);
}

/** Restores the state before the blocks from a slot on. Returns whether all of them could be undone. */
export function undoFrom(db: DatabaseSync, slot: number): boolean {
  stopRecording(db);
  const statements = db.prepare(`SELECT sql FROM ${TABLE} WHERE slot >= ? ORDER BY seq DESC`).all(slot);
  for (const { sql } of statements) db.exec(String(sql));
  db.prepare(`DELETE FROM ${TABLE} WHERE slot >= ?`).run(slot);
  return db.prepare("SELECT 1 FROM blocks WHERE slot >= ? LIMIT 1").get(slot) === undefined;
}

/** Forgets how to undo blocks that are final. */
export const forgetUndo = (db: DatabaseSync, finalSlot: number): void =>
  void db.prepare(`DELETE FROM ${TABLE} WHERE slot <= ?`).run(finalSlot);
