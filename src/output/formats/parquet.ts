/** Parquet: columns with types, in row groups. The end of the file describes all of it, so it cannot be written in parts. */
import type { SchemaElement } from "hyparquet";
import type { Json } from "../../base/index.ts";
import { shapeAt } from "../fields/paths.ts";
import { ColumnTypeError, type RowWriter, type WriteContext } from "./context.ts";
import { columnTypes, type ParquetType } from "./parquet-types.ts";
import { createRowColumns, type RowColumn, readCell } from "./row-columns.ts";

/** Rows in a row group at most. */
const MAX_GROUP_ROWS = 20_000;
/** Bytes of text in a row group at most, so that memory use is bounded for long rows too. */
const MAX_GROUP_BYTES = 8_388_608;
/** The estimated size of a value that is no text. */
const VALUE_BYTES = 8;

interface Column extends RowColumn {
  readonly type: ParquetType;
  data: unknown[];
}

/**
 * Writes rows as Parquet. The type of a column follows from the kind of its field, or from the first rows; nested values
 * are JSON text.
 * @throws ColumnTypeError for a value that its column cannot hold
 */
export async function openParquet(context: WriteContext, first: readonly Json[]): Promise<RowWriter> {
  const { options, shape, sink, notes } = context;
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const rows = createRowColumns(context, first);
  const objects = first.map(rows.toObject);
  // A field that is selected twice is one column: names are unique in a file.
  const unique = new Map(rows.columns.map((column) => [column.name, column]));
  const columns = [...unique.values()].map((column): Column => {
    const values = objects.map((row) => readCell(row, column));
    const types = columnTypes(shapeAt(column.path, shape).meta, values, options.textNumbers === true);
    const fitting = types.slice(options.columnFallbacks?.get(column.name) ?? 0);
    const type = fitting.find((each) => values.every((value) => convert(value, each) !== undefined));
    return { ...column, type: type ?? (types.at(-1) as ParquetType), data: [] };
  });
  const bytes = new ByteWriter();
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({ ...type.element, name, repetition_type: "OPTIONAL" as const })),
  ];
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: "solx" });
  let [count, size] = [0, 0];
  const flush = async () => {
    // A copy: the buffer is used again.
    await sink.write(bytes.getBytes().slice());
    bytes.index = 0;
  };
  // What is written so far shows whether anybody reads it.
  await flush();
  const endGroup = async () => {
    if (count === 0 || columns.length === 0) return;
    await file.write({ columnData: columns.map(({ name, data }) => ({ name, data })), rowGroupSize: count });
    for (const column of columns) column.data = [];
    [count, size] = [0, 0];
    await flush();
  };
  return {
    async write(page) {
      for (const value of page) {
        const row = rows.toObject(value);
        for (const column of columns) {
          const cell = convert(readCell(row, column), column.type);
          if (cell === undefined) throw new ColumnTypeError(column.name, column.type.title);
          column.data.push(cell);
          size += typeof cell === "string" ? cell.length : VALUE_BYTES;
        }
        count += 1;
        if (count >= MAX_GROUP_ROWS || size >= MAX_GROUP_BYTES) await endGroup();
      }
    },
    async end() {
      await endGroup();
      await file.finish();
      await flush();
      notes.push(...rows.notes());
    },
  };
}

/** Returns a value as the writer expects it; undefined when it does not fit the type. */
function convert(value: Json | undefined, type: ParquetType): unknown {
  const isMissing = value === undefined || value === null || (value === "" && !type.isText);
  return isMissing ? null : type.convert(value);
}
