/** Bars beside the numbers by which the rows of a list are compared, scaled to the highest one of the column. */
import { decimalOf, decimalText, type Json } from "../../../base/index.ts";
import { comparisonBar } from "../../frame/share-bar.ts";
import type { TextLine } from "../../navigation/theme/text-line.ts";
import type { ListColumn } from "./columns.ts";
import { valueOfColumn } from "./table.ts";

/** Cells of a bar and the gap before it; narrower bars than the minimum are left out. */
export const BAR_WIDTH = 11;
const MIN_BAR = 4;

/** The scale of a column with bars. */
export interface BarScale {
  readonly column: ListColumn;
  /** The highest value. */
  readonly maximum: number;
  /** Cells of the numbers, or of the heading above them. */
  readonly space: number;
}

/**
 * Returns the scale of a column; undefined for columns without bars, and where there is nothing to compare.
 * @param space cells of the numbers, or of the heading above them
 */
export function barScale(column: ListColumn, rows: readonly Json[], space: number): BarScale | undefined {
  if (column.sources[0]?.meta?.isCompared === undefined || rows.length < 2) return undefined;
  const maximum = rows.reduce<number>((most, row) => Math.max(most, readQuantity(row, column) ?? 0), 0);
  return maximum > 0 ? { column, maximum, space } : undefined;
}

function readQuantity(row: Json, column: ListColumn): number | undefined {
  const number = decimalOf(valueOfColumn(row, column).value);
  return number && Number(decimalText(number));
}

/** Returns the cells of a bar with the gap before it, in a column of `width` cells. */
export function barWidth(scale: BarScale | undefined, width: number): number {
  const space = scale ? width - scale.space : 0;
  return space > MIN_BAR ? Math.min(space, BAR_WIDTH) : 0;
}

/** Returns the bar of a row after a gap, in exactly `width` cells. */
export function barCell(row: Json, { column, maximum }: BarScale, width: number, unicode: boolean): TextLine {
  return [{ text: " " }, ...comparisonBar((readQuantity(row, column) ?? 0) / maximum, width - 1, unicode)];
}
