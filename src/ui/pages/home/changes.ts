/** What differs between two answers of a list. Pure. */
import { compareDecimals, decimalOf, type JsonObject } from "../../../base/index.ts";

/** The fields of a list that are compared. */
export interface WatchedFields {
  /** The field that identifies a row. */
  readonly id: string;
  /** Quantities that are compared. */
  readonly fields: readonly string[];
}

/** The changes of a list. */
export interface RowChanges {
  /** Rows that were not there before, by their identifier. */
  readonly added: ReadonlySet<unknown>;
  /** Returns whether a quantity rose (1) or fell (-1). */
  readonly trend: (row: JsonObject, field: string) => 1 | -1 | undefined;
}

/** No changes. */
export const NO_CHANGES: RowChanges = { added: new Set(), trend: () => undefined };

/** Returns what changed from one answer to the next; {@link NO_CHANGES} for the first answer and for equal ones. */
export function changesOf(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  { id, fields }: WatchedFields,
): RowChanges {
  if (before.length === 0) return NO_CHANGES;
  const known = new Map(before.map((row) => [row[id], row]));
  const added = new Set(after.map((row) => row[id]).filter((one) => !known.has(one)));
  const trends = new Map<string, 1 | -1>();
  for (const row of after) {
    for (const field of fields) {
      const [old, now] = [decimalOf(known.get(row[id])?.[field]), decimalOf(row[field])];
      const order = old && now ? compareDecimals(now, old) : 0;
      if (order !== 0) trends.set(`${String(row[id])} ${field}`, order > 0 ? 1 : -1);
    }
  }
  if (added.size === 0 && trends.size === 0) return NO_CHANGES;
  return { added, trend: (row, field) => trends.get(`${String(row[id])} ${field}`) };
}

/** Returns how many rows at the top of a list are new. */
export function addedOnTop(rows: readonly JsonObject[], { added }: RowChanges, id: string): number {
  const first = rows.findIndex((row) => !added.has(row[id]));
  return first < 0 ? 0 : first;
}
