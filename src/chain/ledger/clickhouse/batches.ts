/**
 * Requests of a query that differ in keys, or in a range of rows, as those about the rows of a page do. One statement
 * answers them: the first columns of its rows say which request they belong to.
 */
import { ROWS_PER_TRANSACTION, transactionIdSql, transactionOfRow } from "../store/schema.ts";
import { blankParentheses, groupsOutside, partsOf } from "./joins.ts";

/** A value of a parameter. */
export interface BoundValue {
  /** As ClickHouse returns it. */
  readonly text: string;
  /** As SQL has it, unless it is a text. */
  readonly sql: string | undefined;
  /** The values that it stands for, in the parentheses of `IN`: of one column or of several. */
  readonly list?: readonly (readonly BoundValue[])[];
}

/** Returns the value of a parameter that is a number. */
export const numberValue = (value: number | string): BoundValue => ({ text: `${value}`, sql: `${value}` });

/** Returns the number of parameters in a part of a statement. */
export const parametersIn = (sql: string): number => sql.split("?").length - 1;

/** A statement in SQLite's SQL with the values of its parameters. */
export interface Request {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/** The answer to a statement, in the format JSONCompact. */
export interface StatementResult {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly (string | number | null)[])[];
}

/** A request that stands for others. */
export interface Batch {
  readonly request: Request;
  readonly parts: readonly Request[];
  /** Returns the results of the parts. */
  divide(result: StatementResult): readonly StatementResult[];
}

/** Characters of the values of requests that are answered together: servers limit the length of a statement. */
const MAX_LENGTH = 150_000;

/** Returns batches that stand for all requests. */
export function batchRequests(requests: readonly Request[]): readonly Batch[] {
  return [...Map.groupBy(requests, ({ sql }) => selectionOf(sql)?.rows ?? sql).values()].flatMap((group) =>
    divideByLength(group).flatMap((parts) => joinRequests(parts) ?? parts.map(standAlone)),
  );
}

function divideByLength(requests: readonly Request[]): readonly (readonly Request[])[] {
  let length = 0;
  const parts = Map.groupBy(requests, ({ values }) => {
    for (const { text, sql } of values) length += (sql ?? text).length;
    return Math.floor(length / MAX_LENGTH);
  });
  return [...parts.values()];
}

const standAlone = (request: Request): Batch => ({ request, parts: [request], divide: (result) => [result] });

/** A condition of a statement, and the numbers of its parameters. */
interface Condition {
  readonly sql: string;
  readonly parameters: readonly number[];
}

/** A statement that selects rows by conditions alone. */
interface Selection {
  /** The statement, without columns that others may select of the same rows. */
  readonly rows: string;
  readonly columns: readonly string[];
  readonly from: string;
  readonly conditions: readonly Condition[];
  readonly order: string;
  readonly isFirstRow: boolean;
}

