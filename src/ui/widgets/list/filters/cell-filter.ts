/** Filters by the value of a cell, applied to the rows that the screen has. */
import { isArray, isNumeric, type Json, numericText } from "../../../../base/index.ts";
import { catalogueField, columnsOf, formatCell, type Shape, summarizeValue } from "../../../../output/index.ts";
import type { ListColumn } from "../columns.ts";
import { valueOfColumn } from "../table.ts";

/** A filter: only the rows with a value in a column, or only those without it. */
export interface CellFilter {
  readonly column: ListColumn;
  readonly value: string;
  /** The value as the cell showed it. */
  readonly label: string;
  readonly isExcluded: boolean;
}

/** Only plain values and names of objects are compared. */
const CLOCK = { style: "iso", now: 0 } as const;

/** Returns the values of a cell: the items of a list, otherwise one; none of an empty cell. */
export function cellValues(row: Json, column: ListColumn): readonly string[] {
  const { value } = valueOfColumn(row, column);
  if (value === undefined || value === null || value === "") return [];
  const items = isArray(value) ? value : [value];
  const texts = items.map(scalarText).filter((text) => text !== undefined);
  if (texts.length > 0) return texts;
  return summarizeValue(value) ? [formatCell(row, column, { clock: CLOCK }).text] : [];
}

function scalarText(value: Json): string | undefined {
  if (isNumeric(value)) return numericText(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

/** Returns whether all filters let a row through. */
export function passesFilters(row: Json, filters: readonly CellFilter[]): boolean {
  return filters.every(({ column, value, isExcluded }) => cellValues(row, column).includes(value) !== isExcluded);
}

/** Returns the filters with another one; it replaces those that it makes pointless. Adding the same again removes it. */
export function toggleCellFilter(filters: readonly CellFilter[], filter: CellFilter): readonly CellFilter[] {
  const hasSameColumn = (one: CellFilter) => one.column.key === filter.column.key;
  const isSame = (one: CellFilter) =>
    hasSameColumn(one) && one.value === filter.value && one.isExcluded === filter.isExcluded;
  if (filters.some(isSame)) return filters.filter((one) => !isSame(one));
  const others = filters.filter((one) => !hasSameColumn(one) || (filter.isExcluded && one.isExcluded));
  return [...others, filter];
}

/** Returns the column of the status of transactions; undefined for rows without one. */
export function statusColumn(columns: readonly ListColumn[], shape: Shape): ListColumn | undefined {
  const visible = columns.find(({ sources }) => sources[0]?.meta?.kind === "status");
  if (visible || shape.field(STATUS).meta?.kind !== "status") return visible;
  const [column] = columnsOf([catalogueField(STATUS)], shape);
  return column && { ...column, key: STATUS };
}

const STATUS = "status";

/** The values of a failed transaction, in lists and in details. */
export const FAILED = "Fail";
