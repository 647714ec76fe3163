/** The rows of a short table as the rows of a list: keys, columns, search texts and marks. Pure. */
import { isNumeric, type JsonObject, numericText } from "../../../base/index.ts";
import { clip, type Shape } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { ListColumn } from "../list/columns.ts";
import { type CellFilter, cellValues } from "../list/filters/cell-filter.ts";
import { symbolsOf } from "../list/row-lines.ts";
import type { ListSort } from "../list/rows.ts";
import type { ShortTableColumn } from "./layout.ts";

/** The identity and the shape of rows. */
export interface RowIdentity {
  /** The shape of their fields. */
  readonly shape: Shape;
  /** Returns an identifier that is stable across answers. */
  readonly idOf: (row: JsonObject) => string;
}

/** Returns the columns that can be sorted by: those with text. */
export function sortableColumns(columns: readonly ShortTableColumn[]): readonly ShortTableColumn[] {
  return columns.filter(({ drawing }) => drawing === undefined);
}

/** Returns a column as lists have it. */
export function listColumnOf({ head, path }: Pick<ShortTableColumn, "head" | "path">, shape: Shape): ListColumn {
  return { key: path, head, sources: [{ path: [path], meta: shape.field(path).meta }] };
}

/** Adds the arrow of the order and marks the selected column. */
export function withSortArrows(
  columns: readonly ShortTableColumn[],
  sort: ListSort | undefined,
  selected: number,
  unicode: boolean,
): readonly ShortTableColumn[] {
  const symbols = symbolsOf(unicode);
  const active = sortableColumns(columns)[selected];
  return columns.map((column) => {
    const isSorted = column.drawing === undefined && sort?.column === column.path;
    const arrow = isSorted ? (sort?.isDescending ? symbols.down : symbols.up) : "";
    return { ...column, head: column.head + arrow, isActive: column === active };
  });
}

/** Maximum width of a value in a chip. */
const MAX_LABEL = 32;

/** Returns the filter for the value of a cell; undefined for an empty one. */
export function cellFilterOf(
  row: JsonObject | undefined,
  column: ShortTableColumn | undefined,
  shape: Shape,
  isExcluded: boolean,
): CellFilter | undefined {
  if (!row || !column) return undefined;
  const listColumn = listColumnOf(column, shape);
  const [value] = cellValues(row, listColumn);
  if (value === undefined) return undefined;
  return { column: listColumn, value, label: clip(column.cell(row).text, MAX_LABEL), isExcluded };
}

/** Cells to the left of each row for its mark. */
export const MARK_WIDTH = 2;

/** Adds the column of marks to a line; the cursor reaches it. */
export function withMarkColumn(line: TextLine, isMarked: boolean, unicode: boolean): TextLine {
  const mark = isMarked ? span(`${symbolsOf(unicode).marked} `, "marked") : span(" ".repeat(MARK_WIDTH));
  return [{ ...mark, cursor: line[0]?.cursor }, ...line];
}

/** Returns the search text of each row: its formatted cells and its raw values, without the names of fields. */
export function rowTexts(rows: readonly JsonObject[], columns: readonly ShortTableColumn[]): readonly string[] {
  return rows.map((row) => [...columns.map(({ cell }) => cell(row).text), ...rawValues(row)].join("\n"));
}

function rawValues(row: JsonObject): readonly string[] {
  return Object.values(row).flatMap((value) =>
    isNumeric(value) ? [numericText(value)] : typeof value === "string" ? [value] : [],
  );
}
