/** One call of `write`, as the formats see it. */
import { type Json, type JsonObject, UsageError } from "../../base/index.ts";
import type { Shape } from "../../catalogue/index.ts";
import type { Selection } from "../fields/selection.ts";
import { safeText } from "../text/safe.ts";
import type { ContentSchema, Envelope, OutputOptions, Sink } from "../types.ts";
import { type Format, formatInfo } from "./formats.ts";

/** The options, schema and destination of one call of `write`. */
export interface WriteContext {
  readonly options: OutputOptions;
  readonly schema: ContentSchema;
  readonly shape: Shape;
  /** The fields of `--fields`. */
  readonly selection: Selection | undefined;
  readonly envelope: Envelope | undefined;
  /** What the API sent beside the rows. */
  readonly beside?: JsonObject | undefined;
  /** Returns the fields that the outermost object has after the rows. */
  readonly closing?: (() => JsonObject) | undefined;
  /** What the API sent about the identifiers in the content. */
  readonly metadata?: Json | undefined;
  readonly sink: Sink;
  /** Notes for standard error. */
  readonly notes: string[];
}

/** Writes rows in one format; created with the first page. */
export interface RowWriter {
  write(page: readonly Json[]): Promise<void>;
  end(): Promise<void>;
  /** Returns the state from which another writer can continue; formats without it cannot be resumed. */
  state?(): JsonObject;
}

/** Writes one format; loaded when it is first written. */
export interface FormatWriter {
  /** Opens a writer of rows, with the first ones or the state of an earlier writer. */
  openRows(context: WriteContext, first: readonly Json[], resume?: JsonObject): Promise<RowWriter>;
  /** Writes one object whole; formats without it write it as a row. */
  writeObject?(context: WriteContext, value: Json): Promise<void>;
}

/** Returns names for a note: the first few, and the number of the others. */
export function summarizeNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Names that a note spells out. */
const MAX_NAMES = 8;

/** Returns the error for an answer that is nested more deeply than a format can write. */
export function nestingError(format: Format): UsageError {
  return new UsageError(`The answer is nested too deeply for ${formatInfo(format).title}.`, {
    code: "TOO_DEEP",
    hint: format === "json" ? undefined : "Use -o json.",
  });
}

/** A value that its column cannot hold. */
export class ColumnTypeError extends UsageError {
  readonly column: string;

  constructor(column: string, type: string) {
    super(`The column "${safeText(column)}" has a value that is no ${type}.`, {
      code: "BAD_COLUMN",
      hint: "Write to a file with --out, which selects a wider type, or use -o ndjson.",
    });
    this.column = column;
  }
}
