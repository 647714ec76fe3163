/**
 * Lists in the order of a statistic, with conditions on other tables, such as tokens by their holders. To join all rows
 * for a page takes long: it is looked for among the rows at the beginning of the list first.
 */
import { numberValue, parametersIn, type Request, type StatementResult } from "./batches.ts";
import { firstTable, partsOf } from "./joins.ts";
import { ROWS_FOR_ONE } from "./long-lists.ts";

const LIST = / FROM (\w+ \w+) CROSS JOIN \w+ \w+ ON [^()]+? WHERE ([^()]+?) ORDER BY ([^()]+?) LIMIT \? OFFSET \?/;

/** Reads the rows of a request: a page of a ranked list, if possible, from the rows at its beginning. */
export async function readFromTop(
  read: (request: Request) => Promise<StatementResult>,
  request: Request,
): Promise<StatementResult> {
  const sql = request.sql.replace(/\s+/g, " ");
  const [list = "", from = "", where = "", order = ""] = LIST.exec(sql) ?? [];
  const { table, alias, prefix } = firstTable(from);
  const columns = partsOf(order, /, ?/g).map((column) => column.split(" ")[0] ?? "");
  const isRanked = columns.every((column) => column.startsWith(prefix)) && columns.at(-1) === prefix + table?.order[0];
  if (table?.kind !== "statistics" || alias === "" || !isRanked) return read(request);
  const own = partsOf(where, / AND /g).filter(
    (text) => text.startsWith(prefix) && !text.includes("?") && text.match(/\w+\./g)?.every((each) => each === prefix),
  );
  const first = `SELECT * FROM ${from}${own.length === 0 ? "" : ` WHERE ${own.join(" AND ")}`} ORDER BY ${order} LIMIT ?`;
  const start = sql.indexOf(list);
  const at = parametersIn(sql.slice(0, start + list.length)) - 2;
  const [limit = 0, offset = 0] = request.values.slice(at, at + 2).map(({ text }) => Number(text));
  const page = await read({
    sql: sql.replace(list, () => list.replace(from, () => `(${first}) ${alias}`)),
    values: request.values.toSpliced(
      parametersIn(sql.slice(0, start)),
      0,
      numberValue(ROWS_FOR_ONE * (limit + offset)),
    ),
  });
  return page.data.length < limit ? read(request) : page;
}
