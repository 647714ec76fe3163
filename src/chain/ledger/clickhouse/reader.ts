/**
 * Reads a ledger in ClickHouse. Queries are those of SQLite, which returns rows at once: here a query that needs rows
 * that have not been read is left, and run again from its beginning when they are there.
 */
import type { SQLInputValue } from "node:sqlite";
import type { LedgerClock, LedgerReader, LedgerRow } from "../store/reader.ts";
import { firstRowOfSlot } from "../store/schema.ts";
import { toClickHouse } from "./dialect.ts";
import { KeyNumbers, keyOf } from "./keys.ts";

/** A statement with the values of its text parameters. */
export interface Statement {
  readonly sql: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The answer to a statement, in the format JSONCompact. */
export interface StatementResult {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly (string | number | null)[])[];
}

/** An unknown account: no key has this number. */
const NOBODY = "toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')";

/** Returns a statement with its parameters: numbers and keys in the text, texts apart. */
function bindStatement(sql: string, params: readonly SQLInputValue[], keys: KeyNumbers): Statement {
  const texts: Record<string, string> = {};
  let at = 0;
  const bound = sql.replace(/\?/g, () => {
    const value = params[at++] ?? null;
    if (typeof value === "string") {
      const name = `text${at}`;
      texts[name] = value;
      return `{${name}:String}`;
    }
    if (value === -1) return NOBODY;
    const key = typeof value === "number" ? keys.keyOf(value) : undefined;
    return key === undefined ? String(value) : `toUInt256('${key}')`;
  });
  return { sql: toClickHouse(bound), texts };
}

const INTEGER = /^U?Int\d+$/;

function toRows({ meta, data }: StatementResult, keys: KeyNumbers): readonly LedgerRow[] {
  const types = meta.map(({ type }) => type.replace(/^Nullable\((.*)\)$/, "$1"));
  // Columns of the same name in several tables have that of the table before them.
  const names = meta.map(({ name }) => name.slice(name.lastIndexOf(".") + 1));
  return data.map((values) => {
    const row: Record<string, number | string | null> = {};
    names.forEach((name, at) => {
      const [value = null, type = ""] = [values[at], types[at]];
      if (value === null) row[name] = null;
      else if (type === "UInt256") row[name] = keys.numberOf(String(value));
      else row[name] = INTEGER.test(type) ? Number(value) : value;
    });
    return row;
  });
}

/** Runs statements. */
export type Ask = (statement: Statement) => StatementResult;

/** Creates the reader of one answer. */
export function createReader(
  ask: Ask,
  clock: LedgerClock,
  parts: Pick<LedgerReader, "facts" | "decode">,
): LedgerReader {
  const keys = new KeyNumbers();
  const all = (sql: string, ...params: readonly SQLInputValue[]) => toRows(ask(bindStatement(sql, params, keys)), keys);
  const get = (sql: string, ...params: readonly SQLInputValue[]) => all(sql, ...params)[0];
  return {
    ...parts,
    clock,
    removals: 0,
    atomically: (query) => query(),
    all,
    get,
    idOf(address) {
      const key = keyOf(address);
      if (key === undefined) return undefined;
      const id = keys.numberOf(String(key));
      return get("SELECT 1 FROM accounts WHERE id = ? LIMIT 1", id) && id;
    },
    addressOf: (id) => keys.addressOf(id),
    firstRowAt(time) {
      const block = get("SELECT slot FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1", time);
      return block ? firstRowOfSlot(block.slot as number) : Number.MAX_SAFE_INTEGER;
    },
  };
}
