/** Plain values among rows that are objects: they go into a column named `value`. */
import { isObject, type Json, type JsonObject } from "../../base/index.ts";
import type { WriteContext } from "./context.ts";

/** The column of plain values. */
const VALUE = "value";

/** Turns plain values into objects with one column, where the first rows have any. */
export interface PlainRows {
  /** The name of the column; undefined when the first rows are all objects. */
  readonly column: string | undefined;
  /** Returns the row as an object. */
  toObject(row: Json): Json;
  /** Returns the notes for the end of the output. */
  notes(): string[];
  /** Returns the state from which a later run can continue. */
  state(): JsonObject;
}

/**
 * Returns what turns plain values into objects. The first rows decide on the column, or the state of an earlier run.
 * With `--fields` plain values have no fields and stay as they are.
 */
export function createPlainRows({ selection }: WriteContext, first: readonly Json[], resume?: JsonObject): PlainRows {
  const mixed = resume ? resume.mixed === true : !selection && first.some(isObject);
  const hasColumn = resume ? resume.column === true : mixed && first.some(isPlain);
  const column = hasColumn ? VALUE : undefined;
  let dropped = Number(resume?.lost ?? 0);
  return {
    column,
    state: () => ({ mixed, column: hasColumn, lost: dropped }),
    toObject(row) {
      if (!mixed || !isPlain(row)) return row;
      if (column !== undefined) return { [column]: row };
      dropped += 1;
      return {};
    },
    notes() {
      if (dropped === 0) return [];
      const rows =
        dropped === 1 ? "1 later row is not an object and was" : `${dropped} later rows are not objects and were`;
      return [`${rows} left out; use -o json to see all rows.`];
    },
  };
}

function isPlain(row: Json): boolean {
  return row !== null && !isObject(row);
}
