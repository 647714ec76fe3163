/**
 * Copies blocks of a ledger in SQLite into ClickHouse: the rows of a range of slots, and what is known then about the
 * accounts and tokens that these rows name.
 */
import { Buffer } from "node:buffer";
import type { SQLOutputValue } from "node:sqlite";
import { sha256 } from "../../../base/index.ts";
import type { Column } from "../store/schema.ts";
import { firstRowOfSlot, transactionAt } from "../store/schema.ts";
import type { Ledger } from "../store/store.ts";
import { keyBytes } from "./keys.ts";
import { RowBinary } from "./row-binary.ts";
import { STORED_TABLES, type StoredTable } from "./tables.ts";

/** Slots from the first one on, without the end. */
export interface SlotRange {
  readonly from: number;
  readonly end: number;
}

/** A part of the rows of a table, in the format RowBinary, with the columns in the order of the table. */
export interface RowBatch {
  readonly table: StoredTable;
  readonly columns: readonly string[];
  readonly bytes: Buffer;
  readonly rows: number;
}

const FIRSTS: Partial<Record<Column["type"], (slot: number) => number>> = {
  row: firstRowOfSlot,
  transaction: transactionAt,
};

/** Returns the SQL condition that a position is in a range of slots. */
export function isInRange({ name, type }: Column, { from, end }: SlotRange): string {
  const first = FIRSTS[type] ?? ((slot: number) => slot);
  return `${name} >= ${first(from)} AND ${name} < ${first(end)}`;
}

/** The tables of rows of blocks. */
export const ROW_TABLES = STORED_TABLES.flatMap((table) => {
  const { kind, position } = table;
  return kind === "rows" && position ? [{ ...table, position }] : [];
});
const stateTables = STORED_TABLES.filter(({ kind }) => kind === "state");

/** Returns the SQL for the keys of a type that the rows of a range name. */
function namedKeys(type: "key" | "kind", range: SlotRange): string {
  const selects = ROW_TABLES.flatMap(({ name, columns, position }) =>
    columns
      .filter((column) => column.type === type)
      .map((column) => `SELECT ${column.name} FROM ${name} WHERE ${isInRange(position, range)}`),
  );
  return selects.join(" UNION ");
}

/** Keys by the ids of a ledger. */
class Keys {
  readonly #ledger: Pick<Ledger, "db" | "reader">;
  readonly #accounts = new Map<number, Buffer>();
  readonly #kinds = new Map<number, Buffer>();

  constructor(ledger: Pick<Ledger, "db" | "reader">) {
    this.#ledger = ledger;
  }

