/** Lists as tables. The widths follow from the first page and stay, so that later pages are printed as they arrive. */
import { isNumeric, isObject, type Json } from "../../base/index.ts";
import { fieldNames, orderFields } from "../fields/field-order.ts";
import { type RowWriter, summarizeNames, type WriteContext } from "../formats/context.ts";
import { rowsParent } from "../formats/envelope.ts";
import { createPlainRows, type PlainRows } from "../formats/plain-rows.ts";
import { safeText } from "../text/safe.ts";
import { wrap } from "../text/width.ts";
import { formatValue, WARNING_MARK } from "../values/cell.ts";
import { catalogueField, columnsOf, type TableField } from "./columns.ts";
import { createGrid } from "./grid.ts";
import { createTableContext, type TableContext } from "./table-context.ts";

/** Writes rows as a table. */
export async function openTable(context: WriteContext, first: readonly Json[]): Promise<RowWriter> {
  const { sink, options, notes } = context;
  const table = createTableContext(options);
  const plain = createPlainRows(context, first);
  const objects = first.map(plain.toObject);
  const grid = await createGrid(columnsOf(fieldsOf(context, objects, plain), context.shape), objects, table);
  let count = 0;
  return {
    async write(page) {
      if (page.length === 0) return;
      const header = count === 0 ? grid.header() : [];
      count += page.length;
      await sink.write(joinLines([...header, ...grid.lines(page.map(plain.toObject))]));
    },
    async end() {
      const empty = options.tty ? [table.paint("note", "No rows.")] : grid.header();
      const below = [...describeHidden(grid.hiddenColumns, context), ...describeEnvelope(context, table)];
      const footer = below.flatMap((text) => wrap(text, table.width)).map((line) => table.paint("note", line));
      // Without a blank line Markdown would take the footer for rows.
      const gap = grid.style === "markdown" && footer.length > 0 ? [""] : [];
      await sink.write(joinLines([...(count === 0 ? empty : grid.footer()), ...gap, ...footer]));
      notes.push(...warningNotes(table), ...plain.notes());
    },
  };
}

/** Returns the fields of the table: the selected ones, else those of the endpoint, else all. */
function fieldsOf(
  { selection, schema, shape }: WriteContext,
  first: readonly Json[],
  { column }: PlainRows,
): readonly TableField[] {
  if (selection) return selection.fields.map(({ head, path }) => ({ head, paths: [path] }));
  if (first.length > 0 && !first.some(isObject)) return [{ head: "VALUE", paths: [[]] }];
  const field = (name: string): TableField => ({ paths: [[name]] });
  if (!schema.columns) return orderFields(fieldNames(shape, first), shape).map(field);
  const fields = schema.columns.map(catalogueField);
  const lacks = column !== undefined && !fields.some(({ paths }) => paths.some((path) => path.join() === column));
  return lacks ? [...fields, field(column)] : fields;
}

/** Returns lines as one chunk of output. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the notes on names that are marked. */
export function warningNotes({ warnings }: TableContext): string[] {
  return [...warnings].map((warning) => `${WARNING_MARK} The name ${warning}. Trust the address, not the name.`);
}

function describeHidden(hidden: readonly string[], { selection }: WriteContext): string[] {
  if (hidden.length === 0) return [];
  const count = hidden.length === 1 ? "1 column" : `${hidden.length} columns`;
  const advice = selection ? "use a wider terminal or -o json" : "use --columns, a wider terminal or -o json";
  return [`${count} hidden: ${summarizeNames(hidden)}; ${advice}`];
}

/** Returns what the API sends beside the rows, such as their total. */
function describeEnvelope({ envelope }: WriteContext, table: TableContext): string[] {
  const parent = envelope ? rowsParent(envelope) : null;
  const scalars = Object.entries(isObject(parent) ? parent : {}).filter(([, value]) => isScalar(value));
  const meta = { kind: "count", description: "" } as const;
  const parts = scalars.map(
    ([key, value]) => `${safeText(key)} ${formatValue(value, meta, undefined, table.clock).text}`,
  );
  return parts.length > 0 ? [parts.join(", ")] : [];
}

function isScalar(value: Json): boolean {
  return isNumeric(value) || typeof value === "string" || typeof value === "boolean";
}
