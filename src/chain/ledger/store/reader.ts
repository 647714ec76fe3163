/** Reads a ledger: prepared statements, ids and addresses of accounts, the clock, and the epochs of its cluster. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { inTransaction } from "../../../base/index.ts";
import type { ChainDecoder } from "../source/source.ts";
import { addAmountFunctions } from "./amounts.ts";
import { firstRowOfSlot, SLOTS_PER_EPOCH } from "./schema.ts";

/** A row as SQLite returns it. Integers beyond 2^53 must be selected as text (see `asText` in queries/sql.ts). */
export type LedgerRow = Readonly<Record<string, LedgerValue>>;

type LedgerValue = number | string | null;

/** Relates the ledger's time to the caller's time. */
export interface LedgerClock {
  /** Seconds to add to the ledger's time. */
  readonly shift: number;
  /** Ledger time of the newest block, in seconds; relative times and statistics count back from it. */
  readonly end: number;
}

/** What holds for the data of a ledger. Of a chain only what its indexed blocks say is known. */
interface LedgerFacts {
  /** Whether the ledger has the chain from its first block: what no row says is nothing. */
  readonly isComplete: boolean;
  /** Whether every trade has a value in USD. */
  readonly hasPrices: boolean;
  /** Whether the blocks are generated: logs, encodings and the data of instructions follow from the rows. */
  readonly isGenerated: boolean;
  /** The end of an SQL order in which unknown values come last. */
  readonly nullsLast: "" | " NULLS LAST";
  /** Returns what a complete ledger implies where no row says it; undefined where it is unknown. */
  assume<T>(value: T): T | undefined;
}

/** The facts of a simulated chain, and of a ledger of a chain. */
export const FACTS: Readonly<Record<"simulated" | "chain", LedgerFacts>> = {
  simulated: { isComplete: true, hasPrices: true, isGenerated: true, nullsLast: "", assume: (value) => value },
  chain: { isComplete: false, hasPrices: false, isGenerated: false, nullsLast: " NULLS LAST", assume: () => undefined },
};

/** Queries a ledger. Each SQL text is prepared once. */
export interface LedgerReader {
  readonly clock: LedgerClock;
  readonly facts: LedgerFacts;
  /** Decodes instructions of a chain of which the ledger has only the data. */
  readonly decode: ChainDecoder | undefined;
  /** How often blocks have been removed from the ledger: what is cached of it was right for this number only. */
  readonly removals: number;
  /** Runs a query that sees one state of the ledger, while another process may write to it. */
  atomically<T>(query: () => T): T;
  /** Returns all rows. Parameters are plain `?`: the oldest supported Node does not bind `?1` by position. */
  all(sql: string, ...params: readonly SQLInputValue[]): readonly LedgerRow[];
  get(sql: string, ...params: readonly SQLInputValue[]): LedgerRow | undefined;
  /** Returns the id of an account, or undefined when the ledger does not contain it. */
  idOf(address: string): number | undefined;
  addressOf(id: number): string;
  /** Returns the first row id at or after a ledger time. */
  firstRowAt(time: number): number;
}

/** Thrown by a reader that does not have rows yet that decide what is read next: the query is run again. */
export class NotReadError extends Error {}

/** Returns what each row becomes. A row that fails does not keep a reader from learning what the others need. */
export function mapRows<Row, Result>(
  rows: readonly Row[],
  convert: (row: Row, at: number) => Result,
): readonly Result[] {
  const errors: unknown[] = [];
  const results = rows.map((row, at) => {
    try {
      return convert(row, at);
    } catch (error) {
      errors.push(error);
      return undefined as Result;
    }
  });
  if (errors.length > 0) throw errors[0];
  return results;
}

/** Maximum number of cached statements: filters create many texts, of which few are in use at a time. */
const MAX_STATEMENTS = 256;
/** Maximum number of cached addresses: pages repeat the same few. */
const MAX_ADDRESSES = 50_000;

/** A statement whose rows are objects. */
interface RowStatement {
  readonly all: (params: readonly SQLInputValue[]) => readonly LedgerRow[];
  readonly get: (params: readonly SQLInputValue[]) => LedgerRow | undefined;
}

/** Prepares a statement. Rows are read as lists, from which V8 creates objects in half the time that SQLite takes. */
function prepareRows(db: DatabaseSync, sql: string): RowStatement {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const toRow = (values: readonly LedgerValue[]) => {
    const row: Record<string, LedgerValue> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at] as LedgerValue;
    return row;
  };
  return {
    all: (params) => (statement.all(...params) as unknown as readonly (readonly LedgerValue[])[]).map(toRow),
    get(params) {
      const values = statement.get(...params) as unknown as readonly LedgerValue[] | undefined;
      return values && toRow(values);
    },
  };
}

