/**
 * Joins that read the rows that they need by their keys. ClickHouse reads a joined table as a whole unless it can tell
 * that few of its rows are needed. Here the first table of a statement, where it is a page or has a key, is read once,
 * and each joined table is restricted to the keys that follow from it.
 */
import { SOL } from "../store/schema.ts";
import { MANY_ROWS } from "./keys.ts";
import { columnsInOrder, STORED_TABLES, type StoredTable, secondOrders } from "./tables.ts";

/** Returns the place of the parenthesis that closes the first one. */
export function closingParenthesis(text: string): number {
  for (let at = 0, depth = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** Replaces what is in parentheses. */
function mapParentheses(text: string, replace: (inner: string) => string): string {
  const start = text.indexOf("(");
  if (start < 0) return text;
  const end = start + closingParenthesis(text.slice(start));
  return `${text.slice(0, start + 1)}${replace(text.slice(start + 1, end))})${mapParentheses(text.slice(end + 1), replace)}`;
}

/** Returns a text of the same length with nothing in parentheses. */
export const blankParentheses = (text: string): string => mapParentheses(text, (inner) => "_".repeat(inner.length));

/** Returns the parts of a text between separators that are not in parentheses, and the separators, in turns. */
function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of blankParentheses(text).matchAll(separator)) {
    parts.push(text.slice(start, index), text.slice(index, index + found.length));
    start = index + found.length;
  }
  return [...parts, text.slice(start)];
}

/** Returns the groups of a pattern in a text, as far as it matches what is not in parentheses; it has the flag `d`. */
export const groupsOutside = (pattern: RegExp, text: string): readonly (string | undefined)[] =>
  (pattern.exec(blankParentheses(text))?.indices ?? []).map((range) => range && text.slice(...range));

/** Returns the parts of a text between separators that are not in parentheses. */
export const partsOf = (text: string, separator: RegExp): readonly string[] =>
  splitOutside(text, separator).filter((_, at) => at % 2 === 0);

