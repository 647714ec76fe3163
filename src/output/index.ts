/**
 * Values to bytes on a stream: formats, tables, safe text, formatting by kind. The only way into this module.
 *
 * Import it statically: these are re-exports, of which the bundler takes those that are used, while `import()` of this
 * file would load all of them at once. What is heavy (jq, yaml, csv, tables, zod) is loaded by `write` when needed.
 */
export { formatError } from "./error.ts";
export { fieldNames, orderFields } from "./fields/field-order.ts";
export { leadsTo, type Path, parsePath, valueAt } from "./fields/path.ts";
export { omitRedundant } from "./fields/redundant.ts";
export { shapeOf } from "./fields/schema.ts";
export { parseColumns, parseFields, selectFields } from "./fields/selection.ts";
export { type Shape, shapeAt, UNKNOWN_SHAPE } from "./fields/shape.ts";
export {
  EXPORT_FORMATS,
  FORMAT_NAMES,
  FORMATS,
  type Format,
  findFormat,
  formatInfo,
  formatOfFile,
  listFormats,
  RESUMABLE_FORMATS,
} from "./formats/formats.ts";
export { formatJson } from "./formats/json.ts";
export { canResume } from "./formats/rows.ts";
export { compileProgram, evaluateCondition, executeJq } from "./jq/jq.ts";
export { createFile, type FileSink, reopenFile } from "./stream/file-sink.ts";
export { getStreamSink, PipeClosed, type StreamSink } from "./stream/stream-sink.ts";
export {
  isTerminal,
  shouldUseColor,
  supportsUnicode,
  terminalWidth,
} from "./stream/terminal.ts";
export { COLUMN_GAP, type ColumnDemand, solveWidths } from "./table/column-widths.ts";
export {
  alignColumn,
  catalogueField,
  columnsOf,
  fitCell,
  formatCell,
  NUMERIC_KINDS,
  shortenIds,
  type TableColumn,
} from "./table/columns.ts";
export { toAscii } from "./text/ascii.ts";
export { detectLookalike } from "./text/lookalike.ts";
export { escapeJson, safeCell, safeLines, safeText } from "./text/safe.ts";
export { createShortener, type Shorten } from "./text/shorten.ts";
export { createPainter, type Paint, type Role } from "./text/theme.ts";
export { isImpostor, tokenMintOf } from "./text/well-known-tokens.ts";
export { clip, pad, sliceWidth, textWidth, truncateMiddle, wrap } from "./text/width.ts";
export {
  type Content,
  type ContentSchema,
  type Envelope,
  type OutputOptions,
  type Sink,
  TABLE_STYLES,
  TIME_STYLES,
  type TimeStyle,
  type WriteResult,
} from "./types.ts";
export { type Cell, formatBytes, formatValue, MISSING, sizeMark, summarizeValue, WARNING_MARK } from "./values/cell.ts";
export {
  capNumber,
  compactNumber,
  formatPercent,
  formatPrice,
  formatUsd,
  formatUsedShare,
  groupDigits,
  SOL_DECIMALS,
} from "./values/number.ts";
export { type Clock, formatDate, formatUnix } from "./values/time.ts";
export { checkOptions, checkProgram, write } from "./write.ts";
