/** Answers nested so deeply that a format cannot follow. */
import { UsageError } from "../base/errors.ts";
import type { Format } from "./types.ts";

const NAMES: Readonly<Record<Format, string>> = {
  json: "JSON",
  ndjson: "NDJSON",
  csv: "CSV",
  tsv: "TSV",
  yaml: "YAML",
  table: "a table",
};

/** The failure as what the user can do about it, when it is the call stack that ended; any other as it is. */
export function describeNestingError(error: unknown, format: Format): unknown {
  if (!(error instanceof RangeError && error.message.includes("call stack"))) return error;
  return new UsageError(`This answer is nested too deeply for ${NAMES[format]}.`, {
    code: "TOO_DEEP",
    ...(format !== "json" && { hint: "Use -o json." }),
  });
}
