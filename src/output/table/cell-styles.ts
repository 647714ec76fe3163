/** How the cells of each column are formatted. */
import type { ValueStyle } from "../values/cell.ts";
import type { TableColumn } from "./columns.ts";

/** Returns the style of a column: amounts have no symbols where another column of the table is their token. */
export function cellStyles(columns: readonly TableColumn[], style: ValueStyle): (column: TableColumn) => ValueStyle {
  const paths = new Set(columns.flatMap(({ sources }) => sources.map(({ path }) => path.join("."))));
  const bare = new Set(
    columns.filter(({ sources }) =>
      sources.some(
        ({ path, meta }) => meta?.token !== undefined && paths.has([...path.slice(0, -1), meta.token].join(".")),
      ),
    ),
  );
  return (column) => (bare.has(column) ? { ...style, symbolOf: undefined } : style);
}
