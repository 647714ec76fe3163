/** Rows in the order of `--sort-by`: all of them are read before the first one is written. */
import { groupThousands, IncompleteError, type Json } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { type Path, parsePath, shapeAt, valueAt } from "../fields/paths.ts";
import { checkFields } from "../fields/selection.ts";
import type { SortField } from "../types.ts";
import { compareInDirection, type SortKey, toSortKey } from "../values/sort-key.ts";

/** Rows that are sorted at most, since they are in memory. */
const MAX_SORTED_ROWS = 100_000;
/** Sorted rows that are written at once. */
const CHUNK_ROWS = 1000;

/** A row with the keys of the fields that it is sorted by. */
interface KeyedRow {
  readonly row: Json;
  readonly keys: readonly (SortKey | undefined)[];
}

/**
 * Yields rows in the order of the fields; rows that compare equal stay in their order. When the source fails, the rows
 * before are sorted and yielded first.
 * @throws UsageError for a field that the rows do not have; IncompleteError when there are more rows than can be sorted
 */
export async function* sortRows(
  pages: AsyncIterable<readonly Json[]>,
  fields: readonly SortField[],
  shape: Shape,
): AsyncGenerator<readonly Json[], void> {
  const paths = fields.map(({ path }) => parsePath(path));
  const rows: KeyedRow[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const page of pages) {
      if (rows.length === 0 && page.length > 0) checkFields(paths, shape, page);
      if (rows.length + page.length > MAX_SORTED_ROWS) throw tooManyRows();
      for (const row of page) rows.push({ row, keys: paths.map((path) => readKey(row, path, shape)) });
    }
  } catch (error) {
    failure = { error };
  }
  rows.sort((a, b) => compareRows(a, b, fields));
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) yield rows.slice(at, at + CHUNK_ROWS).map(({ row }) => row);
  if (failure) throw failure.error;
}

function readKey(row: Json, path: Path, shape: Shape): SortKey | undefined {
  return toSortKey({
    value: valueAt(row, path),
    meta: shapeAt(path, shape).meta,
    parent: valueAt(row, path.slice(0, -1)),
  });
}

function compareRows(a: KeyedRow, b: KeyedRow, fields: readonly SortField[]): number {
  for (const [index, { isDescending }] of fields.entries()) {
    const order = compareInDirection(a.keys[index], b.keys[index], isDescending);
    if (order !== 0) return order;
  }
  return 0;
}

function tooManyRows(): IncompleteError {
  const rows = groupThousands(MAX_SORTED_ROWS);
  return new IncompleteError(`--sort-by sorts at most ${rows} rows; the rows read so far were written in order.`, {
    code: "TOO_MANY_ROWS",
    hint: "Export all rows and sort the file: --all --out FILE.parquet, then a tool such as DuckDB.",
  });
}