const SELECTION = /^SELECT (.+?) FROM (.+?) WHERE (.+?)( ORDER BY .+?)?( LIMIT 1)?$/d;
const OTHER = /\b(?:UNION|GROUP BY|DISTINCT|OR|LIMIT(?! 1$)|OFFSET)\b/;
/** A function of all rows that a statement selects. */
export const AGGREGATE = /\b(?:count|sum|max|min|total|amount_sum)\(/;
const SUBQUERY = /\( ?SELECT (?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;
const PLAIN_COLUMNS = /^[\w.]+(?:, [\w.]+)*$/;
const COMPARISON = /^([\w.]+) (=|>=|<) \?$/;

const selections = new Map<string, Selection | undefined>();
const MAX_SELECTIONS = 1000;

function selectionOf(sql: string): Selection | undefined {
  if (selections.has(sql)) return selections.get(sql);
  if (selections.size >= MAX_SELECTIONS) selections.clear();
  const selection = readSelection(sql.replace(/\s+/g, " ").trim());
  selections.set(sql, selection);
  return selection;
}

function readSelection(sql: string): Selection | undefined {
  const [match, columns = "", from = "", where = "", order = "", first] = groupsOutside(SELECTION, sql);
  if (match === undefined || OTHER.test(blankParentheses(sql))) return undefined;
  // The parameters of conditions alone are moved.
  if (AGGREGATE.test(columns.replace(SUBQUERY, "")) || /\?/.test(columns + from + order)) return undefined;
  let parameters = 0;
  const conditions = partsOf(where, / AND /g).map((condition) => ({
    sql: condition,
    parameters: Array.from({ length: parametersIn(condition) }, () => parameters++),
  }));
  const rows = PLAIN_COLUMNS.test(columns) ? sql.slice("SELECT ".length + columns.length) : sql;
  return { rows, columns: partsOf(columns, /, ?/g), from, conditions, order, isFirstRow: first !== undefined };
}

/** What the rows of a request have in common, and those of others do not: the value of a column or expression. */
interface Key {
  readonly sql: string;
  readonly valueOf: (request: Request) => BoundValue | undefined;
}

/** Joins requests that differ in keys and columns; undefined where the rows of each cannot be told apart. */
function joinRequests(parts: readonly Request[]): Batch | undefined {
  const [first] = parts;
  const selection = first && parts.length > 1 ? selectionOf(first.sql) : undefined;
  if (!first || !selection) return undefined;
  const columnsOf = ({ sql }: Request) => selectionOf(sql)?.columns ?? [];
  const all = [...new Set(parts.flatMap(columnsOf))];
  const differs = (parameter: number) =>
    parts.some(({ values }) => values[parameter]?.text !== first.values[parameter]?.text);
  const [differing, common] = [true, false].map((wanted) =>
    selection.conditions.filter(({ parameters }) => parameters.some(differs) === wanted),
  ) as [Condition[], Condition[]];
  const keys = readKeys(differing, parts);
  if (!keys) return undefined;
  const names = keys.map((_, n) => `asked${n}`);
  const left = keys.map(({ sql }) => sql).join(", ");
  const isAsked = keys.length === 0 ? [] : [`${keys.length === 1 ? left : `(${left})`} IN (?)`];
  const where = [...common.map(({ sql }) => sql), ...isAsked].join(" AND ");
  const columns = [...keys.map(({ sql }, n) => `${sql} AS ${names[n]}`), ...all].join(", ");
  const limit = selection.isFirstRow ? ` LIMIT 1${keys.length === 0 ? "" : ` BY ${names.join()}`}` : "";
  const valuesOf = (part: Request) => keys.map((key) => key.valueOf(part) as BoundValue);
  const textOf = (part: Request) =>
    valuesOf(part)
      .map(({ text }) => text)
      .join(" ");
  return {
    request: {
      sql: `SELECT ${columns} FROM ${selection.from} WHERE ${where}${selection.order}${limit}`,
      values: [
        ...common.flatMap(({ parameters }) => parameters.map((parameter) => first.values[parameter] as BoundValue)),
        { ...numberValue(""), list: [...new Map(parts.map((part) => [textOf(part), valuesOf(part)])).values()] },
      ],
    },
    parts,
    divide({ meta, data }) {
      const rows = Map.groupBy(data, (row) => row.slice(0, keys.length).join(" "));
      return parts.map((part) => {
        const own = rows.get(textOf(part)) ?? [];
        const places = columnsOf(part).map((column) => keys.length + all.indexOf(column));
        const select = <T>(values: readonly T[]) => places.map((place) => values[place] as T);
        return { meta: select(meta), data: own.map(select) };
      });
    },
  };
}

/** Returns what conditions compare; undefined where one does not select the rows of a value or of a transaction. */
function readKeys(conditions: readonly Condition[], parts: readonly Request[]): readonly Key[] | undefined {
  const keys: Key[] = [];
  for (let at = 0; at < conditions.length; at++) {
    const [, column = "", operator] = COMPARISON.exec(conditions[at]?.sql ?? "") ?? [];
    const [parameter = 0] = conditions[at]?.parameters ?? [];
    if (operator === "=") keys.push({ sql: column, valueOf: ({ values }) => values[parameter] });
    else if (
      operator === ">=" &&
      conditions[at + 1]?.sql === `${column} < ?` &&
      parts.every(isTransaction(parameter))
    ) {
      at += 1;
      keys.push({ sql: transactionIdSql(column), valueOf: ({ values }) => transactionValue(values[parameter]) });
    } else return undefined;
  }
  return keys;
}

/** Whether a parameter and the next one are the first row of a transaction, and of the next transaction. */
const isTransaction =
  (parameter: number) =>
  ({ values }: Request): boolean => {
    const [from, to] = [values[parameter], values[parameter + 1]].map((value) => Number(value?.text));
    return from !== undefined && from % ROWS_PER_TRANSACTION === 0 && to === from + ROWS_PER_TRANSACTION;
  };

const transactionValue = (row: BoundValue | undefined): BoundValue => numberValue(transactionOfRow(Number(row?.text)));
