/** Reading a ledger. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { firstRow } from "./schema.ts";

/** A row as SQLite gives it: integers beyond 2^53 must be selected as text (see `exact` in queries/sql.ts). */
export type LedgerRow = Readonly<Record<string, number | string | null>>;

/** The ledger's time and the caller's. */
export interface LedgerClock {
  /** Seconds to add to the ledger's time. */
  readonly shift: number;
  /** Ledger time of the newest block: what "now" means for everything that is counted back from it. */
  readonly end: number;
}

/** Asks a ledger. Statements are prepared once for each text. */
export interface LedgerReader {
  readonly clock: LedgerClock;
  /** All rows. Parameters are plain `?`: the oldest Node supported does not bind numbered ones (`?1`) by place. */
  all(sql: string, ...params: readonly SQLInputValue[]): readonly LedgerRow[];
  get(sql: string, ...params: readonly SQLInputValue[]): LedgerRow | undefined;
  /** The account's number; undefined when the ledger does not know it. */
  idOf(address: string): number | undefined;
  /** The address of an account's number. */
  addressOf(id: number): string;
  /** The first row id at or after a ledger time. */
  firstRowAt(time: number): number;
}

/** Statements kept; filters make many texts, and few of them are in use at a time. */
const MAX_STATEMENTS = 256;
/** Addresses kept by number: pages repeat the same few. */
const MAX_ADDRESSES = 50_000;

/** Makes a reader of an open database; `clock` is asked each time, as live ledgers grow. */
export function createLedgerReader(db: DatabaseSync, clock: () => LedgerClock): LedgerReader {
  const statements = new Map<string, StatementSync>();
  const addresses = new Map<number, string>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement) statements.delete(sql);
    else {
      statement = db.prepare(sql);
      const oldest = statements.size >= MAX_STATEMENTS ? statements.keys().next().value : undefined;
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, statement);
    return statement;
  };
  const get = (sql: string, ...params: readonly SQLInputValue[]) =>
    prepare(sql).get(...params) as LedgerRow | undefined;
  return {
    get clock() {
      return clock();
    },
    all: (sql, ...params) => prepare(sql).all(...params) as unknown as readonly LedgerRow[],
    get,
    idOf: (address) => get("SELECT id FROM accounts WHERE address = ?", address)?.id as number | undefined,
    addressOf(id) {
      const known = addresses.get(id);
      if (known !== undefined) return known;
      const address = String(get("SELECT address FROM accounts WHERE id = ?", id)?.address);
      if (addresses.size >= MAX_ADDRESSES) addresses.clear();
      addresses.set(id, address);
      return address;
    },
    firstRowAt(time) {
      const block = get(
        "SELECT first_transaction AS first FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1",
        time,
      );
      return block ? firstRow(block.first as number) : Number.MAX_SAFE_INTEGER;
    },
  };
}
