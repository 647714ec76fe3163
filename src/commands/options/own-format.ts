/** Output formats that single commands have. */
import { UsageError } from "../../base/index.ts";
import type { RunContext } from "../run/context.ts";
import { shapingOption } from "./global-options.ts";

/** Formats of `account flow`, for programs that draw graphs. */
export const GRAPH_FORMATS = ["dot", "mermaid"] as const;

/** Formats of `index export`. */
export const FACT_FORMATS = ["ndjson", "parquet"] as const;

/** Formats of `usage`, for monitoring. */
export const MONITOR_FORMATS = ["prometheus", "nagios"] as const;

/**
 * Removes a format that only one command has from the options, and returns it; undefined for other formats.
 * @throws UsageError with an option that selects parts of the output
 */
export function takeFormat<Format extends string>(context: RunContext, formats: readonly Format[]): Format | undefined {
  const { output, ...globals } = context.globals;
  const format = formats.find((name) => name === output);
  if (format === undefined) return undefined;
  const other = shapingOption(globals);
  if (other) throw new UsageError(`${other} cannot be combined with -o ${format}`, { hint: "Use one of them." });
  context.globals = globals;
  return format;
}
