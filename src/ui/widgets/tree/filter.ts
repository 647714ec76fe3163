/** The filter of rows with links: a row stays for what it shows, for the whole of what is short in it, and for its rows below. */
import { isArray, isNumeric, isObject, type Json, numericText } from "../../../base/json.ts";
import { filtered, parseFilter } from "../list/filter.ts";
import type { Left } from "../table/filter.ts";
import { childrenOf, type Link, type LinkRow } from "./rows.ts";

/** Cells of a line for which there is no window. */
const WIDEST = 1000;

/** The rows that a filter leaves; headings are no rows. */
export function linkRowsLeft(text: string, rows: readonly LinkRow[]): Left<LinkRow> {
  if (text === "") return { rows, problem: undefined };
  const told = rows.filter(({ still }) => still !== true);
  const { matches, problem } = filtered(
    parseFilter(text),
    told.map((row) => textsOf(row).join("\n")),
  );
  return { rows: matches.map((at) => told[at]).filter((row) => row !== undefined), problem };
}

function textsOf(row: LinkRow): readonly string[] {
  const spans = typeof row.line === "function" ? row.line(WIDEST) : row.line;
  const shown = spans.map((one) => one.text).join("");
  return [shown, ...[row, ...spans].flatMap(meant), ...(childrenOf(row) ?? []).flatMap(textsOf), ...wholeOf(row.row)];
}

/** What a link stands for. */
function meant({ target, cell }: Link): readonly string[] {
  return [...(target?.kind === "thing" ? [target.id] : []), ...wholeOf(cell?.value)];
}

/** The values of a row as they came; the names of its fields are no use in a filter. */
function wholeOf(value: Json | undefined): readonly string[] {
  if (isNumeric(value)) return [numericText(value)];
  if (typeof value === "string") return [value];
  if (isArray(value)) return value.flatMap(wholeOf);
  return isObject(value) ? Object.values(value).flatMap(wholeOf) : [];
}