function createStatementCache(db: DatabaseSync): (sql: string) => RowStatement {
  const statements = new Map<string, RowStatement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement) statements.delete(sql);
    else {
      statement = prepareRows(db, sql);
      const oldest = statements.size >= MAX_STATEMENTS ? statements.keys().next().value : undefined;
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, statement);
    return statement;
  };
}

/** Returns how often blocks have been removed from a ledger; the version that SQLite stores for applications counts it. */
export const readRemovals = (db: DatabaseSync): number =>
  Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);

/** Options of a reader. */
interface ReaderOptions {
  readonly isChain?: boolean;
  readonly decode?: ChainDecoder | undefined;
  /** Whether other connections write to the database. */
  readonly isShared?: boolean;
}

/** Creates a reader of an open database. `clock` is called on each access because live ledgers grow. */
export function createLedgerReader(
  db: DatabaseSync,
  clock: () => LedgerClock,
  { isChain = false, decode, isShared = false }: ReaderOptions = {},
): LedgerReader {
  addAmountFunctions(db);
  const prepare = createStatementCache(db);
  const addresses = new Map<number, string>();
  const ids = new Map<string, number>();
  const get = (sql: string, ...params: readonly SQLInputValue[]) => prepare(sql).get(params);
  let removals = 0;
  /** Removed accounts leave their ids to others. */
  const forgetRemoved = () => {
    const current = readRemovals(db);
    if (current !== removals) {
      addresses.clear();
      ids.clear();
    }
    removals = current;
  };
  return {
    get clock() {
      return clock();
    },
    facts: FACTS[isChain ? "chain" : "simulated"],
    decode,
    get removals() {
      return removals;
    },
    atomically(query) {
      if (!isShared) return query();
      return inTransaction(
        db,
        () => {
          forgetRemoved();
          return query();
        },
        "deferred",
      );
    },
    all: (sql, ...params) => prepare(sql).all(params),
    get,
    idOf(address) {
      const known = ids.get(address);
      if (known !== undefined) return known;
      const id = get("SELECT id FROM accounts WHERE address = ?", address)?.id as number | undefined;
      if (ids.size >= MAX_ADDRESSES) ids.clear();
      if (id !== undefined) ids.set(address, id);
      return id;
    },
    addressOf(id) {
      const known = addresses.get(id);
      if (known !== undefined) return known;
      const address = String(get("SELECT address FROM accounts WHERE id = ?", id)?.address);
      if (addresses.size >= MAX_ADDRESSES) addresses.clear();
      addresses.set(id, address);
      return address;
    },
    firstRowAt(time) {
      const block = get("SELECT slot FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1", time);
      return block ? firstRowOfSlot(block.slot as number) : Number.MAX_SAFE_INTEGER;
    },
  };
}

/** The epochs of a cluster, as `getEpochSchedule` describes them: of any length, which doubles from 32 slots on at first. */
export interface EpochSchedule {
  readonly slotsPerEpoch: number;
  /** The first slot of the epochs of that length. */
  readonly firstNormalSlot: number;
  readonly firstNormalEpoch: number;
}

const EPOCH_SCHEDULE = "epochs";

/** Returns a schedule as a property of a ledger. */
export const epochProperty = ({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }: EpochSchedule) => ({
  [EPOCH_SCHEDULE]: JSON.stringify({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }),
});

const MAINNET: EpochSchedule = { slotsPerEpoch: SLOTS_PER_EPOCH, firstNormalSlot: 0, firstNormalEpoch: 0 };

/** Slots of the first epoch of clusters whose epochs double. */
const FIRST_EPOCH_SLOTS = 32;

/** Returns the epoch of a slot. */
export function epochOfSlot({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }: EpochSchedule, slot: number): number {
  return slot < firstNormalSlot
    ? Math.floor(Math.log2(slot / FIRST_EPOCH_SLOTS + 1))
    : firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
}

/** Returns the epoch of a slot of a ledger; ledgers that say nothing about epochs have those of mainnet. */
export function epochAt(db: LedgerReader, slot: number): number {
  const stored = db.get("SELECT value FROM meta WHERE name = ?", EPOCH_SCHEDULE)?.value;
  return epochOfSlot(stored === undefined ? MAINNET : (JSON.parse(String(stored)) as EpochSchedule), slot);
}
