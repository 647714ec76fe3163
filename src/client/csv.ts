/** CSV answers: loaded when there is one. */
import { parse } from "csv-parse/sync";

/**
 * Rows by header name. Names are trimmed; a short row lacks its last names, a long one calls what is beyond the header
 * `column_N`; cells stay text, as they came.
 * @throws Error when the text is no CSV: its header has one name alone
 */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...rows] = parse(text, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  }) as string[][];
  const names = header.map((name) => name.trim());
  if (names.length < 2) throw new Error("The header has no columns.");
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] || `column_${at + 1}`, cell])));
}
