/**
 * The SQL of queries, which is SQLite's, as ClickHouse reads it. What differs between the engines is here: queries are
 * written once.
 */
import { ROWS_PER_TRANSACTION } from "../store/schema.ts";
import { closingParenthesis, joinByKey } from "./joins.ts";
import { addressSql, keyOf, MANY_ROWS } from "./keys.ts";

type Rewrite = readonly [pattern: RegExp, replacement: string | ((match: string, ...parts: string[]) => string)];

/** A column, a parameter or the call of a function, as the left operand of an operator. */
const OPERAND = String.raw`((?:\w+\.)?\w+(?:\((?:[^()]|\([^()]*\))*\))?|\((?:[^()]|\([^()]*\))*\))`;

/** In this order: amounts first, since their expressions contain others. */
const REWRITES: readonly Rewrite[] = [
  // Amounts are Int128: exact, and never text. The forms are those of amounts.ts and sql.ts.
  [/iif\(typeof\((.+?)\) = 'text' OR typeof\((.+?)\) = 'text', amount_difference\(\1, \2\), \1 - \2\)/gs, "($1 - $2)"],
  [/iif\(typeof\((.+?)\) = 'text', ltrim\(\1, '0'\), CAST\(\1 AS TEXT\)\)/gs, "toString($1)"],
  [/\bamount_sum\(/g, "sum("],
  // A chain has no prices: see reader.ts.
  [/\(SELECT (?:\w+\.)?price FROM prices [^()]*\)|\(SELECT \(s\.price - e\.price\) \/ [^()]*\)/g, "NULL"],
  // So its pools have no value.
  [/\(SELECT coalesce\(sum\(v\.tvl\), 0\.0\) FROM [^()]*\)/g, "0.0"],
  [
    /unixepoch\((.+?), 'unixepoch', 'start of (month|year)'\)/g,
    (_, time = "", unit = "") =>
      `toUnixTimestamp(toDateTime(toStartOf${unit === "month" ? "Month" : "Year"}(toDateTime(${time}, 'UTC')), 'UTC'))`,
  ],
  // The address of an account is its key.
  [/((?:\w+\.)?)address = '(\w+)'/g, (_, alias = "", address = "") => `${alias}id = toUInt256('${keyOf(address)}')`],
  // So those of the rows of another table need not be looked up.
  [
    /FROM accounts WHERE (address .+?) AND \+id IN \(SELECT id FROM (\w+)\)/g,
    `FROM (SELECT id, ${addressSql("id")} AS address FROM $2) WHERE $1`,
  ],
  // A row of a transaction, as an equation that joins can use.
  [
    new RegExp(
      String.raw`([\w.]+) >= (.+?) \* ${ROWS_PER_TRANSACTION} AND \1 < \(\2 \+ 1\) \* ${ROWS_PER_TRANSACTION}`,
      "g",
    ),
    `intDiv($1, ${ROWS_PER_TRANSACTION}) = $2`,
  ],
  [
    /((?:\w+\.)?)signature (= |IN \()(\{\w+:String\})(\)?)/g,
    "($1signature_hash $2sipHash64($3)$4 AND $1signature $2$3$4)",
  ],
  [/ NOT INDEXED| INDEXED BY \w+/g, ""],
  [/(\S+) & (\d+)/g, "bitAnd($1, $2) <> 0"],
  [/\bamount_difference\(/g, "minus("],
  [/(^|[\s(,])\+(?=\w+[.\w]*)/g, "$1"],
  [/(\S+) = (\S+) COLLATE NOCASE/g, "lower($1) = lower($2)"],
  [/\binstr\(/g, "position("],
  [/\biif\(/g, "if("],
  [/\b(max|min)\((?=[^(),]+,)/g, (_, name) => (name === "max" ? "greatest(" : "least(")],
  // Of no rows, NULL. There is a setting for it, with which no projection is used.
  [/\b(max|min|sum)\(/g, "$1OrNull("],
  [/\btotal\(/g, "sum("],
  [/ AS REAL\)/g, " AS Nullable(Float64))"],
  [/ AS INTEGER\)/g, " AS Nullable(Int64))"],
  [/ AS TEXT\)/g, " AS Nullable(String))"],
];

/** Integers are divided by an integer: ids by the numbers of rows and transactions. */
const DIVISION = new RegExp(String.raw`${OPERAND} / (\d+)(?![\d.e])`);

/** The tables that are joined crosswise, with what follows: SQLite takes a condition there, as an order to keep theirs. */
function joinInner(sql: string): string {
  return sql.replace(/ CROSS JOIN /g, (join, at: number) => {
    const rest = sql.slice(at + join.length);
    const table = rest.startsWith("(") ? closingParenthesis(rest) + 1 : 0;
    return /^\w*(?: \w+)? ON /.test(rest.slice(table)) ? " INNER JOIN " : join;
  });
}

/** Returns the statement for ClickHouse. Parameters have been replaced. */
export function toClickHouse(sql: string): string {
  let text = ` ${sql.replace(/\s+/g, " ")}`;
  for (const [pattern, replacement] of REWRITES) text = text.replace(pattern, replacement as string);
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(DIVISION, "intDiv($1, $2)");
  }
  return joinByKey(joinInner(text).trim());
}

/**
 * Settings of a query: what standard SQL says, and joins that read the rows that they need, by a key or by the filter
 * that the other side gives; second orders of small tables, too. Expressions are not compiled: for few rows, that takes
 * longer than to compute them.
 */
export const QUERY_SETTINGS = {
  join_algorithm: "direct,parallel_hash,hash",
  enable_join_runtime_filters_index_analysis: 1,
  enable_materialized_cte: 1,
  min_table_rows_to_use_projection_index: 0,
  use_index_for_in_with_subqueries_max_values: MANY_ROWS,
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  join_use_nulls: 1,
  union_default_mode: "DISTINCT",
  prefer_column_name_to_alias: 1,
  cast_keep_nullable: 1,
  output_format_json_quote_64bit_integers: 1,
} as const;
