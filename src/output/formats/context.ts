/** One call of `write`, as the formats see it. */
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Selection } from "../fields/selection.ts";
import type { Shape } from "../fields/shape.ts";
import type { ContentSchema, Envelope, OutputOptions, Sink } from "../types.ts";

/** What is to be written, and where to. */
export interface WriteContext {
  readonly options: OutputOptions;
  readonly schema: ContentSchema;
  readonly shape: Shape;
  /** The fields that the user chose. */
  readonly selection: Selection | undefined;
  readonly envelope: Envelope | undefined;
  readonly sink: Sink;
  /** Remarks for standard error. */
  readonly notes: string[];
}

/** The fields of rows: those that the entity knows, then those that only the rows have. */
export function fieldNames(shape: Shape, rows: readonly Json[]): string[] {
  return [...new Set([...shape.fields, ...rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))])];
}

/** Fields whose values a person reads elsewhere in the row, or not at all in a narrow column. */
const LATE_KINDS: ReadonlySet<string | undefined> = new Set(["url", "json"]);

/**
 * The fields in the order in which a table should lose them from its end: those that the catalogue puts first, then the
 * others, with decimals (amounts are scaled by them), links and nested values last. The exact text of a number that is there too (`amount_str`) is left out: it reads the same.
 */
export function orderFields(names: readonly string[], shape: Shape): string[] {
  const own = names.filter((name) => !(name.endsWith("_str") && names.includes(name.slice(0, -"_str".length))));
  const isLate = (name: string) => /(^|_)decimals$/.test(name) || LATE_KINDS.has(shape.field(name).meta?.kind);
  const first = Object.keys(shape.meta?.first ?? {}).filter((name) => own.includes(name));
  return [...new Set([...first, ...own.filter((name) => !isLate(name)), ...own.filter(isLate)])];
}

/** The column of plain values among rows that are objects. */
const VALUE = "value";

/** What becomes of plain values among rows that are objects: they go into a column of their own, where there is one. */
export interface PlainRows {
  /** Whether the first rows have any, so that there is a column. */
  readonly column: string | undefined;
  /** The row as an object. */
  toObject(toObject: Json): Json;
  /** What to tell at the end. */
  notes(): string[];
  /** What another needs to go on after the rows so far. */
  state(): JsonObject;
}

/**
 * Deals with plain values among the rows; fields that the user chose are those of objects alone. The first rows decide,
 * or the state after earlier ones.
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
      return [
        `Left out: ${dropped} later ${dropped === 1 ? "row that is no object" : "rows that are no objects"}; use -o json.`,
      ];
    },
  };
}

function isPlain(row: Json): boolean {
  return row !== null && !isObject(row);
}

/** Names for a remark: the first few, and how many there are besides. */
export function summarizeNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Names that a remark spells out. */
const MAX_NAMES = 8;
