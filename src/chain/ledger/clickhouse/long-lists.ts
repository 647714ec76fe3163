/**
 * Lists of the rows of a key, newest or oldest first, with conditions on other tables, and of the holders of a token,
 * those with the most first. Where a key has many rows, all of them would be looked up for a page: here it is looked for
 * among the rows at the beginning of the list first.
 */
import {
  AGGREGATE,
  type BoundValue,
  numberValue,
  parametersIn,
  type Request,
  type StatementResult,
} from "./batches.ts";
import { blankParentheses, firstTable, groupsOutside, partsOf, SELECT } from "./joins.ts";

/** Rows that are looked up first, for each row up to the end of the page. */
export const ROWS_FOR_ONE = 4;
/** The fewest and the most rows of a key that are looked up first. */
const [MIN_ROWS, MAX_ROWS] = [1000, 10_000];

/** A statement with a list. */
interface ListStatement {
  /** Selects the first row that is not looked up, or the least amount; there is none if the key has few rows. */
  readonly bound: string;
  /** The numbers of the parameters of `bound`, before the number of rows. */
  readonly parameters: readonly number[];
  /** Selects the page from the rows before that one. */
  readonly before: string;
  /** The number of the first parameter that `before` has more, and of the limit in the statement. */
  readonly at: number;
  /** The parameters that `before` has more: the bound, or, by their numbers, others of the statement. */
  readonly added: readonly (number | "bound")[];
  /** Whether the offset follows the limit. */
  readonly hasOffset: boolean;
}

const statements = new Map<string, ListStatement | undefined>();
const MAX_STATEMENTS = 1000;

/** Reads the rows of a request: a page of a long list, if possible, from the rows at its beginning. */
export async function readFromStart(
  read: (request: Request) => Promise<StatementResult>,
  request: Request,
): Promise<StatementResult> {
  const { sql, values } = request;
  const list = listIn(sql);
  if (!list) return read(request);
  const { bound, parameters, before, at, added, hasOffset } = list;
  const [limit = 0, offset = 0] = values.slice(at, hasOffset ? at + 2 : at + 1).map(({ text }) => Number(text));
  const rows = Math.max(MIN_ROWS, ROWS_FOR_ONE * (offset + limit));
  if (rows > MAX_ROWS) return read(request);
  const selected = parameters.map((parameter) => values[parameter] as BoundValue);
  const row = (await read({ sql: bound, values: [...selected, numberValue(rows)] })).data[0]?.[0];
  if (row != null) {
    const more = added.map((each) => (each === "bound" ? numberValue(row) : (values[each] as BoundValue)));
    const page = await read({ sql: before, values: values.toSpliced(at, 0, ...more) });
    if (page.data.length >= limit) return page;
  }
  return read(request);
}

/** Returns the list of a statement; undefined for other statements. */
function listIn(sql: string): ListStatement | undefined {
  if (!statements.has(sql)) {
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(sql, readList(sql.replace(/\s+/g, " ").trim()));
  }
  return statements.get(sql);
}

const PAGE = /^SELECT (.+?) FROM (\(.+?\)) p( (?:CROSS|INNER|LEFT) JOIN .+)?$/d;
/** A list with the places of its rows. */
const NUMBERED = /^SELECT \*, row_number\(\) OVER \(\) AS place FROM \((.+)\)$/;
const LIST_END = /^ ORDER BY ([\w.]+)(?: (ASC|DESC))?(?:, ?[\w.]+(?: (?:ASC|DESC))?)* LIMIT \?(?: OFFSET \?)?$/;

function readList(sql: string): ListStatement | undefined {
  // The list is the statement, or what it joins other tables to.
  const [, columns = "", source] = groupsOutside(PAGE, sql);
  if (AGGREGATE.test(columns)) return undefined;
  const list = source === undefined ? sql : source.slice(1, -1).replace(NUMBERED, "$1");
  const [, , from = "", where = "", end = ""] = groupsOutside(SELECT, list);
  const [, order = "", direction] = LIST_END.exec(end) ?? [];
  const { table, alias, prefix } = firstTable(from);
  const conditions = partsOf(where, / AND /g);
  const key = conditions.find((text) => new RegExp(`^${prefix}\\w+ = \\?$`).test(text));
  if (!table || key === undefined || / (?:UNION|BETWEEN|OR) /.test(blankParentheses(list))) return undefined;
  const start = sql.indexOf(list);
  const [offset, place] = [start + list.indexOf(where), start + list.length - end.length];
  const at = parametersIn(sql.slice(0, place));
  const numberOf = (condition: string) => parametersIn(sql.slice(0, offset + where.indexOf(condition)));
  const insert = (condition: string) => `${sql.slice(0, place)} AND ${condition}${sql.slice(place)}`;
  const common = { at, hasOffset: end.endsWith("OFFSET ?") };
  if (from === "balances" && order === "amount" && direction === "DESC")
    return {
      ...common,
      // As many accounts have at least this amount as are looked up, and more at most.
      bound: `SELECT amount FROM large_amounts WHERE ${key} AND ? <= ${MIN_ROWS}`,
      parameters: [numberOf(key)],
      before: insert(
        `amount >= ? AND account_id IN (SELECT account_id FROM ${table.target} WHERE ${key} AND amount >= ?)`,
      ),
      added: ["bound", numberOf(key), "bound"],
    };
  const position = table.position?.name;
  // A table alone is read in the order of the list, until the page is complete.
  if (order !== prefix + position || !/ JOIN |\(SELECT /.test(`${from} ${where}`)) return undefined;
  const selected = conditions.filter(
    (text) => text === key || new RegExp(`^${prefix}${position} [<>]=? \\?$`).test(text),
  );
  if (selected.length === conditions.length) return undefined;
  return {
    ...common,
    bound: `SELECT ${order} FROM ${table.name} ${alias} WHERE ${selected.join(" AND ")} ORDER BY ${order} ${direction ?? "ASC"} LIMIT 1 OFFSET ?`,
    parameters: selected.map(numberOf),
    before: insert(`${order} ${direction === "DESC" ? ">=" : "<"} ?`),
    added: ["bound"],
  };
}
