/**
 * Copies blocks of a ledger in SQLite into ClickHouse: the rows of a range of slots, and what is known then about the
 * accounts and tokens that these rows name.
 */
import { Buffer } from "node:buffer";
import type { SQLOutputValue } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../../base/index.ts";
import { hideBlocksFrom } from "../store/chain-writer.ts";
import { createLedgerReader, readRemovals } from "../store/reader.ts";
import { type Column, firstPosition, SLOTS_PER_EPOCH } from "../store/schema.ts";
import type { Ledger } from "../store/store.ts";
import { keyBytes, NO_KEY } from "./keys.ts";
import { RowBinary } from "./row-binary.ts";
import { type ForkRange, isInRange, type SlotRange, UNKNOWN_AGE } from "./slots.ts";
import { STORED_OWNER, STORED_TABLES, type StoredTable } from "./tables.ts";

/** A part of the rows of a table, in the format RowBinary, with the columns in the order of the table. */
export interface RowBatch {
  readonly table: StoredTable;
  readonly columns: readonly string[];
  readonly bytes: Buffer;
  readonly rows: number;
  /** The slots of which these are all rows, in a table of rows of blocks, and their fork. */
  readonly range: ForkRange;
}

/** Returns the parts of a range by epoch, the partition of tables: an insert into one is stored as a whole, or not at all. */
function divideByEpoch({ from, end }: SlotRange): readonly SlotRange[] {
  const next = (Math.floor(from / SLOTS_PER_EPOCH) + 1) * SLOTS_PER_EPOCH;
  return end <= next ? [{ from, end }] : [{ from, end: next }, ...divideByEpoch({ from: next, end })];
}

/** The tables of rows of blocks. */
const ROW_TABLES = STORED_TABLES.flatMap((table) => {
  const { kind, position } = table;
  return kind === "rows" && position ? [{ ...table, position }] : [];
});
const stateTables = STORED_TABLES.filter(({ kind }) => kind === "state");

/** A ledger that is shipped. */
export type ShippedLedger = Pick<Ledger, "db" | "reader">;

/** Returns a ledger to ship what it has now: ids that it removes may be of other accounts later, and readers remember them. */
export const ledgerToShip = ({ db }: Pick<Ledger, "db">): ShippedLedger => ({
  db,
  reader: createLedgerReader(db, () => ({ end: 0, shift: 0 }), { isChain: true }),
});

/** Returns the version of the blocks of a ledger: each time that it removes some, another one, which no other has. */
export const forkOf = ({ db }: Pick<Ledger, "db">, writer: string): number =>
  Number.parseInt(sha256(`${writer} ${readRemovals(db)}`).slice(0, 8), 16);

/** Keys by the ids of a ledger, of all that is named in a range. */
class Keys {
  readonly #ledger: ShippedLedger;
  readonly #accounts = new Map<number, Buffer>();
  readonly #kinds = new Map<number, Buffer>();
  readonly #named = new Set<number>();

  constructor(ledger: ShippedLedger) {
    this.#ledger = ledger;
  }

