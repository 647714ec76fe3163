/** Lists as tables for people. Widths come from the first page and stay, so that later pages can stream. */
import { isNumeric, isObject, type Json } from "../../base/json.ts";
import type { Column } from "../../catalogue/endpoint.ts";
import { parsePath } from "../fields/path.ts";
import {
  createPlainRows,
  fieldNames,
  orderFields,
  type PlainRows,
  summarizeNames,
  type WriteContext,
} from "../formats/context.ts";
import { rowsParent } from "../formats/envelope.ts";
import { safeText } from "../text/safe.ts";
import { wrap } from "../text/width.ts";
import type { RowWriter } from "../types.ts";
import { formatValue, WARNING_MARK } from "../values/cell.ts";
import { columnsOf, createGrid, createTableContext, type GridField, type TableContext } from "./grid.ts";

/** Writes rows as a table. */
export async function openTable(job: WriteContext, first: readonly Json[]): Promise<RowWriter> {
  const { sink, options, notes } = job;
  const sheet = createTableContext(options);
  const plain = createPlainRows(job, first);
  const objects = first.map(plain.toObject);
  const grid = createGrid(columnsOf(fieldsOf(job, objects, plain), job.shape), objects, sheet);
  let count = 0;
  return {
    async write(page) {
      const header = count === 0 && page.length > 0 ? [grid.header] : [];
      count += page.length;
      if (page.length > 0) await sink.write(joinLines([...header, ...grid.lines(page.map(plain.toObject))]));
    },
    async end() {
      const empty = options.tty ? sheet.paint("note", "No rows.") : grid.header;
      const notices = [...describeHidden(grid.hiddenColumns, job), ...describeEnvelope(job, sheet)];
      const footer = notices.flatMap((remark) => wrap(remark, sheet.width)).map((line) => sheet.paint("note", line));
      await sink.write(joinLines([...(count === 0 ? [empty] : []), ...footer]));
      notes.push(...warningNotes(sheet), ...plain.notes());
    },
  };
}

/** The columns of the table: those chosen, else those of the endpoint, else all fields. */
function fieldsOf(
  { selection, schema: view, shape }: WriteContext,
  first: readonly Json[],
  { column }: PlainRows,
): readonly GridField[] {
  if (selection) return selection.fields.map(({ head, path }) => ({ head, paths: [path] }));
  if (first.length > 0 && !first.some(isObject)) return [{ head: "VALUE", paths: [[]] }];
  const field = (name: string): GridField => ({ paths: [[name]] });
  if (!view.columns) return orderFields(fieldNames(shape, first), shape).map(field);
  const fields = view.columns.map(catalogueField);
  const lacks = column !== undefined && !fields.some(({ paths }) => paths.some((path) => path.join() === column));
  return lacks ? [...fields, field(column)] : fields;
}

/** A column of the catalogue: `|` separates paths of which the first present counts. */
export function catalogueField(column: Column): GridField {
  const [first = "", ...others] = (typeof column === "string" ? column : column.path).split("|");
  const head = typeof column === "string" ? undefined : column.head.toUpperCase();
  return { head, paths: [parsePath(first), ...others.map(parsePath)] };
}

/** Lines as one chunk. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Why some names are marked. */
export function warningNotes({ warnings }: TableContext): string[] {
  return [...warnings].map((warning) => `${WARNING_MARK} The name ${warning}. Trust the address, not the name.`);
}

function describeHidden(hidden: readonly string[], { selection }: WriteContext): string[] {
  if (hidden.length === 0) return [];
  const count = hidden.length === 1 ? "1 column" : `${hidden.length} columns`;
  const advice = selection ? "use a wider terminal or -o json" : "use --columns, a wider terminal or -o json";
  return [`${count} hidden: ${summarizeNames(hidden)}; ${advice}`];
}

/** What the API tells beside the rows, such as their total. */
function describeEnvelope({ envelope: frame }: WriteContext, sheet: TableContext): string[] {
  const holder = frame ? rowsParent(frame) : null;
  const scalars = Object.entries(isObject(holder) ? holder : {}).filter(([, value]) => isScalar(value));
  const meta = { kind: "count", description: "" } as const;
  const parts = scalars.map(
    ([key, value]) => `${safeText(key)} ${formatValue(value, meta, undefined, sheet.clock).text}`,
  );
  return parts.length > 0 ? [parts.join(", ")] : [];
}

function isScalar(value: Json): boolean {
  return isNumeric(value) || typeof value === "string" || typeof value === "boolean";
}