/** A statement: its columns, tables, conditions and the rest. */
export const SELECT = /^ ?SELECT (.+?) FROM (.+?)(?: WHERE (.+?))?((?: (?:GROUP BY|HAVING|ORDER BY|LIMIT) .+)?)$/d;
const NAMED = /^(\w+|\(.+\)) (\w+)$/;
const COLUMN = /\b([a-z]\w*)\.(\w+)/g;
/** A condition on a key. */
const KEY = /^(?:intDiv\()?\w+\.(\w+)(?:, \d+\))? (?:= |IN \()(?:toUInt256|\d)/;

/** A column, or the transaction of a row. */
const OWN = /^(?:\w+\.\w+|intDiv\(\w+\.\w+, \d+\))$/;

const tables = new Map(STORED_TABLES.map((table) => [table.name, table]));

/** Returns the first table of a statement, and what its columns begin with. */
export function firstTable(from: string) {
  const [, name = "", alias = ""] = /^(\w+)(?: (?!(?:INNER|LEFT|CROSS)\b)(\w+))?(?= |$)/.exec(from) ?? [];
  return { table: tables.get(name), alias, prefix: alias && `${alias}.` };
}

/** Returns the aliases of the columns that an expression names. */
const aliasesOf = (expression: string): readonly string[] =>
  [...expression.matchAll(COLUMN)].map(([, alias = ""]) => alias);

/** Whether an expression names columns, all of them of one table. */
const isOf = (expression: string, alias: string): boolean => {
  const aliases = aliasesOf(expression);
  return aliases.length > 0 && aliases.every((name) => name === alias);
};

/**
 * Returns the statement with joins by key. Its spaces are single ones. Second orders that it does not need are left out:
 * in a large table, it takes longer to see that they are of no use than to read the rows.
 */
export function joinByKey(sql: string): string {
  let pages = 0;
  const rewrite = (text: string): string =>
    splitOutside(mapParentheses(replaceExists(text), rewrite), UNION)
      .map((part) => rewriteSelect(part, () => `page${pages++}`))
      .join("");
  const joined = rewrite(sql);
  return needsSecondOrder(joined) ? joined : `${joined} SETTINGS optimize_use_projections = 0`;
}

const JOIN = / (?:INNER|LEFT|CROSS) JOIN /g;
const UNION = / UNION(?: ALL)? /g;

/** Whether a table of a statement is read by other columns than those of its order. */
function needsSecondOrder(sql: string): boolean {
  const inner: string[] = [];
  mapParentheses(sql, (text) => {
    inner.push(text);
    return text;
  });
  return inner.some(needsSecondOrder) || partsOf(sql, UNION).some((part) => isReadInSecondOrder(part));
}

function isReadInSecondOrder(part: string): boolean {
  // Its tables that are read once come before it, in parentheses.
  const statement = part.slice(Math.max(0, blankParentheses(part).indexOf("SELECT ")));
  const [, , from = "", where = "", end = ""] = groupsOutside(SELECT, statement);
  // No order helps to find what is not equal.
  const used = `${where.replace(/[\w.]+ <> \S+/g, "")} ${end}`;
  return partsOf(from, JOIN).some((source) => {
    const table = tables.get(/^\w+/.exec(source)?.[0] ?? "");
    if (!table) return false;
    return where === "" || secondOrders(table).some((column) => new RegExp(`\\b${column}\\b`).test(used));
  });
}

/** Returns a statement with IN in place of EXISTS, whose table ClickHouse reads as a whole, where it is about a transaction. */
function replaceExists(text: string): string {
  const bounds = [...blankParentheses(text).matchAll(/(\w+\.\w+) (>=|<) (\d+)\b/g)];
  return splitOutside(text, / EXISTS \(_+\)/g)
    .map((part, at) => (at % 2 === 0 ? part : (selectKeys(part, bounds) ?? part)))
    .join("");
}

/** Returns EXISTS as keys that are selected within the bounds of the statement. */
function selectKeys(exists: string, bounds: readonly RegExpExecArray[]): string | undefined {
  const sql = exists.slice(exists.indexOf("(") + 1, -1);
  const [, , from = "", where = "", end = ""] = groupsOutside(SELECT, sql);
  const aliases = partsOf(from, / (?:INNER|LEFT) JOIN /g).map((source) => /^\w+ (\w+)(?: ON |$)/.exec(source)?.[1]);
  const isInner = (expression: string) =>
    [...expression.matchAll(COLUMN)].every(([, owner]) => aliases.includes(owner));
  const conditions = partsOf(where, / AND /g);
  const [outer = "", ...others] = conditions.filter((condition) => !isInner(condition));
  const [left = "", right = ""] = partsOf(outer, / = /g);
  const [own, key] = isInner(left) ? [left, right] : [right, left];
  // A row is within bounds of rows if its transaction is.
  const [ownRow, keyRow] = [own, key].map((side) => /^intDiv\((\w+\.id), \d+\)$/.exec(side)?.[1]);
  const isKey = ownRow !== undefined && isInner(own) && aliasesOf(key).every((owner) => !aliases.includes(owner));
  if (!isKey || key === "" || others.length > 0 || end !== "") return undefined;
  const limits = bounds.flatMap(([, column, operator, value]) => {
    const side = column === key ? own : column === keyRow ? ownRow : undefined;
    return side === undefined ? [] : [`${side} ${operator} ${value}`];
  });
  const rest = [...conditions.filter((condition) => condition !== outer), ...limits].join(" AND ");
  return ` ${key} IN (SELECT ${own} FROM ${from} WHERE ${rest})`;
}

/** A table or a subquery in a statement. */
interface Source {
  readonly table: string;
  readonly alias: string;
}

const readSource = (text: string): Source => {
  const [, table = "", alias = ""] = NAMED.exec(text) ?? [];
  return { table, alias };
};

/** What a column is compared with: values, not those of another statement. */
const VALUES = String.raw`(?:= (?:toUInt256\('\d+'\)|\d+)|IN \((?:toUInt256|\d).*\))$`;

/**
 * Returns a statement that reads rows by a second order of its first table, which has the keys only: where more columns
 * are asked for, rows are selected by the keys. A filter of what is known last would be one of all rows.
 */
function selectInOrder(sql: string): string {
  const [, columns = "", from = "", where = "", end = ""] = groupsOutside(SELECT, sql);
  const { table, alias, prefix } = firstTable(from);
  if (!table || / (?:BETWEEN|OR) /.test(blankParentheses(where))) return sql;
  const conditions = partsOf(where, / AND /g).map((condition) => condition.replace(prefix, ""));
  // The columns of a table begin with those that have the fewest rows in common.
  const isKnown = (value: string) => (text: string) => new RegExp(`^${value} ${VALUES}`).test(text);
  const column = table.columns.find(
    ({ name: each }) => secondOrders(table).includes(each) && conditions.some(isKnown(each)),
  )?.name;
  const keys = table.position ? [table.position.name] : table.order;
  if (column === undefined) {
    if (conditions.some((text) => new RegExp(`^\\(?${keys[0]}\\)? (?:=|IN) `).test(text))) return sql;
    const own = alias === "" ? where : where.replaceAll(new RegExp(`\\b${alias}\\.(?=\\w)`, "g"), "");
    const asked = partsOf(own, / AND /g).find((text) => isAsked(text, table));
    if (asked === undefined) return sql;
    const isAmong = `(${keys.map((key) => prefix + key).join()}) IN (SELECT ${keys.join()} FROM ${table.target} WHERE ${asked})`;
    return `SELECT ${columns} FROM ${from} WHERE ${where} AND ${isAmong}${end}`;
  }
  // Rows of known transactions are few.
  if (table.position && conditions.some(isKnown(`(?:intDiv\\()?${keys[0]}(?:, \\d+\\))?`))) return sql;
  if (isInOrder(sql, table, column)) {
    const order = end.replace(
      new RegExp(`ORDER BY ${prefix}${keys[0]}( DESC)?`),
      `ORDER BY ${prefix}${column}$1, ${prefix}${keys[0]}$1`,
    );
    return `SELECT ${columns} FROM ${from} WHERE ${where}${order}`;
  }
  const rowsOf = (conditions: readonly string[]) =>
    `SELECT ${keys.join()} FROM ${table.target} WHERE ${conditions.join(" AND ")}`;
  const isAmong = `(${keys.map((key) => prefix + key).join()}) IN`;
  const ofKey = conditions.filter(isKnown(column));
  if (table.position) {
    const others = conditions.filter(
      (text) => !ofKey.includes(text) && !/\w\.\w|\(SELECT /.test(text) && isInOrder(text, table, column),
    );
    const known = rowsOf([...ofKey, ...others]);
    // It is decided before rows are read.
    const areMany = `(SELECT count() > ${MANY_ROWS} FROM (${known} LIMIT ${MANY_ROWS + 1}))`;
    return `SELECT ${columns} FROM ${from} WHERE ${where} AND (${areMany} OR ${isAmong} (${known}))${end}`;
  }
  // SOL is stored without its owner, which is its account.
  const [owned = ""] = table.name === "balances" && column === "owner_id" ? ofKey : [];
  const sol = owned && ` UNION ALL ${rowsOf([`token_id = ${SOL}`, owned.replace(column, "account_id")])}`;
  return `SELECT ${columns} FROM ${from} WHERE ${where} AND ${isAmong} (${rowsOf(ofKey)}${sol})${end}`;
}

/**
 * Whether a condition compares a column of what is known last with a text of the request, as a search does: then it holds
 * for one of the rows that say what is known, and what is last is computed for few keys.
 */
const isAsked = (condition: string, { kind, columns }: StoredTable): boolean =>
  kind === "state" &&
  /\{\w+:String\}/.test(condition) &&
  !/<>|\bNOT\b|\(SELECT |\b[a-z]\w*\.\w/.test(condition) &&
  columns.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(condition)).length === 1;

/** Whether a statement or a condition names no other columns of a table than those of a second order. */
function isInOrder(sql: string, table: StoredTable, column: string): boolean {
  const stored = columnsInOrder(table, column);
  const others = table.columns.filter(({ name }) => !stored.includes(name));
  return (
    stored.length > 0 && !/\*(?!\))/.test(sql) && !others.some(({ name }) => new RegExp(`\\b${name}\\b`).test(sql))
  );
}

function rewriteSelect(text: string, nextName: () => string): string {
  const sql = selectInOrder(text);
  const [, columns = "", from = "", where = "", end = ""] = groupsOutside(SELECT, sql);
  const [start = "", ...joins] = splitOutside(from, JOIN);
  const source = readSource(start);
  const conditions = / (?:BETWEEN|OR) /.test(blankParentheses(where)) ? [where] : partsOf(where, / AND /g);
  const own = conditions.filter((condition) => isOf(condition, source.alias));
  const page = joins.length > 0 && readPage(sql, source, own);
  if (!page) return sql;
  const first: JoinedTable = { ...source, join: "", on: "", name: nextName(), read: page };
  const joined = restrictJoins(sql, joins, first, readConstants(own), nextName);
  const materialized = joined.flatMap(({ name, read }) => (name === "" ? [] : [`${name} AS MATERIALIZED (${read})`]));
  const sources = joined.map(({ join, table, alias, on, name, read }) => {
    const restricted = name || (read === "" ? table : `(${read})`);
    return `${join}${restricted}${alias && ` ${alias}`}${on && ` ON ${on}`}`;
  });
  const rest = conditions.filter((condition) => condition !== "" && !own.includes(condition)).join(" AND ");
  const order = end === "" && page.startsWith(NUMBERED) ? ` ORDER BY ${source.alias}.place` : end;
  return `WITH ${materialized.join(", ")} SELECT ${columns} FROM ${sources.join("")}${rest && ` WHERE ${rest}`}${order}`;
}

/** Selects a page with the numbers of its rows: unlike those of SQLite, joins do not keep their order. */
const NUMBERED = "SELECT *, row_number() OVER () AS place";

/** Returns the statement of the first table: a page, or the rows of a key; undefined for other tables. */
function readPage(sql: string, { table, alias }: Source, own: readonly string[]): string | undefined {
  const condition = own.length === 0 ? "" : ` WHERE ${own.join(" AND ")}`;
  if (table.startsWith("("))
    return / ORDER BY .+ LIMIT [^()]*\)$/.test(table)
      ? `${NUMBERED} FROM ${table} ${alias}${condition}`
      : own.length === 0
        ? table.slice(1, -1)
        : `SELECT * FROM ${table} ${alias}${condition}`;
  const stored = tables.get(table);
  const keys = stored?.columns.filter(({ isKey, type }) => isKey || type === "key" || type === "kind") ?? [];
  if (!stored || !own.some((each) => keys.some(({ name }) => name === KEY.exec(each)?.[1]))) return undefined;
  return `SELECT ${columnsIn(sql, stored, alias)} FROM ${table} ${alias}${condition}`;
}

