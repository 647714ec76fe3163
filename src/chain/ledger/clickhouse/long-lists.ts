/**
 * Lists for whose page all of their rows would be looked up in other tables: those of a key, newest or oldest first; the
 * holders of a token, those with the most first; and those in the order of a statistic, such as tokens by their holders.
 * Here, the page is looked for among the rows at the beginning of the list first.
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
import { FIRST_ROWS } from "./keys.ts";

/** Rows that are looked up first, for each row up to the end of the page. */
const ROWS_FOR_ONE = 4;
/** The most rows that are looked up first. */
const MAX_ROWS = 10_000;

/** A statement with a list. */
interface ListStatement {
  /** Selects the page from the rows at the beginning of the list. */
  readonly beginning: string;
  /** The number of the first parameter that `beginning` has more. */
  readonly place: number;
  /** These parameters: the bound, the number of rows, or, by their numbers, others of the statement. */
  readonly added: readonly (number | "bound" | "rows")[];
  /**
   * Selects the first row that is not looked up, or the least amount: none if the key has few rows. It has the parameters
   * with these numbers, and the number of rows.
   */
  readonly bound?: { readonly sql: string; readonly parameters: readonly number[] };
  /** The fewest rows that are looked up. */
  readonly fewest: number;
  /** The number of the limit, and whether the offset follows. */
  readonly limitAt: number;
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
  const { beginning, place, added, bound, fewest, limitAt, hasOffset } = list;
  const numbers = values.slice(limitAt, hasOffset ? limitAt + 2 : limitAt + 1).map(({ text }) => Number(text));
  const [limit = 0, offset = 0] = numbers;
  const rows = numberValue(Math.max(fewest, ROWS_FOR_ONE * (offset + limit)));
  if (Number(rows.text) > MAX_ROWS) return read(request);
  const given = (bound?.parameters ?? []).map((parameter) => values[parameter] as BoundValue);
  const first = bound && (await read({ sql: bound.sql, values: [...given, rows] })).data[0]?.[0];
  if (bound && first == null) return read(request);
  const toValue = (each: number | "bound" | "rows") =>
    each === "rows" ? rows : each === "bound" ? numberValue(first ?? 0) : (values[each] as BoundValue);
  const page = await read({ sql: beginning, values: values.toSpliced(place, 0, ...added.map(toValue)) });
  return page.data.length < limit ? read(request) : page;
}

/** Returns the list of a statement; undefined for other statements. */
function listIn(sql: string): ListStatement | undefined {
  if (!statements.has(sql)) {
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const text = sql.replace(/\s+/g, " ").trim();
    statements.set(sql, readRankedList(text) ?? readListOfKey(text));
  }
  return statements.get(sql);
}

const PAGE = /^SELECT (.+?) FROM (\(.+?\)) p( (?:CROSS|INNER|LEFT) JOIN .+)?$/d;
const LIST_END = /^ ORDER BY ([\w.]+)(?: (ASC|DESC))?(?:, ?[\w.]+(?: (?:ASC|DESC))?)* LIMIT \?(?: OFFSET \?)?$/;

function readListOfKey(sql: string): ListStatement | undefined {
  // The list is the statement, or what it joins other tables to.
  const [, columns = "", source] = groupsOutside(PAGE, sql);
  if (AGGREGATE.test(columns)) return undefined;
  const list = source === undefined ? sql : source.slice(1, -1).trim();
  const [, , from = "", where = "", end = ""] = groupsOutside(SELECT, list);
  const [, order = "", direction] = LIST_END.exec(end) ?? [];
  const { table, alias, prefix } = firstTable(from);
  const conditions = partsOf(where, / AND /g);
  const key = conditions.find((text) => new RegExp(`^${prefix}\\w+ = \\?$`).test(text));
  if (!table || key === undefined || / (?:UNION|BETWEEN|OR) /.test(blankParentheses(list))) return undefined;
  const start = sql.indexOf(list);
  const [offset, place] = [start + list.indexOf(where), start + list.length - end.length];
  const limitAt = parametersIn(sql.slice(0, place));
  const numberOf = (condition: string) => parametersIn(sql.slice(0, offset + where.indexOf(condition)));
  const insert = (condition: string) => `${sql.slice(0, place)} AND ${condition}${sql.slice(place)}`;
  const common = { place: limitAt, limitAt, hasOffset: end.endsWith("OFFSET ?"), fewest: FIRST_ROWS };
  if (from === "balances" && order === "amount" && direction === "DESC")
    return {
      ...common,
      // As many accounts have at least this amount as are looked up, and more at most.
      bound: {
        sql: `SELECT amount FROM large_amounts WHERE ${key} AND ? <= ${FIRST_ROWS}`,
        parameters: [numberOf(key)],
      },
      beginning: insert(
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
    bound: {
      sql: `SELECT ${order} FROM ${table.name} ${alias} WHERE ${selected.join(" AND ")} ORDER BY ${order} ${direction ?? "ASC"} LIMIT 1 OFFSET ?`,
      parameters: selected.map(numberOf),
    },
    beginning: insert(`${order} ${direction === "DESC" ? ">=" : "<"} ?`),
    added: ["bound"],
  };
}

const RANKED = / FROM (\w+ \w+) CROSS JOIN \w+ \w+ ON [^()]+? WHERE ([^()]+?) ORDER BY ([^()]+?) LIMIT \? OFFSET \?/;

function readRankedList(sql: string): ListStatement | undefined {
  const [list = "", from = "", where = "", order = ""] = RANKED.exec(sql) ?? [];
  const { table, alias, prefix } = firstTable(from);
  const columns = partsOf(order, /, ?/g).map((column) => column.split(" ")[0] ?? "");
  const isRanked = columns.every((column) => column.startsWith(prefix)) && columns.at(-1) === prefix + table?.order[0];
  if (table?.kind !== "statistics" || alias === "" || !isRanked) return undefined;
  const own = partsOf(where, / AND /g).filter(
    (text) => text.startsWith(prefix) && !text.includes("?") && text.match(/\w+\./g)?.every((each) => each === prefix),
  );
  const rows = `(SELECT * FROM ${from}${own.length === 0 ? "" : ` WHERE ${own.join(" AND ")}`} ORDER BY ${order} LIMIT ?)`;
  const start = sql.indexOf(list);
  return {
    beginning: sql.replace(list, () => list.replace(from, () => `${rows} ${alias}`)),
    place: parametersIn(sql.slice(0, start)),
    added: ["rows"],
    fewest: 0,
    limitAt: parametersIn(sql.slice(0, start + list.length)) - 2,
    hasOffset: true,
  };
}
