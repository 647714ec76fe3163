/** Query plans of SQLite for the statements of queries. */
import { type Json, stringifyJson } from "../../src/base/json.ts";
import type { LedgerReader } from "../../src/sandbox/ledger/reader.ts";

/** Returns the plan steps of every statement that runs during a call. */
export function planSteps(db: LedgerReader, use: (recording: LedgerReader) => unknown): readonly string[] {
  const steps: string[] = [];
  const note = (sql: string, params: readonly (string | number | bigint | null | NodeJS.ArrayBufferView)[]) => {
    for (const { detail } of db.all(`EXPLAIN QUERY PLAN ${sql}`, ...params)) steps.push(String(detail));
  };
  use({
    get clock() {
      return db.clock;
    },
    all: (sql, ...params) => {
      note(sql, params);
      return db.all(sql, ...params);
    },
    get: (sql, ...params) => {
      note(sql, params);
      return db.get(sql, ...params);
    },
    idOf: (address) => db.idOf(address),
    addressOf: (id) => db.addressOf(id),
    firstRowAt: (time) => db.firstRowAt(time),
  });
  return steps;
}

/** Returns a value as most programs read it, with all numbers as doubles. */
export const asDoubles = (value: Json): unknown => JSON.parse(stringifyJson(value));