/** Returns the columns of a table that a statement names, with its alias or without one. */
function columnsIn(sql: string, { name: table, columns }: StoredTable, alias: string): string {
  if (blankParentheses(sql).includes("*")) return "*";
  const names = [...columns.map(({ name }) => name), ...(table === "accounts" ? ["address"] : [])];
  return names.filter((name) => new RegExp(`(?:\\b${alias}\\.|(?<![.\\w]))${name}\\b`).test(sql)).join(", ");
}

/** Returns the columns that have one value. */
const readConstants = (conditions: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    conditions.flatMap((condition) => {
      const [, column = "", value] = /^(\w+\.\w+) = (toUInt256\('\d+'\)|\d+)$/.exec(condition) ?? [];
      return value === undefined ? [] : [[column, value] as const];
    }),
  );

/** A table of a statement with joins. */
interface JoinedTable extends Source {
  /** How it is joined, and the condition. */
  readonly join: string;
  readonly on: string;
  /** What is read of it; the whole table if empty. */
  readonly read: string;
  /** The name of what is read, where that is read once for several tables. */
  name: string;
}

/**
 * Returns the tables of a statement, of which those that are joined are restricted to the keys that follow from the
 * tables before.
 */
function restrictJoins(
  sql: string,
  joins: readonly string[],
  first: JoinedTable,
  constants: ReadonlyMap<string, string>,
  nextName: () => string,
): readonly JoinedTable[] {
  const joined = [first];
  /** Columns of joined tables as expressions of columns of the first one. */
  const known = new Map(constants);
  const resolve = (expression: string) => {
    const text = expression.replace(
      COLUMN,
      (column, owner) => known.get(column) ?? (owner === first.alias ? column : "?"),
    );
    return text.includes("?") ? expression : text;
  };
  /** Returns the condition that keys are among those of a table. */
  const isAmong = (owner: string, keys: readonly JoinKey[]) => {
    const table = joined.find(({ alias }) => alias === owner);
    if (!table?.read) return [];
    table.name ||= nextName();
    const [left, right] = [keys.map(({ column }) => column), keys.map(({ equal }) => equal)];
    return [`(${left.join(", ")}) IN (SELECT ${right.join(", ")} FROM ${table.name} ${owner})`];
  };
  for (let at = 0; at < joins.length; at += 2) {
    const [target = "", on = ""] = partsOf(joins[at + 1] ?? "", / ON /g);
    const { table, alias } = readSource(target);
    const stored = tables.get(table);
    const keys = stored ? readKeys(on, alias).map((key) => ({ ...key, equal: resolve(key.equal) })) : [];
    for (const { column, equal } of keys)
      if (/^\w+$/.test(column) && aliasesOf(equal).every((owner) => owner === first.alias))
        known.set(`${alias}.${column}`, equal);
    const byOwner = Map.groupBy(keys, ({ equal }) => [...new Set(aliasesOf(equal))].join());
    const restrictions = [...byOwner].flatMap(([owner, own]) =>
      owner === "" ? own.map(({ column, equal }) => `${column} = ${equal}`) : isAmong(owner, own),
    );
    const read =
      stored && restrictions.length > 0
        ? selectInOrder(`SELECT ${columnsIn(sql, stored, alias)} FROM ${table} WHERE ${restrictions.join(" AND ")}`)
        : "";
    joined.push({ table: alias === "" ? target : table, alias, join: joins[at] ?? "", on, read, name: "" });
  }
  return joined;
}

/** A column of a table, or the transaction of a row, and what it is equal to. */
interface JoinKey {
  readonly column: string;
  readonly equal: string;
}

/** Returns what columns of a joined table are equal to. */
function readKeys(condition: string, alias: string): readonly JoinKey[] {
  if (/ OR /.test(blankParentheses(condition))) return [];
  return partsOf(condition, / AND /g).flatMap((part) => {
    const sides = partsOf(part, / = /g);
    const own = sides.find((side) => isOf(side, alias) && OWN.test(side));
    const equal = sides.find((side) => side !== own);
    if (own === undefined || equal === undefined || sides.length !== 2 || isOf(equal, alias)) return [];
    return [{ column: own.replace(`${alias}.`, ""), equal }];
  });
}
