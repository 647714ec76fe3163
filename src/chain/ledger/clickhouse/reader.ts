/**
 * Reads a ledger in ClickHouse. Queries are those of SQLite, which returns rows at once: here a query that needs rows
 * that have not been read is left, and run again from its beginning when they are there.
 */
import type { SQLInputValue } from "node:sqlite";
import { type LedgerClock, type LedgerReader, type LedgerRow, NotReadError } from "../store/reader.ts";
import { firstRowOfSlot } from "../store/schema.ts";
import { type BoundValue, parametersIn, type Request, type StatementResult } from "./batches.ts";
import { toClickHouse } from "./dialect.ts";
import { type KeyNumbers, keyOf } from "./keys.ts";

/** A statement of ClickHouse with the values of its text parameters. */
export interface Statement {
  readonly sql: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** An unknown account: no key has this number. */
const NOBODY = (2n ** 256n - 1n).toString();

/** Returns what a parameter stands for. */
function bindValue(value: SQLInputValue | undefined, keys: KeyNumbers): BoundValue {
  if (value == null || Number.isNaN(value)) return NOTHING;
  if (typeof value === "string") return { text: value, sql: undefined };
  const key = value === -1 ? NOBODY : typeof value === "number" ? keys.keyOf(value) : undefined;
  return key === undefined ? { text: String(value), sql: String(value) } : { text: key, sql: `toUInt256('${key}')` };
}

/** A value that there is none of, as where rows that it follows from have not been read. */
export const NOTHING: BoundValue = { text: "", sql: "NULL" };

/** Statements of ClickHouse by those of SQLite, with marks in place of values. */
const translations = new Map<string, string>();
const MAX_TRANSLATIONS = 1000;
/** What stands for a value in a translation: something that is translated like the value. */
const MARK = /(sipHash64\()?(?:toUInt256\('77000000000(\d{3})'\)|\{mark(\d+):String\}|77000000000(\d{3})\b)/g;

function markOf(value: BoundValue, at: number): string {
  if (value === NOTHING) return "NULL";
  if (value.sql === undefined) return `{mark${at}:String}`;
  const mark = `77000000000${String(at).padStart(3, "0")}`;
  return value.sql.startsWith("toUInt256") ? `toUInt256('${mark}')` : mark;
}

/** Returns the statement of a request: numbers and keys are in it, texts apart. */
export function bindRequest({ sql, values }: Request): Statement {
  let at = 0;
  const marked = sql.replace(/\?/g, () => markOf(values[at] ?? NOTHING, at++));
  let translation = translations.get(marked);
  if (translation === undefined) {
    if (translations.size >= MAX_TRANSLATIONS) translations.clear();
    translation = toClickHouse(marked);
    translations.set(marked, translation);
  }
  const texts: Record<string, string> = {};
  const bind = ({ text, sql: literal }: BoundValue): string => {
    if (literal !== undefined) return literal;
    const name = `text${Object.keys(texts).length}`;
    texts[name] = text;
    return `{${name}:String}`;
  };
  const bound = translation.replace(MARK, (_, hash = "", ...marks) => {
    const value = values[Number(marks.find((mark) => mark !== undefined))] ?? NOTHING;
    const rows = value.list ?? [[value]];
    // The last parenthesis of a hash follows.
    return (
      hash +
      rows
        .map((row) => (row.length === 1 ? row.map(bind).join() : `(${row.map(bind).join()})`))
        .join(hash === "" ? "," : `),${hash}`)
    );
  });
  return { sql: bound, texts };
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

/** Returns the rows of a request; undefined while they have not been read. */
export type Ask = (request: Request) => StatementResult | undefined;

/**
 * Creates the reader of one run of a query. What has not been read is empty, and what follows from it is not asked for:
 * so the query asks for all that does not depend on it. Its result is of no use then.
 */
export function createReader(
  ask: Ask,
  clock: LedgerClock,
  keys: KeyNumbers,
  parts: Pick<LedgerReader, "facts" | "decode">,
): LedgerReader {
  const read = (sql: string, params: readonly SQLInputValue[]) => {
    const result = ask({ sql, values: params.map((value) => bindValue(value, keys)) });
    return result && toRows(result, keys);
  };
  const get = (sql: string, ...params: readonly SQLInputValue[]): LedgerRow | undefined => {
    const rows = read(sql, params);
    // What it is decides what is asked next.
    if (!rows && IS_THERE.test(sql)) throw new NotReadError(sql);
    return rows ? rows[0] : knownColumns(sql, params);
  };
  return {
    ...parts,
    clock,
    removals: 0,
    atomically: (query) => query(),
    all: (sql, ...params) => read(sql, params) ?? [],
    get,
    idOf(address) {
      const key = keyOf(address);
      if (key === undefined) return undefined;
      const id = keys.numberOf(String(key));
      const found = read("SELECT 1 FROM accounts WHERE id = ? LIMIT 1", [id]);
      return found?.length === 0 ? undefined : id;
    },
    addressOf: (id) => (Number.isNaN(id) ? "" : keys.addressOf(id)),
    firstRowAt(time) {
      const block = get("SELECT slot FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1", time);
      return block ? firstRowOfSlot(Number(block.slot)) : Number.MAX_SAFE_INTEGER;
    },
  };
}

/** Returns the columns of a row that has not been read: those that it is selected by. */
function knownColumns(sql: string, params: readonly SQLInputValue[]): LedgerRow {
  const known = [...sql.matchAll(/(?:WHERE|AND) (?:\w+\.)?(\w+) = \?/g)].map(({ 0: text, 1: name = "", index }) => [
    name,
    params[parametersIn(sql.slice(0, index + text.length)) - 1],
  ]);
  return Object.fromEntries(known) as LedgerRow;
}

const IS_THERE = /^\s*SELECT 1 FROM /;
