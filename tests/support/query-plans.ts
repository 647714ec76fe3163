/** Query plans of SQLite for the statements of queries. */
import type { SQLInputValue } from "node:sqlite";
import { type Json, stringifyJson } from "../../src/base/json.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";

/** A statement with the steps of its query plan. */
export interface PlannedStatement {
  readonly sql: string;
  readonly steps: readonly string[];
}

/** Returns the statements that run during a call, each text once, with their plans. */
export function planStatements(
  db: LedgerReader,
  use: (recording: LedgerReader) => unknown,
): readonly PlannedStatement[] {
  const statements = new Map<string, PlannedStatement>();
  const record = (sql: string, params: readonly SQLInputValue[]) => {
    if (statements.has(sql)) return;
    const steps = db.all(`EXPLAIN QUERY PLAN ${sql}`, ...params).map(({ detail }) => String(detail));
    statements.set(sql, { sql, steps });
  };
  use({
    get clock() {
      return db.clock;
    },
    facts: db.facts,
    decode: db.decode,
    removals: db.removals,
    atomically: (query) => query(),
    all: (sql, ...params) => {
      record(sql, params);
      return db.all(sql, ...params);
    },
    get: (sql, ...params) => {
      record(sql, params);
      return db.get(sql, ...params);
    },
    idOf: (address) => db.idOf(address),
    addressOf: (id) => db.addressOf(id),
    firstRowAt: (time) => db.firstRowAt(time),
  });
  return [...statements.values()];
}

/** Returns the plan steps of every statement that runs during a call. */
export const planSteps = (db: LedgerReader, use: (recording: LedgerReader) => unknown): readonly string[] =>
  planStatements(db, use).flatMap(({ steps }) => steps);

/** Returns a value as most programs read it, with all numbers as doubles. */
export const asDoubles = (value: Json): unknown => JSON.parse(stringifyJson(value));
