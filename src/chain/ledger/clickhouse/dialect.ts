/**
 * The SQL of queries, which is SQLite's, as ClickHouse reads it. What differs between the engines is here: queries are
 * written once.
 */
import { ROWS_PER_TRANSACTION, SOL } from "../store/schema.ts";
import { closingParenthesis, joinByKey } from "./joins.ts";
import { STORED_TABLES } from "./tables.ts";

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
  [
    /unixepoch\((.+?), 'unixepoch', 'start of (month|year)'\)/g,
    (_, time = "", unit = "") =>
      `toUnixTimestamp(toDateTime(toStartOf${unit === "month" ? "Month" : "Year"}(toDateTime(${time}, 'UTC')), 'UTC'))`,
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
  [/\btotal\(/g, "sumOrDefault("],
  [/\bamount_difference\(/g, "minus("],
  [/(^|[\s(,])\+(?=\w+[.\w]*)/g, "$1"],
  [/(\S+) = (\S+) COLLATE NOCASE/g, "lower($1) = lower($2)"],
  [/\binstr\(/g, "position("],
  [/\biif\(/g, "if("],
  [/\b(max|min)\((?=[^(),]+,)/g, (_, name) => (name === "max" ? "greatest(" : "least(")],
  [/ AS REAL\)/g, " AS Nullable(Float64))"],
  [/ AS INTEGER\)/g, " AS Nullable(Int64))"],
  [/ AS TEXT\)/g, " AS Nullable(String))"],
];

/** A condition on the owner of what is known last, in the statement of the table. */
const BY_OWNER =
  /\bFROM (balances|token_accounts)( (?!WHERE|CROSS|INNER|LEFT|JOIN)\w+)?((?: [^()]*?)?) WHERE ([^()]*?)\b((?:\w+\.)?)owner_id = (toUInt256\('\d+'\))/g;

/**
 * Selects rows of an owner by their keys, which a view of what is known last can look up: a filter of any other column
 * is one of what it has computed for all rows.
 */
const selectOwned = (sql: string): string =>
  sql.replace(BY_OWNER, (match, table, alias = "", _joins, _before, column, owner) => {
    if (column !== "" && column !== `${alias.trim() || table}.`) return match;
    const keys = STORED_TABLES.find(({ name }) => name === table)?.order ?? [];
    const known = `SELECT ${keys.join()} FROM ${table}_known WHERE owner_id = ${owner}`;
    // SOL is stored without its owner, which is its account.
    const own = table === "balances" ? ` UNION ALL SELECT ${SOL}, ${owner}` : "";
    return `${match} AND (${keys.map((key) => column + key).join()}) IN (${known}${own})`;
  });

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
  return joinByKey(joinInner(selectOwned(text)).trim());
}

/**
 * Settings of a query: what standard SQL says, and joins that read the rows that they need, by a key or by the filter
 * that the other side gives. Expressions are not compiled: for few rows, that takes longer than to compute them.
 */
export const QUERY_SETTINGS = {
  join_algorithm: "direct,parallel_hash,hash",
  enable_join_runtime_filters_index_analysis: 1,
  enable_materialized_cte: 1,
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  join_use_nulls: 1,
  union_default_mode: "DISTINCT",
  aggregate_functions_null_for_empty: 1,
  prefer_column_name_to_alias: 1,
  cast_keep_nullable: 1,
  output_format_json_quote_64bit_integers: 1,
} as const;
