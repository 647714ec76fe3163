/** Lists as tables. The widths follow from the first rows and stay, so that later pages are printed as they arrive. */
import { isArray, isNumeric, isObject, type Json } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import { orderFields } from "../fields/field-order.ts";
import { fieldNames, valueAt } from "../fields/paths.ts";
import { type RowWriter, summarizeNames, type WriteContext } from "../formats/context.ts";
import { createPlainRows, type PlainRows } from "../formats/plain-rows.ts";
import { safeText } from "../text/safe.ts";
import { wrap } from "../text/width.ts";
import { formatValue } from "../values/cell.ts";
import { buildColumns, catalogueField, type TableField, TELLING_KINDS, withCapitals } from "./columns.ts";
import { createGrid } from "./grid.ts";
import { createTableContext, joinLines, type TableContext, warningNotes } from "./table-context.ts";

/** Rows that the widths follow from; cells of many more take hundreds of megabytes. */
const MEASURED_ROWS = 10_000;

/** Writes rows as a table. */
export async function openTable(context: WriteContext, first: readonly Json[]): Promise<RowWriter> {
  const { sink, options, notes } = context;
  const table = await createTableContext(options);
  const plain = createPlainRows(context, first);
  const wholeRows = first.map(plain.toObject);
  const wholeFields = chooseFields(context, wholeRows, plain);
  const { fields, spread } = spreadRows(wholeFields, context.shape, context.selection ? [] : wholeRows);
  const toRows = (page: readonly Json[]) => page.map(plain.toObject).flatMap(spread);
  const objects = toRows(first.slice(0, MEASURED_ROWS));
  if (context.metadata !== undefined) await table.names?.prepare([context.metadata], []);
  const grid = await createGrid(withCapitals(buildColumns(fields, context.shape), fields), objects, table);
  const hasHeader = options.headers !== false;
  let count = 0;
  return {
    async write(page) {
      if (page.length === 0) return;
      const rows = toRows(page);
      const header = count === 0 && hasHeader ? grid.header() : [];
      if (count > 0) await grid.prepare(rows);
      count += page.length;
      await sink.write(joinLines([...header, ...grid.lines(rows)]));
    },
    async end() {
      const empty = options.isTerminal ? [table.paint("note", "No rows.")] : grid.header();
      const advice = `use ${context.selection ? "" : "--fields, "}a wider terminal or -o wide`;
      const hidden = describeHidden(count === 0 ? [] : grid.hiddenColumns, advice);
      if (!hasHeader) {
        // The output consists of rows alone.
        notes.push(...hidden, ...warningNotes(table), ...plain.notes());
        return;
      }
      const below = [...hidden, ...describeBeside(context, table)];
      const footer = below.flatMap((text) => wrap(text, table.width)).map((line) => table.paint("note", line));
      // Without a blank line Markdown would take the footer for rows.
      const gap = grid.style === "markdown" && footer.length > 0 ? [""] : [];
      await sink.write(joinLines([...(count === 0 ? empty : grid.footer()), ...gap, ...footer]));
      notes.push(...warningNotes(table), ...plain.notes());
    },
  };
}

/** Returns the fields of the table: the selected ones, else those of the endpoint, else all. */
function chooseFields(
  { selection, schema, shape }: WriteContext,
  first: readonly Json[],
  { column }: PlainRows,
): readonly TableField[] {
  if (selection)
    return selection.fields.map(({ head, path }) => ({ head, paths: [path], isTyped: head !== undefined }));
  if (first.length > 0 && !first.some(isObject)) return [{ head: "value", paths: [[]] }];
  const field = (name: string): TableField => ({ paths: [[name]] });
  if (!schema.columns) return orderFields(fieldNames(shape, first), shape).map(field);
  const fields = schema.columns.map(catalogueField);
  const lacks = column !== undefined && !fields.some(({ paths }) => paths.some((path) => path.join() === column));
  return lacks ? [...fields, field(column)] : fields;
}

/** Returns the note about columns that do not fit, with what to do; none where all fit. */
export function describeHidden(hidden: readonly string[], advice: string): string[] {
  if (hidden.length === 0) return [];
  const count = hidden.length === 1 ? "1 column" : `${hidden.length} columns`;
  return [`${count} hidden: ${summarizeNames(hidden)}; ${advice}`];
}

/** Returns what the API sends beside the rows, such as their total. */
function describeBeside({ beside = {} }: WriteContext, table: TableContext): string[] {
  const scalars = Object.entries(beside).filter(([, value]) => isScalar(value));
  const metaOf = (key: string) => ({ kind: /_time$/.test(key) ? "unixTime" : "count", description: "" }) as const;
  const parts = scalars.map(
    ([key, value]) => `${safeText(key)} ${formatValue(value, metaOf(key), undefined, table.clock).text}`,
  );
  return parts.length > 0 ? [parts.join(", ")] : [];
}

function isScalar(value: Json): boolean {
  return isNumeric(value) || typeof value === "string" || typeof value === "boolean";
}

/** The fields of a table with a series, such as the prices of a token by day, and a row for each of its items. */
interface SpreadRows {
  readonly fields: readonly TableField[];
  readonly spread: (row: Json) => readonly Json[];
}

/** Spreads the rows over the items of the only series among the fields. */
function spreadRows(fields: readonly TableField[], shape: Shape, rows: readonly Json[]): SpreadRows {
  const itemsOf = (row: Json, name: string): readonly Json[] | undefined => {
    const value = valueAt(row, [name]) ?? null;
    return isArray(value) ? value : undefined;
  };
  const series = fields.flatMap((field) => {
    const [name, ...rest] = field.paths[0];
    if (typeof name !== "string" || rest.length > 0 || !isSeries(shape.field(name))) return [];
    return rows.some((row) => itemsOf(row, name)) ? [{ field, name, names: shape.field(name).fields }] : [];
  });
  const [only, ...others] = series;
  if (!only || others.length > 0) return { fields, spread: (row) => [row] };
  const { name, names } = only;
  return {
    fields: fields.flatMap((field): readonly TableField[] =>
      field === only.field ? names.map((inner) => ({ paths: [[name, inner]] })) : [field],
    ),
    spread: (row) => itemsOf(row, name)?.map((item) => (isObject(row) ? { ...row, [name]: item } : row)) ?? [row],
  };
}

/** Whether a shape is that of the items of a series: objects of times and quantities only. */
function isSeries({ open, fields, field }: Shape): boolean {
  return !open && fields.length > 0 && fields.every((name) => TELLING_KINDS.has(field(name).meta?.kind));
}
