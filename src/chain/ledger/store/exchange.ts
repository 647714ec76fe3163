/** Ledgers of a chain as facts and back: see facts-schema.ts. */
import { Buffer } from "node:buffer";
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import {
  integerWithin,
  isNumeric,
  type Json,
  type JsonObject,
  numericText,
  openDatabase,
  SolxError,
  throwIfAborted,
  toNumeric,
} from "../../../base/index.ts";
import { isAddress } from "../../../catalogue/index.ts";
import { storedAmount } from "./amounts.ts";
import { CHAIN_TABLES, fileError } from "./chain-writer.ts";
import { FACT_TABLES, type FactColumn, factColumns, factColumnsOf } from "./facts-schema.ts";
import { createTables, Ingester } from "./ingester.ts";
import { createIdRegistry, type IdRegistry } from "./registry.ts";
import { createTableWriters, type TableWriters } from "./row-writer.ts";
import {
  type Column,
  firstPosition,
  firstRow,
  INDEXES,
  isPosition,
  LEDGER_VERSION,
  ROWS_PER_TRANSACTION,
  SLOT_END,
  type SourceTable,
  slotOfTransaction,
  sourceColumns,
  TRANSACTIONS_PER_SLOT,
  transactionAt,
  transactionOfRow,
} from "./schema.ts";
import type { Ledger } from "./store.ts";

/** The table of the properties of a ledger, beside the tables of facts. */
export const PROPERTIES = "ledger";

/** Rows in a page. */
const PAGE_ROWS = 1000;

type Page = readonly JsonObject[];

