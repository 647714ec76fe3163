/** Inserts rows in batches. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { columnNames, SOURCE_TABLE_NAMES, type SourceTable } from "./schema.ts";

/** Rows per INSERT statement: the cost of a call is shared between them. */
const ROWS_PER_STATEMENT = 128;

/** Collects the rows of a table and inserts them together. A row with an existing key replaces the old one. */
export class RowWriter {
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  readonly #width: number;
  readonly #pending: SQLInputValue[];
  #used = 0;

  /** @param columns number of columns of the table */
  constructor(db: DatabaseSync, table: string, columns: number) {
    const row = `(${new Array(columns).fill("?").join()})`;
    const insert = (rows: number) =>
      db.prepare(`INSERT OR REPLACE INTO ${table} VALUES ${new Array(rows).fill(row).join()}`);
    this.#insertMany = insert(ROWS_PER_STATEMENT);
    this.#insertOne = insert(1);
    this.#width = columns;
    this.#pending = new Array<SQLInputValue>(columns * ROWS_PER_STATEMENT).fill(null);
  }

  /** Adds a row: its values in the order of the columns. */
  add(...values: SQLInputValue[]): void {
    for (let column = 0; column < values.length; column++)
      this.#pending[this.#used++] = values[column] as SQLInputValue;
    if (this.#used < this.#pending.length) return;
    this.#insertMany.run(...this.#pending);
    this.#used = 0;
  }

  flush(): void {
    for (let at = 0; at < this.#used; at += this.#width)
      this.#insertOne.run(...this.#pending.slice(at, at + this.#width));
    this.#used = 0;
  }
}

/** The row writers of all tables that a source fills. */
export type TableWriters = Readonly<Record<SourceTable, RowWriter>>;

/** Creates the row writers of a ledger. */
export const createTableWriters = (db: DatabaseSync): TableWriters =>
  Object.fromEntries(
    SOURCE_TABLE_NAMES.map((name) => [name, new RowWriter(db, name, columnNames(name).length)]),
  ) as TableWriters;
