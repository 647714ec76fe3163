/** How SQLite would find what queries ask for. */
import { type Json, stringifyJson } from "../../src/base/json.ts";
import type { Reader } from "../../src/sandbox/ledger/reader.ts";

/** The steps of the plans of every statement that is asked, scans of constants and of other statements left out. */
export function planSteps(db: Reader, use: (recording: Reader) => unknown): readonly string[] {
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
    rowAt: (time) => db.rowAt(time),
  });
  return steps;
}

/** A value as most programs read it: every number a double. */
export const asDoubles = (value: Json): unknown => JSON.parse(stringifyJson(value));