  account(id: number): Buffer {
    let key = this.#accounts.get(id);
    if (!key) {
      key = keyBytes(this.#ledger.reader.addressOf(id));
      if (this.#accounts.size >= MAX_KEYS) this.#accounts.clear();
      this.#accounts.set(id, key);
    }
    return key;
  }

  kind(id: number): Buffer {
    let key = this.#kinds.get(id);
    if (!key) {
      const sql = `SELECT a.address, k.type, k.parsed_type FROM instruction_kinds k
        JOIN accounts a ON a.id = k.program_id WHERE k.id = ?`;
      key = Buffer.from(sha256(JSON.stringify(Object.values(this.#ledger.reader.get(sql, id) ?? {}))), "hex");
      this.#kinds.set(id, key);
    }
    return key;
  }
}

/** Maximum number of keys in memory. */
const MAX_KEYS = 200_000;
/** Bytes of rows that are sent together. */
const BATCH_BYTES = 16 * 1024 * 1024;

/** Adds a value of a column to a row. */
type Encoder = (row: RowBinary, value: SQLOutputValue) => void;

function encoderOf({ type, isOptional }: Column, keys: Keys): Encoder {
  const encoders: Readonly<Record<Column["type"], Encoder>> = {
    key: (row, id) => row.bytes(keys.account(Number(id))),
    kind: (row, id) => row.bytes(keys.kind(Number(id))),
    any: (row, amount) => row.amount(BigInt(amount as bigint | string)),
    real: (row, value) => row.real(Number(value)),
    text: (row, value) => row.text(value as string),
    blob: (row, value) => row.text(value as Uint8Array),
    flag: (row, value) => row.flag(value !== 0n),
    integer: (row, value) => row.integer(value as bigint),
    transaction: (row, value) => row.integer(value as bigint),
    row: (row, value) => row.integer(value as bigint),
  };
  const encode = encoders[type];
  if (!isOptional) return encode;
  return (row, value) => {
    row.flag(value === null);
    if (value !== null) encode(row, value);
  };
}

/** What is shipped of a range. */
export interface ShippedRange extends SlotRange {
  /** Whether the ledger begins with this range: what it knew before is shipped too. */
  readonly isFirst: boolean;
  /** Whether the ledger has the chain before the range, or its state. */
  readonly isComplete: boolean;
  /** Identifies the ledger. */
  readonly writer: string;
}

/** Properties of the ledger that is shipped, and not of the chain. */
const LOCAL_PROPERTIES = ["version", "next", "opening", "gaps", "pruned", "writer"];

/** Yields the rows of a range of slots, and what is known about what they name. */
export function* readRange(
  ledger: Pick<Ledger, "db" | "reader">,
  range: ShippedRange,
  only?: ReadonlySet<string>,
): Generator<RowBatch> {
  const keys = new Keys(ledger);
  for (const table of ROW_TABLES)
    if (!only || only.has(table.name)) yield* encodeRows(ledger, keys, table, isInRange(table.position, range));
  if (only) return;
  const named = (type: "key" | "kind") =>
    JSON.stringify(ledger.reader.all(`SELECT * FROM (${namedKeys(type, range)})`).map((row) => Object.values(row)[0]));
  const ids = { key: named("key"), kind: named("kind") };
  for (const table of stateTables) {
    const key = table.columns.find(({ isKey }) => isKey) as Column;
    const isNamed = key.type === "key" || key.type === "kind";
    const where =
      table.name === "meta"
        ? `name NOT IN (${LOCAL_PROPERTIES.map((name) => `'${name}'`).join()})`
        : range.isFirst || !isNamed
          ? "true"
          : `${key.name} IN (SELECT value FROM json_each('${ids[key.type as "key"]}'))`;
    yield* encodeRows(ledger, keys, table, where, range);
  }
}

function* encodeRows(
  { db }: Pick<Ledger, "db">,
  keys: Keys,
  table: StoredTable,
  where: string,
  state?: ShippedRange,
): Generator<RowBatch> {
  const { name, columns, kind, order } = table;
  const stored = name === "accounts" ? columns.filter((column) => column.name !== "address") : columns;
  const encoders = stored.map((column) => encoderOf(column, keys));
  const names = stored.map((column) => column.name);
  let count = 0;
  const takeBatch = (): RowBatch => {
    const batch = {
      table,
      columns: kind === "state" ? [...names, "is_complete", "known_at"] : names,
      bytes: rows.take(),
      rows: count,
    };
    count = 0;
    return batch;
  };
  const statement = db.prepare(`SELECT ${names.join()} FROM ${name} WHERE ${where} ORDER BY ${order.join()}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const unknown = UNKNOWN[name] ?? (() => false);
  const rows = new RowBinary();
  for (const values of statement.iterate() as unknown as Iterable<readonly SQLOutputValue[]>) {
    count += 1;
    for (let at = 0; at < encoders.length; at++) encoders[at]?.(rows, values[at] ?? null);
    if (state) {
      rows.flag(state.isComplete && !unknown(values));
      const version = unknown(values) ? -1n : name === "funders" ? -(values[2] as bigint) : BigInt(state.end);
      rows.integer(version);
    }
    if (rows.length >= BATCH_BYTES) yield takeBatch();
  }
  if (rows.length > 0) yield takeBatch();
}

/** Whether a row is there only because something names it: it says nothing, and any other row is newer. */
const UNKNOWN: Readonly<Record<string, (values: readonly SQLOutputValue[]) => boolean>> = {
  accounts: ([, kind]) => kind === "unknown",
  tokens: (values) => values.slice(2).every((value) => value === null),
};
