/** One call of `write`, as the formats see it. */
import { isObject, type Json } from "../base/json.ts";
import type { Selection } from "./fields.ts";
import type { Shape } from "./shape.ts";
import type { Frame, OutputOptions, Sink, View } from "./types.ts";

/** What is to be written, and where to. */
export interface Job {
  readonly options: OutputOptions;
  readonly view: View;
  readonly shape: Shape;
  /** The fields that the user chose. */
  readonly selection: Selection | undefined;
  readonly frame: Frame | undefined;
  readonly sink: Sink;
  /** Remarks for standard error. */
  readonly notes: string[];
}

/** The fields of rows: those that the entity knows, then those that only the rows have. */
export function namesOf(shape: Shape, rows: readonly Json[]): string[] {
  return [...new Set([...shape.fields, ...rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))])];
}