  /** Returns the ids whose keys were asked for, as JSON. */
  named(type: "key" | "kind"): string {
    return JSON.stringify([...(type === "key" ? this.#named : this.#kinds.keys())]);
  }

  account(id: number): Buffer {
    let key = this.#accounts.get(id);
    if (!key) {
      key = id === 0 ? NO_KEY : keyBytes(this.#ledger.reader.addressOf(id));
      if (this.#accounts.size >= MAX_KEYS) this.#accounts.clear();
      this.#accounts.set(id, key);
      this.#named.add(id);
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
/** Bytes of rows that are sent together, and rows after which what was read before is sent. */
const [BATCH_BYTES, ROWS_AT_ONCE] = [16 * 1024 * 1024, 4096];

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
  /** The version of its blocks. */
  readonly fork: number;
  /** The slot before which its opening was; undefined where the database has that of another ledger. */
  readonly openingSlot: number | undefined;
}

/** What is known from before the first block: balances and supplies. */
const isOpening = (table: string): boolean => table.startsWith("opening_");

/** Properties of the ledger that is shipped, and not of the chain. */
const LOCAL_PROPERTIES = ["version", "next", "opening", "gaps", "pruned", "writer"];

/**
 * Yields the rows of a range of slots, and what is known about what they name. Whoever reads the range has the same
 * batches.
 */
export async function* readRange(ledger: ShippedLedger, range: ShippedRange): AsyncGenerator<RowBatch> {
  const keys = new Keys(ledger);
  for (const part of divideByEpoch(range))
    for (const table of ROW_TABLES)
      yield* encodeRows(ledger, keys, table, isInRange(table.position, part), { ...range, ...part });
  const ids = { key: keys.named("key"), kind: keys.named("kind") };
  // As of the range: the chain may drop what follows.
  const restore = hideBlocksFrom(ledger.db, range.end);
  try {
    for (const table of stateTables)
      yield* encodeRows(ledger, keys, table, stateCondition(table, range, ids), range, true);
  } finally {
    restore();
  }
}

/** Returns the SQL condition of what is shipped of a state. @param ids those that the rows of the range name, as JSON */
function stateCondition(
  { name, columns }: StoredTable,
  { isFirst, openingSlot }: ShippedRange,
  ids: Readonly<Record<"key" | "kind", string>>,
): string {
  if (isOpening(name) && openingSlot === undefined) return "false";
  if (name === "meta") return `name NOT IN (${LOCAL_PROPERTIES.map((property) => `'${property}'`).join()})`;
  const key = columns.find(({ isKey }) => isKey);
  if (isFirst || (key?.type !== "key" && key?.type !== "kind")) return "true";
  return `${key.name} IN (SELECT value FROM json_each('${ids[key.type]}'))`;
}

/** Returns what reads the slot of a row. */
function slotReader(names: readonly string[], position: Column): (values: readonly SQLOutputValue[]) => number {
  const at = names.indexOf(position.name);
  const perSlot = firstPosition(position, 1);
  return (values) => Math.floor(Number(values[at]) / perSlot);
}

/** Returns what adds to a row who knows it, and when. */
function stateEncoder(table: string, { isComplete, end, openingSlot = end }: ShippedRange) {
  const isUnknown = UNKNOWN[table] ?? (() => false);
  const knownAt = isOpening(table) ? openingSlot + 1 : end;
  return (row: RowBinary, values: readonly SQLOutputValue[]) => {
    const unknown = isUnknown(values);
    row.flag(isComplete && !unknown);
    row.integer(table === "funders" ? -(values[2] as bigint) : BigInt(unknown ? end - UNKNOWN_AGE : knownAt));
  };
}

async function* encodeRows(
  { db }: Pick<Ledger, "db">,
  keys: Keys,
  table: StoredTable,
  where: string,
  range: ShippedRange,
  isState = false,
): AsyncGenerator<RowBatch> {
  const { name, columns, order, position } = table;
  const encoders = columns.map((column) => encoderOf(column, keys));
  const names = columns.map((column) => column.name);
  let [count, from, slot] = [0, range.from, range.from];
  const takeBatch = (end: number): RowBatch => {
    const batch = {
      table,
      columns: [...names, ...(isState ? ["is_complete", "known_at"] : []), "fork"],
      bytes: rows.take(),
      rows: count,
      range: { from, end, fork: range.fork },
    };
    [count, from] = [0, end];
    return batch;
  };
  const sorted = new Set([...(position ? [position.name] : []), ...order]);
  const values = names.map((each) => (name === "balances" && each === "owner_id" ? STORED_OWNER : each));
  const statement = db.prepare(`SELECT ${values.join()} FROM ${name} WHERE ${where} ORDER BY ${[...sorted].join()}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const encodeState = isState ? stateEncoder(name, range) : () => {};
  const rows = new RowBinary();
  const slotOf = isState ? () => range.end : slotReader(names, position as Column);
  for (const values of statement.iterate() as unknown as Iterable<readonly SQLOutputValue[]>) {
    // A batch of rows of blocks ends with a slot.
    const next = slotOf(values);
    if (rows.length >= BATCH_BYTES && (isState || next > slot)) yield takeBatch(next);
    slot = next;
    count += 1;
    for (let at = 0; at < encoders.length; at++) encoders[at]?.(rows, values[at] ?? null);
    encodeState(rows, values);
    rows.number(range.fork);
    if (count % ROWS_AT_ONCE === 0) await setImmediate();
  }
  if (rows.length > 0) yield takeBatch(range.end);
}

/** Whether a row is there only because something names it: it says nothing, and any other row is newer. */
const UNKNOWN: Readonly<Record<string, (values: readonly SQLOutputValue[]) => boolean>> = {
  accounts: ([, kind]) => kind === "unknown",
  tokens: (values) => values.slice(2).every((value) => value === null),
};
