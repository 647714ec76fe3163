/** Checks of lists: all pages, the entity, and the query plans of their statements. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { JsonObject } from "../../src/base/json.ts";
import { stringifyJson } from "../../src/base/json.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { type ParamInput, queryRows } from "./query.ts";

type Request = Readonly<Record<string, ParamInput>>;

/** Returns all rows of a list, page by page until one is not full. */
export function allRows(db: LedgerReader, route: string, params: Request = {}, size = 10): readonly JsonObject[] {
  const isLegacy = !route.startsWith("v2-");
  const rows: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const paging = isLegacy ? { limit: size, offset: (page - 1) * size } : { page_size: size, page };
    const pageRows = queryRows(db, route, { ...params, ...paging });
    rows.push(...pageRows);
    if (pageRows.length < size) return rows;
  }
}

/** Returns why a value does not match the entity of an endpoint in the catalogue; undefined when it does. */
export function entityProblem(route: string, value: JsonObject): string | undefined {
  const name = endpoints.find((endpoint) => endpoint.route === route)?.returns.entity ?? "";
  const entity = (entities as unknown as Record<string, typeof entities.TokenMeta>)[name];
  const result = entity?.safeParse(JSON.parse(stringifyJson(value)));
  return result?.success ? undefined : `${route}: ${result?.error.message ?? `no entity ${name}`}`;
}

/** Whether rows are sorted by a key; equal keys are allowed. */
export function isSorted(rows: readonly JsonObject[], key: string, order: "asc" | "desc"): boolean {
  const values = rows.map((row) => Number(row[key]));
  return values.every(
    (value, n) => n === 0 || (order === "asc" ? value >= Number(values[n - 1]) : value <= Number(values[n - 1])),
  );
}

/** Returns a reader that records the statements it runs. */
export function recordStatements(reader: LedgerReader): {
  readonly reader: LedgerReader;
  readonly statements: Map<string, readonly SQLInputValue[]>;
} {
  const statements = new Map<string, readonly SQLInputValue[]>();
  const note = (sql: string, values: readonly SQLInputValue[]) => void statements.set(sql, values);
  return {
    statements,
    reader: {
      ...reader,
      get clock() {
        return reader.clock;
      },
      all(sql, ...values) {
        note(sql, values);
        return reader.all(sql, ...values);
      },
      get(sql, ...values) {
        note(sql, values);
        return reader.get(sql, ...values);
      },
    },
  };
}

/** Returns the lines of SQLite's query plan for a statement. */
export const explainQuery = (db: DatabaseSync, sql: string, values: readonly SQLInputValue[]): readonly string[] =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map((row) => String(row.detail));
