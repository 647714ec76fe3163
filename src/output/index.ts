/**
 * Values to bytes on a stream: formats, tables, safe text, formatting by kind. The only way into this module.
 *
 * Import it statically: these are re-exports, of which the bundler takes those that are used, while `import()` of this
 * file would load all of them at once. What is heavy (jq, yaml, csv, tables, zod) is loaded by `write` when needed.
 */
export { formatError } from "./error.ts";
export * from "./fields/derived-fields.ts";
export { entityOfDescription, entityOfName, entityRole, fieldWords, headingOf } from "./fields/field-names.ts";
export { omitRedundant, orderFields } from "./fields/field-order.ts";
export {
  fieldNames,
  formatPath,
  leadsTo,
  type Path,
  parsePath,
  shapeAt,
  valueAt,
} from "./fields/paths.ts";
export { checkFields, parseFields, parsePaths, parseSortFields, selectFields } from "./fields/selection.ts";
export { ColumnTypeError } from "./formats/context.ts";
export { clearRows } from "./formats/envelope.ts";
export * from "./formats/formats.ts";
export { requireIdentifier } from "./formats/identifiers.ts";
export { formatJson } from "./formats/json.ts";
export { canResume } from "./formats/rows.ts";
export { compileProgram, evaluateCondition, executeJq } from "./jq/jq.ts";
export { createNamer, type Namer, nameCells, nameText } from "./names/cell-names.ts";
export * from "./names/collect-names.ts";
export * from "./names/names.ts";
export { createFile, type FileSink, gzipSink, reopenFile } from "./stream/file-sink.ts";
export { getStreamSink, PipeClosed, type StreamSink, toWriteFailure } from "./stream/stream-sink.ts";
export * from "./stream/terminal.ts";
export {
  alignColumn,
  alignNumber,
  buildColumns,
  COLUMN_GAP,
  type ColumnDemand,
  catalogueField,
  cellStyles,
  fitCell,
  fitCellParts,
  formatCell,
  measureDemand,
  measureNumbers,
  type NumberWidths,
  solveWidths,
  type TableColumn,
} from "./table/columns.ts";
export { fillBar } from "./text/bar.ts";
export type { ColorScheme, Role, Themes } from "./text/roles.ts";
export { escapeJson, safeCell, safeLines, safeText } from "./text/safe.ts";
export { type ColorDepth, indexedColor, nearestIndex, parseStyle, type Rgb } from "./text/style.ts";
export { createPainter, type Paint, paintText, THEME_NAMES, type Theme, toAscii } from "./text/theme.ts";
export * from "./text/themes.ts";
export { clip, createShortener, pad, type Shorten, sliceWidth, textWidth, truncateMiddle, wrap } from "./text/width.ts";
export * from "./types.ts";
export * from "./values/cell.ts";
export {
  capNumber,
  compactNumber,
  formatAmount,
  formatChange,
  formatPercent,
  formatPrice,
  formatSol,
  formatUsd,
  formatUsedShare,
  groupDigits,
  SOL_DECIMALS,
} from "./values/number.ts";
export * from "./values/sort-key.ts";
export { type Clock, formatDate, formatUnix } from "./values/time.ts";
export { createUnitConverter } from "./values/whole-units.ts";
export { checkOptions, checkProgram, write } from "./write.ts";
