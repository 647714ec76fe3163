/** What views keep of lists and short tables: filters, order and columns, the page and the row. */
import { countOf, isArray, isObject, type Json, objectsOf, textOf } from "../../../base/index.ts";
import type { ParameterValues, Shape } from "../../../catalogue/index.ts";
import { parseListSettings } from "../../navigation/list-settings.ts";
import type { StateFormat } from "../../navigation/view.ts";
import { columnByKey } from "./columns.ts";
import type { CellFilter } from "./filters.ts";
import { FIRST_PAGE, type PageRef } from "./paging.ts";
import { INITIAL_LIST_STATE, type ListState } from "./reducer.ts";
import { INITIAL_ROWS, type RowsState } from "./rows.ts";

/** Returns a value as JSON, without what is undefined. */
export const toPlainJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Returns how rows with fields of a shape are kept. */
export function rowsFormat(shape: Shape): StateFormat<RowsState> {
  return {
    toJson: ({ filter, cellFilters, sort, row, rowKey, column }) =>
      toPlainJson({
        ...(filter !== "" && { filter }),
        ...(cellFilters.length > 0 && {
          cells: cellFilters.map(({ column: { key, head }, ...cell }) => ({ key, head, ...cell })),
        }),
        ...{ sort, row, rowKey, column },
      }),
    fromJson(json) {
      if (!isObject(json)) return undefined;
      return {
        ...INITIAL_ROWS,
        filter: textOf(json.filter) ?? "",
        cellFilters: objectsOf(json.cells).flatMap((cell) => parseCellFilter(cell, shape) ?? []),
        sort: parseListSettings(json)?.sort,
        row: countOf(json.row) ?? 0,
        rowKey: textOf(json.rowKey),
        column: countOf(json.column),
      };
    },
  };
}

function parseCellFilter(cell: Readonly<Record<string, Json>>, shape: Shape): CellFilter | undefined {
  const [key, head, value, label] = [cell.key, cell.head, cell.value, cell.label].map(textOf);
  const column = key === undefined ? undefined : columnByKey(key, shape);
  if (!column || value === undefined) return undefined;
  return {
    column: { ...column, head: head ?? column.head },
    value,
    label: label ?? value,
    isExcluded: cell.isExcluded === true,
  };
}

/** Returns how a list is kept: its rows and its request. */
export function listFormat(shape: Shape): StateFormat<ListState> {
  const ofRows = rowsFormat(shape);
  return {
    toJson: ({ rows, query: { formParams: params, pageSize: size, page }, chosenColumns: columns, widths }) =>
      toPlainJson({
        ...(ofRows.toJson(rows) as object),
        ...{ params, size, columns, widths },
        ...(page !== FIRST_PAGE && { page }),
      }),
    fromJson(json) {
      const rows = ofRows.fromJson(json);
      if (!rows || !isObject(json)) return undefined;
      const { columns, widths } = parseListSettings(json) ?? {};
      const query = {
        formParams: parseParams(json.params),
        pageSize: parseParams(json.size),
        page: parsePage(json.page),
      };
      return {
        ...INITIAL_LIST_STATE,
        rows,
        query: { ...INITIAL_LIST_STATE.query, ...query },
        chosenColumns: columns,
        widths,
      };
    },
  };
}

const isScalar = (value: Json) => ["string", "number", "boolean"].includes(typeof value);

/** Returns parameters that were kept; undefined for anything else. */
export function parseParams(value: Json | undefined): ParameterValues | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => (isArray(one) ? one.every(isScalar) : isScalar(one))),
  );
}

function parsePage(value: Json | undefined): PageRef {
  const params = isObject(value) ? parseParams(value.params) : undefined;
  return isObject(value) && params ? { params, rowsBefore: countOf(value.rowsBefore) ?? 0 } : FIRST_PAGE;
}