/** Yields the facts of a table, in order. @param end the first slot whose facts are left out */
export function* readFacts({ db, reader }: Ledger, table: SourceTable, end: number): Generator<Page> {
  const columns = sourceColumns(table);
  const keys = columns.filter(({ isKey }) => isKey);
  const bounds = keys.filter(isPosition).map((key) => `t.${key.name} < ${firstPosition(key, end)}`);
  const where = bounds.length > 0 ? `WHERE ${bounds.join(" AND ")}` : "";
  const names = columns.map(({ name, type }) =>
    type === "kind" ? "k.program_id, k.type, k.parsed_type" : `t.${name}`,
  );
  const kinds = columns.some(({ type }) => type === "kind") ? "JOIN instruction_kinds k ON k.id = t.kind_id" : "";
  const order = keys.map(({ name }) => `t.${name}`).join();
  const statement = db.prepare(`SELECT ${names.join()} FROM ${table} t ${kinds} ${where} ORDER BY ${order}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const address = (id: SQLOutputValue) => (id === null ? null : reader.addressOf(Number(id)));
  const facts = columns.map((column) => [column, factColumnsOf(column)] as const);
  let page: JsonObject[] = [];
  for (const row of statement.iterate() as unknown as Iterable<readonly SQLOutputValue[]>) {
    const fact: Record<string, Json> = {};
    let at = 0;
    for (const [column, parts] of facts) {
      const values =
        column.type === "kind"
          ? [address(row[at++] ?? null), String(row[at++]), String(row[at++])]
          : factValues(column, row[at++] ?? null, address);
      parts.forEach(({ name }, n) => {
        fact[name] = values[n] ?? null;
      });
    }
    page.push(fact);
    if (page.length < PAGE_ROWS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Returns the values that a value of a ledger becomes. */
function factValues({ type }: Column, value: SQLOutputValue, address: (id: SQLOutputValue) => Json): readonly Json[] {
  if (value === null) return [];
  if (type === "key") return [address(value)];
  if (type === "transaction") return placeOf(Number(value));
  if (type === "row") {
    const transaction = transactionOfRow(Number(value));
    return [...placeOf(transaction), Number(value) - firstRow(transaction)];
  }
  if (value instanceof Uint8Array) return [Buffer.from(value).toString("base64")];
  return [type === "any" || typeof value === "bigint" ? toNumeric(String(BigInt(value))) : value];
}

const placeOf = (transaction: number): readonly number[] => [
  slotOfTransaction(transaction),
  transaction % TRANSACTIONS_PER_SLOT,
];

/** Returns the first slot that the chain may still drop, or whose predecessor is missing: its facts may change. */
export const firstOpenSlot = ({ db }: Pick<Ledger, "db">): number =>
  Number(db.prepare("SELECT min(slot) AS slot FROM undo").get()?.slot ?? SLOT_END);

/** Returns the properties of a ledger whose facts end before a slot. */
export function readProperties({ db }: Ledger, end: number): Page {
  const rows = db.prepare("SELECT name, value FROM meta ORDER BY name").all();
  return rows.map(({ name, value }) => ({
    name: String(name),
    value: name === "next" && end < SLOT_END ? String(end) : String(value),
  }));
}

/** Reads the facts of a table, or the properties, page by page; undefined where there are none. */
export type FactReader = (table: SourceTable | typeof PROPERTIES) => AsyncIterable<readonly Json[]> | undefined;

/**
 * Writes a new ledger from facts.
 * @throws SolxError for facts that a ledger cannot hold; the file is of no use then
 */
export async function writeFacts(path: string, read: FactReader, signal?: AbortSignal): Promise<void> {
  const db = openDatabase(path);
  try {
    db.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE");
    createTables(db);
    db.exec("BEGIN");
    await writeProperties(db, read);
    const writer = new FactsWriter(db);
    for (const table of FACT_TABLES) await writer.addTable(table, read, signal);
    writer.flush();
    checkReferences(db);
    db.exec(INDEXES + CHAIN_TABLES);
    for (const step of new Ingester(db, { isChain: true }).settleAllSteps()) {
      throwIfAborted(signal);
      step();
    }
    db.exec("COMMIT");
  } catch (error) {
    throw fileError(error);
  } finally {
    db.close();
  }
}

async function writeProperties(db: DatabaseSync, read: FactReader): Promise<void> {
  const insert = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  const properties = new Map<string, string>();
  for await (const page of read(PROPERTIES) ?? [])
    for (const row of page) {
      const { name, value } = row as JsonObject;
      properties.set(String(name), String(value));
    }
  if (properties.get("version") !== String(LEDGER_VERSION))
    throw factsError(PROPERTIES, `its version is ${properties.get("version") ?? "missing"}, not ${LEDGER_VERSION}`);
  if (properties.has("pruned"))
    throw factsError(
      PROPERTIES,
      "blocks were removed from the index: balances and supplies do not follow from the rest",
    );
  for (const [name, value] of new Map([["chain", "1"], ["end", "0"], ...properties])) insert.run(name, value);
}

const factsError = (table: string, reason: string, row?: number): SolxError =>
  new SolxError("usage", `The facts cannot be read: ${table}${row === undefined ? "" : `, row ${row}`}: ${reason}.`, {
    code: "BAD_FACTS",
    hint: "The format: solx help facts",
  });

/** Writes facts as rows of a ledger. */
class FactsWriter {
  readonly #tables: TableWriters;
  readonly #registry: IdRegistry;

  constructor(db: DatabaseSync) {
    this.#tables = createTableWriters(db);
    this.#registry = createIdRegistry(db);
  }

  async addTable(table: SourceTable, read: FactReader, signal: AbortSignal | undefined): Promise<void> {
    // All ids first: the program that owns an account may follow it.
    if (table === "accounts") {
      await this.#addRows(table, read, signal, (row) => this.#registry.registerAccount(String(row.address)));
      this.#tables.accounts.flush();
    }
    const columns = sourceColumns(table).map((column) => [column, factColumnsOf(column)] as const);
    await this.#addRows(table, read, signal, (row) =>
      this.#tables[table].add(
        ...columns.map(([{ type }, parts]) =>
          this.#stored(
            type,
            parts.map(({ name }) => row[name] ?? null),
          ),
        ),
      ),
    );
    this.#tables[table].flush();
  }

  flush(): void {
    for (const table of Object.values(this.#tables)) table.flush();
  }

  async #addRows(
    table: SourceTable,
    read: FactReader,
    signal: AbortSignal | undefined,
    add: (row: JsonObject) => void,
  ): Promise<void> {
    const columns = factColumns(table);
    let count = 0;
    for await (const page of read(table) ?? []) {
      throwIfAborted(signal);
      for (const row of page) {
        count += 1;
        const problem = findProblem(columns, row);
        if (problem !== undefined) throw factsError(table, problem, count);
        try {
          add(row as JsonObject);
        } catch (error) {
          throw factsError(table, (error as Error).message.replace(/\.$/, ""), count);
        }
      }
    }
  }

  /** Returns the value of a column that facts become. */
  #stored(type: Column["type"], [value = null, second, third]: readonly Json[]): SQLInputValue {
    if (value === null) return null;
    if (type === "transaction") return transactionAt(Number(value), Number(second));
    if (type === "row") return firstRow(transactionAt(Number(value), Number(second))) + Number(third);
    if (isNumeric(value)) {
      const text = numericText(value);
      return type === "real" ? Number(text) : type === "any" ? storedAmount(BigInt(text)) : BigInt(text);
    }
    if (type === "key") return this.#registry.accountId(String(value));
    if (type === "kind") {
      const [program, kind, label] = [this.#registry.accountId(String(value)), String(second), String(third)];
      return this.#registry.instructionKindId(program, kind, label, (id) =>
        this.#tables.instruction_kinds.add(id, program, kind, label),
      );
    }
    return type === "blob" ? Buffer.from(String(value), "base64") : String(value);
  }
}

const CHECKS: Readonly<Record<FactColumn["type"], (value: Json) => string | undefined>> = {
  address: (value) => (typeof value === "string" && isAddress(value) ? undefined : "no address"),
  slot: integerCheck(0n, BigInt(SLOT_END) - 1n, "no slot"),
  index: integerCheck(0n, BigInt(TRANSACTIONS_PER_SLOT) - 1n, "no index of a transaction"),
  row: integerCheck(0n, BigInt(ROWS_PER_TRANSACTION) - 1n, "no number of a row"),
  integer: integerCheck(-(2n ** 63n), 2n ** 63n - 1n, "no integer of 64 bits"),
  amount: integerCheck(-(2n ** 64n), 2n ** 64n - 1n, "no amount"),
  number: (value) => (isNumeric(value) ? undefined : "no number"),
  text: (value) => (typeof value === "string" ? undefined : "no text"),
  bytes: (value) => (typeof value === "string" && /^[\w+/]*={0,2}$/.test(value) ? undefined : "not base64"),
};

function integerCheck(min: bigint, max: bigint, problem: string): (value: Json) => string | undefined {
  return (value) => (isNumeric(value) && integerWithin(value, min, max) !== undefined ? undefined : problem);
}

/** Returns what is wrong with a row; undefined when it is a fact. */
function findProblem(columns: readonly FactColumn[], row: Json): string | undefined {
  if (typeof row !== "object" || row === null || Array.isArray(row) || isNumeric(row)) return "it is no object";
  for (const { name, type, isOptional } of columns) {
    const value = (row as JsonObject)[name] ?? null;
    if (value === null && isOptional) continue;
    const problem = value === null ? "missing" : CHECKS[type](value);
    if (problem !== undefined) return `${name} is ${problem}`;
  }
  return undefined;
}

/** Tables whose rows name a token, without which no list shows them. */
const TOKEN_REFERENCES = ["transfers", "balance_changes", "holdings", "token_accounts", "opening_supplies"] as const;

/** @throws SolxError for rows of transactions or tokens that the facts lack */
function checkReferences(db: DatabaseSync): void {
  for (const table of TOKEN_REFERENCES) {
    const sql = `SELECT a.address FROM (SELECT DISTINCT token_id FROM ${table}) r JOIN accounts a ON a.id = r.token_id
      WHERE NOT EXISTS (SELECT 1 FROM tokens t WHERE t.id = r.token_id) LIMIT 1`;
    const missing = db.prepare(sql).get()?.address;
    if (missing !== undefined) throw factsError(table, `the token ${String(missing)} is not in tokens`);
  }
  for (const table of FACT_TABLES) {
    const [key] = sourceColumns(table).filter(({ type }) => type === "row");
    if (!key || table === "rewards") continue;
    const sql = `SELECT t.${key.name} AS id FROM ${table} t WHERE NOT EXISTS
      (SELECT 1 FROM transactions x WHERE x.id = t.${key.name} / ${ROWS_PER_TRANSACTION}) LIMIT 1`;
    const id = db.prepare(sql).get()?.id;
    if (id === undefined) continue;
    const [slot, index] = placeOf(transactionOfRow(Number(id)));
    throw factsError(table, `transaction ${index} of slot ${slot} is not in transactions`);
  }
  const orphan = db
    .prepare(`SELECT x.id FROM transactions x WHERE NOT EXISTS
      (SELECT 1 FROM blocks b WHERE b.slot = x.id / ${TRANSACTIONS_PER_SLOT}) LIMIT 1`)
    .get()?.id;
  if (orphan !== undefined) throw factsError("transactions", `slot ${placeOf(Number(orphan))[0]} is not in blocks`);
}
